/*
 * A CUDA program as it is written for a GPU: dot products of two kinds of numbers by one template, in two streams, with
 * blocks that add in shared memory and one atomic addition each.
 */
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                              \
    do {                                                                         \
        const cudaError_t status = (call);                                       \
        if (status != cudaSuccess) {                                             \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status)); \
            return 1;                                                            \
        }                                                                        \
    } while (0)

constexpr int threads = 256;

template <typename T> __global__ void dot(const T *a, const T *b, T *sum, int n)
{
    __shared__ T partial[threads];
    T own = 0;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        own += a[i] * b[i];
    }
    partial[threadIdx.x] = own;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        atomicAdd(sum, partial[0]);
    }
}

/* Vectors of n numbers on the device and their product on the way. */
template <typename T> struct product {
    T *a = nullptr, *b = nullptr, *sum = nullptr;
    T result = 0;
    cudaStream_t stream = nullptr;

    int start(int n)
    {
        std::vector<T> host(n);

        for (int i = 0; i < n; i++) {
            host[i] = T(i % 10);
        }
        CHECK(cudaStreamCreate(&stream));
        CHECK(cudaMalloc(&a, n * sizeof(T)));
        CHECK(cudaMalloc(&b, n * sizeof(T)));
        CHECK(cudaMalloc(&sum, sizeof(T)));
        CHECK(cudaMemcpyAsync(a, host.data(), n * sizeof(T), cudaMemcpyHostToDevice, stream));
        CHECK(cudaMemcpyAsync(b, host.data(), n * sizeof(T), cudaMemcpyHostToDevice, stream));
        CHECK(cudaMemsetAsync(sum, 0, sizeof(T), stream));
        dot<T><<<16, threads, 0, stream>>>(a, b, sum, n);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(&result, sum, sizeof(T), cudaMemcpyDeviceToHost, stream));
        return 0;
    }

    int finish()
    {
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaFree(a));
        CHECK(cudaFree(b));
        CHECK(cudaFree(sum));
        CHECK(cudaStreamDestroy(stream));
        return 0;
    }
};

int main()
{
    constexpr int n = 10000;
    product<float> of_floats;
    product<int> of_integers;

    if (of_floats.start(n) || of_integers.start(n) || of_floats.finish() || of_integers.finish()) {
        return 1;
    }
    std::printf("%g %d\n", of_floats.result, of_integers.result);
    return of_floats.result != 285000 || of_integers.result != 285000;
}
