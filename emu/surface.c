/*
 * Surfaces: loads, stores and reductions of bytes or texels, and what becomes of those outside.  Invariant: what is
 * touched lies inside the surface, whatever the coordinates.
 */
#include <string.h>

#include "emu/access.h"
#include "emu/machine.h"
#include "emu/sem.h"
#include "emu/sem_tex.h"
#include "emu/texture_exec.h"

enum source { SOURCE_SURFACE, SOURCE_X, SOURCE_VALUES = SOURCE_X + 3 };
enum { AXES = 3, MOST_BYTES = 32 };

/* What one lane touches: `bytes` at byte x of row y of slice z. */
struct touch {
    int64_t at[AXES];
    unsigned bytes, align;
};

static bool is_formatted(const struct uop *u)
{
    return u->mode == SURFACE_STORE_TEXEL || u->mode == SURFACE_REDUCE_TEXEL;
}

/* Layers have no sign. */
static bool is_layered(const struct uop *u)
{
    return u->space == EMU_A1D || u->space == EMU_A2D;
}

static struct touch touch_of(const struct uop *u, const struct emu_operands *o, int lane, const struct emu_object *s)
{
    const unsigned texel = emu_texel_bytes(s->format), part = ir_type_bytes((enum ir_type)u->c);
    struct touch t = {.bytes = part * u->vec, .align = part * u->vec};

    for (unsigned k = 0; k < AXES; k++) {
        t.at[k] = (int32_t)emu_source(o, SOURCE_X + k, lane);
    }
    if (is_layered(u)) {
        t.at[AXES - 1] = (uint32_t)emu_source(o, SOURCE_X + AXES - 1, lane);
    }
    if (is_formatted(u)) {
        t.bytes = t.align = texel;
        t.at[0] *= texel;
    }
    return t;
}

static int64_t clamped(int64_t i, int64_t last)
{
    return i < 0 ? 0 : i > last ? last : i;
}

/* --- outside ------------------------------------------------------------------------------------------------------ */
static bool is_inside(const struct emu_level *l, const struct touch *t)
{
    return t->at[0] >= 0 && t->at[0] + t->bytes <= (int64_t)l->row_bytes && t->at[1] >= 0 && t->at[1] < l->height &&
           t->at[2] >= 0 && t->at[2] < l->slices;
}

/* The nearest place where it fits; places along a row are multiples of its size. */
static bool move_inside(const struct emu_level *l, struct touch *t)
{
    if (t->bytes > l->row_bytes) {
        return false;
    }
    t->at[0] = clamped(t->at[0], (int64_t)((l->row_bytes / t->bytes - 1) * t->bytes));
    t->at[1] = clamped(t->at[1], (int64_t)l->height - 1);
    t->at[2] = clamped(t->at[2], (int64_t)l->slices - 1);
    return true;
}

static void trap(struct lanes *x, const struct uop *u, int lane, const struct emu_level *l, const struct touch *t)
{
    emu_fault_note(
        x, u, lane, EMU_FAULT_OUT_OF_BOUNDS, EMU_NO_RANGE,
        "access of %u bytes at byte %lld of row %lld, slice %lld of a surface of %zu bytes, %u rows and %u slices",
        t->bytes, (long long)t->at[0], (long long)t->at[1], (long long)t->at[2], l->row_bytes, l->height, l->slices);
}

enum found { FOUND, NOWHERE, FAULTED };

/* Host address of what a lane touches. */
static enum found place(struct lanes *x, const struct uop *u, int lane, const struct emu_object *s, struct touch t,
                        uint8_t **at)
{
    const struct emu_level *l = &s->levels[0];

    if (t.at[0] % t.align != 0) {
        emu_fault_note(x, u, lane, EMU_FAULT_MISALIGNED, EMU_NO_RANGE,
                       "access of %u bytes at byte %lld of a row, which is not a multiple of %u", t.bytes,
                       (long long)t.at[0], t.align);
        return FAULTED;
    }
    if (!is_inside(l, &t)) {
        if (u->flag == IR_BOUNDS_TRAP) {
            trap(x, u, lane, l, &t);
            return FAULTED;
        }
        if (u->flag == IR_BOUNDS_ZERO || !move_inside(l, &t)) {
            return NOWHERE;
        }
    }
    *at = l->bytes + (size_t)t.at[2] * l->slice_bytes + (size_t)t.at[1] * l->row_bytes + (size_t)t.at[0];
    return FOUND;
}

/* --- loads and stores --------------------------------------------------------------------------------------------- */
static void load(const struct uop *u, const struct emu_operands *o, int lane, const uint8_t *at)
{
    const unsigned part = ir_type_bytes((enum ir_type)u->c);

    for (unsigned k = 0; k < u->vec; k++) {
        uint64_t value = 0;

        if (at != NULL) {
            memcpy(&value, at + k * part, part);
        }
        emu_result(o, k, lane, value);
    }
}

static void store(const struct uop *u, const struct emu_operands *o, int lane, uint8_t *at)
{
    const unsigned part = ir_type_bytes((enum ir_type)u->c);
    uint8_t bytes[MOST_BYTES];

    for (unsigned k = 0; k < u->vec; k++) {
        const uint64_t value = emu_source(o, SOURCE_VALUES + k, lane);

        memcpy(bytes + k * part, &value, part);
    }
    memcpy(at, bytes, part * u->vec);
}

/* Values that are not given count as zero. */
static void store_texel(const struct uop *u, const struct emu_operands *o, int lane, const struct emu_object *s,
                        uint8_t *at)
{
    const struct emu_format f = s->format;
    const unsigned part = f.bits / 8;

    for (unsigned k = 0; k < f.channels; k++) {
        const uint32_t value = k < u->vec ? (uint32_t)emu_source(o, SOURCE_VALUES + k, lane) : 0;
        const uint32_t bits = sem_tex_store(value, f.kind, f.bits);

        memcpy(at + k * part, &bits, part);
    }
}

/* --- reductions --------------------------------------------------------------------------------------------------- */
/* The type of a texel's channel decides how .p compares. */
static unsigned reduced_type(const struct uop *u, const struct emu_object *s)
{
    const bool is_signed = s->format.kind == EMU_CHANNEL_SINT, wide = ir_type_bytes((enum ir_type)u->c) == 8;

    if (u->mode != SURFACE_REDUCE_TEXEL) {
        return u->c;
    }
    return wide ? (is_signed ? IR_S64 : IR_U64) : (is_signed ? IR_S32 : IR_U32);
}

/* Another access than of a whole aligned word cannot be made at once. */
static bool reduce(struct lanes *x, const struct uop *u, const struct emu_operands *o, int lane,
                   const struct emu_object *s, uint8_t *at)
{
    const unsigned bytes = ir_type_bytes((enum ir_type)u->c);

    if ((u->mode == SURFACE_REDUCE_TEXEL && emu_texel_bytes(s->format) != bytes) || (uintptr_t)at % bytes != 0) {
        emu_fault_note(x, u, lane, EMU_FAULT_MISALIGNED, EMU_NO_RANGE,
                       "reduction of %u bytes in a surface with texels of %u", bytes, emu_texel_bytes(s->format));
        return false;
    }
    const uint64_t value = emu_source(o, SOURCE_VALUES, lane);

    emu_atomic(at, reduced_type(u, s), u->env, bytes == 4 ? (uint32_t)value : value, 0, false, true);
    return true;
}

/* --- lanes -------------------------------------------------------------------------------------------------------- */
static bool touch(struct lanes *x, const struct uop *u, const struct emu_operands *o, int lane,
                  const struct emu_object *s)
{
    uint8_t *at = NULL;
    const enum found found = place(x, u, lane, s, touch_of(u, o, lane, s), &at);

    if (found == FAULTED) {
        return false;
    }
    if (u->mode == SURFACE_LOAD) {
        load(u, o, lane, at);
        return true;
    }
    if (found == NOWHERE) {
        return true;
    }
    switch (u->mode) {
    case SURFACE_STORE:
        store(u, o, lane, at);
        return true;
    case SURFACE_STORE_TEXEL:
        store_texel(u, o, lane, s, at);
        return true;
    default:
        return reduce(x, u, o, lane, s, at);
    }
}

bool emu_surface(struct lanes *x, const struct uop *u, const struct emu_operands *o)
{
    const struct emu_object *s = NULL;
    uint64_t known = 0;

    for_each_bit (lane, x->mask) {
        const uint64_t handle = emu_source(o, SOURCE_SURFACE, lane);

        if (s == NULL || handle != known) {
            s = emu_texture_object(x, u, lane, handle, 1 << EMU_OBJECT_SURFACE);
            known = handle;
        }
        if (s == NULL || !touch(x, u, o, lane, s)) {
            return false;
        }
    }
    return true;
}
