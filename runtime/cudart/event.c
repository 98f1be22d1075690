/*
 * Events: making them, waiting for them, the time between two.
 */
#include "forward.h"

cudaError_t CUDARTAPI cudaEventCreate(cudaEvent_t *event)
{
    return CRT_CALL(cuEventCreate(event, CU_EVENT_DEFAULT));
}

cudaError_t CUDARTAPI cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    return CRT_CALL(cuEventCreate(event, flags));
}

cudaError_t CUDARTAPI cudaEventQuery(cudaEvent_t event)
{
    return CRT_CALL(cuEventQuery(event));
}

cudaError_t CUDARTAPI cudaEventSynchronize(cudaEvent_t event)
{
    return CRT_CALL(cuEventSynchronize(event));
}

cudaError_t CUDARTAPI cudaEventDestroy(cudaEvent_t event)
{
    return CRT_CALL(cuEventDestroy(event));
}

cudaError_t CUDARTAPI CRT_V2(cudaEventElapsedTime)(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    if (ms == NULL) {
        return crt_return(cudaErrorInvalidValue); /* where the driver speaks of a handle */
    }
    return CRT_CALL(CRT_V2(cuEventElapsedTime)(ms, start, end));
}

#if CUDART_VERSION < 13000
cudaError_t CUDARTAPI cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    return cudaEventElapsedTime_v2(ms, start, end);
}
#endif
