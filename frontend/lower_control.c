/*
 * Barriers, calls and forms that are refused.  Branches, returns and the rest of control go through by the tables.
 */
#include "frontend/lower_inst.h"

#include "ir/forms.h"

#include <string.h>

/* --- barriers --------------------------------------------------------------------------------- */
/* bar.* is barrier.*.aligned by its older name. */
static struct ir_inst barrier(const struct ptx_lower *l)
{
    struct ir_inst in = lower_written(l);

    in.mods.aligned |= strcmp(ir_form_info[l->match->form].mnemonic, "bar") == 0;
    return in;
}

void lower_barrier(struct ptx_lower *l)
{
    struct ir_inst in = barrier(l);

    lower_by_shape(l, &in);
}

/* bar.red d, a {, b}, c: the thread count in the middle may be left out. */
void lower_barrier_red(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    unsigned n = l->inst->n_operands;
    const struct ptx_operand *threads = n > 3 ? lower_operand(l, 2) : NULL;
    struct ir_inst in = barrier(l);
    struct lower_refs dsts = {.at = {lower_target(&o[0])}, .count = 1}, srcs = {0};

    lower_push(&srcs, lower_value(l, &o[1], IR_U32));
    lower_push(&srcs, threads == NULL ? IR_REF_NONE : lower_value(l, threads, IR_U32));
    lower_push(&srcs, lower_value(l, &o[n - 1], IR_PRED));
    lower_emit(l, &in, &dsts, &srcs);
}

/* --- calls ------------------------------------------------------------------------------------ */
enum { CALL_RESULTS, CALL_TARGET, CALL_ARGUMENTS };

static const struct ir_param *callee_param(const struct ptx_lower *l, const struct ptx_operand *target, unsigned i)
{
    if (target->kind != PTX_OPND_FUNC) {
        return NULL;
    }
    const struct ir_func *callee = l->f->module->funcs.at[ir_ref_index(target->ref)];

    return i < callee->n_params ? &callee->params[i] : NULL;
}

/* Variables stand for their bytes, registers and constants for their value in the parameter's type. */
static ir_ref argument(struct ptx_lower *l, const struct ptx_operand *a, const struct ir_param *param)
{
    if (a->kind == PTX_OPND_SYMBOL || a->kind == PTX_OPND_ADDRESS) {
        return a->ref;
    }
    enum ir_type type = param != NULL ? (enum ir_type)param->type : IR_B64;

    return lower_value(l, a, type);
}

static ir_ref result(const struct ptx_operand *r)
{
    return r->kind == PTX_OPND_SINK ? IR_REF_NONE : r->ref;
}

static void list(struct ptx_lower *l, lower_list *to, ir_ref r)
{
    l->ok = l->ok && vec_push(to, r);
}

/* Ends the collection: the instruction, and the lists' memory. */
static void emit_lists(struct ptx_lower *l, const struct ir_inst *in, lower_list *dsts, lower_list *srcs)
{
    if (l->ok) {
        lower_append(l, in, dsts->at, dsts->count, srcs->at, srcs->count);
    }
    vec_free(dsts);
    vec_free(srcs);
}

void lower_call(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    const struct ptx_operand *args = lower_operand(l, CALL_ARGUMENTS);
    const struct ptx_operand *results = lower_operand(l, CALL_RESULTS);
    struct ir_inst in = lower_written(l);
    lower_list dsts = {0}, srcs = {0};

    for (unsigned i = 0; results != NULL && i < results->count; i++) {
        list(l, &dsts, result(&results->elements[i]));
    }
    list(l, &srcs, o[CALL_TARGET].ref);
    for (unsigned i = 0; args != NULL && i < args->count; i++) {
        list(l, &srcs, argument(l, &args->elements[i], callee_param(l, &o[CALL_TARGET], i)));
    }
    emit_lists(l, &in, &dsts, &srcs);
}

/* --- forms that cannot run -------------------------------------------------------------------- */
/* Nesting is that of the grammar: vectors in pairs, lists and tuples. */
static void list_registers(struct ptx_lower *l, lower_list *to, const struct ptx_operand *o)
{
    for (unsigned i = 0; i < lower_elements(o); i++) {
        const struct ptx_operand *e = lower_element(o, i);

        if (e != o) {
            list_registers(l, to, e);
        } else if (ir_ref_kind(e->ref) == IR_REF_REG && (e->kind == PTX_OPND_REG || e->kind == PTX_OPND_ADDRESS)) {
            list(l, to, e->ref);
        }
    }
}

/* The instruction stands where it would run and keeps its registers alive; running it is refused by the name of its
 * form. */
void lower_refused(struct ptx_lower *l)
{
    struct ir_inst in = lower_written(l);
    lower_list dsts = {0}, srcs = {0};

    for (unsigned i = 0; i < l->inst->n_operands; i++) {
        const struct ptx_operand *o = &l->inst->operands[i];
        bool is_result = i == 0 && (o->kind == PTX_OPND_REG || o->kind == PTX_OPND_VECTOR || o->kind == PTX_OPND_PAIR);

        list_registers(l, is_result ? &dsts : &srcs, o);
    }
    emit_lists(l, &in, &dsts, &srcs);
}
