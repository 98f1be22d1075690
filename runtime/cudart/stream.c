/*
 * Making and destroying streams; what a thread may do while one is captured.
 */
#include "forward.h"

cudaError_t CUDARTAPI cudaStreamCreate(cudaStream_t *pStream)
{
    return CRT_CALL(cuStreamCreate(pStream, CU_STREAM_DEFAULT));
}

cudaError_t CUDARTAPI cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags)
{
    return CRT_CALL(cuStreamCreate(pStream, flags));
}

cudaError_t CUDARTAPI cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority)
{
    return CRT_CALL(cuStreamCreateWithPriority(pStream, flags, priority));
}

cudaError_t CUDARTAPI cudaStreamDestroy(cudaStream_t stream)
{
    return CRT_CALL(cuStreamDestroy(stream));
}

cudaError_t CUDARTAPI cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    return CRT_CALL(cuThreadExchangeStreamCaptureMode((CUstreamCaptureMode *)mode));
}
