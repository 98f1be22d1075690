/*
 * Operands: where a register, constant or symbol lies in an activation, and the small uops that bring it into the form
 * a handler takes.
 */
#include "emu/decode.h"

#include <stdlib.h>

static unsigned value_bytes(enum ir_type type)
{
    const unsigned bytes = ir_type_bytes(type);

    return bytes < 2 ? 2 : bytes;
}

/* Where `bits` is or belongs in the hash of constants; full tables grow in time, so there is always room. */
static uint32_t *const_slot(const struct decoder *d, uint64_t bits)
{
    const uint32_t mask = d->n_const_slots - 1;
    uint32_t at = (uint32_t)(bits * 0x9e3779b97f4a7c15u >> 32) & mask;

    while (d->const_slots[at] != 0 && d->consts.at[d->const_slots[at] - 1] != bits) {
        at = (at + 1) & mask;
    }
    return &d->const_slots[at];
}

/* At most half full; constants that a launch patches are never in it, they only look like zeros. */
static bool grow_const_slots(struct decoder *d)
{
    const uint32_t before = d->n_const_slots;
    uint32_t *old = d->const_slots;

    if (before != 0 && d->n_hashed < before / 2) {
        return true;
    }
    d->n_const_slots = before == 0 ? 64 : before * 2;
    d->const_slots = calloc(d->n_const_slots, sizeof *d->const_slots);
    if (d->const_slots == NULL) {
        d->const_slots = old;
        d->n_const_slots = before;
        return false;
    }
    for (uint32_t i = 0; i < before; i++) {
        if (old[i] != 0) {
            *const_slot(d, d->consts.at[old[i] - 1]) = old[i];
        }
    }
    free(old);
    return true;
}

struct operand dec_const(struct decoder *d, uint64_t bits, unsigned bytes)
{
    d->ok = d->ok && grow_const_slots(d);
    if (!d->ok) {
        return (struct operand){.scalar = true, .offset = d->const_base, .bytes = bytes};
    }
    uint32_t *slot = const_slot(d, bits);

    if (*slot == 0 && (d->ok = vec_push(&d->consts, bits))) {
        *slot = d->consts.count;
        d->n_hashed++;
    }
    return (struct operand){.scalar = true, .offset = d->const_base + 8 * (*slot == 0 ? 0 : *slot - 1), .bytes = bytes};
}

struct operand dec_const128(struct decoder *d, uint64_t low, uint64_t high)
{
    d->ok = d->ok && vec_push(&d->consts, low) && vec_push(&d->consts, high);
    return (struct operand){.scalar = true, .offset = d->const_base + 8 * (d->consts.count - 2), .bytes = 16};
}

struct operand dec_patched(struct decoder *d, struct emu_patch patch, unsigned bytes)
{
    for (uint32_t k = 0; k < d->patches.count; k++) {
        const struct emu_patch *p = &d->patches.at[k];

        if (p->sreg == patch.sreg && p->param == patch.param && p->bytes == patch.bytes && p->sign == patch.sign) {
            return (struct operand){.scalar = true, .offset = p->offset, .bytes = bytes};
        }
    }
    patch.offset = d->const_base + 8 * d->consts.count;
    d->ok = d->ok && vec_push(&d->consts, 0) && vec_push(&d->patches, patch);
    return (struct operand){.scalar = true, .offset = patch.offset, .bytes = bytes};
}

bool dec_is_literal(const struct decoder *d, struct operand o)
{
    if (!o.scalar || o.offset == NO_OPERAND || o.offset < d->const_base) {
        return false;
    }
    for (uint32_t k = 0; k < d->patches.count; k++) {
        if (d->patches.at[k].offset == o.offset) {
            return false;
        }
    }
    return true;
}

bool dec_symbol_address(const struct decoder *d, const struct ir_symbol *symbol, uint32_t index, uint64_t *address)
{
    switch (symbol->space) {
    case IR_SPACE_SHARED:
        *address = symbol->unsized ? d->program->entry->dynamic_shared_at : symbol->offset;
        return true;
    case IR_SPACE_GLOBAL:
    case IR_SPACE_CONST:
        *address = d->program->symbol_address[index];
        return *address != 0;
    default:
        *address = symbol->offset;
        return true;
    }
}

static struct operand register_operand(struct decoder *d, uint32_t r)
{
    const bool is_mask = d->f->regs.at[r].type == IR_PRED;
    const unsigned bytes = is_mask ? 4 : value_bytes((enum ir_type)d->f->regs.at[r].type);

    if (d->alias[r] != NO_OPERAND) {
        return (struct operand){.scalar = true, .is_mask = is_mask, .offset = d->alias[r], .bytes = bytes};
    }
    switch (d->slots->kind[r]) {
    case IR_SLOT_ROW:
        return (struct operand){.offset = d->slots->offset[r], .bytes = bytes};
    case IR_SLOT_MASK:
        return (struct operand){.is_mask = true, .offset = d->mask_base + d->slots->offset[r], .bytes = 4};
    case IR_SLOT_SCALAR:
        return (struct operand){.scalar = true, .is_mask = is_mask, .offset = d->slots->offset[r], .bytes = bytes};
    default:
        return (struct operand){.offset = NO_OPERAND, .bytes = bytes};
    }
}

struct operand dec_operand(struct decoder *d, ir_ref r, enum ir_type type)
{
    uint64_t bits;

    switch (ir_ref_kind(r)) {
    case IR_REF_REG:
        return register_operand(d, ir_ref_index(r));
    case IR_REF_CONST:
        bits = ir_const_bits(d->f, r);
        if (type == IR_PRED) {
            struct operand o = dec_const(d, (bits & 1) != 0 ? UINT32_MAX : 0, 4);

            o.is_mask = true;
            return o;
        }
        return type == IR_B128 ? dec_const128(d, bits, 0) : dec_const(d, bits, value_bytes(type));
    case IR_REF_SYMBOL:
        if (!dec_symbol_address(d, &d->f->module->symbols.at[ir_ref_index(r)], ir_ref_index(r), &bits)) {
            dec_refuse(d, &d->f->insts.at[d->inst], "variable '%s' is not defined",
                       d->f->module->symbols.at[ir_ref_index(r)].name);
        }
        return dec_const(d, bits, value_bytes(type));
    case IR_REF_FUNC:
        return dec_const(d, (uint64_t)EMU_FUNC_STEP * (ir_ref_index(r) + 1u), value_bytes(type));
    default:
        return (struct operand){.offset = NO_OPERAND, .bytes = type == IR_TYPE_NONE ? 4 : value_bytes(type)};
    }
}

struct operand dec_scratch(struct decoder *d, unsigned bytes, bool is_mask)
{
    struct operand o = {.is_mask = is_mask, .offset = d->scratch_base + d->scratch_used, .bytes = bytes};

    d->scratch_used += is_mask ? 64 : bytes * WARP_LANES;
    d->scratch_most = d->scratch_used > d->scratch_most ? d->scratch_used : d->scratch_most;
    return o;
}

struct operand dec_row(struct decoder *d, struct operand o)
{
    static const enum handler_name spread[17] = {
        [2] = H_BROADCAST_16, [4] = H_BROADCAST_32, [8] = H_BROADCAST_64, [16] = H_BROADCAST_128};

    if (!o.scalar || o.offset == NO_OPERAND) {
        return o;
    }
    struct operand row = dec_scratch(d, o.bytes, o.is_mask);
    struct uop *u = dec_named(d, o.is_mask ? H_BROADCAST_MASK : spread[o.bytes]);

    if (u != NULL) {
        u->a = o.offset;
        u->d = row.offset;
    }
    return row;
}

struct operand dec_resized(struct decoder *d, struct operand o, unsigned bytes)
{
    static const enum ir_type by_bytes[9] = {[2] = IR_U16, [4] = IR_U32, [8] = IR_U64};
    struct handlers h;

    if (o.scalar || o.bytes == bytes || o.bytes == 16 || bytes == 16) {
        o.bytes = bytes;
        return o;
    }
    struct operand to = dec_scratch(d, bytes, false);

    if (!dec_lookup(d->program, IR_CVT, by_bytes[bytes], by_bytes[o.bytes], 0, true, &h)) {
        return o;
    }
    struct uop *u = dec_emit(d, h.full->fn, h.any->fn);

    if (u != NULL) {
        u->a = o.offset;
        u->d = to.offset;
    }
    return to;
}

void dec_list(struct decoder *d, struct operand o)
{
    d->ok =
        d->ok && vec_push(&d->extra, o.offset) && vec_push(&d->extra, o.scalar && o.offset != NO_OPERAND ? 0 : o.bytes);
}
