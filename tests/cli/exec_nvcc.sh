#!/bin/sh
# A program of nvcc, built in the ways that people build, runs and says the same; what cannot run is refused with advice.
set -eu

source=$PTXEMU_SOURCE_DIR/tests/cli/exec/vectors.cu
nvcc=${NVCC:-nvcc}
command -v "$nvcc" >/dev/null || nvcc=/usr/local/cuda/bin/nvcc
command -v "$nvcc" >/dev/null || { echo "skipped: no nvcc"; exit 77; }
. "$PTXEMU_SOURCE_DIR/tests/skip_sanitized.sh"

cat >expected.txt <<END
thread 0
thread 1
no error
13 13 1000 6 6.5, 2 GPUs, 3 arguments
END

# runs NAME NVCC-OPTION...
runs() {
    name=$1
    shift
    "$nvcc" "$@" -o "$name" "$source"
    code=0
    "$PTXEMU" --gpus 2 "./$name" one --gpus three >got.txt 2>err.txt || code=$?
    [ "$code" -eq 3 ] || { echo "$name: exit code $code"; cat got.txt err.txt; exit 1; }
    diff expected.txt got.txt || { echo "$name says something else"; cat err.txt; exit 1; }
}

# refused NAME WORDS
refused() {
    code=0
    "$PTXEMU" "./$1" >got.txt 2>err.txt || code=$?
    [ "$code" -eq 3 ] || { echo "$1: exit code $code"; exit 1; }
    grep -qF -e "$2" err.txt || { echo "$1: no '$2'"; cat err.txt; exit 1; }
}

runs default -arch=sm_80
runs shared -arch=sm_80 -cudart shared
runs parts -arch=sm_80 -rdc=true -O0
strip -o stripped default
refused stripped "run it as it was before 'strip', or link it with 'nvcc -cudart shared'"
"$nvcc" -gencode arch=compute_80,code=sm_80 -o sass "$source"
refused sass "carries machine code (SASS) for sm_80 only"
echo "the same, however it was built"
