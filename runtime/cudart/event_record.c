/*
 * Putting an event into a stream.  (Compiled once for each meaning of stream 0.)
 */
#include "forward.h"

cudaError_t CUDARTAPI cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return CRT_CALL(cuEventRecord(event, crt_stream(stream)));
}

cudaError_t CUDARTAPI cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    return CRT_CALL(cuEventRecordWithFlags(event, crt_stream(stream), flags));
}
