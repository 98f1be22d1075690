/*
 * Registers, immediates and vectors of them: does a written value fit the type a form wants?
 */
#include <string.h>

#include "frontend/fit.h"

/* --- types ---------------------------------------------------------------------------------- */
enum ir_type ptx_type_of(const struct ptx_candidate *c, struct ptx_type_ref ref)
{
    enum ir_type type = ref.role != 0 ? (enum ir_type)c->role_type[ref.role - 'A'] : (enum ir_type)ref.type;

    return ref.wide ? ir_type_wide(type) : type;
}

bool ptx_fit_is_integral(enum ir_type_kind kind)
{
    return kind == IR_KIND_UINT || kind == IR_KIND_SINT || kind == IR_KIND_BITS;
}

/*
 * May a register declared `have` stand where `want` is meant?  Sizes are equal and bits match any kind; floats never
 * mix with integers.  Packed and alternative formats live in registers of bits.  `wider`: loads, stores and conversions
 * also take integer registers that are wider.
 */
bool ptx_fit_register(enum ir_type have, enum ir_type want, bool wider)
{
    const struct ir_type_info *h = &ir_type_info[have], *w = &ir_type_info[want];

    if (have == want) {
        return true;
    }
    if (h->kind == IR_KIND_PRED || w->kind == IR_KIND_PRED) {
        return false;
    }
    if (wider && ptx_fit_is_integral(h->kind) && ptx_fit_is_integral(w->kind) && h->bits >= w->bits) {
        return true;
    }
    if (h->bits != w->bits && !(w->bits < 8 && h->bits == 8)) {
        /* 8-bit formats are kept in 16-bit registers; .b128 has no other. */
        return false;
    }
    if (h->kind == IR_KIND_BITS || w->kind == IR_KIND_BITS) {
        return true;
    }
    if (want == IR_U16X2 || want == IR_S16X2) {
        return ptx_fit_is_integral(h->kind);
    }
    return ptx_fit_is_integral(h->kind) && ptx_fit_is_integral(w->kind);
}

/* --- faults --------------------------------------------------------------------------------- */
bool ptx_fit_fault(struct ptx_fault *f, enum ptx_fault_kind kind, const struct ptx_operand *op)
{
    f->kind = (uint8_t)kind;
    f->op = op;
    return false;
}

bool ptx_fit_type_fault(struct ptx_fault *f, enum ptx_fault_kind kind, const struct ptx_operand *op, enum ir_type want)
{
    f->want = (uint8_t)want;
    return ptx_fit_fault(f, kind, op);
}

bool ptx_fit_count_fault(struct ptx_fault *f, const struct ptx_operand *op, uint32_t count)
{
    f->count = count;
    return ptx_fit_fault(f, PTX_FAULT_ELEMENTS, op);
}

/* --- registers and immediates --------------------------------------------------------------- */
/* Widths at which a special register can be read: index registers also as 16 bits, the grid's id at any width. */
bool ptx_fit_special(ir_ref ref, enum ir_type type)
{
    unsigned id = ir_ref_index(ref);
    const struct ir_type_info *t = &ir_type_info[type];
    unsigned bits = ir_sreg_info[id].bits;

    if (bits == 1 || t->kind == IR_KIND_PRED) {
        return bits == 1 && t->kind == IR_KIND_PRED;
    }
    if (!ptx_fit_is_integral(t->kind)) {
        return false;
    }
    if (id == IR_SREG_GRIDID) {
        return t->bits == 16 || t->bits == 32 || t->bits == 64;
    }
    return t->bits == bits || (t->bits == 16 && id >= IR_SREG_TID_X && id <= IR_SREG_NCTAID_W);
}

bool ptx_fit_value(struct ptx_place at, const struct ptx_operand *op, enum ir_type want, struct ptx_fault *f)
{
    const struct ptx_operand_pattern *o = at.o;

    switch (op->kind) {
    case PTX_OPND_REG:
        if (op->selector.kind != 0) {
            return ptx_fit_fault(f, PTX_FAULT_SELECTOR, op);
        }
        if (op->minus || (op->negated && (ir_type_info[want].kind != IR_KIND_PRED || at.is_first)) || op->offset != 0) {
            return ptx_fit_fault(f, PTX_FAULT_NEGATION, op);
        }
        return ptx_fit_register((enum ir_type)op->type, want, o->wider) ||
               ptx_fit_type_fault(f, PTX_FAULT_TYPE, op, want);
    case PTX_OPND_IMM:
        if (!o->immediate) {
            return ptx_fit_type_fault(f, PTX_FAULT_LITERAL, op, want);
        }
        return ptx_literal_fits(op, want) || ptx_fit_type_fault(f, PTX_FAULT_LITERAL, op, want);
    case PTX_OPND_SREG:
        if (!o->special || at.is_first) {
            return ptx_fit_fault(f, PTX_FAULT_SPECIAL, op);
        }
        return ptx_fit_special(op->ref, want) || ptx_fit_type_fault(f, PTX_FAULT_TYPE, op, want);
    case PTX_OPND_SINK:
        return (o->sink && at.is_first) || ptx_fit_fault(f, PTX_FAULT_SINK, op);
    default:
        return ptx_fit_type_fault(f, PTX_FAULT_KIND, op, want);
    }
}

/* --- vectors -------------------------------------------------------------------------------- */
uint32_t ptx_fit_element_count(const struct ptx_candidate *c, const struct ptx_operand_pattern *o)
{
    if (o->count_role == 0) {
        return o->scale;
    }
    uint32_t number = c->role_number[o->count_role - 'A'];

    return number == 0 ? 0 : o->scale * number - o->minus;
}

/*
 * The elements of a vector have one size.  The first one's kind is checked; a later one may be of another kind, which
 * the assembler takes (it moves bits).
 */
bool ptx_fit_elements(struct ptx_place at, const struct ptx_operand *op, uint32_t count, enum ir_type want,
                      struct ptx_fault *f)
{
    const struct ptx_operand *first = NULL;
    uint32_t sinks = 0;

    if (op->kind != PTX_OPND_VECTOR || op->count != count) {
        return ptx_fit_count_fault(f, op, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_operand *e = &op->elements[i];

        if (e->kind == PTX_OPND_SINK && at.is_first) {
            sinks++;
        } else if (e->kind == PTX_OPND_SINK || e->kind == PTX_OPND_VECTOR) {
            return ptx_fit_type_fault(f, PTX_FAULT_KIND, e, want);
        } else if (first == NULL || e->kind != PTX_OPND_REG || ir_type_info[e->type].kind == IR_KIND_PRED ||
                   e->selector.kind != 0 || e->minus || e->negated) {
            if (!ptx_fit_value(at, e, want, f)) {
                return false;
            }
            first = e->kind == PTX_OPND_REG ? e : first;
        } else if (ir_type_info[e->type].bits != ir_type_info[first->type].bits) {
            return ptx_fit_type_fault(f, PTX_FAULT_TYPE, e, (enum ir_type)first->type);
        }
    }
    return sinks < count || ptx_fit_fault(f, PTX_FAULT_SINK, op);
}

bool ptx_fit_vector(const struct ptx_candidate *c, struct ptx_place at, const struct ptx_operand *op,
                    struct ptx_fault *f)
{
    uint32_t count = ptx_fit_element_count(c, at.o);
    enum ir_type want = ptx_type_of(c, at.o->type);

    /* The word that says the length was left out: one value, without braces except that surfaces may have them. */
    if (count == 0) {
        bool in_braces = op->kind == PTX_OPND_VECTOR && op->count == 1 && ir_op_info[c->match.op].unit == IR_UNIT_TEX;

        return ptx_fit_value(at, in_braces ? &op->elements[0] : op, want, f);
    }
    return ptx_fit_elements(at, op, count, want, f);
}

bool ptx_fit_pair(const struct ptx_candidate *c, struct ptx_place at, const struct ptx_operand *op, struct ptx_fault *f)
{
    if (op->kind != PTX_OPND_PAIR) {
        return ptx_fit_type_fault(f, PTX_FAULT_KIND, op, IR_TYPE_NONE);
    }
    const struct ptx_operand *first = &op->elements[0], *second = &op->elements[1];
    bool good = first->kind == PTX_OPND_SINK ||
                (at.o->pair_of_vector
                     ? ptx_fit_elements(at, first, ptx_fit_element_count(c, at.o), ptx_type_of(c, at.o->type), f)
                     : ptx_fit_value(at, first, ptx_type_of(c, at.o->type), f));

    return good && (second->kind == PTX_OPND_SINK || ptx_fit_value(at, second, ptx_type_of(c, at.o->second), f));
}
