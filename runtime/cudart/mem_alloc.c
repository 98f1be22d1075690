/*
 * Linear memory: of the device, of the host (pinned), and managed.
 *
 * The runtime is more lenient than the driver with nothing at all: no bytes give a null pointer, and a null pointer may
 * be freed.
 */
#include "forward.h"

/* Elements of up to this size are read without a penalty from a row's start. */
enum { PITCH_ELEMENT_BYTES = 16 };

/* --- device memory ---------------------------------------------------------------------------- */
static CUresult allocate(void **pointer, size_t size_bytes)
{
    CUdeviceptr address = 0;
    CUresult result = CUDA_SUCCESS;

    if (pointer == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (size_bytes > 0) {
        result = cuMemAlloc(&address, size_bytes);
    }
    if (result == CUDA_SUCCESS) {
        *pointer = crt_pointer(address);
    }
    return result;
}

cudaError_t CUDARTAPI cudaMalloc(void **devPtr, size_t size)
{
    return CRT_CALL(allocate(devPtr, size));
}

cudaError_t CUDARTAPI cudaFree(void *devPtr)
{
    return CRT_CALL(devPtr != NULL ? cuMemFree(crt_address(devPtr)) : CUDA_SUCCESS);
}

static CUresult allocate_rows(void **pointer, size_t *pitch_bytes, size_t width_bytes, size_t row_count)
{
    CUdeviceptr address = 0;
    size_t pitch = 0;
    CUresult result = CUDA_SUCCESS;

    if (pointer == NULL || pitch_bytes == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (width_bytes > 0 && row_count > 0) {
        result = cuMemAllocPitch(&address, &pitch, width_bytes, row_count, PITCH_ELEMENT_BYTES);
    }
    if (result == CUDA_SUCCESS) {
        *pointer = crt_pointer(address);
        *pitch_bytes = pitch;
    }
    return result;
}

cudaError_t CUDARTAPI cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height)
{
    return CRT_CALL(allocate_rows(devPtr, pitch, width, height));
}

static CUresult allocate_slices(struct cudaPitchedPtr *pointer, struct cudaExtent extent)
{
    size_t row_count;
    CUresult result;

    if (pointer == NULL || __builtin_mul_overflow(extent.height, extent.depth, &row_count)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    result = allocate_rows(&pointer->ptr, &pointer->pitch, extent.width, row_count);
    if (result == CUDA_SUCCESS) {
        pointer->xsize = extent.width;
        pointer->ysize = extent.height;
    }
    return result;
}

cudaError_t CUDARTAPI cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent)
{
    return CRT_CALL(allocate_slices(pitchedDevPtr, extent));
}

cudaError_t CUDARTAPI cudaMemGetInfo(size_t *free, size_t *total)
{
    size_t free_bytes = 0, total_bytes = 0;
    cudaError_t error = CRT_CALL(cuMemGetInfo(&free_bytes, &total_bytes));

    if (error == cudaSuccess && free != NULL) {
        *free = free_bytes;
    }
    if (error == cudaSuccess && total != NULL) {
        *total = total_bytes;
    }
    return error;
}

/* --- managed memory --------------------------------------------------------------------------- */
static CUresult allocate_managed(void **pointer, size_t size_bytes, unsigned flags)
{
    CUdeviceptr address = 0;
    CUresult result = CUDA_SUCCESS;

    if (pointer == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (size_bytes > 0) {
        result = cuMemAllocManaged(&address, size_bytes, flags);
    }
    if (result == CUDA_SUCCESS) {
        *pointer = crt_pointer(address);
    }
    return result;
}

cudaError_t CUDARTAPI cudaMallocManaged(void **devPtr, size_t size, unsigned int flags)
{
    return CRT_CALL(allocate_managed(devPtr, size, flags));
}

/* --- pinned host memory ----------------------------------------------------------------------- */
static CUresult allocate_host(void **pointer, size_t size_bytes, unsigned flags)
{
    if (pointer == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (size_bytes == 0) {
        *pointer = NULL;
        return CUDA_SUCCESS;
    }
    return cuMemHostAlloc(pointer, size_bytes, flags);
}

cudaError_t CUDARTAPI cudaMallocHost(void **ptr, size_t size)
{
    return CRT_CALL(allocate_host(ptr, size, 0));
}

cudaError_t CUDARTAPI cudaHostAlloc(void **pHost, size_t size, unsigned int flags)
{
    return CRT_CALL(allocate_host(pHost, size, flags));
}

cudaError_t CUDARTAPI cudaFreeHost(void *ptr)
{
    return CRT_CALL(ptr != NULL ? cuMemFreeHost(ptr) : CUDA_SUCCESS);
}

cudaError_t CUDARTAPI cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
    return CRT_CALL(cuMemHostRegister(ptr, size, flags));
}

cudaError_t CUDARTAPI cudaHostUnregister(void *ptr)
{
    return CRT_CALL(cuMemHostUnregister(ptr));
}

static CUresult host_device_pointer(void **device_pointer, void *host_pointer, unsigned flags)
{
    CUdeviceptr address = 0;
    CUresult result =
        device_pointer != NULL ? cuMemHostGetDevicePointer(&address, host_pointer, flags) : CUDA_ERROR_INVALID_VALUE;

    if (result == CUDA_SUCCESS) {
        *device_pointer = crt_pointer(address);
    }
    return result;
}

cudaError_t CUDARTAPI cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags)
{
    return CRT_CALL(host_device_pointer(pDevice, pHost, flags));
}

cudaError_t CUDARTAPI cudaHostGetFlags(unsigned int *pFlags, void *pHost)
{
    return CRT_CALL(cuMemHostGetFlags(pFlags, pHost));
}
