/*
 * Launching graphs: the calls that name a stream which may be the default one.  Compiled twice, see stream.h.
 */
#include "runtime/driver/capture.h"
#include "runtime/driver/graph_exec.h"

CUresult CUDAAPI cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream)
{
    struct drv_stream *stream;
    struct drv_context *context;
    CUresult result = drv_stream_enter(drv_stream_given(hStream), &stream, &context);
    struct drv_exec *exec = result == CUDA_SUCCESS ? drv_exec_take(hGraphExec) : NULL;

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (exec == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    /* As an H200's driver: a launched graph does not become a child of the captured one. */
    result = stream->capture != NULL ? drv_capture_refuse(stream) : drv_exec_launch(exec, stream, context);
    drv_exec_drop(exec);
    return result;
}

/* There is nothing to upload: what a launch needs is made when it is first needed. */
static CUresult upload(CUgraphExec handle, CUstream hStream)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_stream_enter(hStream, &stream, &context);
    struct drv_exec *exec = result == CUDA_SUCCESS ? drv_exec_take(handle) : NULL;

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (exec == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    drv_exec_drop(exec);
    return stream->capture != NULL ? drv_capture_refuse(stream) : CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream)
{
    return upload(hGraphExec, drv_stream_given(hStream));
}

CUresult CUDAAPI cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph,
                                              CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams)
{
    if (instantiateParams == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult result = drv_instantiate(phGraphExec, hGraph, instantiateParams);

    if (result == CUDA_SUCCESS && (instantiateParams->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) != 0) {
        result = upload(*phGraphExec, drv_stream_given(instantiateParams->hUploadStream));
        if (result != CUDA_SUCCESS) {
            cuGraphExecDestroy(*phGraphExec);
            instantiateParams->result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
        }
    }
    return result;
}
