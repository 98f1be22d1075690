/*
 * Events of whole contexts: recorded after all that a context was given, and waited for by all that its streams are
 * given later.
 */
#include "runtime/driver/event.h"
#include "runtime/driver/join.h"

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

/* For all streams of a context, none of which may capture. */
static CUresult take_tickets(struct drv_context *context, struct drv_tickets *tickets)
{
    *tickets = (struct drv_tickets){0};
    const CUresult result = !drv_tickets_add(tickets, context) ? CUDA_ERROR_OUT_OF_MEMORY
                            : tickets->captures                ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
                                                               : CUDA_SUCCESS;

    if (result != CUDA_SUCCESS) {
        drv_tickets_drop(tickets);
    }
    return result;
}

/* In a stream of its own, so that nothing but the event waits for all of it. */
CUresult cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent)
{
    struct drv_context *context;
    struct drv_event *event;
    struct drv_tickets tickets;
    uint64_t seq;
    CUresult result = enter(hCtx, hEvent, &context, &event);

    if (result == CUDA_SUCCESS) {
        result = take_tickets(context, &tickets);
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
        result = drv_enqueue(stream, work, tickets.at, tickets.count, &seq);
    }
    if (stream != NULL) {
        pthread_mutex_lock(&drv_process()->lock);
        drv_stream_retire(stream);
        pthread_mutex_unlock(&drv_process()->lock);
    }
    drv_tickets_drop(&tickets);
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
    struct drv_tickets tickets;
    CUresult result = enter(hCtx, hEvent, &context, &event);

    if (result == CUDA_SUCCESS) {
        result = take_tickets(context, &tickets);
    }
    if (result != CUDA_SUCCESS) {
        drv_event_give(event);
        return result;
    }
    for (unsigned i = 0; i < tickets.count && result == CUDA_SUCCESS; i++) {
        if (is_destroyed(tickets.at[i].stream)) {
            continue; /* it will be given nothing any more */
        }
        result = drv_submit(tickets.at[i].stream, drv_wait_work(hEvent, event));
    }
    drv_tickets_drop(&tickets);
    drv_event_give(event);
    return result;
}
