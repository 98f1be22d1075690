/*
 * Descriptions become objects: is the description sound, where are the texels of each level, how is a texel read.
 */
#include "emu/texture_object.h"

#include <stdlib.h>
#include <string.h>

#include "emu/sem_tex.h"
#include "emu/sem_tex_srgb.h"

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
#define WORD_SRGB(raw, bits)  ((uint32_t)sem_tex_srgb[raw] << 16)

/* Readers of a kind with one, two and four channels; alpha is never sRGB. */
#define READER(name, bits, n, colour, alpha)                                 \
    static void name##_##bits##x##n(const uint8_t *texel, uint32_t words[4]) \
    {                                                                        \
        words[1] = words[2] = words[3] = 0;                                  \
        for (unsigned k = 0; k < (n); k++) {                                 \
            const uint32_t raw = raw_##bits(texel + k * ((bits) / 8));       \
            words[k] = k < 3 ? colour(raw, bits) : alpha(raw, bits);         \
        }                                                                    \
    }
#define READERS(name, bits, colour, alpha) \
    READER(name, bits, 1, colour, alpha)   \
    READER(name, bits, 2, colour, alpha)   \
    READER(name, bits, 4, colour, alpha)
READERS(uint, 8, WORD_UINT, WORD_UINT)
READERS(uint, 16, WORD_UINT, WORD_UINT)
READERS(uint, 32, WORD_UINT, WORD_UINT)
READERS(sint, 8, WORD_SINT, WORD_SINT)
READERS(sint, 16, WORD_SINT, WORD_SINT)
READERS(sint, 32, WORD_SINT, WORD_SINT)
READERS(float, 16, WORD_F16, WORD_F16)
READERS(float, 32, WORD_F32, WORD_F32)
READERS(unorm, 8, WORD_UNORM, WORD_UNORM)
READERS(unorm, 16, WORD_UNORM, WORD_UNORM)
READERS(snorm, 8, WORD_SNORM, WORD_SNORM)
READERS(snorm, 16, WORD_SNORM, WORD_SNORM)
READERS(srgb, 8, WORD_SRGB, WORD_UNORM)

/* --- how texels are added -------------------------------------------------------------------------------------------
 */
#define TERM_UNORM_8(raw)  ((int64_t)(raw)*257)
#define TERM_UNORM_16(raw) ((int64_t)(raw))
#define TERM_SNORM_8(raw)  ((int64_t)((int8_t)(raw) < -127 ? -127 : (int8_t)(raw)))
#define TERM_SNORM_16(raw) ((int64_t)((int16_t)(raw) < -32767 ? -32767 : (int16_t)(raw)))

#define SUM_INTEGERS(name, bits, term, sum)                                               \
    static uint32_t sum_##name##_##bits(const struct emu_corners *c, unsigned channel)    \
    {                                                                                     \
        int64_t all = 0;                                                                  \
                                                                                          \
        for (int i = 0; i < c->n; i++) {                                                  \
            all += term(raw_##bits(c->texel[i] + channel * ((bits) / 8))) * c->weight[i]; \
        }                                                                                 \
        return sem_bits_f32(sum(all));                                                    \
    }
SUM_INTEGERS(unorm, 8, TERM_UNORM_8, sem_tex_sum_unorm)
SUM_INTEGERS(unorm, 16, TERM_UNORM_16, sem_tex_sum_unorm)
SUM_INTEGERS(snorm, 8, TERM_SNORM_8, sem_tex_sum_snorm8)
SUM_INTEGERS(snorm, 16, TERM_SNORM_16, sem_tex_sum_snorm16)

#define SUM_FLOATS(name, bits, word, guard, mantissa, rounded_up)                      \
    static uint32_t sum_##name##_##bits(const struct emu_corners *c, unsigned channel) \
    {                                                                                  \
        const struct sem_tex_precision precision = {guard, mantissa, rounded_up};      \
        uint32_t texel[EMU_MOST_CORNERS];                                              \
                                                                                       \
        for (int i = 0; i < c->n; i++) {                                               \
            texel[i] = word(raw_##bits(c->texel[i] + channel * ((bits) / 8)), bits);   \
        }                                                                              \
        return sem_tex_sum_float(texel, c->weight, c->n, precision);                   \
    }
SUM_FLOATS(float, 32, WORD_F32, 27, 23, false)
SUM_FLOATS(float, 16, WORD_F16, 14, 10, false)
SUM_FLOATS(srgb, 8, WORD_SRGB, 7, 10, true)

#define ADDER(name, bits, n, alpha)                                                       \
    static void add_##name##_##bits##x##n(const struct emu_corners *c, uint32_t words[4]) \
    {                                                                                     \
        words[1] = words[2] = words[3] = 0;                                               \
        for (unsigned k = 0; k < (n); k++) {                                              \
            words[k] = k < 3 ? sum_##name##_##bits(c, k) : sum_##alpha##_##bits(c, k);    \
        }                                                                                 \
    }
#define ADDERS(name, bits, alpha) \
    ADDER(name, bits, 1, alpha)   \
    ADDER(name, bits, 2, alpha)   \
    ADDER(name, bits, 4, alpha)
ADDERS(float, 16, float)
ADDERS(float, 32, float)
ADDERS(unorm, 8, unorm)
ADDERS(unorm, 16, unorm)
ADDERS(snorm, 8, snorm)
ADDERS(snorm, 16, snorm)
ADDERS(srgb, 8, unorm)

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

#define NO_ADDERS        \
    {                    \
        NULL, NULL, NULL \
    }
#define COUNTED_ADDERS(name, bits)                                                \
    {                                                                             \
        add_##name##_##bits##x1, add_##name##_##bits##x2, add_##name##_##bits##x4 \
    }
static emu_texel_adder *const adders[KINDS][WIDTHS][COUNTS] = {
    [EMU_CHANNEL_FLOAT] = {NO_ADDERS, COUNTED_ADDERS(float, 16), COUNTED_ADDERS(float, 32)},
    [EMU_CHANNEL_UNORM] = {COUNTED_ADDERS(unorm, 8), COUNTED_ADDERS(unorm, 16), NO_ADDERS},
    [EMU_CHANNEL_SNORM] = {COUNTED_ADDERS(snorm, 8), COUNTED_ADDERS(snorm, 16), NO_ADDERS},
    [KIND_SRGB] = {COUNTED_ADDERS(srgb, 8), NO_ADDERS, NO_ADDERS},
};

static unsigned width_index(struct emu_format f)
{
    return f.bits == 8 ? 0 : f.bits == 16 ? 1 : 2;
}

static unsigned count_index(struct emu_format f)
{
    return f.channels == 4 ? 2 : f.channels - 1u;
}

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
    return kind < KINDS && count_index(f) < COUNTS ? readers[kind][width_index(f)][count_index(f)] : NULL;
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

/* A channel of the colour outside as a texel has it.  Of integers it is the bits of the number, clamped to what they
 * hold. */
static uint32_t border_channel(unsigned kind, unsigned bits, float colour)
{
    const uint32_t all = sem_bits_f32(colour);

    switch (kind) {
    case EMU_CHANNEL_UINT:
    case EMU_CHANNEL_SINT:
        return sem_tex_store(all, kind, bits);
    case EMU_CHANNEL_FLOAT:
        return sem_tex_store(all, kind, bits);
    case EMU_CHANNEL_SNORM:
        return sem_tex_store(all, EMU_CHANNEL_SNORM, bits);
    default:
        return sem_tex_store(all, EMU_CHANNEL_UNORM, bits);
    }
}

static void set_border(struct emu_object *o, unsigned kind)
{
    const unsigned part = o->format.bits / 8u;

    for (unsigned k = 0; k < o->format.channels; k++) {
        const uint32_t raw = border_channel(kind, o->format.bits, o->texture.border[k]);

        memcpy(o->border_texel + k * part, &raw, part);
    }
    o->read(o->border_texel, o->border);
}

struct emu_object *emu_object_texture(const struct emu_texture *texture)
{
    struct emu_object *o = calloc(1, sizeof *o);

    if (o == NULL) {
        return NULL;
    }
    o->kind = texture->resource == EMU_RESOURCE_NONE ? EMU_OBJECT_SAMPLER : EMU_OBJECT_TEXTURE;
    o->texture = *texture;
    if (o->kind == EMU_OBJECT_SAMPLER) {
        return o;
    }
    o->format = format_of(texture);
    const unsigned kind = read_kind(texture, o->format);

    o->read = reader(kind, o->format);
    o->add = adders[kind][width_index(o->format)][count_index(o->format)];
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

/* Layers, or cubes where there are several. */
static uint32_t layers(const struct emu_object *o)
{
    return o->cube ? (o->n_layers > 6 ? o->n_layers / 6 : 0) : o->n_layers;
}

/* Measured: arrays have a height even when they are lines; the depth of what has none is the number of layers. */
static uint32_t extent(const struct emu_object *o, enum emu_query what, uint32_t level)
{
    const bool has_array = o->texture.resource == EMU_RESOURCE_ARRAY;
    const struct emu_level *l = &o->levels[o->first_level + level];

    switch (what) {
    case EMU_QUERY_HEIGHT:
        return o->texture.resource == EMU_RESOURCE_LINEAR ? 0 : l->height;
    case EMU_QUERY_DEPTH:
        return !has_array || emu_array_shape(o->texture.array)->depth != 0 ? (has_array ? l->slices : 0) : layers(o);
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
        return layers(o);
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
