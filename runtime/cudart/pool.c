/*
 * Memory pools: making them, their attributes, who may reach them, and which one a device allocates from.
 *
 * Allocation itself is ordered by streams, hence in pool_alloc.c.
 */
#include "forward.h"

/* --- pools of a device or another location ---------------------------------------------------- */
cudaError_t CUDARTAPI cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device)
{
    return CRT_CALL(cuDeviceGetDefaultMemPool(memPool, device));
}

cudaError_t CUDARTAPI cudaDeviceSetMemPool(int device, cudaMemPool_t memPool)
{
    return CRT_CALL(cuDeviceSetMemPool(device, memPool));
}

cudaError_t CUDARTAPI cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device)
{
    return CRT_CALL(cuDeviceGetMemPool(memPool, device));
}

#if CUDART_VERSION >= 13000
cudaError_t CUDARTAPI cudaMemGetDefaultMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location,
                                               enum cudaMemAllocationType type)
{
    return CRT_CALL(cuMemGetDefaultMemPool(memPool, (CUmemLocation *)location, (CUmemAllocationType)type));
}

cudaError_t CUDARTAPI cudaMemGetMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location,
                                        enum cudaMemAllocationType type)
{
    return CRT_CALL(cuMemGetMemPool(memPool, (CUmemLocation *)location, (CUmemAllocationType)type));
}

cudaError_t CUDARTAPI cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type,
                                        cudaMemPool_t memPool)
{
    return CRT_CALL(cuMemSetMemPool((CUmemLocation *)location, (CUmemAllocationType)type, memPool));
}
#endif

/* --- one pool --------------------------------------------------------------------------------- */
cudaError_t CUDARTAPI cudaMemPoolCreate(cudaMemPool_t *memPool, const struct cudaMemPoolProps *poolProps)
{
    return CRT_CALL(cuMemPoolCreate(memPool, (const CUmemPoolProps *)poolProps));
}

cudaError_t CUDARTAPI cudaMemPoolDestroy(cudaMemPool_t memPool)
{
    return CRT_CALL(cuMemPoolDestroy(memPool));
}

cudaError_t CUDARTAPI cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep)
{
    return CRT_CALL(cuMemPoolTrimTo(memPool, minBytesToKeep));
}

cudaError_t CUDARTAPI cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value)
{
    return CRT_CALL(cuMemPoolSetAttribute(memPool, (CUmemPool_attribute)attr, value));
}

cudaError_t CUDARTAPI cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value)
{
    return CRT_CALL(cuMemPoolGetAttribute(memPool, (CUmemPool_attribute)attr, value));
}

cudaError_t CUDARTAPI cudaMemPoolSetAccess(cudaMemPool_t memPool, const struct cudaMemAccessDesc *descList,
                                           size_t count)
{
    return CRT_CALL(cuMemPoolSetAccess(memPool, (const CUmemAccessDesc *)descList, count));
}

cudaError_t CUDARTAPI cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t memPool,
                                           struct cudaMemLocation *location)
{
    return CRT_CALL(cuMemPoolGetAccess((CUmemAccess_flags *)flags, memPool, (CUmemLocation *)location));
}

/* --- sharing between processes: whether it is possible is the driver's to say ------------------- */
cudaError_t CUDARTAPI cudaMemPoolExportToShareableHandle(void *shareableHandle, cudaMemPool_t memPool,
                                                         enum cudaMemAllocationHandleType handleType,
                                                         unsigned int flags)
{
    return CRT_CALL(
        cuMemPoolExportToShareableHandle(shareableHandle, memPool, (CUmemAllocationHandleType)handleType, flags));
}

cudaError_t CUDARTAPI cudaMemPoolImportFromShareableHandle(cudaMemPool_t *memPool, void *shareableHandle,
                                                           enum cudaMemAllocationHandleType handleType,
                                                           unsigned int flags)
{
    return CRT_CALL(
        cuMemPoolImportFromShareableHandle(memPool, shareableHandle, (CUmemAllocationHandleType)handleType, flags));
}

cudaError_t CUDARTAPI cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *exportData, void *ptr)
{
    return CRT_CALL(cuMemPoolExportPointer((CUmemPoolPtrExportData *)exportData, crt_address(ptr)));
}

cudaError_t CUDARTAPI cudaMemPoolImportPointer(void **ptr, cudaMemPool_t memPool,
                                               struct cudaMemPoolPtrExportData *exportData)
{
    CUdeviceptr address = 0;
    cudaError_t error = ptr != NULL
                            ? CRT_CALL(cuMemPoolImportPointer(&address, memPool, (CUmemPoolPtrExportData *)exportData))
                            : crt_return(cudaErrorInvalidValue);

    if (error == cudaSuccess) {
        *ptr = crt_pointer(address);
    }
    return error;
}
