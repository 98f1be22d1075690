#!/bin/sh
# The cases of exec.txt: programs that are made here by the C compiler, and libraries that stand for ptxemu's and say who was
# called.  What the real libraries do with programs of nvcc is tested elsewhere.
set -eu

. "$PTXEMU_SOURCE_DIR/tests/skip_sanitized.sh"
source=$PTXEMU_SOURCE_DIR/tests/cli/exec
host=$PTXEMU_SOURCE_DIR/tests/cli/programs/host.c
samples=$PTXEMU_SOURCE_DIR/tests/unit/fatbin

if ! command -v cc >/dev/null || ! command -v strip >/dev/null; then
    echo "skipped: no C compiler, or no strip"
    exit 77
fi

rm -rf lib other odd "odd folder"
mkdir lib other odd "odd folder"
for version in 12 13; do
    cc -shared -fPIC -DOWNER="\"ours $version\"" -Wl,-soname,libcudart.so.$version -o lib/libcudart.so.$version \
        "$source/runtime.c"
done
cc -shared -fPIC -DOWNER='"theirs"' -Wl,-soname,libcudart.so.13 -o other/libcudart.so.13 "$source/runtime.c"
cc -shared -fPIC -DOWNER='"theirs"' -Wl,-soname,libcudart.so.11.0 -o other/libcudart.so.11.0 "$source/runtime.c"
echo 'int cuInit(unsigned flags) { return (int)flags; }' >driver.c
cc -shared -fPIC -Wl,-soname,libcuda.so.1 -o lib/libcuda.so.1 driver.c
cp "$PTXEMU_BUILD_DIR/cuda/libptxemu-preload.so" lib

# Programs with a runtime linked into them, in all the ways that compilers lay out code.
cc_linked() {
    cc -DLINKED '-DOWNER="linked"' "$@"
}
cc_linked -o static "$source/program.c" "$source/runtime.c"
cc_linked -no-pie -O2 -o static_fixed "$source/program.c" "$source/runtime.c"
cc_linked -DBEFORE_13 -falign-functions=32 -o static_12 "$source/program.c" "$source/runtime.c"
# One that starts with a landing pad, where the processor has such marks.
case $(uname -m) in
x86_64) marks=-fcf-protection=full ;;
*) marks=-mbranch-protection=standard ;;
esac
cc_linked $marks -falign-functions=32 -o static_marked "$source/program.c" "$source/runtime.c"
strip -o static_stripped static

# A library with a runtime of its own, registered by its constructor, in a program that has another.
cc_linked -DPLUGIN -shared -fPIC -Wl,-Bsymbolic -fvisibility=hidden -o hidden.so -x c - <<END
#include "$source/program.c"
#include "$source/runtime.c"
__attribute__((visibility("default"))) int plugin_of_library(void) { return plugin(); }
END
cat >caller.c <<END
int plugin_of_library(void);
int main(void) { return plugin_of_library(); }
END
cc -o with_library caller.c ./hidden.so

# Shared ones: plain, with an old rpath to another library, and of a version that is not there.
cc -o shared "$source/program.c" other/libcudart.so.13
cc -o shared_rpath "$source/program.c" other/libcudart.so.13 -Wl,--disable-new-dtags -Wl,-rpath,"$PWD/other"
cc -o shared_11 "$source/program.c" other/libcudart.so.11.0

# What cannot be run.
carry() {
    cc "-DFATBIN=\"$samples/$1.fatbin\"" -o "$2" "$host"
}
carry cubin_only sass
carry many many
carry balance plain
cc -DCALLS -c -o object.o "$host"
cc -DHAS -static -o all_static "$host"
cp plain not_executable
chmod -x not_executable
printf '\177ELF\001\001\001\000%0100d' 0 >elf32
{ head -c 18 plain; printf '\363\000'; tail -c +21 plain; } >riscv
chmod +x elf32 riscv
head -c 40 plain >"cut"
chmod +x "cut"

# Scripts, which run programs of their own.
printf '#!/bin/sh\n./static from_script "$@"\nexit 7\n' >script
printf '#!/nonexistent/interpreter\n' >bad_script
printf '#!/bin/sh\nexec cat\n' >echo_input
printf '#!/bin/sh\nkill -TERM $$\n' >killed
printf '#!/bin/sh\nenv | grep -E "^(PTXEMU_|LD_)" | sort\n' >show
chmod +x script bad_script echo_input killed show
mkdir -p path
cp show path/show_on_path

PTXEMU_LIBDIR=$PWD/lib
export PTXEMU_LIBDIR

# Input, signals and what variables had before pass through.
[ "$(echo through | "$PTXEMU" ./echo_input)" = through ] || { echo "standard input does not reach the program"; exit 1; }
code=0
"$PTXEMU" ./killed || code=$?
[ "$code" -eq 143 ] || { echo "a signal became exit code $code"; exit 1; }
LD_LIBRARY_PATH=/before "$PTXEMU" ./show | grep -qx "LD_LIBRARY_PATH=$PWD/lib:/before" || { echo "a library path is lost"; exit 1; }
# A path that ld.so cannot take, and one without the libraries.
cp lib/* "odd folder"
PTXEMU_LIBDIR="odd folder" "$PTXEMU" ./show 2>odd.txt && { echo "a folder with a blank is taken"; exit 1; }
grep -q "ld.so takes no path with a blank" odd.txt || { cat odd.txt; exit 1; }
PTXEMU_LIBDIR=odd "$PTXEMU" ./show 2>odd.txt && { echo "a folder without libraries is taken"; exit 1; }
grep -q "PTXEMU_LIBDIR: 'odd' has no libptxemu-preload.so" odd.txt || { cat odd.txt; exit 1; }
# A library that would be opened later is redirected when it is preloaded.
LD_PRELOAD=$PWD/hidden.so "$PTXEMU" ./plain >preloaded.txt
grep -qx "ours 13: register" preloaded.txt || { echo "a preloaded library is not redirected"; exit 1; }
# Found on PATH, when there is no such file here.
PATH=$PWD/path:$PATH "$PTXEMU" show_on_path | grep -q "^LD_PRELOAD=" || { echo "PATH is not searched"; exit 1; }
# Variables of the environment, which the command line overrides.
PTXEMU_GPU=a100 "$PTXEMU" ./show | grep -qx PTXEMU_GPU=a100 || { echo "PTXEMU_GPU is lost"; exit 1; }
PTXEMU_GPU=a100 "$PTXEMU" --gpu t4 ./show | grep -qx PTXEMU_GPU=t4 || { echo "--gpu does not count more"; exit 1; }
PTXEMU_THREADS=many "$PTXEMU" ./show 2>bad.txt && { echo "PTXEMU_THREADS is not checked"; exit 1; }
grep -q "PTXEMU_THREADS: 'many': expected a whole number" bad.txt || { cat bad.txt; exit 1; }
PTXEMU_POLICY=serial "$PTXEMU" "$PTXEMU_SOURCE_DIR/tests/cli/ptx/scale.ptx" --format json | grep -q '"policy": "serial"' ||
    { echo "PTXEMU_POLICY does not count for PTX files"; exit 1; }
cp "$PTXEMU_SOURCE_DIR/emu/gpus/t4.ini" mine.ini
"$PTXEMU" --gpu ./mine.ini ./show | grep -qx "PTXEMU_GPU=$PWD/mine.ini" || { echo "--gpu has a relative path"; exit 1; }

exec sh "$PTXEMU_SOURCE_DIR/tests/cli/support/cases.sh" "$PTXEMU_SOURCE_DIR/tests/cli/exec.txt"
