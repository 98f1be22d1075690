/*
 * A host program in plain C on the CUDA runtime: it reads PTX from a file, finds the kernel by its name and launches
 * it.  The same program runs on a GPU, with NVIDIA's headers and runtime.
 */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000, THREADS = 128, PER_THREAD = 4 };

static void check(cudaError_t status, const char *what)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
        exit(1);
    }
}

static float *copied_to_device(const float *values, size_t bytes)
{
    void *there;

    check(cudaMalloc(&there, bytes), "cudaMalloc");
    check(cudaMemcpy(there, values, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    return there;
}

int main(int argc, char **argv)
{
    static float a[COUNT], b[COUNT], c[COUNT];
    const unsigned count = COUNT;
    const dim3 grid = {(COUNT + THREADS * PER_THREAD - 1) / (THREADS * PER_THREAD), 1, 1}, block = {THREADS, 1, 1};
    cudaLibrary_t library;
    cudaKernel_t kernel;

    if (argc != 2) {
        fprintf(stderr, "usage: runtime vector_add.ptx\n");
        return 2;
    }
    check(cudaLibraryLoadFromFile(&library, argv[1], NULL, NULL, 0, NULL, NULL, 0), argv[1]);
    check(cudaLibraryGetKernel(&kernel, library, "vector_add"), "vector_add");
    for (int i = 0; i < COUNT; i++) {
        a[i] = (float)i;
        b[i] = 0.5f;
    }
    float *device_a = copied_to_device(a, sizeof a);
    float *device_b = copied_to_device(b, sizeof b);
    float *device_c = copied_to_device(c, sizeof c);
    void *arguments[] = {&device_a, &device_b, &device_c, (void *)&count};

    check(cudaLaunchKernel((const void *)kernel, grid, block, arguments, 0, NULL), "cudaLaunchKernel");
    check(cudaMemcpy(c, device_c, sizeof c, cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (int i = 0; i < COUNT; i++) {
        if (c[i] != a[i] + b[i]) {
            fprintf(stderr, "c[%d] is %g\n", i, c[i]);
            return 1;
        }
    }
    printf("c[%d] = %g\n", COUNT - 1, c[COUNT - 1]);
    check(cudaFree(device_a), "cudaFree");
    check(cudaFree(device_b), "cudaFree");
    check(cudaFree(device_c), "cudaFree");
    check(cudaLibraryUnload(library), "cudaLibraryUnload");
    return 0;
}
