/* Many threads at once: first uses of one module, streams of their own, and a thread that resets the device at the end.
 */
#include "registration.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 50, COUNT = 256 };

static const char scale_stub[1];

/* out = x * factor on a stream of the thread's own, many times; each result is the thread's. */
static void *work(void *number)
{
    float factor = (float)(*(int *)number + 2);
    float x[COUNT], out[COUNT];
    float *device = NULL, *result = NULL;
    unsigned n = COUNT;
    void *arguments[] = {&result, &device, &factor, &n};
    cudaStream_t stream = NULL;

    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)i;
    }
    CHECK_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK_OK(cudaMalloc((void **)&device, sizeof(x)));
    CHECK_OK(cudaMalloc((void **)&result, sizeof(x)));
    for (int round = 0; round < ROUNDS; round++) {
        CHECK_OK(cudaMemcpyAsync(device, x, sizeof(x), cudaMemcpyHostToDevice, stream));
        CHECK_OK(cudaLaunchKernel(scale_stub, extent(2, 1, 1), extent(128, 1, 1), arguments, 0, stream));
        CHECK_OK(cudaMemcpyAsync(out, result, sizeof(out), cudaMemcpyDeviceToHost, stream));
        CHECK_OK(cudaStreamSynchronize(stream));
        CHECK(out[1] == factor && out[COUNT - 1] == factor * (COUNT - 1));
    }
    CHECK_OK(cudaFree(device));
    CHECK_OK(cudaFree(result));
    CHECK_OK(cudaStreamDestroy(stream));
    return NULL;
}

static void at_once(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];

    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
}

static void *reset(void *unused)
{
    CHECK_OK(cudaDeviceReset());
    return unused;
}

/* This thread's context goes away under it; its next call makes a new one. */
static void another_thread_resets(void)
{
    pthread_t thread;
    void *memory = NULL;
    int number = 0;

    CHECK_OK(cudaMalloc(&memory, 64));
    CHECK(pthread_create(&thread, NULL, reset, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK_OK(cudaMalloc(&memory, 64));
    CHECK_OK(cudaFree(memory));
    work(&number);
}

int main(void)
{
    struct wrapper wrapper = wrap(kernels_ptx, 70);
    void **module = __cudaRegisterFatBinary(&wrapper);

    register_function(module, scale_stub, "scale");
    __cudaRegisterFatBinaryEnd(module);
    at_once();
    another_thread_resets();
    __cudaUnregisterFatBinary(module);
    unwrap(wrapper);
    return 0;
}
