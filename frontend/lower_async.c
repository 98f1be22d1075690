/*
 * Asynchronous copies and mbarriers.  Invariants: CP_ASYNC always says how many bytes are read, and its type how many
 * are written; an arrival always says how many threads it stands for.
 */
#include "frontend/lower_inst.h"

enum { COPY_TO, COPY_FROM, COPY_BYTES, COPY_EXTRA };

/* A predicate that is true when the source is to be ignored. */
static bool is_predicate(const struct ptx_lower *l, const struct ptx_operand *o)
{
    return ir_ref_kind(o->ref) == IR_REF_REG && l->f->regs.at[ir_ref_index(o->ref)].type == IR_PRED;
}

/* The fourth operand is a size, a predicate or, where it is the last of a form with a hint, a cache policy. */
static const struct ptx_operand *source_size(const struct ptx_lower *l)
{
    const bool is_policy = ptx_match_has(l->match, PTX_MOD_L2_CACHE_HINT) && l->inst->n_operands == COPY_EXTRA + 1;

    return is_policy ? NULL : lower_operand(l, COPY_EXTRA);
}

static ir_ref bytes_read(struct ptx_lower *l, uint64_t whole)
{
    const struct ptx_operand *size = source_size(l);
    const ir_ref all = lower_const(l, whole, IR_U32);

    if (size == NULL) {
        return all;
    }
    if (!is_predicate(l, size)) {
        return lower_value(l, size, IR_U32);
    }
    const struct ir_inst select = lower_plain(l, IR_SELP, IR_U32);

    return lower_compute(l, &select, IR_U32, lower_const(l, 0, IR_U32), all, lower_value(l, size, IR_PRED));
}

void lower_cp_async(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    const uint64_t whole = o[COPY_BYTES].bits;
    struct ir_inst in = lower_guarded(l, IR_CP_ASYNC, whole == 4 ? IR_B32 : whole == 8 ? IR_B64 : IR_B128);
    const struct lower_refs none = {0};
    struct lower_refs srcs = {0};

    in.mods.space = IR_SPACE_GLOBAL;
    lower_push_address(l, &srcs, &o[COPY_FROM]);
    lower_push_address(l, &srcs, &o[COPY_TO]);
    lower_push(&srcs, bytes_read(l, whole));
    lower_emit(l, &in, &none, &srcs);
}

void lower_cp_arrive(struct ptx_lower *l)
{
    struct ir_inst in = lower_written(l);

    in.op = ptx_match_has(l->match, PTX_MOD_NOINC) ? IR_CP_ARRIVE_NOINC : IR_CP_ARRIVE;
    in.mods.space = lower_access_space(l);
    lower_by_shape(l, &in);
}

/* --- bulk copies ------------------------------------------------------------------------------ */
enum { BULK_TO, BULK_FROM, BULK_BYTES, BULK_MBARRIER, BULK_CTAS };

/* Copies that reduce have elements of a type; others move 16 bytes at a time. */
static struct ir_inst lower_bulk(const struct ptx_lower *l, enum ir_space space)
{
    struct ir_inst in = lower_written(l);

    if (in.op != IR_BULK_SEND_RED && in.op != IR_BULK_STORE_RED) {
        in.type = IR_B128;
    }
    in.mods.space = space;
    return in;
}

/* Bits of CTAs, in 16 bits as written. */
static ir_ref cta_mask(struct ptx_lower *l)
{
    struct ir_inst widen = lower_plain(l, IR_CVT, IR_U32);

    widen.type2 = IR_U16;
    return lower_compute(l, &widen, IR_U32, lower_value(l, &l->inst->operands[BULK_CTAS], IR_U16), IR_REF_NONE,
                         IR_REF_NONE);
}

void lower_bulk_load(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    const bool sends = l->match->op == IR_BULK_SEND || l->match->op == IR_BULK_SEND_RED;
    const struct ir_inst in = lower_bulk(l, sends ? IR_SPACE_SHARED : IR_SPACE_GLOBAL);
    const struct lower_refs none = {0};
    struct lower_refs srcs = {0};

    lower_push_address(l, &srcs, &o[BULK_FROM]);
    lower_push_address(l, &srcs, &o[BULK_TO]);
    lower_push_address(l, &srcs, &o[BULK_MBARRIER]);
    lower_push(&srcs, lower_value(l, &o[BULK_BYTES], IR_U32));
    if (in.op == IR_BULK_MULTICAST) {
        lower_push(&srcs, cta_mask(l));
    }
    lower_emit(l, &in, &none, &srcs);
}

void lower_bulk_store(struct ptx_lower *l)
{
    const struct ir_inst in = lower_bulk(l, IR_SPACE_GLOBAL);

    lower_by_shape(l, &in);
}

void lower_store_async(struct ptx_lower *l)
{
    struct ir_inst in = lower_written(l);

    in.mods.space = IR_SPACE_CLUSTER;
    lower_by_shape(l, &in);
}

/* --- mbarriers -------------------------------------------------------------------------------- */
enum { ARRIVE_STATE, ARRIVE_ADDRESS, ARRIVE_COUNT };

static bool is_arrival(unsigned op)
{
    return ir_op_info[op].shape == IR_SHAPE_MBAR_STATE;
}

/* The count may be left out: one. */
static void lower_arrival(struct ptx_lower *l, const struct ir_inst *in)
{
    const struct ptx_operand *o = l->inst->operands, *count = lower_operand(l, ARRIVE_COUNT);
    struct lower_refs dsts = {.at = {lower_target(&o[ARRIVE_STATE])}, .count = 1}, srcs = {0};

    lower_push_address(l, &srcs, &o[ARRIVE_ADDRESS]);
    lower_push(&srcs, count == NULL ? lower_const(l, 1, IR_U32) : lower_value(l, count, IR_U32));
    lower_emit(l, in, &dsts, &srcs);
}

void lower_mbarrier(struct ptx_lower *l)
{
    struct ir_inst in = lower_written(l);

    in.mods.space = lower_access_space(l);
    if (is_arrival(in.op)) {
        lower_arrival(l, &in);
    } else {
        lower_by_shape(l, &in);
    }
}
