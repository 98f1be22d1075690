/*
 * Compiled as `nvcc --default-stream per-thread` does: stream 0 is the calling thread's, for asynchronous calls,
 * blocking ones and capture.
 */
#define CUDA_API_PER_THREAD_DEFAULT_STREAM 1
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

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

/* While another thread's stream 0 is held up, this one's is not: also its blocking copies return. */
static void *work(void *unused)
{
    int in = 42, out = 0;
    int *device = NULL;

    (void)unused;
    CHECK_OK(cudaMallocAsync((void **)&device, sizeof in, NULL));
    CHECK_OK(cudaMemcpy(device, &in, sizeof in, cudaMemcpyHostToDevice));
    CHECK_OK(cudaMemsetAsync(device, 1, 1, NULL));
    CHECK_OK(cudaMemcpy(&out, device, sizeof out, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(out, 1);
    CHECK_OK(cudaFreeAsync(device, NULL));
    CHECK_OK(cudaStreamSynchronize(NULL));
    CHECK_OK(cudaStreamQuery(NULL));
    return NULL;
}

static void threads_do_not_hold_each_other_up(void)
{
    struct gate gate = {0};
    pthread_t thread;

    CHECK_OK(cudaLaunchHostFunc(NULL, pass_gate, &gate));
    CHECK_CODE(cudaStreamQuery(NULL), cudaErrorNotReady);
    CHECK_CODE(cudaStreamQuery(cudaStreamPerThread), cudaErrorNotReady);
    CHECK_EQUAL(pthread_create(&thread, NULL, work, NULL), 0);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    atomic_store(&gate.open, 1);
    CHECK_OK(cudaStreamSynchronize(NULL));
    cudaGetLastError();
}

/* Stream 0 cannot be captured when it is the legacy one; here it can. */
static void the_default_stream_is_captured(void)
{
    unsigned char out = 0;
    unsigned char *device = NULL;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;

    CHECK_OK(cudaMalloc((void **)&device, 1));
    CHECK_OK(cudaStreamBeginCapture(NULL, cudaStreamCaptureModeThreadLocal));
    CHECK_OK(cudaMemsetAsync(device, 77, 1, NULL));
    CHECK_OK(cudaStreamEndCapture(NULL, &graph));
    CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK_OK(cudaGraphLaunch(exec, NULL));
    CHECK_OK(cudaMemcpy(&out, device, 1, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(out, 77);
    CHECK_OK(cudaGraphExecDestroy(exec));
    CHECK_OK(cudaGraphDestroy(graph));
    CHECK_OK(cudaFree(device));
}

int main(void)
{
    threads_do_not_hold_each_other_up();
    the_default_stream_is_captured();
    CHECK_OK(cudaGetLastError());
    return 0;
}
