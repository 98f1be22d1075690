/*
 * Moving managed memory to where it is going to be used, and saying that its contents do not matter any more. (Compiled
 * once for each meaning of stream 0.)
 */
#include "forward.h"

cudaError_t CUDARTAPI CRT_V2(cudaMemPrefetchAsync)(const void *devPtr, size_t count, struct cudaMemLocation location,
                                                   unsigned int flags, cudaStream_t stream)
{
    return CRT_CALL(
        CRT_V2(cuMemPrefetchAsync)(crt_address(devPtr), count, crt_location(location), flags, crt_stream(stream)));
}

#if CUDART_VERSION >= 13000
cudaError_t CUDARTAPI cudaMemPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count,
                                                struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                                size_t numPrefetchLocs, unsigned long long flags, cudaStream_t stream)
{
    return CRT_CALL(cuMemPrefetchBatchAsync((CUdeviceptr *)dptrs, sizes, count, (CUmemLocation *)prefetchLocs,
                                            prefetchLocIdxs, numPrefetchLocs, flags, crt_stream(stream)));
}

cudaError_t CUDARTAPI cudaMemDiscardBatchAsync(void **dptrs, size_t *sizes, size_t count, unsigned long long flags,
                                               cudaStream_t stream)
{
    return CRT_CALL(cuMemDiscardBatchAsync((CUdeviceptr *)dptrs, sizes, count, flags, crt_stream(stream)));
}

cudaError_t CUDARTAPI cudaMemDiscardAndPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count,
                                                          struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                                          size_t numPrefetchLocs, unsigned long long flags,
                                                          cudaStream_t stream)
{
    return CRT_CALL(cuMemDiscardAndPrefetchBatchAsync((CUdeviceptr *)dptrs, sizes, count, (CUmemLocation *)prefetchLocs,
                                                      prefetchLocIdxs, numPrefetchLocs, flags, crt_stream(stream)));
}
#endif
