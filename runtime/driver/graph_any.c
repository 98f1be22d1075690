/*
 * Nodes of any type by one call, their parameters in a tagged union.
 */
#include <string.h>

#include "runtime/driver/graph.h"
#include "runtime/driver/graph_memory.h"
#include "runtime/driver/module.h"

/* Versions 2 and 3 of the parameters of kernels are the same. */
_Static_assert(sizeof(CUDA_KERNEL_NODE_PARAMS_v3) == sizeof(CUDA_KERNEL_NODE_PARAMS), "layouts differ");

static CUDA_KERNEL_NODE_PARAMS kernel_params(const CUgraphNodeParams *p)
{
    CUDA_KERNEL_NODE_PARAMS k;

    memcpy(&k, &p->kernel, sizeof k);
    return k;
}

static CUDA_MEMSET_NODE_PARAMS memset_params(const CUgraphNodeParams *p)
{
    return (CUDA_MEMSET_NODE_PARAMS){.dst = p->memset.dst,
                                     .pitch = p->memset.pitch,
                                     .value = p->memset.value,
                                     .elementSize = p->memset.elementSize,
                                     .width = p->memset.width,
                                     .height = p->memset.height};
}

static CUresult unsupported(CUgraphNodeType type)
{
    switch (type) {
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
        return drv_unsupported("CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL");
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
        return drv_unsupported("CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT");
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        return drv_unsupported("CU_GRAPH_NODE_TYPE_BATCH_MEM_OP");
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return drv_unsupported("CU_GRAPH_NODE_TYPE_CONDITIONAL");
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult drv_any_node_work(const CUgraphNodeParams *params, const struct drv_work *old, CUcontext *context,
                           struct drv_work **work)
{
    const CUDA_KERNEL_NODE_PARAMS kernel = kernel_params(params);
    const CUDA_MEMSET_NODE_PARAMS set = memset_params(params);
    CUresult result;

    *context = NULL;
    switch (params->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        result = old == NULL ? drv_kernel_work(&kernel, work)
                             : drv_kernel_work_like(&kernel, (const struct drv_kernel_work *)old, work);
        *context = result == CUDA_SUCCESS ? drv_kernel_work_context(*work) : NULL;
        return result;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        *context = params->memcpy.copyCtx;
        return params->memcpy.flags != 0 ? CUDA_ERROR_INVALID_VALUE
                                         : drv_memcpy_node_work(&params->memcpy.copyParams, context, work);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        *context = params->memset.ctx;
        return drv_memset_node_work(&set, context, work);
    case CU_GRAPH_NODE_TYPE_HOST:
        return drv_host_node_work(&(CUDA_HOST_NODE_PARAMS){params->host.fn, params->host.userData}, work);
    case CU_GRAPH_NODE_TYPE_EMPTY:
        *work = drv_empty_work();
        return *work == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        return drv_event_node_work(params->eventWait.event, params->type, work);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return drv_event_node_work(params->eventRecord.event, params->type, work);
    default:
        return unsupported(params->type);
    }
}

static bool reserved_are_zero(const CUgraphNodeParams *p)
{
    return p->reserved0[0] == 0 && p->reserved0[1] == 0 && p->reserved0[2] == 0 && p->reserved2 == 0;
}

static CUresult add_work(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *data,
                         size_t count, const CUgraphNodeParams *params)
{
    struct drv_node_spec spec = {.type = params->type};
    const CUresult result = drv_any_node_work(params, NULL, &spec.context, &spec.work);

    return result != CUDA_SUCCESS ? result : drv_node_add(out, graph, dependencies, data, count, &spec);
}

/* The two versions of allocation parameters are the same, too. */
_Static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS_v2) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS), "layouts differ");

static CUresult add_allocation(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies,
                               const CUgraphEdgeData *data, size_t count, CUgraphNodeParams *params)
{
    CUDA_MEM_ALLOC_NODE_PARAMS allocation;

    memcpy(&allocation, &params->alloc, sizeof allocation);
    const CUresult result = drv_alloc_node_add(out, graph, dependencies, data, count, &allocation);

    params->alloc.dptr = allocation.dptr;
    return result;
}

CUresult CUDAAPI cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                const CUgraphEdgeData *dependencyData, size_t numDependencies,
                                CUgraphNodeParams *nodeParams)
{
    const CUresult ready = drv_ready();

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    if (phGraphNode == NULL || nodeParams == NULL || !reserved_are_zero(nodeParams)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    switch (nodeParams->type) {
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        return add_allocation(phGraphNode, hGraph, dependencies, dependencyData, numDependencies, nodeParams);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return drv_free_node_add(phGraphNode, hGraph, dependencies, dependencyData, numDependencies,
                                 nodeParams->free.dptr);
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return drv_child_node_add(phGraphNode, hGraph, dependencies, dependencyData, numDependencies,
                                  nodeParams->graph.graph, nodeParams->graph.ownership);
    default:
        return add_work(phGraphNode, hGraph, dependencies, dependencyData, numDependencies, nodeParams);
    }
}

/* A child graph node's graph becomes a copy of another. */
static CUresult set_child(CUgraphNode handle, CUgraph child)
{
    struct drv_graph *old = NULL;
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    struct drv_node *node = drv_node_of_type(handle, CU_GRAPH_NODE_TYPE_GRAPH);
    const struct drv_graph *from = drv_graph_of(child);

    if (node != NULL && from != NULL && !node->child->moved && !drv_graph_has_memory(from)) {
        struct drv_graph *copy = NULL;

        result = drv_graph_copy(from, DRV_VISIBLE, &copy) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
        old = copy;
        if (result == CUDA_SUCCESS) {
            old = node->child;
            drv_graph_hide(old);
            node->child = copy;
            copy->owner = node;
        }
    }
    drv_unlock();
    drv_graph_free(old);
    return result;
}

CUresult CUDAAPI cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams *nodeParams)
{
    struct drv_work *old, *work = NULL;
    CUcontext context = NULL;

    if (nodeParams == NULL || !reserved_are_zero(nodeParams)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (nodeParams->type == CU_GRAPH_NODE_TYPE_GRAPH) {
        return set_child(hNode, nodeParams->graph.graph);
    }
    if (nodeParams->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || nodeParams->type == CU_GRAPH_NODE_TYPE_MEM_FREE) {
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    old = drv_node_work(hNode, nodeParams->type);
    CUresult result = old == NULL ? CUDA_ERROR_INVALID_VALUE : drv_any_node_work(nodeParams, old, &context, &work);

    if (result == CUDA_SUCCESS) {
        result = drv_node_replace(hNode, nodeParams->type, work, context);
    }
    drv_work_release(old);
    return result;
}
