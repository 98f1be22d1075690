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

/* The texels around a coordinate along one axis; OUTSIDE is the border colour. */
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
    return inside(w,
                  (w->normalized ? sem_tex_unit_texel(sem_tex_unit((double)x), w->size) : sem_tex_texel(x)) + offset);
}

/* The pair of texels at a place in 1/256 of a texel.  Where both are the same there is nothing to part. */
static struct axis pair_at(const struct emu_axis_way *w, int32_t place, int32_t offset)
{
    const int32_t i = (place >> TEX_FRACTION_BITS) + offset, low = inside(w, i), high = inside(w, i + 1);

    return (struct axis){low, high, low == high && low != OUTSIDE ? 0 : place & (TEX_ONE - 1)};
}

static struct axis pair(const struct emu_axis_way *w, float x, int32_t offset)
{
    return pair_at(w, w->normalized ? sem_tex_unit_fixed(sem_tex_unit((double)x), w->size) : sem_tex_fixed(x), offset);
}

/* --- texels ------------------------------------------------------------------------------------------------------- */
static const uint8_t *texel_at(const struct emu_object *o, const struct emu_level *l, int32_t x, int32_t y, int32_t z)
{
    return (x | y | z) < 0 ? o->border_texel
                           : l->bytes + (size_t)z * l->slice_bytes + (size_t)y * l->row_bytes +
                                 (size_t)x * emu_texel_bytes(o->format);
}

static void read_texel(const struct emu_object *o, const struct emu_level *l, int32_t x, int32_t y, int32_t z,
                       uint32_t words[4])
{
    o->read(texel_at(o, l, x, y, z), words);
}

static void add_corner(struct emu_corners *c, const uint8_t *texel, int32_t weight)
{
    if (weight != 0) {
        c->texel[c->n] = texel;
        c->weight[c->n++] = weight;
    }
}

/* The texels of up to three pairs, which have the weight `whole` together. */
static void add_box(struct emu_corners *c, const struct emu_object *o, const struct emu_level *l,
                    const struct axis axes[3], int32_t whole)
{
    const int32_t fractions[3] = {axes[0].fraction, axes[1].fraction, axes[2].fraction};
    int32_t weight[8];

    sem_tex_weights(whole, fractions, weight);
    for (int k = 0; k < 8; k++) {
        if (weight[k] != 0) {
            add_corner(c,
                       texel_at(o, l, k & 1 ? axes[0].high : axes[0].low, k & 2 ? axes[1].high : axes[1].low,
                                k & 4 ? axes[2].high : axes[2].low),
                       weight[k]);
        }
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

/* Texel (i, j) of a cube's face; one outside is on the face beyond the edge.  NULL at a corner, where there is none. */
static const uint8_t *across(const struct emu_object *o, const struct emu_level *l, uint32_t first, unsigned face,
                             int32_t i, int32_t j)
{
    const int32_t n = (int32_t)l->width;
    const bool out_i = i < 0 || i >= n, out_j = j < 0 || j >= n;

    if (out_i && out_j) {
        return NULL;
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
    return texel_at(o, l, clamped(i, n), clamped(j, (int32_t)l->height), existing(l, first + face));
}

/* The four texels around a place on a face, whose weight is `whole`; three where three faces meet. */
static void add_across(struct emu_corners *c, const struct emu_sampling *s, uint32_t first, unsigned face,
                       const double st[2], int32_t whole)
{
    const int32_t n = (int32_t)s->level->width;
    const int32_t x = sem_tex_unit_fixed(sem_tex_unit(st[0]), n), y = sem_tex_unit_fixed(sem_tex_unit(st[1]), n);
    const int32_t fractions[3] = {x & (TEX_ONE - 1), y & (TEX_ONE - 1), 0};
    const uint8_t *texel[4];
    int32_t weight[8];

    sem_tex_weights(whole, fractions, weight);
    for (int k = 0; k < 4; k++) {
        texel[k] = across(s->texture, s->level, first, face, (x >> TEX_FRACTION_BITS) + (k & 1),
                          (y >> TEX_FRACTION_BITS) + (k >> 1));
        if (texel[k] == NULL) {
            sem_tex_share(weight, k);
        }
    }
    for (int k = 0; k < 4; k++) {
        if (texel[k] != NULL) {
            add_corner(c, texel[k], weight[k]);
        }
    }
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
    struct emu_sampling s = {.texture = texture,
                             .sampler = sampler,
                             .geometry = geometry,
                             .axes = geometry == EMU_3D ? 3 : 2,
                             .line = geometry == EMU_1D || geometry == EMU_A1D,
                             .layered = has_layers(geometry),
                             .cube = is_cube(geometry),
                             .linear = sampler->texture.linear && texture->add != NULL};

    s.seamless = s.cube && s.linear && sampler->texture.seamless;
    set_level(&s, 0);
    return s;
}

/* Where a fetch falls: coordinates on a slice, or in a level that has depth. */
struct spot {
    float x[3];
    double st[2]; /* of cubes: on the face */
    unsigned face;
    uint32_t first; /* slice of the first face */
    int32_t slice;
};

static struct spot spot_of(const struct emu_sampling *s, const struct emu_sample *at)
{
    struct spot p = {.x = {at->x[0], s->line ? 0 : at->x[1], at->x[2]}, .first = slice_of(s, at->layer)};

    if (s->cube) {
        float stm[3];

        p.face = sem_tex_face(at->x[0], at->x[1], at->x[2]);
        sem_tex_to_face_float(p.face, at->x, stm);
        p.st[0] = sem_tex_on_face(stm[0], stm[2]);
        p.st[1] = sem_tex_on_face(stm[1], stm[2]);
    }
    p.slice = existing(s->level, p.first + p.face);
    return p;
}

static struct axis pair_of(const struct emu_sampling *s, const struct spot *p, const int32_t offset[3], unsigned k)
{
    const struct emu_axis_way *w = &s->way[k];

    return s->cube ? pair_at(w, sem_tex_unit_fixed(sem_tex_unit(p->st[k]), w->size), offset[k])
                   : pair(w, p->x[k], offset[k]);
}

static int32_t nearest_of(const struct emu_sampling *s, const struct spot *p, const int32_t offset[3], unsigned k)
{
    const struct emu_axis_way *w = &s->way[k];

    return s->cube ? inside(w, sem_tex_unit_texel(sem_tex_unit(p->st[k]), w->size) + offset[k])
                   : nearest(w, p->x[k], offset[k]);
}

/* What a level contributes to a sum: `whole` parts of TEX_ONE. */
static void add_level(struct emu_corners *c, const struct emu_sampling *s, const struct emu_sample *at, int32_t whole)
{
    const struct spot p = spot_of(s, at);
    struct axis axes[3] = {{0, 0, 0}, {0, 0, 0}, {p.slice, p.slice, 0}};

    if (s->seamless) {
        add_across(c, s, p.first, p.face, p.st, whole);
        return;
    }
    for (unsigned k = 0; k < s->axes; k++) {
        if (s->linear) {
            axes[k] = pair_of(s, &p, at->offset, k);
        } else {
            axes[k].low = axes[k].high = nearest_of(s, &p, at->offset, k);
        }
    }
    add_box(c, s->texture, s->level, axes, whole);
}

/* The texel that the coordinates lie in. */
static void sample_nearest(const struct emu_sampling *s, const struct emu_sample *at, uint32_t words[4])
{
    const struct spot p = spot_of(s, at);
    int32_t i[3] = {0, 0, p.slice};

    for (unsigned k = 0; k < s->axes; k++) {
        i[k] = nearest_of(s, &p, at->offset, k);
    }
    read_texel(s->texture, s->level, i[0], i[1], i[2], words);
}

static void sample(const struct emu_sampling *s, const struct emu_sample *at, uint32_t words[4])
{
    struct emu_corners c;

    if (!s->linear) {
        sample_nearest(s, at, words);
        return;
    }
    c.n = 0;
    add_level(&c, s, at, TEX_ONE);
    s->texture->add(&c, words);
}

/* --- levels ------------------------------------------------------------------------------------------------------- */
/* Two levels are one sum of up to sixteen texels. */
static void sample_between(struct emu_sampling *s, uint32_t level, int32_t fraction, const struct emu_sample *at,
                           uint32_t words[4])
{
    struct emu_corners c;

    c.n = 0;
    set_level(s, level);
    add_level(&c, s, at, TEX_ONE - fraction);
    set_level(s, level + 1);
    add_level(&c, s, at, fraction);
    s->texture->add(&c, words);
}

static void sample_at(const struct emu_sampling *of, float level, const struct emu_sample *at, uint32_t words[4])
{
    const struct emu_texture *t = &of->sampler->texture;
    const int32_t last = (int32_t)of->texture->n_levels - 1;
    struct emu_sampling s = *of;
    float l = level + t->level_bias;

    l = l < t->level_least ? t->level_least : l > t->level_most ? t->level_most : l;
    l = !(l > 0) ? 0 : l > (float)last ? (float)last : l;
    const int32_t fixed = sem_tex_level_fixed(l), low = fixed >> TEX_FRACTION_BITS, fraction = fixed & (TEX_ONE - 1);

    if (t->mip_linear && fraction != 0 && of->texture->add != NULL) {
        sample_between(&s, (uint32_t)low, fraction, at, words);
        return;
    }
    set_level(&s, (uint32_t)(t->mip_linear ? low : (int32_t)(l + 0.5f)));
    sample(&s, at, words);
}

void emu_sample_level(const struct emu_sampling *s, const struct emu_sample *at, uint32_t words[4])
{
    if (s->texture->n_levels == 1) {
        sample(s, at, words);
    } else {
        sample_at(s, at->level, at, words);
    }
}

void emu_sample_base(const struct emu_sampling *s, const struct emu_sample *at, uint32_t words[4])
{
    sample(s, at, words);
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

/* How many texels one side of the footprint is long. */
static float length_of(const struct emu_sampling *s, const struct emu_sample *at, const float d[3])
{
    float moved[3] = {d[0], s->line ? 0 : d[1], d[2]};

    if (s->cube) {
        on_face(at, d, moved);
    }
    for (unsigned k = 0; k < s->axes; k++) {
        moved[k] *= (float)s->way[k].size;
    }
    const float plane = sem_tex_length(moved[0], moved[1]);

    return s->axes == 3 ? sem_tex_length(plane, moved[2]) : plane;
}

void emu_sample_gradient(const struct emu_sampling *s, const struct emu_sample *at, uint32_t words[4])
{
    if (s->texture->n_levels == 1) {
        sample(s, at, words);
        return;
    }
    sample_at(s, sem_tex_level(sem_tex_footprint(length_of(s, at, at->dx), length_of(s, at, at->dy))), at, words);
}

/* --- fetches by integer and gathers ------------------------------------------------------------------------------- */
/* What lies outside is zero, layers included; so is all of an array that is fetched as a line: such fetches are of
 * memory. */
void emu_sample_fetch(const struct emu_sampling *s, uint32_t level, const struct emu_sample *at, uint32_t words[4])
{
    const struct emu_object *o = s->texture;
    const bool has_level = level < o->n_levels,
               lacks_line = s->geometry == EMU_1D && o->texture.resource == EMU_RESOURCE_ARRAY;
    const struct emu_level *l = &o->levels[o->first_level + (has_level ? level : 0)];
    const int64_t sizes[3] = {l->width, l->height, l->slices};
    int64_t i[3] = {at->i[0], s->line ? 0 : at->i[1], s->axes == 3 ? at->i[2] : existing(l, slice_of(s, at->layer))};
    bool is_inside = has_level && !lacks_line && (!s->layered || at->layer < (o->n_layers == 0 ? 1 : o->n_layers));

    for (int k = 0; k < 3; k++) {
        is_inside = is_inside && i[k] >= 0 && i[k] < sizes[k];
    }
    if (is_inside) {
        read_texel(o, l, (int32_t)i[0], (int32_t)i[1], (int32_t)i[2], words);
    } else {
        memset(words, 0, 4 * sizeof *words);
    }
}

/* Counter-clockwise from the lower left: (low x, high y), (high, high), (high, low), (low, low). */
void emu_sample_gather(const struct emu_sampling *s, unsigned component, const struct emu_sample *at, uint32_t words[4])
{
    const struct spot p = spot_of(s, at);
    const struct axis x = pair_of(s, &p, at->offset, 0), y = pair_of(s, &p, at->offset, 1);
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

static float coordinate(const struct emu_sampling *s, const struct emu_lanes_at *at, unsigned axis, int lane)
{
    return axis == 1 && s->line ? 0 : at->x[axis][lane];
}

static void nearest_lanes(const struct emu_sampling *s, const struct emu_lanes_at *at, lane_mask active,
                          uint32_t words[4][WARP_LANES])
{
    int32_t places[3][WARP_LANES];

    for (unsigned k = 0; k < s->axes; k++) {
        for (int lane = 0; lane < WARP_LANES; lane++) {
            places[k][lane] = nearest(&s->way[k], coordinate(s, at, k, lane), 0);
        }
    }
    for_each_bit (lane, active) {
        const int32_t z = s->axes == 3 ? places[2][lane] : slice_at(s, at, lane);
        uint32_t texel[4];

        read_texel(s->texture, s->level, places[0][lane], places[1][lane], z, texel);
        for (int k = 0; k < 4; k++) {
            words[k][lane] = texel[k];
        }
    }
}

static void linear_lanes(const struct emu_sampling *s, const struct emu_lanes_at *at, lane_mask active,
                         uint32_t words[4][WARP_LANES])
{
    for_each_bit (lane, active) {
        const int32_t slice = slice_at(s, at, lane);
        struct axis axes[3] = {{0, 0, 0}, {0, 0, 0}, {slice, slice, 0}};
        struct emu_corners c;
        uint32_t sum[4];

        for (unsigned k = 0; k < s->axes; k++) {
            axes[k] = pair(&s->way[k], coordinate(s, at, k, lane), 0);
        }
        c.n = 0;
        add_box(&c, s->texture, s->level, axes, TEX_ONE);
        s->texture->add(&c, sum);
        for (int k = 0; k < 4; k++) {
            words[k][lane] = sum[k];
        }
    }
}

bool emu_sample_lanes(const struct emu_sampling *s, const struct emu_lanes_at *at, lane_mask active,
                      uint32_t words[4][WARP_LANES])
{
    if (s->cube) {
        return false;
    }
    if (s->linear) {
        linear_lanes(s, at, active, words);
    } else {
        nearest_lanes(s, at, active, words);
    }
    return true;
}
