/*
 * Texture instructions for the lanes of a split: operands, objects, one lane after the other.  A handle is looked up
 * once as long as lanes agree on it.
 */
#include "emu/texture_exec.h"

#include <string.h>

#include "emu/machine.h"
#include "emu/sem.h"

/* --- operands ----------------------------------------------------------------------------------------------------- */
/* A source of 32 bits for all lanes. */
static void words_of(const struct emu_operands *o, unsigned index, uint32_t words[WARP_LANES])
{
    const uint32_t offset = o->sources[index * OPERAND_WORDS], bytes = o->sources[index * OPERAND_WORDS + 1];

    if (bytes == sizeof(uint32_t)) {
        memcpy(words, o->rows + offset, sizeof(uint32_t) * WARP_LANES);
        return;
    }
    for (int lane = 0; lane < WARP_LANES; lane++) {
        words[lane] = (uint32_t)emu_source(o, index, lane);
    }
}

/* The results of all lanes, of which the active ones count. */
static void give_words(const struct emu_operands *o, unsigned index, const uint32_t words[WARP_LANES], lane_mask active)
{
    const uint32_t offset = o->results[index * OPERAND_WORDS], bytes = o->results[index * OPERAND_WORDS + 1];

    if (offset == NO_OPERAND) {
        return;
    }
    if (bytes == sizeof(uint32_t) && active == ALL_LANES) {
        memcpy(o->rows + offset, words, sizeof(uint32_t) * WARP_LANES);
        return;
    }
    for_each_bit (lane, active) {
        emu_result(o, index, lane, words[lane]);
    }
}

/* --- objects ------------------------------------------------------------------------------------------------------ */
/* The variable of the module at an address; NULL: none. */
static const char *variable_at(const struct emu_program *p, uint64_t address)
{
    for (uint32_t i = 0; i < p->module->symbols.count; i++) {
        const struct ir_symbol *s = &p->module->symbols.at[i];

        if (ir_type_info[s->type].kind == IR_KIND_OPAQUE && address - p->symbol_address[i] < (s->size_bytes | 1) &&
            p->symbol_address[i] != 0) {
            return s->name;
        }
    }
    return NULL;
}

static void refuse(struct lanes *x, const struct uop *u, int lane, uint64_t handle, unsigned kinds)
{
    const struct machine *m = x->worker->machine;
    const char *what = kinds & 1 << EMU_OBJECT_SURFACE    ? "surface"
                       : kinds == 1 << EMU_OBJECT_SAMPLER ? "sampler"
                                                          : "texture";
    const char *name = variable_at(m->program, handle);

    if (name != NULL && emu_bindings_find(m->launch->bindings, handle) == NULL) {
        emu_fault_note(x, u, lane, EMU_FAULT_BAD_HANDLE, EMU_NO_RANGE, "variable '%s' is bound to no %s", name, what);
    } else {
        emu_fault_note(x, u, lane, EMU_FAULT_BAD_HANDLE, EMU_NO_RANGE, "0x%llx is the handle of no %s",
                       (unsigned long long)handle, what);
    }
}

static bool is_allocated(const struct machine *m, const struct emu_object *o)
{
    return o->span == 0 || mem_find(m->map, o->texture.address, o->span) != NULL;
}

const struct emu_object *emu_texture_object(struct lanes *x, const struct uop *u, int lane, uint64_t handle,
                                            unsigned kinds)
{
    const struct machine *m = x->worker->machine;
    const struct emu_object *o = emu_bindings_find(m->launch->bindings, handle);

    if (o == NULL || (kinds >> o->kind & 1) == 0) {
        refuse(x, u, lane, handle, kinds);
        return NULL;
    }
    if (!is_allocated(m, o)) {
        emu_fault_access(x, u, lane, IR_SPACE_GLOBAL, o->texture.address, (unsigned)o->span, false);
        return NULL;
    }
    return o;
}

/* The object of the lane before, kept while handles repeat. */
struct known {
    uint64_t handle;
    const struct emu_object *object;
};

static bool find(struct lanes *x, const struct uop *u, int lane, uint64_t handle, unsigned kinds, struct known *known)
{
    if (known->object == NULL || known->handle != handle) {
        *known = (struct known){handle, emu_texture_object(x, u, lane, handle, kinds)};
    }
    return known->object != NULL;
}

/* --- fetches ------------------------------------------------------------------------------------------------------ */
enum source { SOURCE_TEXTURE, SOURCE_SAMPLER, SOURCE_X, SOURCE_LAYER = SOURCE_X + 3, SOURCE_MORE };
enum { AXES = 3 };

/* Offsets have four bits. */
static int32_t offset_of(uint32_t bits)
{
    return (int32_t)((bits & 15) ^ 8) - 8;
}

/* The sources of a fetch, lane by lane; those that its mode does not have mean nothing. */
struct fetch_rows {
    bool uniform; /* one texture and one sampler for all lanes */
    uint32_t x[AXES][WARP_LANES], layer[WARP_LANES], more[2 * AXES][WARP_LANES];
};

/* How many sources follow the layer. */
static unsigned more_of(const struct uop *u)
{
    switch (u->mode) {
    case TEXTURE_LEVEL:
    case TEXTURE_FETCH_LEVEL:
        return 1;
    case TEXTURE_OFFSET:
        return AXES;
    case TEXTURE_GRADIENT:
        return 2 * AXES;
    default:
        return 0;
    }
}

static void load_rows(const struct uop *u, const struct emu_operands *o, struct fetch_rows *r)
{
    const unsigned more = more_of(u);

    r->uniform =
        o->sources[SOURCE_TEXTURE * OPERAND_WORDS + 1] == 0 && o->sources[SOURCE_SAMPLER * OPERAND_WORDS] == NO_OPERAND;
    for (unsigned k = 0; k < AXES; k++) {
        words_of(o, SOURCE_X + k, r->x[k]);
    }
    words_of(o, SOURCE_LAYER, r->layer);
    for (unsigned k = 0; k < more; k++) {
        words_of(o, SOURCE_MORE + k, r->more[k]);
    }
}

static void fetch(const struct uop *u, const struct fetch_rows *r, int lane, const struct emu_sampling *s,
                  uint32_t words[4])
{
    struct emu_sample at = {.layer = r->layer[lane]};

    for (unsigned k = 0; k < AXES; k++) {
        at.i[k] = (int32_t)r->x[k][lane];
        at.x[k] = sem_as_f32(r->x[k][lane]);
    }
    switch (u->mode) {
    case TEXTURE_FETCH:
        emu_sample_fetch(s, 0, &at, words);
        return;
    case TEXTURE_FETCH_LEVEL:
        emu_sample_fetch(s, r->more[0][lane], &at, words);
        return;
    case TEXTURE_GATHER:
        emu_sample_gather(s, u->env, &at, words);
        return;
    case TEXTURE_GRADIENT:
        for (unsigned k = 0; k < AXES; k++) {
            at.dx[k] = sem_as_f32(r->more[k][lane]);
            at.dy[k] = sem_as_f32(r->more[AXES + k][lane]);
        }
        emu_sample_gradient(s, &at, words);
        return;
    case TEXTURE_OFFSET:
        for (unsigned k = 0; k < AXES; k++) {
            at.offset[k] = offset_of(r->more[k][lane]);
        }
        break;
    case TEXTURE_LEVEL:
        at.level = sem_as_f32(r->more[0][lane]);
        emu_sample_level(s, &at, words);
        return;
    default:
        break;
    }
    emu_sample_base(s, &at, words);
}

/* What lanes fetched, word by word. */
typedef uint32_t results[4][WARP_LANES];

/* Four words; or four halves, or two pairs of them. */
static void give(const struct uop *u, const struct emu_operands *o, results words, lane_mask active)
{
    for (unsigned k = 0; k < 4 && (u->c == IR_F16 || u->c == IR_F16X2); k++) {
        for (int lane = 0; lane < WARP_LANES; lane++) {
            words[k][lane] = sem_cvt_f16_f32(sem_as_f32(words[k][lane]), SEM_RN, 0);
        }
    }
    for (int lane = 0; lane < WARP_LANES && u->c == IR_F16X2; lane++) {
        words[0][lane] |= words[1][lane] << 16;
        words[1][lane] = words[2][lane] | words[3][lane] << 16;
    }
    for (unsigned k = 0; k < u->vec; k++) {
        give_words(o, k, words[k], active);
    }
}

/* Look up a lane's texture and sampler.  False after a fault. */
static bool set_sampling(struct lanes *x, const struct uop *u, int lane, const uint64_t handles[2], bool has_sampler,
                         struct emu_sampling *s)
{
    const unsigned any_sampler = 1 << EMU_OBJECT_TEXTURE | 1 << EMU_OBJECT_SAMPLER;
    const struct emu_object *texture = emu_texture_object(x, u, lane, handles[0], 1 << EMU_OBJECT_TEXTURE),
                            *sampler = texture;

    if (texture != NULL && has_sampler) {
        sampler = emu_texture_object(x, u, lane, handles[1], any_sampler);
    }
    if (texture == NULL || sampler == NULL) {
        return false;
    }
    *s = emu_sampling_of(texture, sampler, (enum emu_geometry)u->space);
    return true;
}

/* Fetch for all lanes at once, if that can be: see emu_sample_lanes.  Nothing is done else, or where there is a fault
 * to find. */
static bool fetch_together(struct lanes *x, const struct uop *u, const struct emu_operands *o,
                           const struct fetch_rows *r, results all)
{
    const struct machine *m = x->worker->machine;
    const struct emu_lanes_at at = {{(const float *)r->x[0], (const float *)r->x[1], (const float *)r->x[2]}, r->layer};

    if (u->mode != TEXTURE_SAMPLE || !r->uniform) {
        return false;
    }
    const struct emu_object *t = emu_bindings_find(m->launch->bindings, emu_source(o, SOURCE_TEXTURE, 0));

    if (t == NULL || t->kind != EMU_OBJECT_TEXTURE || !is_allocated(m, t)) {
        return false;
    }
    const struct emu_sampling s = emu_sampling_of(t, t, (enum emu_geometry)u->space);

    return emu_sample_lanes(&s, &at, x->mask, all);
}

/* Fetch for the active lanes; objects are looked up when handles change from lane to lane.  False after a fault. */
static bool fetch_all(struct lanes *x, const struct uop *u, const struct emu_operands *o, const struct fetch_rows *r,
                      results all)
{
    const bool has_sampler = o->sources[SOURCE_SAMPLER * OPERAND_WORDS] != NO_OPERAND;
    uint64_t known[2] = {0, 0};
    struct emu_sampling s = {.texture = NULL};

    for_each_bit (lane, x->mask) {
        const uint64_t handles[2] = {emu_source(o, SOURCE_TEXTURE, lane),
                                     has_sampler ? emu_source(o, SOURCE_SAMPLER, lane) : 0};
        uint32_t words[4];

        if (s.texture == NULL || handles[0] != known[0] || handles[1] != known[1]) {
            if (!set_sampling(x, u, lane, handles, has_sampler, &s)) {
                return false;
            }
            memcpy(known, handles, sizeof known);
        }
        fetch(u, r, lane, &s, words);
        for (unsigned k = 0; k < 4; k++) {
            all[k][lane] = words[k];
        }
    }
    return true;
}

static bool fetch_lanes(struct lanes *x, const struct uop *u, const struct emu_operands *o)
{
    struct fetch_rows r;
    results all;

    load_rows(u, o, &r);
    memset(all, 0, sizeof all);
    if (!fetch_together(x, u, o, &r, all) && !fetch_all(x, u, o, &r, all)) {
        return false;
    }
    give(u, o, all, x->mask);
    if (u->d != NO_OPERAND) {
        /* Nothing here is sparse. */
        *(lane_mask *)(o->rows + u->d) |= x->mask;
    }
    return true;
}

/* --- questions ---------------------------------------------------------------------------------------------------- */
_Static_assert((unsigned)EMU_QUERY_LAYOUT == IR_QUERY_LAYOUT && (unsigned)EMU_QUERY_ADDRESS_0 == IR_QUERY_ADDRESS_0,
               "questions are numbered alike");
_Static_assert((unsigned)EMU_ACUBE == IR_GEOMETRY_ACUBE && (unsigned)EMU_A1D == IR_GEOMETRY_A1D, "so are geometries");

static bool query_lanes(struct lanes *x, const struct uop *u, const struct emu_operands *o)
{
    const unsigned kinds =
        u->mode == SURFACE_QUERY ? 1 << EMU_OBJECT_SURFACE : 1 << EMU_OBJECT_TEXTURE | 1 << EMU_OBJECT_SAMPLER;
    struct known known = {0};

    for_each_bit (lane, x->mask) {
        if (!find(x, u, lane, emu_source(o, 0, lane), kinds, &known)) {
            return false;
        }
        const uint32_t level = u->mode == TEXTURE_QUERY_LEVEL ? (uint32_t)emu_source(o, 1, lane) : 0;

        emu_result(o, 0, lane, emu_object_query(known.object, (enum emu_query)u->env, level));
    }
    return true;
}

/* istypep faults at nothing: what stands for no object has no type. */
static void type_lanes(struct lanes *x, const struct uop *u, const struct emu_operands *o)
{
    const enum emu_object_kind wanted = u->c == IR_TEXREF       ? EMU_OBJECT_TEXTURE
                                        : u->c == IR_SAMPLERREF ? EMU_OBJECT_SAMPLER
                                                                : EMU_OBJECT_SURFACE;
    lane_mask is = 0;

    if (u->d == NO_OPERAND) {
        return;
    }
    for_each_bit (lane, x->mask) {
        const struct emu_object *object =
            emu_bindings_find(x->worker->machine->launch->bindings, emu_source(o, 0, lane));

        is |= (lane_mask)(object != NULL && object->kind == wanted) << lane;
    }
    lane_mask *mask = (lane_mask *)(o->rows + u->d);

    *mask = (*mask & ~x->mask) | is;
}

/* --- instructions ------------------------------------------------------------------------------------------------- */
static unsigned results_of(const struct uop *u)
{
    switch (u->mode) {
    case TEXTURE_TYPE:
    case SURFACE_STORE:
    case SURFACE_STORE_TEXEL:
    case SURFACE_REDUCE:
    case SURFACE_REDUCE_TEXEL:
        return 0;
    default:
        return u->vec;
    }
}

const struct uop *emu_texture(struct lanes *x, const struct uop *u, uint8_t *rows, uint8_t *scalars)
{
    const struct emu_operands o = emu_operands(x, u, results_of(u), rows, scalars);
    bool good = true;

    switch (u->mode) {
    case TEXTURE_QUERY:
    case TEXTURE_QUERY_LEVEL:
    case SURFACE_QUERY:
        good = query_lanes(x, u, &o);
        break;
    case TEXTURE_TYPE:
        type_lanes(x, u, &o);
        break;
    case SURFACE_LOAD:
    case SURFACE_STORE:
    case SURFACE_STORE_TEXEL:
    case SURFACE_REDUCE:
    case SURFACE_REDUCE_TEXEL:
        good = emu_surface(x, u, &o);
        break;
    default:
        good = fetch_lanes(x, u, &o);
        break;
    }
    return good ? u + 1 : NULL;
}
