/*
 * Contexts: made and ended, the stack of each thread, and the error that makes one useless.
 */
#include "runtime/driver/context.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/driver/handle.h"
#include "runtime/driver/memory.h"
#include "runtime/driver/module.h"
#include "runtime/driver/pool.h"
#include "runtime/driver/stream.h"
#include "runtime/driver/texture.h"

enum { STACK_MOST = 256, CONTEXT_API_VERSION = 3020 };

/* Handles, not pointers: a context on the stack may be destroyed by another thread. */
static _Thread_local struct {
    CUcontext at[STACK_MOST];
    unsigned depth;
} stack;

/* --- looking up ------------------------------------------------------------------------------- */
struct drv_context *drv_current(void)
{
    return stack.depth == 0 ? NULL : drv_handle_get(stack.at[stack.depth - 1], DRV_CONTEXT);
}

struct drv_context *drv_context_of(CUcontext handle)
{
    return handle == NULL ? drv_current() : drv_handle_get(handle, DRV_CONTEXT);
}

CUcontext drv_context_handle(struct drv_context *context)
{
    return context->handle;
}

CUresult drv_enter(struct drv_context **context)
{
    const CUresult ready = drv_ready();

    *context = NULL;
    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    if (drv_in_callback()) {
        return CUDA_ERROR_NOT_PERMITTED;
    }
    *context = drv_current();
    if (*context == NULL) {
        return stack.depth == 0 ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_CONTEXT_IS_DESTROYED;
    }
    return (CUresult)(*context)->sticky;
}

void drv_context_fail(struct drv_context *context, CUresult error)
{
    int none = 0;

    __atomic_compare_exchange_n((int *)&context->sticky, &none, (int)error, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* --- making and ending ------------------------------------------------------------------------ */
static void default_limits(const struct emu_spec *spec, size_t *limits)
{
    /* The defaults of the driver for GPUs of this class; measured on H200. */
    limits[CU_LIMIT_STACK_SIZE] = 1024;
    limits[CU_LIMIT_PRINTF_FIFO_SIZE] = 8650752;
    limits[CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20;
    limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048;
    limits[CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64;
    limits[CU_LIMIT_PERSISTING_L2_CACHE_SIZE] = spec->l2_bytes / 16 * 3;
    limits[CU_LIMIT_SHMEM_SIZE] = spec->shared_per_cta_optin;
}

static struct drv_context *context_new(struct drv_device *device, unsigned flags)
{
    static _Atomic uint64_t next_id = 1;
    struct drv_context *c = calloc(1, sizeof *c);

    if (c == NULL) {
        return NULL;
    }
    c->device = device;
    c->flags = flags;
    c->api_version = CONTEXT_API_VERSION;
    c->id = next_id++;
    pthread_mutex_init(&c->printf.lock, NULL);
    default_limits(&device->gpu->spec, c->limits);
    pthread_mutex_lock(&drv_process()->lock);
    c->legacy = drv_stream_new(c, DRV_STREAM_LEGACY, CU_STREAM_DEFAULT, 0);
    pthread_mutex_unlock(&drv_process()->lock);
    c->handle = c->legacy == NULL ? NULL : drv_handle_new(DRV_CONTEXT, c);
    if (c->handle == NULL) {
        if (c->legacy != NULL) {
            drv_streams_end(c);
        }
        free(c);
        return NULL;
    }
    pthread_mutex_lock(&drv_process()->lock);
    device->contexts++;
    pthread_mutex_unlock(&drv_process()->lock);
    return c;
}

/* The heap of kernels, which all contexts of a device share, goes with the last of them. */
static void leave_device(struct drv_device *device)
{
    pthread_mutex_lock(&drv_process()->lock);
    const bool last = --device->contexts == 0;

    pthread_mutex_unlock(&drv_process()->lock);
    if (last) {
        rt_drop_heap(device->gpu);
    }
}

/* What belongs to a context goes with it; output of kernels is shown. */
static void context_end(struct drv_context *c)
{
    drv_handle_drop(c->handle);
    drv_streams_end(c);
    drv_printf_flush(c);
    drv_modules_end(c);
    drv_textures_end(c);
    drv_arrays_end(c);
    drv_pools_end(c);
    drv_memory_end(c);
    leave_device(c->device);
    pthread_mutex_destroy(&c->printf.lock);
    free(c->printf.text);
    free(c);
}

/* The primary context, made when there is none, with so many references more. */
static CUresult take_primary(struct drv_device *device, unsigned references, struct drv_context **out)
{
    pthread_mutex_t *lock = &drv_process()->lock;
    struct drv_context *made = NULL;

    pthread_mutex_lock(lock);
    if (device->primary == NULL) {
        pthread_mutex_unlock(lock);
        made = context_new(device, device->primary_flags);
        if (made == NULL) {
            return CUDA_ERROR_OUT_OF_MEMORY;
        }
        made->primary = true;
        pthread_mutex_lock(lock);
        if (device->primary == NULL) { /* no other thread was first */
            device->primary = made;
            made = NULL;
        }
    }
    *out = device->primary;
    device->primary_references += references;
    pthread_mutex_unlock(lock);
    if (made != NULL) {
        context_end(made);
    }
    return CUDA_SUCCESS;
}

CUresult drv_primary(struct drv_device *device, struct drv_context **out)
{
    return take_primary(device, 0, out);
}

/* --- primary contexts ------------------------------------------------------------------------- */
static CUresult device_of(CUdevice ordinal, struct drv_device **device)
{
    const CUresult ready = drv_ready();

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    *device = drv_device(ordinal);
    return *device == NULL ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev)
{
    struct drv_device *device;
    struct drv_context *context;
    CUresult result = drv_check_out(device_of(dev, &device), pctx);

    if (result == CUDA_SUCCESS) {
        result = take_primary(device, 1, &context);
    }
    if (result == CUDA_SUCCESS) {
        *pctx = context->handle;
    }
    return result;
}

/* Take the primary context away from its device: at once, or when nobody retains it any more. */
static struct drv_context *detach_primary(struct drv_device *device, bool reset, CUresult *result)
{
    struct drv_context *context = NULL;

    pthread_mutex_lock(&drv_process()->lock);
    if (!reset && device->primary_references == 0) {
        *result = CUDA_ERROR_INVALID_CONTEXT;
    } else if (reset || --device->primary_references == 0) {
        context = device->primary;
        device->primary = NULL;
    }
    pthread_mutex_unlock(&drv_process()->lock);
    return context;
}

static CUresult give_up_primary(CUdevice dev, bool reset)
{
    struct drv_device *device;
    CUresult result = device_of(dev, &device);
    struct drv_context *context = result == CUDA_SUCCESS ? detach_primary(device, reset, &result) : NULL;

    if (context != NULL) {
        context_end(context);
    }
    return result;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev)
{
    return give_up_primary(dev, false);
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice dev)
{
    return give_up_primary(dev, true);
}

static bool flags_are_known(unsigned flags)
{
    const unsigned schedule = flags & CU_CTX_SCHED_MASK;

    return (flags & ~(unsigned)CU_CTX_FLAGS_MASK) == 0 &&
           (schedule == CU_CTX_SCHED_AUTO || schedule == CU_CTX_SCHED_SPIN || schedule == CU_CTX_SCHED_YIELD ||
            schedule == CU_CTX_SCHED_BLOCKING_SYNC);
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags)
{
    struct drv_device *device;
    const CUresult result = device_of(dev, &device);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (!flags_are_known(flags)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    pthread_mutex_lock(&drv_process()->lock);
    device->primary_flags = flags;
    if (device->primary != NULL) {
        device->primary->flags = flags;
    }
    pthread_mutex_unlock(&drv_process()->lock);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active)
{
    struct drv_device *device;
    const CUresult result = device_of(dev, &device);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (flags == NULL || active == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *flags = device->primary_flags;
    *active = device->primary != NULL;
    return CUDA_SUCCESS;
}

/* Before version 11 flags and references were the same, but for their errors. */
CUresult cuDevicePrimaryCtxRelease(CUdevice dev);
CUresult cuDevicePrimaryCtxReset(CUdevice dev);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags);
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuDevicePrimaryCtxSetFlags

CUresult cuDevicePrimaryCtxRelease(CUdevice dev)
{
    return cuDevicePrimaryCtxRelease_v2(dev);
}

CUresult cuDevicePrimaryCtxReset(CUdevice dev)
{
    return cuDevicePrimaryCtxReset_v2(dev);
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags)
{
    return cuDevicePrimaryCtxSetFlags_v2(dev, flags);
}

/* --- contexts of the program's own ------------------------------------------------------------ */
static CUresult push(CUcontext handle)
{
    if (stack.depth == STACK_MOST) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    stack.at[stack.depth++] = handle;
    return CUDA_SUCCESS;
}

static CUresult create(CUcontext *pctx, unsigned flags, CUdevice dev)
{
    struct drv_device *device;
    CUresult result = device_of(dev, &device);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (pctx == NULL || !flags_are_known(flags)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct drv_context *context = context_new(device, flags);

    if (context == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    result = push(context->handle);
    if (result != CUDA_SUCCESS) {
        context_end(context);
        return result;
    }
    *pctx = context->handle;
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v4(CUcontext *pctx, CUctxCreateParams *params, unsigned int flags, CUdevice dev)
{
    if (params != NULL && (params->numExecAffinityParams != 0 || params->cigParams != NULL)) {
        return drv_unsupported("cuCtxCreate with execution affinity or graphics parameters");
    }
    return create(pctx, flags, dev);
}

CUresult cuCtxCreate_v3(CUcontext *pctx, CUexecAffinityParam *affinity, int count, unsigned int flags, CUdevice dev)
{
    if (affinity != NULL && count != 0) {
        return drv_unsupported("cuCtxCreate with execution affinity");
    }
    return create(pctx, flags, dev);
}

CUresult cuCtxCreate_v2(CUcontext *pctx, unsigned int flags, CUdevice dev)
{
    return create(pctx, flags, dev);
}

#undef cuCtxCreate
CUresult cuCtxCreate(CUcontext *pctx, unsigned int flags, CUdevice dev)
{
    return create(pctx, flags, dev);
}

/* Only one thread ends a context: whoever gets it here. */
static CUresult begin_end(CUcontext handle, struct drv_context **context)
{
    CUresult result = CUDA_ERROR_INVALID_CONTEXT;

    pthread_mutex_lock(&drv_process()->lock);
    *context = drv_handle_get(handle, DRV_CONTEXT);
    if (*context != NULL && !(*context)->primary && !(*context)->ending) {
        (*context)->ending = true;
        result = CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&drv_process()->lock);
    return result;
}

/* A destroyed context leaves the stack of the thread that destroys it, if it is on top. */
CUresult cuCtxDestroy_v2(CUcontext ctx)
{
    CUresult result = drv_ready();
    struct drv_context *context;

    if (result == CUDA_SUCCESS) {
        result = ctx == NULL ? CUDA_ERROR_INVALID_VALUE : begin_end(ctx, &context);
    }
    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (stack.depth > 0 && stack.at[stack.depth - 1] == ctx) {
        stack.depth--;
    }
    context_end(context);
    return CUDA_SUCCESS;
}

#undef cuCtxDestroy
CUresult cuCtxDestroy(CUcontext ctx)
{
    return cuCtxDestroy_v2(ctx);
}

/* --- the stack -------------------------------------------------------------------------------- */
CUresult cuCtxPushCurrent_v2(CUcontext ctx)
{
    const CUresult ready = drv_ready();

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    return ctx == NULL || drv_context_of(ctx) == NULL ? CUDA_ERROR_INVALID_CONTEXT : push(ctx);
}

CUresult cuCtxPopCurrent_v2(CUcontext *pctx)
{
    const CUresult ready = drv_ready();

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    if (stack.depth == 0) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    stack.depth--;
    if (pctx != NULL) {
        *pctx = stack.at[stack.depth];
    }
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext ctx)
{
    const CUresult ready = drv_ready();

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    if (ctx != NULL && drv_context_of(ctx) == NULL) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (stack.depth > 0) {
        stack.depth--;
    }
    return ctx == NULL ? CUDA_SUCCESS : push(ctx);
}

CUresult cuCtxGetCurrent(CUcontext *pctx)
{
    const CUresult ready = drv_check_out(drv_ready(), pctx);

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    struct drv_context *context = drv_current();

    *pctx = context == NULL ? NULL : context->handle;
    return CUDA_SUCCESS;
}

#undef cuCtxPushCurrent
CUresult cuCtxPushCurrent(CUcontext ctx)
{
    return cuCtxPushCurrent_v2(ctx);
}

#undef cuCtxPopCurrent
CUresult cuCtxPopCurrent(CUcontext *pctx)
{
    return cuCtxPopCurrent_v2(pctx);
}
