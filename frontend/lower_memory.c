/*
 * Memory: which space an access is to, ordering that is not written out, and the stack.  See ir.h for where .param
 * variables live.
 */
#include "frontend/lower_inst.h"

#include "ir/forms.h"

#include <string.h>

/* --- state spaces ----------------------------------------------------------------------------- */
/* The parameter buffer, or the frame?  An address in a register means what the kind of function reads from .param. */
enum ir_space lower_param_space(const struct ptx_lower *l, const struct ptx_operand *address)
{
    bool writes = (ir_op_info[l->match->op].effects & IR_E_STORE) != 0;

    if (ptx_match_has(l->match, PTX_MOD_PARAM_ENTRY)) {
        return IR_SPACE_PARAM;
    }
    if (ptx_match_has(l->match, PTX_MOD_PARAM_FUNC) || writes) {
        return IR_SPACE_LOCAL;
    }
    if (ir_ref_kind(address->ref) == IR_REF_SYMBOL) {
        bool buffer = l->f->module->symbols.at[ir_ref_index(address->ref)].kernel_param;

        return buffer ? IR_SPACE_PARAM : IR_SPACE_LOCAL;
    }
    return l->f->is_entry ? IR_SPACE_PARAM : IR_SPACE_LOCAL;
}

/* A variable that is named without a space is accessed in its own. */
static enum ir_space access_space(const struct ptx_lower *l, const struct ptx_operand *address)
{
    enum ir_space space = (enum ir_space)l->match->mods.space;

    if (space == IR_SPACE_GENERIC && ir_ref_kind(address->ref) == IR_REF_SYMBOL) {
        space = (enum ir_space)l->f->module->symbols.at[ir_ref_index(address->ref)].space;
    }
    return space == IR_SPACE_PARAM ? lower_param_space(l, address) : space;
}

static const struct ptx_operand *address_operand(const struct ptx_lower *l)
{
    for (unsigned i = 0; i < l->inst->n_operands; i++) {
        if (l->inst->operands[i].kind == PTX_OPND_ADDRESS) {
            return &l->inst->operands[i];
        }
    }
    return NULL;
}

enum ir_space lower_access_space(const struct ptx_lower *l)
{
    const struct ptx_operand *address = address_operand(l);

    return address != NULL ? access_space(l, address) : (enum ir_space)l->match->mods.space;
}

/* --- ordering --------------------------------------------------------------------------------- */
static bool names_scope(const struct ptx_match *m)
{
    return m->mods.scope != IR_SCOPE_CTA || ptx_match_has(m, PTX_MOD_CTA);
}

/* Atomics are relaxed and device-wide unless they say otherwise; mmio and volatile are stronger than the words beside
 * them. */
static void complete_order(const struct ptx_match *m, struct ir_inst *in)
{
    bool atomic = (ir_op_info[in->op].effects & IR_E_ATOMIC) != 0;

    if (ptx_match_has(m, PTX_MOD_MMIO)) {
        in->mods.sem = IR_SEM_MMIO;
    } else if (atomic && in->mods.sem == IR_SEM_WEAK) {
        in->mods.sem = IR_SEM_RELAXED;
    }
    if (atomic && !names_scope(m)) {
        in->mods.scope = IR_SCOPE_GPU;
    }
}

/* 16 bytes of a kernel's parameters are two constants of the launch, which are then put together. */
static void load_wide_param(struct ptx_lower *l, struct ir_inst *load, const struct ptx_operand *address)
{
    struct ir_inst pack = lower_guarded(l, IR_PACK, IR_B128);
    struct lower_refs halves = {.at = {lower_temp(l, IR_B64), lower_temp(l, IR_B64)}, .count = 2}, place = {0};

    load->type = IR_B64;
    load->mods.vec = 2;
    lower_push_address(l, &place, address);
    lower_emit(l, load, &halves, &place);
    pack.type2 = IR_B64;
    pack.mods.vec = 2;
    lower_emit3(l, &pack, lower_target(&l->inst->operands[0]), halves.at[0], halves.at[1], IR_REF_NONE);
}

void lower_memory(struct ptx_lower *l)
{
    struct ir_inst in = lower_written(l);

    in.mods.space = lower_access_space(l);
    complete_order(l->match, &in);
    in.align = (uint16_t)(ir_type_bytes((enum ir_type)in.type) * in.mods.vec);
    if (in.op == IR_LD && in.type == IR_B128 && in.mods.space == IR_SPACE_PARAM) {
        load_wide_param(l, &in, address_operand(l));
    } else {
        lower_by_shape(l, &in);
    }
}

/* ldmatrix, stmatrix, movmatrix: the type that is written is the elements', but lanes move registers of two each. */
void lower_matrix_move(struct ptx_lower *l)
{
    struct ir_inst in = lower_written(l);

    in.type = IR_B32;
    in.mods.space = lower_access_space(l);
    lower_by_shape(l, &in);
}

/* membar is the strongest fence; a fence that names no order acquires and releases. */
void lower_fence(struct ptx_lower *l)
{
    struct ir_inst in = lower_written(l);

    if (in.mods.sem == IR_SEM_WEAK) {
        bool membar = strcmp(ir_form_info[l->match->form].mnemonic, "membar") == 0;

        in.mods.sem = membar ? IR_SEM_SC : IR_SEM_ACQ_REL;
    }
    lower_by_shape(l, &in);
}

/* isspacep names no type: the address decides. */
void lower_isspacep(struct ptx_lower *l)
{
    struct ir_inst in = lower_written(l);

    in.type = lower_reg_bits(l, l->inst->operands[1].ref) == 32 ? IR_U32 : IR_U64;
    lower_by_shape(l, &in);
}

/* --- the stack -------------------------------------------------------------------------------- */
enum { STACK_ALIGN = 8 }; /* of alloca without an alignment */

static ir_ref as_u32(struct ptx_lower *l, const struct ptx_operand *o, enum ir_type type)
{
    ir_ref r = lower_value(l, o, type);
    struct ir_inst narrow = lower_plain(l, IR_CVT, IR_U32);

    if (lower_reg_bits(l, r) <= 32) {
        return r;
    }
    narrow.type2 = IR_U64;
    return lower_compute(l, &narrow, IR_U32, r, IR_REF_NONE, IR_REF_NONE);
}

/* Sources: the size and the alignment. */
void lower_alloca(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    const struct ptx_operand *align = lower_operand(l, 2);
    struct ir_inst in = lower_written(l);

    in.align = align == NULL || align->bits == 0 || align->bits > UINT16_MAX ? STACK_ALIGN : (uint16_t)align->bits;
    lower_emit3(l, &in, lower_target(&o[0]), lower_value(l, &o[1], (enum ir_type)in.type),
                lower_const(l, in.align, IR_U32), IR_REF_NONE);
}

/* The stack position is 32 bits wide; .u64 forms convert. */
void lower_stacksave(struct ptx_lower *l)
{
    ir_ref d = lower_target(&l->inst->operands[0]);
    struct ir_inst save = lower_guarded(l, IR_STACKSAVE, IR_U32);
    struct ir_inst widen = lower_guarded(l, IR_CVT, IR_U64);

    if (lower_reg_bits(l, d) <= 32) {
        lower_emit3(l, &save, d, IR_REF_NONE, IR_REF_NONE, IR_REF_NONE);
        return;
    }
    save = lower_plain(l, IR_STACKSAVE, IR_U32);
    widen.type2 = IR_U32;
    lower_emit3(l, &widen, d, lower_compute(l, &save, IR_U32, IR_REF_NONE, IR_REF_NONE, IR_REF_NONE), IR_REF_NONE,
                IR_REF_NONE);
}

void lower_stackrestore(struct ptx_lower *l)
{
    struct ir_inst in = lower_guarded(l, IR_STACKRESTORE, IR_U32);
    const struct lower_refs none = {0};
    struct lower_refs srcs = {0};

    lower_push(&srcs, as_u32(l, &l->inst->operands[0], (enum ir_type)l->match->types[0]));
    lower_emit(l, &in, &none, &srcs);
}
