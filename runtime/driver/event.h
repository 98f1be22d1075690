/*
 * Events: a place in a stream's work, and when it was reached.
 */
#ifndef RUNTIME_DRIVER_EVENT_H
#define RUNTIME_DRIVER_EVENT_H

#include "runtime/driver/stream.h"

struct drv_event {
    CUcontext context; /* may be gone: a handle */
    unsigned flags;
    unsigned references;         /* lock */
    struct drv_ticket ticket;    /* of the last record; stream NULL: never recorded (counts as done) */
    bool recorded;               /* ever */
    _Atomic uint64_t time_ns;    /* when the last record was reached */
    struct drv_capture *capture; /* recorded last in a capture: its nodes are in capture.c's keeping */
    void *capture_nodes;
    unsigned n_capture_nodes;
};

/* The event of a handle, NULL when it is none. */
struct drv_event *drv_event_of(CUevent handle);
/* The same, retained, so that another thread may destroy it meanwhile; and the end of that.  Both without the lock. */
struct drv_event *drv_event_take(CUevent handle);
void drv_event_give(struct drv_event *event);   /* NULL is fine */
void drv_event_retain(struct drv_event *event); /* lock held */
void drv_event_drop(struct drv_event *event);   /* lock held */
/* Record an event of the stream's context in it; flags: those of cuEventRecordWithFlags. */
CUresult drv_event_record(struct drv_stream *stream, CUevent handle, unsigned flags);

#endif
