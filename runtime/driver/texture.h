/*
 * Textures and surfaces as the driver API describes them, in the engine's words.
 */
#ifndef RUNTIME_DRIVER_TEXTURE_H
#define RUNTIME_DRIVER_TEXTURE_H

#include "runtime/driver/array.h"

/* What is sampled, how, and which part of it; `view` may be NULL. */
CUresult drv_texture_describe(const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
                              const CUDA_RESOURCE_VIEW_DESC *view, struct emu_texture *out);
/* A context ends, and its texture and surface objects with it. */
void drv_textures_end(struct drv_context *context);
/* The array and level that a surface is of. */
CUresult drv_surface_describe(const CUDA_RESOURCE_DESC *resource, struct emu_array **array, uint32_t *level);

#endif
