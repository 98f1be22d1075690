/*
 * Virtual memory: the API's checks.  Sharing with other processes is refused: there is no second process with a GPU.
 */
#include "runtime/driver/virtual.h"

#include <string.h>

#include "runtime/driver/context.h"
#include "runtime/driver/stream.h"

static bool is_granular(uint64_t value)
{
    return value % DRV_GRANULARITY == 0;
}

static void *handle_of(CUmemGenericAllocationHandle handle)
{
    return (void *)(uintptr_t)handle;
}

/* --- physical memory -------------------------------------------------------------------------- */
static bool is_place(const CUmemLocation *location)
{
    switch ((int)location->type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
        return drv_device(location->id) != NULL;
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
        return true;
    default:
        return false;
    }
}

static CUresult check_properties(const CUmemAllocationProp *prop)
{
    if (prop == NULL || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED || !is_place(&prop->location)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return prop->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
                                       CUmemAllocationGranularity_flags option)
{
    const CUresult ready = drv_ready();

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    if (granularity == NULL || prop == NULL || !is_place(&prop->location) ||
        (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM && option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *granularity = DRV_GRANULARITY;
    return CUDA_SUCCESS;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *prop,
                     unsigned long long flags)
{
    const CUresult ready = drv_ready();
    struct drv_physical *physical;

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    if (handle == NULL || flags != 0 || size == 0 || !is_granular(size)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult result = check_properties(prop);

    if (result == CUDA_SUCCESS) {
        result = drv_physical_create(size, prop, &physical);
    }
    if (result == CUDA_SUCCESS) {
        *handle = (uintptr_t)physical->handle;
    }
    return result;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    const CUresult ready = drv_ready();

    return ready != CUDA_SUCCESS ? ready : drv_physical_release(handle_of(handle));
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr)
{
    const CUresult ready = drv_check_out(drv_ready(), handle);
    void *found = NULL;

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    const CUresult result = drv_physical_retain_at((uint64_t)(uintptr_t)addr, &found);

    if (result == CUDA_SUCCESS) {
        *handle = (uintptr_t)found;
    }
    return result;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle)
{
    const CUresult ready = drv_ready();

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    return prop == NULL ? CUDA_ERROR_INVALID_VALUE : drv_physical_properties(handle_of(handle), prop);
}

/* --- addresses -------------------------------------------------------------------------------- */
/* `addr` is a wish, which is not granted. */
CUresult cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr addr,
                             unsigned long long flags)
{
    const CUresult ready = drv_ready();
    uint64_t address = 0;

    (void)addr;
    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    if (ptr == NULL || flags != 0 || size == 0 || !is_granular(size) || (alignment & (alignment - 1)) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const CUresult result =
        drv_addresses_reserve(size, alignment < DRV_GRANULARITY ? DRV_GRANULARITY : alignment, &address);

    if (result == CUDA_SUCCESS) {
        *ptr = address;
    }
    return result;
}

CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size)
{
    const CUresult ready = drv_ready();

    return ready != CUDA_SUCCESS ? ready : drv_addresses_free(ptr, size);
}

/* --- mappings --------------------------------------------------------------------------------- */
static bool is_range(CUdeviceptr ptr, size_t size)
{
    return ptr != 0 && size != 0 && is_granular(ptr) && is_granular(size) && ptr <= UINT64_MAX - size;
}

CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags)
{
    const CUresult ready = drv_ready();

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    return flags != 0 || offset != 0 || !is_range(ptr, size) ? CUDA_ERROR_INVALID_VALUE
                                                             : drv_mapping_add(ptr, size, handle_of(handle));
}

/* Work that was given to the current context may still use it. */
CUresult cuMemUnmap(CUdeviceptr ptr, size_t size)
{
    const CUresult ready = drv_ready();
    struct drv_context *context = drv_current();

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    if (!is_range(ptr, size)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (context != NULL) {
        drv_context_wait(context);
    }
    return drv_mappings_remove(ptr, size);
}

static bool is_access(const CUmemAccessDesc *access)
{
    return is_place(&access->location) &&
           (access->flags == CU_MEM_ACCESS_FLAGS_PROT_NONE || access->flags == CU_MEM_ACCESS_FLAGS_PROT_READ ||
            access->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
}

CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc, size_t count)
{
    const CUresult ready = drv_ready();
    bool good = desc != NULL && count != 0 && is_range(ptr, size);

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    for (size_t i = 0; i < count && good; i++) {
        good = is_access(&desc[i]);
    }
    return good ? drv_mappings_grant(ptr, size, desc, count) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr ptr)
{
    const CUresult ready = drv_ready();

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    return flags == NULL || location == NULL || !is_place(location) ? CUDA_ERROR_INVALID_VALUE
                                                                    : drv_mapping_access(ptr, location, flags);
}

/* --- other processes -------------------------------------------------------------------------- */
CUresult cuMemExportToShareableHandle(void *shareableHandle, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType handleType, unsigned long long flags)
{
    CUmemAllocationProp properties;
    const CUresult ready = drv_ready();

    (void)handleType, (void)flags;
    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    return shareableHandle == NULL || drv_physical_properties(handle_of(handle), &properties) != CUDA_SUCCESS
               ? CUDA_ERROR_INVALID_VALUE
               : drv_unsupported("cuMemExportToShareableHandle");
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *osHandle,
                                        CUmemAllocationHandleType shHandleType)
{
    const CUresult ready = drv_ready();

    (void)handle, (void)osHandle, (void)shHandleType;
    return ready != CUDA_SUCCESS ? ready : drv_unsupported("cuMemImportFromShareableHandle");
}

CUresult cuMemGetHandleForAddressRange(void *handle, CUdeviceptr dptr, size_t size, CUmemRangeHandleType handleType,
                                       unsigned long long flags)
{
    const CUresult ready = drv_ready();

    (void)handle, (void)dptr, (void)size, (void)handleType, (void)flags;
    return ready != CUDA_SUCCESS ? ready : drv_unsupported("cuMemGetHandleForAddressRange");
}
