/*
 * Contexts: what programs ask and set.
 */
#include <string.h>

#include "runtime/driver/capture.h"
#include "runtime/driver/memory.h"

/* A context that the caller names (NULL: the current one), whatever its state. */
static CUresult context_given(CUcontext handle, struct drv_context **context)
{
    const CUresult ready = drv_ready();

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    *context = drv_context_of(handle);
    return *context != NULL ? CUDA_SUCCESS
           : handle == NULL ? CUDA_ERROR_INVALID_CONTEXT
                            : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx)
{
    struct drv_context *context;
    const CUresult result = drv_check_out(context_given(ctx, &context), device);

    if (result == CUDA_SUCCESS) {
        *device = context->device->ordinal;
    }
    return result;
}

#undef cuCtxGetDevice
CUresult cuCtxGetDevice(CUdevice *device)
{
    return cuCtxGetDevice_v2(device, NULL);
}

static CUresult synchronize(struct drv_context *context)
{
    CUresult result = (CUresult)context->sticky;

    if (result == CUDA_SUCCESS) {
        result = drv_capture_permits();
    }
    return result == CUDA_SUCCESS ? drv_context_wait(context) : result;
}

CUresult cuCtxSynchronize_v2(CUcontext ctx)
{
    struct drv_context *context;
    const CUresult result = context_given(ctx, &context);

    return result != CUDA_SUCCESS ? result : synchronize(context);
}

#undef cuCtxSynchronize
CUresult cuCtxSynchronize(void)
{
    return cuCtxSynchronize_v2(NULL);
}

CUresult cuCtxGetFlags(unsigned int *flags)
{
    struct drv_context *context;
    const CUresult result = drv_check_out(context_given(NULL, &context), flags);

    if (result == CUDA_SUCCESS) {
        *flags = context->flags | CU_CTX_MAP_HOST; /* which there is no way to switch off any more */
    }
    return result;
}

CUresult cuCtxSetFlags(unsigned int flags)
{
    struct drv_context *context;
    const CUresult result = context_given(NULL, &context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if ((flags & ~(unsigned)CU_CTX_FLAGS_MASK) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    context->flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext ctx, unsigned long long *id)
{
    struct drv_context *context;
    const CUresult result = drv_check_out(context_given(ctx, &context), id);

    if (result == CUDA_SUCCESS) {
        *id = context->id;
    }
    return result;
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version)
{
    struct drv_context *context;
    const CUresult result = drv_check_out(context_given(ctx, &context), version);

    if (result == CUDA_SUCCESS) {
        *version = context->api_version;
    }
    return result;
}

/* --- limits and preferences ------------------------------------------------------------------- */
/* CUDA_ERROR_UNSUPPORTED_LIMIT for what went with the old device run-time library, and what only graphics in contexts
 * have. */
static CUresult check_limit(CUlimit limit)
{
    return (unsigned)limit >= CU_LIMIT_MAX ? CUDA_ERROR_INVALID_VALUE
           : limit == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH || limit == CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED
               ? CUDA_ERROR_UNSUPPORTED_LIMIT
               : CUDA_SUCCESS;
}

/* Limits that tell about the GPU, which nobody can set. */
static bool is_fixed(CUlimit limit)
{
    return limit == CU_LIMIT_SHMEM_SIZE || limit == CU_LIMIT_CIG_ENABLED;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (check_limit(limit) != CUDA_SUCCESS) {
        return check_limit(limit);
    }
    if (is_fixed(limit)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (limit == CU_LIMIT_STACK_SIZE && value > context->device->gpu->spec.local_per_thread) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (limit == CU_LIMIT_MALLOC_HEAP_SIZE && value != context->limits[limit] &&
        !rt_set_heap_bytes(context->device->gpu, value)) {
        return CUDA_ERROR_INVALID_VALUE; /* kernels use the heap already */
    }
    context->limits[limit] = value;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    struct drv_context *context;
    const CUresult result = drv_check_out(drv_enter(&context), value);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (check_limit(limit) != CUDA_SUCCESS) {
        return check_limit(limit);
    }
    *value = context->limits[limit];
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
    struct drv_context *context;
    const CUresult result = drv_check_out(drv_enter(&context), config);

    if (result == CUDA_SUCCESS) {
        *config = context->cache_config;
    }
    return result;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    context->cache_config = config;
    return CUDA_SUCCESS;
}

/* GPUs since Maxwell have banks of four bytes; the setting is taken and changes nothing. */
CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
    struct drv_context *context;
    const CUresult result = drv_check_out(drv_enter(&context), config);

    if (result == CUDA_SUCCESS) {
        *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    }
    return result;
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    return (unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (least != NULL) {
        *least = 0;
    }
    if (greatest != NULL) {
        *greatest = -5; /* measured on H200 */
    }
    return CUDA_SUCCESS;
}

CUresult cuCtxResetPersistingL2Cache(void)
{
    struct drv_context *context;

    return drv_enter(&context);
}

CUresult cuCtxGetExecAffinity(CUexecAffinityParam *affinity, CUexecAffinityType type)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    (void)type;
    return result != CUDA_SUCCESS ? result
           : affinity == NULL     ? CUDA_ERROR_INVALID_VALUE
                                  : CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
}

CUresult cuCtxAttach(CUcontext *pctx, unsigned int flags)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (pctx == NULL || flags != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *pctx = context->handle;
    return CUDA_SUCCESS;
}

CUresult cuCtxDetach(CUcontext ctx)
{
    struct drv_context *context;

    return context_given(ctx, &context);
}

/* --- peers ------------------------------------------------------------------------------------ */
CUresult cuDeviceCanAccessPeer(int *can, CUdevice dev, CUdevice peer)
{
    const CUresult ready = drv_check_out(drv_ready(), can);

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    if (drv_device(dev) == NULL || drv_device(peer) == NULL) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    *can = dev != peer;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice dev, CUdevice peer)
{
    const CUresult ready = drv_ready();

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    if (drv_device(dev) == NULL || drv_device(peer) == NULL || dev == peer) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    if (value == NULL || (unsigned)attribute < CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK ||
        (unsigned)attribute > CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *value = attribute != CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK;
    return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
    struct drv_context *context, *other = drv_context_of(peer);
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (flags != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (peer == NULL || other == NULL || other == context) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (other->device == context->device) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    if (context->peers[other->device->ordinal]) {
        return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    }
    if (mem_peer_enable(context->device->gpu->memory, other->device->gpu->memory) != MEM_OK) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    context->peers[other->device->ordinal] = true;
    return CUDA_SUCCESS;
}

CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    struct drv_context *context, *other = drv_context_of(peer);
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (peer == NULL || other == NULL) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (!context->peers[other->device->ordinal]) {
        return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    }
    context->peers[other->device->ordinal] = false;
    mem_peer_disable(context->device->gpu->memory, other->device->gpu->memory);
    return CUDA_SUCCESS;
}
