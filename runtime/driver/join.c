/*
 * Work that concerns all of a context.  See join.h.
 */
#include "runtime/driver/join.h"

#include <stdlib.h>

#include "runtime/driver/capture.h"

bool drv_tickets_add(struct drv_tickets *t, struct drv_context *context)
{
    unsigned streams = 0;

    pthread_mutex_lock(&drv_process()->lock);
    for (const struct drv_stream *s = context->streams; s != NULL; s = s->next) {
        streams++;
    }
    struct drv_ticket *at = reallocarray(t->at, t->count + streams + 1u, sizeof *at);

    t->at = at != NULL ? at : t->at;
    for (struct drv_stream *s = context->streams; s != NULL && at != NULL; s = s->next) {
        t->captures = t->captures || s->capture != NULL;
        at[t->count++] = drv_ticket_take(s);
    }
    pthread_mutex_unlock(&drv_process()->lock);
    return at != NULL;
}

void drv_tickets_drop(struct drv_tickets *t)
{
    pthread_mutex_lock(&drv_process()->lock);
    for (unsigned i = 0; i < t->count; i++) {
        drv_ticket_drop(&t->at[i]);
    }
    pthread_mutex_unlock(&drv_process()->lock);
    free(t->at);
    *t = (struct drv_tickets){0};
}

/* Something that only waits. */
static void release_pause(struct drv_work *work)
{
    free(work);
}

static struct drv_work *new_pause(void)
{
    static const struct drv_work_class class = {.kind = DRV_WORK_EMPTY, .brief = true, .release = release_pause};
    struct drv_work *work = malloc(sizeof *work);

    if (work != NULL) {
        *work = (struct drv_work){&class, 1};
    }
    return work;
}

/* Streams of other contexts go on when the ticket is done. */
static CUresult hold_back(const struct drv_tickets *streams, struct drv_ticket until)
{
    CUresult result = CUDA_SUCCESS;
    uint64_t seq;

    for (unsigned i = 0; i < streams->count && result == CUDA_SUCCESS; i++) {
        struct drv_work *pause = new_pause();

        result = pause == NULL ? CUDA_ERROR_OUT_OF_MEMORY : drv_enqueue(streams->at[i].stream, pause, &until, 1, &seq);
    }
    return result;
}

static CUresult permitted(struct drv_stream *stream)
{
    if (drv_in_callback()) {
        return CUDA_ERROR_NOT_PERMITTED;
    }
    pthread_mutex_lock(&drv_process()->lock);
    const CUresult result = drv_capture_permits_legacy(stream->context);

    pthread_mutex_unlock(&drv_process()->lock);
    return result;
}

CUresult drv_submit_between(struct drv_stream *stream, struct drv_work *work, struct drv_context *const others[2],
                            bool waits)
{
    struct drv_context *context = stream->context;
    struct drv_tickets before = {0};
    CUresult result = work == NULL ? CUDA_ERROR_OUT_OF_MEMORY : permitted(stream);
    uint64_t seq;

    for (int i = 0; i < 2 && result == CUDA_SUCCESS; i++) {
        if (others[i] != NULL && !drv_tickets_add(&before, others[i])) {
            result = CUDA_ERROR_OUT_OF_MEMORY;
        }
    }
    if (result != CUDA_SUCCESS) {
        drv_work_release(work);
        drv_tickets_drop(&before);
        return result;
    }
    result = drv_enqueue(stream, work, before.at, before.count, &seq);
    if (result == CUDA_SUCCESS) {
        pthread_mutex_lock(&drv_process()->lock);
        struct drv_ticket done = drv_ticket_take(stream);

        pthread_mutex_unlock(&drv_process()->lock);
        result = hold_back(&before, done);
        if (waits) {
            drv_ticket_wait(done);
            drv_printf_flush(context);
            result = result == CUDA_SUCCESS ? (CUresult)context->sticky : result;
        }
        pthread_mutex_lock(&drv_process()->lock);
        drv_ticket_drop(&done);
        pthread_mutex_unlock(&drv_process()->lock);
    }
    drv_tickets_drop(&before);
    return result;
}
