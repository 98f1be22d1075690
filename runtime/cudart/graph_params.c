/*
 * Nodes of any kind, described by one union: cudaGraphAddNode and its like.
 */
#include "copy.h"
#include "forward.h"
#include "graph_node.h"

#include <string.h>

/* --- translation, by kind --------------------------------------------------------------------- */
static cudaError_t kernel_to_driver(const struct cudaKernelNodeParamsV2 *params, CUgraphNodeParams *to)
{
    const struct cudaKernelNodeParams plain = {
        .func = params->func,
        .gridDim = params->gridDim,
        .blockDim = params->blockDim,
        .sharedMemBytes = params->sharedMemBytes,
        .kernelParams = params->kernelParams,
        .extra = params->extra,
    };
    CUDA_KERNEL_NODE_PARAMS node;
    cudaError_t error = crt_kernel_node(&plain, &node);

    if (error != cudaSuccess) {
        return error;
    }
    to->kernel = (CUDA_KERNEL_NODE_PARAMS_v3){
        .func = node.func,
        .gridDimX = node.gridDimX,
        .gridDimY = node.gridDimY,
        .gridDimZ = node.gridDimZ,
        .blockDimX = node.blockDimX,
        .blockDimY = node.blockDimY,
        .blockDimZ = node.blockDimZ,
        .sharedMemBytes = node.sharedMemBytes,
        .kernelParams = node.kernelParams,
        .extra = node.extra,
    };
    return crt_current_context(&to->kernel.ctx);
}

static cudaError_t memcpy_to_driver(const struct cudaMemcpyNodeParams *params, CUgraphNodeParams *to)
{
    cudaError_t error = crt_copy_3d(&params->copyParams, &to->memcpy.copyParams);

    to->memcpy.flags = params->flags;
    return error == cudaSuccess ? crt_current_context(&to->memcpy.copyCtx) : error;
}

static cudaError_t memset_to_driver(const struct cudaMemsetParamsV2 *params, CUgraphNodeParams *to)
{
    to->memset = (CUDA_MEMSET_NODE_PARAMS_v2){
        .dst = crt_address(params->dst),
        .pitch = params->pitch,
        .value = params->value,
        .elementSize = params->elementSize,
        .width = params->width,
        .height = params->height,
    };
    return crt_current_context(&to->memset.ctx);
}

static cudaError_t alloc_to_driver(const struct cudaMemAllocNodeParamsV2 *params, CUgraphNodeParams *to)
{
    memcpy(&to->alloc.poolProps, &params->poolProps, sizeof to->alloc.poolProps);
    to->alloc.accessDescs = (const CUmemAccessDesc *)params->accessDescs;
    to->alloc.accessDescCount = params->accessDescCount;
    to->alloc.bytesize = params->bytesize;
    return cudaSuccess;
}

static cudaError_t conditional_to_driver(const struct cudaConditionalNodeParams *params, CUgraphNodeParams *to)
{
    to->conditional = (CUDA_CONDITIONAL_NODE_PARAMS){
        .handle = params->handle,
        .type = (CUgraphConditionalNodeType)params->type,
        .size = params->size,
        .phGraph_out = params->phGraph_out,
    };
    return crt_current_context(&to->conditional.ctx);
}

/* Kinds whose parameters are one or two handles. */
static cudaError_t handles_to_driver(const struct cudaGraphNodeParams *params, CUgraphNodeParams *to)
{
    switch (params->type) {
    case cudaGraphNodeTypeHost:
        to->host.fn = params->host.fn;
        to->host.userData = params->host.userData;
        return cudaSuccess;
    case cudaGraphNodeTypeGraph:
        to->graph.graph = params->graph.graph;
#if CUDART_VERSION >= 13000
        to->graph.ownership = (CUgraphChildGraphNodeOwnership)params->graph.ownership;
#endif
        return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
        to->eventWait.event = params->eventWait.event;
        return cudaSuccess;
    case cudaGraphNodeTypeEventRecord:
        to->eventRecord.event = params->eventRecord.event;
        return cudaSuccess;
    case cudaGraphNodeTypeMemFree:
        to->free.dptr = crt_address(params->free.dptr);
        return cudaSuccess;
    case cudaGraphNodeTypeEmpty:
        return cudaSuccess;
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait:
        return cudaErrorNotSupported;
    default:
        return cudaErrorInvalidValue;
    }
}

static cudaError_t params_to_driver(const struct cudaGraphNodeParams *params, CUgraphNodeParams *to)
{
    if (params == NULL) {
        return cudaErrorInvalidValue;
    }
    memset(to, 0, sizeof *to);
    to->type = (CUgraphNodeType)params->type;
    switch (params->type) {
    case cudaGraphNodeTypeKernel:
        return kernel_to_driver(&params->kernel, to);
    case cudaGraphNodeTypeMemcpy:
        return memcpy_to_driver(&params->memcpy, to);
    case cudaGraphNodeTypeMemset:
        return memset_to_driver(&params->memset, to);
    case cudaGraphNodeTypeMemAlloc:
        return alloc_to_driver(&params->alloc, to);
    case cudaGraphNodeTypeConditional:
        return conditional_to_driver(&params->conditional, to);
    default:
        return handles_to_driver(params, to);
    }
}

/* What adding a node tells its maker. */
static void take_results(const CUgraphNodeParams *from, struct cudaGraphNodeParams *params)
{
    if (params->type == cudaGraphNodeTypeMemAlloc) {
        params->alloc.dptr = crt_pointer(from->alloc.dptr);
    } else if (params->type == cudaGraphNodeTypeConditional) {
        params->conditional.phGraph_out = from->conditional.phGraph_out;
    }
}

/* --- the API ---------------------------------------------------------------------------------- */
static cudaError_t begin_with_params(const struct cudaGraphNodeParams *params, CUgraphNodeParams *to)
{
    cudaError_t error = crt_begin();

    return error == cudaSuccess ? crt_return(params_to_driver(params, to)) : error;
}

cudaError_t CUDARTAPI CRT_V2(cudaGraphAddNode)(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                               const cudaGraphNode_t *pDependencies,
                                               const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                               struct cudaGraphNodeParams *nodeParams)
{
    CUgraphNodeParams params;
    cudaError_t error = begin_with_params(nodeParams, &params);

    if (error == cudaSuccess) {
        error = crt_end(CRT_V2(cuGraphAddNode)(pGraphNode, graph, pDependencies,
                                               (const CUgraphEdgeData *)dependencyData, numDependencies, &params));
    }
    if (error == cudaSuccess) {
        take_results(&params, nodeParams);
    }
    return error;
}

cudaError_t CUDARTAPI cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *nodeParams)
{
    CUgraphNodeParams params;
    cudaError_t error = begin_with_params(nodeParams, &params);

    return error == cudaSuccess ? crt_end(cuGraphNodeSetParams(node, &params)) : error;
}

cudaError_t CUDARTAPI cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                                 struct cudaGraphNodeParams *nodeParams)
{
    CUgraphNodeParams params;
    cudaError_t error = begin_with_params(nodeParams, &params);

    return error == cudaSuccess ? crt_end(cuGraphExecNodeSetParams(graphExec, node, &params)) : error;
}
