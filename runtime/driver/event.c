/*
 * Events: made, queried, and the work that marks one as reached.
 */
#include "runtime/driver/event.h"

#include <stdlib.h>
#include <time.h>

#include "runtime/driver/capture.h"
#include "runtime/driver/handle.h"

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct drv_event *drv_event_of(CUevent handle)
{
    return drv_handle_get(handle, DRV_EVENT);
}

struct drv_event *drv_event_take(CUevent handle)
{
    pthread_mutex_lock(&drv_process()->lock);
    struct drv_event *event = drv_event_of(handle);

    if (event != NULL) {
        drv_event_retain(event);
    }
    pthread_mutex_unlock(&drv_process()->lock);
    return event;
}

void drv_event_give(struct drv_event *event)
{
    if (event != NULL) {
        pthread_mutex_lock(&drv_process()->lock);
        drv_event_drop(event);
        pthread_mutex_unlock(&drv_process()->lock);
    }
}

void drv_event_retain(struct drv_event *event)
{
    event->references++;
}

void drv_event_drop(struct drv_event *event)
{
    if (--event->references == 0) {
        drv_capture_forget_event(event);
        drv_ticket_drop(&event->ticket);
        free(event);
    }
}

/* --- work ------------------------------------------------------------------------------------- */
static CUresult run_record(struct drv_work *work, struct drv_context *context)
{
    (void)context;
    ((struct drv_event_work *)work)->event->time_ns = now_ns();
    return CUDA_SUCCESS;
}

static void release_event_work(struct drv_work *work)
{
    struct drv_event_work *w = (struct drv_event_work *)work;

    pthread_mutex_lock(&drv_process()->lock);
    drv_event_drop(w->event);
    pthread_mutex_unlock(&drv_process()->lock);
    free(w);
}

static struct drv_work *event_work(const struct drv_work_class *class, CUevent handle, struct drv_event *event)
{
    struct drv_event_work *w = malloc(sizeof *w);

    if (w == NULL) {
        return NULL;
    }
    *w = (struct drv_event_work){{class, 1}, event, handle};
    pthread_mutex_lock(&drv_process()->lock);
    drv_event_retain(event);
    pthread_mutex_unlock(&drv_process()->lock);
    return &w->work;
}

struct drv_work *drv_record_work(CUevent handle, struct drv_event *event)
{
    static const struct drv_work_class class = {
        .kind = DRV_WORK_RECORD, .brief = true, .run = run_record, .release = release_event_work};

    return event_work(&class, handle, event);
}

struct drv_work *drv_wait_work(CUevent handle, struct drv_event *event)
{
    static const struct drv_work_class class = {.kind = DRV_WORK_WAIT, .brief = true, .release = release_event_work};

    return event_work(&class, handle, event);
}

/* --- the API ---------------------------------------------------------------------------------- */
enum { EVENT_FLAGS = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS };

CUresult cuEventCreate(CUevent *phEvent, unsigned int flags)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (phEvent == NULL || (flags & ~(unsigned)EVENT_FLAGS) != 0 ||
        ((flags & CU_EVENT_INTERPROCESS) != 0 && (flags & CU_EVENT_DISABLE_TIMING) == 0)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct drv_event *event = calloc(1, sizeof *event);
    void *handle = event == NULL ? NULL : drv_handle_new(DRV_EVENT, event);

    if (handle == NULL) {
        free(event);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    event->context = context->handle;
    event->flags = flags;
    event->references = 1;
    *phEvent = handle;
    return CUDA_SUCCESS;
}

/* The error that an event's context has, if it is still there. */
static CUresult error_of_context(const struct drv_event *event)
{
    const struct drv_context *context = drv_context_of(event->context);

    return context == NULL ? CUDA_SUCCESS : (CUresult)context->sticky;
}

CUresult cuEventDestroy_v2(CUevent hEvent)
{
    CUresult result = drv_ready();

    if (result != CUDA_SUCCESS) {
        return result;
    }
    pthread_mutex_lock(&drv_process()->lock);
    struct drv_event *event = drv_event_of(hEvent);

    result = CUDA_ERROR_INVALID_HANDLE;
    if (event != NULL) {
        result = error_of_context(event); /* which does not keep it from going */
        drv_handle_drop(hEvent);
        drv_event_drop(event);
    }
    pthread_mutex_unlock(&drv_process()->lock);
    return result;
}

#undef cuEventDestroy
CUresult cuEventDestroy(CUevent hEvent)
{
    return cuEventDestroy_v2(hEvent);
}

/* The event of a handle, with the state of what it waits for. */
static CUresult look(CUevent handle, struct drv_event **event, struct drv_ticket *ticket)
{
    const CUresult ready = drv_ready();
    CUresult result = CUDA_SUCCESS;

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    *event = drv_event_take(handle);
    if (*event == NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    pthread_mutex_lock(&drv_process()->lock);
    result = error_of_context(*event);
    if (result == CUDA_SUCCESS) {
        result = drv_capture_permits_event(*event);
    }
    if (result == CUDA_SUCCESS) {
        *ticket = (*event)->ticket;
        if (ticket->stream != NULL) {
            ticket->stream->references++;
            result = ticket->stream->context == NULL ? CUDA_SUCCESS : (CUresult)ticket->stream->context->sticky;
        }
    }
    pthread_mutex_unlock(&drv_process()->lock);
    return result;
}

static void put_back(struct drv_event *event, struct drv_ticket *ticket)
{
    drv_event_give(event);
    pthread_mutex_lock(&drv_process()->lock);
    drv_ticket_drop(ticket);
    pthread_mutex_unlock(&drv_process()->lock);
}

CUresult cuEventQuery(CUevent hEvent)
{
    struct drv_event *event = NULL;
    struct drv_ticket ticket = {0};
    CUresult result = look(hEvent, &event, &ticket);

    if (result == CUDA_SUCCESS) {
        pthread_mutex_lock(&drv_process()->lock);
        result = drv_ticket_done(&ticket) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
        pthread_mutex_unlock(&drv_process()->lock);
    }
    put_back(event, &ticket);
    return result;
}

CUresult cuEventSynchronize(CUevent hEvent)
{
    struct drv_event *event = NULL;
    struct drv_ticket ticket = {0};
    CUresult result = look(hEvent, &event, &ticket);

    if (result == CUDA_SUCCESS && drv_in_callback()) {
        result = CUDA_ERROR_NOT_PERMITTED;
    }
    if (result == CUDA_SUCCESS) {
        drv_ticket_wait(ticket);
        struct drv_context *context = ticket.stream == NULL ? NULL : ticket.stream->context;

        if (context != NULL) {
            drv_printf_flush(context);
            result = (CUresult)context->sticky;
        }
    }
    put_back(event, &ticket);
    return result;
}

static CUresult reached(CUevent handle, uint64_t *time_ns)
{
    struct drv_event *event = NULL;
    struct drv_ticket ticket = {0};
    CUresult result = look(handle, &event, &ticket);

    if (result == CUDA_SUCCESS) {
        pthread_mutex_lock(&drv_process()->lock);
        *time_ns = event->time_ns;
        if ((event->flags & CU_EVENT_DISABLE_TIMING) != 0 || !event->recorded) {
            result = CUDA_ERROR_INVALID_HANDLE;
        } else if (!drv_ticket_done(&ticket)) {
            result = CUDA_ERROR_NOT_READY;
        }
        pthread_mutex_unlock(&drv_process()->lock);
    }
    put_back(event, &ticket);
    return result;
}

CUresult drv_event_record(struct drv_stream *stream, CUevent handle, unsigned flags)
{
    struct drv_event *event = drv_event_take(handle);
    CUresult result;

    if (event == NULL || event->context != stream->context->handle) {
        result = CUDA_ERROR_INVALID_HANDLE;
    } else if ((flags & ~(unsigned)CU_EVENT_RECORD_EXTERNAL) != 0) {
        result = CUDA_ERROR_INVALID_VALUE;
    } else if ((flags & CU_EVENT_RECORD_EXTERNAL) != 0) {
        result = drv_capture_external(stream, drv_record_work(handle, event));
    } else {
        result = drv_submit(stream, drv_record_work(handle, event));
    }
    drv_event_give(event);
    return result;
}

/* Clocks of two devices are not compared. */
static bool same_device(CUevent a, CUevent b)
{
    struct drv_event *events[2] = {drv_event_take(a), drv_event_take(b)};
    const struct drv_context *contexts[2];

    for (int i = 0; i < 2; i++) {
        contexts[i] = events[i] == NULL ? NULL : drv_context_of(events[i]->context);
        drv_event_give(events[i]);
    }
    return contexts[0] == NULL || contexts[1] == NULL || contexts[0]->device == contexts[1]->device;
}

CUresult cuEventElapsedTime_v2(float *pMilliseconds, CUevent hStart, CUevent hEnd)
{
    uint64_t start = 0, end = 0;
    CUresult result = pMilliseconds == NULL ? CUDA_ERROR_INVALID_HANDLE : reached(hStart, &start); /* as on H200 */

    if (result == CUDA_SUCCESS) {
        result = reached(hEnd, &end);
    }
    if (result == CUDA_SUCCESS && !same_device(hStart, hEnd)) {
        result = CUDA_ERROR_INVALID_HANDLE; /* as on H200 */
    }
    if (result == CUDA_SUCCESS) {
        *pMilliseconds = (float)((double)(int64_t)(end - start) * 1e-6);
    }
    return result;
}

#undef cuEventElapsedTime
CUresult cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd)
{
    return cuEventElapsedTime_v2(pMilliseconds, hStart, hEnd);
}
