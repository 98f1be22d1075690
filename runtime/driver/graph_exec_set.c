/*
 * Changing nodes of executable graphs one at a time.
 */
#include <stdlib.h>

#include "runtime/driver/graph_exec.h"
#include "runtime/driver/handle.h"

/* The work that a node of an executable graph does now, retained; NULL: there is no such node, or it is of another
 * type. */
static struct drv_work *current_work(const struct drv_exec *exec, CUgraphNode handle, CUgraphNodeType type)
{
    struct drv_work *work = NULL;

    drv_lock();
    const struct drv_node *node = drv_exec_node(exec, handle);

    if (node != NULL && node->type == type && node->work != NULL) {
        work = drv_work_retain(node->work);
    }
    drv_unlock();
    return work;
}

static bool is_flat(const struct drv_node *node, const struct drv_work *work)
{
    return node->type != CU_GRAPH_NODE_TYPE_MEMCPY || (((const struct drv_copy_work *)node->work)->one_dimensional &&
                                                       ((const struct drv_copy_work *)work)->one_dimensional);
}

/* Put work in a node's place if the rules allow it; takes over the reference. */
static CUresult replace(struct drv_exec *exec, CUgraphNode handle, CUgraphNodeType type, struct drv_work *work,
                        CUcontext context)
{
    struct drv_work *old = work;
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    drv_lock();
    struct drv_node *node = drv_exec_node(exec, handle);

    if (node != NULL && node->type == type && is_flat(node, work) &&
        drv_check_change(node, work) == CU_GRAPH_EXEC_UPDATE_SUCCESS) {
        old = node->work;
        node->work = work;
        node->context = context;
        exec->stale = true;
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    drv_work_release(old);
    return result;
}

/* What each of the calls below ends in. */
static CUresult set(CUgraphExec handle, CUgraphNode node, const CUgraphNodeParams *params)
{
    struct drv_exec *exec = drv_exec_take(handle);
    struct drv_work *old, *work = NULL;
    CUcontext context;

    if (exec == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    old = current_work(exec, node, params->type);
    CUresult result = old == NULL ? CUDA_ERROR_INVALID_VALUE : drv_any_node_work(params, old, &context, &work);

    if (result == CUDA_SUCCESS) {
        result = replace(exec, node, params->type, work, context);
    }
    drv_work_release(old);
    drv_exec_drop(exec);
    return result;
}

CUresult CUDAAPI cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                const CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_KERNEL};

    if (nodeParams == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    params.kernel = (CUDA_KERNEL_NODE_PARAMS_v3){
        .func = nodeParams->func,
        .gridDimX = nodeParams->gridDimX,
        .gridDimY = nodeParams->gridDimY,
        .gridDimZ = nodeParams->gridDimZ,
        .blockDimX = nodeParams->blockDimX,
        .blockDimY = nodeParams->blockDimY,
        .blockDimZ = nodeParams->blockDimZ,
        .sharedMemBytes = nodeParams->sharedMemBytes,
        .kernelParams = nodeParams->kernelParams,
        .extra = nodeParams->extra,
        .kern = nodeParams->kern,
        .ctx = nodeParams->ctx,
    };
    return set(hGraphExec, hNode, &params);
}

CUresult CUDAAPI cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                const CUDA_MEMCPY3D *copyParams, CUcontext ctx)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEMCPY};

    if (copyParams == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    params.memcpy.copyCtx = ctx;
    params.memcpy.copyParams = *copyParams;
    return set(hGraphExec, hNode, &params);
}

CUresult CUDAAPI cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEMSET};

    if (memsetParams == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    params.memset = (CUDA_MEMSET_NODE_PARAMS_v2){.dst = memsetParams->dst,
                                                 .pitch = memsetParams->pitch,
                                                 .value = memsetParams->value,
                                                 .elementSize = memsetParams->elementSize,
                                                 .width = memsetParams->width,
                                                 .height = memsetParams->height,
                                                 .ctx = ctx};
    return set(hGraphExec, hNode, &params);
}

CUresult CUDAAPI cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                              const CUDA_HOST_NODE_PARAMS *nodeParams)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_HOST};

    if (nodeParams == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    params.host = (CUDA_HOST_NODE_PARAMS_v2){.fn = nodeParams->fn, .userData = nodeParams->userData};
    return set(hGraphExec, hNode, &params);
}

CUresult CUDAAPI cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD};

    params.eventRecord.event = event;
    return set(hGraphExec, hNode, &params);
}

CUresult CUDAAPI cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT};

    params.eventWait.event = event;
    return set(hGraphExec, hNode, &params);
}

CUresult CUDAAPI cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraphNodeParams *nodeParams)
{
    if (nodeParams == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    switch (nodeParams->type) {
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return cuGraphExecChildGraphNodeSetParams(hGraphExec, hNode, nodeParams->graph.graph);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return set(hGraphExec, hNode, nodeParams);
    }
}

/* --- on and off ------------------------------------------------------------------------------- */
/* The node, if it is of a type that can be turned off; lock held. */
static struct drv_node *switchable(const struct drv_exec *exec, CUgraphNode handle)
{
    struct drv_node *node = drv_exec_node(exec, handle);

    return node != NULL && (node->type == CU_GRAPH_NODE_TYPE_KERNEL || node->type == CU_GRAPH_NODE_TYPE_MEMCPY ||
                            node->type == CU_GRAPH_NODE_TYPE_MEMSET)
               ? node
               : NULL;
}

CUresult CUDAAPI cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int isEnabled)
{
    struct drv_exec *exec = drv_exec_take(hGraphExec);
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    if (exec == NULL) {
        return result;
    }
    drv_lock();
    struct drv_node *node = switchable(exec, hNode);

    if (node != NULL) {
        node->disabled = isEnabled == 0;
        exec->stale = true;
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    drv_exec_drop(exec);
    return result;
}

CUresult CUDAAPI cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int *isEnabled)
{
    struct drv_exec *exec = drv_exec_take(hGraphExec);
    CUresult result = CUDA_ERROR_INVALID_VALUE;

    if (exec == NULL) {
        return result;
    }
    drv_lock();
    const struct drv_node *node = switchable(exec, hNode);

    if (node != NULL && isEnabled != NULL) {
        *isEnabled = !node->disabled;
        result = CUDA_SUCCESS;
    }
    drv_unlock();
    drv_exec_drop(exec);
    return result;
}
