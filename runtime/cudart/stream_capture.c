/*
 * Recording a stream's work into a graph.  (Compiled once for each meaning of stream 0.)
 */
#include "forward.h"

cudaError_t CUDARTAPI cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    return CRT_CALL(cuStreamBeginCapture(crt_stream(stream), (CUstreamCaptureMode)mode));
}

cudaError_t CUDARTAPI cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                    const cudaGraphNode_t *dependencies,
                                                    const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                                    enum cudaStreamCaptureMode mode)
{
    return CRT_CALL(cuStreamBeginCaptureToGraph(crt_stream(stream), graph, dependencies,
                                                (const CUgraphEdgeData *)dependencyData, numDependencies,
                                                (CUstreamCaptureMode)mode));
}

cudaError_t CUDARTAPI cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph)
{
    return CRT_CALL(cuStreamEndCapture(crt_stream(stream), pGraph));
}

cudaError_t CUDARTAPI cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *pCaptureStatus)
{
    return CRT_CALL(cuStreamIsCapturing(crt_stream(stream), (CUstreamCaptureStatus *)pCaptureStatus));
}

cudaError_t CUDARTAPI CRT_V3(cudaStreamGetCaptureInfo)(cudaStream_t stream,
                                                       enum cudaStreamCaptureStatus *captureStatus_out,
                                                       unsigned long long *id_out, cudaGraph_t *graph_out,
                                                       const cudaGraphNode_t **dependencies_out,
                                                       const cudaGraphEdgeData **edgeData_out,
                                                       size_t *numDependencies_out)
{
    cuuint64_t id = 0;
    cudaError_t error = CRT_CALL(
        CRT_V3(cuStreamGetCaptureInfo)(crt_stream(stream), (CUstreamCaptureStatus *)captureStatus_out, &id, graph_out,
                                       dependencies_out, (const CUgraphEdgeData **)edgeData_out, numDependencies_out));

    if (error == cudaSuccess && id_out != NULL) {
        *id_out = id;
    }
    return error;
}

cudaError_t CUDARTAPI CRT_V2(cudaStreamUpdateCaptureDependencies)(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                                  const cudaGraphEdgeData *dependencyData,
                                                                  size_t numDependencies, unsigned int flags)
{
    return CRT_CALL(CRT_V2(cuStreamUpdateCaptureDependencies)(
        crt_stream(stream), dependencies, (const CUgraphEdgeData *)dependencyData, numDependencies, flags));
}
