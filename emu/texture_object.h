/*
 * Objects that handles stand for, as kernels see them: descriptions worked out.  Private to emu/; texture.h makes them.
 */
#ifndef EMU_TEXTURE_OBJECT_H
#define EMU_TEXTURE_OBJECT_H

#include <stdatomic.h>

#include "emu/simd.h"
#include "emu/texture.h"
#include "memsys/memory.h"

enum emu_object_kind { EMU_OBJECT_TEXTURE, EMU_OBJECT_SAMPLER, EMU_OBJECT_SURFACE };

/* The texels of a level, where kernels find them.  Sizes that do not exist are 1; layers are slices. */
struct emu_level {
    uint8_t *bytes; /* device memory for LINEAR and PITCH */
    uint32_t width, height, slices;
    size_t row_bytes, slice_bytes;
};

/* Texel to four words: the bits of an f32, or an integer of 32 bits; 0 for channels that it lacks. */
typedef void emu_texel_reader(const uint8_t *texel, uint32_t words[4]);

/* The texels around a place, and what they weigh; those of weight 0 are left out. */
enum { EMU_MOST_CORNERS = 16 };
struct emu_corners {
    int n;
    const uint8_t *texel[EMU_MOST_CORNERS]; /* the border colour is one, too */
    int32_t weight[EMU_MOST_CORNERS];
};
typedef void emu_texel_adder(const struct emu_corners *corners, uint32_t words[4]);

struct emu_object {
    uint8_t kind; /* enum emu_object_kind */
    struct emu_texture texture;
    struct emu_format format;
    emu_texel_reader *read;
    emu_texel_adder *add;     /* NULL: texels are integers, there is nothing to interpolate */
    uint32_t border[4];       /* the colour outside, as words */
    uint8_t border_texel[16]; /* and as a texel */
    uint32_t first_level, n_levels, first_layer, n_layers; /* of the view; layers 0: not layered */
    bool cube;
    struct emu_level levels[EMU_MOST_LEVELS]; /* all of the array's, or [0]; a surface has [0] */
    uint64_t span;                            /* LINEAR, PITCH: bytes that must be allocated */
    _Atomic uint32_t uses;                    /* slots and variables that name it */
    uint64_t handle;
    struct emu_object *next; /* destroyed and waiting for launches to end */
};

/* NULL when memory is exhausted; the description must be sound. */
struct emu_object *emu_object_texture(const struct emu_texture *texture);
struct emu_object *emu_object_surface(struct emu_array *array, uint32_t level);
void emu_object_free(struct emu_object *o);

/* The object of a handle, or the one that the variable at that address is bound to; NULL: none.  Takes no lock. */
const struct emu_object *emu_bindings_find(const struct emu_bindings *b, uint64_t handle);

/* --- sampling (texture_sample.c) ---------------------------------------------------------------------------------- */
enum emu_geometry { EMU_1D, EMU_2D, EMU_3D, EMU_A1D, EMU_A2D, EMU_CUBE, EMU_ACUBE };

struct emu_sample {
    float x[3];     /* coordinates */
    int32_t i[3];   /* the same of fetches by integer */
    uint32_t layer; /* of arrays */
    float level;    /* LEVEL */
    float dx[3], dy[3];
    int32_t offset[3]; /* in texels */
};

/* How coordinates along an axis of a level are taken. */
struct emu_axis_way {
    uint8_t mode; /* enum emu_address_mode */
    bool normalized;
    int32_t size;
};

/* What all lanes that sample one level of a texture have in common. */
struct emu_sampling {
    const struct emu_object *texture, *sampler;
    const struct emu_level *level;
    enum emu_geometry geometry;
    unsigned axes; /* of a slice, or of the level where it has depth; lines have two, the second coordinate is 0 */
    bool line, layered, cube, linear, seamless;
    struct emu_axis_way way[3];
};
/* `sampler` is the texture itself where there is no other. */
struct emu_sampling emu_sampling_of(const struct emu_object *texture, const struct emu_object *sampler,
                                    enum emu_geometry geometry);

/* One lane's results: four words.  At a level, which the sampler may move; or at the first one as it is. */
void emu_sample_base(const struct emu_sampling *s, const struct emu_sample *at, uint32_t words[4]);
void emu_sample_level(const struct emu_sampling *s, const struct emu_sample *at, uint32_t words[4]);
void emu_sample_gradient(const struct emu_sampling *s, const struct emu_sample *at, uint32_t words[4]);
void emu_sample_fetch(const struct emu_sampling *s, uint32_t level, const struct emu_sample *at, uint32_t words[4]);
/* The four texels that interpolation would take, channel `component` of each. */
void emu_sample_gather(const struct emu_sampling *s, unsigned component, const struct emu_sample *at,
                       uint32_t words[4]);

/* The same for all lanes at once, at the first level, where nothing depends on more than coordinates; false, and
 * nothing done, else. */
struct emu_lanes_at {
    const float *x[3];
    const uint32_t *layer;
};
bool emu_sample_lanes(const struct emu_sampling *s, const struct emu_lanes_at *at, lane_mask active,
                      uint32_t words[4][WARP_LANES]);

/* What txq and suq answer. */
enum emu_query {
    EMU_QUERY_WIDTH,
    EMU_QUERY_HEIGHT,
    EMU_QUERY_DEPTH,
    EMU_QUERY_DATA_TYPE,
    EMU_QUERY_ORDER,
    EMU_QUERY_NORMALIZED,
    EMU_QUERY_LAYERS,
    EMU_QUERY_LEVELS,
    EMU_QUERY_SAMPLES,
    EMU_QUERY_FILTER,
    EMU_QUERY_ADDRESS_0,
    EMU_QUERY_ADDRESS_1,
    EMU_QUERY_ADDRESS_2,
    EMU_QUERY_UNNORMALIZED,
    EMU_QUERY_LAYOUT,
};
uint32_t emu_object_query(const struct emu_object *o, enum emu_query what, uint32_t level);

#endif
