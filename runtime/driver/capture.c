/*
 * Captures under way: which streams take part, and what the next node of each depends on.
 *
 * Invariants, under the process's lock: a stream's `capture` is set exactly while it is among that capture's members;
 * an event's `capture` is that of its last record, and stays, over or not, until the event is recorded elsewhere; a
 * capture that is over has no members and no graph.
 *
 * Nodes are kept as handles: the program may do to the graph what it likes meanwhile.
 */
#include "runtime/driver/capture.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/driver/graph.h"
#include "runtime/driver/graph_memory.h"

struct dependencies {
    CUgraphNode *nodes;
    CUgraphEdgeData *data;
    size_t n, size;
};

struct member {
    struct member *next;
    struct drv_stream *stream; /* holds a reference */
    struct dependencies next_node;
};

struct drv_capture {
    struct drv_capture *next; /* of those under way */
    unsigned references;      /* one while it is under way, and events' */
    uint64_t id;
    CUgraph graph;
    bool graph_is_given; /* the program's own: it stays whatever happens */
    struct drv_stream *origin;
    CUstreamCaptureMode mode;
    pthread_t thread;
    bool invalid;
    struct member *members;
    struct dependencies left; /* what streams that were destroyed meanwhile did last */
};

static struct drv_capture *captures; /* under way */
static uint64_t last_id;
static struct drv_graph *dead; /* graphs of captures that ended where they could not be freed */
static _Thread_local CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

/* --- dependencies ----------------------------------------------------------------------------- */
static bool add_dependency(struct dependencies *d, CUgraphNode node, const CUgraphEdgeData *data)
{
    for (size_t i = 0; i < d->n; i++) {
        if (d->nodes[i] == node) {
            d->data[i] = data == NULL ? (CUgraphEdgeData){0} : *data;
            return true;
        }
    }
    if (d->n == d->size) {
        const size_t size = d->size * 2 + 4;
        CUgraphNode *nodes = reallocarray(d->nodes, size, sizeof *nodes);
        CUgraphEdgeData *edges = reallocarray(d->data, size, sizeof *edges);

        d->nodes = nodes != NULL ? nodes : d->nodes;
        d->data = edges != NULL ? edges : d->data;
        if (nodes == NULL || edges == NULL) {
            return false;
        }
        d->size = size;
    }
    d->nodes[d->n] = node;
    d->data[d->n++] = data == NULL ? (CUgraphEdgeData){0} : *data;
    return true;
}

static bool add_dependencies(struct dependencies *d, const CUgraphNode *nodes, const CUgraphEdgeData *data, size_t n)
{
    bool good = true;

    for (size_t i = 0; i < n && good; i++) {
        good = add_dependency(d, nodes[i], data == NULL ? NULL : &data[i]);
    }
    return good;
}

static void free_dependencies(struct dependencies *d)
{
    free(d->nodes);
    free(d->data);
}

/* --- captures --------------------------------------------------------------------------------- */
static struct member *member_of(const struct drv_capture *c, const struct drv_stream *stream)
{
    struct member *m = c->members;

    while (m->stream != stream) {
        m = m->next;
    }
    return m;
}

static struct member *add_member(struct drv_capture *c, struct drv_stream *stream)
{
    struct member *m = calloc(1, sizeof *m);

    if (m != NULL) {
        m->stream = stream;
        m->next = c->members;
        c->members = m;
        stream->references++;
        stream->capture = c;
    }
    return m;
}

static void drop(struct drv_capture *c)
{
    if (--c->references == 0) {
        free_dependencies(&c->left);
        free(c);
    }
}

/* The capture is over: its streams are free again. */
static void release_members(struct drv_capture *c)
{
    struct drv_capture **link = &captures;

    while (c->members != NULL) {
        struct member *m = c->members;

        c->members = m->next;
        m->stream->capture = NULL;
        drv_stream_drop(m->stream);
        free_dependencies(&m->next_node);
        free(m);
    }
    while (*link != c) {
        link = &(*link)->next;
    }
    *link = c->next;
    c->origin = NULL;
    drop(c);
}

/* What is left of the graph of a capture that fails; for the caller to free without the lock.  NULL: nothing. */
static struct drv_graph *abandon_graph(struct drv_capture *c)
{
    struct drv_graph *graph = drv_graph_of(c->graph);

    c->graph = NULL;
    if (graph == NULL) {
        return NULL;
    }
    graph->captures--;
    if (c->graph_is_given) {
        return NULL;
    }
    drv_graph_hide(graph);
    return graph;
}

/* Free, without the lock, what other calls had to leave. */
static void bury(void)
{
    drv_lock();
    struct drv_graph *graph = dead;

    dead = NULL;
    drv_unlock();
    while (graph != NULL) {
        struct drv_graph *next = graph->next_dead;

        drv_graph_free(graph);
        graph = next;
    }
}

static CUresult fail(struct drv_capture *c, CUresult error)
{
    c->invalid = true;
    return error;
}

/* --- what becomes of work --------------------------------------------------------------------- */
/* The next node of the stream depends on this one alone. */
static void advance(struct drv_stream *stream, CUgraphNode node)
{
    struct dependencies *d = &member_of(stream->capture, stream)->next_node;

    d->n = 0;
    if (!add_dependency(d, node, NULL)) {
        stream->capture->invalid = true;
    }
}

/* Kernel nodes have the priority of the stream that they were captured from. */
static CUresult keep_priority(const struct drv_stream *stream, struct drv_node *node)
{
    const CUkernelNodeAttrValue value = {.priority = stream->priority};

    return stream->priority == 0 ? CUDA_SUCCESS : drv_kernel_node_keep(node, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value);
}

static CUresult add_node(struct drv_stream *stream, const struct drv_node_spec *spec)
{
    struct drv_capture *c = stream->capture;
    const struct dependencies *d = &member_of(c, stream)->next_node;
    CUgraphNode node;
    const CUresult result = drv_node_add_locked(&node, c->graph, d->nodes, d->data, d->n, spec);

    if (result != CUDA_SUCCESS) {
        return fail(c, result);
    }
    advance(stream, node);
    return spec->type == CU_GRAPH_NODE_TYPE_KERNEL ? keep_priority(stream, drv_node_of(node)) : CUDA_SUCCESS;
}

/* Whether what a node of this type does depends on the context that it runs in. */
static bool has_context(CUgraphNodeType type)
{
    return type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY || type == CU_GRAPH_NODE_TYPE_MEMSET;
}

static CUresult add_work(struct drv_stream *stream, struct drv_work *work)
{
    struct drv_node_spec spec = {.type = drv_node_type_of(work), .work = drv_work_retain(work)};

    if (work->class->kind == DRV_WORK_OTHER) {
        work->references--;
        return fail(stream->capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    }
    spec.context = has_context(spec.type) ? drv_context_handle(stream->context) : NULL;
    const CUresult result = add_node(stream, &spec);

    if (result != CUDA_SUCCESS) {
        work->references--; /* never the last: the caller has one */
    }
    return result;
}

/* The event stands for what the stream's next node would depend on. */
static CUresult record(struct drv_stream *stream, struct drv_event *event)
{
    struct drv_capture *c = stream->capture;
    const struct dependencies *d = &member_of(c, stream)->next_node;
    CUgraphNode *nodes = calloc(d->n + 1, sizeof *nodes);

    if (nodes == NULL) {
        return fail(c, CUDA_ERROR_OUT_OF_MEMORY);
    }
    if (d->n > 0) {
        memcpy(nodes, d->nodes, d->n * sizeof *nodes);
    }
    drv_capture_forget_event(event);
    event->capture = c;
    event->capture_nodes = nodes;
    event->n_capture_nodes = (unsigned)d->n;
    c->references++;
    return CUDA_SUCCESS;
}

static CUresult wait(struct drv_stream *stream, const struct drv_event *event)
{
    struct drv_capture *c = stream->capture, *other = event->capture;

    if (other == NULL || other->members == NULL) {
        return fail(c, CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    }
    if (other != c) {
        fail(other, CUDA_ERROR_STREAM_CAPTURE_MERGE);
        return fail(c, CUDA_ERROR_STREAM_CAPTURE_MERGE);
    }
    return add_dependencies(&member_of(c, stream)->next_node, event->capture_nodes, NULL, event->n_capture_nodes)
               ? CUDA_SUCCESS
               : fail(c, CUDA_ERROR_OUT_OF_MEMORY);
}

CUresult drv_capture_submit(struct drv_stream *stream, struct drv_work *work)
{
    if (stream->capture->invalid) {
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    }
    switch (work->class->kind) {
    case DRV_WORK_RECORD:
        return record(stream, ((const struct drv_event_work *)work)->event);
    case DRV_WORK_WAIT:
        return wait(stream, ((const struct drv_event_work *)work)->event);
    default:
        return add_work(stream, work);
    }
}

/* What is left of an event of a capture that is over, or invalid: measured on H200. */
static CUresult useless(const struct drv_capture *c)
{
    return c->invalid ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_CAPTURED_EVENT;
}

CUresult drv_capture_join(struct drv_stream *stream, struct drv_event *event)
{
    struct drv_capture *c = event->capture;

    if (c->members == NULL || c->invalid) {
        return useless(c);
    }
    if (stream->role == DRV_STREAM_LEGACY) {
        return fail(c, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    }
    return add_member(c, stream) != NULL ? CUDA_SUCCESS : fail(c, CUDA_ERROR_OUT_OF_MEMORY);
}

CUresult drv_capture_external(struct drv_stream *stream, struct drv_work *work)
{
    CUresult result;

    if (work == NULL || stream->capture == NULL) {
        return drv_submit(stream, work);
    }
    drv_lock();
    result = stream->capture == NULL    ? CUDA_ERROR_ILLEGAL_STATE
             : stream->capture->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                                        : add_work(stream, work);
    drv_unlock();
    drv_work_release(work);
    return result;
}

CUresult drv_capture_refuse(struct drv_stream *stream)
{
    drv_lock();
    const CUresult result = stream->capture == NULL ? CUDA_ERROR_ILLEGAL_STATE
                                                    : fail(stream->capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);

    drv_unlock();
    return result;
}

/* --- memory of captured graphs ---------------------------------------------------------------- */
/* What the stream's next node depends on, copied, for calls that need the lock themselves. */
static CUresult copy_place(struct drv_stream *stream, CUgraph *graph, struct dependencies *copy)
{
    CUresult result = CUDA_ERROR_ILLEGAL_STATE;

    drv_lock();
    if (stream->capture != NULL) {
        const struct dependencies *d = &member_of(stream->capture, stream)->next_node;

        *graph = stream->capture->graph;
        result = stream->capture->invalid                          ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                 : add_dependencies(copy, d->nodes, d->data, d->n) ? CUDA_SUCCESS
                                                                   : CUDA_ERROR_OUT_OF_MEMORY;
    }
    drv_unlock();
    return result;
}

/* A node was made, or not. */
static void finish_place(struct drv_stream *stream, CUgraphNode node, CUresult result)
{
    drv_lock();
    if (stream->capture != NULL && result == CUDA_SUCCESS) {
        advance(stream, node);
    } else if (stream->capture != NULL) {
        fail(stream->capture, result);
    }
    drv_unlock();
}

CUresult drv_capture_alloc(struct drv_stream *stream, CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    struct dependencies d = {0};
    CUgraph graph;
    CUgraphNode node = NULL;
    CUresult result = copy_place(stream, &graph, &d);

    if (result == CUDA_SUCCESS) {
        result = drv_alloc_node_add(&node, graph, d.nodes, d.data, d.n, params);
        finish_place(stream, node, result);
    }
    free_dependencies(&d);
    return result;
}

CUresult drv_capture_free(struct drv_stream *stream, CUdeviceptr address)
{
    struct dependencies d = {0};
    CUgraph graph;
    CUgraphNode node = NULL;
    CUresult result = copy_place(stream, &graph, &d);

    if (result == CUDA_SUCCESS) {
        result = drv_free_node_add(&node, graph, d.nodes, d.data, d.n, address);
        finish_place(stream, node, result);
    }
    free_dependencies(&d);
    return result;
}

/* --- what is permitted meanwhile -------------------------------------------------------------- */
/* Whether a capture keeps the calling thread from unsafe calls (CUDA Driver API, cuThreadExchangeStreamCaptureMode). */
static bool forbids(const struct drv_capture *c)
{
    const bool own = pthread_equal(c->thread, pthread_self()) != 0;

    switch (thread_mode) {
    case CU_STREAM_CAPTURE_MODE_GLOBAL:
        return own ? c->mode != CU_STREAM_CAPTURE_MODE_RELAXED : c->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
    case CU_STREAM_CAPTURE_MODE_THREAD_LOCAL:
        return own && c->mode != CU_STREAM_CAPTURE_MODE_RELAXED;
    default:
        return false;
    }
}

CUresult drv_capture_permits(void)
{
    CUresult result = CUDA_SUCCESS;

    drv_lock();
    for (struct drv_capture *c = captures; c != NULL; c = c->next) {
        if (forbids(c)) {
            result = fail(c, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
        }
    }
    drv_unlock();
    return result;
}

CUresult drv_enter_unsafe(struct drv_context **context)
{
    const CUresult result = drv_enter(context);

    return result == CUDA_SUCCESS ? drv_capture_permits() : result;
}

/* Whether work of the context's legacy stream would have to be ordered with what the capture's streams do. */
static bool holds_legacy(const struct drv_capture *c, const struct drv_context *context)
{
    for (const struct member *m = c->members; m != NULL; m = m->next) {
        if (m->stream->context == context && (m->stream->flags & CU_STREAM_NON_BLOCKING) == 0) {
            return true;
        }
    }
    return false;
}

CUresult drv_capture_permits_legacy(struct drv_context *context)
{
    CUresult result = CUDA_SUCCESS;

    for (struct drv_capture *c = captures; c != NULL; c = c->next) {
        if (holds_legacy(c, context)) {
            result = fail(c, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
        }
    }
    return result;
}

CUresult drv_capture_permits_wait(struct drv_stream *stream)
{
    if (stream->capture != NULL) {
        return fail(stream->capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    }
    return stream->role == DRV_STREAM_LEGACY ? drv_capture_permits_legacy(stream->context) : CUDA_SUCCESS;
}

CUresult drv_capture_permits_event(struct drv_event *event)
{
    struct drv_capture *c = event->capture;

    if (c == NULL) {
        return CUDA_SUCCESS;
    }
    return c->members == NULL || c->invalid ? useless(c) : fail(c, CUDA_ERROR_CAPTURED_EVENT);
}

void drv_capture_forget_event(struct drv_event *event)
{
    if (event->capture != NULL) {
        drop(event->capture);
        free(event->capture_nodes);
        event->capture = NULL;
        event->capture_nodes = NULL;
        event->n_capture_nodes = 0;
    }
}

/* A stream that joined may go: whether its work was joined again is seen at the end.  Without the first stream a
 * capture is over. */
void drv_capture_forget_stream(struct drv_stream *stream)
{
    struct drv_capture *c = stream->capture;

    if (c == NULL) {
        return;
    }
    if (c->origin == stream) {
        struct drv_graph *graph = abandon_graph(c);

        c->invalid = true;
        if (graph != NULL) {
            graph->next_dead = dead;
            dead = graph;
        }
        release_members(c);
        return;
    }
    struct member **link = &c->members;

    while ((*link)->stream != stream) {
        link = &(*link)->next;
    }
    struct member *m = *link;

    *link = m->next;
    stream->capture = NULL;
    drv_stream_drop(stream);
    c->invalid |= !add_dependencies(&c->left, m->next_node.nodes, m->next_node.data, m->next_node.n);
    free_dependencies(&m->next_node);
    free(m);
}

CUresult CUDAAPI cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    const CUstreamCaptureMode before = thread_mode;

    if (drv_ready() != CUDA_SUCCESS) {
        return CUDA_ERROR_NOT_INITIALIZED;
    }
    if (mode == NULL || (unsigned)*mode > CU_STREAM_CAPTURE_MODE_RELAXED) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    thread_mode = *mode;
    *mode = before;
    return CUDA_SUCCESS;
}

/* --- beginning and end ------------------------------------------------------------------------ */
/* Whether all are nodes of the graph. */
static bool are_nodes_of(const struct drv_graph *graph, const CUgraphNode *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct drv_node *node = drv_node_of(nodes[i]);

        if (node == NULL || node->graph != graph) {
            return false;
        }
    }
    return true;
}

/* The graph to capture into. */
static CUresult open_graph(const struct drv_capture_start *start, struct drv_graph **graph)
{
    if (start->graph == NULL) {
        *graph = drv_graph_new(DRV_VISIBLE);
        return *graph == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    }
    *graph = drv_graph_of(start->graph);
    return *graph != NULL && (start->count == 0 || start->dependencies != NULL) &&
                   are_nodes_of(*graph, start->dependencies, start->count)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

/* Lock held.  *left: a graph for the caller to free. */
static CUresult begin(struct drv_stream *stream, const struct drv_capture_start *start, struct drv_graph **left)
{
    struct drv_graph *graph = NULL;

    if (stream->role == DRV_STREAM_LEGACY) {
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    if (stream->capture != NULL) {
        return CUDA_ERROR_ILLEGAL_STATE;
    }
    const CUresult result = open_graph(start, &graph);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct drv_capture *c = calloc(1, sizeof *c);
    struct member *m = c == NULL ? NULL : add_member(c, stream);

    if (m == NULL) {
        free(c);
        if (start->graph == NULL) {
            drv_graph_hide(graph);
            *left = graph;
        }
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    c->references = 1;
    c->id = ++last_id;
    c->graph = graph->handle;
    c->graph_is_given = start->graph != NULL;
    c->origin = stream;
    c->mode = start->mode;
    c->thread = pthread_self();
    c->invalid = !add_dependencies(&m->next_node, start->dependencies, start->data, start->count);
    c->next = captures;
    captures = c;
    graph->captures++;
    return CUDA_SUCCESS;
}

CUresult drv_capture_begin(struct drv_stream *stream, const struct drv_capture_start *start)
{
    struct drv_graph *left = NULL;

    if ((unsigned)start->mode > CU_STREAM_CAPTURE_MODE_RELAXED) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    drv_lock();
    const CUresult result = begin(stream, start, &left);

    drv_unlock();
    drv_graph_free(left);
    bury();
    return result;
}

static size_t resolve(const struct dependencies *d, const struct drv_graph *graph, struct drv_node **nodes)
{
    size_t n = 0;

    for (size_t i = 0; i < d->n; i++) {
        struct drv_node *node = drv_node_of(d->nodes[i]);

        if (node != NULL && node->graph == graph) {
            nodes[n++] = node;
        }
    }
    return n;
}

static bool all_reached(const struct dependencies *d, const struct drv_graph *graph, struct drv_node **nodes,
                        const bool *reached)
{
    const size_t n = resolve(d, graph, nodes);
    bool all = true;

    for (size_t i = 0; i < n; i++) {
        all = all && reached[nodes[i]->index];
    }
    return all;
}

/* Whether everything that other streams did comes before what the first stream did last. */
static CUresult check_joined(struct drv_capture *c)
{
    struct drv_graph *graph = drv_graph_of(c->graph);
    struct drv_node **nodes = calloc(graph->n_nodes + 1, sizeof *nodes);
    bool *reached = calloc(graph->n_nodes + 1, sizeof *reached);
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;

    if (nodes != NULL && reached != NULL) {
        const size_t n = resolve(&member_of(c, c->origin)->next_node, graph, nodes);

        result = drv_graph_reach_back(graph, nodes, n, reached) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    }
    for (const struct member *m = c->members; m != NULL && result == CUDA_SUCCESS; m = m->next) {
        result = all_reached(&m->next_node, graph, nodes, reached) ? result : CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    }
    if (result == CUDA_SUCCESS && !all_reached(&c->left, graph, nodes, reached)) {
        result = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    }
    free(nodes);
    free(reached);
    return result;
}

/* Lock held.  *left: a graph for the caller to free. */
static CUresult end(struct drv_stream *stream, CUgraph *graph, struct drv_graph **left)
{
    struct drv_capture *c = stream->capture;

    if (c == NULL) {
        return CUDA_ERROR_ILLEGAL_STATE;
    }
    if (c->origin != stream) {
        return fail(c, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    }
    const bool foreign = c->mode != CU_STREAM_CAPTURE_MODE_RELAXED && pthread_equal(c->thread, pthread_self()) == 0;
    const CUresult result = foreign ? CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD /* which ends it too, as on an H200 */
                            : c->invalid || drv_graph_of(c->graph) == NULL ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                                                                           : check_joined(c);

    if (result == CUDA_SUCCESS) {
        *graph = c->graph;
        drv_graph_of(c->graph)->captures--;
        c->graph = NULL;
    } else {
        *left = abandon_graph(c);
    }
    release_members(c);
    return result;
}

CUresult drv_capture_end(struct drv_stream *stream, CUgraph *graph)
{
    struct drv_graph *left = NULL;

    *graph = NULL;
    drv_lock();
    const CUresult result = end(stream, graph, &left);

    drv_unlock();
    drv_graph_free(left);
    bury();
    return result;
}

/* --- questions -------------------------------------------------------------------------------- */
static bool blocks_legacy(const struct drv_context *context)
{
    for (const struct drv_capture *c = captures; c != NULL; c = c->next) {
        if (holds_legacy(c, context)) {
            return true;
        }
    }
    return false;
}

static void describe(struct drv_stream *stream, struct drv_capture_info *info)
{
    const struct drv_capture *c = stream->capture;
    const struct dependencies *d = &member_of(c, stream)->next_node;

    *info = (struct drv_capture_info){.status = c->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                                           : CU_STREAM_CAPTURE_STATUS_ACTIVE,
                                      .id = c->id,
                                      .graph = c->graph,
                                      .dependencies = d->nodes,
                                      .data = d->data,
                                      .count = d->n,
                                      .plain = true};
    for (size_t i = 0; i < d->n; i++) {
        info->plain = info->plain && drv_edge_is_plain(&d->data[i]);
    }
}

CUresult drv_capture_look(struct drv_stream *stream, struct drv_capture_info *info)
{
    CUresult result = CUDA_SUCCESS;

    *info = (struct drv_capture_info){.status = CU_STREAM_CAPTURE_STATUS_NONE, .plain = true};
    drv_lock();
    if (stream->capture != NULL) {
        describe(stream, info);
    } else if (stream->role == DRV_STREAM_LEGACY && blocks_legacy(stream->context)) {
        result = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
    drv_unlock();
    return result;
}

static CUresult set_dependencies(struct drv_stream *stream, const CUgraphNode *dependencies,
                                 const CUgraphEdgeData *data, size_t count, bool replace)
{
    struct drv_capture *c = stream->capture;

    if (c == NULL) {
        return CUDA_ERROR_ILLEGAL_STATE;
    }
    if (c->invalid) {
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    }
    if ((count > 0 && dependencies == NULL) || !are_nodes_of(drv_graph_of(c->graph), dependencies, count)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct dependencies *d = &member_of(c, stream)->next_node;
    struct dependencies made = {0};
    const bool good = (replace || add_dependencies(&made, d->nodes, d->data, d->n)) &&
                      add_dependencies(&made, dependencies, data, count);

    /* The given array may be the one that is replaced: cuStreamGetCaptureInfo hands it out. */
    if (good) {
        free_dependencies(d);
        *d = made;
    } else {
        free_dependencies(&made);
    }
    return good ? CUDA_SUCCESS : fail(c, CUDA_ERROR_OUT_OF_MEMORY);
}

CUresult drv_capture_set_dependencies(struct drv_stream *stream, const CUgraphNode *dependencies,
                                      const CUgraphEdgeData *data, size_t count, bool replace)
{
    drv_lock();
    const CUresult result = set_dependencies(stream, dependencies, data, count, replace);

    drv_unlock();
    return result;
}
