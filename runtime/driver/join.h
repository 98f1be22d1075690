/*
 * Work that concerns all of a context, not one stream: what waits for everything that it was given, and what everything
 * that it is given later waits for.
 */
#ifndef RUNTIME_DRIVER_JOIN_H
#define RUNTIME_DRIVER_JOIN_H

#include "runtime/driver/stream.h"

/* Tickets for all streams of some contexts.  All zero: none. */
struct drv_tickets {
    struct drv_ticket *at;
    unsigned count;
    bool captures; /* a stream among them captures */
};

/* Add those of a context, without the lock.  False when memory is exhausted. */
bool drv_tickets_add(struct drv_tickets *tickets, struct drv_context *context);
void drv_tickets_drop(struct drv_tickets *tickets);

/*
 * Submit a copy between devices to the legacy stream.  It starts when the stream's context and the two `others` (NULL:
 * none) have done all that they were given, and what they are given later comes after it (CUDA Programming Guide,
 * "Peer-to-Peer Memory Copy").  `waits`: the call returns when it is done.  Takes over the reference to `work`.
 */
CUresult drv_submit_between(struct drv_stream *stream, struct drv_work *work, struct drv_context *const others[2],
                            bool waits);

#endif
