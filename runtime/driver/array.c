/*
 * Arrays: made from descriptors, with the limits of hardware.
 */
#include "runtime/driver/array.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/driver/capture.h"
#include "runtime/driver/handle.h"

struct drv_array *drv_array_of(CUarray handle)
{
    return drv_handle_get(handle, DRV_ARRAY);
}

struct drv_mipmapped_array *drv_mipmapped_array_of(CUmipmappedArray handle)
{
    return drv_handle_get(handle, DRV_MIPMAPPED_ARRAY);
}

bool drv_array_layout(CUarray array, struct drv_array_layout *layout)
{
    const struct drv_array *a = drv_array_of(array);

    if (a == NULL) {
        return false;
    }
    const struct emu_texels t = emu_array_texels(a->texels, a->level);

    *layout = (struct drv_array_layout){t.bytes, t.row_bytes, t.height, t.slices};
    return true;
}

/* --- formats ---------------------------------------------------------------------------------- */
bool drv_format(CUarray_format format, unsigned channels, struct emu_format *out)
{
    static const struct {
        CUarray_format format;
        uint8_t kind, bits, channels; /* channels 0: as given */
    } known[] = {
        {CU_AD_FORMAT_UNSIGNED_INT8, EMU_CHANNEL_UINT, 8, 0},   {CU_AD_FORMAT_UNSIGNED_INT16, EMU_CHANNEL_UINT, 16, 0},
        {CU_AD_FORMAT_UNSIGNED_INT32, EMU_CHANNEL_UINT, 32, 0}, {CU_AD_FORMAT_SIGNED_INT8, EMU_CHANNEL_SINT, 8, 0},
        {CU_AD_FORMAT_SIGNED_INT16, EMU_CHANNEL_SINT, 16, 0},   {CU_AD_FORMAT_SIGNED_INT32, EMU_CHANNEL_SINT, 32, 0},
        {CU_AD_FORMAT_HALF, EMU_CHANNEL_FLOAT, 16, 0},          {CU_AD_FORMAT_FLOAT, EMU_CHANNEL_FLOAT, 32, 0},
        {CU_AD_FORMAT_UNORM_INT8X1, EMU_CHANNEL_UNORM, 8, 1},   {CU_AD_FORMAT_UNORM_INT8X2, EMU_CHANNEL_UNORM, 8, 2},
        {CU_AD_FORMAT_UNORM_INT8X4, EMU_CHANNEL_UNORM, 8, 4},   {CU_AD_FORMAT_UNORM_INT16X1, EMU_CHANNEL_UNORM, 16, 1},
        {CU_AD_FORMAT_UNORM_INT16X2, EMU_CHANNEL_UNORM, 16, 2}, {CU_AD_FORMAT_UNORM_INT16X4, EMU_CHANNEL_UNORM, 16, 4},
        {CU_AD_FORMAT_SNORM_INT8X1, EMU_CHANNEL_SNORM, 8, 1},   {CU_AD_FORMAT_SNORM_INT8X2, EMU_CHANNEL_SNORM, 8, 2},
        {CU_AD_FORMAT_SNORM_INT8X4, EMU_CHANNEL_SNORM, 8, 4},   {CU_AD_FORMAT_SNORM_INT16X1, EMU_CHANNEL_SNORM, 16, 1},
        {CU_AD_FORMAT_SNORM_INT16X2, EMU_CHANNEL_SNORM, 16, 2}, {CU_AD_FORMAT_SNORM_INT16X4, EMU_CHANNEL_SNORM, 16, 4},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].format == format && (known[i].channels == 0 || known[i].channels == channels)) {
            *out = (struct emu_format){known[i].kind, known[i].bits, (uint8_t)channels};
            return channels == 1 || channels == 2 || channels == 4;
        }
    }
    return false;
}

/* Formats that exist, but not here: compressed textures and video. */
static bool is_foreign(CUarray_format format)
{
    return (unsigned)format >= CU_AD_FORMAT_UNORM_INT_101010_2 &&
           (unsigned)format <= CU_AD_FORMAT_YUV444_16bit_SemiPlanar;
}

/* --- shapes ----------------------------------------------------------------------------------- */
static int limit(const struct drv_context *c, CUdevice_attribute attribute)
{
    int value = 0;

    cuDeviceGetAttribute(&value, attribute, c->device->ordinal);
    return value;
}

#define MOST(name) limit(c, CU_DEVICE_ATTRIBUTE_MAXIMUM_##name)

static bool fits(const struct drv_context *c, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    const bool layered = (d->Flags & CUDA_ARRAY3D_LAYERED) != 0, cube = (d->Flags & CUDA_ARRAY3D_CUBEMAP) != 0;
    const size_t w = d->Width, h = d->Height, z = d->Depth;

    if (cube) {
        return w == h && w <= (size_t)MOST(TEXTURECUBEMAP_WIDTH) &&
               (layered ? z % 6 == 0 && z > 0 && z <= (size_t)MOST(TEXTURECUBEMAP_LAYERED_LAYERS) : z == 6);
    }
    if (layered) {
        return z > 0 &&
               (h == 0 ? w <= (size_t)MOST(TEXTURE1D_LAYERED_WIDTH) && z <= (size_t)MOST(TEXTURE1D_LAYERED_LAYERS)
                       : w <= (size_t)MOST(TEXTURE2D_LAYERED_WIDTH) && h <= (size_t)MOST(TEXTURE2D_LAYERED_HEIGHT) &&
                             z <= (size_t)MOST(TEXTURE2D_LAYERED_LAYERS));
    }
    if (z != 0) {
        return h != 0 && w <= (size_t)MOST(TEXTURE3D_WIDTH) && h <= (size_t)MOST(TEXTURE3D_HEIGHT) &&
               z <= (size_t)MOST(TEXTURE3D_DEPTH);
    }
    return h == 0 ? w <= (size_t)MOST(TEXTURE1D_WIDTH)
                  : w <= (size_t)MOST(TEXTURE2D_WIDTH) && h <= (size_t)MOST(TEXTURE2D_HEIGHT);
}

static CUresult shape_of(const struct drv_context *c, const CUDA_ARRAY3D_DESCRIPTOR *d, uint32_t levels,
                         struct emu_array_shape *shape)
{
    const bool many = (d->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;

    if (is_foreign(d->Format)) {
        return drv_unsupported("an array of compressed or video texels");
    }
    if ((d->Flags & (CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING)) != 0) {
        return drv_unsupported("a sparse array");
    }
    *shape = (struct emu_array_shape){.width = (uint32_t)d->Width,
                                      .height = (uint32_t)d->Height,
                                      .depth = many ? 0 : (uint32_t)d->Depth,
                                      .layers = many ? (uint32_t)d->Depth : 0,
                                      .cube = (d->Flags & CUDA_ARRAY3D_CUBEMAP) != 0,
                                      .levels = levels};
    return d->Width == 0 || !fits(c, d) || !drv_format(d->Format, d->NumChannels, &shape->format) ||
                   !emu_array_possible(shape)
               ? CUDA_ERROR_INVALID_VALUE
               : CUDA_SUCCESS;
}

/* --- arrays ----------------------------------------------------------------------------------- */
CUresult cuArray3DCreate_v2(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray)
{
    struct drv_context *context;
    struct emu_array_shape shape;
    CUresult result = drv_enter_unsafe(&context);

    if (result == CUDA_SUCCESS && (pHandle == NULL || pAllocateArray == NULL)) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        result = shape_of(context, pAllocateArray, 1, &shape);
    }
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct drv_array *a = calloc(1, sizeof *a);

    if (a != NULL) {
        a->texels = emu_array_new(&shape);
        a->context = context;
        a->descriptor = *pAllocateArray;
        a->handle = a->texels == NULL ? NULL : drv_handle_new(DRV_ARRAY, a);
    }
    if (a == NULL || a->handle == NULL) {
        if (a != NULL) {
            emu_array_release(a->texels);
        }
        free(a);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_lock(&drv_process()->lock);
    a->next = context->arrays;
    context->arrays = a;
    pthread_mutex_unlock(&drv_process()->lock);
    *pHandle = a->handle;
    return CUDA_SUCCESS;
}

CUresult cuArrayCreate_v2(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *pAllocateArray)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {0};

    if (pAllocateArray != NULL) {
        d.Width = pAllocateArray->Width;
        d.Height = pAllocateArray->Height;
        d.Format = pAllocateArray->Format;
        d.NumChannels = pAllocateArray->NumChannels;
    }
    return cuArray3DCreate_v2(pHandle, pAllocateArray == NULL ? NULL : &d);
}

static void array_free(struct drv_array *a)
{
    drv_handle_drop(a->handle);
    emu_array_release(a->texels);
    free(a);
}

static void leave_context(struct drv_array *a)
{
    pthread_mutex_lock(&drv_process()->lock);
    struct drv_array **link = &a->context->arrays;

    while (*link != a) {
        link = &(*link)->next;
    }
    *link = a->next;
    pthread_mutex_unlock(&drv_process()->lock);
}

/* Work that reads or writes the array may still be under way, in its own context or in the current one. */
static CUresult wait_for_users(struct drv_context *owner, struct drv_context *current)
{
    if (owner != current) {
        (void)drv_context_wait(owner); /* its error is not the caller's */
    }
    return drv_context_wait(current);
}

CUresult cuArrayDestroy(CUarray hArray)
{
    struct drv_context *context;
    struct drv_array *a = drv_array_of(hArray);
    CUresult result = drv_enter_unsafe(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (a == NULL) { /* as on H200 */
        return hArray == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_CONTEXT_IS_DESTROYED;
    }
    if (a->parent != NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    result = wait_for_users(a->context, context);
    leave_context(a);
    array_free(a);
    return result;
}

static CUresult described(CUarray handle, const void *out, struct drv_array **array)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    *array = drv_array_of(handle);
    return result != CUDA_SUCCESS ? result
           : out == NULL          ? CUDA_ERROR_INVALID_VALUE
           : *array == NULL       ? CUDA_ERROR_INVALID_HANDLE
                                  : CUDA_SUCCESS;
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray hArray)
{
    struct drv_array *a;
    const CUresult result = described(hArray, pArrayDescriptor, &a);

    if (result == CUDA_SUCCESS) {
        *pArrayDescriptor = a->descriptor;
    }
    return result;
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray hArray)
{
    struct drv_array *a;
    const CUresult result = described(hArray, pArrayDescriptor, &a);

    if (result == CUDA_SUCCESS) {
        const CUDA_ARRAY3D_DESCRIPTOR *d = &a->descriptor;

        *pArrayDescriptor = (CUDA_ARRAY_DESCRIPTOR){d->Width, d->Height, d->Format, d->NumChannels};
    }
    return result;
}

/* Formats of several planes are not supported: no array has any. */
CUresult cuArrayGetPlane(CUarray *pPlaneArray, CUarray hArray, unsigned int planeIdx)
{
    struct drv_array *a;
    const CUresult result = described(hArray, pPlaneArray, &a);

    (void)planeIdx;
    return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
}

/* --- mipmapped arrays ------------------------------------------------------------------------- */
static size_t halved(size_t size, unsigned times)
{
    return size == 0 ? 0 : size >> times == 0 ? 1 : size >> times;
}

static void describe_levels(struct drv_mipmapped_array *m)
{
    const bool many = (m->descriptor.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;

    for (uint32_t i = 0; i < m->n_levels; i++) {
        struct drv_array *a = &m->levels[i];

        *a = (struct drv_array){.texels = m->texels, .level = i, .context = m->context, .parent = m};
        a->descriptor = m->descriptor;
        a->descriptor.Width = halved(m->descriptor.Width, i);
        a->descriptor.Height = halved(m->descriptor.Height, i);
        a->descriptor.Depth = many ? m->descriptor.Depth : halved(m->descriptor.Depth, i);
    }
}

static void mipmapped_free(struct drv_mipmapped_array *m)
{
    if (m->handle != NULL) {
        drv_handle_drop(m->handle);
    }
    for (uint32_t i = 0; m->levels != NULL && i < m->n_levels; i++) {
        if (m->levels[i].handle != NULL) {
            drv_handle_drop(m->levels[i].handle);
        }
    }
    emu_array_release(m->texels);
    free(m->levels);
    free(m);
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
                                unsigned int numMipmapLevels)
{
    struct drv_context *context;
    struct emu_array_shape shape;
    CUresult result = drv_enter_unsafe(&context);
    unsigned most = 1;

    if (result == CUDA_SUCCESS && (pHandle == NULL || pMipmappedArrayDesc == NULL || numMipmapLevels == 0)) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result != CUDA_SUCCESS) {
        return result;
    }
    const CUDA_ARRAY3D_DESCRIPTOR *d = pMipmappedArrayDesc;
    const bool many = (d->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
    size_t largest = d->Width > d->Height ? d->Width : d->Height;

    largest = !many && d->Depth > largest ? d->Depth : largest;
    for (; largest >> most != 0 && most < EMU_MOST_LEVELS;) {
        most++;
    }
    numMipmapLevels = numMipmapLevels > most ? most : numMipmapLevels;
    result = shape_of(context, d, numMipmapLevels, &shape);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct drv_mipmapped_array *m = calloc(1, sizeof *m);

    if (m == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    m->descriptor = *d;
    m->context = context;
    m->n_levels = numMipmapLevels;
    m->texels = emu_array_new(&shape);
    m->levels = calloc(numMipmapLevels, sizeof *m->levels);
    m->handle = m->texels == NULL || m->levels == NULL ? NULL : drv_handle_new(DRV_MIPMAPPED_ARRAY, m);
    if (m->handle == NULL) {
        mipmapped_free(m);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    describe_levels(m);
    pthread_mutex_lock(&drv_process()->lock);
    m->next = context->mipmapped_arrays;
    context->mipmapped_arrays = m;
    pthread_mutex_unlock(&drv_process()->lock);
    *pHandle = m->handle;
    return CUDA_SUCCESS;
}

static void mipmapped_leave_context(struct drv_mipmapped_array *m)
{
    pthread_mutex_lock(&drv_process()->lock);
    struct drv_mipmapped_array **link = &m->context->mipmapped_arrays;

    while (*link != m) {
        link = &(*link)->next;
    }
    *link = m->next;
    pthread_mutex_unlock(&drv_process()->lock);
}

CUresult cuMipmappedArrayGetLevel(CUarray *pLevelArray, CUmipmappedArray hMipmappedArray, unsigned int level)
{
    struct drv_context *context;
    struct drv_mipmapped_array *m = drv_mipmapped_array_of(hMipmappedArray);
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (pLevelArray == NULL || m == NULL || level >= m->n_levels) {
        return m == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    }
    struct drv_array *a = &m->levels[level];

    if (a->handle == NULL) {
        a->handle = drv_handle_new(DRV_ARRAY, a);
    }
    *pLevelArray = a->handle;
    return a->handle == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray)
{
    struct drv_context *context;
    struct drv_mipmapped_array *m = drv_mipmapped_array_of(hMipmappedArray);
    CUresult result = drv_enter_unsafe(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (m == NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    result = wait_for_users(m->context, context);
    mipmapped_leave_context(m);
    mipmapped_free(m);
    return result;
}

/* Nobody knows the context any more. */
void drv_arrays_end(struct drv_context *context)
{
    while (context->arrays != NULL) {
        struct drv_array *a = context->arrays;

        context->arrays = a->next;
        array_free(a);
    }
    while (context->mipmapped_arrays != NULL) {
        struct drv_mipmapped_array *m = context->mipmapped_arrays;

        context->mipmapped_arrays = m->next;
        mipmapped_free(m);
    }
}

/* --- names of before 3.2 ---------------------------------------------------------------------- */
#undef cuArrayCreate
#undef cuArray3DCreate
#undef cuArrayGetDescriptor
#undef cuArray3DGetDescriptor

CUresult cuArrayCreate(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *pAllocateArray)
{
    return cuArrayCreate_v2(pHandle, pAllocateArray);
}

CUresult cuArray3DCreate(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray)
{
    return cuArray3DCreate_v2(pHandle, pAllocateArray);
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray hArray)
{
    return cuArrayGetDescriptor_v2(pArrayDescriptor, hArray);
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray hArray)
{
    return cuArray3DGetDescriptor_v2(pArrayDescriptor, hArray);
}
