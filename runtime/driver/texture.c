/*
 * Textures and surfaces: descriptions translated.
 */
#include "runtime/driver/texture.h"

#include <string.h>

#include "runtime/driver/memory.h"

/* --- resources -------------------------------------------------------------------------------- */
static CUresult describe_array(const struct drv_array *a, struct emu_texture *t)
{
    const uint32_t layers = emu_array_shape(a->texels)->layers;

    t->resource = EMU_RESOURCE_ARRAY;
    t->array = a->texels;
    if (a->parent != NULL) { /* one level of several */
        t->has_view = true;
        t->first_level = t->last_level = a->level;
        t->last_layer = layers == 0 ? 0 : layers - 1;
    }
    return CUDA_SUCCESS;
}

static CUresult describe_memory(uint64_t address, uint64_t bytes)
{
    return drv_memory_covers(address, bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult describe_rows(const struct emu_texture *t)
{
    uint64_t bytes;

    return __builtin_mul_overflow(t->pitch, t->height - 1, &bytes) ||
                   __builtin_add_overflow(bytes, (uint64_t)t->width * emu_texel_bytes(t->format), &bytes)
               ? CUDA_ERROR_INVALID_VALUE
               : describe_memory(t->address, bytes);
}

static CUresult describe_resource(const CUDA_RESOURCE_DESC *r, struct emu_texture *t)
{
    switch (r->resType) {
    case CU_RESOURCE_TYPE_ARRAY: {
        const struct drv_array *a = drv_array_of(r->res.array.hArray);

        return a == NULL ? CUDA_ERROR_INVALID_HANDLE : describe_array(a, t);
    }
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: {
        const struct drv_mipmapped_array *m = drv_mipmapped_array_of(r->res.mipmap.hMipmappedArray);

        t->resource = EMU_RESOURCE_ARRAY;
        t->array = m == NULL ? NULL : m->texels;
        return m == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
    }
    case CU_RESOURCE_TYPE_LINEAR:
        t->resource = EMU_RESOURCE_LINEAR;
        t->address = r->res.linear.devPtr;
        t->bytes = r->res.linear.sizeInBytes;
        return drv_format(r->res.linear.format, r->res.linear.numChannels, &t->format)
                   ? describe_memory(t->address, t->bytes)
                   : CUDA_ERROR_INVALID_VALUE;
    case CU_RESOURCE_TYPE_PITCH2D:
        t->resource = EMU_RESOURCE_PITCH;
        t->address = r->res.pitch2D.devPtr;
        t->pitch = r->res.pitch2D.pitchInBytes;
        t->width = (uint32_t)r->res.pitch2D.width;
        t->height = (uint32_t)r->res.pitch2D.height;
        return t->width == r->res.pitch2D.width && t->height == r->res.pitch2D.height && t->height != 0 &&
                       drv_format(r->res.pitch2D.format, r->res.pitch2D.numChannels, &t->format)
                   ? describe_rows(t)
                   : CUDA_ERROR_INVALID_VALUE;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

/* --- views ------------------------------------------------------------------------------------ */
/* CU_RES_VIEW_FORMAT_*: kinds and widths in threes of 1, 2 and 4 channels. */
static bool view_format(CUresourceViewFormat format, struct emu_format *out)
{
    static const struct {
        uint8_t kind, bits;
    } kinds[] = {{EMU_CHANNEL_UINT, 8},  {EMU_CHANNEL_SINT, 8},  {EMU_CHANNEL_UINT, 16},  {EMU_CHANNEL_SINT, 16},
                 {EMU_CHANNEL_UINT, 32}, {EMU_CHANNEL_SINT, 32}, {EMU_CHANNEL_FLOAT, 16}, {EMU_CHANNEL_FLOAT, 32}};
    const unsigned at = (unsigned)format - CU_RES_VIEW_FORMAT_UINT_1X8;

    if (format == CU_RES_VIEW_FORMAT_NONE) {
        return true;
    }
    if (at >= 3 * sizeof kinds / sizeof *kinds) {
        return false;
    }
    *out = (struct emu_format){kinds[at / 3].kind, kinds[at / 3].bits, (uint8_t)(1u << at % 3)};
    return true;
}

static CUresult describe_view(const CUDA_RESOURCE_VIEW_DESC *v, struct emu_texture *t)
{
    if (t->resource != EMU_RESOURCE_ARRAY) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if ((unsigned)v->format >= CU_RES_VIEW_FORMAT_UNSIGNED_BC1 &&
        (unsigned)v->format <= CU_RES_VIEW_FORMAT_UNSIGNED_BC7) {
        return drv_unsupported("a view of compressed texels");
    }
    t->has_view = true;
    t->first_level = v->firstMipmapLevel;
    t->last_level = v->lastMipmapLevel;
    t->first_layer = v->firstLayer;
    t->last_layer = v->lastLayer;
    return view_format(v->format, &t->format) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* --- how it is sampled ------------------------------------------------------------------------ */
static CUresult describe_sampling(const CUDA_TEXTURE_DESC *d, struct emu_texture *t)
{
    enum {
        KNOWN = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP
    };

    if ((d->flags & ~(unsigned)KNOWN) != 0 || (unsigned)d->filterMode > CU_TR_FILTER_MODE_LINEAR ||
        (unsigned)d->mipmapFilterMode > CU_TR_FILTER_MODE_LINEAR) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (int i = 0; i < 3; i++) {
        if ((unsigned)d->addressMode[i] > CU_TR_ADDRESS_MODE_BORDER) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        t->address_mode[i] = (uint8_t)d->addressMode[i];
    }
    t->linear = d->filterMode == CU_TR_FILTER_MODE_LINEAR;
    t->mip_linear = d->mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR;
    t->normalized = (d->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    t->as_float = (d->flags & CU_TRSF_READ_AS_INTEGER) == 0;
    t->srgb = (d->flags & CU_TRSF_SRGB) != 0;
    t->seamless = (d->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
    memcpy(t->border, d->borderColor, sizeof t->border);
    t->level_bias = d->mipmapLevelBias;
    t->level_least = d->minMipmapLevelClamp;
    t->level_most = d->maxMipmapLevelClamp;
    return CUDA_SUCCESS;
}

CUresult drv_texture_describe(const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
                              const CUDA_RESOURCE_VIEW_DESC *view, struct emu_texture *out)
{
    CUresult result;

    *out = (struct emu_texture){0};
    if (resource->flags != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    result = describe_resource(resource, out);
    if (result == CUDA_SUCCESS) {
        result = describe_sampling(texture, out);
    }
    if (result == CUDA_SUCCESS && view != NULL) {
        result = describe_view(view, out);
    }
    return result == CUDA_SUCCESS && emu_texture_flaw(out) != NULL ? CUDA_ERROR_INVALID_VALUE : result;
}

CUresult drv_surface_describe(const CUDA_RESOURCE_DESC *resource, struct emu_array **array, uint32_t *level)
{
    const struct drv_array *a =
        resource->resType == CU_RESOURCE_TYPE_ARRAY ? drv_array_of(resource->res.array.hArray) : NULL;

    if (resource->resType != CU_RESOURCE_TYPE_ARRAY || resource->flags != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (a == NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    *array = a->texels;
    *level = a->level;
    return CUDA_SUCCESS;
}
