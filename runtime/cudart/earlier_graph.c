/*
 * Older forms of graph functions that CUDA 12's library exports under the plain names, beside newer ones with a suffix:
 * edges had no data.  Only in libcudart.so.12.
 */
#include "forward.h"

cudaError_t CUDARTAPI cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *numEdges)
{
    return CRT_CALL(cuGraphGetEdges(graph, from, to, numEdges));
}

cudaError_t CUDARTAPI cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                                   size_t *pNumDependencies)
{
    return CRT_CALL(cuGraphNodeGetDependencies(node, pDependencies, pNumDependencies));
}

cudaError_t CUDARTAPI cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
                                                     size_t *pNumDependentNodes)
{
    return CRT_CALL(cuGraphNodeGetDependentNodes(node, pDependentNodes, pNumDependentNodes));
}

cudaError_t CUDARTAPI cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                               const cudaGraphNode_t *to, size_t numDependencies)
{
    return cudaGraphAddDependencies_v2(graph, from, to, NULL, numDependencies);
}

cudaError_t CUDARTAPI cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                  const cudaGraphNode_t *to, size_t numDependencies)
{
    return cudaGraphRemoveDependencies_v2(graph, from, to, NULL, numDependencies);
}

cudaError_t CUDARTAPI cudaGraphAddNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                       const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                       struct cudaGraphNodeParams *nodeParams)
{
    return cudaGraphAddNode_v2(pGraphNode, graph, pDependencies, NULL, numDependencies, nodeParams);
}
