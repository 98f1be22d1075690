/*
 * Bulk copies to uops: see bulk.h.  Their operands are listed, for they have up to eight.
 */
#include "emu/decode.h"

#include "emu/bulk.h"

static uint8_t mode_of(unsigned op)
{
    switch (op) {
    case IR_BULK_LOAD:
        return BULK_IN;
    case IR_BULK_MULTICAST:
        return BULK_IN_ALL;
    case IR_BULK_SEND:
    case IR_BULK_SEND_RED:
        return BULK_ACROSS;
    case IR_BULK_STORE:
    case IR_BULK_STORE_RED:
        return BULK_OUT;
    default:
        return BULK_VALUES;
    }
}

static bool combines(unsigned op)
{
    return op == IR_BULK_SEND_RED || op == IR_BULK_STORE_RED || op == IR_RED_ASYNC;
}

/* Both words of an address, eight bytes wide, but for a base of four bytes whose sum with an offset wraps around. */
static void list_address(struct decoder *d, const struct ir_inst *in, unsigned first)
{
    const struct address a = dec_address(d, in, first);
    const bool wraps = a.base.bytes == 4 && a.offset != 0;

    dec_list(d, wraps ? dec_row(d, a.base) : dec_resized(d, a.base, 8));
    dec_list(d, dec_const(d, a.offset, 8));
}

void dec_bulk(struct decoder *d, const struct ir_inst *in)
{
    const uint32_t list = d->extra.count;
    unsigned source = 0;

    for (const char *letter = ir_shape_info[ir_op_info[in->op].shape].srcs; *letter != '\0'; letter++) {
        const unsigned values = *letter == 'V' ? in->mods.vec : 1;

        if (*letter == 'M') {
            list_address(d, in, source);
            source += 2;
            continue;
        }
        for (unsigned i = 0; i < values; i++) {
            const enum ir_type type = *letter == 'V' ? (enum ir_type)in->type : IR_U32;

            dec_list(d, dec_operand(d, ir_srcs(d->f, in)[source++], type));
        }
    }
    dec_guard(d, in);
    struct uop *u = dec_named(d, H_BULK);

    if (u != NULL) {
        u->mode = mode_of(in->op);
        u->env = combines(in->op) ? in->mods.atom : BULK_PLAIN;
        u->c = in->type;
        u->b = in->mods.vec;
        u->extra = list;
        u->vec = 0; /* global memory is reached as functions of the runtime reach it */
    }
}

void dec_bulk_group(struct decoder *d, const struct ir_inst *in)
{
    const bool waits = in->op == IR_BULK_WAIT;
    const uint64_t most = waits ? ir_const_bits(d->f, ir_srcs(d->f, in)[0]) : 0;

    dec_guard(d, in);
    struct uop *u = dec_named(d, H_BULK_GROUP);

    if (u != NULL) {
        u->mode = waits ? COPY_WAIT : COPY_COMMIT;
        u->imm = most;
    }
}
