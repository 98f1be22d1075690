/* Versions, and services of the driver that pass through as they are: profiler, logs, IPC, notifications, export
 * tables. */
#include "cudart.h"
#include "forward.h"

#pragma GCC visibility push(default)
#include <cuda_profiler_api.h>
#include <cudaProfiler.h>
#pragma GCC visibility pop

/* --- versions ----------------------------------------------------------------------------------------------------- */

cudaError_t CUDARTAPI cudaRuntimeGetVersion(int *version)
{
    if (version == NULL) {
        return crt_return(cudaErrorInvalidValue);
    }
    *version = PTXEMU_CUDA_VERSION;
    return cudaSuccess;
}

/* Works without a device. */
cudaError_t CUDARTAPI cudaDriverGetVersion(int *version)
{
    return crt_end(cuDriverGetVersion(version));
}

/* --- profiler ----------------------------------------------------------------------------------------------------- */

cudaError_t CUDARTAPI cudaProfilerStart(void)
{
    return CRT_CALL(cuProfilerStart());
}

cudaError_t CUDARTAPI cudaProfilerStop(void)
{
    return CRT_CALL(cuProfilerStop());
}

/* --- other processes ---------------------------------------------------------------------------------------------- */

/* The driver refuses these; it is the driver's to say how.  The handles are 64 bytes in both APIs. */
cudaError_t CUDARTAPI cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    return CRT_CALL(cuIpcGetEventHandle((CUipcEventHandle *)handle, event));
}

cudaError_t CUDARTAPI cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
    CUipcEventHandle translated;
    cudaError_t error = crt_begin();

    _Static_assert(sizeof(translated) == sizeof(handle), "the same bytes");
    __builtin_memcpy(&translated, &handle, sizeof(translated));
    return error != cudaSuccess ? error : crt_end(cuIpcOpenEventHandle(event, translated));
}

cudaError_t CUDARTAPI cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer)
{
    return CRT_CALL(cuIpcGetMemHandle((CUipcMemHandle *)handle, (CUdeviceptr)pointer));
}

cudaError_t CUDARTAPI cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned flags)
{
    CUipcMemHandle translated;
    cudaError_t error = crt_begin();

    _Static_assert(sizeof(translated) == sizeof(handle), "the same bytes");
    __builtin_memcpy(&translated, &handle, sizeof(translated));
    return error != cudaSuccess ? error : crt_end(cuIpcOpenMemHandle((CUdeviceptr *)pointer, translated, flags));
}

cudaError_t CUDARTAPI cudaIpcCloseMemHandle(void *pointer)
{
    return CRT_CALL(cuIpcCloseMemHandle((CUdeviceptr)pointer));
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

cudaError_t CUDARTAPI cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback function, void *data,
                                                          cudaAsyncCallbackHandle_t *callback)
{
    return CRT_CALL(
        cuDeviceRegisterAsyncNotification(device, (CUasyncCallback)function, data, (CUasyncCallbackHandle *)callback));
}

cudaError_t CUDARTAPI cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t callback)
{
    return CRT_CALL(cuDeviceUnregisterAsyncNotification(device, (CUasyncCallbackHandle)callback));
}

cudaError_t CUDARTAPI cudaGetExportTable(const void **table, const cudaUUID_t *id)
{
    return crt_end(cuGetExportTable(table, (const CUuuid *)id));
}

#if CUDART_VERSION >= 13000
cudaError_t CUDARTAPI cudaLogsRegisterCallback(cudaLogsCallback_t function, void *data,
                                               cudaLogsCallbackHandle *callback)
{
    return crt_end(cuLogsRegisterCallback((CUlogsCallback)function, data, (CUlogsCallbackHandle *)callback));
}

cudaError_t CUDARTAPI cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback)
{
    return crt_end(cuLogsUnregisterCallback((CUlogsCallbackHandle)callback));
}

cudaError_t CUDARTAPI cudaLogsCurrent(cudaLogIterator *iterator, unsigned flags)
{
    return crt_end(cuLogsCurrent(iterator, flags));
}

cudaError_t CUDARTAPI cudaLogsDumpToFile(cudaLogIterator *iterator, const char *path, unsigned flags)
{
    return crt_end(cuLogsDumpToFile(iterator, path, flags));
}

cudaError_t CUDARTAPI cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer, size_t *size, unsigned flags)
{
    return crt_end(cuLogsDumpToMemory(iterator, buffer, size, flags));
}
#endif
