/*
 * Which context a call works in.  A thread that made a context current through the driver API uses that; any other uses
 * the primary context of the device it chose, by default the first, made at the first call that needs one.
 *
 * Invariant: a primary context is retained by the runtime at most once, from its first use to cudaDeviceReset.
 */
#include "state.h"

#include <stdlib.h>

/* The library's only object with static storage that is not per thread. */
struct crt_process *crt_process(void)
{
    static struct crt_process process = {
        .registry = CRT_REGISTRY_INITIALIZER,
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };

    return &process;
}

struct crt_thread *crt_thread(void)
{
    static _Thread_local struct crt_thread thread;

    return &thread;
}

bool crt_verbose(void)
{
    const char *text = getenv("PTXEMU_VERBOSE");

    return text != NULL && text[0] != '\0' && strtol(text, NULL, 10) != 0;
}

/* --- starting ----------------------------------------------------------------------------------------------------- */

/* A driver of an older major release lacks what this runtime calls. */
static cudaError_t check_driver(void)
{
    int version = 0;

    if (cuDriverGetVersion(&version) != CUDA_SUCCESS || version / 1000 < CUDART_VERSION / 1000) {
        return cudaErrorInsufficientDriver;
    }
    return cudaSuccess;
}

static cudaError_t start_locked(struct crt_process *process)
{
    cudaError_t error = check_driver();

    if (error == cudaSuccess) {
        error = crt_error(cuInit(0));
    }
    if (error == cudaSuccess) {
        error = crt_error(cuDeviceGetCount(&process->device_count));
    }
    if (error == cudaSuccess && process->device_count == 0) {
        error = cudaErrorNoDevice;
    }
    if (process->device_count > CRT_MAX_DEVICES) {
        process->device_count = CRT_MAX_DEVICES;
    }
    return error;
}

/* Initialise the driver.  A failure is not remembered: the next call tries again and tells its own error. */
static cudaError_t start(void)
{
    struct crt_process *process = crt_process();
    cudaError_t error = cudaSuccess;

    if (atomic_load_explicit(&process->started, memory_order_acquire)) {
        return cudaSuccess;
    }
    pthread_mutex_lock(&process->lock);
    if (!atomic_load_explicit(&process->started, memory_order_relaxed)) {
        error = start_locked(process);
        atomic_store_explicit(&process->started, error == cudaSuccess, memory_order_release);
    }
    pthread_mutex_unlock(&process->lock);
    return error;
}

int crt_device_count(void)
{
    return crt_process()->device_count;
}

/* --- contexts ----------------------------------------------------------------------------------------------------- */

/* The device that the thread works on while it has no context. */
static int chosen_device(void)
{
    const struct crt_thread *thread = crt_thread();
    struct crt_process *process = crt_process();

    if (thread->device_chosen) {
        return thread->device;
    }
    return atomic_load(&process->valid_device_count) > 0 ? process->valid_devices[0] : 0;
}

int crt_device(void)
{
    CUdevice device = 0;
    CUcontext current = NULL;

    if (cuCtxGetCurrent(&current) == CUDA_SUCCESS && current != NULL && cuCtxGetDevice(&device) == CUDA_SUCCESS) {
        return device;
    }
    return chosen_device();
}

CUresult crt_retain_device(int device)
{
    struct crt_process *process = crt_process();
    struct crt_device_state *state = &process->devices[device];
    CUresult result = CUDA_SUCCESS;

    if (atomic_load_explicit(&state->active, memory_order_acquire)) {
        return CUDA_SUCCESS;
    }
    pthread_mutex_lock(&process->lock);
    if (!atomic_load_explicit(&state->active, memory_order_relaxed)) {
        result = cuDevicePrimaryCtxRetain(&state->primary, device);
        atomic_store_explicit(&state->active, result == CUDA_SUCCESS, memory_order_release);
    }
    pthread_mutex_unlock(&process->lock);
    return result;
}

CUresult crt_use_device(int device)
{
    CUresult result = crt_retain_device(device);

    return result != CUDA_SUCCESS ? result : cuCtxSetCurrent(crt_process()->devices[device].primary);
}

/* The driver resets the context for everyone who has it; only the runtime's own reference is given back. */
static CUresult release_locked(struct crt_device_state *state, int device)
{
    CUresult result = cuDevicePrimaryCtxReset(device);

    if (atomic_exchange_explicit(&state->active, false, memory_order_acq_rel)) {
        cuDevicePrimaryCtxRelease(device);
    }
    return result;
}

CUresult crt_release_device(int device)
{
    struct crt_process *process = crt_process();
    CUresult result = CUDA_SUCCESS;

    pthread_mutex_lock(&process->lock);
    result = release_locked(&process->devices[device], device);
    pthread_mutex_unlock(&process->lock);
    cuCtxSetCurrent(NULL);
    return result;
}

/* The context is a primary one that this thread still has, although another thread reset its device. */
static bool is_left_over(CUcontext context, int device)
{
    const struct crt_device_state *state = &crt_process()->devices[device];

    return !atomic_load_explicit(&state->active, memory_order_acquire) && context == state->primary;
}

/* Give the thread a context if it has none. */
static cudaError_t make_current(void)
{
    CUcontext current = NULL;
    CUresult result = cuCtxGetCurrent(&current);
    int device = chosen_device();

    if (result == CUDA_SUCCESS && (current == NULL || is_left_over(current, device))) {
        result = crt_use_device(device);
    }
    return crt_error(result);
}

/* --- the frame of a call ------------------------------------------------------------------------------------------ */

cudaError_t crt_begin_without_context(void)
{
    return crt_return(start());
}

cudaError_t crt_begin(void)
{
    cudaError_t error = start();

    return crt_return(error == cudaSuccess ? make_current() : error);
}
