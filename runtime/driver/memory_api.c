/*
 * Memory: allocating, freeing, registering, and what an address is.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/driver/capture.h"
#include "runtime/driver/graph_memory.h"
#include "runtime/driver/memory.h"
#include "runtime/driver/pool.h"
#include "runtime/driver/stream.h"

enum { PITCH_ALIGN = 512 }; /* of rows; measured on H200 */

/* --- device memory ---------------------------------------------------------------------------- */
CUresult cuMemAlloc_v2(CUdeviceptr *dptr, size_t bytesize)
{
    struct drv_context *context;
    uint64_t address = 0;
    CUresult result = drv_check_out(drv_enter_unsafe(&context), dptr);

    if (result == CUDA_SUCCESS) {
        result = drv_memory_allocate(context, DRV_MEMORY_DEVICE, bytesize, 0, "cuMemAlloc", &address);
    }
    if (result == CUDA_SUCCESS) {
        *dptr = address;
    }
    return result;
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
                            unsigned int ElementSizeBytes)
{
    struct drv_context *context;
    uint64_t address = 0;
    CUresult result = drv_enter_unsafe(&context);
    const size_t pitch =
        WidthInBytes > SIZE_MAX - PITCH_ALIGN ? 0 : (WidthInBytes + PITCH_ALIGN - 1) / PITCH_ALIGN * PITCH_ALIGN;

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (dptr == NULL || pPitch == NULL || pitch == 0 || Height == 0 ||
        (ElementSizeBytes != 4 && ElementSizeBytes != 8 && ElementSizeBytes != 16)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (pitch > SIZE_MAX / Height) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    result = drv_memory_allocate(context, DRV_MEMORY_DEVICE, pitch * Height, 0, "cuMemAllocPitch", &address);
    if (result == CUDA_SUCCESS) {
        *dptr = address;
        *pPitch = pitch;
    }
    return result;
}

/* Freeing waits for the device, which may still use the memory. */
static CUresult free_after_work(uint64_t address, unsigned kinds)
{
    struct drv_context *context;
    struct drv_memory memory;
    CUresult result = drv_enter_unsafe(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (!drv_memory_find(address, &memory) || memory.base != address || (kinds & 1u << memory.kind) == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    result = drv_context_wait(memory.context);
    if (result == CUDA_SUCCESS && memory.context != context) {
        result = drv_context_wait(context);
    }
    if (result != CUDA_SUCCESS || drv_graph_memory_free(address, NULL, &result)) {
        return result;
    }
    return memory.kind == DRV_MEMORY_POOLED ? drv_pool_free(address) : drv_memory_free(address, kinds);
}

CUresult cuMemFree_v2(CUdeviceptr dptr)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS || dptr == 0) {
        return result;
    }
    return free_after_work(dptr, 1u << DRV_MEMORY_DEVICE | 1u << DRV_MEMORY_MANAGED | 1u << DRV_MEMORY_POOLED);
}

CUresult cuMemGetInfo_v2(size_t *available, size_t *total)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (available == NULL || total == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *available = drv_memory_free_bytes(context->device);
    *total = context->device->gpu->spec.global_bytes;
    return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr)
{
    struct drv_context *context;
    struct drv_memory memory;
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (!drv_memory_find(dptr, &memory)) {
        return CUDA_ERROR_NOT_FOUND;
    }
    if (pbase != NULL) {
        *pbase = memory.base;
    }
    if (psize != NULL) {
        *psize = memory.size;
    }
    return CUDA_SUCCESS;
}

/* --- host memory ------------------------------------------------------------------------------ */
CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags)
{
    enum { KNOWN = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED };
    struct drv_context *context;
    uint64_t address = 0;
    CUresult result = drv_enter_unsafe(&context);

    if (result == CUDA_SUCCESS && (pp == NULL || (Flags & ~(unsigned)KNOWN) != 0)) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS && bytesize == 0) {
        *pp = NULL;
        return CUDA_SUCCESS;
    }
    if (result == CUDA_SUCCESS) {
        result = drv_memory_allocate(context, DRV_MEMORY_PINNED, bytesize, Flags, "cuMemHostAlloc", &address);
    }
    if (result == CUDA_SUCCESS) {
        *pp = (void *)(uintptr_t)address;
    }
    return result;
}

CUresult cuMemAllocHost_v2(void **pp, size_t bytesize)
{
    return cuMemHostAlloc(pp, bytesize, 0);
}

CUresult cuMemFreeHost(void *p)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS || p == NULL) {
        return result;
    }
    return free_after_work((uint64_t)(uintptr_t)p, 1u << DRV_MEMORY_PINNED);
}

/* A pinned or registered host address, which devices use as it is. */
static bool find_host(const void *p, struct drv_memory *memory)
{
    return drv_memory_find((uint64_t)(uintptr_t)p, memory) &&
           (memory->kind == DRV_MEMORY_PINNED || memory->kind == DRV_MEMORY_REGISTERED);
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *pdptr, void *p, unsigned int Flags)
{
    struct drv_context *context;
    struct drv_memory memory;
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (pdptr == NULL || Flags != 0 || !find_host(p, &memory)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *pdptr = (uint64_t)(uintptr_t)p;
    return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned int *pFlags, void *p)
{
    struct drv_context *context;
    struct drv_memory memory;
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (pFlags == NULL || !find_host(p, &memory)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *pFlags = memory.flags | CU_MEMHOSTALLOC_DEVICEMAP; /* with unified addressing all of it is mapped */
    return CUDA_SUCCESS;
}

CUresult cuMemHostRegister_v2(void *p, size_t bytesize, unsigned int Flags)
{
    enum {
        KNOWN = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_READ_ONLY |
                CU_MEMHOSTREGISTER_IOMEMORY
    };
    struct drv_context *context;
    struct drv_memory memory;
    const CUresult result = drv_enter_unsafe(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (p == NULL || bytesize == 0 || (Flags & ~(unsigned)KNOWN) != 0 || (uintptr_t)p > UINTPTR_MAX - bytesize ||
        drv_is_device_address((uint64_t)(uintptr_t)p) ||
        (drv_memory_find((uint64_t)(uintptr_t)p, &memory) && memory.kind != DRV_MEMORY_REGISTERED)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return drv_memory_register(context, p, bytesize, Flags);
}

CUresult cuMemHostUnregister(void *p)
{
    struct drv_context *context;
    struct drv_memory memory;
    const CUresult result = drv_enter_unsafe(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (p == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (!drv_memory_find((uint64_t)(uintptr_t)p, &memory) || memory.kind != DRV_MEMORY_REGISTERED) {
        return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    }
    return free_after_work((uint64_t)(uintptr_t)p, 1u << DRV_MEMORY_REGISTERED);
}

/* --- managed memory --------------------------------------------------------------------------- */
CUresult cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags)
{
    struct drv_context *context;
    uint64_t address = 0;
    CUresult result = drv_enter_unsafe(&context);

    if (result == CUDA_SUCCESS && (dptr == NULL || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        result = drv_memory_allocate(context, DRV_MEMORY_MANAGED, bytesize, flags, "cuMemAllocManaged", &address);
    }
    if (result == CUDA_SUCCESS) {
        *dptr = address;
    }
    return result;
}

/* --- what an address is ----------------------------------------------------------------------- */
static bool is_host_memory(const struct drv_memory *m)
{
    return m->kind == DRV_MEMORY_PINNED || m->kind == DRV_MEMORY_REGISTERED;
}

/* A pool's memory is its device's, whoever asked for it. */
static int ordinal_of(const struct drv_memory *m)
{
    const struct drv_device *device = m->kind == DRV_MEMORY_POOLED && m->owner != NULL ? drv_pool_device(m->owner)
                                      : m->context != NULL                             ? m->context->device
                                                                                       : NULL;

    return device == NULL ? m->ordinal : device->ordinal;
}

static CUresult attribute_of(const struct drv_memory *m, CUpointer_attribute attribute, uint64_t address, void *data)
{
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *(CUcontext *)data = m->context == NULL ? NULL : m->context->handle;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(CUmemorytype *)data = is_host_memory(m) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)data = address;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (!is_host_memory(m) && m->kind != DRV_MEMORY_MANAGED) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        *(void **)data = (void *)(uintptr_t)address;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
        *(unsigned *)data = m->sync_memops;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
        *(unsigned long long *)data = m->id;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(unsigned *)data = m->kind == DRV_MEMORY_MANAGED;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)data = ordinal_of(m);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
        *(int *)data = 0;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
        *(CUdeviceptr *)data = m->base;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
        *(size_t *)data = m->size;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPED:
        *(int *)data = 1;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
        *(unsigned long long *)data = 0;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        *(CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS *)data = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        *(CUmemoryPool *)data = m->kind == DRV_MEMORY_POOLED ? drv_pool_handle(m->owner) : NULL;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr)
{
    struct drv_context *context;
    struct drv_memory memory;
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (data == NULL || !drv_memory_find(ptr, &memory)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return attribute_of(&memory, attribute, ptr, data);
}

/* How many bytes an attribute has, 0 if it is none. */
static size_t attribute_bytes(CUpointer_attribute attribute)
{
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
        return 8;
    default:
        return (unsigned)attribute >= CU_POINTER_ATTRIBUTE_CONTEXT &&
                       (unsigned)attribute <= CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE
                   ? 4
                   : 0;
    }
}

/* Of an address that nobody knows all attributes are zero, but for the ordinal and the address itself (measured on
 * H200). */
CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes, void **data,
                                CUdeviceptr ptr)
{
    struct drv_context *context;
    struct drv_memory memory;
    const CUresult result = drv_enter(&context);
    const bool known = drv_memory_find(ptr, &memory);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (attributes == NULL || data == NULL || numAttributes == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned i = 0; i < numAttributes; i++) {
        const size_t bytes = attribute_bytes(attributes[i]);

        if (bytes == 0 || data[i] == NULL) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        memset(data[i], 0, bytes);
        if (known) {
            attribute_of(&memory, attributes[i], ptr, data[i]);
        } else if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) {
            *(int *)data[i] = CU_DEVICE_INVALID;
        } else if (attributes[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER) {
            *(void **)data[i] = (void *)(uintptr_t)ptr;
        }
    }
    return CUDA_SUCCESS;
}

CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr ptr)
{
    struct drv_context *context;
    struct drv_memory memory;
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (value == NULL || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || !drv_memory_find(ptr, &memory)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    drv_memory_set_sync(memory.base, *(const unsigned *)value != 0);
    return CUDA_SUCCESS;
}

/* --- names of before 3.2
 * ------------------------------------------------------------------------------------------------------------- They
 * took 32-bit sizes when programs had 32 bits; in 64-bit programs callers pass what the new names take. */
#undef cuMemAlloc
#undef cuMemAllocPitch
#undef cuMemFree
#undef cuMemGetInfo
#undef cuMemGetAddressRange
#undef cuMemAllocHost
#undef cuMemHostGetDevicePointer
#undef cuMemHostRegister

CUresult cuMemAlloc(CUdeviceptr *dptr, size_t bytesize)
{
    return cuMemAlloc_v2(dptr, bytesize);
}

CUresult cuMemAllocPitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
                         unsigned int ElementSizeBytes)
{
    return cuMemAllocPitch_v2(dptr, pPitch, WidthInBytes, Height, ElementSizeBytes);
}

CUresult cuMemFree(CUdeviceptr dptr)
{
    return cuMemFree_v2(dptr);
}

CUresult cuMemGetInfo(size_t *available, size_t *total)
{
    return cuMemGetInfo_v2(available, total);
}

CUresult cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr)
{
    return cuMemGetAddressRange_v2(pbase, psize, dptr);
}

CUresult cuMemAllocHost(void **pp, size_t bytesize)
{
    return cuMemAllocHost_v2(pp, bytesize);
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *pdptr, void *p, unsigned int Flags)
{
    return cuMemHostGetDevicePointer_v2(pdptr, p, Flags);
}

CUresult cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags)
{
    return cuMemHostRegister_v2(p, bytesize, Flags);
}
