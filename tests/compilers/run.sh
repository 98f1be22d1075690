#!/bin/sh
# run.sh NAME: kernels/NAME.c, compiled by every compiler that is installed, computes on ptxemu what the host's compiler
# makes of the same text.  A kernel's `//!` lines launch it; host.c writes its input and what is expected.
#
# NVCC, CLANG14, CLANG19, GCC, GCC_NVPTX and CC may name the compilers.  None of them is needed: what is missing is said, and
# without any device compiler the test is skipped.  $PTXEMU is the command line to run.
set -u

name=$1
here=$PTXEMU_SOURCE_DIR/tests/compilers
kernel=$here/kernels/$name.c

CC=${CC:-cc}
NVCC=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
CLANG14=${CLANG14:-clang-14}
CLANG19=${CLANG19:-clang-19}
GCC=${GCC:-gcc-12}
GCC_NVPTX=${GCC_NVPTX:-x86_64-linux-gnu-accel-nvptx-none-gcc-12}

ran=0
failed=0

# fail WHAT: report what went wrong with $title, and what was done
fail()
{
    echo "FAILED: $title: $1"
    sed 's/^/    /' log.txt
    echo "    in $(pwd): $PTXEMU $title.ptx -q $schedule"
    failed=$((failed + 1))
}

# launched: $title.ptx gives what the host found, as it comes and with lanes that take turns at random
launched()
{
    for schedule in "--policy converge" "--policy random --seed 3" "--policy serial --threads 1"; do
        # shellcheck disable=SC2086 # options and their arguments
        timeout 100 "$PTXEMU" "$title.ptx" -q $schedule >output.txt 2>log.txt
        code=$?
        if [ $code -ne 0 ]; then
            fail "exit code $code"
            return
        fi
        # Threads print in any order, each line as a whole; every line begins with its thread.
        sort output.txt >sorted.txt
        if ! cmp -s printed.txt sorted.txt; then
            diff printed.txt sorted.txt >log.txt
            fail "prints something else"
            return
        fi
    done
}

# gcc_offload LEVEL -o FILE: what $GCC and $GCC_NVPTX make of the kernel, with the entry around it (see gcc.c)
gcc_offload()
{
    "$GCC" -fopenmp -foffload=nvptx-none -DOFFLOAD -DKERNEL_FILE="\"kernels/$name.c\"" -I"$here" -ffp-contract=off \
        -fno-math-errno -w "$1" -c "$here/gcc.c" -o offload.o &&
        "$GCC_NVPTX" -xlto -foffload-abi=lp64 -ffp-contract=off -fno-math-errno "$1" -S offload.o -o offload.s &&
        nvptx-none-as --no-verify -o offload.ptx offload.s &&
        entry=$(sed -n 's/^\/\/! kernel //p' "$kernel") &&
        { sed 's/^\.extern \.func/.func/' offload.ptx; sed "s/KERNEL/$entry/g" "$here/gcc.ptx"; } >"$3"
}

# why_not: what log.txt says when a compiler cannot be used for this kernel: its text has an #error for it, or the compiler
# does not know the target, or its own host compiler
why_not()
{
    sed -n -e 's/.*error.*"\(this compiler has .*\)".*/\1/p' -e 's/.*\([Uu]nsupported gpu architecture.*\)/\1/p' \
        -e 's/.*\(unsupported CUDA gpu architecture.*\)/\1/p' -e 's/.*\(unsupported [A-Za-z]* version\).*/\1/p' \
        -e 's/.*\(not found\)$/a part of it is \1/p' log.txt | head -n 1
}

# with TITLE COMPILER ARGUMENT...: compile, put the kernel's `//!` lines in front, and launch; a compiler that is missing or
# cannot be used is passed over
with()
{
    title=$name.$1
    schedule=
    shift
    if ! command -v "$1" >/dev/null; then
        echo "passed over: $title: no $1"
        return
    fi
    if ! "$@" -o text.ptx >log.txt 2>&1; then
        reason=$(why_not)
        if [ -n "$reason" ]; then
            echo "passed over: $title: $reason"
        else
            fail "does not compile"
        fi
        return
    fi
    # gcc's function has the kernel's name, the entry that calls it another
    entry=$(sed -n 's/^.*\.entry \([a-z_]*\).*/\1/p' text.ptx)
    { sed -n "s/^\/\/! kernel .*/\/\/! kernel $entry/;/^\/\/!/p" "$kernel"; cat text.ptx; } >"$title.ptx"
    launched
    ran=$((ran + 1))
}

if ! command -v "$CC" >/dev/null; then
    echo "skipped: no host compiler ($CC)"
    exit 77
fi
if ! "$CC" -std=gnu17 -O1 -ffp-contract=off -fno-strict-aliasing -w -I"$here" -DKERNEL_FILE="\"kernels/$name.c\"" "$here/host.c" \
    -o host -lm || ! ./host >printed.txt; then
    echo "FAILED: the host's program"
    exit 1
fi
sort -o printed.txt printed.txt

for options in "-arch=compute_75 -O3" "-arch=compute_80 -G -O0" "-arch=compute_90 -O3 -lineinfo" "-arch=compute_100 -Xcicc -O1" \
    "-arch=compute_80 -use_fast_math"; do
    case $name$options in
    floats*fast_math | newton*fast_math | conversions*fast_math | printf*fast_math) continue ;; # promises other bits
    esac
    # shellcheck disable=SC2086 # several options
    with "nvcc$(echo " $options" | tr -d ' =')" "$NVCC" $options -fmad=false -ptx -w -I"$here" -x cu "$kernel"
done
for level in 0 1 2; do
    for clang in "14 $CLANG14" "19 $CLANG19"; do
        with "clang${clang%% *}-cuda-O$level" "${clang#* }" -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 \
            --cuda-path=/nonexistent -nocudainc -nocudalib -Xclang -target-feature -Xclang +ptx64 -fno-math-errno \
            -ffp-contract=off -w -I"$here" -O$level -S "$kernel"
    done
    with "clang19-c-O$level" "$CLANG19" --target=nvptx64-nvidia-cuda -march=sm_80 --cuda-feature=+ptx74 -fno-math-errno \
        -ffp-contract=off -w -I"$here" -O$level -S "$kernel"
    if command -v "$GCC_NVPTX" >/dev/null; then
        with "gcc-O$level" gcc_offload -O$level
    else
        echo "passed over: $name.gcc-O$level: no $GCC_NVPTX"
    fi
done

if [ $failed -gt 0 ]; then
    exit 1
fi
if [ $ran -eq 0 ]; then
    echo "skipped: no compiler for this kernel is installed"
    exit 77
fi
echo "$name: $ran texts compute what the host computes"
