/*
 * What one does with a stream: wait for it, put host functions into it, ask what it is.  (Compiled once for each
 * meaning of stream 0.)
 */
#include "forward.h"

#include <stdlib.h>

/* --- waiting ---------------------------------------------------------------------------------- */
cudaError_t CUDARTAPI cudaStreamSynchronize(cudaStream_t stream)
{
    return CRT_CALL(cuStreamSynchronize(crt_stream(stream)));
}

cudaError_t CUDARTAPI cudaStreamQuery(cudaStream_t stream)
{
    return CRT_CALL(cuStreamQuery(crt_stream(stream)));
}

cudaError_t CUDARTAPI cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    return CRT_CALL(cuStreamWaitEvent(crt_stream(stream), event, flags));
}

/* --- host functions --------------------------------------------------------------------------- */
cudaError_t CUDARTAPI cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)
{
    return CRT_CALL(cuLaunchHostFunc(crt_stream(stream), fn, userData));
}

/* A callback of the runtime on its way through the driver, which passes its own type of error.  Owned by the stream. */
struct callback {
    cudaStreamCallback_t function;
    void *argument;
    cudaStream_t stream; /* as the program named it */
};

static void CUDA_CB run_callback(CUstream stream, CUresult status, void *argument)
{
    const struct callback callback = *(struct callback *)argument;

    (void)stream;
    free(argument);
    callback.function(callback.stream, crt_error(status), callback.argument);
}

static CUresult add_callback(struct callback callback, unsigned flags)
{
    struct callback *record = callback.function != NULL ? malloc(sizeof *record) : NULL;
    CUresult result;

    if (record == NULL) {
        return callback.function != NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
    }
    *record = callback;
    result = cuStreamAddCallback(crt_stream(callback.stream), run_callback, record, flags);
    if (result != CUDA_SUCCESS) {
        free(record);
    }
    return result;
}

cudaError_t CUDARTAPI cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
                                            unsigned int flags)
{
    return CRT_CALL(
        add_callback((struct callback){.function = callback, .argument = userData, .stream = stream}, flags));
}

/* --- what a stream is ------------------------------------------------------------------------- */
cudaError_t CUDARTAPI cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t length, unsigned int flags)
{
    return CRT_CALL(cuStreamAttachMemAsync(crt_stream(stream), crt_address(devPtr), length, flags));
}

cudaError_t CUDARTAPI cudaStreamGetPriority(cudaStream_t hStream, int *priority)
{
    return CRT_CALL(cuStreamGetPriority(crt_stream(hStream), priority));
}

cudaError_t CUDARTAPI cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags)
{
    return CRT_CALL(cuStreamGetFlags(crt_stream(hStream), flags));
}

cudaError_t CUDARTAPI cudaStreamGetId(cudaStream_t hStream, unsigned long long *streamId)
{
    return CRT_CALL(cuStreamGetId(crt_stream(hStream), streamId));
}

cudaError_t CUDARTAPI cudaStreamGetDevice(cudaStream_t hStream, int *device)
{
    return CRT_CALL(cuStreamGetDevice(crt_stream(hStream), device));
}

cudaError_t CUDARTAPI cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src)
{
    return CRT_CALL(cuStreamCopyAttributes(crt_stream(dst), crt_stream(src)));
}

cudaError_t CUDARTAPI cudaStreamGetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr,
                                             cudaLaunchAttributeValue *value_out)
{
    return CRT_CALL(cuStreamGetAttribute(crt_stream(hStream), (CUstreamAttrID)attr, (CUstreamAttrValue *)value_out));
}

cudaError_t CUDARTAPI cudaStreamSetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr,
                                             const cudaLaunchAttributeValue *value)
{
    return CRT_CALL(cuStreamSetAttribute(crt_stream(hStream), (CUstreamAttrID)attr, (const CUstreamAttrValue *)value));
}
