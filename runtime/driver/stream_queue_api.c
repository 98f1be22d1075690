/*
 * Streams: the calls that name a stream which may be the default one.  Compiled twice, see stream.h.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/driver/capture.h"
#include "runtime/driver/memory.h"

/* A stream that is waited for, or asked whether it has ended: captures may be in the way. */
static CUresult enter_to_wait(CUstream handle, struct drv_stream **stream, struct drv_context **context)
{
    CUresult result = drv_stream_enter(drv_stream_given(handle), stream, context);

    if (result == CUDA_SUCCESS) {
        pthread_mutex_lock(&drv_process()->lock);
        result = drv_capture_permits_wait(*stream);
        pthread_mutex_unlock(&drv_process()->lock);
    }
    return result;
}

CUresult cuStreamSynchronize(CUstream hStream)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = enter_to_wait(hStream, &stream, &context);

    return result == CUDA_SUCCESS ? drv_stream_wait(stream) : result;
}

CUresult cuStreamQuery(CUstream hStream)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = enter_to_wait(hStream, &stream, &context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    return drv_stream_idle(stream) ? (CUresult)context->sticky : CUDA_ERROR_NOT_READY;
}

CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int flags)
{
    struct drv_stream *stream;
    struct drv_context *context;
    CUresult result = drv_stream_enter(drv_stream_given(hStream), &stream, &context);
    struct drv_event *event = result == CUDA_SUCCESS ? drv_event_take(hEvent) : NULL;

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (event == NULL) {
        result = CUDA_ERROR_INVALID_HANDLE;
    } else if ((flags & ~(unsigned)CU_EVENT_WAIT_EXTERNAL) != 0) {
        result = CUDA_ERROR_INVALID_VALUE;
    } else if ((flags & CU_EVENT_WAIT_EXTERNAL) != 0) {
        result = drv_capture_external(stream, drv_wait_work(hEvent, event));
    } else {
        result = drv_submit(stream, drv_wait_work(hEvent, event));
    }
    drv_event_give(event);
    return result;
}

static CUresult record(CUevent hEvent, CUstream hStream, unsigned flags)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_stream_enter(hStream, &stream, &context);

    return result != CUDA_SUCCESS ? result : drv_event_record(stream, hEvent, flags);
}

CUresult cuEventRecord(CUevent hEvent, CUstream hStream)
{
    return record(hEvent, drv_stream_given(hStream), 0);
}

CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags)
{
    return record(hEvent, drv_stream_given(hStream), flags);
}

/* --- functions of the program ----------------------------------------------------------------- */
CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_stream_enter(drv_stream_given(hStream), &stream, &context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    return fn == NULL ? CUDA_ERROR_INVALID_VALUE : drv_submit(stream, drv_host_work(fn, userData));
}

CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData, unsigned int flags)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUstream given = drv_stream_given(hStream);
    const CUresult result = drv_stream_enter(given, &stream, &context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (callback == NULL || flags != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (stream->capture != NULL) {
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    return drv_submit(stream, drv_callback_work(hStream, callback, userData));
}

/* --- what a stream is ------------------------------------------------------------------------- */
CUresult cuStreamGetFlags(CUstream hStream, unsigned int *flags)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_check_out(drv_stream_enter(drv_stream_given(hStream), &stream, &context), flags);

    if (result == CUDA_SUCCESS) {
        *flags = stream->flags;
    }
    return result;
}

CUresult cuStreamGetPriority(CUstream hStream, int *priority)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_check_out(drv_stream_enter(drv_stream_given(hStream), &stream, &context), priority);

    if (result == CUDA_SUCCESS) {
        *priority = stream->priority;
    }
    return result;
}

CUresult cuStreamGetId(CUstream hStream, unsigned long long *id)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_check_out(drv_stream_enter(drv_stream_given(hStream), &stream, &context), id);

    if (result == CUDA_SUCCESS) {
        *id = stream->id;
    }
    return result;
}

CUresult cuStreamGetDevice(CUstream hStream, CUdevice *device)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_check_out(drv_stream_enter(drv_stream_given(hStream), &stream, &context), device);

    if (result == CUDA_SUCCESS) {
        *device = context->device->ordinal;
    }
    return result;
}

#undef cuStreamGetCtx
#undef cuStreamGetCtx_v2
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cuStreamGetCtx    cuStreamGetCtx_ptsz
#define cuStreamGetCtx_v2 cuStreamGetCtx_v2_ptsz
#endif

CUresult cuStreamGetCtx(CUstream hStream, CUcontext *pctx)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_check_out(drv_stream_enter(drv_stream_given(hStream), &stream, &context), pctx);

    if (result == CUDA_SUCCESS) {
        *pctx = context->handle;
    }
    return result;
}

CUresult cuStreamGetCtx_v2(CUstream hStream, CUcontext *pCtx, CUgreenCtx *pGreenCtx)
{
    if (pGreenCtx != NULL) {
        *pGreenCtx = NULL;
    }
    return cuStreamGetCtx(hStream, pCtx);
}

/* --- attributes ------------------------------------------------------------------------------- */
static bool is_stream_attribute(CUstreamAttrID attribute)
{
    return attribute == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW ||
           attribute == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY || attribute == CU_LAUNCH_ATTRIBUTE_PRIORITY ||
           attribute == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN || attribute == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP;
}

CUresult cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue *value_out)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_stream_enter(drv_stream_given(hStream), &stream, &context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (value_out == NULL || !is_stream_attribute(attr)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *value_out = stream->attributes[attr];
    if (attr == CU_LAUNCH_ATTRIBUTE_PRIORITY) {
        value_out->priority = stream->priority;
    }
    return CUDA_SUCCESS;
}

CUresult cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue *value)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_stream_enter(drv_stream_given(hStream), &stream, &context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (value == NULL || !is_stream_attribute(attr)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    stream->attributes[attr] = *value;
    return CUDA_SUCCESS;
}

CUresult cuStreamCopyAttributes(CUstream dst, CUstream src)
{
    struct drv_stream *to, *from;
    struct drv_context *context;
    CUresult result = drv_stream_enter(drv_stream_given(src), &from, &context);

    if (result == CUDA_SUCCESS) {
        result = drv_stream_enter(drv_stream_given(dst), &to, &context);
    }
    if (result == CUDA_SUCCESS) {
        memcpy(to->attributes, from->attributes, sizeof to->attributes);
    }
    return result;
}

/* Managed memory is one memory for the host and all devices here: whose it is changes nothing. */
CUresult cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags)
{
    struct drv_stream *stream;
    struct drv_context *context;
    struct drv_memory memory;
    const CUresult result = drv_stream_enter(drv_stream_given(hStream), &stream, &context);

    (void)length;
    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (!drv_memory_find(dptr, &memory) || memory.kind != DRV_MEMORY_MANAGED ||
        (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST && flags != CU_MEM_ATTACH_SINGLE)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return drv_submit(stream, drv_empty_work());
}
