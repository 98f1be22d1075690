#!/bin/sh
# Remakes what compilers and data.py make here: NAME.ptx (nvcc), NAME.clang.ptx (clang) and the data files of every
# example, or of those named as arguments.  What needs a tool that is not installed is skipped and stays as it is.
#
# A PTX file is the folder's launch.txt, which tells ptxemu how to launch it, followed by the compiler's text.
# NVCC, CLANG and CLANG14 may name the tools.
set -eu

NVCC=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
CLANG=${CLANG:-clang-19}
CLANG14=${CLANG14:-clang-14}

# Clang 14 knows kernels in CUDA only and gets the .cu file; newer ones get the .c file.
MADE_BY_CLANG14="saxpy reduction_tree reduction_shfl matmul histogram mandelbrot warp_spinlock"

cd "$(dirname "$0")"
text=$(mktemp)
trap 'rm -f "$text"' EXIT

# made NAME FILE TOOL ARGUMENT... : FILE becomes the launch directives and what the compiler writes to $text.
made() {
    name=$1
    file=$2
    shift 2
    if ! command -v "$1" >/dev/null; then
        echo "$name/$file: skipped, no $1"
        return
    fi
    (cd "$name" && "$@" -o "$text")
    cat "$name/launch.txt" "$text" >"$name/$file"
    echo "$name/$file: made by $1"
}

with_nvcc() {
    made "$1" "$1.ptx" "$NVCC" -arch=compute_80 -ptx "$1.cu"
}

with_clang() {
    case " $MADE_BY_CLANG14 " in
    *" $1 "*)
        made "$1" "$1.clang.ptx" "$CLANG14" -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 \
            --cuda-path=/nonexistent -nocudainc -nocudalib -Xclang -target-feature -Xclang +ptx74 -O2 -S "$1.cu"
        ;;
    *)
        made "$1" "$1.clang.ptx" "$CLANG" --target=nvptx64-nvidia-cuda -march=sm_80 --cuda-feature=+ptx74 -O2 -S "$1.c"
        ;;
    esac
}

data() {
    if [ ! -f "$1/data.py" ]; then
        return
    fi
    if ! command -v python3 >/dev/null; then
        echo "$1: data skipped, no python3"
        return
    fi
    (cd "$1" && python3 data.py)
    echo "$1: data made by data.py"
}

if [ $# -eq 0 ]; then
    set -- */
fi
for name in "$@"; do
    name=${name%/}
    data "$name"
    with_nvcc "$name"
    with_clang "$name"
done
