/*
 * Matrix instructions.  Shape, element types and memory order become modifiers (matrix.def); the registers of fragments
 * become operands one after the other.  Invariant: a stride that was not written is added as a constant.
 */
#include "frontend/lower_inst.h"

#include "ir/forms.h"
#include "ir/matrix.h"

static bool is_wmma(const struct ptx_match *m)
{
    return ir_form_info[m->form].mnemonic[0] == 'w';
}

static unsigned matrix_of(const struct ptx_match *m, enum ir_type elements)
{
    const enum ir_matrix_family family = m->op == IR_MMA_SP ? IR_MATRIX_SP
                                         : is_wmma(m)       ? IR_MATRIX_WMMA
                                                            : IR_MATRIX_MMA;

    return ir_matrix_find(family, m->shape[0], m->shape[1], m->shape[2], ir_matrix_class(elements));
}

/* Is the i-th layout word .col? */
static bool column_order(const struct ptx_match *m, unsigned i)
{
    for (unsigned k = 0; k < m->n_words; k++) {
        if ((m->words[k] == PTX_MOD_ROW || m->words[k] == PTX_MOD_COL) && i-- == 0) {
            return m->words[k] == PTX_MOD_COL;
        }
    }
    return false;
}

/* --- products ----------------------------------------------------------------------------------------------------- */
/* Types in the order d, a, b, c; wmma on f16 names d and c only. */
static void name_types(const struct ptx_match *m, struct ir_inst *in)
{
    const bool all = m->n_types >= 4;

    in->type = m->types[0];
    in->type2 = all ? m->types[1] : IR_F16;
    in->mods.btype = (all ? m->types[2] : IR_F16) & 63;
    in->mods.ctype = m->types[all ? 3 : 1] & 63;
}

static void push_fragment(struct ptx_lower *l, struct lower_refs *refs, const struct ptx_operand *o, enum ir_type reg)
{
    for (unsigned i = 0; i < lower_elements(o); i++) {
        lower_push(refs, lower_value(l, lower_element(o, i), reg));
    }
}

static void push_targets(struct lower_refs *refs, const struct ptx_operand *o)
{
    for (unsigned i = 0; i < lower_elements(o); i++) {
        lower_push(refs, lower_target(lower_element(o, i)));
    }
}

void lower_mma(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    const struct ptx_match *m = l->match;
    struct ir_inst in = lower_written(l);
    struct lower_refs dsts = {0}, srcs = {0};

    name_types(m, &in);
    in.mods.matrix = matrix_of(m, (enum ir_type)in.type2) & 63;
    in.mods.acol = column_order(m, 0);
    in.mods.bcol = column_order(m, 1);
    in.mods.conjunction = ptx_match_has(m, PTX_MOD_AND);
    const enum ir_type reg = in.type2 == IR_F64 ? IR_F64 : IR_B32;

    push_targets(&dsts, &o[0]);
    for (unsigned i = 1; i <= 3; i++) {
        push_fragment(l, &srcs, &o[i], reg);
    }
    if (m->op == IR_MMA_SP) {
        lower_push(&srcs, lower_value(l, &o[4], IR_B32));
        lower_push(&srcs, lower_value(l, &o[5], IR_U32));
    }
    lower_emit(l, &in, &dsts, &srcs);
}

/* --- loads and stores --------------------------------------------------------------------------------------------- */
static struct ir_inst transfer(const struct ptx_lower *l, enum ir_matrix_part part)
{
    struct ir_inst in = lower_written(l);

    in.type = l->match->types[0];
    in.type2 = IR_TYPE_NONE;
    in.mods.matrix = matrix_of(l->match, (enum ir_type)in.type) & 63;
    in.mods.part = part;
    in.mods.acol = column_order(l->match, 0);
    in.mods.space = lower_access_space(l);
    return in;
}

/* Without a stride the rows (or columns) stand next to each other: it is the length of one. */
static ir_ref stride(struct ptx_lower *l, const struct ir_inst *in, const struct ptx_operand *written)
{
    const struct ir_matrix *x = &ir_matrix_info[in->mods.matrix];
    const unsigned rows = in->mods.part == IR_PART_B ? x->k : x->m, columns = in->mods.part == IR_PART_A ? x->k : x->n;

    if (written != NULL) {
        return lower_value(l, written, IR_U32);
    }
    return lower_const(l, in->mods.acol ? rows : columns, IR_U32);
}

void lower_wmma_load(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    const enum ir_matrix_part part = ptx_match_has(l->match, PTX_MOD_A)   ? IR_PART_A
                                     : ptx_match_has(l->match, PTX_MOD_B) ? IR_PART_B
                                                                          : IR_PART_C;
    struct ir_inst in = transfer(l, part);
    struct lower_refs dsts = {0}, srcs = {0};

    push_targets(&dsts, &o[0]);
    lower_push_address(l, &srcs, &o[1]);
    lower_push(&srcs, stride(l, &in, lower_operand(l, 2)));
    lower_emit(l, &in, &dsts, &srcs);
}

void lower_wmma_store(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    struct ir_inst in = transfer(l, IR_PART_D);
    struct lower_refs dsts = {0}, srcs = {0};

    lower_push_address(l, &srcs, &o[0]);
    push_fragment(l, &srcs, &o[1], in.type == IR_F64 ? IR_F64 : IR_B32);
    lower_push(&srcs, stride(l, &in, lower_operand(l, 2)));
    lower_emit(l, &in, &dsts, &srcs);
}
