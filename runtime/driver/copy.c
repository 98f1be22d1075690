/*
 * Copies: boxes of bytes between host memory, device memory and arrays.
 *
 * Device addresses are addresses of this process, so all copies are the same loop over rows; what differs is where a
 * side's rows begin.  Ranges were checked when the copy was made; memory that was freed since is still mapped, so the
 * worst is stale bytes.
 */
#include "runtime/driver/copy.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/driver/array.h"
#include "runtime/driver/join.h"
#include "runtime/driver/memory.h"
#include "runtime/driver/stream.h"

enum { STAGED_MOST = 64 << 10 }; /* bytes of pageable memory that a copy takes along */

/* One side: rows of bytes at base + z * slice + y * pitch. */
struct side {
    uint8_t *base;
    uint64_t pitch, slice;
};

static struct side linear_side(uint64_t base, uint64_t pitch, uint64_t height, uint64_t x, uint64_t y, uint64_t z)
{
    return (struct side){(uint8_t *)(uintptr_t)(base + z * pitch * height + y * pitch + x), pitch, pitch * height};
}

static struct side array_side(CUarray array, uint64_t x, uint64_t y, uint64_t z)
{
    struct drv_array_layout l = {0};

    if (!drv_array_layout(array, &l)) {
        return (struct side){0};
    }
    return linear_side((uint64_t)(uintptr_t)l.base, l.row_bytes, l.height, x, y, z);
}

static struct side source_of(const CUDA_MEMCPY3D_PEER *c)
{
    if (c->srcMemoryType == CU_MEMORYTYPE_ARRAY) {
        return array_side(c->srcArray, c->srcXInBytes, c->srcY, c->srcZ);
    }
    return linear_side(c->srcMemoryType == CU_MEMORYTYPE_HOST ? (uint64_t)(uintptr_t)c->srcHost : c->srcDevice,
                       c->srcPitch, c->srcHeight, c->srcXInBytes, c->srcY, c->srcZ);
}

static struct side target_of(const CUDA_MEMCPY3D_PEER *c)
{
    if (c->dstMemoryType == CU_MEMORYTYPE_ARRAY) {
        return array_side(c->dstArray, c->dstXInBytes, c->dstY, c->dstZ);
    }
    return linear_side(c->dstMemoryType == CU_MEMORYTYPE_HOST ? (uint64_t)(uintptr_t)c->dstHost : c->dstDevice,
                       c->dstPitch, c->dstHeight, c->dstXInBytes, c->dstY, c->dstZ);
}

static CUresult copy_box(const CUDA_MEMCPY3D_PEER *c)
{
    const struct side from = source_of(c), to = target_of(c);

    if (from.base == NULL || to.base == NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    for (uint64_t z = 0; z < c->Depth; z++) {
        for (uint64_t y = 0; y < c->Height; y++) {
            memmove(to.base + z * to.slice + y * to.pitch, from.base + z * from.slice + y * from.pitch,
                    c->WidthInBytes);
        }
    }
    return CUDA_SUCCESS;
}

/* --- work ------------------------------------------------------------------------------------- */
static CUresult run_copy(struct drv_work *work, struct drv_context *context)
{
    (void)context;
    return copy_box(&((struct drv_copy_work *)work)->copy);
}

static void release_copy(struct drv_work *work)
{
    free(work);
}

static const struct drv_work_class copy_class = {.kind = DRV_WORK_COPY, .run = run_copy, .release = release_copy};
/* Taken along: short. */
static const struct drv_work_class staged_class = {
    .kind = DRV_WORK_COPY, .brief = true, .run = run_copy, .release = release_copy};

struct drv_work *drv_copy_work(const CUDA_MEMCPY3D_PEER *copy)
{
    struct drv_copy_work *w = malloc(sizeof *w);

    if (w == NULL) {
        return NULL;
    }
    *w = (struct drv_copy_work){.work = {&copy_class, 1},
                                .copy = *copy,
                                .one_dimensional = copy->Height <= 1 && copy->Depth <= 1 &&
                                                   copy->srcMemoryType != CU_MEMORYTYPE_ARRAY &&
                                                   copy->dstMemoryType != CU_MEMORYTYPE_ARRAY};
    return &w->work;
}

/* The rows of host memory that a copy reads, packed behind it. */
static struct drv_work *staged_work(const CUDA_MEMCPY3D_PEER *copy)
{
    const uint64_t rows = copy->Height * copy->Depth;
    struct drv_copy_work *w = malloc(sizeof *w + rows * copy->WidthInBytes);
    CUDA_MEMCPY3D_PEER fill = *copy;

    if (w == NULL) {
        return NULL;
    }
    *w = (struct drv_copy_work){.work = {&staged_class, 1}, .copy = *copy};
    w->copy.srcHost = w + 1;
    w->copy.srcXInBytes = w->copy.srcY = w->copy.srcZ = 0;
    w->copy.srcPitch = copy->WidthInBytes;
    w->copy.srcHeight = copy->Height;
    fill.dstMemoryType = CU_MEMORYTYPE_HOST;
    fill.dstHost = w + 1;
    fill.dstXInBytes = fill.dstY = fill.dstZ = 0;
    fill.dstPitch = copy->WidthInBytes;
    fill.dstHeight = copy->Height;
    copy_box(&fill);
    return &w->work;
}

/* --- checks ----------------------------------------------------------------------------------- */
/* Bytes from the first to the last that a side touches; false when that is beyond counting. */
static bool extent_of(uint64_t pitch, uint64_t height, uint64_t x, uint64_t y, uint64_t z, const CUDA_MEMCPY3D_PEER *c,
                      uint64_t *extent)
{
    uint64_t last_z, last_y, rows, bytes;

    if (__builtin_add_overflow(z, c->Depth - 1, &last_z) || __builtin_add_overflow(y, c->Height - 1, &last_y) ||
        __builtin_mul_overflow(last_z, height, &rows) || __builtin_add_overflow(rows, last_y, &rows) ||
        __builtin_mul_overflow(rows, pitch, &bytes) || __builtin_add_overflow(bytes, x, &bytes)) {
        return false;
    }
    return !__builtin_add_overflow(bytes, c->WidthInBytes, extent);
}

/* One side of linear memory: which kind it is, and whether it is all there. */
static CUresult check_linear(CUmemorytype *kind, const void **host, CUdeviceptr *device, size_t *pitch, size_t *height,
                             uint64_t x, uint64_t y, uint64_t z, const CUDA_MEMCPY3D_PEER *c)
{
    const bool flat = c->Height == 1 && c->Depth == 1;
    uint64_t extent;

    if (*kind == CU_MEMORYTYPE_UNIFIED) {
        *kind = drv_is_device_address(*device) ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
        *host = (const void *)(uintptr_t)*device;
    }
    const uint64_t base = *kind == CU_MEMORYTYPE_HOST ? (uint64_t)(uintptr_t)*host : *device;

    *pitch = *pitch == 0 && flat ? x + c->WidthInBytes : *pitch == 0 ? c->WidthInBytes + x : *pitch;
    *height = *height == 0 ? c->Height + y : *height;
    if ((!flat && *pitch < c->WidthInBytes + x) || (c->Depth > 1 && *height < c->Height + y) ||
        !extent_of(*pitch, *height, x, y, z, c, &extent) || base == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    /* Host memory is the program's own affair, unless it is called so and is not. */
    if (*kind == CU_MEMORYTYPE_HOST && !drv_is_device_address(base)) {
        return CUDA_SUCCESS;
    }
    return drv_memory_covers(base, extent) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult check_array(CUarray array, uint64_t x, uint64_t y, uint64_t z, const CUDA_MEMCPY3D_PEER *c)
{
    struct drv_array_layout l;

    if (!drv_array_layout(array, &l)) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    return x > l.row_bytes || c->WidthInBytes > l.row_bytes - x || y > l.height || c->Height > l.height - y ||
                   z > l.depth || c->Depth > l.depth - z
               ? CUDA_ERROR_INVALID_VALUE
               : CUDA_SUCCESS;
}

CUresult drv_copy_check(CUDA_MEMCPY3D_PEER *c)
{
    CUresult result;

    if ((unsigned)c->srcMemoryType < CU_MEMORYTYPE_HOST || (unsigned)c->srcMemoryType > CU_MEMORYTYPE_UNIFIED ||
        (unsigned)c->dstMemoryType < CU_MEMORYTYPE_HOST || (unsigned)c->dstMemoryType > CU_MEMORYTYPE_UNIFIED ||
        c->srcLOD != 0 || c->dstLOD != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (c->WidthInBytes == 0 || c->Height == 0 || c->Depth == 0) {
        return CUDA_SUCCESS;
    }
    result = c->srcMemoryType == CU_MEMORYTYPE_ARRAY
                 ? check_array(c->srcArray, c->srcXInBytes, c->srcY, c->srcZ, c)
                 : check_linear(&c->srcMemoryType, &c->srcHost, &c->srcDevice, &c->srcPitch, &c->srcHeight,
                                c->srcXInBytes, c->srcY, c->srcZ, c);
    if (result == CUDA_SUCCESS) {
        const void *host = c->dstHost;

        result = c->dstMemoryType == CU_MEMORYTYPE_ARRAY
                     ? check_array(c->dstArray, c->dstXInBytes, c->dstY, c->dstZ, c)
                     : check_linear(&c->dstMemoryType, &host, &c->dstDevice, &c->dstPitch, &c->dstHeight,
                                    c->dstXInBytes, c->dstY, c->dstZ, c);
        c->dstHost = (void *)(uintptr_t)host;
    }
    return result;
}

CUDA_MEMCPY3D_PEER drv_copy_linear(uint64_t to, uint64_t from, uint64_t bytes)
{
    return (CUDA_MEMCPY3D_PEER){.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                                .srcDevice = from,
                                .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                                .dstDevice = to,
                                .WidthInBytes = bytes,
                                .Height = 1,
                                .Depth = 1};
}

/* The two structs differ in that one names contexts, where the other has reserved fields. */
#define SHARED_FIELDS(c)                                                                              \
    {                                                                                                 \
        .srcXInBytes = (c)->srcXInBytes, .srcY = (c)->srcY, .srcZ = (c)->srcZ, .srcLOD = (c)->srcLOD, \
        .srcMemoryType = (c)->srcMemoryType, .srcHost = (c)->srcHost, .srcDevice = (c)->srcDevice,    \
        .srcArray = (c)->srcArray, .srcPitch = (c)->srcPitch, .srcHeight = (c)->srcHeight,            \
        .dstXInBytes = (c)->dstXInBytes, .dstY = (c)->dstY, .dstZ = (c)->dstZ, .dstLOD = (c)->dstLOD, \
        .dstMemoryType = (c)->dstMemoryType, .dstHost = (c)->dstHost, .dstDevice = (c)->dstDevice,    \
        .dstArray = (c)->dstArray, .dstPitch = (c)->dstPitch, .dstHeight = (c)->dstHeight,            \
        .WidthInBytes = (c)->WidthInBytes, .Height = (c)->Height, .Depth = (c)->Depth,                \
    }

CUDA_MEMCPY3D_PEER drv_copy_of_box(const CUDA_MEMCPY3D *copy)
{
    return (CUDA_MEMCPY3D_PEER)SHARED_FIELDS(copy);
}

CUDA_MEMCPY3D drv_copy_as_box(const CUDA_MEMCPY3D_PEER *copy)
{
    return (CUDA_MEMCPY3D)SHARED_FIELDS(copy);
}

/* --- submitting ------------------------------------------------------------------------------- */
static bool is_pageable(CUmemorytype kind, const void *host)
{
    struct drv_memory memory;

    return kind == CU_MEMORYTYPE_HOST && !drv_memory_find((uint64_t)(uintptr_t)host, &memory);
}

bool drv_copy_reads_pageable(const CUDA_MEMCPY3D_PEER *c)
{
    return is_pageable(c->srcMemoryType, c->srcHost);
}

bool drv_copy_writes_pageable(const CUDA_MEMCPY3D_PEER *c)
{
    return is_pageable(c->dstMemoryType, c->dstHost);
}

static bool is_nothing(const CUDA_MEMCPY3D_PEER *c)
{
    return c->WidthInBytes == 0 || c->Height == 0 || c->Depth == 0;
}

/* The context that has one side's memory, if that is another device's; else NULL. */
static struct drv_context *other_device(const struct drv_stream *stream, CUmemorytype kind, CUdeviceptr device,
                                        CUarray array)
{
    struct drv_context *context = NULL;
    struct drv_memory memory;

    if (kind == CU_MEMORYTYPE_DEVICE && drv_memory_find(device, &memory)) {
        context = memory.context;
    } else if (kind == CU_MEMORYTYPE_ARRAY && drv_array_of(array) != NULL) {
        context = drv_array_of(array)->context;
    }
    return context != NULL && context->device != stream->context->device ? context : NULL;
}

/* In the legacy stream, copies that concern another device come between all work of both.  False: this is none. */
static bool submit_between(struct drv_stream *stream, const CUDA_MEMCPY3D_PEER *c, bool waits, CUresult *result)
{
    if (stream->role != DRV_STREAM_LEGACY || stream->capture != NULL || drv_process()->device_count == 1) {
        return false;
    }
    struct drv_context *others[2] = {other_device(stream, c->srcMemoryType, c->srcDevice, c->srcArray),
                                     other_device(stream, c->dstMemoryType, c->dstDevice, c->dstArray)};

    if (others[0] == NULL && others[1] == NULL) {
        return false;
    }
    if (others[0] == others[1]) {
        others[1] = NULL;
    }
    *result = drv_submit_between(stream, drv_copy_work(c), others, waits);
    return true;
}

/*
 * Pageable memory is the program's again when the call is back (CUDA Runtime API, "API synchronization behavior"):
 * little of it is taken along, for the rest, and for what is written to, the call waits.
 */
CUresult drv_copy_async(struct drv_stream *stream, CUDA_MEMCPY3D_PEER *copy)
{
    CUresult result = drv_copy_check(copy);

    if (result != CUDA_SUCCESS || (is_nothing(copy) && stream->capture == NULL)) {
        return result;
    }
    if (submit_between(stream, copy, drv_copy_reads_pageable(copy) || drv_copy_writes_pageable(copy), &result)) {
        return result;
    }
    if (stream->capture == NULL && drv_copy_writes_pageable(copy)) {
        return drv_submit_and_wait(stream, drv_copy_work(copy));
    }
    if (stream->capture == NULL && drv_copy_reads_pageable(copy)) {
        return copy->WidthInBytes <= STAGED_MOST && copy->Height * copy->Depth <= STAGED_MOST / copy->WidthInBytes
                   ? drv_submit(stream, staged_work(copy))
                   : drv_submit_and_wait(stream, drv_copy_work(copy));
    }
    return drv_submit(stream, drv_copy_work(copy));
}

CUresult drv_copy_blocking(struct drv_stream *stream, CUDA_MEMCPY3D_PEER *copy)
{
    CUresult result = drv_copy_check(copy);

    if (result != CUDA_SUCCESS || is_nothing(copy) || submit_between(stream, copy, true, &result)) {
        return result;
    }
    return drv_submit_and_wait(stream, drv_copy_work(copy));
}
