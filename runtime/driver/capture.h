/*
 * Stream capture: while a stream captures, what is submitted to it becomes nodes of a graph.
 */
#ifndef RUNTIME_DRIVER_CAPTURE_H
#define RUNTIME_DRIVER_CAPTURE_H

#include "runtime/driver/event.h"

/* All with the process's lock held. */

/* Make a node of what a capturing stream is given; takes over the reference.  Event records and waits are work of their
 * own kinds and come here, too: they join streams to the capture and set dependencies. */
CUresult drv_capture_submit(struct drv_stream *stream, struct drv_work *work);
/* A wait of a stream that does not capture for an event that a capture recorded: the stream joins the capture. */
CUresult drv_capture_join(struct drv_stream *stream, struct drv_event *event);
/*
 * Whether the calling thread may make a call that is unsafe while streams capture (allocations, synchronisation, the
 * legacy stream's work): by the modes of the captures that are under way and of the thread.  CUDA_SUCCESS or
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, which invalidates captures as documented.  Fast when nothing captures.
 */
CUresult drv_capture_permits(struct drv_context *context);
/* The legacy stream is about to be used, or waited for, while blocking streams of the context capture:
 * CUDA_ERROR_STREAM_CAPTURE_IMPLICIT. */
CUresult drv_capture_permits_legacy(struct drv_context *context);
/* Waiting for or asking about a stream: a capturing one, or the legacy stream while blocking streams capture, says no.
 */
CUresult drv_capture_permits_wait(struct drv_stream *stream);
/* A stream or event that took part in a capture goes away. */
void drv_capture_forget_stream(struct drv_stream *stream);
void drv_capture_forget_event(struct drv_event *event);

#endif
