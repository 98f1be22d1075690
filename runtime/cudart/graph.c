/*
 * Graphs as a whole: making, copying and looking into them, the objects they keep alive, and the memory that graphs of
 * a device hold.
 */
#include "forward.h"

/* --- graphs ----------------------------------------------------------------------------------- */
cudaError_t CUDARTAPI cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags)
{
    return CRT_CALL(cuGraphCreate(pGraph, flags));
}

cudaError_t CUDARTAPI cudaGraphDestroy(cudaGraph_t graph)
{
    return CRT_CALL(cuGraphDestroy(graph));
}

cudaError_t CUDARTAPI cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph)
{
    return CRT_CALL(cuGraphClone(pGraphClone, originalGraph));
}

cudaError_t CUDARTAPI cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags)
{
    return CRT_CALL(cuGraphDebugDotPrint(graph, path, flags));
}

cudaError_t CUDARTAPI cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *pHandle_out, cudaGraph_t graph,
                                                       unsigned int defaultLaunchValue, unsigned int flags)
{
    CUcontext context = NULL;
    cudaError_t error = CRT_CALL(cuCtxGetCurrent(&context));

    if (error != cudaSuccess) {
        return error;
    }
    return crt_end(cuGraphConditionalHandleCreate((CUgraphConditionalHandle *)pHandle_out, graph, context,
                                                  defaultLaunchValue, flags));
}

/* --- nodes and edges -------------------------------------------------------------------------- */
cudaError_t CUDARTAPI cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes)
{
    return CRT_CALL(cuGraphGetNodes(graph, nodes, numNodes));
}

cudaError_t CUDARTAPI cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *pRootNodes, size_t *pNumRootNodes)
{
    return CRT_CALL(cuGraphGetRootNodes(graph, pRootNodes, pNumRootNodes));
}

cudaError_t CUDARTAPI cudaGraphNodeFindInClone(cudaGraphNode_t *pNode, cudaGraphNode_t originalNode,
                                               cudaGraph_t clonedGraph)
{
    return CRT_CALL(cuGraphNodeFindInClone(pNode, originalNode, clonedGraph));
}

cudaError_t CUDARTAPI cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *pType)
{
    return CRT_CALL(cuGraphNodeGetType(node, (CUgraphNodeType *)pType));
}

cudaError_t CUDARTAPI cudaGraphDestroyNode(cudaGraphNode_t node)
{
    return CRT_CALL(cuGraphDestroyNode(node));
}

cudaError_t CUDARTAPI CRT_V2(cudaGraphGetEdges)(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                                cudaGraphEdgeData *edgeData, size_t *numEdges)
{
    return CRT_CALL(CRT_V2(cuGraphGetEdges)(graph, from, to, (CUgraphEdgeData *)edgeData, numEdges));
}

cudaError_t CUDARTAPI CRT_V2(cudaGraphNodeGetDependencies)(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                                           cudaGraphEdgeData *edgeData, size_t *pNumDependencies)
{
    return CRT_CALL(
        CRT_V2(cuGraphNodeGetDependencies)(node, pDependencies, (CUgraphEdgeData *)edgeData, pNumDependencies));
}

cudaError_t CUDARTAPI CRT_V2(cudaGraphNodeGetDependentNodes)(cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
                                                             cudaGraphEdgeData *edgeData, size_t *pNumDependentNodes)
{
    return CRT_CALL(
        CRT_V2(cuGraphNodeGetDependentNodes)(node, pDependentNodes, (CUgraphEdgeData *)edgeData, pNumDependentNodes));
}

cudaError_t CUDARTAPI CRT_V2(cudaGraphAddDependencies)(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                       const cudaGraphNode_t *to, const cudaGraphEdgeData *edgeData,
                                                       size_t numDependencies)
{
    return CRT_CALL(
        CRT_V2(cuGraphAddDependencies)(graph, from, to, (const CUgraphEdgeData *)edgeData, numDependencies));
}

cudaError_t CUDARTAPI CRT_V2(cudaGraphRemoveDependencies)(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                          const cudaGraphNode_t *to, const cudaGraphEdgeData *edgeData,
                                                          size_t numDependencies)
{
    return CRT_CALL(
        CRT_V2(cuGraphRemoveDependencies)(graph, from, to, (const CUgraphEdgeData *)edgeData, numDependencies));
}

/* --- user objects ----------------------------------------------------------------------------- */
cudaError_t CUDARTAPI cudaUserObjectCreate(cudaUserObject_t *object_out, void *ptr, cudaHostFn_t destroy,
                                           unsigned int initialRefcount, unsigned int flags)
{
    return CRT_CALL(cuUserObjectCreate(object_out, ptr, destroy, initialRefcount, flags));
}

cudaError_t CUDARTAPI cudaUserObjectRetain(cudaUserObject_t object, unsigned int count)
{
    return CRT_CALL(cuUserObjectRetain(object, count));
}

cudaError_t CUDARTAPI cudaUserObjectRelease(cudaUserObject_t object, unsigned int count)
{
    return CRT_CALL(cuUserObjectRelease(object, count));
}

cudaError_t CUDARTAPI cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count,
                                                unsigned int flags)
{
    return CRT_CALL(cuGraphRetainUserObject(graph, object, count, flags));
}

cudaError_t CUDARTAPI cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count)
{
    return CRT_CALL(cuGraphReleaseUserObject(graph, object, count));
}

/* --- memory that graphs hold ------------------------------------------------------------------ */
cudaError_t CUDARTAPI cudaDeviceGraphMemTrim(int device)
{
    return CRT_CALL(cuDeviceGraphMemTrim(device));
}

cudaError_t CUDARTAPI cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value)
{
    return CRT_CALL(cuDeviceGetGraphMemAttribute(device, (CUgraphMem_attribute)attr, value));
}

cudaError_t CUDARTAPI cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value)
{
    return CRT_CALL(cuDeviceSetGraphMemAttribute(device, (CUgraphMem_attribute)attr, value));
}
