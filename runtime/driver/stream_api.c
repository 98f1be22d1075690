/*
 * Streams: made, found and destroyed.  The default streams of threads are made when they are first asked for, and go
 * with the thread or the context, whichever ends first.
 */
#include <stdlib.h>

#include "runtime/driver/capture.h"
#include "runtime/driver/handle.h"

/* --- the default streams of a thread ---------------------------------------------------------- */
struct own_stream {
    struct own_stream *next;
    uint64_t context; /* id */
    struct drv_stream *stream;
};

static pthread_key_t own_key;
static pthread_once_t own_once = PTHREAD_ONCE_INIT;

static void forget_own(void *list)
{
    pthread_mutex_lock(&drv_process()->lock);
    for (struct own_stream *o = list; o != NULL;) {
        struct own_stream *next = o->next;

        drv_stream_leave(o->stream);
        free(o);
        o = next;
    }
    pthread_mutex_unlock(&drv_process()->lock);
}

static void make_own_key(void)
{
    pthread_key_create(&own_key, forget_own);
}

/* Lock held.  The entry of a context that has ended is used again: a thread may see many of them. */
static bool note_own(const struct drv_context *context, struct drv_stream *stream)
{
    struct own_stream *first = pthread_getspecific(own_key), *o = first;

    while (o != NULL && o->stream->context != NULL) {
        o = o->next;
    }
    if (o != NULL) {
        drv_stream_leave(o->stream);
        o->context = context->id;
        o->stream = stream;
        return true;
    }
    o = malloc(sizeof *o);
    if (o == NULL) {
        return false;
    }
    *o = (struct own_stream){first, context->id, stream};
    if (pthread_setspecific(own_key, o) != 0) {
        free(o);
        return false;
    }
    return true;
}

static struct drv_stream *own_stream(struct drv_context *context)
{
    struct drv_stream *stream = NULL;

    pthread_once(&own_once, make_own_key);
    for (struct own_stream *o = pthread_getspecific(own_key); o != NULL; o = o->next) {
        if (o->context == context->id) {
            return o->stream;
        }
    }
    pthread_mutex_lock(&drv_process()->lock);
    stream = drv_stream_keep(context, DRV_STREAM_THREAD, CU_STREAM_DEFAULT, 0);
    if (stream != NULL && !note_own(context, stream)) {
        drv_stream_leave(stream);
        stream = NULL;
    }
    pthread_mutex_unlock(&drv_process()->lock);
    return stream;
}

/* --- finding ---------------------------------------------------------------------------------- */
CUresult drv_stream_enter(CUstream handle, struct drv_stream **stream, struct drv_context **context)
{
    CUresult result;

    if (handle == NULL || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD) {
        result = drv_enter(context);
        if (result == CUDA_SUCCESS) {
            *stream = handle == CU_STREAM_PER_THREAD ? own_stream(*context) : (*context)->legacy;
            result = *stream == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
        }
        return result;
    }
    result = drv_ready();
    if (result != CUDA_SUCCESS) {
        return result;
    }
    *stream = drv_handle_get(handle, DRV_STREAM);
    if (*stream == NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    *context = (*stream)->context;
    return *context == NULL ? CUDA_ERROR_CONTEXT_IS_DESTROYED : (CUresult)(*context)->sticky;
}

/* --- making and destroying -------------------------------------------------------------------- */
CUresult cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority)
{
    enum { GREATEST = -5, LEAST = 0 };
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (phStream == NULL || (flags & ~(unsigned)CU_STREAM_NON_BLOCKING) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    priority = priority < GREATEST ? GREATEST : priority > LEAST ? LEAST : priority;
    pthread_mutex_lock(&drv_process()->lock);
    struct drv_stream *stream = drv_stream_new(context, DRV_STREAM_PLAIN, flags, priority);

    if (stream != NULL) {
        stream->handle = drv_handle_new(DRV_STREAM, stream);
        if (stream->handle == NULL) {
            drv_stream_drop(stream);
            stream = NULL;
        }
    }
    pthread_mutex_unlock(&drv_process()->lock);
    if (stream == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *phStream = stream->handle;
    return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags)
{
    return cuStreamCreateWithPriority(phStream, Flags, 0);
}

/* Work that was submitted goes on; the stream goes when it is done. */
CUresult cuStreamDestroy_v2(CUstream hStream)
{
    CUresult result = drv_ready();

    if (result != CUDA_SUCCESS) {
        return result;
    }
    pthread_mutex_lock(&drv_process()->lock);
    struct drv_stream *stream = drv_handle_get(hStream, DRV_STREAM);

    result = CUDA_ERROR_INVALID_HANDLE;
    if (stream != NULL) {
        result = (CUresult)stream->context->sticky;
        drv_capture_forget_stream(stream);
        drv_handle_drop(hStream);
        stream->handle = NULL;
        drv_stream_retire(stream);
    }
    pthread_mutex_unlock(&drv_process()->lock);
    return result;
}

#undef cuStreamDestroy
CUresult cuStreamDestroy(CUstream hStream)
{
    return cuStreamDestroy_v2(hStream);
}
