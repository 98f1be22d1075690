/* Streams that wait for values in memory, and store them. */
#include "driver_check.h"

#include <pthread.h>
#include <unistd.h>

static CUstream new_stream(void)
{
    CUstream stream = NULL;

    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    return stream;
}

/* A word that host and device see. */
static volatile uint32_t *shared_words(CUdeviceptr *device)
{
    void *host = NULL;

    OK(cuMemHostAlloc(&host, 64, CU_MEMHOSTALLOC_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(device, host, 0));
    memset(host, 0, 64);
    return host;
}

static void stores_come_in_order(void)
{
    const CUstream stream = new_stream();
    CUdeviceptr at = 0;
    volatile uint32_t *words = shared_words(&at);
    uint64_t wide;

    OK(cuStreamWriteValue32(stream, at, 7, CU_STREAM_WRITE_VALUE_DEFAULT));
    OK(cuStreamWriteValue64(stream, at + 8, UINT64_C(0x123456789abcdef0), CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
    OK(cuStreamWriteValue32(stream, at, 8, CU_STREAM_WRITE_VALUE_DEFAULT));
    OK(cuStreamSynchronize(stream));
    memcpy(&wide, (const void *)(words + 2), sizeof wide);
    CHECK(words[0] == 8 && words[1] == 0 && wide == UINT64_C(0x123456789abcdef0));
    OK(cuStreamDestroy(stream));
    OK(cuMemFreeHost((void *)words));
}

/* Whether a stream that waits goes on once the word has a value, and not before. */
static void expect_release(volatile uint32_t *word, CUdeviceptr at, unsigned flags, uint32_t value, uint32_t before,
                           uint32_t after)
{
    const CUstream stream = new_stream();

    *word = before;
    OK(cuStreamWaitValue32(stream, at, value, flags));
    usleep(2000);
    IS(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
    *word = after;
    OK(cuStreamSynchronize(stream));
    OK(cuStreamDestroy(stream));
}

static void all_conditions(void)
{
    CUdeviceptr at = 0;
    volatile uint32_t *word = shared_words(&at);

    expect_release(word, at, CU_STREAM_WAIT_VALUE_GEQ, 5, 4, 6);
    expect_release(word, at, CU_STREAM_WAIT_VALUE_GEQ, 2, UINT32_MAX, 3); /* numbers wrap around */
    expect_release(word, at, CU_STREAM_WAIT_VALUE_EQ, 5, 6, 5);
    expect_release(word, at, CU_STREAM_WAIT_VALUE_AND, 0x10, 0x0f, 0x18);
    expect_release(word, at, CU_STREAM_WAIT_VALUE_NOR, 0x0f, 0xfffffff0, 0xffffff00);
    OK(cuMemFreeHost((void *)word));
}

/* More streams wait than there could be threads for, and another works on. */
static void waits_take_no_threads(void)
{
    enum { STREAMS = 300 };
    CUstream streams[STREAMS], worker = new_stream();
    CUdeviceptr at = 0, sum = 0;
    volatile uint32_t *word = shared_words(&at);
    const CUmodule module = load_driver_ptx();
    unsigned one = 1, value = 0;

    OK(cuMemAlloc(&sum, 4));
    OK(cuMemsetD32Async(sum, 0, 1, worker));
    for (int i = 0; i < STREAMS; i++) {
        streams[i] = new_stream();
        OK(cuStreamWaitValue32(streams[i], at, (unsigned)i + 1, CU_STREAM_WAIT_VALUE_GEQ));
        OK(cuStreamWriteValue32(streams[i], at, (unsigned)i + 2, 0)); /* the next one's sign */
    }
    OK(cuLaunchKernel(driver_kernel(module, "add"), 1, 1, 1, 1, 1, 1, 0, worker, (void *[]){&sum, &one}, NULL));
    OK(cuStreamSynchronize(worker));
    OK(cuMemcpyDtoH(&value, sum, 4));
    CHECK(value == 1);
    IS(cuStreamQuery(streams[STREAMS - 1]), CUDA_ERROR_NOT_READY);
    OK(cuStreamWriteValue32(worker, at, 1, 0));
    OK(cuCtxSynchronize());
    CHECK(*word == STREAMS + 1);
    for (int i = 0; i < STREAMS; i++) {
        OK(cuStreamDestroy(streams[i]));
    }
    OK(cuStreamDestroy(worker));
    OK(cuMemFree(sum));
    OK(cuMemFreeHost((void *)word));
    OK(cuModuleUnload(module));
}

static void *store_later(void *word)
{
    usleep(5000);
    *(volatile uint32_t *)word = 1;
    return NULL;
}

/* The thread that synchronises waits for a store of another. */
static void hosts_release_streams(void)
{
    const CUstream stream = new_stream();
    CUdeviceptr at = 0;
    volatile uint32_t *word = shared_words(&at);
    pthread_t thread;

    OK(cuStreamWaitValue32(stream, at, 1, CU_STREAM_WAIT_VALUE_EQ));
    CHECK(pthread_create(&thread, NULL, store_later, (void *)word) == 0);
    OK(cuStreamSynchronize(stream));
    CHECK(*word == 1);
    CHECK(pthread_join(thread, NULL) == 0);
    OK(cuStreamDestroy(stream));
    OK(cuMemFreeHost((void *)word));
}

static void kernels_release_streams(void)
{
    const CUstream waiting = new_stream(), working = new_stream();
    const CUmodule module = load_driver_ptx();
    CUdeviceptr flag = 0;
    unsigned five = 5;

    OK(cuMemAlloc(&flag, 8));
    OK(cuMemsetD32(flag, 0, 2));
    OK(cuCtxSynchronize());
    OK(cuStreamWaitValue64(waiting, flag, 5, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuLaunchKernel(driver_kernel(module, "add"), 1, 1, 1, 1, 1, 1, 0, working, (void *[]){&flag, &five}, NULL));
    OK(cuStreamSynchronize(waiting));
    OK(cuStreamDestroy(waiting));
    OK(cuStreamDestroy(working));
    OK(cuMemFree(flag));
    OK(cuModuleUnload(module));
}

static void batches(void)
{
    const CUstream stream = new_stream();
    CUdeviceptr at = 0;
    volatile uint32_t *words = shared_words(&at);
    CUstreamBatchMemOpParams ops[4];

    memset(ops, 0, sizeof ops);
    ops[0].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    ops[0].waitValue.address = at;
    ops[0].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
    ops[1].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    ops[1].writeValue.address = at;
    ops[1].writeValue.value = 3;
    ops[2].memoryBarrier.operation = CU_STREAM_MEM_OP_BARRIER;
    ops[3].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
    ops[3].writeValue.address = at + 8;
    ops[3].writeValue.value64 = 4;
    OK(cuStreamBatchMemOp(stream, 4, ops, 0));
    OK(cuStreamSynchronize(stream));
    CHECK(words[0] == 3 && words[2] == 4);
    ops[3].writeValue.address = at + 4; /* not aligned: nothing of the batch is done */
    ops[1].writeValue.value = 9;
    ops[0].waitValue.value = 3;
    IS(cuStreamBatchMemOp(stream, 4, ops, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuStreamSynchronize(stream));
    CHECK(words[0] == 3);
    OK(cuStreamDestroy(stream));
    OK(cuMemFreeHost((void *)words));
}

static void wrong_places_are_refused(void)
{
    const CUstream stream = new_stream();
    CUdeviceptr memory = 0;
    CUgraph graph = NULL;
    uint32_t host = 0;

    OK(cuMemAlloc(&memory, 8));
    IS(cuStreamWaitValue32(stream, (CUdeviceptr)(uintptr_t)&host, 0, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamWaitValue32(stream, memory + 2, 0, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamWaitValue64(stream, memory + 8, 0, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamWaitValue32(stream, memory, 0, 4), CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamWaitValue32(stream, memory, 0, CU_STREAM_WAIT_VALUE_FLUSH), CUDA_ERROR_NOT_SUPPORTED);
    IS(cuStreamWriteValue32(stream, memory, 0, 2), CUDA_ERROR_INVALID_VALUE);
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    IS(cuStreamWriteValue32(stream, memory, 1, 0), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    IS(cuStreamEndCapture(stream, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    OK(cuStreamDestroy(stream));
    OK(cuMemFree(memory));
}

/* The last: what waits is cleared away when the context fails. */
static void failures_end_waits(void)
{
    const CUstream stream = new_stream();
    const CUmodule module = load_driver_ptx();
    CUdeviceptr nowhere = 0, memory = 0;
    unsigned one = 1;

    OK(cuMemAlloc(&memory, 4));
    OK(cuMemsetD32(memory, 0, 1));
    OK(cuStreamWaitValue32(stream, memory, 1, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuLaunchKernel(driver_kernel(module, "add"), 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&nowhere, &one}, NULL));
    IS(cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
}

int main(void)
{
    use_device();
    stores_come_in_order();
    all_conditions();
    waits_take_no_threads();
    hosts_release_streams();
    kernels_release_streams();
    batches();
    wrong_places_are_refused();
    failures_end_waits();
    return 0;
}
