// A program as people write them: templates, constant, global and managed variables, structures, printf.
#include <cstdio>
#include <vector>

__constant__ float offsets[4];
__device__ int counter;
__managed__ int shared_by_both = 5;

struct mixed {
    char a;
    double b;
    short c;
};

template <class T> __global__ void add(const T *a, const T *b, T *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        sum[i] = a[i] + b[i] + offsets[1];
        atomicAdd(&counter, 1);
    }
    if (i == 0) {
        shared_by_both++;
    }
}

__global__ void fold(mixed m, double *out)
{
    *out = m.a + m.b + m.c;
    printf("thread %d\n", threadIdx.x);
}

int main(int argc, char **argv)
{
    const int n = 1000;
    const float constants[4] = {0, 10, 0, 0};
    std::vector<float> a(n, 1), b(n, 2), sum(n);
    float *da, *db, *dsum;
    double *dfolded, folded = 0;
    int count = 0, gpus = 0;

    cudaMalloc(&da, n * sizeof(float));
    cudaMalloc(&db, n * sizeof(float));
    cudaMalloc(&dsum, n * sizeof(float));
    cudaMalloc(&dfolded, sizeof(double));
    cudaMemcpy(da, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(offsets, constants, sizeof constants);
    add<float><<<(n + 127) / 128, 128>>>(da, db, dsum, n);
    fold<<<1, 2>>>(mixed{1, 2.5, 3}, dfolded);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaMemcpy(sum.data(), dsum, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    cudaMemcpy(&folded, dfolded, sizeof folded, cudaMemcpyDeviceToHost);
    cudaGetDeviceCount(&gpus);
    printf("%g %g %d %d %g, %d GPUs, %d arguments\n", sum[0], sum[n - 1], count, shared_by_both, folded, gpus, argc - 1);
    return argc - 1;
}
