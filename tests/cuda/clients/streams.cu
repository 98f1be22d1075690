/*
 * Streams and events in an order that they must keep, kernels of one template with functors,
 * launches of several dimensions, structures as arguments, and errors.  Prints "ok", or what is wrong.
 */
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#include "check.cuh"

struct add {
    int amount;

    __device__ int operator()(int x) const
    {
        return x + amount;
    }
};

struct scale {
    int factor;

    __host__ __device__ int operator()(int x) const
    {
        return x * factor;
    }
};

template <typename F> __global__ void apply(int *data, int n, F f)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        data[i] = f(data[i]);
    }
}

/* Waits for some time that other streams can use, then writes. */
__global__ void slowly(int *data, int value)
{
    unsigned x = value;

    for (int i = 0; i < 20000; i++) {
        x = x * 1664525u + 1013904223u;
    }
    *data = x == 1 ? -1 : value;
}

struct image {
    int width, height;
    int *pixels;
};

/* One tile of an image, through shared memory of a size that the launch decides. */
__global__ void transpose(image from, image to)
{
    extern __shared__ int tile[];
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < from.width && y < from.height) {
        tile[threadIdx.y * blockDim.x + threadIdx.x] = from.pixels[y * from.width + x];
    }
    __syncthreads();
    if (x < from.width && y < from.height) {
        to.pixels[x * to.width + y] = tile[threadIdx.y * blockDim.x + threadIdx.x];
    }
}

static void check_functors()
{
    constexpr int n = 1000;
    int *data, wrong = 0;

    CHECK(cudaMallocManaged(&data, n * sizeof(int)) == cudaSuccess);
    for (int i = 0; i < n; i++) {
        data[i] = i;
    }
    apply<<<(n + 127) / 128, 128>>>(data, n, add{5});
    apply<<<(n + 127) / 128, 128>>>(data, n, scale{3});
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < n; i++) {
        wrong += data[i] != scale{3}(i + 5);
    }
    CHECK(wrong == 0);
    CHECK(cudaFree(data) == cudaSuccess);
}

/* A second stream waits for an event of the first; the host waits for the second. */
static void check_order()
{
    cudaStream_t first, second;
    cudaEvent_t written, start, end;
    int *device, *host;
    float ms = -1;

    CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking) == cudaSuccess);
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking) == cudaSuccess);
    CHECK(cudaEventCreateWithFlags(&written, cudaEventDisableTiming) == cudaSuccess);
    CHECK(cudaEventCreate(&start) == cudaSuccess && cudaEventCreate(&end) == cudaSuccess);
    CHECK(cudaMalloc(&device, sizeof(int)) == cudaSuccess);
    CHECK(cudaMallocHost(&host, sizeof(int)) == cudaSuccess);
    CHECK(cudaEventRecord(start, first) == cudaSuccess);
    for (int i = 0; i < 20; i++) {
        slowly<<<1, 1, 0, first>>>(device, i);
        CHECK(cudaEventRecord(written, first) == cudaSuccess);
        CHECK(cudaStreamWaitEvent(second, written, 0) == cudaSuccess);
        apply<<<1, 1, 0, second>>>(device, 1, scale{10});
        CHECK(cudaMemcpyAsync(host, device, sizeof(int), cudaMemcpyDeviceToHost, second) == cudaSuccess);
        CHECK(cudaStreamSynchronize(second) == cudaSuccess);
        CHECK(*host == 10 * i);
    }
    CHECK(cudaEventRecord(end, first) == cudaSuccess);
    CHECK(cudaEventSynchronize(end) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&ms, start, end) == cudaSuccess && ms > 0);
    CHECK(cudaFree(device) == cudaSuccess && cudaFreeHost(host) == cudaSuccess);
    CHECK(cudaEventDestroy(written) == cudaSuccess);
    CHECK(cudaEventDestroy(start) == cudaSuccess && cudaEventDestroy(end) == cudaSuccess);
    CHECK(cudaStreamDestroy(first) == cudaSuccess && cudaStreamDestroy(second) == cudaSuccess);
}

static void check_transpose()
{
    constexpr int width = 50, height = 37;
    const dim3 block(8, 4), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    image from = {width, height, nullptr}, to = {height, width, nullptr};
    int wrong = 0;

    CHECK(cudaMallocManaged(&from.pixels, width * height * sizeof(int)) == cudaSuccess);
    CHECK(cudaMallocManaged(&to.pixels, width * height * sizeof(int)) == cudaSuccess);
    for (int i = 0; i < width * height; i++) {
        from.pixels[i] = i;
    }
    transpose<<<grid, block, block.x * block.y * sizeof(int)>>>(from, to);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            wrong += to.pixels[x * height + y] != y * width + x;
        }
    }
    CHECK(wrong == 0);
    CHECK(cudaFree(from.pixels) == cudaSuccess && cudaFree(to.pixels) == cudaSuccess);
}

static void check_errors()
{
    int *p;

    slowly<<<1, 2048>>>(nullptr, 1); // more threads than a block has
    CHECK(cudaGetLastError() == cudaErrorInvalidValue); // as on an H200 with CUDA 13
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaMalloc(&p, (size_t)1 << 50) == cudaErrorMemoryAllocation);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
    slowly<<<1, 1>>>(nullptr, 1);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(cudaMalloc(&p, 4) == cudaErrorIllegalAddress); // for the rest of the process
}

int main()
{
    check_functors();
    check_order();
    check_transpose();
    check_errors();
    return report();
}
