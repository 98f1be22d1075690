/*
 * Copies between the memories of two devices.
 *
 * The driver names devices by their contexts; the runtime means the primary ones.
 */
#include "copy.h"
#include "forward.h"
#include "state.h"

cudaError_t crt_peer_context(int device, CUcontext *context)
{
    CUcontext current = NULL;
    CUresult result;

    if (device < 0 || device >= crt_device_count()) {
        return cudaErrorInvalidDevice;
    }
    result = cuCtxGetCurrent(&current);
    if (result != CUDA_SUCCESS) {
        return crt_error(result);
    }
    result = crt_use_device(device);
    if (result == CUDA_SUCCESS) {
        result = cuCtxGetCurrent(context);
    }
    cuCtxSetCurrent(current);
    return crt_error(result);
}

/* Both contexts of a copy, with a context current. */
static cudaError_t begin_peer_copy(int dst_device, int src_device, CUcontext *destination, CUcontext *source)
{
    cudaError_t error = crt_begin();

    if (error == cudaSuccess) {
        error = crt_peer_context(dst_device, destination);
    }
    if (error == cudaSuccess) {
        error = crt_peer_context(src_device, source);
    }
    return crt_return(error);
}

cudaError_t CUDARTAPI cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count)
{
    CUcontext destination = NULL, source = NULL;
    cudaError_t error = begin_peer_copy(dstDevice, srcDevice, &destination, &source);

    if (error != cudaSuccess) {
        return error;
    }
    return crt_end(cuMemcpyPeer(crt_address(dst), destination, crt_address(src), source, count));
}

cudaError_t CUDARTAPI cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                                          cudaStream_t stream)
{
    CUcontext destination = NULL, source = NULL;
    cudaError_t error = begin_peer_copy(dstDevice, srcDevice, &destination, &source);

    if (error != cudaSuccess) {
        return error;
    }
    return crt_end(
        cuMemcpyPeerAsync(crt_address(dst), destination, crt_address(src), source, count, crt_stream(stream)));
}
