/*
 * Asynchronous copies and what groups them and waits for them.
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
