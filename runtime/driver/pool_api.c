/*
 * Memory pools: made, asked and set.
 */
#include <string.h>

#include "runtime/driver/handle.h"
#include "runtime/driver/pool.h"

static CUresult pool_of(CUmemoryPool handle, struct drv_pool **pool)
{
    const CUresult ready = drv_ready();

    *pool = drv_handle_get(handle, DRV_POOL);
    return ready != CUDA_SUCCESS ? ready : *pool == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult give(struct drv_pool *pool, CUmemoryPool *out)
{
    if (pool == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *out = pool->handle;
    return CUDA_SUCCESS;
}

/* --- pools of devices ------------------------------------------------------------------------- */
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice dev)
{
    struct drv_device *device;
    const CUresult result = drv_device_enter(dev, pool_out, &device);

    return result != CUDA_SUCCESS ? result : give(drv_pool_default(device), pool_out);
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev)
{
    struct drv_device *device;
    const CUresult result = drv_device_enter(dev, pool, &device);

    return result != CUDA_SUCCESS ? result : give(drv_pool_current(device), pool);
}

CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool)
{
    struct drv_device *device;
    struct drv_pool *p;
    CUresult result = drv_device_enter(dev, pool, &device);

    if (result == CUDA_SUCCESS) {
        result = pool_of(pool, &p);
    }
    if (result == CUDA_SUCCESS && p->device != device) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        drv_pool_set_current(device, p);
    }
    return result;
}

/* A location names a device; pools of host memory are not supported. */
static CUresult located(const CUmemLocation *location, CUmemAllocationType type, const void *out,
                        struct drv_device **device)
{
    *device = NULL;
    if (location == NULL || (type != CU_MEM_ALLOCATION_TYPE_PINNED && type != CU_MEM_ALLOCATION_TYPE_MANAGED)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (location->type != CU_MEM_LOCATION_TYPE_DEVICE || type != CU_MEM_ALLOCATION_TYPE_PINNED) {
        return drv_unsupported("a memory pool outside device memory");
    }
    return drv_device_enter(location->id, out, device);
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool_out, CUmemLocation *location, CUmemAllocationType type)
{
    struct drv_device *device;
    const CUresult result = located(location, type, pool_out, &device);

    return result != CUDA_SUCCESS ? result : give(drv_pool_default(device), pool_out);
}

CUresult cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type)
{
    struct drv_device *device;
    const CUresult result = located(location, type, pool, &device);

    return result != CUDA_SUCCESS ? result : give(drv_pool_current(device), pool);
}

CUresult cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool)
{
    struct drv_device *device;
    const CUresult result = located(location, type, pool, &device);

    return result != CUDA_SUCCESS ? result : cuDeviceSetMemPool(device->ordinal, pool);
}

/* --- pools of the program's own --------------------------------------------------------------- */
CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps)
{
    struct drv_device *device;
    CUresult result = pool == NULL || poolProps == NULL ? CUDA_ERROR_INVALID_VALUE : drv_ready();

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (poolProps->handleTypes != CU_MEM_HANDLE_TYPE_NONE) {
        return drv_unsupported("a memory pool that other processes may open");
    }
    result = located(&poolProps->location, poolProps->allocType, pool, &device);
    return result != CUDA_SUCCESS ? result : give(drv_pool_new(device, poolProps), pool);
}

CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
    struct drv_pool *p;
    const CUresult result = pool_of(pool, &p);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (p->is_default) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    drv_pool_destroy(p);
    return CUDA_SUCCESS;
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep)
{
    struct drv_pool *p;
    const CUresult result = pool_of(pool, &p);

    if (result == CUDA_SUCCESS) {
        drv_pool_trim(p, minBytesToKeep);
    }
    return result;
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
    struct drv_pool *p;
    const CUresult result = pool_of(pool, &p);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (value == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    switch (attr) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        p->reuse[attr - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] = *(const int *)value != 0;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        p->release_threshold = *(const cuuint64_t *)value;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: /* these two can only be reset */
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        if (*(const cuuint64_t *)value != 0) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        *(attr == CU_MEMPOOL_ATTR_USED_MEM_HIGH ? &p->used_high : &p->reserved_high) = 0;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
    struct drv_pool *p;
    const CUresult result = drv_check_out(pool_of(pool, &p), value);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    switch (attr) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        *(int *)value = p->reuse[attr - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES];
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        *(cuuint64_t *)value = p->release_threshold;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
        *(cuuint64_t *)value = p->reserved;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
        *(cuuint64_t *)value = p->reserved_high;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
        *(cuuint64_t *)value = p->used;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        *(cuuint64_t *)value = p->used_high;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

/* --- who may reach a pool's memory ------------------------------------------------------------ */
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count)
{
    struct drv_pool *p;
    const CUresult result = pool_of(pool, &p);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    for (size_t i = 0; i < count; i++) {
        if (map == NULL || map[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
            drv_device(map[i].location.id) == NULL ||
            (map[i].flags == CU_MEM_ACCESS_FLAGS_PROT_NONE && map[i].location.id == p->device->ordinal)) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        struct drv_device *device = drv_device(map[i].location.id);

        p->access[map[i].location.id] = map[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        if (device != p->device && p->access[map[i].location.id] &&
            mem_peer_enable(device->gpu->memory, p->device->gpu->memory) != MEM_OK) {
            return CUDA_ERROR_OUT_OF_MEMORY;
        }
    }
    return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool, CUmemLocation *location)
{
    struct drv_pool *p;
    const CUresult result = pool_of(memPool, &p);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (flags == NULL || location == NULL || location->type != CU_MEM_LOCATION_TYPE_DEVICE ||
        drv_device(location->id) == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *flags = location->id == p->device->ordinal || p->access[location->id] ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                                                                           : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
}
