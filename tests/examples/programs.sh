#!/bin/sh
# programs.sh c|nvcc|clang|openmp: the programs of examples/cuda_c, cuda_nvcc and openmp, built as their pages say, but against
# the build tree.
# shellcheck disable=SC2086 # lists of options are several words
set -eu

examples=$PTXEMU_SOURCE_DIR/examples
libraries=$PTXEMU_BUILD_DIR/cuda
headers=$PTXEMU_SOURCE_DIR/include/ptxemu/cuda
. "$PTXEMU_SOURCE_DIR/tests/skip_sanitized.sh"

skip()
{
    echo "skipped: $1"
    exit 77
}

# says EXPECTED COMMAND...: the program's whole output
says()
{
    expected=$1
    shift
    got=$("$@")
    [ "$got" = "$expected" ] || { echo "$*: '$got' instead of '$expected'"; exit 1; }
}

case $1 in
c)
    command -v cc >/dev/null || skip "no C compiler"
    flags="-std=c11 -Wall -Wextra -Werror -O2 -I$headers"
    cc $flags -o runtime "$examples/cuda_c/runtime.c" -L"$libraries" -lcudart
    cc $flags -o driver "$examples/cuda_c/driver.c" -L"$libraries" -lcuda
    for ptx in vector_add vector_add.clang; do
        says "c[999] = 999.5" "$PTXEMU" ./runtime "$examples/vector_add/$ptx.ptx"
        says "NVIDIA A100-PCIE-40GB: c[999] = 999.5" "$PTXEMU" --gpu a100 ./driver "$examples/vector_add/$ptx.ptx"
    done
    ;;
nvcc)
    nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
    [ -x "$nvcc" ] || skip "no nvcc"
    for runtime in shared static; do
        "$nvcc" -arch=sm_80 -cudart $runtime "$examples/cuda_nvcc/dot.cu" -o dot
        for gpu in h200 a100; do
            says "285000 285000" "$PTXEMU" --gpu $gpu ./dot
        done
    done
    ;;
clang)
    found=
    for clang in clang++-14 clang++-19; do
        command -v $clang >/dev/null || continue
        found=$clang
        CLANG=$clang PTXEMU_CUDA=$libraries "$PTXEMU_SOURCE_DIR/scripts/clang-cuda" -O2 -o dot "$examples/cuda_nvcc/dot.cu"
        says "285000 285000" "$PTXEMU" ./dot
    done
    [ -n "$found" ] || skip "neither clang++-14 nor clang++-19"
    ;;
openmp)
    . "$PTXEMU_SOURCE_DIR/tests/cuda/clients/gcc_offload.sh"
    gcc_offload -O2 -fopenmp -o heat "$examples/openmp/heat.c"
    sed -n '/^1 device/,/^step 20/p' "$examples/openmp/README.md" >page
    says "$(cat page)" "$PTXEMU" --gpu a100 ./heat
    ;;
esac
echo "as the page says"
