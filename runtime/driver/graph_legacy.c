/*
 * Graphs: signatures of earlier releases under their old names.
 */
#include <string.h>

#include "runtime/driver/graph.h"

/* Instantiation took a place for a message: there is none to give. */
CUresult CUDAAPI cuGraphInstantiate_v2(CUgraphExec *phGraphExec, CUgraph hGraph, CUgraphNode *phErrorNode,
                                       char *logBuffer, size_t bufferSize)
{
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {0};
    const CUresult result = cuGraphInstantiateWithParams(phGraphExec, hGraph, &params);

    if (phErrorNode != NULL) {
        *phErrorNode = params.hErrNode_out;
    }
    if (logBuffer != NULL && bufferSize > 0) {
        logBuffer[0] = '\0';
    }
    return result;
}

/* --- before edges had data -------------------------------------------------------------------- */
static CUresult get_edges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count)
{
    return cuGraphGetEdges(graph, from, to, NULL, count);
}

static CUresult get_dependencies(CUgraphNode node, CUgraphNode *dependencies, size_t *count)
{
    return cuGraphNodeGetDependencies(node, dependencies, NULL, count);
}

static CUresult get_dependents(CUgraphNode node, CUgraphNode *dependents, size_t *count)
{
    return cuGraphNodeGetDependentNodes(node, dependents, NULL, count);
}

static CUresult add_dependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    return cuGraphAddDependencies(graph, from, to, NULL, count);
}

static CUresult remove_dependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    return cuGraphRemoveDependencies(graph, from, to, NULL, count);
}

static CUresult add_node(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                         CUgraphNodeParams *params)
{
    return cuGraphAddNode(out, graph, dependencies, NULL, count, params);
}

/* --- updates that told less ------------------------------------------------------------------- */
static CUresult update(CUgraphExec exec, CUgraph graph, CUgraphNode *error_node, CUgraphExecUpdateResult *outcome)
{
    CUgraphExecUpdateResultInfo info;
    const CUresult result = cuGraphExecUpdate(exec, graph, &info);

    if (error_node != NULL) {
        *error_node = info.errorNode;
    }
    if (outcome != NULL) {
        *outcome = info.result;
    }
    return result;
}

/* --- kernels that were functions of a context ------------------------------------------------- */
static CUDA_KERNEL_NODE_PARAMS newer(const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    CUDA_KERNEL_NODE_PARAMS p = {0};

    memcpy(&p, params, sizeof *params); /* the new struct begins with the old one */
    return p;
}

static CUresult add_kernel(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                           const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    if (params == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const CUDA_KERNEL_NODE_PARAMS p = newer(params);

    return cuGraphAddKernelNode(out, graph, dependencies, count, &p);
}

static CUresult get_kernel(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    CUDA_KERNEL_NODE_PARAMS p;
    const CUresult result = params == NULL ? CUDA_ERROR_INVALID_VALUE : cuGraphKernelNodeGetParams(node, &p);

    if (result == CUDA_SUCCESS) {
        memcpy(params, &p, sizeof *params);
    }
    return result;
}

static CUresult set_kernel(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    if (params == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const CUDA_KERNEL_NODE_PARAMS p = newer(params);

    return cuGraphKernelNodeSetParams(node, &p);
}

static CUresult set_exec_kernel(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    if (params == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const CUDA_KERNEL_NODE_PARAMS p = newer(params);

    return cuGraphExecKernelNodeSetParams(exec, node, &p);
}

/* --- the old names, which the header gives to the new functions ------------------------------- */
#undef cuGraphInstantiate
#undef cuGraphGetEdges
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes
#undef cuGraphAddDependencies
#undef cuGraphRemoveDependencies
#undef cuGraphAddNode
#undef cuGraphExecUpdate
#undef cuGraphAddKernelNode
#undef cuGraphKernelNodeGetParams
#undef cuGraphKernelNodeSetParams
#undef cuGraphExecKernelNodeSetParams

CUresult CUDAAPI cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph, CUgraphNode *phErrorNode, char *logBuffer,
                                    size_t bufferSize)
{
    return cuGraphInstantiate_v2(phGraphExec, hGraph, phErrorNode, logBuffer, bufferSize);
}

CUresult CUDAAPI cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, size_t *numEdges)
{
    return get_edges(hGraph, from, to, numEdges);
}

CUresult CUDAAPI cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode *dependencies, size_t *numDependencies)
{
    return get_dependencies(hNode, dependencies, numDependencies);
}

CUresult CUDAAPI cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode *dependentNodes, size_t *numDependentNodes)
{
    return get_dependents(hNode, dependentNodes, numDependentNodes);
}

CUresult CUDAAPI cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                        size_t numDependencies)
{
    return add_dependencies(hGraph, from, to, numDependencies);
}

CUresult CUDAAPI cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                           size_t numDependencies)
{
    return remove_dependencies(hGraph, from, to, numDependencies);
}

CUresult CUDAAPI cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                size_t numDependencies, CUgraphNodeParams *nodeParams)
{
    return add_node(phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
}

CUresult CUDAAPI cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphNode *hErrorNode_out,
                                   CUgraphExecUpdateResult *updateResult_out)
{
    return update(hGraphExec, hGraph, hErrorNode_out, updateResult_out);
}

CUresult CUDAAPI cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                      size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
    return add_kernel(phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
}

CUresult CUDAAPI cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
    return get_kernel(hNode, nodeParams);
}

CUresult CUDAAPI cuGraphKernelNodeSetParams(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
    return set_kernel(hNode, nodeParams);
}

CUresult CUDAAPI cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
    return set_exec_kernel(hGraphExec, hNode, nodeParams);
}
