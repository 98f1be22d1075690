/*
 * Textures and surfaces: what tex, tld4, txq, suld, sust, sured and suq work on.
 *
 *     struct emu_array            texels in host memory: one, or a pyramid of levels; counted, immutable in shape
 *     struct emu_texture          how a resource is sampled: a description that is copied when an object is made of it
 *     struct emu_bindings         handles and variables of kernels to such objects; one table per device
 *
 * A program makes arrays, fills them through emu_array_texels, makes objects of them (emu_texture_create,
 * emu_surface_create), passes the 64-bit handles to kernels and launches with emu_launch.bindings set.  A .texref,
 * .samplerref or .surfref variable of a module is bound by its address in device memory (emu_bindings_bind).
 *
 * Invariants: an object never changes; kernels look objects up without a lock; an object that is destroyed while
 * kernels run, and the array that it holds, live until the last of these launches has ended.  A handle is never handed
 * out twice, so a stale one is found.  Linear and pitched memory belongs to the device: every fetch checks that it is
 * still allocated.
 */
#ifndef EMU_TEXTURE_H
#define EMU_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- arrays ------------------------------------------------------------------------------------------------------- */
/* What the bits of a channel mean.  UNORM and SNORM always read as fractions, in [0, 1] and [-1, 1]. */
enum emu_channel_kind { EMU_CHANNEL_UINT, EMU_CHANNEL_SINT, EMU_CHANNEL_FLOAT, EMU_CHANNEL_UNORM, EMU_CHANNEL_SNORM };

struct emu_format {
    uint8_t kind;     /* enum emu_channel_kind */
    uint8_t bits;     /* of a channel: 8, 16 or 32 */
    uint8_t channels; /* 1, 2 or 4 */
};

static inline unsigned emu_texel_bytes(struct emu_format f)
{
    return f.bits / 8u * f.channels;
}

enum { EMU_MOST_LEVELS = 17 };

/* The shape of an array.  Sizes of dimensions that it does not have are 0, as in CUDA. */
struct emu_array_shape {
    struct emu_format format;
    uint32_t width, height, depth; /* of level 0; depth 0 where there are layers */
    uint32_t layers; /* 0: not layered; cubes have six for each cube, in the order +x, -x, +y, -y, +z, -z */
    bool cube;
    uint32_t levels; /* at least 1 */
};

struct emu_array;

bool emu_array_possible(const struct emu_array_shape *shape);
/* Texels are zero; one reference, the caller's.  NULL when the host's memory is exhausted or the shape is impossible.
 */
struct emu_array *emu_array_new(const struct emu_array_shape *shape);
struct emu_array *emu_array_retain(struct emu_array *array);
void emu_array_release(struct emu_array *array); /* NULL is allowed */
const struct emu_array_shape *emu_array_shape(const struct emu_array *array);

/*
 * The texels of a level: row by row, slice by slice (or layer by layer), without gaps.  The fields are sizes in texels;
 * those of dimensions that the array does not have are 1.  `slices`: the depth of the level, or the layers.
 */
struct emu_texels {
    uint8_t *bytes;
    uint32_t width, height, slices;
    size_t row_bytes, slice_bytes;
};
struct emu_texels emu_array_texels(const struct emu_array *array, uint32_t level);

/* --- textures ----------------------------------------------------------------------------------------------------- */
enum emu_resource {
    EMU_RESOURCE_NONE, /* a sampler alone: .samplerref */
    EMU_RESOURCE_ARRAY,
    EMU_RESOURCE_LINEAR, /* texels one behind the other in device memory */
    EMU_RESOURCE_PITCH,  /* rows of texels in device memory */
};
enum emu_address_mode { EMU_ADDRESS_WRAP, EMU_ADDRESS_CLAMP, EMU_ADDRESS_MIRROR, EMU_ADDRESS_BORDER };

struct emu_texture {
    /* What is sampled. */
    uint8_t resource;        /* enum emu_resource */
    struct emu_array *array; /* ARRAY: all its levels; creating an object retains it */
    uint64_t address;        /* LINEAR, PITCH: of the first texel, in device memory */
    uint64_t bytes;          /* LINEAR: whole texels count */
    uint64_t pitch;          /* PITCH: bytes from row to row */
    uint32_t width, height;  /* PITCH: in texels */
    struct emu_format
        format; /* LINEAR, PITCH; of an ARRAY's view: how texels of the same size are read; bits 0: as they are */
    /* A part of an array: the last level and layer count.  Without a view, all of them. */
    bool has_view;
    uint32_t first_level, last_level, first_layer, last_layer;
    /* How. */
    uint8_t address_mode[3]; /* enum emu_address_mode; WRAP and MIRROR are CLAMP unless coordinates are normalised */
    bool linear;             /* interpolate between texels; ignored where texels are read as integers */
    bool mip_linear;         /* interpolate between levels */
    bool normalized;         /* coordinates are 0 to 1 */
    bool as_float;           /* 8- and 16-bit integers are read as fractions */
    bool srgb;               /* 8-bit channels are sRGB; only with as_float */
    bool seamless;           /* cubes: interpolate across faces */
    float border[4];
    float level_bias, level_least, level_most;
};

/* --- handles ------------------------------------------------------------------------------------------------------ */
struct emu_bindings;

struct emu_bindings *emu_bindings_new(void);
void emu_bindings_free(struct emu_bindings *b); /* with all objects; no launch may be running; NULL is allowed */

enum emu_texture_status { EMU_TEXTURE_OK, EMU_TEXTURE_BAD, EMU_TEXTURE_NO_MEMORY };

/* Make an object; `*handle` is never 0.  BAD: the description contradicts itself (see emu_texture_flaw). */
enum emu_texture_status emu_texture_create(struct emu_bindings *b, const struct emu_texture *texture, uint64_t *handle);
/* The first thing that is wrong with a description, in words; NULL when it is sound. */
const char *emu_texture_flaw(const struct emu_texture *texture);
/* A surface: the texels of one level of an array, to be read and written. */
enum emu_texture_status emu_surface_create(struct emu_bindings *b, struct emu_array *array, uint32_t level,
                                           uint64_t *handle);
/* False when the handle is no live object's. */
bool emu_handle_destroy(struct emu_bindings *b, uint64_t handle);

/*
 * Let the variable at `address` (device memory) stand for the object `handle` from now on, 0: for nothing.  The object
 * may not be destroyed before; what it was bound to stays alive.  False: no such object, or no memory.
 */
bool emu_bindings_bind(struct emu_bindings *b, uint64_t address, uint64_t handle);

/* --- for the engine ----------------------------------------------------------------------------------------------- */
/* Between these two, objects that are looked up stay alive. */
void emu_bindings_enter(struct emu_bindings *b);
void emu_bindings_leave(struct emu_bindings *b);

#endif
