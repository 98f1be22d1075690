/*
 * A host program in plain C, with no NVIDIA software: the kernel of ../saxpy is linked into it as an object file that
 * `ptxemu embed` made, and launched through the CUDA runtime.
 */
#include "saxpy.h"

#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000, THREADS = 128 };

static void check(cudaError_t status, const char *what)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
        exit(1);
    }
}

int main(void)
{
    static float x[COUNT], y[COUNT];
    const size_t bytes = sizeof x;
    const dim3 grid = {(COUNT + THREADS - 1) / THREADS, 1, 1}, block = {THREADS, 1, 1};
    void *device_x, *device_y;

    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
    check(cudaMalloc(&device_x, bytes), "cudaMalloc");
    check(cudaMalloc(&device_y, bytes), "cudaMalloc");
    check(cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    check(saxpy_launch(grid, block, 0, NULL, 2, device_x, device_y, COUNT), "saxpy");
    check(cudaMemcpy(y, device_y, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (int i = 0; i < COUNT; i++) {
        if (y[i] != 2 * x[i] + 1) {
            fprintf(stderr, "y[%d] is %g\n", i, y[i]);
            return 1;
        }
    }
    printf("y[%d] = %g\n", COUNT - 1, y[COUNT - 1]);
    check(cudaFree(device_x), "cudaFree");
    check(cudaFree(device_y), "cudaFree");
    return 0;
}
