/*
 * Streams: queues of work that run on threads of their own.
 *
 * Every piece of work in a stream has a number; a stream knows how many were enqueued and how many are done, so "the
 * work up to here" is a ticket: a stream and a number.  What a piece of work must wait for, beyond its own stream's
 * order, is a list of tickets: events, and the rules of the legacy default stream.
 *
 * Threads are made as streams need them and kept.  A thread that synchronises does the work itself when nobody has
 * begun with it.  The process's lock guards all of it.
 */
#ifndef RUNTIME_DRIVER_STREAM_H
#define RUNTIME_DRIVER_STREAM_H

#include "runtime/driver/work.h"

struct drv_capture; /* capture.h */

/* The work of a stream up to number `seq`; stream NULL: nothing to wait for.  Holds a reference. */
struct drv_ticket {
    struct drv_stream *stream;
    uint64_t seq;
};

/* One entry of a queue. */
struct drv_op {
    struct drv_op *next;
    uint64_t seq;
    struct drv_work *work; /* owned */
    struct drv_ticket *waits;
    uint32_t n_waits, waits_size;
};

enum drv_stream_role { DRV_STREAM_LEGACY, DRV_STREAM_THREAD, DRV_STREAM_PLAIN };

struct drv_stream {
    struct drv_context *context; /* NULL once the context is gone */
    struct drv_stream *next;     /* in the context */
    CUstream handle;             /* NULL for the legacy stream and those of threads */
    enum drv_stream_role role;
    unsigned flags;
    int priority;
    uint64_t id;
    unsigned references; /* the handle's, tickets' and the thread that runs it */
    uint64_t enqueued, completed;
    struct drv_op *first, *last; /* not started; the one that runs is not among them */
    bool owned;                  /* the owner's reference is there */
    bool retired;                /* nobody will submit any more: the owner's reference goes when it is empty */
    bool claimed;                /* some thread runs its work */
    bool listed;                 /* in the list of streams that may be able to run */
    struct drv_stream *next_listed;
    struct drv_capture *_Atomic capture; /* NULL: not capturing; changes with the lock held */
    CUstreamAttrValue attributes[16];
};

/*
 * Functions that take a stream exist twice: for programs whose stream 0 is the legacy stream, and with _ptsz or _ptds
 * behind their names for programs whose stream 0 is a stream of each thread.  The files that hold them are compiled
 * twice; the header renames the functions, and this macro says which stream is meant.
 */
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define drv_stream_given(handle) ((handle) == NULL ? CU_STREAM_PER_THREAD : (handle))
#else
#define drv_stream_given(handle) (handle)
#endif

/*
 * The stream a program means: NULL and CU_STREAM_LEGACY, CU_STREAM_PER_THREAD or a handle.  The stream's context comes
 * with it, ready for work.  Errors: as drv_enter, or CUDA_ERROR_INVALID_HANDLE.  The stream must not be destroyed by
 * the program while the call goes on.
 */
CUresult drv_stream_enter(CUstream handle, struct drv_stream **stream, struct drv_context **context);

/* Enqueue; takes over the reference to `work`, which may be NULL: then CUDA_ERROR_OUT_OF_MEMORY.  A capturing stream
 * makes a node of it instead. */
CUresult drv_submit(struct drv_stream *stream, struct drv_work *work);
/* The same, and wait until it is done: functions that block.  During capture: an error, as documented. */
CUresult drv_submit_and_wait(struct drv_stream *stream, struct drv_work *work);
/* Enqueue without looking at a capture, waiting for more: graphs' own submissions.  *seq is the work's number. */
CUresult drv_enqueue(struct drv_stream *stream, struct drv_work *work, const struct drv_ticket *waits, unsigned n_waits,
                     uint64_t *seq);

/* Whether all work up to now is done. */
bool drv_stream_idle(struct drv_stream *stream);
/* Wait for it; returns the context's sticky error. */
CUresult drv_stream_wait(struct drv_stream *stream);
/* Wait for all streams of a context. */
CUresult drv_context_wait(struct drv_context *context);

/* With the process's lock held: a ticket for all that a stream has been given; to be put back with drv_ticket_drop. */
struct drv_ticket drv_ticket_take(struct drv_stream *stream);
void drv_ticket_drop(struct drv_ticket *ticket);
bool drv_ticket_done(const struct drv_ticket *ticket);
/* Without the lock: wait for it. */
void drv_ticket_wait(struct drv_ticket ticket);

struct drv_stream *drv_stream_new(struct drv_context *context, enum drv_stream_role role, unsigned flags, int priority);
/* Lock held: give up the owner's reference. */
void drv_stream_drop(struct drv_stream *stream);
/* Lock held: the owner's reference goes once the stream has done its work. */
void drv_stream_retire(struct drv_stream *stream);
/* Lock held: for those who keep a stream that has no handle.  A reference of their own, beside the one that the context
 * gives up when it ends; and the end of both. */
struct drv_stream *drv_stream_keep(struct drv_context *context, enum drv_stream_role role, unsigned flags,
                                   int priority);
void drv_stream_leave(struct drv_stream *stream);
/* A context ends: its streams finish their work and are no longer its own. */
void drv_streams_end(struct drv_context *context);

/* Whether the calling thread is running a function of the program for a stream: then it must not call CUDA. */
bool drv_in_callback(void);

#endif
