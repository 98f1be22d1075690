/*
 * Events of whole contexts: recorded after all that a context was given, and waited for by all that its streams are
 * given later.
 */
#include <stdlib.h>

#include "runtime/driver/event.h"

/* The context, which must not capture, and the event, retained where that succeeds. */
static CUresult enter(CUcontext handle, CUevent event_handle, struct drv_context **context, struct drv_event **event)
{
    struct drv_context *current;
    CUresult result = drv_enter(&current);

    *event = NULL;
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_INVALID_CONTEXT) {
        return result;
    }
    *context = drv_context_of(handle);
    if (handle == NULL || *context == NULL) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    if ((*context)->sticky != 0) {
        return drv_event_of(event_handle) == NULL ? CUDA_ERROR_INVALID_HANDLE : (CUresult)(*context)->sticky;
    }
    *event = drv_event_take(event_handle);
    return *event == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

/* Tickets for all streams of a context; *count is how many.  CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED when one captures.
 */
static CUresult take_tickets(struct drv_context *context, struct drv_ticket **tickets, unsigned *count)
{
    CUresult result = CUDA_SUCCESS;
    unsigned streams = 0;

    *count = 0;
    pthread_mutex_lock(&drv_process()->lock);
    for (const struct drv_stream *s = context->streams; s != NULL; s = s->next) {
        streams++;
        result = s->capture != NULL ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : result;
    }
    *tickets = result == CUDA_SUCCESS ? calloc(streams + 1, sizeof **tickets) : NULL;
    if (result == CUDA_SUCCESS && *tickets == NULL) {
        result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    for (struct drv_stream *s = context->streams; s != NULL && result == CUDA_SUCCESS; s = s->next) {
        (*tickets)[(*count)++] = drv_ticket_take(s);
    }
    pthread_mutex_unlock(&drv_process()->lock);
    return result;
}

static void drop_tickets(struct drv_ticket *tickets, unsigned count)
{
    pthread_mutex_lock(&drv_process()->lock);
    for (unsigned i = 0; i < count; i++) {
        drv_ticket_drop(&tickets[i]);
    }
    pthread_mutex_unlock(&drv_process()->lock);
    free(tickets);
}

/* In a stream of its own, so that nothing but the event waits for all of it. */
CUresult cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent)
{
    struct drv_context *context;
    struct drv_event *event;
    struct drv_ticket *tickets;
    unsigned count;
    uint64_t seq;
    CUresult result = enter(hCtx, hEvent, &context, &event);

    if (result == CUDA_SUCCESS) {
        result = take_tickets(context, &tickets, &count);
    }
    if (result != CUDA_SUCCESS) {
        drv_event_give(event);
        return result;
    }
    struct drv_work *work = drv_record_work(hEvent, event);

    pthread_mutex_lock(&drv_process()->lock);
    struct drv_stream *stream = drv_stream_new(context, DRV_STREAM_PLAIN, CU_STREAM_NON_BLOCKING, 0);

    pthread_mutex_unlock(&drv_process()->lock);
    if (work == NULL || stream == NULL) {
        drv_work_release(work);
        result = CUDA_ERROR_OUT_OF_MEMORY;
    } else {
        result = drv_enqueue(stream, work, tickets, count, &seq);
    }
    if (stream != NULL) {
        pthread_mutex_lock(&drv_process()->lock);
        drv_stream_retire(stream);
        pthread_mutex_unlock(&drv_process()->lock);
    }
    drop_tickets(tickets, count);
    drv_event_give(event);
    return result;
}

static bool is_destroyed(const struct drv_stream *stream)
{
    return stream->role == DRV_STREAM_PLAIN && stream->handle == NULL;
}

CUresult cuCtxWaitEvent(CUcontext hCtx, CUevent hEvent)
{
    struct drv_context *context;
    struct drv_event *event;
    struct drv_ticket *tickets;
    unsigned count;
    CUresult result = enter(hCtx, hEvent, &context, &event);

    if (result == CUDA_SUCCESS) {
        result = take_tickets(context, &tickets, &count);
    }
    if (result != CUDA_SUCCESS) {
        drv_event_give(event);
        return result;
    }
    for (unsigned i = 0; i < count && result == CUDA_SUCCESS; i++) {
        if (is_destroyed(tickets[i].stream)) {
            continue; /* it will be given nothing any more */
        }
        result = drv_submit(tickets[i].stream, drv_wait_work(hEvent, event));
    }
    drop_tickets(tickets, count);
    drv_event_give(event);
    return result;
}
