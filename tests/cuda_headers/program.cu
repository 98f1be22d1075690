// A whole program, as someone writes it: both halves compile without NVIDIA's toolkit, and it runs on our libraries.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

__constant__ float scale;
__device__ int total;

__global__ void __launch_bounds__(128) saxpy(int n, const float *x, float *y)
{
    __shared__ float tile[128];
    extern __shared__ float more[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    tile[threadIdx.x] = i < n ? x[i] : 0;
    more[threadIdx.x] = tile[threadIdx.x];
    __syncthreads();
    if (i < n) {
        y[i] += scale * tile[threadIdx.x] + sinf(more[0]);
        atomicAdd(&total, 1);
    }
}

template <typename T> __global__ void fill(T *out, T value)
{
    out[threadIdx.x] = value;
}

int main()
{
    std::vector<float> host(1000, 1.0f);
    float factor = 2;
    int done = 0;
    int grid;
    int block;
    float *x;
    float *y;
    cudaStream_t stream;
    cudaFuncAttributes attributes;

    cudaStreamCreate(&stream);
    cudaMalloc(&x, host.size() * sizeof(float));
    cudaMallocManaged(&y, host.size() * sizeof(float));
    cudaMemcpy(x, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(scale, &factor, sizeof(factor));
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, saxpy);
    cudaFuncGetAttributes(&attributes, saxpy);
    cudaFuncSetAttribute(saxpy, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
    fill<<<1, 32>>>(y, 1.0f);
    fill<double><<<dim3(1, 2), 32, 0, stream>>>((double *)y, 1);
    saxpy<<<8, 128, 512, stream>>>(1000, x, y);
    if (cudaStreamSynchronize(stream) != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    cudaMemcpyFromSymbol(&done, total, sizeof(done));
    printf("%d of %d, %g\n", min(done, 1000), done, y[0]);
    cudaFree(x);
    return cudaFree(y) != cudaSuccess;
}
