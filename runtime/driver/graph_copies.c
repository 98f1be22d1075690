/*
 * Memcpy and memset nodes: parameters to work and back.
 */
#include <string.h>

#include "runtime/driver/copy.h"
#include "runtime/driver/graph.h"

/* The context that a node shall run in, which must be there. */
static CUresult check_context(CUcontext *context)
{
    const CUresult ready = drv_ready();
    struct drv_context *c = ready == CUDA_SUCCESS ? drv_context_of(*context) : NULL;

    if (ready == CUDA_SUCCESS && c != NULL) {
        *context = drv_context_handle(c);
    }
    return ready == CUDA_SUCCESS && c == NULL ? CUDA_ERROR_INVALID_CONTEXT : ready;
}

/* --- memcpy ----------------------------------------------------------------------------------- */
CUresult drv_memcpy_node_work(const CUDA_MEMCPY3D *params, CUcontext *context, struct drv_work **work)
{
    CUresult result = params == NULL ? CUDA_ERROR_INVALID_VALUE : check_context(context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    CUDA_MEMCPY3D_PEER copy = drv_copy_of_box(params);

    if (copy.WidthInBytes == 0 || copy.Height == 0 || copy.Depth == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    result = drv_copy_check(&copy);
    if (result == CUDA_SUCCESS) {
        *work = drv_copy_work(&copy);
        result = *work == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    }
    return result;
}

CUresult CUDAAPI cuGraphAddMemcpyNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                      size_t numDependencies, const CUDA_MEMCPY3D *copyParams, CUcontext ctx)
{
    struct drv_node_spec spec = {.type = CU_GRAPH_NODE_TYPE_MEMCPY, .context = ctx};
    const CUresult result = drv_memcpy_node_work(copyParams, &spec.context, &spec.work);

    return result != CUDA_SUCCESS ? result
                                  : drv_node_add(phGraphNode, hGraph, dependencies, NULL, numDependencies, &spec);
}

CUresult CUDAAPI cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D *nodeParams)
{
    struct drv_work *work = nodeParams == NULL ? NULL : drv_node_work(hNode, CU_GRAPH_NODE_TYPE_MEMCPY);

    if (work == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *nodeParams = drv_copy_as_box(&((const struct drv_copy_work *)work)->copy);
    drv_work_release(work);
    return CUDA_SUCCESS;
}

/* The context of a node, which stays when its parameters change. */
static CUresult context_of(CUgraphNode handle, CUgraphNodeType type, CUcontext *context)
{
    drv_lock();
    const struct drv_node *node = drv_node_of_type(handle, type);

    *context = node == NULL ? NULL : node->context;
    drv_unlock();
    return node == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D *nodeParams)
{
    struct drv_work *work = NULL;
    CUcontext context;
    CUresult result = context_of(hNode, CU_GRAPH_NODE_TYPE_MEMCPY, &context);

    if (result == CUDA_SUCCESS) {
        result = drv_memcpy_node_work(nodeParams, &context, &work);
    }
    return result != CUDA_SUCCESS ? result : drv_node_replace(hNode, CU_GRAPH_NODE_TYPE_MEMCPY, work, context);
}

/* --- memset ----------------------------------------------------------------------------------- */
CUresult drv_memset_node_work(const CUDA_MEMSET_NODE_PARAMS *params, CUcontext *context, struct drv_work **work)
{
    CUresult result = params == NULL ? CUDA_ERROR_INVALID_VALUE : check_context(context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    CUDA_MEMSET_NODE_PARAMS set = *params;

    if (set.width == 0 || set.height == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    result = drv_set_check(&set);
    if (result == CUDA_SUCCESS) {
        *work = drv_set_work(&set);
        result = *work == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    }
    return result;
}

CUresult CUDAAPI cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                      size_t numDependencies, const CUDA_MEMSET_NODE_PARAMS *memsetParams,
                                      CUcontext ctx)
{
    struct drv_node_spec spec = {.type = CU_GRAPH_NODE_TYPE_MEMSET, .context = ctx};
    const CUresult result = drv_memset_node_work(memsetParams, &spec.context, &spec.work);

    return result != CUDA_SUCCESS ? result
                                  : drv_node_add(phGraphNode, hGraph, dependencies, NULL, numDependencies, &spec);
}

CUresult CUDAAPI cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS *nodeParams)
{
    struct drv_work *work = nodeParams == NULL ? NULL : drv_node_work(hNode, CU_GRAPH_NODE_TYPE_MEMSET);

    if (work == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *nodeParams = ((const struct drv_set_work *)work)->set;
    drv_work_release(work);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphMemsetNodeSetParams(CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS *nodeParams)
{
    struct drv_work *work = NULL;
    CUcontext context;
    CUresult result = context_of(hNode, CU_GRAPH_NODE_TYPE_MEMSET, &context);

    if (result == CUDA_SUCCESS) {
        result = drv_memset_node_work(nodeParams, &context, &work);
    }
    return result != CUDA_SUCCESS ? result : drv_node_replace(hNode, CU_GRAPH_NODE_TYPE_MEMSET, work, context);
}
