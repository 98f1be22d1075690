// What most programs use of the runtime: launches of plain kernels and templates, structures and many types as arguments,
// constant and static variables, static and dynamic shared memory, launches within the arguments of a launch.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::fprintf(stderr, "%s:%d: does not hold: %s (%s)\n", __FILE__, __LINE__, #condition,                    \
                         cudaGetErrorString(cudaPeekAtLastError()));                                                   \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)
#define CHECK_OK(call) CHECK((call) == cudaSuccess)

__constant__ float weights[4];
__device__ int counter = 5;
static __device__ int hidden[3] = {1, 2, 3};

struct Mixed {
    char c;
    double d;
    short s;
};

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

template <typename T, int Factor> __global__ void scale(T *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        data[i] = data[i] * Factor + T(weights[i & 3]);
    }
}

__global__ void arguments(Mixed m, short s, char3 t, float3 f, long long l, double *out)
{
    out[0] = m.c + m.d + m.s + s + t.x + t.y + t.z + f.x + f.y + f.z + l;
}

__global__ void reverse(int *data)
{
    extern __shared__ int tile[];

    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void count(int *out)
{
    *out = atomicAdd(&counter, 1) + hidden[1];
}

namespace
{
__global__ void anonymous(int *out)
{
    *out = 77;
}
} // namespace

static void adds()
{
    const int n = 1000;
    float a[n], b[n], c[n];
    float *da, *db, *dc;

    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 2 * i;
    }
    CHECK_OK(cudaMalloc(&da, sizeof(a)));
    CHECK_OK(cudaMalloc(&db, sizeof(b)));
    CHECK_OK(cudaMalloc(&dc, sizeof(c)));
    CHECK_OK(cudaMemcpy(da, a, sizeof(a), cudaMemcpyHostToDevice));
    CHECK_OK(cudaMemcpy(db, b, sizeof(b), cudaMemcpyHostToDevice));
    add<<<(n + 127) / 128, 128>>>(da, db, dc, n);
    CHECK_OK(cudaGetLastError());
    CHECK_OK(cudaMemcpy(c, dc, sizeof(c), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        CHECK(c[i] == 3 * i);
    }
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
}

static void scales()
{
    const float w[4] = {10, 20, 30, 40};
    int data[4] = {1, 2, 3, 4};
    int *device;

    CHECK_OK(cudaMemcpyToSymbol(weights, w, sizeof(w)));
    CHECK_OK(cudaMalloc(&device, sizeof(data)));
    CHECK_OK(cudaMemcpy(device, data, sizeof(data), cudaMemcpyHostToDevice));
    scale<int, 7><<<1, 32>>>(device, 4);
    CHECK_OK(cudaMemcpy(data, device, sizeof(data), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; i++) {
        CHECK(data[i] == (i + 1) * 7 + w[i]);
    }
    cudaFree(device);
}

static void passes_arguments()
{
    double *out, result = 0;
    Mixed m = {1, 2.5, 3};

    CHECK_OK(cudaMalloc(&out, sizeof(*out)));
    arguments<<<1, 1>>>(m, 4, make_char3(5, 6, 7), make_float3(8, 9, 10), 1000000000000ll, out);
    CHECK_OK(cudaMemcpy(&result, out, sizeof(result), cudaMemcpyDeviceToHost));
    CHECK(result == 1000000000000.0 + 55.5);
    cudaFree(out);
}

static int *reversed_later(int *device)
{
    reverse<<<1, 64, 64 * sizeof(int)>>>(device);
    return device;
}

static void launches_in_arguments()
{
    int data[64];
    int *device;

    for (int i = 0; i < 64; i++) {
        data[i] = i;
    }
    CHECK_OK(cudaMalloc(&device, sizeof(data)));
    CHECK_OK(cudaMemcpy(device, data, sizeof(data), cudaMemcpyHostToDevice));
    reverse<<<1, 32, 32 * sizeof(int)>>>(reversed_later(device)); // the inner launch first
    CHECK_OK(cudaMemcpy(data, device, sizeof(data), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) {
        CHECK(data[i] == 32 + i && data[32 + i] == 31 - i);
    }
    cudaFree(device);
}

static void variables()
{
    int *out, value = 0;
    void *address = nullptr;
    size_t size = 0;

    CHECK_OK(cudaMalloc(&out, sizeof(*out)));
    count<<<1, 1>>>(out);
    CHECK_OK(cudaMemcpy(&value, out, sizeof(value), cudaMemcpyDeviceToHost));
    CHECK(value == 5 + 2);
    CHECK_OK(cudaMemcpyFromSymbol(&value, counter, sizeof(value)));
    CHECK(value == 6);
    CHECK_OK(cudaGetSymbolAddress(&address, hidden));
    CHECK_OK(cudaGetSymbolSize(&size, hidden));
    CHECK(size == 12);
    CHECK_OK(cudaMemcpy(&value, static_cast<int *>(address) + 2, sizeof(value), cudaMemcpyDeviceToHost));
    CHECK(value == 3);
    anonymous<<<1, 1>>>(out);
    CHECK_OK(cudaMemcpy(&value, out, sizeof(value), cudaMemcpyDeviceToHost));
    CHECK(value == 77);
    cudaFree(out);
}

static void attributes()
{
    cudaFuncAttributes a;
    int blocks = 0, grid = 0, size = 0;

    CHECK_OK(cudaFuncGetAttributes(&a, add));
    CHECK(a.maxThreadsPerBlock == 1024 && a.sharedSizeBytes == 0);
    CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale<int, 7>, 1024, 0));
    CHECK(blocks >= 1);
    CHECK_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &size, add));
    CHECK(grid > 0 && size >= 32 && size <= 1024);
    reverse<<<1, 2000>>>(nullptr);
    int version = 0;
    CHECK_OK(cudaRuntimeGetVersion(&version));
    CHECK(cudaGetLastError() == (version < 13000 ? cudaErrorInvalidConfiguration : cudaErrorInvalidValue));
    CHECK_OK(cudaGetLastError());
}

int main()
{
    adds();
    scales();
    passes_arguments();
    launches_in_arguments();
    variables();
    attributes();
    std::printf("ok\n");
    return 0;
}
