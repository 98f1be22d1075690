/*
 * Arrays: memory for textures and surfaces, opaque to programs.  Here it is rows of texels, one behind the other
 * (emu/texture.h).
 */
#ifndef RUNTIME_DRIVER_ARRAY_H
#define RUNTIME_DRIVER_ARRAY_H

#include "emu/texture.h"
#include "runtime/driver/context.h"

/* An array, or one level of a mipmapped one. */
struct drv_array {
    struct drv_array *next; /* in the context; not of a level */
    CUarray handle;
    struct emu_array *texels; /* counted */
    uint32_t level;
    struct drv_context *context;
    CUDA_ARRAY3D_DESCRIPTOR descriptor; /* of this level */
    struct drv_mipmapped_array *parent; /* NULL: an array of its own */
};

struct drv_mipmapped_array {
    struct drv_mipmapped_array *next; /* in the context */
    CUmipmappedArray handle;
    struct emu_array *texels;
    struct drv_context *context;
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    uint32_t n_levels;
    struct drv_array *levels; /* with handles once they are asked for */
};

/* A context ends, and its arrays with it. */
void drv_arrays_end(struct drv_context *context);

/* NULL when the handle is none. */
struct drv_array *drv_array_of(CUarray handle);
struct drv_mipmapped_array *drv_mipmapped_array_of(CUmipmappedArray handle);

/* Where the bytes of an array lie: row y of slice (or layer) z begins at base + (z * height + y) * row_bytes. */
struct drv_array_layout {
    uint8_t *base;
    uint64_t row_bytes, height, depth; /* height and depth are at least 1; depth counts layers and cube faces, too */
};

/* False when the handle is no array. */
bool drv_array_layout(CUarray array, struct drv_array_layout *layout);

/* The engine's word for a format of texels; false for one that is not supported, or not one at all. */
bool drv_format(CUarray_format format, unsigned channels, struct emu_format *out);

#endif
