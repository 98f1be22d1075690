/*
 * Texture and surface references: what programs set and ask.
 */
#include "runtime/driver/texture_reference.h"

#include <string.h>

#include "runtime/driver/handle.h"

enum { TEXTURE_ALIGNMENT = 512 }; /* CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT */

static CUresult enter(const void *handle, bool surface, struct drv_reference **reference)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    *reference = drv_handle_get(handle, surface ? DRV_SURFACE_REFERENCE : DRV_TEXTURE_REFERENCE);
    return result != CUDA_SUCCESS ? result : *reference == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

/* What is asked goes to `out`. */
static CUresult enter_to_ask(CUtexref handle, const void *out, struct drv_reference **reference)
{
    return drv_check_out(enter(handle, false, reference), out);
}

/* Set the description to another; it stays as it was when it cannot be. */
static CUresult change(struct drv_reference *reference, const struct drv_reference *to)
{
    const struct drv_reference before = *reference;
    CUresult result;

    *reference = *to;
    result = drv_reference_bind(reference);
    if (result != CUDA_SUCCESS) {
        *reference = before;
    }
    return result;
}

/* --- found and made --------------------------------------------------------------------------- */
static CUresult of_module(CUmodule hmod, const char *name, bool surface, void **out)
{
    struct drv_context *context;
    struct drv_module *module = drv_handle_get(hmod, DRV_MODULE);
    struct drv_reference *reference;
    CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (module == NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    if (name == NULL || out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    result = drv_reference_of_variable(module, name, surface, &reference);
    if (result == CUDA_SUCCESS) {
        *out = reference->handle;
    }
    return result;
}

CUresult cuModuleGetTexRef(CUtexref *pTexRef, CUmodule hmod, const char *name)
{
    return of_module(hmod, name, false, (void **)pTexRef);
}

CUresult cuModuleGetSurfRef(CUsurfref *pSurfRef, CUmodule hmod, const char *name)
{
    return of_module(hmod, name, true, (void **)pSurfRef);
}

CUresult cuTexRefCreate(CUtexref *pTexRef)
{
    struct drv_context *context;
    const CUresult result = drv_check_out(drv_enter(&context), pTexRef);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct drv_reference *reference = drv_reference_new(NULL, false);

    if (reference == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *pTexRef = reference->handle;
    return CUDA_SUCCESS;
}

/* Those of modules go with their module. */
CUresult cuTexRefDestroy(CUtexref hTexRef)
{
    struct drv_reference *reference;
    const CUresult result = enter(hTexRef, false, &reference);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (reference->module != NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    drv_reference_free(reference);
    return CUDA_SUCCESS;
}

/* All references of a module are always there for its functions. */
CUresult cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef)
{
    struct drv_reference *reference;
    struct drv_function *function;
    CUresult result = enter(hTexRef, false, &reference);

    if (result == CUDA_SUCCESS) {
        result = drv_function_of(hfunc, drv_current(), &function);
    }
    return result == CUDA_SUCCESS && texunit != CU_PARAM_TR_DEFAULT ? CUDA_ERROR_INVALID_VALUE : result;
}

/* --- what they stand for ---------------------------------------------------------------------- */
/* What it is must be sound by itself; how it is sampled may come later. */
static CUresult set_resource(CUtexref handle, const CUDA_RESOURCE_DESC *resource)
{
    const CUDA_TEXTURE_DESC as_it_is = {.flags = CU_TRSF_READ_AS_INTEGER};
    struct drv_reference *reference;
    struct emu_texture texture;
    CUresult result = enter(handle, false, &reference);

    if (result == CUDA_SUCCESS) {
        result = drv_texture_describe(resource, &as_it_is, NULL, &texture);
    }
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct drv_reference to = *reference;

    to.resource = *resource;
    to.bound = true;
    return change(reference, &to);
}

CUresult cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags)
{
    return Flags != CU_TRSA_OVERRIDE_FORMAT
               ? CUDA_ERROR_INVALID_VALUE
               : set_resource(hTexRef,
                              &(CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = hArray});
}

CUresult cuTexRefSetMipmappedArray(CUtexref hTexRef, CUmipmappedArray hMipmappedArray, unsigned int Flags)
{
    return Flags != CU_TRSA_OVERRIDE_FORMAT
               ? CUDA_ERROR_INVALID_VALUE
               : set_resource(hTexRef, &(CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY,
                                                             .res.mipmap.hMipmappedArray = hMipmappedArray});
}

/* Textures begin at aligned addresses; where the memory does not, the kernel adds the offset. */
CUresult cuTexRefSetAddress_v2(size_t *ByteOffset, CUtexref hTexRef, CUdeviceptr dptr, size_t bytes)
{
    const size_t offset = dptr % TEXTURE_ALIGNMENT;
    struct drv_reference *reference;
    CUresult result = enter(hTexRef, false, &reference);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (ByteOffset == NULL && offset != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    result = set_resource(hTexRef, &(CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_LINEAR,
                                                         .res.linear = {.devPtr = dptr - offset,
                                                                        .format = reference->format,
                                                                        .numChannels = reference->channels,
                                                                        .sizeInBytes = bytes + offset}});
    if (result == CUDA_SUCCESS && ByteOffset != NULL) {
        *ByteOffset = offset;
    }
    return result;
}

CUresult cuTexRefSetAddress2D_v3(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr dptr, size_t Pitch)
{
    return desc == NULL || dptr % TEXTURE_ALIGNMENT != 0
               ? CUDA_ERROR_INVALID_VALUE
               : set_resource(hTexRef, &(CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_PITCH2D,
                                                             .res.pitch2D = {.devPtr = dptr,
                                                                             .format = desc->Format,
                                                                             .numChannels = desc->NumChannels,
                                                                             .width = desc->Width,
                                                                             .height = desc->Height,
                                                                             .pitchInBytes = Pitch}});
}

static bool stands_for(const struct drv_reference *reference, CUresourcetype type)
{
    return reference->bound && reference->resource.resType == type;
}

CUresult cuTexRefGetAddress_v2(CUdeviceptr *pdptr, CUtexref hTexRef)
{
    struct drv_reference *reference;
    const CUresult result = enter_to_ask(hTexRef, pdptr, &reference);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (stands_for(reference, CU_RESOURCE_TYPE_LINEAR)) {
        *pdptr = reference->resource.res.linear.devPtr;
    } else if (stands_for(reference, CU_RESOURCE_TYPE_PITCH2D)) {
        *pdptr = reference->resource.res.pitch2D.devPtr;
    } else {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetArray(CUarray *phArray, CUtexref hTexRef)
{
    struct drv_reference *reference;
    const CUresult result = enter_to_ask(hTexRef, phArray, &reference);

    if (result == CUDA_SUCCESS && !stands_for(reference, CU_RESOURCE_TYPE_ARRAY)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        *phArray = reference->resource.res.array.hArray;
    }
    return result;
}

CUresult cuTexRefGetMipmappedArray(CUmipmappedArray *phMipmappedArray, CUtexref hTexRef)
{
    struct drv_reference *reference;
    const CUresult result = enter_to_ask(hTexRef, phMipmappedArray, &reference);

    if (result == CUDA_SUCCESS && !stands_for(reference, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        *phMipmappedArray = reference->resource.res.mipmap.hMipmappedArray;
    }
    return result;
}

/* Of texels in memory; arrays have their own. */
CUresult cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents)
{
    struct drv_reference *reference;
    struct emu_format known;
    const CUresult result = enter(hTexRef, false, &reference);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (NumPackedComponents <= 0 || !drv_format(fmt, (unsigned)NumPackedComponents, &known)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct drv_reference to = *reference;

    to.format = fmt;
    to.channels = (unsigned)NumPackedComponents;
    if (stands_for(&to, CU_RESOURCE_TYPE_LINEAR)) {
        to.resource.res.linear.format = fmt;
        to.resource.res.linear.numChannels = to.channels;
    }
    return change(reference, &to);
}

CUresult cuTexRefGetFormat(CUarray_format *pFormat, int *pNumChannels, CUtexref hTexRef)
{
    struct drv_reference *reference;
    const CUresult result = enter(hTexRef, false, &reference);

    if (result == CUDA_SUCCESS && pFormat != NULL) {
        *pFormat = reference->format;
    }
    if (result == CUDA_SUCCESS && pNumChannels != NULL) {
        *pNumChannels = (int)reference->channels;
    }
    return result;
}

/* --- how they are sampled --------------------------------------------------------------------- */
/* A function that sets one member of the description, and one that asks for it. */
#define SETTER(name, type, member, is_good)                        \
    CUresult cuTexRefSet##name(CUtexref hTexRef, type value)       \
    {                                                              \
        struct drv_reference *reference;                           \
        const CUresult result = enter(hTexRef, false, &reference); \
                                                                   \
        if (result != CUDA_SUCCESS) {                              \
            return result;                                         \
        }                                                          \
        if (!(is_good)) {                                          \
            return CUDA_ERROR_INVALID_VALUE;                       \
        }                                                          \
        struct drv_reference to = *reference;                      \
                                                                   \
        to.sampling.member = value;                                \
        return change(reference, &to);                             \
    }
#define GETTER(name, type, member)                                      \
    CUresult cuTexRefGet##name(type *out, CUtexref hTexRef)             \
    {                                                                   \
        struct drv_reference *reference;                                \
        const CUresult result = enter_to_ask(hTexRef, out, &reference); \
                                                                        \
        if (result == CUDA_SUCCESS) {                                   \
            *out = (type)reference->sampling.member;                    \
        }                                                               \
        return result;                                                  \
    }

static bool is_filter(CUfilter_mode mode)
{
    return mode == CU_TR_FILTER_MODE_POINT || mode == CU_TR_FILTER_MODE_LINEAR;
}

enum {
    KNOWN_FLAGS = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                  CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP
};

SETTER(FilterMode, CUfilter_mode, filterMode, is_filter(value))
GETTER(FilterMode, CUfilter_mode, filterMode)
SETTER(MipmapFilterMode, CUfilter_mode, mipmapFilterMode, is_filter(value))
GETTER(MipmapFilterMode, CUfilter_mode, mipmapFilterMode)
SETTER(MipmapLevelBias, float, mipmapLevelBias, true)
GETTER(MipmapLevelBias, float, mipmapLevelBias)
SETTER(Flags, unsigned int, flags, (value & ~(unsigned)KNOWN_FLAGS) == 0)
GETTER(Flags, unsigned int, flags)
SETTER(MaxAnisotropy, unsigned int, maxAnisotropy, value >= 1 && value <= 16)
GETTER(MaxAnisotropy, int, maxAnisotropy)

CUresult cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am)
{
    struct drv_reference *reference;
    const CUresult result = enter(hTexRef, false, &reference);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (dim < 0 || dim > 2 || (unsigned)am > CU_TR_ADDRESS_MODE_BORDER) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct drv_reference to = *reference;

    to.sampling.addressMode[dim] = am;
    return change(reference, &to);
}

CUresult cuTexRefGetAddressMode(CUaddress_mode *pam, CUtexref hTexRef, int dim)
{
    struct drv_reference *reference;
    const CUresult result = enter_to_ask(hTexRef, pam, &reference);

    if (result == CUDA_SUCCESS && (dim < 0 || dim > 2)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        *pam = reference->sampling.addressMode[dim];
    }
    return result;
}

CUresult cuTexRefSetMipmapLevelClamp(CUtexref hTexRef, float minMipmapLevelClamp, float maxMipmapLevelClamp)
{
    struct drv_reference *reference;
    const CUresult result = enter(hTexRef, false, &reference);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct drv_reference to = *reference;

    to.sampling.minMipmapLevelClamp = minMipmapLevelClamp;
    to.sampling.maxMipmapLevelClamp = maxMipmapLevelClamp;
    return change(reference, &to);
}

CUresult cuTexRefGetMipmapLevelClamp(float *pminMipmapLevelClamp, float *pmaxMipmapLevelClamp, CUtexref hTexRef)
{
    struct drv_reference *reference;
    const CUresult result = enter(hTexRef, false, &reference);

    if (result == CUDA_SUCCESS && pminMipmapLevelClamp != NULL) {
        *pminMipmapLevelClamp = reference->sampling.minMipmapLevelClamp;
    }
    if (result == CUDA_SUCCESS && pmaxMipmapLevelClamp != NULL) {
        *pmaxMipmapLevelClamp = reference->sampling.maxMipmapLevelClamp;
    }
    return result;
}

CUresult cuTexRefSetBorderColor(CUtexref hTexRef, float *pBorderColor)
{
    struct drv_reference *reference;
    const CUresult result = enter_to_ask(hTexRef, pBorderColor, &reference);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct drv_reference to = *reference;

    memcpy(to.sampling.borderColor, pBorderColor, sizeof to.sampling.borderColor);
    return change(reference, &to);
}

CUresult cuTexRefGetBorderColor(float *pBorderColor, CUtexref hTexRef)
{
    struct drv_reference *reference;
    const CUresult result = enter_to_ask(hTexRef, pBorderColor, &reference);

    if (result == CUDA_SUCCESS) {
        memcpy(pBorderColor, reference->sampling.borderColor, sizeof reference->sampling.borderColor);
    }
    return result;
}

/* --- surfaces --------------------------------------------------------------------------------- */
CUresult cuSurfRefSetArray(CUsurfref hSurfRef, CUarray hArray, unsigned int Flags)
{
    struct drv_reference *reference;
    const CUresult result = enter(hSurfRef, true, &reference);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (Flags != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct drv_reference to = *reference;

    to.resource = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = hArray};
    to.bound = true;
    return change(reference, &to);
}

CUresult cuSurfRefGetArray(CUarray *phArray, CUsurfref hSurfRef)
{
    struct drv_reference *reference;
    const CUresult result = enter(hSurfRef, true, &reference);

    if (result == CUDA_SUCCESS && (phArray == NULL || !reference->bound)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        *phArray = reference->resource.res.array.hArray;
    }
    return result;
}

/* --- earlier names, whose sizes are those of the new ones in programs of 64 bits --------------- */
#undef cuTexRefSetAddress
#undef cuTexRefSetAddress2D
#undef cuTexRefGetAddress

CUresult cuTexRefSetAddress(size_t *ByteOffset, CUtexref hTexRef, CUdeviceptr dptr, size_t bytes)
{
    return cuTexRefSetAddress_v2(ByteOffset, hTexRef, dptr, bytes);
}

CUresult cuTexRefSetAddress2D(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr dptr, size_t Pitch)
{
    return cuTexRefSetAddress2D_v3(hTexRef, desc, dptr, Pitch);
}

CUresult cuTexRefSetAddress2D_v2(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr dptr, size_t Pitch)
{
    return cuTexRefSetAddress2D_v3(hTexRef, desc, dptr, Pitch);
}

CUresult cuTexRefGetAddress(CUdeviceptr *pdptr, CUtexref hTexRef)
{
    return cuTexRefGetAddress_v2(pdptr, hTexRef);
}
