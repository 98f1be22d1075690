/*
 * Instructions that arrange values rather than compute them: parts of values, addresses, special registers.
 */
#include "emu/cluster.h"
#include "emu/decode.h"

/* --- values in parts -------------------------------------------------------------------------- */
void dec_parts(struct decoder *d, const struct ir_inst *in)
{
    const bool packs = in->op == IR_PACK;
    const ir_ref *parts = packs ? ir_srcs(d->f, in) : ir_dsts(d->f, in);
    const unsigned n = packs ? in->n_src : in->n_dst,
                   part_bytes = ir_type_bytes((enum ir_type)in->type2) < 2 ? 2 : ir_type_bytes((enum ir_type)in->type2);
    struct operand whole = packs ? dec_real_destination(d, in, dec_destination(d, in, 0))
                                 : dec_operand(d, ir_srcs(d->f, in)[0], (enum ir_type)in->type);
    struct operand rows[8], real[8];
    struct handlers h;

    if (n > 8 || !dec_lookup(d->program, in->op, dec_listed_type(in), in->type2, 0, true, &h)) {
        dec_refuse_form(d, in);
        return;
    }
    /* Lanes may stop here: temporary rows are filled behind it. */
    const uint32_t around = dec_begin_guarded(d, in);

    for (unsigned i = 0; i < n; i++) {
        real[i] = dec_operand(d, parts[i], (enum ir_type)in->type2);
        rows[i] = packs ? dec_row(d, dec_resized(d, real[i], part_bytes)) : real[i];
        if (!packs && real[i].scalar && real[i].offset != NO_OPERAND) {
            rows[i] = dec_scratch(d, real[i].bytes, false);
        }
    }
    if (!packs && in->type == IR_B128) {
        whole = dec_row(d, whole);
    }
    const struct operand out = packs && whole.scalar ? dec_scratch(d, whole.bytes, false) : whole;
    const uint32_t list = d->extra.count;
    struct uop *u = dec_emit(d, h.any->fn, h.any->fn);

    for (unsigned i = 0; i < n; i++) {
        d->ok = d->ok && vec_push(&d->extra, rows[i].offset);
    }
    if (u != NULL) {
        u->extra = list;
        u->d = packs ? out.offset : NO_OPERAND;
        u->a = packs ? NO_OPERAND : whole.offset;
        u->kinds = !packs && whole.scalar ? KIND_A : 0;
    }
    if (packs && whole.scalar) {
        dec_extract(d, out, whole);
    }
    for (unsigned i = 0; !packs && i < n; i++) {
        if (real[i].scalar && real[i].offset != NO_OPERAND) {
            dec_extract(d, rows[i], real[i]);
        }
    }
    dec_end_guarded(d, around);
}

/* --- addresses and special registers ---------------------------------------------------------- */
/* Give `value` to a destination: a move by size. */
void dec_move(struct decoder *d, const struct ir_inst *in, struct operand dst, struct operand value)
{
    static const enum ir_type by_bytes[9] = {[2] = IR_B16, [4] = IR_B32, [8] = IR_B64};
    struct handlers h;

    if (dst.offset == NO_OPERAND ||
        !dec_lookup(d->program, IR_MOV, dst.is_mask ? IR_PRED : by_bytes[dst.bytes], 0, 0, true, &h)) {
        return;
    }
    dec_guard(d, in);
    const struct handler_row *row = dst.scalar ? h.scalar : h.any;
    struct uop *u = dec_emit(d, !dst.scalar && !value.scalar && h.full != NULL ? h.full->fn : row->fn, row->fn);

    if (u != NULL) {
        u->d = dst.offset;
        u->a = value.offset;
        u->kinds = value.scalar ? KIND_A : 0;
    }
}

/* a + b by handlers of ADD; used for address arithmetic that PTX writes as one instruction. */
static void emit_add(struct decoder *d, const struct ir_inst *in, struct operand dst, struct operand a,
                     struct operand b)
{
    struct handlers h;
    const uint8_t kinds = (uint8_t)((a.scalar ? KIND_A : 0) | (b.scalar ? KIND_B : 0));

    if (dst.offset == NO_OPERAND || !dec_lookup(d->program, IR_ADD,
                                                dst.bytes == 8   ? IR_U64
                                                : dst.bytes == 4 ? IR_U32
                                                                 : IR_U16,
                                                0, kinds, true, &h)) {
        return;
    }
    dec_guard(d, in);
    const emu_handler part = dst.scalar ? h.scalar->fn : h.any->fn;
    struct uop *u = dec_emit(d,
                             dst.scalar        ? part
                             : h.mixed != NULL ? h.mixed->fn
                             : kinds == 0      ? h.full->fn
                                               : part,
                             part);

    if (u != NULL) {
        u->d = dst.offset;
        u->a = a.offset;
        u->b = b.offset;
        u->kinds = kinds;
    }
}

void dec_lea(struct decoder *d, const struct ir_inst *in)
{
    const ir_ref *srcs = ir_srcs(d->f, in);
    const struct operand dst = dec_destination(d, in, 0);
    const uint64_t offset = ir_const_bits(d->f, srcs[1]);
    uint64_t address = 0;

    if (ir_ref_kind(srcs[0]) == IR_REF_FUNC) {
        dec_move(d, in, dst, dec_const(d, (uint64_t)EMU_FUNC_STEP * (ir_ref_index(srcs[0]) + 1u) + offset, dst.bytes));
        return;
    }
    const struct ir_symbol *symbol = &d->f->module->symbols.at[ir_ref_index(srcs[0])];

    if (!dec_symbol_address(d, symbol, ir_ref_index(srcs[0]), &address)) {
        dec_refuse(d, in, "variable '%s' is not defined", symbol->name);
        return;
    }
    const bool in_frame = symbol->space == IR_SPACE_LOCAL || (symbol->space == IR_SPACE_PARAM && !symbol->kernel_param);

    if (in_frame && !d->f->is_entry) {
        struct uop *u;

        dec_guard(d, in);
        u = dec_named(d, H_FRAME_ADDRESS);
        if (u != NULL) {
            u->d = dst.offset;
            u->imm = address + offset;
            u->vec = (uint8_t)dst.bytes;
            u->kinds = dst.scalar ? KIND_D : 0;
        }
        return;
    }
    dec_move(d, in, dst, dec_const(d, address + offset, dst.bytes));
}

static uint64_t window_base(const struct emu_program *p, unsigned space)
{
    switch (space) {
    case IR_SPACE_SHARED:
    case IR_SPACE_CLUSTER:
        return p->shared_window;
    case IR_SPACE_LOCAL:
        return p->local_window;
    case IR_SPACE_PARAM:
        return p->param_window;
    default:
        return 0;
    }
}

void dec_cvta(struct decoder *d, const struct ir_inst *in)
{
    const struct operand dst = dec_destination(d, in, 0);
    struct operand a = dec_operand(d, ir_srcs(d->f, in)[0], (enum ir_type)in->type);
    const uint64_t base = window_base(d->program, in->mods.space);

    if (base == 0) {
        dec_move(d, in, dst, a);
    } else {
        emit_add(d, in, dst, a, dec_const(d, in->op == IR_CVTA ? base : 0 - base, dst.bytes));
    }
}

void dec_isspacep(struct decoder *d, const struct ir_inst *in)
{
    static const uint64_t sizes[IR_SPACE_COUNT] = {[IR_SPACE_SHARED] = CLUSTER_STRIDE,
                                                   [IR_SPACE_CLUSTER] = MEM_SHARED_WINDOW,
                                                   [IR_SPACE_LOCAL] = MEM_LOCAL_WINDOW,
                                                   [IR_SPACE_PARAM] = MEM_PARAM_WINDOW};
    const struct operand dst = dec_destination(d, in, 0);
    const uint32_t around = dec_begin_guarded(d, in);
    const struct operand a = dec_row(d, dec_operand(d, ir_srcs(d->f, in)[0], (enum ir_type)in->type));
    const struct operand out = dst.scalar ? dec_scratch(d, 4, true) : dst;
    struct uop *u = dec_named(d, H_ISSPACEP);

    if (u != NULL) {
        u->d = out.offset;
        u->a = a.offset;
        u->imm = window_base(d->program, in->mods.space);
        u->extra = (uint32_t)(sizes[in->mods.space] - 1);
        u->flag = in->mods.space == IR_SPACE_CONST ? 2 : in->mods.space == IR_SPACE_GLOBAL ? 1 : 0;
        u->vec = (uint8_t)a.bytes;
    }
    if (dst.scalar && dst.offset != NO_OPERAND) {
        dec_extract(d, out, dst);
    }
    dec_end_guarded(d, around);
}

/* mapa and getctarank. */
void dec_cluster_address(struct decoder *d, const struct ir_inst *in)
{
    const ir_ref *srcs = ir_srcs(d->f, in);
    const struct operand dst = dec_destination(d, in, 0);
    const uint32_t around = dec_begin_guarded(d, in);
    const struct operand a = dec_row(d, dec_operand(d, srcs[0], (enum ir_type)in->type));
    const bool maps = in->op == IR_MAPA;
    const struct operand rank = maps ? dec_row(d, dec_operand(d, srcs[1], IR_U32)) : a;
    const struct operand out = dst.scalar ? dec_scratch(d, dst.bytes, false) : dst;
    struct uop *u = dst.offset == NO_OPERAND ? NULL : dec_named(d, maps ? H_MAPA : H_CTA_RANK);

    if (u != NULL) {
        u->d = out.offset;
        u->a = a.offset;
        u->b = rank.offset;
        u->imm = in->mods.space == IR_SPACE_GENERIC ? d->program->shared_window : 0;
        u->vec = (uint8_t)a.bytes;
    }
    if (dst.scalar && dst.offset != NO_OPERAND) {
        dec_extract(d, out, dst);
    }
    dec_end_guarded(d, around);
}

/* Registers that are the same in a whole launch or CTA live among the constants. */
bool dec_is_launch_sreg(unsigned sreg)
{
    return (sreg >= IR_SREG_NTID_X && sreg <= IR_SREG_NTID_Z) || (sreg >= IR_SREG_CTAID_X && sreg <= IR_SREG_CTAID_Z) ||
           (sreg >= IR_SREG_NCTAID_X && sreg <= IR_SREG_NCTAID_Z);
}

void dec_sreg(struct decoder *d, const struct ir_inst *in)
{
    const struct operand dst = dec_destination(d, in, 0);
    const unsigned sreg = ir_ref_index(ir_srcs(d->f, in)[0]);

    if (dst.offset == NO_OPERAND) {
        return;
    }
    d->program->uses_reserved_shared |=
        sreg >= IR_SREG_RESERVED_SMEM_OFFSET_BEGIN && sreg <= IR_SREG_RESERVED_SMEM_OFFSET_1;
    if (d->f->is_entry && dec_is_launch_sreg(sreg) && !dst.is_mask) {
        dec_move(d, in, dst, dec_patched(d, (struct emu_patch){.sreg = (uint16_t)sreg}, dst.bytes));
        return;
    }
    dec_guard(d, in);
    const bool tid = sreg >= IR_SREG_TID_X && sreg <= IR_SREG_TID_Z && dst.bytes == 4 && !dst.scalar;
    struct uop *u = dec_named(d, tid ? H_MOV_TID : H_MOV_SREG);

    if (u == NULL) {
        return;
    }
    u->d = dst.offset;
    u->mode = (uint8_t)(tid ? sreg - IR_SREG_TID_X : sreg);
    u->flag = (uint8_t)(tid ? 0 : sreg >> 8);
    u->vec = (uint8_t)(dst.is_mask ? 1 : dst.bytes * 8);
    u->kinds = dst.scalar ? KIND_D : 0;
}
