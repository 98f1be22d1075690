/*
 * Kinds of nodes that are refused by name: external semaphores, batches of memory operations, conditional nodes.
 */
#include "runtime/driver/process.h"

CUresult CUDAAPI cuGraphAddExternalSemaphoresSignalNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                                        const CUgraphNode *dependencies, size_t numDependencies,
                                                        const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams)
{
    (void)phGraphNode, (void)hGraph, (void)dependencies, (void)numDependencies, (void)nodeParams;
    return drv_unsupported("cuGraphAddExternalSemaphoresSignalNode");
}

CUresult CUDAAPI cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode hNode,
                                                              CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params_out)
{
    (void)hNode, (void)params_out;
    return drv_unsupported("cuGraphExternalSemaphoresSignalNodeGetParams");
}

CUresult CUDAAPI cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode hNode,
                                                              const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams)
{
    (void)hNode, (void)nodeParams;
    return drv_unsupported("cuGraphExternalSemaphoresSignalNodeSetParams");
}

CUresult CUDAAPI cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                                  const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams)
{
    (void)hGraphExec, (void)hNode, (void)nodeParams;
    return drv_unsupported("cuGraphExecExternalSemaphoresSignalNodeSetParams");
}

CUresult CUDAAPI cuGraphAddExternalSemaphoresWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                                      const CUgraphNode *dependencies, size_t numDependencies,
                                                      const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams)
{
    (void)phGraphNode, (void)hGraph, (void)dependencies, (void)numDependencies, (void)nodeParams;
    return drv_unsupported("cuGraphAddExternalSemaphoresWaitNode");
}

CUresult CUDAAPI cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode hNode,
                                                            CUDA_EXT_SEM_WAIT_NODE_PARAMS *params_out)
{
    (void)hNode, (void)params_out;
    return drv_unsupported("cuGraphExternalSemaphoresWaitNodeGetParams");
}

CUresult CUDAAPI cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode hNode,
                                                            const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams)
{
    (void)hNode, (void)nodeParams;
    return drv_unsupported("cuGraphExternalSemaphoresWaitNodeSetParams");
}

CUresult CUDAAPI cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                                const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams)
{
    (void)hGraphExec, (void)hNode, (void)nodeParams;
    return drv_unsupported("cuGraphExecExternalSemaphoresWaitNodeSetParams");
}

CUresult CUDAAPI cuGraphAddBatchMemOpNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                          size_t numDependencies, const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams)
{
    (void)phGraphNode, (void)hGraph, (void)dependencies, (void)numDependencies, (void)nodeParams;
    return drv_unsupported("cuGraphAddBatchMemOpNode");
}

CUresult CUDAAPI cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode, CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams_out)
{
    (void)hNode, (void)nodeParams_out;
    return drv_unsupported("cuGraphBatchMemOpNodeGetParams");
}

CUresult CUDAAPI cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams)
{
    (void)hNode, (void)nodeParams;
    return drv_unsupported("cuGraphBatchMemOpNodeSetParams");
}

CUresult CUDAAPI cuGraphExecBatchMemOpNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                    const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams)
{
    (void)hGraphExec, (void)hNode, (void)nodeParams;
    return drv_unsupported("cuGraphExecBatchMemOpNodeSetParams");
}

CUresult CUDAAPI cuGraphConditionalHandleCreate(CUgraphConditionalHandle *pHandle_out, CUgraph hGraph, CUcontext ctx,
                                                unsigned int defaultLaunchValue, unsigned int flags)
{
    (void)pHandle_out, (void)hGraph, (void)ctx, (void)defaultLaunchValue, (void)flags;
    return drv_unsupported("cuGraphConditionalHandleCreate");
}
