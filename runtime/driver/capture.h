/*
 * Stream capture: while a stream captures, what is submitted to it becomes nodes of a graph.
 */
#ifndef RUNTIME_DRIVER_CAPTURE_H
#define RUNTIME_DRIVER_CAPTURE_H

#include "runtime/driver/event.h"

struct drv_graph;

/* --- with the process's lock held ------------------------------------------------------------- */
/* Make a node of what a capturing stream is given; the reference stays with the caller.  Event records and waits are
 * work of their own kinds and come here, too: they join streams to the capture and set dependencies. */
CUresult drv_capture_submit(struct drv_stream *stream, struct drv_work *work);
/* A wait of a stream that does not capture for an event that a capture recorded: the stream joins the capture. */
CUresult drv_capture_join(struct drv_stream *stream, struct drv_event *event);
/* The legacy stream is about to be used, or waited for, while blocking streams of the context capture:
 * CUDA_ERROR_STREAM_CAPTURE_IMPLICIT. */
CUresult drv_capture_permits_legacy(struct drv_context *context);
/* Waiting for or asking about a stream: a capturing one, or the legacy stream while blocking streams capture, says no.
 */
CUresult drv_capture_permits_wait(struct drv_stream *stream);
/* The same of an event: one that a capture recorded says no. */
CUresult drv_capture_permits_event(struct drv_event *event);
/* A stream or event that took part in a capture goes away, or the event is recorded outside. */
void drv_capture_forget_stream(struct drv_stream *stream);
void drv_capture_forget_event(struct drv_event *event);

/* --- without it ------------------------------------------------------------------------------- */
/*
 * Whether the calling thread may make a call that is unsafe while streams capture (allocations, synchronisation, the
 * legacy stream's work): by the modes of the captures that are under way and of the thread.  CUDA_SUCCESS or
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, which invalidates captures as documented.  Fast when nothing captures.
 */
CUresult drv_capture_permits(void);
/* drv_enter for such a call. */
CUresult drv_enter_unsafe(struct drv_context **context);
/* An event record or wait that a capture shall not take for its own order, but make a node of
 * (CU_EVENT_RECORD_EXTERNAL, CU_EVENT_WAIT_EXTERNAL).  Takes over the reference; NULL: CUDA_ERROR_OUT_OF_MEMORY.
 * Outside captures as drv_submit. */
CUresult drv_capture_external(struct drv_stream *stream, struct drv_work *work);
/* What a capturing stream cannot take at all, as the launch of a graph: the capture is invalid then. */
CUresult drv_capture_refuse(struct drv_stream *stream);
/* cuMemAllocAsync and cuMemFreeAsync in a capturing stream: memory nodes. */
CUresult drv_capture_alloc(struct drv_stream *stream, CUDA_MEM_ALLOC_NODE_PARAMS *params);
CUresult drv_capture_free(struct drv_stream *stream, CUdeviceptr address);

/* --- for capture_api.c ------------------------------------------------------------------------ */
/* Where a capture begins: NULL as graph makes a new one. */
struct drv_capture_start {
    CUgraph graph;
    const CUgraphNode *dependencies;
    const CUgraphEdgeData *data;
    size_t count;
    CUstreamCaptureMode mode;
};
CUresult drv_capture_begin(struct drv_stream *stream, const struct drv_capture_start *start);
CUresult drv_capture_end(struct drv_stream *stream, CUgraph *graph);

/* What there is to know about a stream's capture.  The arrays are the capture's, until the stream's dependencies
 * change. */
struct drv_capture_info {
    CUstreamCaptureStatus status;
    cuuint64_t id;
    CUgraph graph;
    const CUgraphNode *dependencies;
    const CUgraphEdgeData *data;
    size_t count;
    bool plain; /* no edge has data */
};
CUresult drv_capture_look(struct drv_stream *stream, struct drv_capture_info *info);
/* `replace`: instead of what the next node depends on, else in addition to it. */
CUresult drv_capture_set_dependencies(struct drv_stream *stream, const CUgraphNode *dependencies,
                                      const CUgraphEdgeData *data, size_t count, bool replace);

#endif
