/*
 * Older forms that take a stream (see earlier_graph.c).  Only in libcudart.so.12; compiled once for each meaning of
 * stream 0.
 */
#include "forward.h"

cudaError_t CUDARTAPI cudaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice, cudaStream_t stream)
{
    return CRT_CALL(cuMemPrefetchAsync_v2(crt_address(devPtr), count, crt_location(crt_device_location(dstDevice)), 0,
                                          crt_stream(stream)));
}

cudaError_t CUDARTAPI cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
                                               unsigned long long *id_out, cudaGraph_t *graph_out,
                                               const cudaGraphNode_t **dependencies_out, size_t *numDependencies_out)
{
    return cudaStreamGetCaptureInfo_v3(stream, captureStatus_out, id_out, graph_out, dependencies_out, NULL,
                                       numDependencies_out);
}

cudaError_t CUDARTAPI cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                          size_t numDependencies, unsigned int flags)
{
    return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, NULL, numDependencies, flags);
}

#undef cudaStreamGetCaptureInfo

/* The first form, which CUDA 12 exports but does not declare any more: without the graph. */
__attribute__((visibility("default"))) cudaError_t CUDARTAPI __CUDART_API_PTSZ(cudaStreamGetCaptureInfo)(
    cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out, unsigned long long *id_out)
{
    return cudaStreamGetCaptureInfo_v3(stream, captureStatus_out, id_out, NULL, NULL, NULL, NULL);
}
