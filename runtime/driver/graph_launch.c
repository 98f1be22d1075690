/*
 * Launches: a plan's steps into streams.
 *
 * A graph of one lane goes into the launch stream as it is.  Otherwise an empty piece of work in the launch stream
 * marks the beginning, which the other lanes' first steps wait for, and another one the end, which waits for all lanes.
 */
#include <stdlib.h>

#include "runtime/driver/capture.h"
#include "runtime/driver/graph_exec.h"
#include "runtime/driver/graph_memory.h"
#include "runtime/driver/handle.h"

struct launch {
    struct drv_exec *exec;
    struct drv_stream *stream;
    struct drv_stream *lanes[DRV_LANES_MOST]; /* streams by lane; [0] is the launch stream */
    bool begun[DRV_LANES_MOST];
    struct drv_ticket start; /* what other lanes' first steps wait for; borrowed */
    uint64_t *seqs;          /* numbers of steps in their streams */
};

/* Make the steps' work, if nodes have changed. */
static CUresult refresh(struct drv_exec *exec)
{
    struct drv_work **old = NULL;
    CUresult result = CUDA_SUCCESS;

    drv_lock();
    if (exec->stale) {
        old = calloc(exec->plan.n_steps + 1, sizeof *old);
        exec->stale = old == NULL || !drv_plan_fill(&exec->plan, exec->keep, old);
        result = exec->stale ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    }
    drv_unlock();
    for (size_t i = 0; i < exec->plan.n_steps && old != NULL; i++) {
        drv_work_release(old[i]);
    }
    free(old);
    return result;
}

/* Streams for the lanes beyond the first, in the context of the launch. */
static CUresult open_lanes(struct launch *l, struct drv_context *context)
{
    struct drv_exec *exec = l->exec;
    CUresult result = CUDA_SUCCESS;

    drv_lock();
    for (unsigned i = 1; i < exec->plan.lanes && result == CUDA_SUCCESS; i++) {
        if (exec->lanes[i] != NULL && exec->lanes[i]->context != context) {
            drv_stream_leave(exec->lanes[i]);
            exec->lanes[i] = NULL;
        }
        if (exec->lanes[i] == NULL) {
            exec->lanes[i] = drv_stream_keep(context, DRV_STREAM_PLAIN, CU_STREAM_NON_BLOCKING, l->stream->priority);
        }
        l->lanes[i] = exec->lanes[i];
        result = l->lanes[i] == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    }
    drv_unlock();
    return result;
}

/* Empty work in the launch stream, after `waits`. */
static CUresult mark(struct launch *l, const struct drv_ticket *waits, unsigned n_waits, uint64_t *seq)
{
    struct drv_work *work = drv_empty_work();

    return work == NULL ? CUDA_ERROR_OUT_OF_MEMORY : drv_enqueue(l->stream, work, waits, n_waits, seq);
}

static CUresult launch_step(struct launch *l, size_t number)
{
    const struct drv_plan *plan = &l->exec->plan;
    const struct drv_step *step = &plan->steps[number];
    struct drv_ticket waits[DRV_LANES_MOST + 1];
    unsigned n = 0;

    for (unsigned i = 0; i < step->n_waits; i++) {
        const size_t other = plan->waits.at[step->first_wait + i];

        waits[n++] = (struct drv_ticket){l->lanes[plan->steps[other].lane], l->seqs[other]};
    }
    if (!l->begun[step->lane]) {
        l->begun[step->lane] = true;
        waits[n++] = l->start;
    }
    return drv_enqueue(l->lanes[step->lane], drv_work_retain(step->work), waits, n, &l->seqs[number]);
}

/* The end of the launch, in the launch stream. */
static CUresult finish(struct launch *l)
{
    const struct drv_plan *plan = &l->exec->plan;
    struct drv_ticket waits[DRV_LANES_MOST];
    unsigned n = 0;
    uint64_t seq;

    for (unsigned lane = 1; lane < plan->lanes; lane++) {
        waits[n++] = (struct drv_ticket){l->lanes[lane], l->seqs[plan->last[lane]]};
    }
    return n == 0 ? CUDA_SUCCESS : mark(l, waits, n, &seq);
}

static CUresult launch_steps(struct launch *l)
{
    const struct drv_plan *plan = &l->exec->plan;
    CUresult result = CUDA_SUCCESS;

    l->start = l->exec->last;
    if (plan->lanes != 1) {
        uint64_t seq = 0;

        result = mark(l, &l->exec->last, 1, &seq);
        l->start = (struct drv_ticket){l->stream, seq};
    }
    for (size_t i = 0; i < plan->n_steps && result == CUDA_SUCCESS; i++) {
        result = launch_step(l, i);
    }
    return result == CUDA_SUCCESS ? finish(l) : result;
}

/* Whether all contexts that nodes run in are there; most graphs have one. */
static bool has_contexts(const struct drv_plan *plan)
{
    CUcontext good = NULL;

    for (size_t i = 0; i < plan->flat.count; i++) {
        const CUcontext context = plan->flat.at[i].node->context;

        if (context != good && context != NULL) {
            if (drv_handle_get(context, DRV_CONTEXT) == NULL) {
                return false;
            }
            good = context;
        }
    }
    return true;
}

/* What may be in the way: the legacy stream during captures, memory that is still allocated. */
static CUresult admit(struct launch *l, struct drv_context *context)
{
    struct drv_exec *exec = l->exec;
    const bool auto_free = (exec->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0;
    CUresult result = CUDA_SUCCESS;

    drv_lock();
    if (!has_contexts(&exec->plan)) {
        result = CUDA_ERROR_CONTEXT_IS_DESTROYED;
    } else if (l->stream->role == DRV_STREAM_LEGACY) {
        result = drv_capture_permits_legacy(context);
    }
    if (result == CUDA_SUCCESS) {
        result = drv_blocks_launch(exec->memory, exec->n_memory, auto_free, l->stream);
    }
    drv_unlock();
    return result;
}

static CUresult launch(struct launch *l, struct drv_context *context)
{
    struct drv_exec *exec = l->exec;
    CUresult result = refresh(exec);

    if (result == CUDA_SUCCESS) {
        result = open_lanes(l, context);
    }
    if (result == CUDA_SUCCESS) {
        result = admit(l, context);
    }
    if (result == CUDA_SUCCESS) {
        result = launch_steps(l);
        drv_lock();
        drv_ticket_drop(&exec->last);
        exec->last = drv_ticket_take(l->stream);
        drv_blocks_launched(exec->memory, exec->n_memory, l->stream);
        drv_unlock();
    }
    return result;
}

CUresult drv_exec_launch(struct drv_exec *exec, struct drv_stream *stream, struct drv_context *context)
{
    struct launch l = {.exec = exec, .stream = stream, .lanes = {stream}};
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;

    if (drv_in_callback()) {
        return CUDA_ERROR_NOT_PERMITTED;
    }
    pthread_mutex_lock(&exec->launching);
    l.seqs = calloc(exec->plan.n_steps + 1, sizeof *l.seqs);
    if (l.seqs != NULL) {
        result = launch(&l, context);
    }
    pthread_mutex_unlock(&exec->launching);
    free(l.seqs);
    return result;
}
