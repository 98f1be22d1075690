#!/bin/sh
# Remake the PTX of the benchmark kernels, of all or of those named; needs nvcc.  NVCC may name it.
set -eu

NVCC=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}

cd "$(dirname "$0")"
if [ $# -eq 0 ]; then
    set -- *.cu
fi
for file in "$@"; do
    name=$(basename "$file" .cu)
    "$NVCC" -O3 -arch=compute_80 -ptx "$name.cu" -o "$name.ptx"
done
