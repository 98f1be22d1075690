/*
 * The other kinds of graph node: fills, host functions, child graphs, empty ones, events, allocations.
 *
 * External semaphores are not among them: nothing here could signal one.
 */
#include "graph_node.h"

#include "forward.h"

/* --- memset nodes ----------------------------------------------------------------------------- */
CUDA_MEMSET_NODE_PARAMS crt_memset_node(const struct cudaMemsetParams *params)
{
    return (CUDA_MEMSET_NODE_PARAMS){
        .dst = crt_address(params->dst),
        .pitch = params->pitch,
        .value = params->value,
        .elementSize = params->elementSize,
        .width = params->width,
        .height = params->height,
    };
}

/* Begin a call that takes a memset node's parameters; a failure is noted. */
static cudaError_t begin_memset(const struct cudaMemsetParams *params, CUDA_MEMSET_NODE_PARAMS *node,
                                CUcontext *context)
{
    cudaError_t error = params != NULL ? crt_begin() : crt_return(cudaErrorInvalidValue);

    if (error == cudaSuccess) {
        *node = crt_memset_node(params);
        error = crt_return(crt_current_context(context));
    }
    return error;
}

cudaError_t CUDARTAPI cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                             const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                             const struct cudaMemsetParams *pMemsetParams)
{
    CUDA_MEMSET_NODE_PARAMS node;
    CUcontext context = NULL;
    cudaError_t error = begin_memset(pMemsetParams, &node, &context);

    return error == cudaSuccess
               ? crt_end(cuGraphAddMemsetNode(pGraphNode, graph, pDependencies, numDependencies, &node, context))
               : error;
}

cudaError_t CUDARTAPI cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *pNodeParams)
{
    CUDA_MEMSET_NODE_PARAMS params;
    cudaError_t error =
        pNodeParams != NULL ? CRT_CALL(cuGraphMemsetNodeGetParams(node, &params)) : crt_return(cudaErrorInvalidValue);

    if (error == cudaSuccess) {
        *pNodeParams = (struct cudaMemsetParams){
            .dst = crt_pointer(params.dst),
            .pitch = params.pitch,
            .value = params.value,
            .elementSize = params.elementSize,
            .width = params.width,
            .height = params.height,
        };
    }
    return error;
}

cudaError_t CUDARTAPI cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *pNodeParams)
{
    CUDA_MEMSET_NODE_PARAMS params;
    CUcontext context = NULL;
    cudaError_t error = begin_memset(pNodeParams, &params, &context);

    return error == cudaSuccess ? crt_end(cuGraphMemsetNodeSetParams(node, &params)) : error;
}

cudaError_t CUDARTAPI cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                       const struct cudaMemsetParams *pNodeParams)
{
    CUDA_MEMSET_NODE_PARAMS params;
    CUcontext context = NULL;
    cudaError_t error = begin_memset(pNodeParams, &params, &context);

    return error == cudaSuccess ? crt_end(cuGraphExecMemsetNodeSetParams(hGraphExec, node, &params, context)) : error;
}

/* --- host nodes ------------------------------------------------------------------------------- */
cudaError_t CUDARTAPI cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                           const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                           const struct cudaHostNodeParams *pNodeParams)
{
    return CRT_CALL(cuGraphAddHostNode(pGraphNode, graph, pDependencies, numDependencies,
                                       (const CUDA_HOST_NODE_PARAMS *)pNodeParams));
}

cudaError_t CUDARTAPI cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *pNodeParams)
{
    return CRT_CALL(cuGraphHostNodeGetParams(node, (CUDA_HOST_NODE_PARAMS *)pNodeParams));
}

cudaError_t CUDARTAPI cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *pNodeParams)
{
    return CRT_CALL(cuGraphHostNodeSetParams(node, (const CUDA_HOST_NODE_PARAMS *)pNodeParams));
}

cudaError_t CUDARTAPI cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                     const struct cudaHostNodeParams *pNodeParams)
{
    return CRT_CALL(cuGraphExecHostNodeSetParams(hGraphExec, node, (const CUDA_HOST_NODE_PARAMS *)pNodeParams));
}

/* --- child graphs, empty nodes ---------------------------------------------------------------- */
cudaError_t CUDARTAPI cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                 const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                                 cudaGraph_t childGraph)
{
    return CRT_CALL(cuGraphAddChildGraphNode(pGraphNode, graph, pDependencies, numDependencies, childGraph));
}

cudaError_t CUDARTAPI cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *pGraph)
{
    return CRT_CALL(cuGraphChildGraphNodeGetGraph(node, pGraph));
}

cudaError_t CUDARTAPI cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                           cudaGraph_t childGraph)
{
    return CRT_CALL(cuGraphExecChildGraphNodeSetParams(hGraphExec, node, childGraph));
}

cudaError_t CUDARTAPI cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                            const cudaGraphNode_t *pDependencies, size_t numDependencies)
{
    return CRT_CALL(cuGraphAddEmptyNode(pGraphNode, graph, pDependencies, numDependencies));
}

/* --- events ----------------------------------------------------------------------------------- */
cudaError_t CUDARTAPI cudaGraphAddEventRecordNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                  const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                                  cudaEvent_t event)
{
    return CRT_CALL(cuGraphAddEventRecordNode(pGraphNode, graph, pDependencies, numDependencies, event));
}

cudaError_t CUDARTAPI cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out)
{
    return CRT_CALL(cuGraphEventRecordNodeGetEvent(node, event_out));
}

cudaError_t CUDARTAPI cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    return CRT_CALL(cuGraphEventRecordNodeSetEvent(node, event));
}

cudaError_t CUDARTAPI cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                           cudaEvent_t event)
{
    return CRT_CALL(cuGraphExecEventRecordNodeSetEvent(hGraphExec, hNode, event));
}

cudaError_t CUDARTAPI cudaGraphAddEventWaitNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                                cudaEvent_t event)
{
    return CRT_CALL(cuGraphAddEventWaitNode(pGraphNode, graph, pDependencies, numDependencies, event));
}

cudaError_t CUDARTAPI cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out)
{
    return CRT_CALL(cuGraphEventWaitNodeGetEvent(node, event_out));
}

cudaError_t CUDARTAPI cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    return CRT_CALL(cuGraphEventWaitNodeSetEvent(node, event));
}

cudaError_t CUDARTAPI cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                         cudaEvent_t event)
{
    return CRT_CALL(cuGraphExecEventWaitNodeSetEvent(hGraphExec, hNode, event));
}

/* --- memory ----------------------------------------------------------------------------------- */
cudaError_t CUDARTAPI cudaGraphAddMemAllocNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                               const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                               struct cudaMemAllocNodeParams *nodeParams)
{
    return CRT_CALL(cuGraphAddMemAllocNode(pGraphNode, graph, pDependencies, numDependencies,
                                           (CUDA_MEM_ALLOC_NODE_PARAMS *)nodeParams));
}

cudaError_t CUDARTAPI cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *params_out)
{
    return CRT_CALL(cuGraphMemAllocNodeGetParams(node, (CUDA_MEM_ALLOC_NODE_PARAMS *)params_out));
}

cudaError_t CUDARTAPI cudaGraphAddMemFreeNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                              const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dptr)
{
    return CRT_CALL(cuGraphAddMemFreeNode(pGraphNode, graph, pDependencies, numDependencies, crt_address(dptr)));
}

/* `dptr_out` points to the pointer that is to be set. */
cudaError_t CUDARTAPI cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *dptr_out)
{
    CUdeviceptr address = 0;
    cudaError_t error =
        dptr_out != NULL ? CRT_CALL(cuGraphMemFreeNodeGetParams(node, &address)) : crt_return(cudaErrorInvalidValue);

    if (error == cudaSuccess) {
        *(void **)dptr_out = crt_pointer(address);
    }
    return error;
}
