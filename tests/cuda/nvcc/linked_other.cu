#include "linked.cuh"

#include <cuda_runtime.h>

static __device__ int own = 2;
__device__ int shared_counter = 100;

__device__ int twice(int x)
{
    return x * 2;
}

__global__ void other(int *out)
{
    *out = twice(own) * 2;
}

void launch_other(int *out)
{
    other<<<1, 1>>>(out);
}

int other_private()
{
    int value = 0;

    cudaMemcpyFromSymbol(&value, own, sizeof(value));
    return value;
}
