/*
 * Texture and surface objects: the descriptions of resource, sampling and view, translated both ways.
 *
 * A description that was written by cudaCreateTextureObject and is read back is the same, but for members that say
 * nothing (those of other kinds of resource).
 */
#include "format.h"
#include "forward.h"

#include <string.h>

/* --- resources -------------------------------------------------------------------------------- */
static cudaError_t linear_to_driver(const struct cudaResourceDesc *desc, CUDA_RESOURCE_DESC *to)
{
    to->res.linear.devPtr = crt_address(desc->res.linear.devPtr);
    to->res.linear.sizeInBytes = desc->res.linear.sizeInBytes;
    return crt_format_from_desc(&desc->res.linear.desc, &to->res.linear.format, &to->res.linear.numChannels);
}

static cudaError_t pitch2d_to_driver(const struct cudaResourceDesc *desc, CUDA_RESOURCE_DESC *to)
{
    to->res.pitch2D.devPtr = crt_address(desc->res.pitch2D.devPtr);
    to->res.pitch2D.width = desc->res.pitch2D.width;
    to->res.pitch2D.height = desc->res.pitch2D.height;
    to->res.pitch2D.pitchInBytes = desc->res.pitch2D.pitchInBytes;
    return crt_format_from_desc(&desc->res.pitch2D.desc, &to->res.pitch2D.format, &to->res.pitch2D.numChannels);
}

static cudaError_t resource_to_driver(const struct cudaResourceDesc *desc, CUDA_RESOURCE_DESC *to)
{
    *to = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY};
    if (desc == NULL) {
        return cudaErrorInvalidValue;
    }
    to->resType = (CUresourcetype)desc->resType;
    switch (desc->resType) {
    case cudaResourceTypeArray:
        to->res.array.hArray = crt_array(desc->res.array.array);
        return cudaSuccess;
    case cudaResourceTypeMipmappedArray:
        to->res.mipmap.hMipmappedArray = crt_mipmapped_array(desc->res.mipmap.mipmap);
        return cudaSuccess;
    case cudaResourceTypeLinear:
        return linear_to_driver(desc, to);
    case cudaResourceTypePitch2D:
        return pitch2d_to_driver(desc, to);
    default:
        return cudaErrorInvalidValue;
    }
}

static void resource_from_driver(const CUDA_RESOURCE_DESC *from, struct cudaResourceDesc *desc)
{
    memset(desc, 0, sizeof *desc);
    desc->resType = (enum cudaResourceType)from->resType;
    switch (from->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        desc->res.array.array = (cudaArray_t)from->res.array.hArray;
        break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        desc->res.mipmap.mipmap = (cudaMipmappedArray_t)from->res.mipmap.hMipmappedArray;
        break;
    case CU_RESOURCE_TYPE_LINEAR:
        desc->res.linear.devPtr = crt_pointer(from->res.linear.devPtr);
        desc->res.linear.desc = crt_desc_from_format(from->res.linear.format, from->res.linear.numChannels);
        desc->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
        break;
    case CU_RESOURCE_TYPE_PITCH2D:
        desc->res.pitch2D.devPtr = crt_pointer(from->res.pitch2D.devPtr);
        desc->res.pitch2D.desc = crt_desc_from_format(from->res.pitch2D.format, from->res.pitch2D.numChannels);
        desc->res.pitch2D.width = from->res.pitch2D.width;
        desc->res.pitch2D.height = from->res.pitch2D.height;
        desc->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
        break;
    default:
        break;
    }
}

/* --- sampling --------------------------------------------------------------------------------- */
static unsigned flag_if(bool condition, unsigned flag)
{
    return condition ? flag : 0;
}

static void texture_to_driver(const struct cudaTextureDesc *desc, CUDA_TEXTURE_DESC *to)
{
    *to = (CUDA_TEXTURE_DESC){
        .filterMode = (CUfilter_mode)desc->filterMode,
        .flags = flag_if(desc->readMode == cudaReadModeElementType, CU_TRSF_READ_AS_INTEGER) |
                 flag_if(desc->normalizedCoords != 0, CU_TRSF_NORMALIZED_COORDINATES) |
                 flag_if(desc->sRGB != 0, CU_TRSF_SRGB) |
                 flag_if(desc->disableTrilinearOptimization != 0, CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) |
                 flag_if(desc->seamlessCubemap != 0, CU_TRSF_SEAMLESS_CUBEMAP),
        .maxAnisotropy = desc->maxAnisotropy,
        .mipmapFilterMode = (CUfilter_mode)desc->mipmapFilterMode,
        .mipmapLevelBias = desc->mipmapLevelBias,
        .minMipmapLevelClamp = desc->minMipmapLevelClamp,
        .maxMipmapLevelClamp = desc->maxMipmapLevelClamp,
    };
    for (int i = 0; i < 3; i++) {
        to->addressMode[i] = (CUaddress_mode)desc->addressMode[i];
    }
    memcpy(to->borderColor, desc->borderColor, sizeof to->borderColor);
}

static void texture_from_driver(const CUDA_TEXTURE_DESC *from, struct cudaTextureDesc *desc)
{
    *desc = (struct cudaTextureDesc){
        .filterMode = (enum cudaTextureFilterMode)from->filterMode,
        .readMode =
            (from->flags & CU_TRSF_READ_AS_INTEGER) != 0 ? cudaReadModeElementType : cudaReadModeNormalizedFloat,
        .sRGB = (from->flags & CU_TRSF_SRGB) != 0,
        .normalizedCoords = (from->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
        .maxAnisotropy = from->maxAnisotropy,
        .mipmapFilterMode = (enum cudaTextureFilterMode)from->mipmapFilterMode,
        .mipmapLevelBias = from->mipmapLevelBias,
        .minMipmapLevelClamp = from->minMipmapLevelClamp,
        .maxMipmapLevelClamp = from->maxMipmapLevelClamp,
        .disableTrilinearOptimization = (from->flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0,
        .seamlessCubemap = (from->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0,
    };
    for (int i = 0; i < 3; i++) {
        desc->addressMode[i] = (enum cudaTextureAddressMode)from->addressMode[i];
    }
    memcpy(desc->borderColor, from->borderColor, sizeof desc->borderColor);
}

/* --- what the sampling asks of the elements ----------------------------------------------------- */
/* Elements of a resource; kind `None` if the driver knows of no such array. */
static struct cudaChannelFormatDesc resource_elements(const CUDA_RESOURCE_DESC *resource)
{
    CUDA_ARRAY3D_DESCRIPTOR array = {0};
    CUarray level = resource->res.array.hArray;
    CUresult result = CUDA_SUCCESS;

    switch (resource->resType) {
    case CU_RESOURCE_TYPE_LINEAR:
        return crt_desc_from_format(resource->res.linear.format, resource->res.linear.numChannels);
    case CU_RESOURCE_TYPE_PITCH2D:
        return crt_desc_from_format(resource->res.pitch2D.format, resource->res.pitch2D.numChannels);
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        result = cuMipmappedArrayGetLevel(&level, resource->res.mipmap.hMipmappedArray, 0);
        break;
    default:
        break;
    }
    if (result == CUDA_SUCCESS) {
        result = cuArray3DGetDescriptor(&array, level);
    }
    return result == CUDA_SUCCESS ? crt_desc_from_format(array.Format, array.NumChannels)
                                  : (struct cudaChannelFormatDesc){.f = cudaChannelFormatKindNone};
}

/* Only integers of 8 and 16 bits can be read as fractions, and only fractions and floating-point numbers be filtered;
 * an H200's runtime names the filter first, but where fractions are asked of floating-point numbers. */
static cudaError_t check_sampling(const CUDA_RESOURCE_DESC *resource, const struct cudaTextureDesc *texture)
{
    const struct cudaChannelFormatDesc elements = resource_elements(resource);

    const bool is_integer = elements.f == cudaChannelFormatKindSigned || elements.f == cudaChannelFormatKindUnsigned;
    const bool is_narrow = elements.x == 8 || elements.x == 16;
    const bool as_fractions = texture->readMode == cudaReadModeNormalizedFloat;

    if (is_integer && texture->filterMode == cudaFilterModeLinear && !(as_fractions && is_narrow)) {
        return cudaErrorInvalidFilterSetting;
    }
    if (as_fractions && (elements.f == cudaChannelFormatKindFloat || (is_integer && !is_narrow))) {
        return cudaErrorInvalidNormSetting;
    }
    return cudaSuccess;
}

/* --- views ------------------------------------------------------------------------------------ */
static CUDA_RESOURCE_VIEW_DESC view_to_driver(const struct cudaResourceViewDesc *desc)
{
    return (CUDA_RESOURCE_VIEW_DESC){
        .format = (CUresourceViewFormat)desc->format,
        .width = desc->width,
        .height = desc->height,
        .depth = desc->depth,
        .firstMipmapLevel = desc->firstMipmapLevel,
        .lastMipmapLevel = desc->lastMipmapLevel,
        .firstLayer = desc->firstLayer,
        .lastLayer = desc->lastLayer,
    };
}

static struct cudaResourceViewDesc view_from_driver(const CUDA_RESOURCE_VIEW_DESC *from)
{
    return (struct cudaResourceViewDesc){
        .format = (enum cudaResourceViewFormat)from->format,
        .width = from->width,
        .height = from->height,
        .depth = from->depth,
        .firstMipmapLevel = from->firstMipmapLevel,
        .lastMipmapLevel = from->lastMipmapLevel,
        .firstLayer = from->firstLayer,
        .lastLayer = from->lastLayer,
    };
}

/* --- texture objects -------------------------------------------------------------------------- */
static cudaError_t create_texture(cudaTextureObject_t *object, const struct cudaResourceDesc *resource_desc,
                                  const struct cudaTextureDesc *texture_desc,
                                  const struct cudaResourceViewDesc *view_desc)
{
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;
    CUDA_RESOURCE_VIEW_DESC view;
    cudaError_t error = resource_to_driver(resource_desc, &resource);

    if (error == cudaSuccess) {
        error =
            object != NULL && texture_desc != NULL ? check_sampling(&resource, texture_desc) : cudaErrorInvalidValue;
    }
    if (error != cudaSuccess) {
        return error;
    }
    texture_to_driver(texture_desc, &texture);
    if (view_desc != NULL) {
        view = view_to_driver(view_desc);
    }
    return crt_error(cuTexObjectCreate(object, &resource, &texture, view_desc != NULL ? &view : NULL));
}

cudaError_t CUDARTAPI cudaCreateTextureObject(cudaTextureObject_t *pTexObject, const struct cudaResourceDesc *pResDesc,
                                              const struct cudaTextureDesc *pTexDesc,
                                              const struct cudaResourceViewDesc *pResViewDesc)
{
    cudaError_t error = crt_begin();

    return error == cudaSuccess ? crt_return(create_texture(pTexObject, pResDesc, pTexDesc, pResViewDesc)) : error;
}

cudaError_t CUDARTAPI cudaDestroyTextureObject(cudaTextureObject_t texObject)
{
    return CRT_CALL(cuTexObjectDestroy(texObject));
}

cudaError_t CUDARTAPI cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *pResDesc, cudaTextureObject_t texObject)
{
    CUDA_RESOURCE_DESC resource;
    cudaError_t error = pResDesc != NULL ? CRT_CALL(cuTexObjectGetResourceDesc(&resource, texObject))
                                         : crt_return(cudaErrorInvalidValue);

    if (error == cudaSuccess) {
        resource_from_driver(&resource, pResDesc);
    }
    return error;
}

cudaError_t CUDARTAPI cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *pTexDesc, cudaTextureObject_t texObject)
{
    CUDA_TEXTURE_DESC texture;
    cudaError_t error =
        pTexDesc != NULL ? CRT_CALL(cuTexObjectGetTextureDesc(&texture, texObject)) : crt_return(cudaErrorInvalidValue);

    if (error == cudaSuccess) {
        texture_from_driver(&texture, pTexDesc);
    }
    return error;
}

cudaError_t CUDARTAPI cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *pResViewDesc,
                                                           cudaTextureObject_t texObject)
{
    CUDA_RESOURCE_VIEW_DESC view;
    cudaError_t error = pResViewDesc != NULL ? CRT_CALL(cuTexObjectGetResourceViewDesc(&view, texObject))
                                             : crt_return(cudaErrorInvalidValue);

    if (error == cudaSuccess) {
        *pResViewDesc = view_from_driver(&view);
    }
    return error;
}

/* --- surface objects -------------------------------------------------------------------------- */
cudaError_t CUDARTAPI cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject, const struct cudaResourceDesc *pResDesc)
{
    CUDA_RESOURCE_DESC resource;
    cudaError_t error = resource_to_driver(pResDesc, &resource);

    return error == cudaSuccess ? CRT_CALL(cuSurfObjectCreate(pSurfObject, &resource)) : crt_return(error);
}

cudaError_t CUDARTAPI cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject)
{
    return CRT_CALL(cuSurfObjectDestroy(surfObject));
}

cudaError_t CUDARTAPI cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                                       cudaSurfaceObject_t surfObject)
{
    CUDA_RESOURCE_DESC resource;
    cudaError_t error = pResDesc != NULL ? CRT_CALL(cuSurfObjectGetResourceDesc(&resource, surfObject))
                                         : crt_return(cudaErrorInvalidValue);

    if (error == cudaSuccess) {
        resource_from_driver(&resource, pResDesc);
    }
    return error;
}
