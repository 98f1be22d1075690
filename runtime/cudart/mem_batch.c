/*
 * Many copies in one call.  (Compiled once for each meaning of stream 0.)
 *
 * CUDA 12 also tells which copy could not be made.
 */
#include "forward.h"

#if CUDART_VERSION >= 13000
cudaError_t CUDARTAPI cudaMemcpyBatchAsync(void *const *dsts, const void *const *srcs, const size_t *sizes,
                                           size_t count, struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs,
                                           size_t numAttrs, cudaStream_t stream)
{
    return CRT_CALL(cuMemcpyBatchAsync((CUdeviceptr *)(uintptr_t)dsts, (CUdeviceptr *)(uintptr_t)srcs,
                                       (size_t *)(uintptr_t)sizes, count, (CUmemcpyAttributes *)attrs, attrsIdxs,
                                       numAttrs, crt_stream(stream)));
}

cudaError_t CUDARTAPI cudaMemcpy3DBatchAsync(size_t numOps, struct cudaMemcpy3DBatchOp *opList,
                                             unsigned long long flags, cudaStream_t stream)
{
    return CRT_CALL(cuMemcpy3DBatchAsync(numOps, (CUDA_MEMCPY3D_BATCH_OP *)opList, flags, crt_stream(stream)));
}
#else
cudaError_t CUDARTAPI cudaMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count,
                                           struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs,
                                           size_t *failIdx, cudaStream_t stream)
{
    return CRT_CALL(cuMemcpyBatchAsync((CUdeviceptr *)dsts, (CUdeviceptr *)srcs, sizes, count,
                                       (CUmemcpyAttributes *)attrs, attrsIdxs, numAttrs, failIdx, crt_stream(stream)));
}

cudaError_t CUDARTAPI cudaMemcpy3DBatchAsync(size_t numOps, struct cudaMemcpy3DBatchOp *opList, size_t *failIdx,
                                             unsigned long long flags, cudaStream_t stream)
{
    return CRT_CALL(cuMemcpy3DBatchAsync(numOps, (CUDA_MEMCPY3D_BATCH_OP *)opList, failIdx, flags, crt_stream(stream)));
}
#endif
