/*
 * Allocation in the order of a stream.  (Compiled once for each meaning of stream 0.)
 */
#include "forward.h"

static cudaError_t give(void **pointer, CUdeviceptr address, cudaError_t error)
{
    if (error == cudaSuccess) {
        *pointer = crt_pointer(address);
    }
    return error;
}

cudaError_t CUDARTAPI cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)
{
    CUdeviceptr address = 0;
    cudaError_t error = devPtr != NULL ? CRT_CALL(cuMemAllocAsync(&address, size, crt_stream(hStream)))
                                       : crt_return(cudaErrorInvalidValue);

    return give(devPtr, address, error);
}

cudaError_t CUDARTAPI cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream)
{
    CUdeviceptr address = 0;
    cudaError_t error = ptr != NULL ? CRT_CALL(cuMemAllocFromPoolAsync(&address, size, memPool, crt_stream(stream)))
                                    : crt_return(cudaErrorInvalidValue);

    return give(ptr, address, error);
}

cudaError_t CUDARTAPI cudaFreeAsync(void *devPtr, cudaStream_t hStream)
{
    return CRT_CALL(cuMemFreeAsync(crt_address(devPtr), crt_stream(hStream)));
}
