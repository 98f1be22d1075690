/*
 * Operands as references.  Invariant: the result of lower_value is a register or a constant that fits the type asked
 * for, or IR_REF_NONE where the statement wrote the sink.
 */
#include "frontend/lower_inst.h"

unsigned lower_reg_bits(const struct ptx_lower *l, ir_ref reg)
{
    return ir_ref_kind(reg) == IR_REF_REG ? ir_type_info[l->f->regs.at[ir_ref_index(reg)].type].bits : 0;
}

enum ir_type lower_type_of(enum ir_type_kind kind, unsigned bits)
{
    for (unsigned t = IR_TYPE_NONE + 1; t < IR_TYPE_COUNT; t++) {
        if (ir_type_info[t].kind == kind && ir_type_info[t].bits == bits) {
            return (enum ir_type)t;
        }
    }
    return IR_TYPE_NONE;
}

ir_ref lower_const(struct ptx_lower *l, uint64_t bits, enum ir_type type)
{
    unsigned width = ir_type_info[type].bits;
    uint64_t value = type == IR_PRED ? bits != 0 : width > 0 && width < 64 ? bits & (((uint64_t)1 << width) - 1) : bits;
    ir_ref r = ir_const(l->f, value);

    l->ok = l->ok && r != IR_REF_NONE;
    return r;
}

/* !p */
static ir_ref negated(struct ptx_lower *l, ir_ref p)
{
    struct ir_inst in = lower_plain(l, IR_NOT, IR_PRED);

    return lower_compute(l, &in, IR_PRED, p, IR_REF_NONE, IR_REF_NONE);
}

static ir_ref special_register(struct ptx_lower *l, ir_ref sreg)
{
    unsigned bits = ir_sreg_info[ir_ref_index(sreg)].bits;
    enum ir_type type = bits == 1 ? IR_PRED : lower_type_of(IR_KIND_UINT, bits);
    struct ir_inst in = lower_plain(l, IR_MOV_SREG, type);

    return lower_compute(l, &in, type, sreg, IR_REF_NONE, IR_REF_NONE);
}

static ir_ref address_of(struct ptx_lower *l, const struct ptx_operand *o, enum ir_type type)
{
    struct ir_inst in = lower_plain(l, IR_LEA, type);

    return lower_compute(l, &in, type, o->ref, lower_const(l, (uint64_t)o->offset, IR_B64), IR_REF_NONE);
}

ir_ref lower_value(struct ptx_lower *l, const struct ptx_operand *o, enum ir_type type)
{
    ir_ref r = o->ref;

    switch ((enum ptx_operand_kind)o->kind) {
    case PTX_OPND_IMM:
        r = lower_const(l, o->bits, type);
        break;
    case PTX_OPND_SREG:
        r = special_register(l, o->ref);
        break;
    case PTX_OPND_SYMBOL:
    case PTX_OPND_FUNC:
        return address_of(l, o, type);
    case PTX_OPND_ADDRESS: /* of an element; else what a handle is read from */
        if (o->subscript) {
            return address_of(l, o, type);
        }
        break;
    case PTX_OPND_NONE:
    case PTX_OPND_SINK:
        return IR_REF_NONE;
    default:
        break;
    }
    return o->negated ? negated(l, r) : r;
}

ir_ref lower_target(const struct ptx_operand *o)
{
    return o->kind == PTX_OPND_REG ? o->ref : IR_REF_NONE;
}

static bool has_elements(const struct ptx_operand *o)
{
    return o->kind == PTX_OPND_VECTOR || o->kind == PTX_OPND_PAIR || o->kind == PTX_OPND_LIST ||
           o->kind == PTX_OPND_TUPLE;
}

unsigned lower_elements(const struct ptx_operand *o)
{
    return has_elements(o) ? o->count : 1;
}

const struct ptx_operand *lower_element(const struct ptx_operand *o, unsigned i)
{
    if (has_elements(o)) {
        return i < o->count ? &o->elements[i] : NULL;
    }
    return i == 0 ? o : NULL;
}

void lower_push_address(struct ptx_lower *l, struct lower_refs *refs, const struct ptx_operand *o)
{
    lower_push(refs, o->ref);
    lower_push(refs, lower_const(l, (uint64_t)o->offset, IR_B64));
}

const struct ptx_operand *lower_operand(const struct ptx_lower *l, unsigned i)
{
    return i < l->inst->n_operands && l->inst->operands[i].kind != PTX_OPND_NONE ? &l->inst->operands[i] : NULL;
}
