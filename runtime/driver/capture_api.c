/*
 * Stream capture: the calls that name a stream which may be the default one.  Compiled twice, see stream.h.
 */
#include "runtime/driver/capture.h"

CUresult CUDAAPI cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_stream_enter(drv_stream_given(hStream), &stream, &context);

    return result != CUDA_SUCCESS ? result : drv_capture_begin(stream, &(struct drv_capture_start){.mode = mode});
}

CUresult CUDAAPI cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph, const CUgraphNode *dependencies,
                                             const CUgraphEdgeData *dependencyData, size_t numDependencies,
                                             CUstreamCaptureMode mode)
{
    const struct drv_capture_start start = {hGraph, dependencies, dependencyData, numDependencies, mode};
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_stream_enter(drv_stream_given(hStream), &stream, &context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    return hGraph == NULL ? CUDA_ERROR_INVALID_VALUE : drv_capture_begin(stream, &start);
}

CUresult CUDAAPI cuStreamEndCapture(CUstream hStream, CUgraph *phGraph)
{
    struct drv_stream *stream;
    struct drv_context *context;
    CUgraph unwanted = NULL;
    CUresult result = drv_stream_enter(drv_stream_given(hStream), &stream, &context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = drv_capture_end(stream, phGraph != NULL ? phGraph : &unwanted);
    if (unwanted != NULL) {
        cuGraphDestroy(unwanted);
    }
    return result;
}

CUresult CUDAAPI cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus)
{
    struct drv_capture_info info;
    struct drv_stream *stream;
    struct drv_context *context;
    CUresult result = drv_stream_enter(drv_stream_given(hStream), &stream, &context);

    if (result == CUDA_SUCCESS) {
        result = captureStatus == NULL ? CUDA_ERROR_INVALID_VALUE : drv_capture_look(stream, &info);
    }
    if (result == CUDA_SUCCESS) {
        *captureStatus = info.status;
    }
    return result;
}

/* What all of the functions below tell. */
static CUresult get_info(CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id, struct drv_capture_info *info)
{
    struct drv_stream *stream;
    struct drv_context *context;
    CUresult result = drv_stream_enter(drv_stream_given(handle), &stream, &context);

    if (result == CUDA_SUCCESS) {
        result = status == NULL ? CUDA_ERROR_INVALID_VALUE : drv_capture_look(stream, info);
    }
    if (result == CUDA_SUCCESS) {
        *status = info->status;
        if (id != NULL && info->status == CU_STREAM_CAPTURE_STATUS_ACTIVE) {
            *id = info->id;
        }
    }
    return result;
}

CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out,
                                        CUgraph *graph_out, const CUgraphNode **dependencies_out,
                                        const CUgraphEdgeData **edgeData_out, size_t *numDependencies_out)
{
    struct drv_capture_info info;
    CUresult result = edgeData_out != NULL && dependencies_out == NULL
                          ? CUDA_ERROR_INVALID_VALUE
                          : get_info(hStream, captureStatus_out, id_out, &info);

    if (result != CUDA_SUCCESS || info.status != CU_STREAM_CAPTURE_STATUS_ACTIVE) {
        return result;
    }
    if (graph_out != NULL) {
        *graph_out = info.graph;
    }
    if (dependencies_out != NULL) {
        *dependencies_out = info.dependencies;
    }
    if (edgeData_out != NULL) {
        *edgeData_out = info.data;
    }
    if (numDependencies_out != NULL) {
        *numDependencies_out = info.count;
    }
    return dependencies_out != NULL && edgeData_out == NULL && !info.plain ? CUDA_ERROR_LOSSY_QUERY : CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode *dependencies,
                                                   const CUgraphEdgeData *dependencyData, size_t numDependencies,
                                                   unsigned int flags)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_stream_enter(drv_stream_given(hStream), &stream, &context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    return flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES
               ? CUDA_ERROR_INVALID_VALUE
               : drv_capture_set_dependencies(stream, dependencies, dependencyData, numDependencies,
                                              flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES);
}

/* --- older signatures ------------------------------------------------------------------------- */
#undef cuStreamBeginCapture
#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cuStreamBeginCapture               cuStreamBeginCapture_ptsz
#define cuStreamGetCaptureInfo             cuStreamGetCaptureInfo_ptsz
#define cuStreamGetCaptureInfo_v2          cuStreamGetCaptureInfo_v2_ptsz
#define cuStreamUpdateCaptureDependencies  cuStreamUpdateCaptureDependencies_ptsz
#define newest_get_capture_info            cuStreamGetCaptureInfo_v3_ptsz
#define newest_begin_capture               cuStreamBeginCapture_v2_ptsz
#define newest_update_capture_dependencies cuStreamUpdateCaptureDependencies_v2_ptsz
#else
#define newest_get_capture_info            cuStreamGetCaptureInfo_v3
#define newest_begin_capture               cuStreamBeginCapture_v2
#define newest_update_capture_dependencies cuStreamUpdateCaptureDependencies_v2
#endif

CUresult CUDAAPI cuStreamBeginCapture(CUstream hStream)
{
    return newest_begin_capture(hStream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out)
{
    return newest_get_capture_info(hStream, captureStatus_out, id_out, NULL, NULL, NULL, NULL);
}

CUresult CUDAAPI cuStreamGetCaptureInfo_v2(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
                                           cuuint64_t *id_out, CUgraph *graph_out, const CUgraphNode **dependencies_out,
                                           size_t *numDependencies_out)
{
    return newest_get_capture_info(hStream, captureStatus_out, id_out, graph_out, dependencies_out, NULL,
                                   numDependencies_out);
}

CUresult CUDAAPI cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode *dependencies, size_t numDependencies,
                                                   unsigned int flags)
{
    return newest_update_capture_dependencies(hStream, dependencies, NULL, numDependencies, flags);
}
