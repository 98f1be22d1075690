/* Errors of the runtime API: names and texts, the last error of a thread, errors that stay with the context. */
#include "check.h"

#include <pthread.h>
#include <semaphore.h>

static void names_and_texts(void)
{
    CHECK(strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess") == 0);
    CHECK(strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
    CHECK(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
    CHECK(strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
    CHECK(strcmp(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered") == 0);
    CHECK(strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code") == 0);
}

static void last_error_is_told_once(void)
{
    CHECK_OK(cudaGetLastError());
    CHECK_CODE(cudaMemcpy(NULL, NULL, 4, (enum cudaMemcpyKind)77), cudaErrorInvalidMemcpyDirection);
    CHECK_OK(cudaDeviceSynchronize()); /* a success leaves the last error alone */
    CHECK_CODE(cudaPeekAtLastError(), cudaErrorInvalidMemcpyDirection);
    CHECK_CODE(cudaPeekAtLastError(), cudaErrorInvalidMemcpyDirection);
    CHECK_CODE(cudaGetLastError(), cudaErrorInvalidMemcpyDirection);
    CHECK_OK(cudaGetLastError());
    CHECK_OK(cudaPeekAtLastError());
    CHECK_CODE(cudaSetDevice(-1), cudaErrorInvalidDevice);
    CHECK_CODE(cudaSetDevice(1000), cudaErrorInvalidDevice);
    CHECK_CODE(cudaGetLastError(), cudaErrorInvalidDevice);
}

static void *has_no_error(void *unused)
{
    CHECK_OK(cudaPeekAtLastError());
    CHECK_CODE(cudaSetDevice(1000), cudaErrorInvalidDevice);
    return unused;
}

static void last_error_is_the_threads_own(void)
{
    pthread_t thread;

    CHECK_CODE(cudaGetDeviceCount(NULL), cudaErrorInvalidValue);
    CHECK(pthread_create(&thread, NULL, has_no_error, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK_CODE(cudaGetLastError(), cudaErrorInvalidValue);
}

static void CUDART_CB wait_for(void *semaphore)
{
    sem_wait(semaphore);
}

/* As on an H200: it is an answer, not an error. */
static void not_ready_is_not_noted(void)
{
    cudaStream_t stream = NULL;
    sem_t semaphore;

    CHECK(sem_init(&semaphore, 0, 0) == 0);
    CHECK_OK(cudaStreamCreate(&stream));
    CHECK_OK(cudaLaunchHostFunc(stream, wait_for, &semaphore));
    CHECK_CODE(cudaStreamQuery(stream), cudaErrorNotReady);
    CHECK_OK(cudaGetLastError());
    sem_post(&semaphore);
    CHECK_OK(cudaStreamSynchronize(stream));
    CHECK_OK(cudaStreamQuery(stream));
    CHECK_OK(cudaStreamDestroy(stream));
    CHECK_OK(cudaGetLastError());
}

static void fault_stays_until_reset(void)
{
    cudaLibrary_t library = load_kernels();
    void *memory = NULL;

    CHECK_OK(cudaLaunchKernel(kernel_of(library, "fault"), extent(1, 1, 1), extent(1, 1, 1), NULL, 0, NULL));
    CHECK_CODE(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    CHECK_CODE(cudaMalloc(&memory, 16), cudaErrorIllegalAddress);
    CHECK_CODE(cudaGetLastError(), cudaErrorIllegalAddress);
    CHECK_OK(cudaGetLastError()); /* told once; calls go on to return it */
    CHECK_CODE(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    CHECK_OK(cudaDeviceReset());
    CHECK_CODE(cudaGetLastError(), cudaErrorIllegalAddress); /* the reset leaves it alone */
    CHECK_OK(cudaMalloc(&memory, 16));
    CHECK_OK(cudaMemset(memory, 0, 16));
    CHECK_OK(cudaFree(memory));
    CHECK_OK(cudaLibraryUnload(library));
}

int main(void)
{
    names_and_texts();
    last_error_is_told_once();
    last_error_is_the_threads_own();
    not_ready_is_not_noted();
    fault_stays_until_reset();
    return 0;
}
