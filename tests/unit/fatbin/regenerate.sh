#!/bin/sh
# Make the samples of this folder anew, with nvcc 13.0.  They are in the tree, so nothing needs nvcc to test.
set -eux
cd "$(dirname "$0")"
nvcc=${NVCC:-nvcc}
ptx80="-gencode arch=compute_80,code=compute_80"

"$nvcc" -ptx -arch=compute_80 -o add.ptx add.cu

# One PTX, in every mode of compression.
for mode in none speed balance size; do
    "$nvcc" -fatbin $ptx80 --compress-mode=$mode -o $mode.fatbin add.cu
done

# Several architectures, with and without machine code.
"$nvcc" -fatbin -gencode "arch=compute_75,code=[compute_75,sm_75]" $ptx80 \
    -gencode "arch=compute_90a,code=[compute_90a,sm_90a]" -gencode arch=compute_100f,code=compute_100f \
    -gencode arch=compute_120,code=compute_120 -o many.fatbin add.cu
"$nvcc" -fatbin -Xfatbin -compress-all,-compress-mode=speed -gencode "arch=compute_80,code=[compute_80,sm_80]" \
    -o all_lz4.fatbin add.cu

# Debugging.
"$nvcc" -fatbin $ptx80 -G -o debug.fatbin add.cu
"$nvcc" -fatbin $ptx80 -lineinfo -o lineinfo.fatbin add.cu

# No PTX.
"$nvcc" -fatbin -gencode arch=compute_80,code=sm_80 -o cubin_only.fatbin add.cu
"$nvcc" -fatbin -gencode arch=compute_80,code=lto_80 -o lto.fatbin add.cu
"$nvcc" -cubin -arch=sm_80 -o add.cubin add.cu

# Parts of a program.
"$nvcc" -fatbin -rdc=true $ptx80 -o part1.fatbin part1.cu
"$nvcc" -fatbin -rdc=true $ptx80 -o part2.fatbin part2.cu

# Programs: with the shared runtime, with relocatable device code, and an object.
"$nvcc" -cudart shared $ptx80 -o scale_shared scale.cu
"$nvcc" -cudart shared -rdc=true -arch=sm_80 -o parts_shared part1.cu part2.cu
"$nvcc" $ptx80 -c -o scale.o scale.cu
