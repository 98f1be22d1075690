/*
 * Texture instructions for the lanes of a split: operands, objects, one lane after the other.  A handle is looked up
 * once as long as lanes agree on it.
 */
#include "emu/texture_exec.h"

#include <string.h>

#include "emu/machine.h"
#include "emu/sem.h"

/* --- operands ----------------------------------------------------------------------------------------------------- */
uint64_t emu_texture_source(const struct texture_operands *o, unsigned index, int lane)
{
    const uint32_t offset = o->sources[index * OPERAND_WORDS], bytes = o->sources[index * OPERAND_WORDS + 1];
    const uint8_t *row = o->rows + offset;

    switch (bytes) {
    case 0:
        return *(const uint64_t *)(o->scalars + offset);
    case 2:
        return ((const uint16_t *)row)[lane];
    case 4:
        return ((const uint32_t *)row)[lane];
    default:
        return ((const uint64_t *)row)[lane];
    }
}

void emu_texture_result(const struct texture_operands *o, unsigned index, int lane, uint64_t value)
{
    const uint32_t offset = o->results[index * OPERAND_WORDS], bytes = o->results[index * OPERAND_WORDS + 1];
    uint8_t *row = o->rows + offset;

    if (offset == NO_OPERAND) {
        return;
    }
    switch (bytes) {
    case 2:
        ((uint16_t *)row)[lane] = (uint16_t)value;
        break;
    case 4:
        ((uint32_t *)row)[lane] = (uint32_t)value;
        break;
    default:
        ((uint64_t *)row)[lane] = value;
        break;
    }
}

static uint32_t word(const struct texture_operands *o, unsigned index, int lane)
{
    return (uint32_t)emu_texture_source(o, index, lane);
}

static float number(const struct texture_operands *o, unsigned index, int lane)
{
    return sem_as_f32(word(o, index, lane));
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

static struct emu_sample sample_of(const struct uop *u, const struct texture_operands *o, int lane)
{
    const bool by_integer = u->mode == TEXTURE_FETCH || u->mode == TEXTURE_FETCH_LEVEL;
    struct emu_sample s = {.layer = word(o, SOURCE_LAYER, lane)};

    for (unsigned k = 0; k < AXES; k++) {
        const uint32_t bits = word(o, SOURCE_X + k, lane);

        s.i[k] = (int32_t)bits;
        s.x[k] = by_integer ? 0 : sem_as_f32(bits);
    }
    if (u->mode == TEXTURE_LEVEL) {
        s.level = number(o, SOURCE_MORE, lane);
    }
    for (unsigned k = 0; k < AXES && u->mode == TEXTURE_OFFSET; k++) {
        s.offset[k] = offset_of(word(o, SOURCE_MORE + k, lane));
    }
    for (unsigned k = 0; k < AXES && u->mode == TEXTURE_GRADIENT; k++) {
        s.dx[k] = number(o, SOURCE_MORE + k, lane);
        s.dy[k] = number(o, SOURCE_MORE + AXES + k, lane);
    }
    return s;
}

static void fetch(const struct uop *u, const struct texture_operands *o, int lane, const struct emu_object *texture,
                  const struct emu_object *sampler, uint32_t words[4])
{
    const struct emu_sample s = sample_of(u, o, lane);
    const enum emu_geometry geometry = (enum emu_geometry)u->space;

    switch (u->mode) {
    case TEXTURE_GRADIENT:
        emu_sample_gradient(texture, sampler, geometry, &s, words);
        break;
    case TEXTURE_FETCH:
        emu_sample_fetch(texture, geometry, 0, &s, words);
        break;
    case TEXTURE_FETCH_LEVEL:
        emu_sample_fetch(texture, geometry, word(o, SOURCE_MORE, lane), &s, words);
        break;
    case TEXTURE_GATHER:
        emu_sample_gather(texture, sampler, geometry, u->env, &s, words);
        break;
    default:
        emu_sample_level(texture, sampler, geometry, &s, words);
        break;
    }
}

/* Four words; or four halves, or two pairs of them. */
static void give(const struct uop *u, const struct texture_operands *o, int lane, const uint32_t words[4])
{
    uint16_t half[4];

    if (u->c != IR_F16 && u->c != IR_F16X2) {
        for (unsigned k = 0; k < u->vec; k++) {
            emu_texture_result(o, k, lane, words[k]);
        }
        return;
    }
    for (unsigned k = 0; k < 4; k++) {
        half[k] = sem_cvt_f16_f32(sem_as_f32(words[k]), SEM_RN, 0);
    }
    for (unsigned k = 0; k < u->vec; k++) {
        emu_texture_result(o, k, lane, u->c == IR_F16 ? half[k] : (uint32_t)half[2 * k + 1] << 16 | half[2 * k]);
    }
}

static bool fetch_lanes(struct lanes *x, const struct uop *u, const struct texture_operands *o)
{
    const bool has_sampler = o->sources[SOURCE_SAMPLER * OPERAND_WORDS] != NO_OPERAND;
    struct known texture = {0}, sampler = {0};

    for_each_bit (lane, x->mask) {
        uint32_t words[4];

        if (!find(x, u, lane, emu_texture_source(o, SOURCE_TEXTURE, lane), 1 << EMU_OBJECT_TEXTURE, &texture)) {
            return false;
        }
        if (has_sampler && !find(x, u, lane, emu_texture_source(o, SOURCE_SAMPLER, lane),
                                 1 << EMU_OBJECT_TEXTURE | 1 << EMU_OBJECT_SAMPLER, &sampler)) {
            return false;
        }
        fetch(u, o, lane, texture.object, has_sampler ? sampler.object : texture.object, words);
        give(u, o, lane, words);
    }
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

static bool query_lanes(struct lanes *x, const struct uop *u, const struct texture_operands *o)
{
    const unsigned kinds =
        u->mode == SURFACE_QUERY ? 1 << EMU_OBJECT_SURFACE : 1 << EMU_OBJECT_TEXTURE | 1 << EMU_OBJECT_SAMPLER;
    struct known known = {0};

    for_each_bit (lane, x->mask) {
        if (!find(x, u, lane, emu_texture_source(o, 0, lane), kinds, &known)) {
            return false;
        }
        const uint32_t level = u->mode == TEXTURE_QUERY_LEVEL ? word(o, 1, lane) : 0;

        emu_texture_result(o, 0, lane, emu_object_query(known.object, (enum emu_query)u->env, level));
    }
    return true;
}

/* istypep faults at nothing: what stands for no object has no type. */
static void type_lanes(struct lanes *x, const struct uop *u, const struct texture_operands *o)
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
            emu_bindings_find(x->worker->machine->launch->bindings, emu_texture_source(o, 0, lane));

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
    const uint32_t *list = x->split->frame->code->extra + u->extra;
    const struct texture_operands o = {list, list + results_of(u) * OPERAND_WORDS, rows, scalars};
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
