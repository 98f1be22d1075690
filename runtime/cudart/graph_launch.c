/*
 * Executable graphs and streams.  (Compiled once for each meaning of stream 0.)
 */
#include "forward.h"

/* A stream to upload to is used only if the flags ask for it, but then 0 names a stream. */
cudaError_t CUDARTAPI cudaGraphInstantiateWithParams(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                                     cudaGraphInstantiateParams *instantiateParams)
{
    CUDA_GRAPH_INSTANTIATE_PARAMS params;
    cudaError_t error;

    if (instantiateParams == NULL) {
        return crt_return(cudaErrorInvalidValue);
    }
    params = (CUDA_GRAPH_INSTANTIATE_PARAMS){
        .flags = instantiateParams->flags,
        .hUploadStream = crt_stream(instantiateParams->uploadStream),
    };
    error = CRT_CALL(cuGraphInstantiateWithParams(pGraphExec, graph, &params));
    instantiateParams->errNode_out = params.hErrNode_out;
    instantiateParams->result_out = (cudaGraphInstantiateResult)params.result_out;
    return error;
}

cudaError_t CUDARTAPI cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream)
{
    return CRT_CALL(cuGraphUpload(graphExec, crt_stream(stream)));
}

cudaError_t CUDARTAPI cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream)
{
    return CRT_CALL(cuGraphLaunch(graphExec, crt_stream(stream)));
}
