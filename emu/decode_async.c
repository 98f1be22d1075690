/*
 * Asynchronous copies, what groups them and waits for them, and mbarriers.
 */
#include "emu/decode.h"

void dec_copy(struct decoder *d, const struct ir_inst *in)
{
    const struct address from = dec_address(d, in, 0), to = dec_address(d, in, 2);
    const struct operand size = dec_operand(d, ir_srcs(d->f, in)[4], IR_U32);
    const uint32_t list = d->extra.count;

    d->ok = d->ok && vec_push(&d->extra, d->program->n_windows++) && vec_push(&d->extra, (uint32_t)to.offset);
    dec_guard(d, in);
    struct uop *u = dec_named(d, H_CP_ASYNC);

    if (u == NULL) {
        return;
    }
    u->a = from.base.offset;
    u->imm = from.offset;
    u->b = to.base.offset;
    u->c = size.offset;
    u->kinds = (uint8_t)((from.base.scalar ? KIND_A : 0) | (to.base.scalar ? KIND_B : 0) | (size.scalar ? KIND_C : 0));
    u->flag = (uint8_t)((from.base.bytes == 4 ? MEM_ADDRESS_32 : 0) | (to.base.bytes == 4 ? MEM_SECOND_32 : 0));
    u->space = IR_SPACE_GLOBAL;
    u->vec = (uint8_t)ir_type_bytes((enum ir_type)in->type);
    u->extra = list;
}

void dec_copy_group(struct decoder *d, const struct ir_inst *in)
{
    const uint64_t most = in->op == IR_CP_WAIT ? ir_const_bits(d->f, ir_srcs(d->f, in)[0]) : 0;

    dec_guard(d, in);
    struct uop *u = dec_named(d, H_CP_GROUP);

    if (u != NULL) {
        u->mode = in->op == IR_CP_COMMIT ? COPY_COMMIT : in->op == IR_CP_WAIT ? COPY_WAIT : COPY_WAIT_ALL;
        u->imm = most;
    }
}

/* --- mbarriers -------------------------------------------------------------------------------- */
struct mbar_row {
    uint8_t mode, flags;
};

static struct mbar_row mbar_row(unsigned op)
{
    switch (op) {
    case IR_MBAR_INIT:
        return (struct mbar_row){MBAR_DO_INIT, 0};
    case IR_MBAR_INVAL:
        return (struct mbar_row){MBAR_DO_INVAL, 0};
    case IR_MBAR_EXPECT_TX:
        return (struct mbar_row){MBAR_DO_TX, MBAR_MORE_TX};
    case IR_MBAR_COMPLETE_TX:
        return (struct mbar_row){MBAR_DO_TX, 0};
    case IR_MBAR_ARRIVE_TX:
        return (struct mbar_row){MBAR_DO_ARRIVE, MBAR_MORE_TX};
    case IR_MBAR_ARRIVE_HOLD:
        return (struct mbar_row){MBAR_DO_ARRIVE, MBAR_HOLDS};
    case IR_MBAR_DROP:
        return (struct mbar_row){MBAR_DO_ARRIVE, MBAR_DROPS};
    case IR_MBAR_DROP_TX:
        return (struct mbar_row){MBAR_DO_ARRIVE, MBAR_DROPS | MBAR_MORE_TX};
    case IR_MBAR_DROP_HOLD:
        return (struct mbar_row){MBAR_DO_ARRIVE, MBAR_DROPS | MBAR_HOLDS};
    case IR_CP_ARRIVE:
        return (struct mbar_row){MBAR_DO_COPY, MBAR_BALANCED};
    case IR_CP_ARRIVE_NOINC:
        return (struct mbar_row){MBAR_DO_COPY, 0};
    default:
        return (struct mbar_row){MBAR_DO_ARRIVE, 0};
    }
}

static void set_mbarrier(struct uop *u, const struct ir_inst *in, const struct address *a, struct operand b)
{
    u->a = a->base.offset;
    u->imm = a->offset;
    u->b = b.offset;
    u->kinds = (uint8_t)((a->base.scalar ? KIND_A : 0) | (b.scalar ? KIND_B : 0));
    u->flag = a->base.bytes == 4 ? MEM_ADDRESS_32 : 0;
    u->space = in->mods.space;
}

/* Lanes may stop: a guard becomes a branch around it. */
static void dec_mbarrier_wait(struct decoder *d, const struct ir_inst *in)
{
    const bool parity = in->op == IR_MBAR_WAIT_PARITY;
    const struct operand dst = dec_real_destination(d, in, dec_destination(d, in, 0));
    const uint32_t around = dec_begin_guarded(d, in);
    const struct address a = dec_address(d, in, 0);
    const struct operand b = dec_operand(d, ir_srcs(d->f, in)[2], parity ? IR_U32 : IR_B64);
    struct uop *u = dec_named(d, H_MBAR_WAIT);

    if (u != NULL) {
        set_mbarrier(u, in, &a, b);
        u->d = dst.offset;
        u->mode = MBAR_DO_WAIT;
        u->env = parity ? MBAR_PARITY : 0;
    }
    dec_end_guarded(d, around);
}

void dec_mbarrier(struct decoder *d, const struct ir_inst *in)
{
    const struct mbar_row row = mbar_row(in->op);

    if (in->op == IR_MBAR_WAIT || in->op == IR_MBAR_WAIT_PARITY) {
        dec_mbarrier_wait(d, in);
        return;
    }
    const struct address a = dec_address(d, in, 0);
    const struct operand b = in->n_src > 2 ? dec_operand(d, ir_srcs(d->f, in)[2], IR_U32) : dec_const(d, 1, 4);
    const struct operand dst = dec_destination(d, in, 0);

    dec_guard(d, in);
    struct uop *u = dec_named(d, H_MBAR);

    if (u != NULL) {
        set_mbarrier(u, in, &a, b);
        u->d = dst.offset;
        u->mode = row.mode;
        u->env = row.flags;
    }
}
