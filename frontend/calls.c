/*
 * Calls: bringing the operands into their normal form (results, target, arguments, table) and checking them against the
 * signature of the function or prototype.
 */
#include <string.h>

#include "frontend/opcode.h"

struct call {
    struct ptx_operand *rets, *target, *args, *table;
};

static bool is_plain_name(const struct ptx_operand *op)
{
    return op->kind == PTX_OPND_NAME && op->selector.kind == 0 && !op->negated && !op->minus && op->offset == 0;
}

/* (5) is folded to a constant by the grammar; here it is a list again.  Vectors in parentheses stay lists of one. */
static bool as_list(struct ptx_parse *p, struct ptx_operand *op)
{
    if (op->kind == PTX_OPND_LIST) {
        return true;
    }
    if (!op->parenthesised) {
        return false;
    }
    struct ptx_operand *element = ptx_scratch_alloc(&p->scratch, sizeof *element);

    if (element == NULL) {
        ptx_out_of_memory(p);
        return false;
    }
    *element = *op;
    *op = (struct ptx_operand){.kind = PTX_OPND_LIST, .count = 1, .elements = element, .loc = op->loc};
    return true;
}

/* call [(results),] target [, (arguments)] [, table] */
static bool split_operands(struct ptx_parse *p, struct ptx_inst *inst, struct call *call)
{
    uint32_t at = 0;

    *call = (struct call){0};
    if (at < inst->n_operands && as_list(p, &inst->operands[at])) {
        call->rets = &inst->operands[at++];
    }
    if (at == inst->n_operands) {
        ptx_error(p, inst->loc, "'call' needs the name of a function");
        return false;
    }
    call->target = &inst->operands[at++];
    if (!is_plain_name(call->target)) {
        ptx_error(p, call->target->loc, "the target of a call is a function or a register");
        return false;
    }
    if (at < inst->n_operands && as_list(p, &inst->operands[at])) {
        call->args = &inst->operands[at++];
    }
    if (at < inst->n_operands && is_plain_name(&inst->operands[at])) {
        call->table = &inst->operands[at++];
    }
    if (at < inst->n_operands) {
        ptx_error(p, inst->operands[at].loc, "arguments stand in parentheses");
        return false;
    }
    return true;
}

/* --- arguments ------------------------------------------------------------------------------ */
static bool types_agree(enum ir_type have, enum ir_type want)
{
    const struct ir_type_info *h = &ir_type_info[have], *w = &ir_type_info[want];
    bool h_float = h->kind == IR_KIND_FLOAT || h->kind == IR_KIND_PACKED;
    bool w_float = w->kind == IR_KIND_FLOAT || w->kind == IR_KIND_PACKED;

    return have == want || (h->bits == w->bits && h->kind != IR_KIND_PRED && w->kind != IR_KIND_PRED &&
                            (h->kind == IR_KIND_BITS || w->kind == IR_KIND_BITS || (!h_float && !w_float)));
}

static bool is_entry_param(const struct ptx_parse *p, ir_ref ref)
{
    const struct ir_func *f = p->fn.func;

    for (uint32_t i = 0; i < f->n_params; i++) {
        if (f->params[i].ref == ref) {
            return f->is_entry;
        }
    }
    return false;
}

/* A .param variable, passed as it is. */
static bool check_memory_argument(struct ptx_parse *p, const struct ptx_operand *op, const struct ir_param *want,
                                  bool is_open)
{
    const struct ir_symbol *sym = &p->module->symbols.at[ir_ref_index(op->ref)];

    if (sym->space != IR_SPACE_PARAM || op->offset != 0) {
        ptx_error(p, op->loc, "'%s' is not a '.param' variable", sym->name);
    } else if (is_entry_param(p, op->ref)) {
        ptx_error(p, op->loc, "kernel parameter '%s' cannot be passed on; load it first", sym->name);
    } else if (want->is_reg ? ir_type_bytes((enum ir_type)sym->type) != sym->size_bytes : false) {
        ptx_error(p, op->loc, "'%s' is an array, but a .%s is expected", sym->name, ir_type_info[want->type].name);
    } else if (!is_open && sym->size_bytes != want->size_bytes) {
        ptx_error(p, op->loc, "'%s' has %llu bytes, but the parameter has %llu", sym->name,
                  (unsigned long long)sym->size_bytes, (unsigned long long)want->size_bytes);
    } else if (!types_agree((enum ir_type)sym->type, (enum ir_type)want->type)) {
        ptx_error(p, op->loc, "'%s' is .%s, but .%s is expected", sym->name, ir_type_info[sym->type].name,
                  ir_type_info[want->type].name);
    } else if (sym->align < want->align) {
        ptx_error(p, op->loc, "'%s' is aligned to %u bytes, but the parameter to %u", sym->name, sym->align,
                  want->align);
    } else {
        return true;
    }
    return false;
}

static bool is_array(const struct ir_param *want)
{
    return want->size_bytes != ir_type_bytes((enum ir_type)want->type);
}

static bool check_argument(struct ptx_parse *p, struct ptx_operand *op, const struct ir_param *want, bool is_result,
                           bool is_open)
{
    const char *type = ir_type_info[want->type].name;

    if (op->kind == PTX_OPND_SYMBOL) {
        return check_memory_argument(p, op, want, is_open);
    }
    if (op->kind == PTX_OPND_SINK && is_result) {
        return true;
    }
    if (op->kind == PTX_OPND_REG && op->selector.kind == 0 && !op->minus && !op->negated && op->offset == 0) {
        if (!is_array(want) && types_agree((enum ir_type)op->type, (enum ir_type)want->type)) {
            return true;
        }
        ptx_error(p, op->loc, "register '%.*s' is .%s, but %s.%s%s is expected", (int)op->name_len, op->name,
                  ir_type_info[op->type].name, is_array(want) ? "a '.param' array of " : "", type, "");
        return false;
    }
    if (op->kind == PTX_OPND_IMM && !is_result) {
        if (!is_array(want) && ptx_literal_fits(op, (enum ir_type)want->type)) {
            ptx_literal_convert(op, (enum ir_type)want->type);
            return true;
        }
        ptx_error(p, op->loc, "this constant cannot be a .%s argument", type);
        return false;
    }
    ptx_error(p, op->loc,
              is_result ? "a result goes to a register or a '.param' variable"
                        : "an argument is a register, a constant or a '.param' variable");
    return false;
}

static bool check_list(struct ptx_parse *p, const struct ptx_inst *inst, struct ptx_operand *list,
                       const struct ir_param *want, uint32_t n_want, bool is_result, bool open_array)
{
    uint32_t count = list != NULL ? list->count : 0;

    /* An array without size takes nothing, too. */
    if (count != n_want && !(open_array && count + 1 == n_want)) {
        ptx_error(p, list != NULL && count != 0 ? list->loc : inst->loc,
                  "the call has %u %s%s, but the function has %u", count, is_result ? "result" : "argument",
                  count == 1 ? "" : "s", n_want);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!check_argument(p, &list->elements[i], &want[i], is_result, open_array && i + 1 == n_want)) {
            return false;
        }
    }
    return true;
}

/* --- targets -------------------------------------------------------------------------------- */
static const struct ptx_signature *direct_signature(struct ptx_parse *p, const struct call *call)
{
    uint32_t index = ir_ref_index(call->target->ref);
    struct ptx_func_note *note = ptx_func_note(p, index);
    const struct ir_func *f = p->module->funcs.at[index];

    if (f->is_entry) {
        ptx_error(p, call->target->loc, "'%s' is a kernel and cannot be called", f->name);
        return NULL;
    }
    if (note->called.line == 0) {
        note->called = call->target->loc;
    }
    if (call->table != NULL) {
        ptx_error(p, call->table->loc, "a direct call has no table of targets");
        return NULL;
    }
    return &note->signature;
}

static const struct ptx_signature *indirect_signature(struct ptx_parse *p, struct call *call)
{
    if (ir_type_info[call->target->type].bits != 64 || ir_type_info[call->target->type].kind == IR_KIND_FLOAT) {
        ptx_error(p, call->target->loc, "an indirect call needs a 64-bit register");
        return NULL;
    }
    if (call->table == NULL) {
        ptx_error(p, call->target->loc, "an indirect call needs the label of '.callprototype' or '.calltargets'");
        return NULL;
    }
    const struct ptx_label *label = ptx_label_find(p, (struct ptx_text){call->table->name, call->table->name_len});

    if (label == NULL || (label->kind != PTX_LABEL_PROTO && label->kind != PTX_LABEL_CALLS)) {
        ptx_error(p, call->table->loc, "'%.*s' is not the label of '.callprototype' or '.calltargets'",
                  (int)call->table->name_len, call->table->name);
        return NULL;
    }
    call->table->kind = label->kind == PTX_LABEL_PROTO ? PTX_OPND_PROTO : PTX_OPND_TABLE;
    call->table->ref = label->kind == PTX_LABEL_PROTO ? IR_REF_NONE : ir_ref_make(IR_REF_TABLE, label->number);
    return label->signature;
}

/* An undeclared target is most likely a function, whatever it looks like. */
static bool resolve_target(struct ptx_parse *p, struct ptx_operand *target)
{
    const struct ptx_text name = {target->name, target->name_len};

    if (ptx_label_find(p, name) != NULL && ptx_name_find(p, name, PTX_NAME_FUNC | PTX_NAME_REG) == NULL) {
        ptx_error(p, target->loc, "'%.*s' is a label, not a function", (int)name.len, name.at);
        return false;
    }
    if (!ptx_resolve(p, target)) {
        return false;
    }
    if (target->kind != PTX_OPND_FUNC && target->kind != PTX_OPND_REG) {
        ptx_error(p, target->loc, "'%.*s' is not a function", (int)name.len, name.at);
        return false;
    }
    return true;
}

bool ptx_check_call(struct ptx_parse *p, struct ptx_inst *inst)
{
    struct call call;
    const struct ptx_operand none = {.kind = PTX_OPND_NONE};
    const struct ptx_operand no_list = {.kind = PTX_OPND_LIST};

    if (!split_operands(p, inst, &call) || !resolve_target(p, call.target) ||
        (call.rets != NULL && !ptx_resolve(p, call.rets)) || (call.args != NULL && !ptx_resolve(p, call.args))) {
        return false;
    }
    const struct ptx_signature *sig =
        call.target->kind == PTX_OPND_FUNC ? direct_signature(p, &call) : indirect_signature(p, &call);

    if (sig == NULL || !check_list(p, inst, call.rets, sig->rets, sig->n_rets, true, false) ||
        !check_list(p, inst, call.args, sig->params, sig->n_params, false, sig->open_array)) {
        return false;
    }
    struct ptx_operand normal[4] = {
        call.rets != NULL ? *call.rets : no_list,
        *call.target,
        call.args != NULL ? *call.args : no_list,
        call.table != NULL ? *call.table : none,
    };

    memcpy(inst->operands, normal, sizeof normal);
    inst->n_operands = 4;
    return true;
}
