/*
 * What an address is, and advice about ranges of managed memory.
 */
#include "forward.h"

#include <string.h>

/* --- pointers --------------------------------------------------------------------------------- */
static enum cudaMemoryType memory_type(CUmemorytype type, bool is_managed)
{
    if (is_managed) {
        return cudaMemoryTypeManaged;
    }
    switch (type) {
    case CU_MEMORYTYPE_HOST:
        return cudaMemoryTypeHost;
    case CU_MEMORYTYPE_DEVICE:
        return cudaMemoryTypeDevice;
    default:
        return cudaMemoryTypeUnregistered;
    }
}

/* Ordinary memory of the host is no error: the driver then leaves zeros, and no device. */
static CUresult describe_pointer(struct cudaPointerAttributes *attributes, const void *pointer)
{
    CUmemorytype type = 0;
    unsigned is_managed = 0;
    int device = cudaInvalidDeviceId;
    CUdeviceptr device_address = 0;
    void *host_pointer = NULL;
    CUpointer_attribute names[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                   CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                   CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void *values[] = {&type, &is_managed, &device, &device_address, &host_pointer};
    CUresult result;

    if (attributes == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    result = cuPointerGetAttributes(sizeof names / sizeof names[0], names, values, crt_address(pointer));
    if (result != CUDA_SUCCESS) {
        return result;
    }
    memset(attributes, 0, sizeof *attributes);
    attributes->type = memory_type(type, is_managed != 0);
    attributes->device = device;
    attributes->devicePointer = crt_pointer(device_address);
    attributes->hostPointer = host_pointer;
    return CUDA_SUCCESS;
}

cudaError_t CUDARTAPI cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
    return CRT_CALL(describe_pointer(attributes, ptr));
}

/* --- ranges ----------------------------------------------------------------------------------- */
cudaError_t CUDARTAPI CRT_V2(cudaMemAdvise)(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                                            struct cudaMemLocation location)
{
    return CRT_CALL(CRT_V2(cuMemAdvise)(crt_address(devPtr), count, (CUmem_advise)advice, crt_location(location)));
}

#if CUDART_VERSION < 13000
/* The older form, with a device for a location. */
cudaError_t CUDARTAPI cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice, int device)
{
    return cudaMemAdvise_v2(devPtr, count, advice, crt_device_location(device));
}
#endif

cudaError_t CUDARTAPI cudaMemRangeGetAttribute(void *data, size_t dataSize, enum cudaMemRangeAttribute attribute,
                                               const void *devPtr, size_t count)
{
    return CRT_CALL(
        cuMemRangeGetAttribute(data, dataSize, (CUmem_range_attribute)attribute, crt_address(devPtr), count));
}

cudaError_t CUDARTAPI cudaMemRangeGetAttributes(void **data, size_t *dataSizes, enum cudaMemRangeAttribute *attributes,
                                                size_t numAttributes, const void *devPtr, size_t count)
{
    return CRT_CALL(cuMemRangeGetAttributes(data, dataSizes, (CUmem_range_attribute *)attributes, numAttributes,
                                            crt_address(devPtr), count));
}
