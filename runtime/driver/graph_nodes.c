/*
 * Nodes: adding them, and the kinds whose parameters are simple: host functions, events, child graphs, empty ones.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/driver/event.h"
#include "runtime/driver/graph.h"
#include "runtime/driver/graph_memory.h"
#include "runtime/driver/handle.h"

/* --- adding ----------------------------------------------------------------------------------- */
/* Tie a new node to what it depends on. */
static CUresult add_edges(struct drv_node *node, const CUgraphNode *dependencies, const CUgraphEdgeData *data,
                          size_t count)
{
    CUresult result = CUDA_SUCCESS;

    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        struct drv_node *from = drv_node_of(dependencies[i]);

        result = from == NULL ? CUDA_ERROR_INVALID_VALUE : drv_edge_add(from, node, data == NULL ? NULL : &data[i]);
    }
    return result;
}

/* A node that could not be tied in: what it is made of stays with the caller. */
static void undo(struct drv_node *node)
{
    drv_node_detach(node);
    if (node->child != NULL) {
        node->child->owner = NULL;
    }
    node->work = NULL;
    node->child = NULL;
    node->block = NULL;
    node->allocation = NULL;
    drv_node_free(node);
}

CUresult drv_node_add_locked(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies,
                             const CUgraphEdgeData *data, size_t count, const struct drv_node_spec *spec)
{
    struct drv_graph *g = drv_graph_of(graph);

    if (out == NULL || g == NULL || (count > 0 && dependencies == NULL)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct drv_node *node = drv_node_new(g, spec, DRV_VISIBLE);

    if (node == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    const CUresult result = add_edges(node, dependencies, data, count);

    if (result != CUDA_SUCCESS) {
        undo(node);
        return result;
    }
    *out = node->handle;
    return CUDA_SUCCESS;
}

CUresult drv_node_add(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *data,
                      size_t count, const struct drv_node_spec *spec)
{
    drv_lock();
    const CUresult result = drv_node_add_locked(out, graph, dependencies, data, count, spec);

    drv_unlock();
    if (result != CUDA_SUCCESS) {
        drv_work_release(spec->work);
    }
    return result;
}

/* Add a node for work that was made, if it was. */
static CUresult add_work(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                         CUgraphNodeType type, struct drv_work *work)
{
    return work == NULL
               ? CUDA_ERROR_OUT_OF_MEMORY
               : drv_node_add(out, graph, dependencies, NULL, count, &(struct drv_node_spec){type, .work = work});
}

/* --- work in nodes ---------------------------------------------------------------------------- */
CUresult drv_node_replace(CUgraphNode handle, CUgraphNodeType type, struct drv_work *work, CUcontext context)
{
    struct drv_work *old = work;
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    struct drv_node *node = drv_node_of_type(handle, type);

    if (node != NULL) {
        old = node->work;
        node->work = work;
        node->context = context;
        free(node->kernel_params);
        node->kernel_params = NULL;
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    drv_work_release(old);
    return result;
}

struct drv_work *drv_node_work(CUgraphNode handle, CUgraphNodeType type)
{
    drv_lock();
    struct drv_node *node = drv_node_of_type(handle, type);
    struct drv_work *work = node == NULL || node->work == NULL ? NULL : drv_work_retain(node->work);

    drv_unlock();
    return work;
}

CUgraphNodeType drv_node_type_of(const struct drv_work *work)
{
    static const CUgraphNodeType types[] = {
        [DRV_WORK_EMPTY] = CU_GRAPH_NODE_TYPE_EMPTY,     [DRV_WORK_KERNEL] = CU_GRAPH_NODE_TYPE_KERNEL,
        [DRV_WORK_COPY] = CU_GRAPH_NODE_TYPE_MEMCPY,     [DRV_WORK_SET] = CU_GRAPH_NODE_TYPE_MEMSET,
        [DRV_WORK_HOST] = CU_GRAPH_NODE_TYPE_HOST,       [DRV_WORK_RECORD] = CU_GRAPH_NODE_TYPE_EVENT_RECORD,
        [DRV_WORK_WAIT] = CU_GRAPH_NODE_TYPE_WAIT_EVENT, [DRV_WORK_ALLOC] = CU_GRAPH_NODE_TYPE_MEM_ALLOC,
        [DRV_WORK_FREE] = CU_GRAPH_NODE_TYPE_MEM_FREE,   [DRV_WORK_GRAPH] = CU_GRAPH_NODE_TYPE_GRAPH,
        [DRV_WORK_OTHER] = CU_GRAPH_NODE_TYPE_EMPTY,
    };

    return types[work->class->kind];
}

/* --- empty ones ------------------------------------------------------------------------------- */
CUresult CUDAAPI cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                     size_t numDependencies)
{
    const CUresult ready = drv_ready();

    return ready != CUDA_SUCCESS ? ready
                                 : add_work(phGraphNode, hGraph, dependencies, numDependencies,
                                            CU_GRAPH_NODE_TYPE_EMPTY, drv_empty_work());
}

/* --- host functions --------------------------------------------------------------------------- */
CUresult drv_host_node_work(const CUDA_HOST_NODE_PARAMS *params, struct drv_work **work)
{
    if (params == NULL || params->fn == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *work = drv_host_work(params->fn, params->userData);
    return *work == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                    size_t numDependencies, const CUDA_HOST_NODE_PARAMS *nodeParams)
{
    struct drv_work *work = NULL;
    CUresult result = drv_ready();

    if (result == CUDA_SUCCESS) {
        result = drv_host_node_work(nodeParams, &work);
    }
    return result != CUDA_SUCCESS
               ? result
               : add_work(phGraphNode, hGraph, dependencies, numDependencies, CU_GRAPH_NODE_TYPE_HOST, work);
}

CUresult CUDAAPI cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS *nodeParams)
{
    struct drv_work *work = nodeParams == NULL ? NULL : drv_node_work(hNode, CU_GRAPH_NODE_TYPE_HOST);
    const struct drv_host_work *host = (const struct drv_host_work *)work;

    if (work == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *nodeParams = (CUDA_HOST_NODE_PARAMS){.fn = host->function, .userData = host->argument};
    drv_work_release(work);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphHostNodeSetParams(CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS *nodeParams)
{
    struct drv_work *work = NULL;
    const CUresult result = drv_host_node_work(nodeParams, &work);

    return result != CUDA_SUCCESS ? result : drv_node_replace(hNode, CU_GRAPH_NODE_TYPE_HOST, work, NULL);
}

/* --- events ----------------------------------------------------------------------------------- */
CUresult drv_event_node_work(CUevent event, CUgraphNodeType type, struct drv_work **work)
{
    struct drv_event *e = drv_event_take(event);

    if (e == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *work = type == CU_GRAPH_NODE_TYPE_EVENT_RECORD ? drv_record_work(event, e) : drv_wait_work(event, e);
    drv_event_give(e);
    return *work == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

static CUresult add_event_node(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                               CUgraphNodeType type, CUevent event)
{
    struct drv_work *work = NULL;
    CUresult result = drv_ready();

    if (result == CUDA_SUCCESS) {
        result = drv_event_node_work(event, type, &work);
    }
    return result != CUDA_SUCCESS ? result : add_work(out, graph, dependencies, count, type, work);
}

static CUresult get_event(CUgraphNode node, CUgraphNodeType type, CUevent *event)
{
    struct drv_work *work = event == NULL ? NULL : drv_node_work(node, type);

    if (work == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *event = ((const struct drv_event_work *)work)->handle;
    drv_work_release(work);
    return CUDA_SUCCESS;
}

static CUresult set_event(CUgraphNode node, CUgraphNodeType type, CUevent event)
{
    struct drv_work *work = NULL;
    const CUresult result = drv_event_node_work(event, type, &work);

    return result != CUDA_SUCCESS ? result : drv_node_replace(node, type, work, NULL);
}

CUresult CUDAAPI cuGraphAddEventRecordNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                           size_t numDependencies, CUevent event)
{
    return add_event_node(phGraphNode, hGraph, dependencies, numDependencies, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
}

CUresult CUDAAPI cuGraphAddEventWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                         size_t numDependencies, CUevent event)
{
    return add_event_node(phGraphNode, hGraph, dependencies, numDependencies, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
}

CUresult CUDAAPI cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent *event_out)
{
    return get_event(hNode, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event_out);
}

CUresult CUDAAPI cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent *event_out)
{
    return get_event(hNode, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event_out);
}

CUresult CUDAAPI cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event)
{
    return set_event(hNode, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
}

CUresult CUDAAPI cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event)
{
    return set_event(hNode, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
}

/* --- child graphs ----------------------------------------------------------------------------- */
static bool may_move(const struct drv_graph *child, const struct drv_graph *into)
{
    for (const struct drv_graph *g = into; g != NULL; g = g->owner == NULL ? NULL : g->owner->graph) {
        if (g == child) {
            return false;
        }
    }
    return child->owner == NULL && child->captures == 0 && child->execs == 0;
}

/* Lock held.  *made: the copy that became the child, or that somebody has to free. */
static CUresult add_child(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *data,
                          size_t count, CUgraph child, CUgraphChildGraphNodeOwnership ownership,
                          struct drv_graph **made)
{
    struct drv_graph *from = drv_graph_of(child), *into = drv_graph_of(graph);
    struct drv_node_spec spec = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .child = from};
    const bool moves = ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;

    if (from == NULL || into == NULL || from->moved || (moves ? !may_move(from, into) : drv_graph_has_memory(from))) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (!moves) {
        if (!drv_graph_copy(from, DRV_VISIBLE, made)) {
            return CUDA_ERROR_OUT_OF_MEMORY;
        }
        spec.child = *made;
    }
    const CUresult result = drv_node_add_locked(out, graph, dependencies, data, count, &spec);

    if (result == CUDA_SUCCESS) {
        from->moved = moves;
        *made = NULL;
    } else if (*made != NULL) {
        drv_graph_hide(*made);
    }
    return result;
}

CUresult drv_child_node_add(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies,
                            const CUgraphEdgeData *data, size_t count, CUgraph child,
                            CUgraphChildGraphNodeOwnership ownership)
{
    struct drv_graph *left = NULL;

    drv_lock();
    const CUresult result = add_child(out, graph, dependencies, data, count, child, ownership, &left);

    drv_unlock();
    drv_graph_free(left);
    return result;
}

CUresult CUDAAPI cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                          size_t numDependencies, CUgraph childGraph)
{
    const CUresult ready = drv_ready();

    return ready != CUDA_SUCCESS ? ready
                                 : drv_child_node_add(phGraphNode, hGraph, dependencies, NULL, numDependencies,
                                                      childGraph, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE);
}

CUresult CUDAAPI cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    struct drv_node *node = drv_node_of_type(hNode, CU_GRAPH_NODE_TYPE_GRAPH);

    if (node != NULL && phGraph != NULL) {
        *phGraph = node->child->handle;
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    return result;
}
