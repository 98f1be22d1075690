/*
 * Copies of ranges and of rows, between host and device in any direction.  (Compiled once for each meaning of stream
 * 0.)
 *
 * Which memory is meant is said by the direction, so that the driver can reject a pointer that is something else;
 * cudaMemcpyDefault leaves it to the addresses.  Between host ranges that is the only driver call there is.
 */
#include "copy.h"
#include "forward.h"

/* --- ranges ----------------------------------------------------------------------------------- */
static CUresult copy_range(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return cuMemcpyHtoD(crt_address(dst), src, count);
    case cudaMemcpyDeviceToHost:
        return cuMemcpyDtoH(dst, crt_address(src), count);
    case cudaMemcpyDeviceToDevice:
        return cuMemcpyDtoD(crt_address(dst), crt_address(src), count);
    default:
        return cuMemcpy(crt_address(dst), crt_address(src), count);
    }
}

static CUresult copy_range_async(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, CUstream stream)
{
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return cuMemcpyHtoDAsync(crt_address(dst), src, count, stream);
    case cudaMemcpyDeviceToHost:
        return cuMemcpyDtoHAsync(dst, crt_address(src), count, stream);
    case cudaMemcpyDeviceToDevice:
        return cuMemcpyDtoDAsync(crt_address(dst), crt_address(src), count, stream);
    default:
        return cuMemcpyAsync(crt_address(dst), crt_address(src), count, stream);
    }
}

static bool is_direction(enum cudaMemcpyKind kind)
{
    return (unsigned)kind <= cudaMemcpyDefault;
}

cudaError_t CUDARTAPI cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    return is_direction(kind) ? CRT_CALL(copy_range(dst, src, count, kind))
                              : crt_return(cudaErrorInvalidMemcpyDirection);
}

cudaError_t CUDARTAPI cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                                      cudaStream_t stream)
{
    return is_direction(kind) ? CRT_CALL(copy_range_async(dst, src, count, kind, crt_stream(stream)))
                              : crt_return(cudaErrorInvalidMemcpyDirection);
}

/* --- rows ------------------------------------------------------------------------------------- */
cudaError_t CUDARTAPI cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                                   size_t height, enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY2D copy;
    cudaError_t error = crt_copy_rows(dst, dpitch, src, spitch, width, height, kind, &copy);

    return error == cudaSuccess ? CRT_CALL(cuMemcpy2DUnaligned(&copy)) : crt_return(error);
}

cudaError_t CUDARTAPI cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                                        size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CUDA_MEMCPY2D copy;
    cudaError_t error = crt_copy_rows(dst, dpitch, src, spitch, width, height, kind, &copy);

    return error == cudaSuccess ? CRT_CALL(cuMemcpy2DAsync(&copy, crt_stream(stream))) : crt_return(error);
}

/* --- boxes ------------------------------------------------------------------------------------ */
/* Begin a copy of a box; a failure is noted. */
static cudaError_t begin_box(const struct cudaMemcpy3DParms *parms, CUDA_MEMCPY3D *copy)
{
    cudaError_t error = crt_begin();

    return error == cudaSuccess ? crt_return(crt_copy_3d(parms, copy)) : error;
}

cudaError_t CUDARTAPI cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = begin_box(p, &copy);

    return error == cudaSuccess ? crt_end(cuMemcpy3D(&copy)) : error;
}

cudaError_t CUDARTAPI cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = begin_box(p, &copy);

    return error == cudaSuccess ? crt_end(cuMemcpy3DAsync(&copy, crt_stream(stream))) : error;
}

static cudaError_t begin_peer_box(const struct cudaMemcpy3DPeerParms *parms, CUDA_MEMCPY3D_PEER *copy)
{
    cudaError_t error = crt_begin();

    if (error == cudaSuccess) {
        error = crt_copy_3d_peer(parms, copy);
    }
    if (error == cudaSuccess) {
        error = crt_peer_context(parms->srcDevice, &copy->srcContext);
    }
    if (error == cudaSuccess) {
        error = crt_peer_context(parms->dstDevice, &copy->dstContext);
    }
    return crt_return(error);
}

cudaError_t CUDARTAPI cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    CUDA_MEMCPY3D_PEER copy;
    cudaError_t error = begin_peer_box(p, &copy);

    return error == cudaSuccess ? crt_end(cuMemcpy3DPeer(&copy)) : error;
}

cudaError_t CUDARTAPI cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
    CUDA_MEMCPY3D_PEER copy;
    cudaError_t error = begin_peer_box(p, &copy);

    return error == cudaSuccess ? crt_end(cuMemcpy3DPeerAsync(&copy, crt_stream(stream))) : error;
}
