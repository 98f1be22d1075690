#!/bin/sh
# `cmake --install` into an empty directory, then a program is built against it the two ways that users have, pkg-config
# (shared and static) and find_package, and run.  Nothing of the source tree but the program is used.
set -eu

prefix=$PWD/prefix
here=$PTXEMU_SOURCE_DIR/tests/install

. "$PTXEMU_SOURCE_DIR/tests/skip_sanitized.sh"

# An installed tree may be moved.
rm -rf first "$prefix" by_cmake
cmake --install "$PTXEMU_BUILD_DIR" --prefix "$PWD/first" >install.log
mv first "$prefix"
pc=$(find "$prefix" -name ptxemu.pc)
libdir=$(dirname "$(dirname "$pc")")
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH

for file in bin/ptxemu include/ptxemu.h share/man/man1/ptxemu.1 share/bash-completion/completions/ptxemu; do
    if [ ! -e "$prefix/$file" ]; then
        echo "not installed: $file"
        exit 1
    fi
done

echo "pkg-config, shared"
cc -o by_pkg_config "$here/client.c" $(pkg-config --cflags --libs ptxemu)
LD_LIBRARY_PATH=$libdir ./by_pkg_config

echo "pkg-config, static"
static_libs=$(pkg-config --static --libs ptxemu | sed "s|-lptxemu|-l:libptxemu.a|")
cc -o by_static "$here/client.c" $(pkg-config --cflags ptxemu) $static_libs
./by_static

echo "find_package"
cmake -G Ninja -S "$here" -B by_cmake -DCMAKE_PREFIX_PATH="$prefix" >cmake.log
cmake --build by_cmake >>cmake.log
./by_cmake/client_shared
./by_cmake/client_static

echo "exported symbols"
if nm -D --defined-only "$libdir/libptxemu.so" | grep -v -E ' A PTXEMU_0\.1| T ptxemu_[a-z0-9_]+@@PTXEMU_0\.1$'; then
    echo "the shared library exports more than the versioned public API"
    exit 1
fi

echo "installed command"
"$prefix/bin/ptxemu" --version

echo "installed libraries"
"$prefix/bin/ptxemu" sh -c 'echo "$LD_LIBRARY_PATH"' >libraries.txt
grep -qx "$libdir/ptxemu" libraries.txt || { echo "programs get other libraries:"; cat libraries.txt; exit 1; }
for file in libcuda.so.1 libcudart.so.12 libcudart.so.13 libcudart.so libptxemu-preload.so; do
    if [ ! -e "$libdir/ptxemu/$file" ]; then
        echo "not installed: $file"
        exit 1
    fi
done
