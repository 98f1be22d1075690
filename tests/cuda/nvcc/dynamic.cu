/* Kernels that launch kernels: order, depth, errors, copies, tail launches.  Recorded on an H200. */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

static int failures;

static void check(const char *what, long long have, long long want)
{
    if (have != want) {
        printf("%s: %lld, not %lld\n", what, have, want);
        failures++;
    }
}

#define EQUAL(have, want) check(#have, (long long)(have), (long long)(want))
#define OK(call)          EQUAL(call, cudaSuccess)

struct Result {
    int children, threads, after, before_tail, at_tail, depth, depth_error, errors[6], texts, order[4], n_order, streams;
    unsigned char bytes[16];
};

__global__ void child(Result *r, double scale, int3 numbers)
{
    extern __shared__ int room[];

    room[threadIdx.x] = (int)scale + numbers.z;
    __syncthreads();
    atomicAdd(&r->threads, room[blockDim.x - 1 - threadIdx.x]);
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        atomicAdd(&r->children, 1);
    }
}

__global__ void at_tail(Result *r)
{
    r->before_tail = r->children;
    r->at_tail++;
}

/* A grandchild is complete before its parent is, and so before what comes behind that in the stream. */
__global__ void grandchild(Result *r)
{
    r->order[r->n_order++] = 2;
}
__global__ void middle(Result *r)
{
    r->order[r->n_order++] = 1;
    grandchild<<<1, 1>>>(r);
}
__global__ void last(Result *r)
{
    r->order[r->n_order++] = 3;
}

__global__ void parent(Result *r)
{
    if (threadIdx.x == 5) {
        child<<<2, 64, 64 * sizeof(int)>>>(r, 1.0, make_int3(0, 0, 1));
        if (blockIdx.x == 0) {
            at_tail<<<1, 1, 0, cudaStreamTailLaunch>>>(r);
        }
        child<<<1, 32, 32 * sizeof(int), cudaStreamFireAndForget>>>(r, 1.0, make_int3(0, 0, 0));
    }
}

__global__ void ordered(Result *r)
{
    middle<<<1, 1>>>(r);
    last<<<1, 1>>>(r);
}

__global__ void deeper(Result *r, int depth)
{
    r->depth = depth;
    deeper<<<1, 1>>>(r, depth + 1);
    const cudaError_t error = cudaGetLastError();

    if (error != cudaSuccess) {
        r->depth_error = error;
    }
}

__global__ void mistakes(Result *r)
{
    child<<<0, 32>>>(r, 1, make_int3(0, 0, 0));
    r->errors[0] = cudaPeekAtLastError();
    r->errors[1] = cudaGetLastError();
    r->errors[2] = cudaGetLastError();
    child<<<1, 2048>>>(r, 1, make_int3(0, 0, 0));
    r->errors[3] = cudaGetLastError();
    child<<<1, 32, 1 << 30>>>(r, 1, make_int3(0, 0, 0));
    r->errors[4] = cudaGetLastError();
    r->texts = cudaGetErrorString(cudaErrorInvalidConfiguration)[0];
}

__global__ void streams(Result *r)
{
    cudaStream_t stream;
    cudaEvent_t event;
    void *memory = nullptr;

    r->streams += cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess;
    r->streams += cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess;
    r->streams += cudaMemsetAsync(r->bytes, 0, 8, stream) == cudaSuccess;
    r->streams += cudaMemcpyAsync(r->bytes + 8, r->bytes, 4, cudaMemcpyDeviceToDevice, stream) == cudaSuccess;
    child<<<1, 32, 128, stream>>>(r, 1, make_int3(0, 0, 0));
    r->streams += cudaEventRecord(event, stream) == cudaSuccess;
    r->streams += cudaStreamWaitEvent(0, event, 0) == cudaSuccess;
    r->streams += cudaMalloc(&memory, 64) == cudaSuccess && memory != nullptr;
    r->streams += cudaFree(memory) == cudaSuccess;
    r->streams += cudaEventDestroy(event) == cudaSuccess;
    r->streams += cudaStreamDestroy(stream) == cudaSuccess;
}

int main()
{
    Result *r;

    OK(cudaMallocManaged(&r, sizeof *r));
    memset(r, 0, sizeof *r);
    parent<<<3, 32>>>(r);
    OK(cudaDeviceSynchronize());
    EQUAL(r->children, 6);
    EQUAL(r->threads, 3 * (2 * 64 * 2 + 32));
    EQUAL(r->before_tail, 6);
    EQUAL(r->at_tail, 1);

    ordered<<<1, 1>>>(r);
    OK(cudaDeviceSynchronize());
    EQUAL(r->n_order, 3);
    EQUAL(r->order[0] * 100 + r->order[1] * 10 + r->order[2], 123);

    deeper<<<1, 1>>>(r, 1);
    OK(cudaDeviceSynchronize());
    EQUAL(r->depth, 2049);
    EQUAL(r->depth_error, cudaErrorLaunchPendingCountExceeded);

    mistakes<<<1, 1>>>(r);
    OK(cudaDeviceSynchronize());
    EQUAL(r->errors[0], cudaErrorInvalidConfiguration);
    EQUAL(r->errors[1], cudaErrorInvalidConfiguration);
    EQUAL(r->errors[2], cudaSuccess);
    EQUAL(r->errors[3], cudaErrorInvalidConfiguration);
    EQUAL(r->errors[4], cudaErrorInvalidConfiguration);
    EQUAL(r->texts, 'i');

    r->threads = 0;
    memset(r->bytes, 7, sizeof r->bytes);
    streams<<<1, 1>>>(r);
    OK(cudaDeviceSynchronize());
    EQUAL(r->streams, 10);
    EQUAL(r->threads, 32);
    EQUAL(r->bytes[0] * 100 + r->bytes[7] * 10 + r->bytes[11], 0);
    EQUAL(r->bytes[12], 7);
    OK(cudaFree(r));
    if (failures == 0) {
        printf("ok\n");
    }
    return failures != 0;
}
