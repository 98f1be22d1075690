/*
 * ldmatrix, stmatrix and movmatrix.  All lanes of the warp take part, so these wait for each other as at a *.sync
 * instruction whose members are all 32; their operands stand in a list (code.h).
 */
#include "emu/decode.h"

enum { MOST_REGISTERS = 4 };

/* All lanes are members, which operand e says with a constant. */
static void wait_for_warp(struct decoder *d, struct uop *u)
{
    u->e = dec_const(d, UINT32_MAX, 4).offset;
    u->kinds |= KIND_4;
    u->flag |= CROSS_SYNC;
}

static void dec_movmatrix(struct decoder *d, const struct ir_inst *in)
{
    const struct operand dst = dec_real_destination(d, in, dec_destination(d, in, 0));
    const struct operand out = dst.scalar ? dec_scratch(d, 4, false) : dst;
    const uint32_t around = dec_begin_guarded(d, in);
    const struct operand a = dec_row(d, dec_operand(d, ir_srcs(d->f, in)[0], IR_B32));
    struct uop *u = dec_named(d, H_MOVMATRIX);

    if (u != NULL) {
        u->d = out.offset;
        u->a = a.offset;
        u->space = u->env = sizeof(uint32_t);
        wait_for_warp(d, u);
    }
    if (dst.scalar) {
        dec_extract(d, out, dst);
    }
    dec_end_guarded(d, around);
}

static void list_operand(struct decoder *d, struct operand o)
{
    d->ok = d->ok && vec_push(&d->extra, o.offset) && vec_push(&d->extra, o.bytes);
}

/* The registers of the matrices, which are results or sources, and the addresses. */
static uint32_t list_operands(struct decoder *d, const struct operand *regs, unsigned n, bool results,
                              struct operand base)
{
    const uint32_t at = d->extra.count;

    d->ok = d->ok && vec_push(&d->extra, d->program->n_windows++) && vec_push(&d->extra, results ? n : 0) &&
            vec_push(&d->extra, results ? 1 : n + 1);
    for (unsigned j = 0; j < n; j++) {
        list_operand(d, regs[j]);
    }
    list_operand(d, base);
    return at;
}

void dec_matrix_move(struct decoder *d, const struct ir_inst *in)
{
    const bool load = in->op == IR_LDMATRIX;
    const unsigned n = in->mods.vec;
    struct operand regs[MOST_REGISTERS];

    if (in->op == IR_MOVMATRIX) {
        dec_movmatrix(d, in);
        return;
    }
    if (n > MOST_REGISTERS) {
        dec_refuse_form(d, in);
        return;
    }
    const uint32_t around = dec_begin_guarded(d, in);
    const struct address a = dec_address(d, in, 0);
    const struct operand base = dec_row(d, a.base);

    for (unsigned j = 0; j < n; j++) {
        regs[j] = load ? dec_destination(d, in, j) : dec_row(d, dec_operand(d, ir_srcs(d->f, in)[2 + j], IR_B32));
    }
    const uint32_t list = list_operands(d, regs, n, load, base);
    struct uop *u = dec_named(d, load ? H_LDMATRIX : H_STMATRIX);

    if (u != NULL) {
        u->a = base.offset;
        u->imm = a.offset;
        u->space = (uint8_t)base.bytes;
        u->mode =
            (uint8_t)((in->mods.trans ? MOVE_TRANS : 0) | (in->mods.space == IR_SPACE_GENERIC ? MOVE_GENERIC : 0));
        u->vec = (uint8_t)n;
        u->extra = list;
        u->flag = MEM_EXTRA | UOP_LISTED;
        wait_for_warp(d, u);
    }
    dec_end_guarded(d, around);
}
