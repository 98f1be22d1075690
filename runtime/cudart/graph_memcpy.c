/*
 * Memcpy nodes: of boxes, of ranges, to and from device variables.  For the driver all are boxes.
 *
 * Each comes in three calls that differ in what is done with the copy: add a node, change a node, change it in an
 * executable graph.
 */
#include "copy.h"
#include "forward.h"
#include "graph_node.h"

cudaError_t crt_current_context(CUcontext *context)
{
    return crt_error(cuCtxGetCurrent(context));
}

/* --- what is done with a copy ----------------------------------------------------------------- */
static cudaError_t add_copy(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                            size_t dependency_count, const CUDA_MEMCPY3D *copy)
{
    CUcontext context = NULL;
    cudaError_t error = crt_current_context(&context);

    if (error == cudaSuccess) {
        error = crt_error(cuGraphAddMemcpyNode(node, graph, dependencies, dependency_count, copy, context));
    }
    return error;
}

static cudaError_t set_copy(cudaGraphNode_t node, const CUDA_MEMCPY3D *copy)
{
    return crt_error(cuGraphMemcpyNodeSetParams(node, copy));
}

static cudaError_t set_exec_copy(cudaGraphExec_t exec, cudaGraphNode_t node, const CUDA_MEMCPY3D *copy)
{
    CUcontext context = NULL;
    cudaError_t error = crt_current_context(&context);

    return error == cudaSuccess ? crt_error(cuGraphExecMemcpyNodeSetParams(exec, node, copy, context)) : error;
}

/* --- boxes ------------------------------------------------------------------------------------ */
static cudaError_t begin_box(const struct cudaMemcpy3DParms *parms, CUDA_MEMCPY3D *copy)
{
    cudaError_t error = crt_begin();

    return error == cudaSuccess ? crt_copy_3d(parms, copy) : error;
}

cudaError_t CUDARTAPI cudaGraphAddMemcpyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                             const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                             const struct cudaMemcpy3DParms *pCopyParams)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = begin_box(pCopyParams, &copy);

    if (error == cudaSuccess) {
        error = add_copy(pGraphNode, graph, pDependencies, numDependencies, &copy);
    }
    return crt_return(error);
}

cudaError_t CUDARTAPI cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *pNodeParams)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error =
        pNodeParams != NULL ? CRT_CALL(cuGraphMemcpyNodeGetParams(node, &copy)) : crt_return(cudaErrorInvalidValue);

    if (error == cudaSuccess) {
        crt_parms_from_copy_3d(&copy, pNodeParams);
    }
    return error;
}

cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *pNodeParams)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = begin_box(pNodeParams, &copy);

    return crt_return(error == cudaSuccess ? set_copy(node, &copy) : error);
}

cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                       const struct cudaMemcpy3DParms *pNodeParams)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = begin_box(pNodeParams, &copy);

    return crt_return(error == cudaSuccess ? set_exec_copy(hGraphExec, node, &copy) : error);
}

/* --- ranges ----------------------------------------------------------------------------------- */
static cudaError_t begin_range(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, CUDA_MEMCPY3D *copy)
{
    cudaError_t error = crt_begin();

    return error == cudaSuccess ? crt_copy_1d(dst, src, count, kind, copy) : error;
}

cudaError_t CUDARTAPI cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                               const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst,
                                               const void *src, size_t count, enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = begin_range(dst, src, count, kind, &copy);

    if (error == cudaSuccess) {
        error = add_copy(pGraphNode, graph, pDependencies, numDependencies, &copy);
    }
    return crt_return(error);
}

cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src, size_t count,
                                                     enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = begin_range(dst, src, count, kind, &copy);

    return crt_return(error == cudaSuccess ? set_copy(node, &copy) : error);
}

cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst,
                                                         const void *src, size_t count, enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = begin_range(dst, src, count, kind, &copy);

    return crt_return(error == cudaSuccess ? set_exec_copy(hGraphExec, node, &copy) : error);
}

/* --- device variables ------------------------------------------------------------------------- */
static cudaError_t begin_to_symbol(const void *symbol, const void *src, size_t count, size_t offset,
                                   enum cudaMemcpyKind kind, CUDA_MEMCPY3D *copy)
{
    CUdeviceptr dst = 0;
    cudaError_t error = crt_begin();

    if (error == cudaSuccess) {
        error = crt_symbol_range(symbol, offset, count, &dst);
    }
    if (error == cudaSuccess && (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)) {
        error = cudaErrorInvalidMemcpyDirection;
    }
    return error == cudaSuccess ? crt_copy_1d(crt_pointer(dst), src, count, kind, copy) : error;
}

static cudaError_t begin_from_symbol(void *dst, const void *symbol, size_t count, size_t offset,
                                     enum cudaMemcpyKind kind, CUDA_MEMCPY3D *copy)
{
    CUdeviceptr src = 0;
    cudaError_t error = crt_begin();

    if (error == cudaSuccess) {
        error = crt_symbol_range(symbol, offset, count, &src);
    }
    if (error == cudaSuccess && (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)) {
        error = cudaErrorInvalidMemcpyDirection;
    }
    return error == cudaSuccess ? crt_copy_1d(dst, crt_pointer(src), count, kind, copy) : error;
}

cudaError_t CUDARTAPI cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                     const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                                     const void *symbol, const void *src, size_t count, size_t offset,
                                                     enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = begin_to_symbol(symbol, src, count, offset, kind, &copy);

    if (error == cudaSuccess) {
        error = add_copy(pGraphNode, graph, pDependencies, numDependencies, &copy);
    }
    return crt_return(error);
}

cudaError_t CUDARTAPI cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                       const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                                       void *dst, const void *symbol, size_t count, size_t offset,
                                                       enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = begin_from_symbol(dst, symbol, count, offset, kind, &copy);

    if (error == cudaSuccess) {
        error = add_copy(pGraphNode, graph, pDependencies, numDependencies, &copy);
    }
    return crt_return(error);
}

cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *src,
                                                           size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = begin_to_symbol(symbol, src, count, offset, kind, &copy);

    return crt_return(error == cudaSuccess ? set_copy(node, &copy) : error);
}

cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst, const void *symbol,
                                                             size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = begin_from_symbol(dst, symbol, count, offset, kind, &copy);

    return crt_return(error == cudaSuccess ? set_copy(node, &copy) : error);
}

cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                               const void *symbol, const void *src, size_t count,
                                                               size_t offset, enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = begin_to_symbol(symbol, src, count, offset, kind, &copy);

    return crt_return(error == cudaSuccess ? set_exec_copy(hGraphExec, node, &copy) : error);
}

cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                                 void *dst, const void *symbol, size_t count,
                                                                 size_t offset, enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = begin_from_symbol(dst, symbol, count, offset, kind, &copy);

    return crt_return(error == cudaSuccess ? set_exec_copy(hGraphExec, node, &copy) : error);
}
