#!/bin/sh
# run.sh alone                         each header compiles by itself, in each language, without a warning
# run.sh sizes                         sizes.c holds, under each compiler that is installed
# run.sh device                        device code, compiled by clang without NVIDIA's toolkit, does what is documented
# run.sh programs                      a program built by scripts/clang-cuda runs on our libraries
# run.sh functions                     functions of device code are as exact as functions.def says
# run.sh nvidia                        every fact of NVIDIA's own headers is one of ours, and the other way round
#
# CUDA_HEADERS names folders of NVIDIA's headers, separated by colons; without it those beside nvcc are taken.  Ours describe
# 13.0 and 12.8: a set of another release is skipped, and the script says so.
set -u

here=$PTXEMU_SOURCE_DIR/tests/cuda_headers
ours=$PTXEMU_SOURCE_DIR/include/ptxemu/cuda
failed=0
ran=0

# gcc compiles C++ only where g++ is installed, too.
knows()
{
    "$1" -x "$2" -fsyntax-only /dev/null 2>/dev/null
}

# compiles LANGUAGE COMPILER OPTION... <SOURCE
compiles()
{
    language=$1
    shift
    knows "$1" "$language" || return 0
    ran=$((ran + 1))
    if ! "$@" -Wall -Wextra -Werror -I"$ours" -x "$language" -fsyntax-only - 2>log.txt; then
        echo "FAILED: $header: $*"
        sed 's/^/    /' log.txt
        failed=$((failed + 1))
    fi
}

# compiler NAME: is it there?  Says so if not.
compiler()
{
    command -v "$1" >/dev/null || { echo "skipped: no $1"; return 1; }
}

# includes TEXT OPTION...: writes a source that includes a header twice, and sets the words for messages
includes()
{
    header="$*"
    printf '#include <%s>\n#include <%s>\nint used;\n' "$1" "$1" >source
}

# every_language COMPILER OPTION...: as in `alone`
every_language()
{
    compiles c "$@" -std=c90 -pedantic -Wno-long-long <source
    compiles c "$@" -std=c11 -pedantic <source
    compiles c "$@" -std=gnu17 <source
    compiles c++ "$@" -std=c++14 <source
}

alone()
{
    for cc in gcc clang clang-19; do
        compiler $cc || continue
        knows $cc c++ || echo "skipped: $cc does not compile C++ here"
        names=$(cd "$ours" && ls -- *.h)
        [ $cc = clang-19 ] && names="cuda.h cuda_runtime.h" # the rest says nothing that clang has not said
        for name in $names; do
            includes "$name"
            every_language $cc
            every_language $cc -DPTXEMU_CUDA_VERSION=12080
        done
        for name in cuda.h cuda_runtime.h; do
            includes "$name"
            every_language $cc -DCUDA_API_PER_THREAD_DEFAULT_STREAM
            every_language $cc -DCUDA_API_PER_THREAD_DEFAULT_STREAM -DPTXEMU_CUDA_VERSION=12080
        done
        includes cuda.h
        compiles c $cc -std=c11 -D__CUDA_API_VERSION_INTERNAL <source
        includes runtime_api/earlier.h
        compiles c $cc -std=c11 -DPTXEMU_CUDA_VERSION=12080 <source
        header=typed.cpp
        compiles c++ $cc -std=c++14 <"$here/typed.cpp"
    done
    for file in "$ours"/driver_api/*.h "$ours"/runtime_api/*.h; do
        case $file in
        */earlier.h | */typed_*) continue ;;
        esac
        includes "${file#"$ours"/}"
        compiles c clang -std=c11 -pedantic <source
    done
}

sizes()
{
    header=sizes.c
    for cc in gcc clang clang-19; do
        compiler $cc || continue
        compiles c $cc -std=gnu17 <"$here/sizes.c"
        compiles c $cc -std=gnu17 -DPTXEMU_CUDA_VERSION=12080 <"$here/sizes.c"
    done
}

# --- device code ---------------------------------------------------------------------------------------------------------

# cuda COMPILER OPTION... SOURCE: clang as a compiler of CUDA that knows no toolkit
cuda()
{
    compiler=$1
    shift
    "$compiler" -x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_80 -Xclang -target-sdk-version=11.5 -Wno-unknown-cuda-version \
        -Wall -Wextra -Werror -std=c++14 -I"$ours" "$@" 2>log.txt && return
    failed=$((failed + 1))
    echo "FAILED: $compiler $*"
    sed 's/^/    /' log.txt
    return 1
}

# run_kernel SOURCE PTX OPTION...: launch as the source's `//!` lines say
run_kernel()
{
    ran=$((ran + 1))
    { grep '^//!' "$1"; cat "$2"; } >kernel.ptx
    source=$1
    shift 2
    if ! timeout 100 "$PTXEMU" kernel.ptx -q "$@" >log.txt 2>&1; then
        echo "FAILED: $source, $title: $(pwd)/kernel.ptx"
        sort -u log.txt | sed 's/^/    /' | head -n 20
        failed=$((failed + 1))
        return 1
    fi
}

device()
{
    for cc in clang-14 clang-19; do
        compiler $cc || continue
        for level in -O0 -O2; do
            title="$cc $level"
            cuda $cc --cuda-device-only $level -S "$here/intrinsics.cu" -o device.s && run_kernel "$here/intrinsics.cu" device.s
        done
        for half in device host; do
            ran=$((ran + 1))
            cuda $cc --cuda-$half-only -O1 -S "$here/program.cu" -o $half.s
        done
    done
    # NVIDIA's own headers mean the same by this text.
    nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
    compiler "$nvcc" || return
    title=nvcc
    if "$nvcc" -w --expt-relaxed-constexpr -arch=sm_80 -std=c++14 -ptx "$here/intrinsics.cu" -o device.s 2>log.txt; then
        run_kernel "$here/intrinsics.cu" device.s
    else
        echo "skipped: this nvcc does not compile for sm_80 with its host compiler"
    fi
}

programs()
{
    . "$PTXEMU_SOURCE_DIR/tests/skip_sanitized.sh"
    export PTXEMU_CUDA="$PTXEMU_BUILD_DIR/cuda"
    if ! [ -e "$PTXEMU_CUDA/libcudart.so" ]; then
        echo "skipped: this build has no CUDA libraries"
        return
    fi
    for cc in clang++-14 clang++-19; do
        compiler $cc || continue
        for level in -O0 -O2; do
            ran=$((ran + 1))
            if ! CLANG=$cc "$PTXEMU_SOURCE_DIR/scripts/clang-cuda" $level -o program "$here/program.cu" >log.txt 2>&1 ||
                ! LD_LIBRARY_PATH=$PTXEMU_CUDA ./program >said.txt 2>log.txt || [ "$(cat said.txt)" != "1000 of 1000, 2.84147" ]; then
                echo "FAILED: program.cu by $cc $level: $(cat said.txt)"
                sed 's/^/    /' log.txt
                failed=$((failed + 1))
            fi
        done
    done
}

functions()
{
    cc -D_GNU_SOURCE -O1 "$here/functions.c" -o functions -lm && ./functions write in.bin || exit 1
    for cc in clang-14 clang-19; do
        compiler $cc || continue
        title=$cc
        cuda $cc --cuda-device-only -O2 -ffp-contract=off -S "$here/functions.cu" -o device.s || continue
        run_kernel "$here/functions.cu" device.s --dump-arg 1=out.bin || continue
        ./functions check in.bin out.bin || failed=$((failed + 1))
    done
}

# --- NVIDIA's headers ------------------------------------------------------------------------------------------------------

# facts INCLUDE OPTION...: the facts that the headers in a folder declare, sorted
facts()
{
    folder=$1
    shift
    sed -n -e '/^#include <.*\.h>/p' -e '/^#if/p' -e '/^#endif/p' "$here/facts.cpp" >headers.c
    gcc -E -P -w -I"$folder" "$@" headers.c | awk -f "$here/facts.awk" >found.txt
    gcc -E -dM -w -I"$folder" "$@" headers.c | awk '
        $2 !~ /^(cu|CU)/ || $2 ~ /\(/ || $2 ~ /^CUDA_API/ || NF < 3 || $3 == "__device__" { next } # attributes
        $3 ~ /^(cu|__CUDA)/ { print "renamed " $2; next }
        { print "constant " $2 }' >>found.txt
    sort -u found.txt
}

# same OPTION...: our headers and those in $theirs say the same
same()
{
    ran=$((ran + 1))
    facts "$ours" -DPTXEMU_CUDA_VERSION="$release" "$@" >ours.txt
    facts "$theirs" "$@" >theirs.txt
    # What 13.0 added stays declared when our headers stand for 12.8.
    if [ "$release" -lt 13000 ]; then
        comm -13 ours.txt theirs.txt >missing.txt
    else
        comm -3 ours.txt theirs.txt >missing.txt
    fi
    if [ -s missing.txt ]; then
        echo "FAILED: facts of one set only ($theirs, $*): ours are at the left"
        sed 's/^/    /' missing.txt
        failed=$((failed + 1))
    fi
    comm -12 ours.txt theirs.txt | awk '
        { kind = toupper($1); name = $2; type = $3 " " $4; sub(/ $/, "", type) }
        $1 == "record" { print kind "(" substr($0, 8) ")"; next }
        $1 == "member" || $1 == "aggregate" { print kind "(" type ", " name ")"; next }
        { print kind "(" name ")" }' >facts.inc
    for side in ours theirs; do
        folder=$ours
        [ $side = theirs ] && folder=$theirs
        if ! g++ -std=c++14 -w -I. -I"$folder" -DPTXEMU_CUDA_VERSION="$release" "$@" "$here/facts.cpp" -o $side 2>log.txt; then
            echo "FAILED: $side do not compile ($*)"
            sed 's/^/    /' log.txt | head -n 40
            failed=$((failed + 1))
            return
        fi
        ./$side >$side.said
    done
    echo "$release $*: $(wc -l <facts.inc) facts compared"
    if ! cmp -s ours.said theirs.said; then
        echo "FAILED: ours (<) and theirs (>) differ ($*)"
        diff ours.said theirs.said
        failed=$((failed + 1))
    fi
}

nvidia()
{
    compiler gcc && compiler g++ || exit 77
    nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
    for theirs in $(echo "${CUDA_HEADERS:-$(dirname "$(dirname "$nvcc")")/include}" | tr : ' '); do
        if ! [ -e "$theirs/cuda.h" ]; then
            echo "skipped: no headers of NVIDIA in $theirs"
            continue
        fi
        release=$(awk '$1 == "#define" && $2 == "CUDA_VERSION" { print $3 }' "$theirs/cuda.h")
        if [ "$release" != 13000 ] && [ "$release" != 12080 ]; then
            echo "skipped: $theirs is of release $release; our headers describe 13000 and 12080"
            continue
        fi
        same
        same -DCUDA_API_PER_THREAD_DEFAULT_STREAM
        [ "$release" -ge 13000 ] && same -D__CUDA_API_VERSION_INTERNAL -D__CUDA_API_VERSION_INTERNAL_ODR
    done
}

"$@"
[ $failed -eq 0 ] || exit 1
[ $ran -gt 0 ] || exit 77
