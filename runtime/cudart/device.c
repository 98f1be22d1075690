/* Choosing devices, and what concerns a device or its primary context as a whole. */
#include "state.h"
#include "forward.h"

static bool exists(int device)
{
    return device >= 0 && device < crt_device_count();
}

/* Begin a call about a device by number that needs no context. */
static cudaError_t begin_device(int device)
{
    cudaError_t error = crt_begin_without_context();

    if (error == cudaSuccess && !exists(device)) {
        error = crt_return(cudaErrorInvalidDevice);
    }
    return error;
}

/* --- choosing ----------------------------------------------------------------------------------------------------- */

cudaError_t CUDARTAPI cudaGetDeviceCount(int *count)
{
    cudaError_t error = crt_begin_without_context();

    if (count == NULL) {
        return crt_return(cudaErrorInvalidValue);
    }
    *count = error == cudaSuccess ? crt_device_count() : 0;
    return error;
}

/* The thread's device; its context is made at once, so that errors of making it are this call's. */
cudaError_t CUDARTAPI cudaSetDevice(int device)
{
    struct crt_thread *thread = crt_thread();
    cudaError_t error = begin_device(device);

    if (error != cudaSuccess) {
        return error;
    }
    thread->device = device;
    thread->device_chosen = true;
    return crt_end(crt_use_device(device));
}

cudaError_t CUDARTAPI cudaGetDevice(int *device)
{
    cudaError_t error = crt_begin_without_context();

    if (error != cudaSuccess) {
        return error;
    }
    if (device == NULL) {
        return crt_return(cudaErrorInvalidValue);
    }
    *device = crt_device();
    return cudaSuccess;
}

/* Deprecated, of cuda_gl_interop.h: there is a device, and no GL to share it with. */
__attribute__((visibility("default"))) cudaError_t cudaGLSetGLDevice(int device);

cudaError_t CUDARTAPI cudaGLSetGLDevice(int device)
{
    return cudaSetDevice(device);
}

/* Unknown `flags` are ignored, as on an H200. */
cudaError_t CUDARTAPI cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    CUresult result = CUDA_SUCCESS;
    cudaError_t error = begin_device(device);

    if (error != cudaSuccess) {
        return error;
    }
    if (flags & cudaInitDeviceFlagsAreValid) {
        result = cuDevicePrimaryCtxSetFlags(device, device_flags & ~(unsigned)cudaDeviceMapHost);
    }
    return crt_end(result == CUDA_SUCCESS ? crt_retain_device(device) : result);
}

cudaError_t CUDARTAPI cudaSetValidDevices(int *devices, int count)
{
    struct crt_process *process = crt_process();
    cudaError_t error = crt_begin_without_context();

    if (error != cudaSuccess) {
        return error;
    }
    if (count < 0 || count > crt_device_count() || (devices == NULL && count != 0)) {
        return crt_return(cudaErrorInvalidValue);
    }
    for (int i = 0; i < count; i++) {
        if (!exists(devices[i])) {
            return crt_return(cudaErrorInvalidDevice);
        }
    }
    pthread_mutex_lock(&process->lock);
    for (int i = 0; i < count; i++) {
        process->valid_devices[i] = devices[i];
    }
    atomic_store(&process->valid_device_count, count);
    pthread_mutex_unlock(&process->lock);
    return cudaSuccess;
}

/* --- flags -------------------------------------------------------------------------------------------------------- */

cudaError_t CUDARTAPI cudaSetDeviceFlags(unsigned flags)
{
    cudaError_t error = crt_begin_without_context();

    if (error != cudaSuccess) {
        return error;
    }
    if ((flags & ~(unsigned)cudaDeviceMask) != 0) {
        return crt_return(cudaErrorInvalidValue);
    }
    return crt_end(cuDevicePrimaryCtxSetFlags(crt_device(), flags & ~(unsigned)cudaDeviceMapHost));
}

/* Host memory can always be mapped, and the flags say so. */
cudaError_t CUDARTAPI cudaGetDeviceFlags(unsigned *flags)
{
    unsigned found = 0;
    int active = 0;
    CUresult result = CUDA_SUCCESS;
    cudaError_t error = crt_begin_without_context();

    if (error != cudaSuccess) {
        return error;
    }
    if (flags == NULL) {
        return crt_return(cudaErrorInvalidValue);
    }
    result = cuDevicePrimaryCtxGetState(crt_device(), &found, &active);
    *flags = found | cudaDeviceMapHost;
    return crt_end(result);
}

/* --- the context as a whole --------------------------------------------------------------------------------------- */

cudaError_t CUDARTAPI cudaDeviceSynchronize(void)
{
    return CRT_CALL(cuCtxSynchronize());
}

/* Destroy the primary context.  The thread forgets it; the next call makes a new one. */
cudaError_t CUDARTAPI cudaDeviceReset(void)
{
    CUresult result = CUDA_SUCCESS;
    int device = 0;
    cudaError_t error = crt_begin_without_context();

    if (error != cudaSuccess) {
        return error;
    }
    device = crt_device();
    result = crt_release_device(device);
    crt_thread()->device = device;
    crt_thread()->device_chosen = true;
    return crt_end(result);
}

cudaError_t CUDARTAPI cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    return CRT_CALL(cuCtxSetLimit((CUlimit)limit, value));
}

cudaError_t CUDARTAPI cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    return CRT_CALL(cuCtxGetLimit(value, (CUlimit)limit));
}

cudaError_t CUDARTAPI cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    return CRT_CALL(cuCtxGetCacheConfig((CUfunc_cache *)config));
}

cudaError_t CUDARTAPI cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    return CRT_CALL(cuCtxSetCacheConfig((CUfunc_cache)config));
}

/* Banks of shared memory are four bytes wide on every GPU since Maxwell. */
cudaError_t CUDARTAPI cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    cudaError_t error = crt_begin();

    if (error != cudaSuccess) {
        return error;
    }
    if (config == NULL) {
        return crt_return(cudaErrorInvalidValue);
    }
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

cudaError_t CUDARTAPI cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    cudaError_t error = crt_begin();

    if (error != cudaSuccess) {
        return error;
    }
    return crt_return((unsigned)config <= cudaSharedMemBankSizeEightByte ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t CUDARTAPI cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    return CRT_CALL(cuCtxGetStreamPriorityRange(least, greatest));
}

cudaError_t CUDARTAPI cudaCtxResetPersistingL2Cache(void)
{
    return CRT_CALL(cuCtxResetPersistingL2Cache());
}

cudaError_t CUDARTAPI cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                                         enum cudaFlushGPUDirectRDMAWritesScope scope)
{
    return CRT_CALL(
        cuFlushGPUDirectRDMAWrites((CUflushGPUDirectRDMAWritesTarget)target, (CUflushGPUDirectRDMAWritesScope)scope));
}

/* --- identity ----------------------------------------------------------------------------------------------------- */

cudaError_t CUDARTAPI cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    cudaError_t error = begin_device(device);

    return error != cudaSuccess ? error : crt_end(cuDeviceGetAttribute(value, (CUdevice_attribute)attribute, device));
}

cudaError_t CUDARTAPI cudaDeviceGetPCIBusId(char *id, int size, int device)
{
    enum { ID_BYTES = 13 }; /* the driver would cut an id, the runtime wants room for it */
    cudaError_t error = begin_device(device);

    if (error == cudaSuccess && size < ID_BYTES) {
        return crt_return(cudaErrorInvalidValue);
    }
    return error != cudaSuccess ? error : crt_end(cuDeviceGetPCIBusId(id, size, device));
}

cudaError_t CUDARTAPI cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    cudaError_t error = crt_begin_without_context();

    return error != cudaSuccess ? error : crt_end(cuDeviceGetByPCIBusId(device, id));
}
