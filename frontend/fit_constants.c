/*
 * Constants with a range, and the operands of video instructions with their selectors.
 */
#include <string.h>

#include "frontend/fit.h"

/* --- constants ------------------------------------------------------------------------------ */
static bool in_range(const struct ptx_operand_pattern *o, int64_t value)
{
    if (o->power_of_two) {
        return value > 0 && (value & (value - 1)) == 0;
    }
    if (o->ranged) {
        return value >= o->low && value <= o->high && (value - o->low) % o->step == 0;
    }
    for (unsigned i = 0; i < o->n_list; i++) {
        if (o->list[i] == value) {
            return true;
        }
    }
    return !o->listed;
}

bool ptx_fit_constant(const struct ptx_operand_pattern *o, const struct ptx_operand *op, struct ptx_fault *f)
{
    if (o->reg_ok && op->kind == PTX_OPND_REG) {
        return (ptx_fit_register((enum ir_type)op->type, IR_U32, false) && !op->minus && !op->negated) ||
               ptx_fit_type_fault(f, PTX_FAULT_TYPE, op, IR_U32);
    }
    if (op->kind != PTX_OPND_IMM) {
        return ptx_fit_fault(f, PTX_FAULT_KIND, op);
    }
    if (op->literal != PTX_LIT_INT && op->literal != PTX_LIT_UINT) {
        return ptx_fit_type_fault(f, PTX_FAULT_LITERAL, op, IR_B32);
    }
    return in_range(o, (int64_t)op->bits) || ptx_fit_fault(f, PTX_FAULT_RANGE, op);
}

bool ptx_fit_fraction(const struct ptx_operand *op, struct ptx_fault *f)
{
    struct ptx_operand copy = *op;
    double value;

    if (op->kind != PTX_OPND_IMM || !ptx_literal_fits(op, IR_F64) || op->literal == PTX_LIT_INT) {
        return op->kind == PTX_OPND_IMM ? ptx_fit_type_fault(f, PTX_FAULT_LITERAL, op, IR_F32)
                                        : ptx_fit_fault(f, PTX_FAULT_KIND, op);
    }
    ptx_literal_convert(&copy, IR_F64);
    memcpy(&value, &copy.bits, sizeof value);
    return (value > 0 && value <= 1) || ptx_fit_fault(f, PTX_FAULT_RANGE, op);
}

/* --- video operands ------------------------------------------------------------------------- */
/* Parts a mnemonic works on: 1 for the scalar ones, 2 or 4. */
static unsigned video_parts(const struct ptx_candidate *c)
{
    const char *name = c->pattern->form->mnemonic;
    char last = name[strlen(name) - 1];

    return last == '2' || last == '4' ? (unsigned)(last - '0') : 1;
}

static bool selector_agrees(struct ptx_selector s, unsigned parts, bool is_mask)
{
    unsigned limit = s.kind == 'h' ? 2 : 4;

    if (parts == 1) {
        return s.count == 1 && s.digit[0] < limit;
    }
    if (s.kind != (parts == 2 ? 'h' : 'b')) {
        return false;
    }
    if (!is_mask) {
        limit *= 2; /* parts of a and b */
    }
    for (unsigned i = 0; i < s.count; i++) {
        if (s.digit[i] >= limit) {
            return false;
        }
    }
    return is_mask ? s.count <= parts : s.count == parts;
}

bool ptx_fit_video(const struct ptx_candidate *c, const struct ptx_operand_pattern *o, const struct ptx_operand *op,
                   struct ptx_fault *f)
{
    enum ptx_video_kind kind = (enum ptx_video_kind)o->sub;
    bool may_negate = kind == PTX_VIDEO_SRC_NEG || kind == PTX_VIDEO_ADDEND;

    if (op->kind == PTX_OPND_IMM) {
        return (o->immediate && ptx_literal_fits(op, IR_U32)) || ptx_fit_type_fault(f, PTX_FAULT_LITERAL, op, IR_U32);
    }
    if (op->kind != PTX_OPND_REG) {
        return ptx_fit_type_fault(f, PTX_FAULT_KIND, op, IR_U32);
    }
    if (!ptx_fit_register((enum ir_type)op->type, IR_U32, false)) {
        return ptx_fit_type_fault(f, PTX_FAULT_TYPE, op, IR_U32);
    }
    if (op->negated || (op->minus && !may_negate)) {
        return ptx_fit_fault(f, PTX_FAULT_NEGATION, op);
    }
    if (op->selector.kind == 0) {
        return kind != PTX_VIDEO_DST || ptx_fit_fault(f, PTX_FAULT_SELECTOR, op);
    }
    return (kind != PTX_VIDEO_ADDEND && selector_agrees(op->selector, video_parts(c), kind == PTX_VIDEO_MASK)) ||
           ptx_fit_fault(f, PTX_FAULT_SELECTOR, op);
}
