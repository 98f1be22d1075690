/*
 * Kernel nodes.
 */
#include "forward.h"
#include "graph_node.h"

/* --- translation ------------------------------------------------------------------------------ */
cudaError_t crt_kernel_node(const struct cudaKernelNodeParams *params, CUDA_KERNEL_NODE_PARAMS *node)
{
    if (params == NULL) {
        return cudaErrorInvalidValue;
    }
    *node = (CUDA_KERNEL_NODE_PARAMS){
        .gridDimX = params->gridDim.x,
        .gridDimY = params->gridDim.y,
        .gridDimZ = params->gridDim.z,
        .blockDimX = params->blockDim.x,
        .blockDimY = params->blockDim.y,
        .blockDimZ = params->blockDim.z,
        .sharedMemBytes = params->sharedMemBytes,
        .kernelParams = params->kernelParams,
        .extra = params->extra,
    };
    return crt_function(params->func, &node->func);
}

/* The function is the driver's, which every call that takes a host stub takes as well. */
void crt_params_from_kernel_node(const CUDA_KERNEL_NODE_PARAMS *node, struct cudaKernelNodeParams *params)
{
    *params = (struct cudaKernelNodeParams){
        .func = node->func != NULL ? (void *)node->func : (void *)node->kern,
        .gridDim = {node->gridDimX, node->gridDimY, node->gridDimZ},
        .blockDim = {node->blockDimX, node->blockDimY, node->blockDimZ},
        .sharedMemBytes = node->sharedMemBytes,
        .kernelParams = node->kernelParams,
        .extra = node->extra,
    };
}

/* Begin a call that takes a kernel node's parameters; a failure is noted. */
static cudaError_t begin_with_params(const struct cudaKernelNodeParams *params, CUDA_KERNEL_NODE_PARAMS *node)
{
    cudaError_t error = crt_begin();

    return error == cudaSuccess ? crt_return(crt_kernel_node(params, node)) : error;
}

/* --- the API ---------------------------------------------------------------------------------- */
cudaError_t CUDARTAPI cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                             const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                             const struct cudaKernelNodeParams *pNodeParams)
{
    CUDA_KERNEL_NODE_PARAMS node;
    cudaError_t error = begin_with_params(pNodeParams, &node);

    return error == cudaSuccess
               ? crt_end(cuGraphAddKernelNode(pGraphNode, graph, pDependencies, numDependencies, &node))
               : error;
}

cudaError_t CUDARTAPI cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *pNodeParams)
{
    CUDA_KERNEL_NODE_PARAMS params;
    cudaError_t error =
        pNodeParams != NULL ? CRT_CALL(cuGraphKernelNodeGetParams(node, &params)) : crt_return(cudaErrorInvalidValue);

    if (error == cudaSuccess) {
        crt_params_from_kernel_node(&params, pNodeParams);
    }
    return error;
}

cudaError_t CUDARTAPI cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *pNodeParams)
{
    CUDA_KERNEL_NODE_PARAMS params;
    cudaError_t error = begin_with_params(pNodeParams, &params);

    return error == cudaSuccess ? crt_end(cuGraphKernelNodeSetParams(node, &params)) : error;
}

cudaError_t CUDARTAPI cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                       const struct cudaKernelNodeParams *pNodeParams)
{
    CUDA_KERNEL_NODE_PARAMS params;
    cudaError_t error = begin_with_params(pNodeParams, &params);

    return error == cudaSuccess ? crt_end(cuGraphExecKernelNodeSetParams(hGraphExec, node, &params)) : error;
}

cudaError_t CUDARTAPI cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t hDst, cudaGraphNode_t hSrc)
{
    return CRT_CALL(cuGraphKernelNodeCopyAttributes(hDst, hSrc));
}

cudaError_t CUDARTAPI cudaGraphKernelNodeGetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                                      cudaLaunchAttributeValue *value_out)
{
    return CRT_CALL(cuGraphKernelNodeGetAttribute(hNode, (CUkernelNodeAttrID)attr, (CUkernelNodeAttrValue *)value_out));
}

cudaError_t CUDARTAPI cudaGraphKernelNodeSetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                                      const cudaLaunchAttributeValue *value)
{
    return CRT_CALL(
        cuGraphKernelNodeSetAttribute(hNode, (CUkernelNodeAttrID)attr, (const CUkernelNodeAttrValue *)value));
}
