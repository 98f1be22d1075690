/*
 * Do the written operands fit a form?  Nothing is changed and nothing is reported: several forms may be tried, and the
 * fault of the one that came furthest is what the user hears of.  The kinds of operands are in fit_*.c.
 */
#include <string.h>

#include "frontend/fit.h"

/* --- one operand, all operands -------------------------------------------------------------- */
static bool fit_special_vector(const struct ptx_operand *op, struct ptx_fault *f)
{
    bool all = op->kind == PTX_OPND_VECTOR;

    for (uint32_t i = 0; all && i < op->count; i++) {
        all = op->elements[i].kind == PTX_OPND_SREG;
    }
    return all || op->kind == PTX_OPND_SREG || ptx_fit_fault(f, PTX_FAULT_KIND, op);
}

/* A register plus a constant.  The register may have another width than the result, but is no float beside an integer.
 */
static bool fit_register_offset(const struct ptx_operand *op, enum ir_type want, struct ptx_fault *f)
{
    const struct ir_type_info *have = &ir_type_info[op->type];

    if (op->kind != PTX_OPND_REG || op->offset == 0 || op->minus || op->negated || op->selector.kind != 0) {
        return ptx_fit_fault(f, PTX_FAULT_KIND, op);
    }
    const bool fits =
        ptx_fit_is_integral(have->kind) || (have->kind == IR_KIND_FLOAT && ir_type_info[want].kind == IR_KIND_BITS);

    return (fits && have->bits >= 16 && have->bits <= 64) || ptx_fit_type_fault(f, PTX_FAULT_TYPE, op, want);
}

/* variable[n] where an address is wanted, and no access to it. */
static bool is_element(const struct ptx_operand *op)
{
    return op->kind == PTX_OPND_ADDRESS && op->subscript && op->count == 0;
}

static bool fit_operand(const struct ptx_parse *p, const struct ptx_candidate *c, unsigned index, unsigned nth_address,
                        const struct ptx_operand *op, struct ptx_fault *f)
{
    const struct ptx_operand_pattern *o = &c->pattern->operands[index];
    const struct ptx_place at = {o, index == 0};
    enum ir_type type;
    uint32_t count;

    switch ((enum ptx_operand_pattern_kind)o->kind) {
    case PTX_PAT_REG:
        return ptx_fit_value(at, op, ptx_type_of(c, o->type), f);
    case PTX_PAT_PAIR:
        return ptx_fit_pair(c, at, op, f);
    case PTX_PAT_VECTOR:
        return ptx_fit_vector(c, at, op, f);
    case PTX_PAT_FRAGMENT:
        count = ptx_fragment(c, o, &type);
        return ptx_fit_elements(at, op, count, type, f);
    case PTX_PAT_ADDRESS:
        return ptx_fit_address(p, c, o, op, nth_address, f);
    case PTX_PAT_TMEM:
        return (op->kind == PTX_OPND_ADDRESS && ir_ref_kind(op->ref) == IR_REF_REG &&
                ir_type_info[op->type].bits == 32) ||
               ptx_fit_fault(f, op->kind == PTX_OPND_ADDRESS ? PTX_FAULT_ADDRESS : PTX_FAULT_KIND, op);
    case PTX_PAT_MAP:
        return ptx_fit_tuple(op, false, false, ptx_fit_element_count(c, o), f);
    case PTX_PAT_TEXTURE:
        if (!o->has_sampler && p->module->texmode_independent && ptx_fit_needs_sampler(c)) {
            return ptx_fit_fault(f, PTX_FAULT_SAMPLER, op);
        }
        return ptx_fit_tuple(op, o->has_sampler, true, ptx_fit_coordinate_count(c), f);
    case PTX_PAT_HANDLE:
        return (op->kind == PTX_OPND_ADDRESS && ptx_fit_handle(op)) || ptx_fit_fault(f, PTX_FAULT_KIND, op);
    case PTX_PAT_COORDS:
        return ptx_fit_free_vector(op, f);
    case PTX_PAT_CONST:
        return ptx_fit_constant(o, op, f);
    case PTX_PAT_FRACTION:
        return ptx_fit_fraction(op, f);
    case PTX_PAT_VIDEO:
        return ptx_fit_video(c, o, op, f);
    case PTX_PAT_LABEL:
        return op->kind == PTX_OPND_LABEL || ptx_fit_fault(f, PTX_FAULT_KIND, op);
    case PTX_PAT_LABELS:
        return op->kind == PTX_OPND_TABLE || ptx_fit_fault(f, PTX_FAULT_KIND, op);
    case PTX_PAT_CALL:
        return true; /* calls.c */
    case PTX_PAT_ADDRESS_OF:
        return op->kind == PTX_OPND_SYMBOL || is_element(op) || ptx_fit_fault(f, PTX_FAULT_KIND, op);
    case PTX_PAT_FUNCTION:
    case PTX_PAT_KERNEL:
        return (op->kind == PTX_OPND_FUNC &&
                p->module->funcs.at[ir_ref_index(op->ref)]->is_entry == (o->kind == PTX_PAT_KERNEL)) ||
               ptx_fit_fault(f, PTX_FAULT_KIND, op);
    case PTX_PAT_REG_OFFSET:
        return fit_register_offset(op, ptx_type_of(c, c->pattern->operands[0].type), f);
    case PTX_PAT_VARIABLE:
        if (op->kind != PTX_OPND_SYMBOL && !is_element(op)) {
            return ptx_fit_fault(f, PTX_FAULT_KIND, op);
        }
        return ptx_fit_space((enum ir_space)c->match.mods.space, (enum ir_space)op->space) ||
               ptx_fit_fault(f, PTX_FAULT_SPACE, op);
    case PTX_PAT_SREG:
        if (op->kind != PTX_OPND_SREG) {
            return ptx_fit_fault(f, PTX_FAULT_KIND, op);
        }
        return ptx_fit_special(op->ref, ptx_type_of(c, c->pattern->operands[0].type)) ||
               ptx_fit_type_fault(f, PTX_FAULT_TYPE, op, ptx_type_of(c, c->pattern->operands[0].type));
    case PTX_PAT_SREG4:
        return fit_special_vector(op, f);
    case PTX_PAT_SINK:
        return op->kind == PTX_OPND_SINK || ptx_fit_fault(f, PTX_FAULT_KIND, op);
    }
    return false;
}

/* Does leaving out operand `o`, or writing it, agree with the words of the opcode? */
static bool presence_agrees(const struct ptx_candidate *c, const struct ptx_operand_pattern *o, bool present)
{
    if (ptx_text_is(o->role, "pol")) {
        return ptx_match_has(&c->match, PTX_MOD_L2_CACHE_HINT) == present;
    }
    if (ptx_text_is(o->role, "mask")) {
        return ptx_match_has(&c->match, PTX_MOD_MULTICAST_CLUSTER) == present;
    }
    return true;
}

static bool fit_with(const struct ptx_parse *p, const struct ptx_candidate *c, const struct ptx_inst *inst,
                     uint32_t skipped, struct ptx_fault *f)
{
    unsigned next = 0, nth_address = 0;

    for (unsigned i = 0; i < c->pattern->n_operands; i++) {
        const struct ptx_operand_pattern *o = &c->pattern->operands[i];
        bool present = (skipped >> i & 1) == 0;

        f->operand = (uint8_t)i;
        if (o->optional && !presence_agrees(c, o, present)) {
            return ptx_fit_fault(f, PTX_FAULT_COUNT, NULL);
        }
        if (!present) {
            continue;
        }
        if (!fit_operand(p, c, i, nth_address, &inst->operands[next++], f)) {
            return false;
        }
        nth_address += o->kind == PTX_PAT_ADDRESS;
    }
    f->kind = PTX_FAULT_NONE;
    return true;
}

bool ptx_operands_fit(const struct ptx_parse *p, const struct ptx_candidate *c, const struct ptx_inst *inst,
                      uint32_t *skipped, struct ptx_fault *fault)
{
    const struct ptx_pattern *pat = c->pattern;
    unsigned missing = pat->n_operands - inst->n_operands;
    uint32_t optional = 0;

    *fault = (struct ptx_fault){.kind = PTX_FAULT_COUNT};
    if (pat->n_operands == 1 && pat->operands[0].kind == PTX_PAT_CALL) {
        fault->kind = PTX_FAULT_NONE;
        return true;
    }
    if (inst->n_operands > pat->n_operands || inst->n_operands < pat->n_required) {
        return false;
    }
    for (unsigned i = 0; i < pat->n_operands; i++) {
        optional |= (uint32_t)pat->operands[i].optional << i;
    }
    /* Every way to leave out as many optional operands as are missing; there are at most two optional ones. */
    for (uint32_t skip = optional;; skip = (skip - 1) & optional) {
        struct ptx_fault f = {0};

        if ((unsigned)__builtin_popcount(skip) == missing) {
            if (fit_with(p, c, inst, skip, &f)) {
                *skipped = skip;
                *fault = f;
                return true;
            }
            if (f.kind != PTX_FAULT_COUNT && (fault->kind == PTX_FAULT_COUNT || f.operand > fault->operand)) {
                *fault = f;
            }
        }
        if (skip == 0) {
            return false;
        }
    }
}

/* --- conversion ----------------------------------------------------------------------------- */
static void convert_value(struct ptx_operand *op, enum ir_type type)
{
    if (op->kind == PTX_OPND_IMM && type != IR_TYPE_NONE) {
        ptx_literal_convert(op, type);
    }
    for (uint32_t i = 0; op->kind == PTX_OPND_VECTOR && i < op->count; i++) {
        convert_value(&op->elements[i], type);
    }
}

/* Coordinates have the opcode's second type (of surfaces: integers), a layer in front of them is an integer. */
static void convert_coordinates(const struct ptx_candidate *c, struct ptx_operand *tuple)
{
    const bool surface = c->pattern->form->mnemonic[0] == 's';
    const enum ir_type type = surface || c->match.n_types < 2 ? IR_S32 : (enum ir_type)c->match.types[1];
    const unsigned geometry = c->match.mods.geometry;
    const bool layered = geometry == IR_GEOMETRY_A1D || geometry == IR_GEOMETRY_A2D || geometry == IR_GEOMETRY_ACUBE;
    struct ptx_operand *coords = &tuple->elements[tuple->count - 1];

    if (coords->kind != PTX_OPND_VECTOR) {
        convert_value(coords, type);
    }
    for (uint32_t i = 0; coords->kind == PTX_OPND_VECTOR && i < coords->count; i++) {
        convert_value(&coords->elements[i], i == 0 && layered ? IR_U32 : type);
    }
}

static void convert_operand(const struct ptx_candidate *c, unsigned index, struct ptx_operand *op)
{
    const struct ptx_operand_pattern *o = &c->pattern->operands[index];

    switch ((enum ptx_operand_pattern_kind)o->kind) {
    case PTX_PAT_REG:
    case PTX_PAT_VECTOR:
        convert_value(op, ptx_type_of(c, o->type));
        break;
    case PTX_PAT_TEXTURE:
        convert_coordinates(c, op);
        break;
    case PTX_PAT_COORDS:
        convert_value(op, ptx_text_is(o->role, "offs") ? IR_S32 : IR_F32);
        break;
    case PTX_PAT_VIDEO:
        convert_value(op, IR_U32);
        break;
    case PTX_PAT_CONST:
        convert_value(op, o->reg_ok ? IR_U32 : IR_S64);
        break;
    default:
        break;
    }
}

void ptx_operands_convert(const struct ptx_candidate *c, struct ptx_inst *inst, uint32_t skipped)
{
    const struct ptx_pattern *pat = c->pattern;

    if (pat->n_operands == 1 && pat->operands[0].kind == PTX_PAT_CALL) {
        return;
    }
    for (unsigned i = 0; i < pat->n_operands; i++) {
        if ((skipped >> i & 1) != 0) {
            memmove(&inst->operands[i + 1], &inst->operands[i], (inst->n_operands - i) * sizeof *inst->operands);
            inst->operands[i] = (struct ptx_operand){.kind = PTX_OPND_NONE};
            inst->n_operands++;
        } else {
            convert_operand(c, i, &inst->operands[i]);
        }
    }
}
