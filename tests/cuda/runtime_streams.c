/* Streams and events: who waits for whom, the default streams, host functions, times, attributes. */
#include "check.h"

#include <cuda.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

/* A host function that holds up its stream until the test opens it. */
struct gate {
    atomic_int entered, open;
};

static void pass_gate(void *argument)
{
    struct gate *gate = argument;

    atomic_store(&gate->entered, 1);
    while (!atomic_load(&gate->open)) {
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

static void sleep_20_ms(void *unused)
{
    (void)unused;
    sleep_ms(20);
}

/* --- order ------------------------------------------------------------------------------------ */
static void a_stream_works_in_order(void)
{
    enum { STEPS = 200 };
    cudaStream_t stream = NULL;
    int out[STEPS];
    int *device = NULL;

    CHECK_OK(cudaStreamCreate(&stream));
    CHECK_OK(cudaMalloc((void **)&device, sizeof(int)));
    for (int i = 0; i < STEPS; i++) {
        CHECK_OK(cudaMemsetAsync(device, i, sizeof(int), stream));
        CHECK_OK(cudaMemcpyAsync(&out[i], device, sizeof(int), cudaMemcpyDeviceToHost, stream));
    }
    CHECK_OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < STEPS; i++) {
        CHECK_EQUAL(out[i], (int)((unsigned)i * 0x01010101u)); /* from 128 on negative */
    }
    CHECK_OK(cudaStreamQuery(stream));
    CHECK_OK(cudaStreamDestroy(stream));
    CHECK_OK(cudaFree(device));
}

/* The legacy default stream waits for blocking streams and holds them up; non-blocking ones go their own way. */
static void the_legacy_stream_waits_for_blocking_streams(void)
{
    struct gate gate = {0};
    cudaStream_t blocking = NULL, other = NULL, free_stream = NULL;
    int *device = NULL;

    CHECK_OK(cudaStreamCreate(&blocking));
    CHECK_OK(cudaStreamCreate(&other));
    CHECK_OK(cudaStreamCreateWithFlags(&free_stream, cudaStreamNonBlocking));
    CHECK_OK(cudaMalloc((void **)&device, 4));
    CHECK_OK(cudaLaunchHostFunc(blocking, pass_gate, &gate));
    CHECK_OK(cudaMemsetAsync(device, 1, 4, NULL));
    CHECK_OK(cudaMemsetAsync(device, 2, 4, other));
    CHECK_OK(cudaMemsetAsync(device, 3, 4, free_stream));
    CHECK_OK(cudaStreamSynchronize(free_stream));
    CHECK_CODE(cudaStreamQuery(blocking), cudaErrorNotReady);
    CHECK_CODE(cudaStreamQuery(NULL), cudaErrorNotReady);
    CHECK_CODE(cudaStreamQuery(cudaStreamLegacy), cudaErrorNotReady);
    CHECK_CODE(cudaStreamQuery(other), cudaErrorNotReady);
    atomic_store(&gate.open, 1);
    CHECK_OK(cudaDeviceSynchronize());
    CHECK_OK(cudaStreamQuery(NULL));
    CHECK_OK(cudaStreamQuery(other));
    CHECK_OK(cudaStreamDestroy(blocking));
    CHECK_OK(cudaStreamDestroy(other));
    CHECK_OK(cudaStreamDestroy(free_stream));
    CHECK_OK(cudaFree(device));
    cudaGetLastError();
}

/* The per-thread default stream is a blocking stream of its thread. */
static void the_thread_stream_is_a_stream_of_its_own(void)
{
    struct gate gate = {0};
    cudaStream_t other = NULL;

    CHECK_OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CHECK_OK(cudaLaunchHostFunc(cudaStreamPerThread, pass_gate, &gate));
    CHECK_OK(cudaStreamSynchronize(other));
    CHECK_CODE(cudaStreamQuery(cudaStreamPerThread), cudaErrorNotReady);
    atomic_store(&gate.open, 1);
    CHECK_OK(cudaStreamSynchronize(cudaStreamPerThread));
    CHECK_OK(cudaStreamQuery(cudaStreamPerThread));
    CHECK_OK(cudaStreamDestroy(other));
    cudaGetLastError();
}

static void a_stream_waits_for_an_event_of_another(void)
{
    struct gate gate = {0};
    cudaStream_t first = NULL, second = NULL;
    cudaEvent_t event = NULL;

    CHECK_OK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    CHECK_OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    CHECK_OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CHECK_OK(cudaEventQuery(event)); /* never recorded: complete */
    CHECK_OK(cudaLaunchHostFunc(first, pass_gate, &gate));
    CHECK_OK(cudaEventRecord(event, first));
    CHECK_OK(cudaStreamWaitEvent(second, event, 0));
    CHECK_CODE(cudaEventQuery(event), cudaErrorNotReady);
    CHECK_CODE(cudaStreamQuery(second), cudaErrorNotReady);
    atomic_store(&gate.open, 1);
    CHECK_OK(cudaStreamSynchronize(second));
    CHECK_OK(cudaEventQuery(event));
    CHECK_OK(cudaEventSynchronize(event));
    CHECK_OK(cudaEventDestroy(event));
    CHECK_OK(cudaStreamDestroy(first));
    CHECK_OK(cudaStreamDestroy(second));
    cudaGetLastError();
}

/* Work goes on after its stream has been destroyed. */
static void a_destroyed_stream_finishes_its_work(void)
{
    struct gate gate = {0};
    cudaStream_t stream = NULL;

    CHECK_OK(cudaStreamCreate(&stream));
    CHECK_OK(cudaLaunchHostFunc(stream, pass_gate, &gate));
    CHECK_OK(cudaStreamDestroy(stream));
    atomic_store(&gate.open, 1);
    CHECK_OK(cudaDeviceSynchronize());
    CHECK_EQUAL(atomic_load(&gate.entered), 1);
}

/* --- callbacks -------------------------------------------------------------------------------- */
struct told {
    cudaStream_t stream;
    cudaError_t status;
    atomic_int count;
};

static void CUDART_CB note(cudaStream_t stream, cudaError_t status, void *argument)
{
    struct told *told = argument;

    told->stream = stream;
    told->status = status;
    atomic_fetch_add(&told->count, 1);
}

static void callbacks_come_in_order(void)
{
    struct told told = {.status = cudaErrorUnknown};
    cudaStream_t stream = NULL;

    CHECK_OK(cudaStreamCreate(&stream));
    CHECK_OK(cudaStreamAddCallback(stream, note, &told, 0));
    CHECK_OK(cudaStreamSynchronize(stream));
    CHECK_EQUAL(atomic_load(&told.count), 1);
    CHECK(told.stream == stream && told.status == cudaSuccess);
    CHECK_CODE(cudaStreamAddCallback(stream, note, &told, 1), cudaErrorInvalidValue);
    CHECK_CODE(cudaStreamAddCallback(stream, NULL, &told, 0), cudaErrorInvalidValue);
    CHECK_CODE(cudaLaunchHostFunc(stream, NULL, NULL), cudaErrorInvalidValue);
    CHECK_OK(cudaStreamSynchronize(stream));
    CHECK_EQUAL(atomic_load(&told.count), 1);
    CHECK_OK(cudaStreamDestroy(stream));
    cudaGetLastError();
}

/* What CUDA answers to a function that it calls itself. */
struct asked {
    void *memory; /* an allocation */
    cudaError_t allocate, wait;
    CUresult find, record;
};

static void CUDART_CB ask(void *argument)
{
    struct asked *asked = argument;
    void *none = NULL;

    asked->find = cuMemGetAddressRange(NULL, NULL, (CUdeviceptr)(uintptr_t)asked->memory);
    asked->record = cuEventCreate((CUevent *)&none, 0);
    asked->allocate = cudaMalloc(&none, 16);
    asked->wait = cudaDeviceSynchronize();
}

static void functions_called_may_not_call_back(void)
{
    struct asked asked = {0};

    CHECK_OK(cudaMalloc(&asked.memory, 16));
    CHECK_OK(cudaLaunchHostFunc(NULL, ask, &asked));
    CHECK_OK(cudaDeviceSynchronize());
    CHECK_EQUAL(asked.find, CUDA_ERROR_NOT_PERMITTED);
    CHECK_EQUAL(asked.record, CUDA_ERROR_NOT_PERMITTED);
    CHECK_EQUAL(asked.allocate, cudaErrorNotPermitted);
    CHECK_EQUAL(asked.wait, cudaErrorNotPermitted);
    CHECK_OK(cudaFree(asked.memory));
}

/* --- times ------------------------------------------------------------------------------------ */
static void events_measure_time(void)
{
    cudaEvent_t start = NULL, end = NULL, untimed = NULL;
    cudaStream_t stream = NULL;
    float ms = -1;

    CHECK_OK(cudaStreamCreate(&stream));
    CHECK_OK(cudaEventCreate(&start));
    CHECK_OK(cudaEventCreate(&end));
    CHECK_OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming | cudaEventBlockingSync));
    CHECK_CODE(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle); /* never recorded */
    CHECK_OK(cudaEventRecord(start, stream));
    CHECK_OK(cudaLaunchHostFunc(stream, sleep_20_ms, NULL));
    CHECK_OK(cudaEventRecordWithFlags(end, stream, cudaEventRecordDefault));
    CHECK_OK(cudaEventRecord(untimed, stream));
    CHECK_OK(cudaEventSynchronize(untimed));
    CHECK_OK(cudaEventElapsedTime(&ms, start, end));
    CHECK(ms >= 19.5f && ms < 20000);
    CHECK_OK(cudaEventElapsedTime(&ms, start, start));
    CHECK(ms == 0);
    CHECK_CODE(cudaEventElapsedTime(&ms, start, untimed), cudaErrorInvalidResourceHandle);
    CHECK_CODE(cudaEventElapsedTime(NULL, start, end), cudaErrorInvalidValue);
    CHECK_CODE(cudaEventRecord(NULL, stream), cudaErrorInvalidResourceHandle);
    CHECK_CODE(cudaEventCreateWithFlags(&untimed, 0x80), cudaErrorInvalidValue);
    CHECK_OK(cudaEventDestroy(start));
    CHECK_OK(cudaEventDestroy(end));
    CHECK_OK(cudaEventDestroy(untimed));
    CHECK_OK(cudaStreamDestroy(stream));
    cudaGetLastError();
}

static void an_empty_kernel_takes_time(cudaLibrary_t library)
{
    cudaEvent_t start = NULL, end = NULL;
    int *out = NULL;
    float ms = -1;

    CHECK_OK(cudaMalloc((void **)&out, 4));
    CHECK_OK(cudaEventCreate(&start));
    CHECK_OK(cudaEventCreate(&end));
    CHECK_OK(cudaEventRecord(start, NULL));
    CHECK_OK(
        cudaLaunchKernel(kernel_of(library, "count"), extent(1, 1, 1), extent(32, 1, 1), (void *[]){&out}, 0, NULL));
    CHECK_OK(cudaEventRecord(end, NULL));
    CHECK_OK(cudaEventSynchronize(end));
    CHECK_OK(cudaEventElapsedTime(&ms, start, end));
    CHECK(ms > 0);
    CHECK_OK(cudaEventDestroy(start));
    CHECK_OK(cudaEventDestroy(end));
    CHECK_OK(cudaFree(out));
}

/* --- what a stream is ------------------------------------------------------------------------- */
static void streams_know_what_they_are(void)
{
    cudaStream_t stream = NULL, copy = NULL;
    unsigned flags = 99;
    unsigned long long id = 0, other_id = 0;
    int priority = 99, least = 0, greatest = 0, device = 99;
    cudaLaunchAttributeValue value = {0};

    CHECK_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(least == 0 && greatest < 0);
    CHECK_OK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest - 100));
    CHECK_OK(cudaStreamGetPriority(stream, &priority));
    CHECK_EQUAL(priority, greatest); /* clamped */
    CHECK_OK(cudaStreamGetFlags(stream, &flags));
    CHECK_EQUAL(flags, cudaStreamNonBlocking);
    CHECK_OK(cudaStreamGetFlags(NULL, &flags));
    CHECK_EQUAL(flags, cudaStreamDefault);
    CHECK_OK(cudaStreamGetDevice(stream, &device));
    CHECK_EQUAL(device, 0);
    CHECK_OK(cudaStreamCreate(&copy));
    CHECK_OK(cudaStreamGetId(stream, &id));
    CHECK_OK(cudaStreamGetId(copy, &other_id));
    CHECK(id != other_id);

    value.syncPolicy = cudaSyncPolicyYield;
    CHECK_OK(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
    CHECK_OK(cudaStreamCopyAttributes(copy, stream));
    memset(&value, 0, sizeof value);
    CHECK_OK(cudaStreamGetAttribute(copy, cudaLaunchAttributeSynchronizationPolicy, &value));
    CHECK_EQUAL(value.syncPolicy, cudaSyncPolicyYield);

    CHECK_CODE(cudaStreamCreateWithFlags(&copy, 0x40), cudaErrorInvalidValue);
    CHECK_CODE(cudaStreamCreate(NULL), cudaErrorInvalidValue);
    CHECK_CODE(cudaStreamDestroy(NULL), cudaErrorInvalidResourceHandle);
    CHECK_CODE(cudaStreamGetPriority(stream, NULL), cudaErrorInvalidValue);
    CHECK_OK(cudaStreamDestroy(stream));
    CHECK_OK(cudaStreamDestroy(copy));
    cudaGetLastError();
}

int main(void)
{
    cudaLibrary_t library = load_kernels();

    a_stream_works_in_order();
    the_legacy_stream_waits_for_blocking_streams();
    the_thread_stream_is_a_stream_of_its_own();
    a_stream_waits_for_an_event_of_another();
    a_destroyed_stream_finishes_its_work();
    callbacks_come_in_order();
    functions_called_may_not_call_back();
    events_measure_time();
    an_empty_kernel_takes_time(library);
    streams_know_what_they_are();
    CHECK_OK(cudaGetLastError());
    return 0;
}
