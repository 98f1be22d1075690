/*
 * Streams: queues, what may run, and the threads that run it.
 *
 * A stream is at one of four places: idle (nothing to start), runnable (in a list: its first work may start), blocked
 * (in a list: its first work waits for tickets) or claimed (some thread runs its work).  Every change is made with the
 * process's lock held, so a stream that is runnable is found, and one that is blocked is looked at whenever work is
 * done.  Work may wait for a value in memory, too, which anybody may store: while there is such work, one thread looks
 * at the memory now and then.
 */
#include "runtime/driver/stream.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ir/base/vec.h"
#include "runtime/driver/capture.h"
#include "runtime/driver/handle.h"

enum {
    THREADS_MOST = 128, /* that run streams */
    QUEUE_MOST = 1024,  /* pieces of work in a stream before its caller has to wait */
    KEPT_OPS = 4096,
    WATCH_PERIOD_NS = 100000, /* between looks at memory that work waits for */
};

/* Guarded by the process's lock. */
static struct {
    pthread_cond_t work;                   /* something became runnable */
    pthread_cond_t done;                   /* something was done */
    pthread_cond_t watch;                  /* some work waits for memory */
    bool watched;                          /* there is a thread for that */
    struct drv_stream *runnable, *blocked; /* linked by next_listed */
    unsigned threads, idle, waiters;
    struct drv_op *kept; /* to be used again */
    unsigned n_kept;
    uint64_t next_id;
} queue = {.work = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER, .watch = PTHREAD_COND_INITIALIZER};

static _Thread_local bool in_callback;

bool drv_in_callback(void)
{
    return in_callback;
}

static void lock(void)
{
    pthread_mutex_lock(&drv_process()->lock);
}

static void unlock(void)
{
    pthread_mutex_unlock(&drv_process()->lock);
}

/* --- tickets ---------------------------------------------------------------------------------- */
struct drv_ticket drv_ticket_take(struct drv_stream *stream)
{
    stream->references++;
    return (struct drv_ticket){stream, stream->enqueued};
}

void drv_ticket_drop(struct drv_ticket *ticket)
{
    if (ticket->stream != NULL) {
        drv_stream_drop(ticket->stream);
    }
    ticket->stream = NULL;
}

bool drv_ticket_done(const struct drv_ticket *ticket)
{
    return ticket->stream == NULL || ticket->stream->completed >= ticket->seq;
}

/* --- streams ---------------------------------------------------------------------------------- */
struct drv_stream *drv_stream_new(struct drv_context *context, enum drv_stream_role role, unsigned flags, int priority)
{
    struct drv_stream *s = calloc(1, sizeof *s);

    if (s == NULL) {
        return NULL;
    }
    *s = (struct drv_stream){.context = context,
                             .role = role,
                             .flags = flags,
                             .priority = priority,
                             .id = ++queue.next_id,
                             .references = 1,
                             .owned = true};
    s->next = context->streams;
    context->streams = s;
    return s;
}

static void leave_context(struct drv_stream *s)
{
    if (s->context != NULL) {
        struct drv_stream **link = &s->context->streams;

        while (*link != s) {
            link = &(*link)->next;
        }
        *link = s->next;
        s->context = NULL;
    }
}

/* The last reference goes when the handle is gone and nothing is left to run or to be waited for. */
void drv_stream_drop(struct drv_stream *s)
{
    if (--s->references == 0) {
        leave_context(s);
        free(s);
    }
}

/* Once only: a stream that is still waited for stays, but is nobody's own. */
static void drop_owner(struct drv_stream *s)
{
    if (s->owned) {
        s->owned = false;
        drv_stream_drop(s);
    }
}

void drv_stream_retire(struct drv_stream *s)
{
    if (s->completed == s->enqueued && !s->claimed) {
        drop_owner(s);
    } else {
        s->retired = true;
    }
}

struct drv_stream *drv_stream_keep(struct drv_context *context, enum drv_stream_role role, unsigned flags, int priority)
{
    struct drv_stream *s = drv_stream_new(context, role, flags, priority);

    if (s != NULL) {
        s->references++;
    }
    return s;
}

void drv_stream_leave(struct drv_stream *s)
{
    if (s->context != NULL) {
        drv_capture_forget_stream(s);
        drv_stream_retire(s);
    }
    drv_stream_drop(s);
}

/* --- entries of queues ------------------------------------------------------------------------ */
static struct drv_op *take_op(void)
{
    struct drv_op *op = queue.kept;

    if (op == NULL) {
        return calloc(1, sizeof *op);
    }
    queue.kept = op->next;
    queue.n_kept--;
    return op;
}

static void keep_op(struct drv_op *op)
{
    for (unsigned i = 0; i < op->n_waits; i++) {
        drv_ticket_drop(&op->waits[i]);
    }
    if (queue.n_kept >= KEPT_OPS) {
        free(op->waits);
        free(op);
        return;
    }
    op->n_waits = 0;
    op->work = NULL;
    op->next = queue.kept;
    queue.kept = op;
    queue.n_kept++;
}

static bool add_wait(struct drv_op *op, const struct drv_ticket *ticket)
{
    if (drv_ticket_done(ticket)) {
        return true;
    }
    if (!vec_grow((void **)&op->waits, op->n_waits, &op->waits_size, sizeof *op->waits, 1)) {
        return false;
    }
    ticket->stream->references++;
    op->waits[op->n_waits++] = *ticket;
    return true;
}

/* Whether the work waits for a value in memory.  In a context that failed nothing does: its work is only cleared away.
 */
static bool waits_for_memory(const struct drv_stream *s, const struct drv_op *op)
{
    return op->work->class->ready != NULL && s->context != NULL && s->context->sticky == 0;
}

/* Whether the first work of a stream may start. */
static bool is_ready(const struct drv_stream *s)
{
    struct drv_op *op = s->first;

    while (op->n_waits > 0 && drv_ticket_done(&op->waits[op->n_waits - 1])) {
        drv_ticket_drop(&op->waits[--op->n_waits]);
    }
    return op->n_waits == 0 && (!waits_for_memory(s, op) || op->work->class->ready(op->work));
}

/* --- the legacy default stream ---------------------------------------------------------------- */
static bool is_blocking(const struct drv_stream *s)
{
    return s->role != DRV_STREAM_LEGACY && (s->flags & CU_STREAM_NON_BLOCKING) == 0;
}

/* Work of the legacy stream comes after all that blocking streams were given before, and before all that they are given
 * later (CUDA Programming Guide, "Default Stream"). */
static bool add_implicit_waits(struct drv_stream *s, struct drv_op *op)
{
    bool good = true;

    if (s->role == DRV_STREAM_LEGACY) {
        for (struct drv_stream *o = s->context->streams; o != NULL && good; o = o->next) {
            good = !is_blocking(o) || add_wait(op, &(struct drv_ticket){o, o->enqueued});
        }
    } else if (is_blocking(s) && s->context->legacy != NULL) {
        good = add_wait(op, &(struct drv_ticket){s->context->legacy, s->context->legacy->enqueued});
    }
    return good;
}

/* --- what may run ----------------------------------------------------------------------------- */
static bool list_remove(struct drv_stream **list, const struct drv_stream *s)
{
    while (*list != NULL && *list != s) {
        list = &(*list)->next_listed;
    }
    if (*list == NULL) {
        return false;
    }
    *list = s->next_listed;
    return true;
}

static void unlist(struct drv_stream *s)
{
    if (s->listed && !list_remove(&queue.runnable, s)) {
        list_remove(&queue.blocked, s);
    }
    s->listed = false;
}

static void *serve(void *unused);

static bool start_thread(void *(*function)(void *))
{
    sigset_t all, before;
    pthread_t thread;

    /* Signals are for the program's own threads. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&thread, NULL, function, NULL) == 0;

    if (started) {
        pthread_detach(thread);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void wake_thread(void)
{
    if (queue.idle > 0) {
        pthread_cond_signal(&queue.work);
    } else if (queue.threads < THREADS_MOST) {
        queue.threads += start_thread(serve);
    }
}

static void *watch(void *unused);

/* Have somebody look at the memory that work waits for. */
static void watch_memory(void)
{
    if (!queue.watched) {
        queue.watched = start_thread(watch);
    }
    pthread_cond_signal(&queue.watch);
}

/* Put a stream that is neither claimed nor listed where it belongs: behind others of its priority. */
static void place(struct drv_stream *s, bool wake)
{
    struct drv_stream **link = &queue.blocked;

    if (s->first == NULL) {
        return;
    }
    const bool ready = is_ready(s);

    if (ready) {
        link = &queue.runnable;
        while (*link != NULL && (*link)->priority <= s->priority) {
            link = &(*link)->next_listed;
        }
    }
    s->next_listed = *link;
    *link = s;
    s->listed = true;
    if (wake && ready) {
        wake_thread();
    }
    if (!ready && waits_for_memory(s, s->first)) {
        watch_memory();
    }
}

/* Something was done: streams that waited for it can run. */
static void unblock(void)
{
    for (struct drv_stream **link = &queue.blocked; *link != NULL;) {
        struct drv_stream *s = *link;

        if (is_ready(s)) {
            *link = s->next_listed;
            s->listed = false;
            place(s, true);
        } else {
            link = &s->next_listed;
        }
    }
    if (queue.waiters > 0) {
        pthread_cond_broadcast(&queue.done);
    }
}

/* A thread that looks at memory while some blocked work waits for it. */
static void *watch(void *unused)
{
    const struct timespec period = {.tv_nsec = WATCH_PERIOD_NS};

    (void)unused;
    lock();
    for (;;) {
        bool waited_for = false, ready = false;

        for (const struct drv_stream *s = queue.blocked; s != NULL; s = s->next_listed) {
            waited_for = waited_for || waits_for_memory(s, s->first);
            ready = ready || is_ready(s);
        }
        if (ready) {
            unblock();
        } else if (!waited_for) {
            pthread_cond_wait(&queue.watch, &drv_process()->lock);
        } else {
            unlock();
            nanosleep(&period, NULL);
            lock();
        }
    }
    return NULL;
}

/* --- running ---------------------------------------------------------------------------------- */
static void run_op(struct drv_stream *s, struct drv_op *op)
{
    struct drv_context *context = s->context;
    struct drv_work *work = op->work;
    const bool runs = context != NULL && (context->sticky == 0 || work->class->always) && work->class->run != NULL;

    unlock();
    if (runs) {
        in_callback = work->class->calls_program;
        const CUresult result = work->class->run(work, context);

        in_callback = false;
        if (result != CUDA_SUCCESS) {
            drv_context_fail(context, result);
        }
    }
    drv_work_release(work);
    lock();
    s->completed = op->seq;
    keep_op(op);
}

/* Whether a thread that only waits may run the stream's first work: functions of the program are left to the threads
 * that run streams, unless the host gave none. */
static bool may_help(const struct drv_stream *s)
{
    return queue.threads == 0 || !s->first->work->class->calls_program;
}

/* Run a claimed stream's work until it has none that may run, or number `until` is done.  `helping`: the caller only
 * waits. */
static void run_stream(struct drv_stream *s, uint64_t until, bool helping)
{
    s->claimed = true;
    s->references++;
    while (s->first != NULL && s->completed < until && is_ready(s) && (!helping || may_help(s))) {
        struct drv_op *op = s->first;

        s->first = op->next;
        if (s->first == NULL) {
            s->last = NULL;
        }
        run_op(s, op);
        if (queue.blocked != NULL || queue.waiters > 0) {
            unblock();
        }
    }
    s->claimed = false;
    place(s, true);
    if (s->retired && s->completed == s->enqueued) {
        s->retired = false;
        drop_owner(s);
    }
    drv_stream_drop(s);
}

/* A thread that runs streams, for ever. */
static void *serve(void *unused)
{
    (void)unused;
    lock();
    for (;;) {
        struct drv_stream *s = queue.runnable;

        if (s != NULL) {
            queue.runnable = s->next_listed;
            s->listed = false;
            run_stream(s, UINT64_MAX, false);
        } else {
            queue.idle++;
            pthread_cond_wait(&queue.work, &drv_process()->lock);
            queue.idle--;
        }
    }
    return NULL;
}

/* With the lock held: wait, doing the work oneself where nobody does. */
static void wait_ticket(const struct drv_ticket *ticket)
{
    struct drv_stream *s = ticket->stream;

    while (!drv_ticket_done(ticket)) {
        if (!s->claimed && s->first != NULL && is_ready(s) && may_help(s)) {
            unlist(s);
            run_stream(s, ticket->seq, true);
        } else if (queue.threads == 0 && queue.runnable != NULL) { /* what it waits for, perhaps */
            struct drv_stream *other = queue.runnable;

            unlist(other);
            run_stream(other, UINT64_MAX, true);
        } else {
            queue.waiters++;
            pthread_cond_wait(&queue.done, &drv_process()->lock);
            queue.waiters--;
        }
    }
}

void drv_ticket_wait(struct drv_ticket ticket)
{
    if (ticket.stream != NULL) {
        lock();
        wait_ticket(&ticket);
        unlock();
    }
}

/* --- submitting ------------------------------------------------------------------------------- */
static struct drv_event *event_of(const struct drv_work *work)
{
    return ((const struct drv_event_work *)work)->event;
}

enum urgency { LATER, NOW_IF_BRIEF, CALLER_WAITS };

/* Lock held. */
static CUresult enqueue(struct drv_stream *s, struct drv_work *work, const struct drv_ticket *waits, unsigned n_waits,
                        enum urgency urgency)
{
    while (s->enqueued - s->completed >= QUEUE_MOST && !in_callback) {
        wait_ticket(&(struct drv_ticket){s, s->enqueued - QUEUE_MOST + 1});
    }
    struct drv_op *op = take_op();
    bool good = op != NULL && add_implicit_waits(s, op);

    for (unsigned i = 0; i < n_waits && good; i++) {
        good = add_wait(op, &waits[i]);
    }
    if (good && work->class->kind == DRV_WORK_WAIT) {
        good = add_wait(op, &event_of(work)->ticket);
    }
    if (!good) {
        if (op != NULL) {
            keep_op(op);
        }
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    op->next = NULL;
    op->work = work;
    op->seq = ++s->enqueued;
    if (work->class->kind == DRV_WORK_RECORD) {
        struct drv_event *event = event_of(work);

        drv_capture_forget_event(event);
        drv_ticket_drop(&event->ticket);
        event->ticket = drv_ticket_take(s);
        event->recorded = true;
    }
    const bool alone = s->first == NULL && !s->claimed;

    *(s->last == NULL ? &s->first : &s->last->next) = op;
    s->last = op;
    if (alone && urgency == NOW_IF_BRIEF && work->class->brief && is_ready(s)) {
        run_stream(s, op->seq, false);
    } else if (alone) {
        place(s, urgency != CALLER_WAITS);
    }
    return CUDA_SUCCESS;
}

CUresult drv_enqueue(struct drv_stream *stream, struct drv_work *work, const struct drv_ticket *waits, unsigned n_waits,
                     uint64_t *seq)
{
    lock();
    const CUresult result = enqueue(stream, work, waits, n_waits, LATER);

    *seq = stream->enqueued;
    unlock();
    if (result != CUDA_SUCCESS) {
        drv_work_release(work);
    }
    return result;
}

/* What speaks against giving a stream work; lock held. */
static CUresult check_submission(struct drv_stream *s)
{
    if (in_callback) {
        return CUDA_ERROR_NOT_PERMITTED;
    }
    return s->role == DRV_STREAM_LEGACY ? drv_capture_permits_legacy(s->context) : CUDA_SUCCESS;
}

/* Whether the work is a capture's: the stream takes part in one, or will by waiting for its event. */
static bool is_captured(const struct drv_stream *s, const struct drv_work *work)
{
    return !in_callback &&
           (s->capture != NULL || (work->class->kind == DRV_WORK_WAIT && event_of(work)->capture != NULL));
}

CUresult drv_submit(struct drv_stream *stream, struct drv_work *work)
{
    CUresult result;

    if (work == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    lock();
    if (is_captured(stream, work)) {
        result = stream->capture == NULL ? drv_capture_join(stream, event_of(work)) : CUDA_SUCCESS;
        result = result == CUDA_SUCCESS ? drv_capture_submit(stream, work) : result;
        unlock();
        drv_work_release(work);
        return result;
    }
    result = check_submission(stream);
    if (result == CUDA_SUCCESS) {
        result = enqueue(stream, work, NULL, 0, NOW_IF_BRIEF);
    }
    if (result == CUDA_SUCCESS && drv_process()->options.launch_blocking) {
        wait_ticket(&(struct drv_ticket){stream, stream->enqueued});
    }
    unlock();
    if (result != CUDA_SUCCESS) {
        drv_work_release(work);
    }
    return result;
}

CUresult drv_submit_and_wait(struct drv_stream *stream, struct drv_work *work)
{
    struct drv_context *context = stream->context;

    if (work == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    lock();
    CUresult result = stream->capture != NULL ? drv_capture_permits_wait(stream) : check_submission(stream);

    if (result == CUDA_SUCCESS) {
        result = enqueue(stream, work, NULL, 0, CALLER_WAITS);
    }
    if (result == CUDA_SUCCESS) {
        wait_ticket(&(struct drv_ticket){stream, stream->enqueued});
        unlock();
        drv_printf_flush(context);
        return (CUresult)context->sticky;
    }
    unlock();
    drv_work_release(work);
    return result;
}

/* --- waiting ---------------------------------------------------------------------------------- */
/* What a stream's owner waits for: for the legacy stream also all blocking streams'. */
static bool is_part(const struct drv_stream *s, const struct drv_stream *of)
{
    return s == of || (of->role == DRV_STREAM_LEGACY && is_blocking(s));
}

bool drv_stream_idle(struct drv_stream *stream)
{
    bool idle = true;

    lock();
    for (struct drv_stream *s = stream->context->streams; s != NULL; s = s->next) {
        idle = idle && (!is_part(s, stream) || s->completed == s->enqueued);
    }
    unlock();
    return idle;
}

/* Up to what they were given before, so that a busy stream does not keep its waiter for ever. */
static void wait_streams(struct drv_context *context, const struct drv_stream *of)
{
    unsigned count = 0, taken = 0;

    for (struct drv_stream *s = context->streams; s != NULL; s = s->next) {
        count += s->completed != s->enqueued;
    }
    struct drv_ticket *tickets = count == 0 ? NULL : calloc(count, sizeof *tickets);

    for (struct drv_stream *s = context->streams; s != NULL && tickets != NULL; s = s->next) {
        if ((of == NULL || is_part(s, of)) && s->completed != s->enqueued) {
            tickets[taken++] = drv_ticket_take(s);
        }
    }
    for (unsigned i = 0; i < taken; i++) {
        wait_ticket(&tickets[i]);
        drv_ticket_drop(&tickets[i]);
    }
    free(tickets);
}

CUresult drv_stream_wait(struct drv_stream *stream)
{
    struct drv_context *context = stream->context;

    if (in_callback) {
        return CUDA_ERROR_NOT_PERMITTED;
    }
    lock();
    if (stream->role == DRV_STREAM_LEGACY) {
        wait_streams(context, stream);
    } else {
        struct drv_ticket ticket = drv_ticket_take(stream);

        wait_ticket(&ticket);
        drv_ticket_drop(&ticket);
    }
    unlock();
    drv_printf_flush(context);
    return (CUresult)context->sticky;
}

CUresult drv_context_wait(struct drv_context *context)
{
    if (in_callback) {
        return CUDA_ERROR_NOT_PERMITTED;
    }
    lock();
    wait_streams(context, NULL);
    unlock();
    drv_printf_flush(context);
    return (CUresult)context->sticky;
}

static void hide(struct drv_stream *s)
{
    if (s->handle != NULL) {
        drv_handle_drop(s->handle);
        s->handle = NULL;
    }
    drv_capture_forget_stream(s);
}

/* Without their handles nobody finds the streams any more; what other threads submitted just before is waited for, too.
 */
static void finish_streams(struct drv_context *context)
{
    for (struct drv_stream *s = context->streams; s != NULL; s = s->next) {
        hide(s);
    }
    for (struct drv_stream *s = context->streams; s != NULL;) {
        if (s->completed == s->enqueued) {
            s = s->next;
            continue;
        }
        struct drv_ticket ticket = drv_ticket_take(s);

        wait_ticket(&ticket);
        drv_ticket_drop(&ticket);
        s = context->streams;
    }
}

void drv_streams_end(struct drv_context *context)
{
    lock();
    finish_streams(context);
    while (context->streams != NULL) {
        struct drv_stream *s = context->streams;

        hide(s);
        leave_context(s);
        if (!s->retired) {
            drop_owner(s);
        }
    }
    context->legacy = NULL;
    unlock();
}
