/*
 * Work: references, and the kinds that have no story of their own.
 */
#include "runtime/driver/work.h"

#include <stdlib.h>

struct drv_work *drv_work_retain(struct drv_work *work)
{
    work->references++;
    return work;
}

void drv_work_release(struct drv_work *work)
{
    if (work != NULL && --work->references == 0) {
        work->class->release(work);
    }
}

static void release_plain(struct drv_work *work)
{
    free(work);
}

struct drv_work *drv_empty_work(void)
{
    static const struct drv_work_class class = {.kind = DRV_WORK_EMPTY, .brief = true, .release = release_plain};
    struct drv_work *work = malloc(sizeof *work);

    if (work != NULL) {
        *work = (struct drv_work){&class, 1};
    }
    return work;
}

/* --- functions of the program ----------------------------------------------------------------- */
static CUresult run_host(struct drv_work *work, struct drv_context *context)
{
    struct drv_host_work *w = (struct drv_host_work *)work;

    (void)context;
    w->function(w->argument);
    return CUDA_SUCCESS;
}

struct drv_work *drv_host_work(CUhostFn function, void *argument)
{
    static const struct drv_work_class class = {
        .kind = DRV_WORK_HOST, .calls_program = true, .run = run_host, .release = release_plain};
    struct drv_host_work *w = malloc(sizeof *w);

    if (w == NULL) {
        return NULL;
    }
    *w = (struct drv_host_work){.work = {&class, 1}, .function = function, .argument = argument};
    return &w->work;
}

struct callback_work {
    struct drv_work work;
    CUstream stream;
    CUstreamCallback callback;
    void *argument;
};

static CUresult run_callback(struct drv_work *work, struct drv_context *context)
{
    struct callback_work *w = (struct callback_work *)work;

    w->callback(w->stream, (CUresult)context->sticky, w->argument);
    return CUDA_SUCCESS;
}

struct drv_work *drv_callback_work(CUstream stream, CUstreamCallback callback, void *argument)
{
    static const struct drv_work_class class = {
        .kind = DRV_WORK_OTHER, .calls_program = true, .always = true, .run = run_callback, .release = release_plain};
    struct callback_work *w = malloc(sizeof *w);

    if (w == NULL) {
        return NULL;
    }
    *w = (struct callback_work){{&class, 1}, stream, callback, argument};
    return &w->work;
}
