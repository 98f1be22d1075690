#include "linked.cuh"

#include <cuda_runtime.h>

#include <cstdio>

static __device__ int own = 1;

__global__ void work(int *out)
{
    out[0] = twice(21) + own - 1;
    atomicAdd(&shared_counter, 10);
}

int main()
{
    int values[2] = {0, 0}, counter = 0, mine = 0;
    int *out;

    if (cudaMalloc(&out, sizeof(values)) != cudaSuccess) {
        return 1;
    }
    work<<<1, 1>>>(out);
    launch_other(out + 1);
    cudaMemcpy(values, out, sizeof(values), cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&counter, shared_counter, sizeof(counter));
    cudaMemcpyFromSymbol(&mine, own, sizeof(mine));
    if (values[0] != 42 || values[1] != 8 || counter != 110 || mine != 1 || other_private() != 2) {
        std::fprintf(stderr, "wrong: %d %d %d %d %d (%s)\n", values[0], values[1], counter, mine, other_private(),
                     cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    std::printf("ok\n");
    return 0;
}
