/*
 * Arrays: memory for textures and surfaces, opaque to programs.  Here it is rows of texels, one behind the other.
 */
#ifndef RUNTIME_DRIVER_ARRAY_H
#define RUNTIME_DRIVER_ARRAY_H

#include "runtime/driver/context.h"

/* Where the bytes of an array lie: row y of slice (or layer) z begins at base + (z * height + y) * row_bytes. */
struct drv_array_layout {
    uint8_t *base;
    uint64_t row_bytes, height, depth; /* height and depth are at least 1; depth counts layers and cube faces, too */
};

/* False when the handle is no array. */
bool drv_array_layout(CUarray array, struct drv_array_layout *layout);

#endif
