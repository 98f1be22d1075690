/*
 * Filling memory with a byte.  (Compiled once for each meaning of stream 0.)
 */
#include "forward.h"

cudaError_t CUDARTAPI cudaMemset(void *devPtr, int value, size_t count)
{
    return CRT_CALL(cuMemsetD8(crt_address(devPtr), (unsigned char)value, count));
}

cudaError_t CUDARTAPI cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream)
{
    return CRT_CALL(cuMemsetD8Async(crt_address(devPtr), (unsigned char)value, count, crt_stream(stream)));
}

cudaError_t CUDARTAPI cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height)
{
    return CRT_CALL(cuMemsetD2D8(crt_address(devPtr), pitch, (unsigned char)value, width, height));
}

cudaError_t CUDARTAPI cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                                        cudaStream_t stream)
{
    return CRT_CALL(
        cuMemsetD2D8Async(crt_address(devPtr), pitch, (unsigned char)value, width, height, crt_stream(stream)));
}

/* --- boxes ------------------------------------------------------------------------------------ */
/* Slices that follow each other without a gap are rows of one plane. */
static bool slices_are_adjacent(struct cudaPitchedPtr pointer, struct cudaExtent extent)
{
    return extent.depth <= 1 || pointer.ysize == extent.height;
}

static CUdeviceptr slice_address(struct cudaPitchedPtr pointer, size_t slice)
{
    return crt_address(pointer.ptr) + slice * pointer.pitch * pointer.ysize;
}

static CUresult set_box(struct cudaPitchedPtr pointer, unsigned char value, struct cudaExtent extent)
{
    CUresult result = CUDA_SUCCESS;

    if (slices_are_adjacent(pointer, extent)) {
        return cuMemsetD2D8(slice_address(pointer, 0), pointer.pitch, value, extent.width,
                            extent.height * extent.depth);
    }
    for (size_t i = 0; i < extent.depth && result == CUDA_SUCCESS; i++) {
        result = cuMemsetD2D8(slice_address(pointer, i), pointer.pitch, value, extent.width, extent.height);
    }
    return result;
}

static CUresult set_box_async(struct cudaPitchedPtr pointer, unsigned char value, struct cudaExtent extent,
                              CUstream stream)
{
    CUresult result = CUDA_SUCCESS;

    if (slices_are_adjacent(pointer, extent)) {
        return cuMemsetD2D8Async(slice_address(pointer, 0), pointer.pitch, value, extent.width,
                                 extent.height * extent.depth, stream);
    }
    for (size_t i = 0; i < extent.depth && result == CUDA_SUCCESS; i++) {
        result =
            cuMemsetD2D8Async(slice_address(pointer, i), pointer.pitch, value, extent.width, extent.height, stream);
    }
    return result;
}

cudaError_t CUDARTAPI cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent)
{
    return CRT_CALL(set_box(pitchedDevPtr, (unsigned char)value, extent));
}

cudaError_t CUDARTAPI cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent,
                                        cudaStream_t stream)
{
    return CRT_CALL(set_box_async(pitchedDevPtr, (unsigned char)value, extent, crt_stream(stream)));
}
