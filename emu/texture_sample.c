/*
 * Sampling: from coordinates to the words of one lane.  A coordinate becomes, for each axis, one texel or two and the
 * weight of the second; address modes say which texels those are that lie outside.  Invariant: whatever the
 * coordinates, a texel that is read lies inside its level.
 */
#include <string.h>

#include "emu/sem_tex.h"
#include "emu/texture_object.h"

/* --- axes --------------------------------------------------------------------------------------------------------- */
enum { OUTSIDE = -1 };

/* The texels at a coordinate along one axis; OUTSIDE is the border colour. */
struct axis {
    int32_t low, high;
    int32_t fraction; /* weight of `high`, of TEX_ONE */
};

/* How coordinates along an axis are taken. */
struct way {
    uint8_t mode; /* enum emu_address_mode */
    bool normalized;
    uint32_t size;
    int32_t offset; /* texels */
};

static struct way way_of(const struct emu_object *sampler, unsigned axis, uint32_t size, int32_t offset)
{
    const struct emu_texture *t = &sampler->texture;
    const uint8_t mode = t->address_mode[axis];
    const bool repeats = mode == EMU_ADDRESS_WRAP || mode == EMU_ADDRESS_MIRROR;

    return (struct way){repeats && !t->normalized ? EMU_ADDRESS_CLAMP : mode, t->normalized, size, offset};
}

/* The coordinate in texels. */
static float in_texels(const struct way *w, float x)
{
    if (!w->normalized) {
        return x;
    }
    if (w->mode == EMU_ADDRESS_WRAP) {
        x = sem_tex_wrap(x);
    } else if (w->mode == EMU_ADDRESS_MIRROR) {
        x = sem_tex_mirror(x);
    }
    return x * (float)w->size;
}

/* The remainder that is not negative. */
static int32_t modulo(int32_t i, int32_t n)
{
    const int32_t r = i % n;

    return r < 0 ? r + n : r;
}

static int32_t clamped(int32_t i, uint32_t size)
{
    return i < 0 ? 0 : i >= (int32_t)size ? (int32_t)size - 1 : i;
}

/* The texel that stands for number i. */
static int32_t inside(const struct way *w, int32_t i)
{
    const int32_t size = (int32_t)w->size;

    if (i >= 0 && i < size) {
        return i;
    }
    switch (w->mode) {
    case EMU_ADDRESS_WRAP:
        return modulo(i, size);
    case EMU_ADDRESS_MIRROR: {
        const int32_t m = modulo(i, 2 * size);

        return m < size ? m : 2 * size - 1 - m;
    }
    case EMU_ADDRESS_CLAMP:
        return clamped(i, w->size);
    default:
        return OUTSIDE;
    }
}

static struct axis nearest(const struct way *w, float x)
{
    const int32_t i = inside(w, sem_tex_nearest(in_texels(w, x)) + w->offset);

    return (struct axis){i, i, 0};
}

static int32_t between_texels(const struct way *w, float x)
{
    return sem_tex_fixed(in_texels(w, x)) - TEX_ONE / 2;
}

static struct axis pair(const struct way *w, float x)
{
    const int32_t at = between_texels(w, x), i = (at >> TEX_FRACTION_BITS) + w->offset;

    return (struct axis){inside(w, i), inside(w, i + 1), at & (TEX_ONE - 1)};
}

static const struct axis only = {0, 0, 0};

/* --- texels ------------------------------------------------------------------------------------------------------- */
struct footprint {
    const struct emu_object *o;
    const struct emu_level *level;
    struct axis x, y, z;
};

static void read_texel(const struct emu_object *o, const struct emu_level *l, int32_t x, int32_t y, int32_t z,
                       uint32_t words[4])
{
    if ((x | y | z) < 0) {
        memcpy(words, o->border, sizeof o->border);
        return;
    }
    o->read(l->bytes + (size_t)z * l->slice_bytes + (size_t)y * l->row_bytes + (size_t)x * emu_texel_bytes(o->format),
            words);
}

static void blend(uint32_t words[4], const uint32_t more[4], int32_t fraction)
{
    for (int k = 0; k < 4; k++) {
        words[k] = sem_bits_f32(sem_tex_blend(sem_as_f32(words[k]), sem_as_f32(more[k]), fraction));
    }
}

static void row(const struct footprint *f, int32_t y, int32_t z, uint32_t words[4])
{
    uint32_t more[4];

    read_texel(f->o, f->level, f->x.low, y, z, words);
    if (f->x.fraction != 0) {
        read_texel(f->o, f->level, f->x.high, y, z, more);
        blend(words, more, f->x.fraction);
    }
}

static void slice(const struct footprint *f, int32_t z, uint32_t words[4])
{
    uint32_t more[4];

    row(f, f->y.low, z, words);
    if (f->y.fraction != 0) {
        row(f, f->y.high, z, more);
        blend(words, more, f->y.fraction);
    }
}

static void whole(const struct footprint *f, uint32_t words[4])
{
    uint32_t more[4];

    slice(f, f->z.low, words);
    if (f->z.fraction != 0) {
        slice(f, f->z.high, more);
        blend(words, more, f->z.fraction);
    }
}

/* --- layers and faces --------------------------------------------------------------------------------------------- */
static bool has_layers(enum emu_geometry g)
{
    return g == EMU_A1D || g == EMU_A2D || g == EMU_ACUBE;
}

static bool is_cube(enum emu_geometry g)
{
    return g == EMU_CUBE || g == EMU_ACUBE;
}

/* The slice of a layer (of the first face of a cube); numbers beyond the last are the last. */
static uint32_t slice_of(const struct emu_object *o, enum emu_geometry g, uint32_t layer)
{
    const uint32_t each = is_cube(g) ? 6 : 1, n = o->n_layers / each;

    if (!has_layers(g) || n == 0) {
        return o->first_layer;
    }
    return o->first_layer + (layer < n ? layer : n - 1) * each;
}

/* Slices that a view of the wrong kind lacks are the last one. */
static int32_t existing(const struct emu_level *l, uint32_t slice)
{
    return (int32_t)(slice < l->slices ? slice : l->slices - 1);
}

/* Texel (i, j) of a cube's face; one outside is on the face beyond the edge.  False at a corner, where there is none.
 */
static bool across(const struct emu_object *o, const struct emu_level *l, uint32_t first, unsigned face, int32_t i,
                   int32_t j, uint32_t words[4])
{
    const int32_t n = (int32_t)l->width;
    const bool out_i = i < 0 || i >= n, out_j = j < 0 || j >= n;

    if (out_i && out_j) {
        return false;
    }
    if (out_i || out_j) {
        const int32_t stm[3] = {2 * i + 1 - n, 2 * j + 1 - n, n};
        int32_t v[3], there[3];

        sem_tex_from_face(face, stm, v);
        face = sem_tex_face((float)v[0], (float)v[1], (float)v[2]);
        sem_tex_to_face_int32_t(face, v, there);
        i = (there[0] * n + n * (n + 1)) / (2 * (n + 1));
        j = (there[1] * n + n * (n + 1)) / (2 * (n + 1));
    }
    read_texel(o, l, clamped(i, l->width), clamped(j, l->height), existing(l, first + face), words);
    return true;
}

static void add_third(uint32_t sum[4], const uint32_t words[4])
{
    for (int k = 0; k < 4; k++) {
        sum[k] = sem_bits_f32(sem_as_f32(sum[k]) + sem_as_f32(words[k]) / 3);
    }
}

/* The four texels around a place on a face; where three faces meet, the fourth is the mean of the others. */
static void around(const struct emu_object *o, const struct emu_level *l, uint32_t first, unsigned face,
                   const int32_t at[2], uint32_t quad[4][4])
{
    int missing = -1;

    for (int k = 0; k < 4; k++) {
        if (!across(o, l, first, face, at[0] + (k & 1), at[1] + (k >> 1), quad[k])) {
            missing = k;
        }
    }
    if (missing >= 0) {
        memset(quad[missing], 0, sizeof quad[missing]);
        for (int k = 0; k < 4; k++) {
            if (k != missing) {
                add_third(quad[missing], quad[k]);
            }
        }
    }
}

static void seamless(const struct emu_object *o, const struct emu_level *l, uint32_t first, unsigned face,
                     const float st[2], uint32_t words[4])
{
    const struct way w = {EMU_ADDRESS_CLAMP, true, l->width, 0};
    const int32_t x = between_texels(&w, st[0]), y = between_texels(&w, st[1]);
    const int32_t at[2] = {x >> TEX_FRACTION_BITS, y >> TEX_FRACTION_BITS};
    uint32_t quad[4][4];

    around(o, l, first, face, at, quad);
    blend(quad[0], quad[1], x & (TEX_ONE - 1));
    blend(quad[2], quad[3], x & (TEX_ONE - 1));
    blend(quad[0], quad[2], y & (TEX_ONE - 1));
    memcpy(words, quad[0], sizeof quad[0]);
}

/* --- one level ---------------------------------------------------------------------------------------------------- */
/* Where a fetch falls: coordinates of a plain or cubic level, and the slice for those that have two axes. */
struct spot {
    float x[3];
    unsigned axes;
    unsigned face;
    uint32_t first; /* slice of the first face */
    int32_t slice;
};

static struct spot spot_of(const struct emu_object *o, enum emu_geometry g, const struct emu_level *l,
                           const struct emu_sample *at)
{
    static const uint8_t axes[] = {
        [EMU_1D] = 1, [EMU_2D] = 2, [EMU_3D] = 3, [EMU_A1D] = 1, [EMU_A2D] = 2, [EMU_CUBE] = 2, [EMU_ACUBE] = 2};
    struct spot s = {.x = {at->x[0], at->x[1], at->x[2]}, .axes = axes[g], .first = slice_of(o, g, at->layer)};

    if (is_cube(g)) {
        float stm[3];

        s.face = sem_tex_face(at->x[0], at->x[1], at->x[2]);
        sem_tex_to_face_float(s.face, at->x, stm);
        s.x[0] = sem_tex_on_face(stm[0], stm[2]);
        s.x[1] = sem_tex_on_face(stm[1], stm[2]);
    }
    s.slice = existing(l, s.first + s.face);
    return s;
}

static bool interpolates(const struct emu_object *o, const struct emu_object *sampler)
{
    return sampler->linear && !o->integers;
}

static void sample(const struct emu_object *o, const struct emu_object *sampler, enum emu_geometry g, uint32_t level,
                   const struct emu_sample *at, uint32_t words[4])
{
    const struct emu_level *l = &o->levels[o->first_level + level];
    const struct spot s = spot_of(o, g, l, at);
    const uint32_t sizes[3] = {l->width, l->height, l->slices};
    struct footprint f = {.o = o, .level = l, .x = only, .y = only, .z = {s.slice, s.slice, 0}};
    struct axis *axes[3] = {&f.x, &f.y, &f.z};
    const bool linear = interpolates(o, sampler);

    if (linear && is_cube(g) && sampler->texture.seamless) {
        seamless(o, l, s.first, s.face, s.x, words);
        return;
    }
    for (unsigned k = 0; k < s.axes; k++) {
        const struct way w = way_of(sampler, k, sizes[k], at->offset[k]);

        *axes[k] = linear ? pair(&w, s.x[k]) : nearest(&w, s.x[k]);
    }
    if (linear) {
        whole(&f, words);
    } else {
        read_texel(o, l, f.x.low, f.y.low, f.z.low, words);
    }
}

/* --- levels ------------------------------------------------------------------------------------------------------- */
static void sample_at(const struct emu_object *o, const struct emu_object *sampler, enum emu_geometry g, float level,
                      const struct emu_sample *at, uint32_t words[4])
{
    const struct emu_texture *t = &sampler->texture;
    const int32_t last = (int32_t)o->n_levels - 1;
    float l = level + t->level_bias;

    l = l < t->level_least ? t->level_least : l > t->level_most ? t->level_most : l;
    if (!t->mip_linear) {
        sample(o, sampler, g, (uint32_t)clamped(sem_tex_nearest(l + 0.5f), o->n_levels), at, words);
        return;
    }
    const int32_t fixed = sem_tex_fixed(l), low = fixed >> TEX_FRACTION_BITS, fraction = fixed & (TEX_ONE - 1);
    uint32_t more[4];

    if (low < 0 || low >= last || fraction == 0 || o->integers) {
        sample(o, sampler, g, (uint32_t)clamped(low, o->n_levels), at, words);
        return;
    }
    sample(o, sampler, g, (uint32_t)low, at, words);
    sample(o, sampler, g, (uint32_t)low + 1, at, more);
    blend(words, more, fraction);
}

void emu_sample_level(const struct emu_object *texture, const struct emu_object *sampler, enum emu_geometry geometry,
                      const struct emu_sample *at, uint32_t words[4])
{
    if (texture->n_levels == 1) {
        sample(texture, sampler, geometry, 0, at, words);
    } else {
        sample_at(texture, sampler, geometry, at->level, at, words);
    }
}

/* How far the sample moves along each axis of the face that it is on, when the direction moves by d. */
static void on_face(const struct emu_sample *at, const float d[3], float moved[2])
{
    const unsigned face = sem_tex_face(at->x[0], at->x[1], at->x[2]);
    float stm[3], step[3];

    sem_tex_to_face_float(face, at->x, stm);
    sem_tex_to_face_float(face, d, step);
    for (int k = 0; k < 2; k++) {
        moved[k] = 0.5f * (step[k] * stm[2] - stm[k] * step[2]) / (stm[2] * stm[2]);
    }
}

static float squared_distance(const struct emu_object *o, enum emu_geometry g, const struct emu_sample *at,
                              const float d[3])
{
    const struct emu_level *l = &o->levels[o->first_level];
    const float sizes[3] = {(float)l->width, (float)l->height, (float)l->slices};
    const unsigned axes = g == EMU_3D ? 3 : g == EMU_1D || g == EMU_A1D ? 1 : 2;
    float moved[3] = {d[0], d[1], d[2]}, sum = 0;

    if (is_cube(g)) {
        on_face(at, d, moved);
    }
    for (unsigned k = 0; k < axes; k++) {
        sum += moved[k] * sizes[k] * (moved[k] * sizes[k]);
    }
    return sum;
}

void emu_sample_gradient(const struct emu_object *texture, const struct emu_object *sampler, enum emu_geometry geometry,
                         const struct emu_sample *at, uint32_t words[4])
{
    const float x = squared_distance(texture, geometry, at, at->dx),
                y = squared_distance(texture, geometry, at, at->dy);

    if (texture->n_levels == 1) {
        sample(texture, sampler, geometry, 0, at, words);
    } else {
        sample_at(texture, sampler, geometry, sem_tex_level(x > y ? x : y), at, words);
    }
}

/* --- fetches by integer and gathers ------------------------------------------------------------------------------- */
void emu_sample_fetch(const struct emu_object *texture, enum emu_geometry geometry, uint32_t level,
                      const struct emu_sample *at, uint32_t words[4])
{
    static const uint8_t axes[] = {
        [EMU_1D] = 1, [EMU_2D] = 2, [EMU_3D] = 3, [EMU_A1D] = 1, [EMU_A2D] = 2, [EMU_CUBE] = 2, [EMU_ACUBE] = 2};
    const struct emu_level *l = &texture->levels[texture->first_level + (level < texture->n_levels ? level : 0)];
    const uint32_t sizes[3] = {l->width, l->height, l->slices};
    int32_t i[3] = {0, 0, existing(l, slice_of(texture, geometry, at->layer))};
    bool is_inside = level < texture->n_levels;

    for (unsigned k = 0; k < axes[geometry]; k++) {
        i[k] = (int32_t)((uint32_t)at->i[k] + (uint32_t)at->offset[k]);
        is_inside = is_inside && i[k] >= 0 && (uint32_t)i[k] < sizes[k];
    }
    if (is_inside) {
        read_texel(texture, l, i[0], i[1], i[2], words);
    } else {
        memset(words, 0, 4 * sizeof *words);
    }
}

/* Counter-clockwise from the lower left: (low x, high y), (high, high), (high, low), (low, low). */
void emu_sample_gather(const struct emu_object *texture, const struct emu_object *sampler, enum emu_geometry geometry,
                       unsigned component, const struct emu_sample *at, uint32_t words[4])
{
    const struct emu_level *l = &texture->levels[texture->first_level];
    const struct spot s = spot_of(texture, geometry, l, at);
    const struct way across_x = way_of(sampler, 0, l->width, at->offset[0]),
                     across_y = way_of(sampler, 1, l->height, at->offset[1]);
    const struct axis x = pair(&across_x, s.x[0]), y = pair(&across_y, s.x[1]);
    const int32_t places[4][2] = {{x.low, y.high}, {x.high, y.high}, {x.high, y.low}, {x.low, y.low}};

    for (int k = 0; k < 4; k++) {
        uint32_t texel[4];

        read_texel(texture, l, places[k][0], places[k][1], s.slice, texel);
        words[k] = texel[component];
    }
}
