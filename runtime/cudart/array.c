/*
 * CUDA arrays and mipmapped arrays: allocation and queries.
 */
#include "format.h"
#include "forward.h"

/* --- allocation ------------------------------------------------------------------------------- */
static cudaError_t describe(const struct cudaChannelFormatDesc *desc, struct cudaExtent extent, unsigned flags,
                            CUDA_ARRAY3D_DESCRIPTOR *descriptor)
{
    *descriptor = (CUDA_ARRAY3D_DESCRIPTOR){
        .Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
    return crt_format_from_desc(desc, &descriptor->Format, &descriptor->NumChannels);
}

static cudaError_t allocate_array(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                                  struct cudaExtent extent, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    cudaError_t error = array != NULL ? describe(desc, extent, flags, &descriptor) : cudaErrorInvalidValue;

    return error == cudaSuccess ? CRT_CALL(cuArray3DCreate((CUarray *)array, &descriptor)) : crt_return(error);
}

cudaError_t CUDARTAPI cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
                                      size_t height, unsigned int flags)
{
    return allocate_array(array, desc, (struct cudaExtent){.width = width, .height = height}, flags);
}

cudaError_t CUDARTAPI cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                                        struct cudaExtent extent, unsigned int flags)
{
    return allocate_array(array, desc, extent, flags);
}

cudaError_t CUDARTAPI cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmappedArray,
                                               const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
                                               unsigned int numLevels, unsigned int flags)
{
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    cudaError_t error = mipmappedArray != NULL ? describe(desc, extent, flags, &descriptor) : cudaErrorInvalidValue;

    if (error != cudaSuccess) {
        return crt_return(error);
    }
    return CRT_CALL(cuMipmappedArrayCreate((CUmipmappedArray *)mipmappedArray, &descriptor, numLevels));
}

cudaError_t CUDARTAPI cudaFreeArray(cudaArray_t array)
{
    return CRT_CALL(array != NULL ? cuArrayDestroy(crt_array(array)) : CUDA_SUCCESS);
}

cudaError_t CUDARTAPI cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray)
{
    return CRT_CALL(mipmappedArray != NULL ? cuMipmappedArrayDestroy(crt_mipmapped_array(mipmappedArray))
                                           : CUDA_SUCCESS);
}

cudaError_t CUDARTAPI cudaGetMipmappedArrayLevel(cudaArray_t *levelArray, cudaMipmappedArray_const_t mipmappedArray,
                                                 unsigned int level)
{
    return CRT_CALL(cuMipmappedArrayGetLevel((CUarray *)levelArray, crt_mipmapped_array(mipmappedArray), level));
}

/* --- queries ---------------------------------------------------------------------------------- */
cudaError_t CUDARTAPI cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                                       unsigned int *flags, cudaArray_t array)
{
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    cudaError_t error = CRT_CALL(crt_array_descriptor(array, &descriptor));

    if (error != cudaSuccess) {
        return error;
    }
    if (desc != NULL) {
        *desc = crt_desc_from_format(descriptor.Format, descriptor.NumChannels);
    }
    if (extent != NULL) {
        *extent =
            (struct cudaExtent){.width = descriptor.Width, .height = descriptor.Height, .depth = descriptor.Depth};
    }
    if (flags != NULL) {
        *flags = descriptor.Flags;
    }
    return cudaSuccess;
}

cudaError_t CUDARTAPI cudaArrayGetPlane(cudaArray_t *pPlaneArray, cudaArray_t hArray, unsigned int planeIdx)
{
    return CRT_CALL(cuArrayGetPlane((CUarray *)pPlaneArray, crt_array(hArray), planeIdx));
}

cudaError_t CUDARTAPI cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *memoryRequirements,
                                                     cudaArray_t array, int device)
{
    return CRT_CALL(
        cuArrayGetMemoryRequirements((CUDA_ARRAY_MEMORY_REQUIREMENTS *)memoryRequirements, crt_array(array), device));
}

cudaError_t CUDARTAPI cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *memoryRequirements,
                                                              cudaMipmappedArray_t mipmap, int device)
{
    return CRT_CALL(cuMipmappedArrayGetMemoryRequirements((CUDA_ARRAY_MEMORY_REQUIREMENTS *)memoryRequirements,
                                                          crt_mipmapped_array(mipmap), device));
}

cudaError_t CUDARTAPI cudaArrayGetSparseProperties(struct cudaArraySparseProperties *sparseProperties,
                                                   cudaArray_t array)
{
    return CRT_CALL(cuArrayGetSparseProperties((CUDA_ARRAY_SPARSE_PROPERTIES *)sparseProperties, crt_array(array)));
}

cudaError_t CUDARTAPI cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties *sparseProperties,
                                                            cudaMipmappedArray_t mipmap)
{
    return CRT_CALL(cuMipmappedArrayGetSparseProperties((CUDA_ARRAY_SPARSE_PROPERTIES *)sparseProperties,
                                                        crt_mipmapped_array(mipmap)));
}

cudaError_t CUDARTAPI cudaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                                           const struct cudaChannelFormatDesc *fmtDesc, int device)
{
    CUarray_format format;
    unsigned channel_count;
    cudaError_t error = crt_format_from_desc(fmtDesc, &format, &channel_count);

    if (error != cudaSuccess) {
        return crt_return(error);
    }
    return CRT_CALL(cuDeviceGetTexture1DLinearMaxWidth(maxWidthInElements, format, channel_count, device));
}
