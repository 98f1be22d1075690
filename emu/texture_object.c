/*
 * Descriptions become objects: is the description sound, where are the texels of each level, how is a texel read.
 */
#include "emu/texture_object.h"

#include <stdlib.h>
#include <string.h>

#include "emu/sem_tex.h"

/* --- how texels are read ------------------------------------------------------------------------------------------ */
static uint32_t raw_8(const uint8_t *at)
{
    return *at;
}

static uint32_t raw_16(const uint8_t *at)
{
    uint16_t v;

    memcpy(&v, at, sizeof v);
    return v;
}

static uint32_t raw_32(const uint8_t *at)
{
    uint32_t v;

    memcpy(&v, at, sizeof v);
    return v;
}

#define WORD_UINT(raw, bits)  (raw)
#define WORD_SINT(raw, bits)  ((uint32_t)sem_tex_sign_extend(raw, bits))
#define WORD_F32(raw, bits)   (raw)
#define WORD_F16(raw, bits)   sem_bits_f32(sem_f16_to_f32((uint16_t)(raw)))
#define WORD_UNORM(raw, bits) sem_bits_f32(sem_tex_unorm(raw, bits))
#define WORD_SNORM(raw, bits) sem_bits_f32(sem_tex_snorm(sem_tex_sign_extend(raw, bits), bits))
#define WORD_SRGB(raw, bits)  sem_bits_f32(sem_tex_srgb(sem_tex_unorm(raw, bits)))

#define ONE_INTEGER 1u
#define ONE_FLOAT   0x3f800000u

/* Channels that a texel lacks are 0, the last one is 1. */
#define READER(name, bits, n, colour, alpha, one)                            \
    static void name##_##bits##x##n(const uint8_t *texel, uint32_t words[4]) \
    {                                                                        \
        words[1] = words[2] = 0;                                             \
        words[3] = (one);                                                    \
        for (unsigned k = 0; k < (n); k++) {                                 \
            const uint32_t raw = raw_##bits(texel + k * ((bits) / 8));       \
            words[k] = k < 3 ? colour(raw, bits) : alpha(raw, bits);         \
        }                                                                    \
    }
#define READERS(name, bits, colour, alpha, one) \
    READER(name, bits, 1, colour, alpha, one)   \
    READER(name, bits, 2, colour, alpha, one)   \
    READER(name, bits, 4, colour, alpha, one)
READERS(uint, 8, WORD_UINT, WORD_UINT, ONE_INTEGER)
READERS(uint, 16, WORD_UINT, WORD_UINT, ONE_INTEGER)
READERS(uint, 32, WORD_UINT, WORD_UINT, ONE_INTEGER)
READERS(sint, 8, WORD_SINT, WORD_SINT, ONE_INTEGER)
READERS(sint, 16, WORD_SINT, WORD_SINT, ONE_INTEGER)
READERS(sint, 32, WORD_SINT, WORD_SINT, ONE_INTEGER)
READERS(float, 16, WORD_F16, WORD_F16, ONE_FLOAT)
READERS(float, 32, WORD_F32, WORD_F32, ONE_FLOAT)
READERS(unorm, 8, WORD_UNORM, WORD_UNORM, ONE_FLOAT)
READERS(unorm, 16, WORD_UNORM, WORD_UNORM, ONE_FLOAT)
READERS(snorm, 8, WORD_SNORM, WORD_SNORM, ONE_FLOAT)
READERS(snorm, 16, WORD_SNORM, WORD_SNORM, ONE_FLOAT)
READERS(srgb, 8, WORD_SRGB, WORD_UNORM, ONE_FLOAT)

enum { WIDTHS = 3, COUNTS = 3, KINDS = EMU_CHANNEL_SNORM + 2, KIND_SRGB = EMU_CHANNEL_SNORM + 1 };

#define COUNTED(name, bits)                                     \
    {                                                           \
        name##_##bits##x1, name##_##bits##x2, name##_##bits##x4 \
    }
static emu_texel_reader *const readers[KINDS][WIDTHS][COUNTS] = {
    [EMU_CHANNEL_UINT] = {COUNTED(uint, 8), COUNTED(uint, 16), COUNTED(uint, 32)},
    [EMU_CHANNEL_SINT] = {COUNTED(sint, 8), COUNTED(sint, 16), COUNTED(sint, 32)},
    [EMU_CHANNEL_FLOAT] = {{NULL, NULL, NULL}, COUNTED(float, 16), COUNTED(float, 32)},
    [EMU_CHANNEL_UNORM] = {COUNTED(unorm, 8), COUNTED(unorm, 16), {NULL, NULL, NULL}},
    [EMU_CHANNEL_SNORM] = {COUNTED(snorm, 8), COUNTED(snorm, 16), {NULL, NULL, NULL}},
    [KIND_SRGB] = {COUNTED(srgb, 8), {NULL, NULL, NULL}, {NULL, NULL, NULL}},
};

/* The kind under which a texture reads its texels. */
static unsigned read_kind(const struct emu_texture *t, struct emu_format f)
{
    const bool fraction = t->as_float && f.bits <= 16;
    const unsigned kind = fraction && f.kind == EMU_CHANNEL_UINT   ? EMU_CHANNEL_UNORM
                          : fraction && f.kind == EMU_CHANNEL_SINT ? EMU_CHANNEL_SNORM
                                                                   : f.kind;

    return t->srgb && kind == EMU_CHANNEL_UNORM && f.bits == 8 ? (unsigned)KIND_SRGB : kind;
}

static emu_texel_reader *reader(unsigned kind, struct emu_format f)
{
    const unsigned width = f.bits == 8 ? 0 : f.bits == 16 ? 1 : 2, count = f.channels == 4 ? 2 : f.channels - 1u;

    return kind < KINDS && count < COUNTS ? readers[kind][width][count] : NULL;
}

static bool is_integer_kind(unsigned kind)
{
    return kind == EMU_CHANNEL_UINT || kind == EMU_CHANNEL_SINT;
}

/* --- descriptions ------------------------------------------------------------------------------------------------- */
static struct emu_format format_of(const struct emu_texture *t)
{
    return t->resource == EMU_RESOURCE_ARRAY && (!t->has_view || t->format.bits == 0)
               ? emu_array_shape(t->array)->format
               : t->format;
}

static const char *view_flaw(const struct emu_texture *t)
{
    const struct emu_array_shape *s = emu_array_shape(t->array);

    if (!t->has_view) {
        return NULL;
    }
    if (emu_texel_bytes(format_of(t)) != emu_texel_bytes(s->format)) {
        return "the view's texels have another size than the array's";
    }
    if (t->first_level > t->last_level || t->last_level >= s->levels) {
        return "the view has levels that the array lacks";
    }
    return t->first_layer > t->last_layer || t->last_layer >= (s->layers == 0 ? 1 : s->layers)
               ? "the view has layers that the array lacks"
               : NULL;
}

static const char *memory_flaw(const struct emu_texture *t)
{
    const unsigned texel = emu_texel_bytes(t->format);

    if (t->address == 0 || t->address % texel != 0) {
        return "the texels' address is not a multiple of their size";
    }
    if (t->resource == EMU_RESOURCE_LINEAR) {
        return t->bytes < texel || t->bytes / texel > UINT32_MAX ? "the memory is empty or too large" : NULL;
    }
    if (t->width == 0 || t->height == 0 || t->pitch % texel != 0) {
        return "there are no texels, or the pitch is not a multiple of their size";
    }
    return t->pitch < (uint64_t)t->width * texel || t->pitch > (uint64_t)1 << 40 ? "the pitch does not suit the rows"
                                                                                 : NULL;
}

const char *emu_texture_flaw(const struct emu_texture *t)
{
    if (t->resource > EMU_RESOURCE_PITCH || (t->resource == EMU_RESOURCE_ARRAY && t->array == NULL)) {
        return "there is nothing to sample";
    }
    for (int k = 0; k < 3; k++) {
        if (t->address_mode[k] > EMU_ADDRESS_BORDER) {
            return "there is no such address mode";
        }
    }
    if (t->resource == EMU_RESOURCE_NONE) {
        return NULL;
    }
    const struct emu_format f = format_of(t);

    if (reader(read_kind(t, f), f) == NULL) {
        return "there are no such texels";
    }
    return t->resource == EMU_RESOURCE_ARRAY ? view_flaw(t) : memory_flaw(t);
}

/* --- objects ------------------------------------------------------------------------------------------------------ */
static void set_array_levels(struct emu_object *o)
{
    const struct emu_array_shape *s = emu_array_shape(o->texture.array);
    const struct emu_texture *view = &o->texture;

    for (uint32_t level = 0; level < s->levels; level++) {
        const struct emu_texels t = emu_array_texels(o->texture.array, level);

        o->levels[level] = (struct emu_level){t.bytes, t.width, t.height, t.slices, t.row_bytes, t.slice_bytes};
    }
    o->first_level = view->has_view ? view->first_level : 0;
    o->n_levels = view->has_view ? view->last_level - view->first_level + 1 : s->levels;
    o->first_layer = view->has_view ? view->first_layer : 0;
    o->n_layers = s->layers != 0 && view->has_view ? view->last_layer - view->first_layer + 1 : s->layers;
    o->cube = s->cube;
}

static void set_memory_level(struct emu_object *o)
{
    const struct emu_texture *t = &o->texture;
    const unsigned texel = emu_texel_bytes(t->format);
    struct emu_level *l = &o->levels[0];

    *l = (struct emu_level){
        .bytes = (uint8_t *)(uintptr_t)t->address, .width = t->width, .height = t->height, .slices = 1};
    l->row_bytes = t->pitch;
    if (t->resource == EMU_RESOURCE_LINEAR) {
        l->width = (uint32_t)(t->bytes / texel);
        l->height = 1;
        l->row_bytes = (size_t)l->width * texel;
    }
    l->slice_bytes = l->row_bytes * l->height;
    o->span = l->row_bytes * (l->height - 1) + (uint64_t)l->width * texel;
    o->n_levels = 1;
}

static int32_t clamped(float value, float least, float most)
{
    return (int32_t)(value < least ? least : value > most ? most : value);
}

/* The colour outside, as the words that a texel of it would give. */
static void set_border(struct emu_object *o, unsigned kind)
{
    const unsigned bits = o->format.bits;

    for (unsigned k = 0; k < 4; k++) {
        const float c = o->texture.border[k];

        o->border[k] = sem_bits_f32(c);
        if (kind == EMU_CHANNEL_UINT) {
            o->border[k] = c > 0 ? (uint32_t)(c < 4294967040.0f ? c : 4294967040.0f) : 0;
        } else if (kind == EMU_CHANNEL_SINT) {
            o->border[k] = (uint32_t)clamped(c, -2147483648.0f, 2147483520.0f);
        } else if (kind != EMU_CHANNEL_FLOAT && bits <= 16) {
            const float least = kind == EMU_CHANNEL_SNORM ? -1 : 0;

            o->border[k] = sem_bits_f32(c < least ? least : c > 1 ? 1 : c);
        }
    }
}

struct emu_object *emu_object_texture(const struct emu_texture *texture)
{
    struct emu_object *o = calloc(1, sizeof *o);

    if (o == NULL) {
        return NULL;
    }
    o->kind = texture->resource == EMU_RESOURCE_NONE ? EMU_OBJECT_SAMPLER : EMU_OBJECT_TEXTURE;
    o->texture = *texture;
    o->linear = texture->linear;
    if (o->kind == EMU_OBJECT_SAMPLER) {
        return o;
    }
    o->format = format_of(texture);
    const unsigned kind = read_kind(texture, o->format);

    o->read = reader(kind, o->format);
    o->integers = is_integer_kind(kind);
    set_border(o, kind);
    if (texture->resource == EMU_RESOURCE_ARRAY) {
        emu_array_retain(texture->array);
        set_array_levels(o);
    } else {
        set_memory_level(o);
    }
    return o;
}

struct emu_object *emu_object_surface(struct emu_array *array, uint32_t level)
{
    struct emu_object *o = calloc(1, sizeof *o);

    if (o == NULL) {
        return NULL;
    }
    const struct emu_array_shape *s = emu_array_shape(array);
    const struct emu_texels t = emu_array_texels(array, level);

    o->kind = EMU_OBJECT_SURFACE;
    o->texture = (struct emu_texture){.resource = EMU_RESOURCE_ARRAY, .array = emu_array_retain(array)};
    o->format = s->format;
    o->levels[0] = (struct emu_level){t.bytes, t.width, t.height, t.slices, t.row_bytes, t.slice_bytes};
    o->n_levels = 1;
    o->n_layers = s->layers;
    o->cube = s->cube;
    return o;
}

void emu_object_free(struct emu_object *o)
{
    if (o->texture.resource == EMU_RESOURCE_ARRAY) {
        emu_array_release(o->texture.array);
    }
    free(o);
}

/* --- queries ------------------------------------------------------------------------------------------------------ */
/* Numbers of OpenCL, as PTX defines the answers: CL_SNORM_INT8 and so on. */
static uint32_t data_type(struct emu_format f)
{
    static const uint16_t by_kind[EMU_CHANNEL_SNORM + 1][WIDTHS] = {
        [EMU_CHANNEL_UINT] = {0x10da, 0x10db, 0x10dc}, [EMU_CHANNEL_SINT] = {0x10d7, 0x10d8, 0x10d9},
        [EMU_CHANNEL_FLOAT] = {0, 0x10dd, 0x10de},     [EMU_CHANNEL_UNORM] = {0x10d2, 0x10d3, 0},
        [EMU_CHANNEL_SNORM] = {0x10d0, 0x10d1, 0},
    };

    return by_kind[f.kind][f.bits == 8 ? 0 : f.bits == 16 ? 1 : 2];
}

/* CL_R, CL_RG, CL_RGBA. */
static uint32_t channel_order(struct emu_format f)
{
    return f.channels == 1 ? 0x10b0 : f.channels == 2 ? 0x10b2 : 0x10b5;
}

/* wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border: numbered as PTX lists them. */
static uint32_t address_number(uint8_t mode)
{
    static const uint8_t numbers[] = {
        [EMU_ADDRESS_WRAP] = 0, [EMU_ADDRESS_MIRROR] = 1, [EMU_ADDRESS_CLAMP] = 3, [EMU_ADDRESS_BORDER] = 4};

    return numbers[mode];
}

/* Sizes of dimensions that the resource does not have are 0. */
static uint32_t extent(const struct emu_object *o, enum emu_query what, uint32_t level)
{
    const bool has_array = o->texture.resource == EMU_RESOURCE_ARRAY;
    const struct emu_array_shape *s = has_array ? emu_array_shape(o->texture.array) : NULL;
    const struct emu_level *l = &o->levels[o->first_level + level];

    switch (what) {
    case EMU_QUERY_HEIGHT:
        return has_array ? (s->height == 0 ? 0 : l->height) : o->texture.resource == EMU_RESOURCE_PITCH ? l->height : 0;
    case EMU_QUERY_DEPTH:
        return has_array && s->depth != 0 ? l->slices : 0;
    default:
        return l->width;
    }
}

uint32_t emu_object_query(const struct emu_object *o, enum emu_query what, uint32_t level)
{
    const struct emu_texture *t = &o->texture;

    switch (what) {
    case EMU_QUERY_WIDTH:
    case EMU_QUERY_HEIGHT:
    case EMU_QUERY_DEPTH:
        return level < o->n_levels ? extent(o, what, level) : 0;
    case EMU_QUERY_DATA_TYPE:
        return data_type(o->format);
    case EMU_QUERY_ORDER:
        return channel_order(o->format);
    case EMU_QUERY_NORMALIZED:
        return t->normalized;
    case EMU_QUERY_LAYERS:
        return o->cube ? o->n_layers / 6 : o->n_layers;
    case EMU_QUERY_LEVELS:
        return o->n_levels;
    case EMU_QUERY_SAMPLES:
        return 1;
    case EMU_QUERY_FILTER:
        return t->linear;
    case EMU_QUERY_ADDRESS_0:
    case EMU_QUERY_ADDRESS_1:
    case EMU_QUERY_ADDRESS_2:
        return address_number(t->address_mode[what - EMU_QUERY_ADDRESS_0]);
    case EMU_QUERY_UNNORMALIZED:
        return !t->normalized;
    case EMU_QUERY_LAYOUT:
        return 0;
    }
    return 0;
}
