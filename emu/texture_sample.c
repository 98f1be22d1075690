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

static struct emu_axis_way way_of(const struct emu_object *sampler, unsigned axis, uint32_t size)
{
    const struct emu_texture *t = &sampler->texture;
    const uint8_t mode = t->address_mode[axis];
    const bool repeats = mode == EMU_ADDRESS_WRAP || mode == EMU_ADDRESS_MIRROR;

    return (struct emu_axis_way){repeats && !t->normalized ? EMU_ADDRESS_CLAMP : mode, t->normalized, (int32_t)size};
}

/* The coordinate in texels. */
static float in_texels(const struct emu_axis_way *w, float x)
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

static int32_t clamped(int32_t i, int32_t size)
{
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

/* The texel that stands for number i. */
static int32_t inside(const struct emu_axis_way *w, int32_t i)
{
    if (i >= 0 && i < w->size) {
        return i;
    }
    switch (w->mode) {
    case EMU_ADDRESS_WRAP:
        return modulo(i, w->size);
    case EMU_ADDRESS_MIRROR: {
        const int32_t m = modulo(i, 2 * w->size);

        return m < w->size ? m : 2 * w->size - 1 - m;
    }
    case EMU_ADDRESS_CLAMP:
        return clamped(i, w->size);
    default:
        return OUTSIDE;
    }
}

static int32_t nearest(const struct emu_axis_way *w, float x, int32_t offset)
{
    return inside(w, sem_tex_nearest(in_texels(w, x)) + offset);
}

/* Counted from the middle of texel 0. */
static int32_t between_texels(const struct emu_axis_way *w, float x)
{
    return sem_tex_fixed(in_texels(w, x)) - TEX_ONE / 2;
}

static struct axis pair(const struct emu_axis_way *w, float x, int32_t offset)
{
    const int32_t at = between_texels(w, x), i = (at >> TEX_FRACTION_BITS) + offset;

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
static uint32_t slice_of(const struct emu_sampling *s, uint32_t layer)
{
    const struct emu_object *o = s->texture;
    const uint32_t each = s->cube ? 6 : 1, n = o->n_layers / each;

    if (!s->layered || n == 0) {
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
    read_texel(o, l, clamped(i, (int32_t)l->width), clamped(j, (int32_t)l->height), existing(l, first + face), words);
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

static void across_faces(const struct emu_sampling *s, uint32_t first, unsigned face, const float st[2],
                         uint32_t words[4])
{
    const struct emu_axis_way w = {EMU_ADDRESS_CLAMP, true, (int32_t)s->level->width};
    const int32_t x = between_texels(&w, st[0]), y = between_texels(&w, st[1]);
    const int32_t at[2] = {x >> TEX_FRACTION_BITS, y >> TEX_FRACTION_BITS};
    uint32_t quad[4][4];

    around(s->texture, s->level, first, face, at, quad);
    blend(quad[0], quad[1], x & (TEX_ONE - 1));
    blend(quad[2], quad[3], x & (TEX_ONE - 1));
    blend(quad[0], quad[2], y & (TEX_ONE - 1));
    memcpy(words, quad[0], sizeof quad[0]);
}

/* --- one level ---------------------------------------------------------------------------------------------------- */
static void set_level(struct emu_sampling *s, uint32_t level)
{
    s->level = &s->texture->levels[s->texture->first_level + level];
    const uint32_t sizes[3] = {s->level->width, s->level->height, s->level->slices};

    for (unsigned k = 0; k < 3; k++) {
        s->way[k] = way_of(s->sampler, k, sizes[k]);
    }
}

struct emu_sampling emu_sampling_of(const struct emu_object *texture, const struct emu_object *sampler,
                                    enum emu_geometry geometry)
{
    static const uint8_t axes[] = {
        [EMU_1D] = 1, [EMU_2D] = 2, [EMU_3D] = 3, [EMU_A1D] = 1, [EMU_A2D] = 2, [EMU_CUBE] = 2, [EMU_ACUBE] = 2};
    struct emu_sampling s = {.texture = texture,
                             .sampler = sampler,
                             .geometry = geometry,
                             .axes = axes[geometry],
                             .layered = has_layers(geometry),
                             .cube = is_cube(geometry),
                             .linear = sampler->linear && !texture->integers};

    s.seamless = s.cube && s.linear && sampler->texture.seamless;
    set_level(&s, 0);
    return s;
}

/* Where a fetch falls: coordinates on a slice, or in a level that has depth. */
struct spot {
    float x[3];
    unsigned face;
    uint32_t first; /* slice of the first face */
    int32_t slice;
};

static struct spot spot_of(const struct emu_sampling *s, const struct emu_sample *at)
{
    struct spot p = {.x = {at->x[0], at->x[1], at->x[2]}, .first = slice_of(s, at->layer)};

    if (s->cube) {
        float stm[3];

        p.face = sem_tex_face(at->x[0], at->x[1], at->x[2]);
        sem_tex_to_face_float(p.face, at->x, stm);
        p.x[0] = sem_tex_on_face(stm[0], stm[2]);
        p.x[1] = sem_tex_on_face(stm[1], stm[2]);
    }
    p.slice = existing(s->level, p.first + p.face);
    return p;
}

/* The texel that the coordinates lie in. */
static void sample_nearest(const struct emu_sampling *s, const struct spot *p, const int32_t offset[3],
                           uint32_t words[4])
{
    int32_t i[3] = {0, 0, p->slice};

    for (unsigned k = 0; k < s->axes; k++) {
        i[k] = nearest(&s->way[k], p->x[k], offset[k]);
    }
    read_texel(s->texture, s->level, i[0], i[1], i[2], words);
}

static void sample_linear(const struct emu_sampling *s, const struct spot *p, const int32_t offset[3],
                          uint32_t words[4])
{
    struct footprint f = {.o = s->texture, .level = s->level, .x = only, .y = only, .z = {p->slice, p->slice, 0}};
    struct axis *axes[3] = {&f.x, &f.y, &f.z};

    for (unsigned k = 0; k < s->axes; k++) {
        *axes[k] = pair(&s->way[k], p->x[k], offset[k]);
    }
    whole(&f, words);
}

static void sample(const struct emu_sampling *s, const struct emu_sample *at, uint32_t words[4])
{
    const struct spot p = spot_of(s, at);

    if (s->seamless) {
        across_faces(s, p.first, p.face, p.x, words);
    } else if (s->linear) {
        sample_linear(s, &p, at->offset, words);
    } else {
        sample_nearest(s, &p, at->offset, words);
    }
}

/* --- levels ------------------------------------------------------------------------------------------------------- */
static void sample_of(struct emu_sampling *s, int32_t level, const struct emu_sample *at, uint32_t words[4])
{
    set_level(s, (uint32_t)clamped(level, (int32_t)s->texture->n_levels));
    sample(s, at, words);
}

static void sample_at(const struct emu_sampling *of, float level, const struct emu_sample *at, uint32_t words[4])
{
    const struct emu_texture *t = &of->sampler->texture;
    struct emu_sampling s = *of;
    float l = level + t->level_bias;

    l = l < t->level_least ? t->level_least : l > t->level_most ? t->level_most : l;
    if (!t->mip_linear) {
        sample_of(&s, sem_tex_nearest(l + 0.5f), at, words);
        return;
    }
    const int32_t fixed = sem_tex_fixed(l), low = fixed >> TEX_FRACTION_BITS, fraction = fixed & (TEX_ONE - 1);
    uint32_t more[4];

    sample_of(&s, low, at, words);
    if (low >= 0 && low + 1 < (int32_t)s.texture->n_levels && fraction != 0 && !s.texture->integers) {
        sample_of(&s, low + 1, at, more);
        blend(words, more, fraction);
    }
}

void emu_sample_level(const struct emu_sampling *s, const struct emu_sample *at, uint32_t words[4])
{
    if (s->texture->n_levels == 1) {
        sample(s, at, words);
    } else {
        sample_at(s, at->level, at, words);
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

static float squared_distance(const struct emu_sampling *s, const struct emu_sample *at, const float d[3])
{
    float moved[3] = {d[0], d[1], d[2]}, sum = 0;

    if (s->cube) {
        on_face(at, d, moved);
    }
    for (unsigned k = 0; k < s->axes; k++) {
        const float texels = moved[k] * (float)s->way[k].size;

        sum += texels * texels;
    }
    return sum;
}

void emu_sample_gradient(const struct emu_sampling *s, const struct emu_sample *at, uint32_t words[4])
{
    const float x = squared_distance(s, at, at->dx), y = squared_distance(s, at, at->dy);

    if (s->texture->n_levels == 1) {
        sample(s, at, words);
    } else {
        sample_at(s, sem_tex_level(x > y ? x : y), at, words);
    }
}

/* --- fetches by integer and gathers ------------------------------------------------------------------------------- */
void emu_sample_fetch(const struct emu_sampling *s, uint32_t level, const struct emu_sample *at, uint32_t words[4])
{
    const struct emu_object *o = s->texture;
    const struct emu_level *l = &o->levels[o->first_level + (level < o->n_levels ? level : 0)];
    const uint32_t sizes[3] = {l->width, l->height, l->slices};
    int32_t i[3] = {0, 0, existing(l, slice_of(s, at->layer))};
    bool is_inside = level < o->n_levels;

    for (unsigned k = 0; k < s->axes; k++) {
        i[k] = at->i[k];
        is_inside = is_inside && i[k] >= 0 && (uint32_t)i[k] < sizes[k];
    }
    if (is_inside) {
        read_texel(o, l, i[0], i[1], i[2], words);
    } else {
        memset(words, 0, 4 * sizeof *words);
    }
}

/* Counter-clockwise from the lower left: (low x, high y), (high, high), (high, low), (low, low). */
void emu_sample_gather(const struct emu_sampling *s, unsigned component, const struct emu_sample *at, uint32_t words[4])
{
    const struct spot p = spot_of(s, at);
    const struct axis x = pair(&s->way[0], p.x[0], at->offset[0]), y = pair(&s->way[1], p.x[1], at->offset[1]);
    const int32_t places[4][2] = {{x.low, y.high}, {x.high, y.high}, {x.high, y.low}, {x.low, y.low}};

    for (int k = 0; k < 4; k++) {
        uint32_t texel[4];

        read_texel(s->texture, s->level, places[k][0], places[k][1], p.slice, texel);
        words[k] = texel[component];
    }
}

/* --- all lanes at once -------------------------------------------------------------------------------------------- */
static int32_t slice_at(const struct emu_sampling *s, const struct emu_lanes_at *at, int lane)
{
    return existing(s->level, slice_of(s, at->layer[lane]));
}

static void nearest_lanes(const struct emu_sampling *s, const struct emu_lanes_at *at, lane_mask active,
                          uint32_t words[4][WARP_LANES])
{
    int32_t places[3][WARP_LANES];

    for (unsigned k = 0; k < s->axes; k++) {
        for (int lane = 0; lane < WARP_LANES; lane++) {
            places[k][lane] = nearest(&s->way[k], at->x[k][lane], 0);
        }
    }
    for_each_bit (lane, active) {
        const int32_t y = s->axes > 1 ? places[1][lane] : 0, z = s->axes > 2 ? places[2][lane] : slice_at(s, at, lane);
        uint32_t texel[4];

        read_texel(s->texture, s->level, places[0][lane], y, z, texel);
        for (int k = 0; k < 4; k++) {
            words[k][lane] = texel[k];
        }
    }
}

static void linear_lanes(const struct emu_sampling *s, const struct emu_lanes_at *at, lane_mask active,
                         uint32_t words[4][WARP_LANES])
{
    struct axis places[3][WARP_LANES];

    for (unsigned k = 0; k < s->axes; k++) {
        for (int lane = 0; lane < WARP_LANES; lane++) {
            places[k][lane] = pair(&s->way[k], at->x[k][lane], 0);
        }
    }
    for_each_bit (lane, active) {
        struct footprint f = {.o = s->texture, .level = s->level, .x = places[0][lane], .y = only};
        uint32_t texel[4];

        f.y = s->axes > 1 ? places[1][lane] : only;
        if (s->axes > 2) {
            f.z = places[2][lane];
        } else {
            f.z.low = f.z.high = slice_at(s, at, lane);
            f.z.fraction = 0;
        }
        whole(&f, texel);
        for (int k = 0; k < 4; k++) {
            words[k][lane] = texel[k];
        }
    }
}

bool emu_sample_lanes(const struct emu_sampling *s, const struct emu_lanes_at *at, lane_mask active,
                      uint32_t words[4][WARP_LANES])
{
    if (s->cube || s->texture->n_levels != 1) {
        return false;
    }
    if (s->linear) {
        linear_lanes(s, at, active, words);
    } else {
        nearest_lanes(s, at, active, words);
    }
    return true;
}
