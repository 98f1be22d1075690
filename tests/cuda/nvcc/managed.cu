// Managed variables and managed memory: the host and kernels read and write them by the same name.
#include <cuda_runtime.h>

#include <cstdio>

struct Pair {
    int first;
    double second;
};

__managed__ int number = 41;
__managed__ Pair pair;
static __managed__ float table[8] = {1, 2, 3};

__global__ void change(int *extra)
{
    number += 1;
    pair.first = number;
    pair.second = table[2] * 2;
    table[7] = *extra;
}

int main()
{
    int *extra = nullptr;
    int *address = nullptr;

    if (number != 41 || table[1] != 2 || pair.first != 0) { // before any other call
        std::fprintf(stderr, "wrong initial values\n");
        return 1;
    }
    if (cudaMallocManaged(&extra, sizeof(*extra)) != cudaSuccess) {
        return 1;
    }
    *extra = 9;
    change<<<1, 1>>>(extra);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        return 1;
    }
    if (number != 42 || pair.first != 42 || pair.second != 6 || table[7] != 9) {
        std::fprintf(stderr, "wrong: %d %d %g %g\n", number, pair.first, pair.second, table[7]);
        return 1;
    }
    if (cudaGetSymbolAddress(reinterpret_cast<void **>(&address), number) != cudaSuccess || address != &number) {
        std::fprintf(stderr, "wrong address\n");
        return 1;
    }
    cudaFree(extra);
    std::printf("ok\n");
    return 0;
}
