/*
 * Atomic operations of all kinds on shared and global memory, warp functions, and a histogram that
 * they make. Prints "ok", or what is wrong.
 */
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#include "check.cuh"

constexpr int threads = 128, blocks = 8, total = threads * blocks, bins = 16;

__device__ unsigned results[12];
__device__ float float_sum;
__device__ double double_sum;
__device__ unsigned long long long_sum;

__global__ void atomics()
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    atomicAdd(&results[0], i);
    atomicSub(&results[1], 1u);
    atomicMax(&results[2], i);
    atomicMin(&results[3], i + 5);
    atomicOr(&results[4], 1u << (i % 32));
    atomicAnd(&results[5], ~(1u << (i % 16)));
    atomicXor(&results[6], i);
    atomicInc(&results[7], 99);
    atomicDec(&results[8], 99);
    atomicExch(&results[9], 77u);
    for (unsigned old = results[10], seen;; old = seen) { // an addition by compare and swap
        seen = atomicCAS(&results[10], old, old + 2);
        if (seen == old) {
            break;
        }
    }
    atomicAdd(&float_sum, 0.5f);
    atomicAdd(&double_sum, 0.25);
    atomicAdd(&long_sum, 1ull << 32);
}

__global__ void histogram(const unsigned char *keys, int n, unsigned *out)
{
    __shared__ unsigned counts[bins];

    if (threadIdx.x < bins) {
        counts[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&counts[keys[i] % bins], 1u);
    }
    __syncthreads();
    if (threadIdx.x < bins) {
        atomicAdd(&out[threadIdx.x], counts[threadIdx.x]);
    }
}

/* The sum of a warp by shuffles, its votes, and how many ones are set. */
__global__ void warps(int *out)
{
    int sum = threadIdx.x;

    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    }
    const unsigned odd = __ballot_sync(0xffffffffu, threadIdx.x & 1);

    if (threadIdx.x == 3) {
        out[0] = sum;
        out[1] = __popc(odd);
    }
}

static void check_atomics()
{
    unsigned start[12] = {};
    unsigned after[12];
    float floats;
    double doubles;
    unsigned long long longs;
    unsigned exclusive = 0;

    start[1] = total;
    start[3] = ~0u;
    start[5] = ~0u;
    CHECK(cudaMemcpyToSymbol(results, start, sizeof start) == cudaSuccess);
    atomics<<<blocks, threads>>>();
    CHECK(cudaMemcpyFromSymbol(after, results, sizeof after) == cudaSuccess);
    CHECK(cudaMemcpyFromSymbol(&floats, float_sum, sizeof floats) == cudaSuccess);
    CHECK(cudaMemcpyFromSymbol(&doubles, double_sum, sizeof doubles) == cudaSuccess);
    CHECK(cudaMemcpyFromSymbol(&longs, long_sum, sizeof longs) == cudaSuccess);
    for (unsigned i = 0; i < total; i++) {
        exclusive ^= i;
    }
    CHECK(after[0] == total * (total - 1) / 2);
    CHECK(after[1] == 0);
    CHECK(after[2] == total - 1);
    CHECK(after[3] == 5);
    CHECK(after[4] == ~0u);
    CHECK(after[5] == 0xffff0000u);
    CHECK(after[6] == exclusive);
    CHECK(after[7] == total % 100);
    CHECK(after[8] == (100 - total % 100) % 100);
    CHECK(after[9] == 77);
    CHECK(after[10] == 2 * total);
    CHECK(floats == total / 2);
    CHECK(doubles == total / 4);
    CHECK(longs == (unsigned long long)total << 32);
}

static void check_histogram()
{
    constexpr int n = 5000;
    std::vector<unsigned char> keys(n);
    std::vector<unsigned> want(bins), have(bins);
    unsigned char *device_keys;
    unsigned *device_bins;

    for (int i = 0; i < n; i++) {
        keys[i] = (unsigned char)(i * i);
        want[keys[i] % bins]++;
    }
    CHECK(cudaMalloc(&device_keys, n) == cudaSuccess);
    CHECK(cudaMalloc(&device_bins, bins * sizeof(unsigned)) == cudaSuccess);
    CHECK(cudaMemset(device_bins, 0, bins * sizeof(unsigned)) == cudaSuccess);
    CHECK(cudaMemcpy(device_keys, keys.data(), n, cudaMemcpyHostToDevice) == cudaSuccess);
    histogram<<<4, threads>>>(device_keys, n, device_bins);
    CHECK(cudaMemcpy(have.data(), device_bins, bins * sizeof(unsigned), cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(have == want);
    CHECK(cudaFree(device_keys) == cudaSuccess);
    CHECK(cudaFree(device_bins) == cudaSuccess);
}

static void check_warps()
{
    int *out;

    CHECK(cudaMallocManaged(&out, 2 * sizeof(int)) == cudaSuccess);
    warps<<<1, 32>>>(out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(out[0] == 496 && out[1] == 16);
    CHECK(cudaFree(out) == cudaSuccess);
}

int main()
{
    check_atomics();
    check_histogram();
    check_warps();
    return report();
}
