/*
 * One instruction statement: gathering its pieces, resolving its names, choosing its form, handing it on.
 */
#include <string.h>

#include "frontend/opcode.h"

void ptx_inst_word(struct ptx_parse *p, struct ptx_text word, struct diag_loc loc)
{
    struct ptx_inst *inst = &p->inst;

    if (inst->n_words == PTX_MAX_WORDS) {
        if (p->dg->errors == p->errors_before) {
            ptx_error(p, loc, "more than %d modifiers", PTX_MAX_WORDS);
        }
        return;
    }
    inst->words[inst->n_words++] = (struct ptx_word){word.at + 1, word.len - 1, loc};
}

void ptx_inst_guard(struct ptx_parse *p, bool negated, struct ptx_text name, struct diag_loc loc)
{
    struct ptx_operand *op = ptx_name_operand(p, name, loc);

    if (op == NULL || p->dg->errors != p->errors_before) {
        return;
    }
    if (op->kind != PTX_OPND_NAME) {
        ptx_error(p, loc, "a guard is a predicate register");
    } else if (ptx_resolve(p, op)) {
        if (op->kind != PTX_OPND_REG) {
            ptx_error(p, loc, "a guard is a predicate register");
        } else if (op->type != IR_PRED) {
            ptx_error(p, loc, "guard '%.*s' is .%s, but a guard is a .pred register", (int)name.len, name.at,
                      ir_type_info[op->type].name);
        }
    }
    p->inst.guard = op->ref;
    p->inst.guard_not = negated;
}

static bool take_operands(struct ptx_parse *p, const struct ptx_list *list)
{
    struct ptx_inst *inst = &p->inst;

    inst->n_operands = 0;
    if (list == NULL) {
        return true;
    }
    if (list->count > PTX_MAX_OPERANDS) {
        ptx_error(p, list->items[PTX_MAX_OPERANDS]->loc, "more than %d operands", PTX_MAX_OPERANDS);
        return false;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        inst->operands[i] = *list->items[i];
    }
    inst->n_operands = list->count;
    return true;
}

/* --- names ---------------------------------------------------------------------------------- */
static bool resolve_label(struct ptx_parse *p, struct ptx_operand *op)
{
    const struct ptx_text name = {op->name, op->name_len};
    const struct ptx_label *label = ptx_label_find(p, name);

    if (label == NULL && ptx_name_find(p, name, PTX_NAME_REG | PTX_NAME_VAR | PTX_NAME_FUNC) != NULL) {
        ptx_error(p, op->loc, "'%.*s' is not a label", (int)name.len, name.at);
        return false;
    }
    uint32_t number = ptx_label_refer(p, name, op->loc);

    op->kind = PTX_OPND_LABEL;
    op->ref = ir_ref_make(IR_REF_BLOCK, number);
    return number != PTX_NO_INDEX;
}

static bool resolve_branches(struct ptx_parse *p, struct ptx_operand *op)
{
    const struct ptx_label *label = ptx_label_find(p, (struct ptx_text){op->name, op->name_len});

    if (label == NULL || label->kind != PTX_LABEL_BRANCHES) {
        ptx_error(p, op->loc,
                  label == NULL ? "use of undefined label '%.*s'; '.branchtargets' stands before its use"
                                : "'%.*s' is not the label of '.branchtargets'",
                  (int)op->name_len, op->name);
        return false;
    }
    op->kind = PTX_OPND_TABLE;
    op->ref = ir_ref_make(IR_REF_TABLE, label->number);
    return true;
}

/* A label where a value is meant deserves its own message. */
static bool resolve_value(struct ptx_parse *p, struct ptx_operand *op)
{
    const struct ptx_text name = {op->name, op->name_len};

    if (op->kind == PTX_OPND_NAME && ptx_label_find(p, name) != NULL &&
        ptx_name_find(p, name, PTX_NAME_REG | PTX_NAME_VAR | PTX_NAME_FUNC) == NULL && name.at[0] != '%') {
        ptx_error(p, op->loc, "'%.*s' is a label and has no value", (int)name.len, name.at);
        return false;
    }
    return ptx_resolve(p, op);
}

/* What kind of operand the forms expect in this place: only names in the places of labels differ. */
static bool resolve_operands(struct ptx_parse *p, const struct ptx_opcode *opcode)
{
    const struct ptx_pattern *pat = opcode->candidates[0].pattern;
    bool good = true;

    for (uint32_t i = 0; i < p->inst.n_operands; i++) {
        struct ptx_operand *op = &p->inst.operands[i];
        uint8_t kind = i < pat->n_operands ? pat->operands[i].kind : PTX_PAT_REG;

        if (kind == PTX_PAT_LABEL && op->kind == PTX_OPND_NAME) {
            good &= resolve_label(p, op);
        } else if (kind == PTX_PAT_LABELS && op->kind == PTX_OPND_NAME) {
            good &= resolve_branches(p, op);
        } else {
            good &= resolve_value(p, op);
        }
    }
    return good;
}

/*
 * A name in the line below that is an instruction: the semicolon between them is missing.  Without this the second
 * mnemonic would be called an undeclared operand of the first.
 */
static bool lacks_semicolon(struct ptx_parse *p)
{
    const struct ptx_inst *inst = &p->inst;
    const struct ptx_operand *op = &inst->operands[0];
    const struct ptx_word *last = inst->n_words != 0 ? &inst->words[inst->n_words - 1] : &inst->mnemonic;

    if (inst->n_operands == 0 || op->kind != PTX_OPND_NAME || op->loc.line <= last->loc.line) {
        return false;
    }
    const struct ptx_text name = {op->name, op->name_len};

    if (ptx_name_find(p, name, PTX_NAME_REG | PTX_NAME_VAR | PTX_NAME_FUNC) != NULL || !ptx_is_mnemonic(p, name)) {
        return false;
    }
    ptx_error(p, (struct diag_loc){last->loc.line, last->loc.column + last->loc.length, 1}, "expected ';'");
    return true;
}

/* --- choosing the form ---------------------------------------------------------------------- */
/* Faults further to the right come from nearer forms; one that only differs in the kind of operand is the least
 * telling. */
static int fault_rank(const struct ptx_fault *f)
{
    return f->kind == PTX_FAULT_COUNT ? 0 : 2 * f->operand + 1 + (f->kind != PTX_FAULT_KIND);
}

/*
 * The first form whose operands fit and whose version and target are met.  Else what is wrong with the one that came
 * nearest: a form that only needs a newer target, or the one whose fault lies furthest to the right.
 */
static const struct ptx_candidate *choose_form(struct ptx_parse *p, const struct ptx_opcode *opcode, uint32_t *skipped)
{
    const struct ptx_candidate *too_new = NULL, *nearest = &opcode->candidates[0];
    struct ptx_fault best = {.kind = PTX_FAULT_COUNT}, fault;

    for (uint32_t i = 0; i < opcode->n_candidates; i++) {
        const struct ptx_candidate *c = &opcode->candidates[i];

        if (ptx_operands_fit(p, c, &p->inst, skipped, &fault)) {
            if (ptx_check_requirements(p, c, &p->inst, false)) {
                return c;
            }
            too_new = too_new == NULL ? c : too_new;
        } else if (i == 0 || fault_rank(&fault) > fault_rank(&best)) {
            best = fault;
            nearest = c;
        }
    }
    if (too_new != NULL) {
        ptx_check_requirements(p, too_new, &p->inst, true);
    } else {
        ptx_report_fault(p, nearest, &p->inst, &best);
    }
    return NULL;
}

/* Parameters of the function being defined: results are not read, arguments are not written. */
static bool check_param_access(struct ptx_parse *p, const struct ptx_match *match)
{
    const struct ir_func *f = p->fn.func;
    const bool is_load = match->op == IR_LD;

    if (match->op != IR_LD && match->op != IR_ST) {
        return true;
    }
    const struct ptx_operand *op = &p->inst.operands[is_load ? 1 : 0];
    const struct ir_param *list = is_load ? f->rets : f->params;
    uint32_t count = is_load ? f->n_rets : f->n_params;

    if (op->kind != PTX_OPND_ADDRESS || op->space != IR_SPACE_PARAM || ir_ref_kind(op->ref) != IR_REF_SYMBOL) {
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].ref == op->ref) {
            ptx_error(p, op->loc, is_load ? "result '%.*s' cannot be read" : "parameter '%.*s' cannot be written",
                      (int)op->name_len, op->name);
            return false;
        }
    }
    return true;
}

static void set_line(struct ptx_parse *p, struct diag_loc loc)
{
    p->inst.line = (struct ir_line){
        .line = loc.line,
        .column = (uint16_t)(loc.column < UINT16_MAX ? loc.column : UINT16_MAX),
        .file = p->source_file,
        .source_line = p->source_line,
        .source_column = p->source_column,
    };
}

/* Functions whose address is taken must exist in the end. */
static void note_functions(struct ptx_parse *p)
{
    for (uint32_t i = 0; i < p->inst.n_operands; i++) {
        const struct ptx_operand *op = &p->inst.operands[i];

        if (op->kind == PTX_OPND_FUNC) {
            ptx_function_addressed(p, op);
        }
    }
}

/* variable[register]: the assembler takes it, no compiler writes it. */
static bool has_indexed_address(const struct ptx_inst *inst)
{
    for (uint32_t i = 0; i < inst->n_operands; i++) {
        if (inst->operands[i].kind == PTX_OPND_ADDRESS && inst->operands[i].count != 0) {
            return true;
        }
    }
    return false;
}

void ptx_inst_done(struct ptx_parse *p, struct ptx_text mnemonic, struct diag_loc loc, const struct ptx_list *operands)
{
    struct ptx_inst *inst = &p->inst;
    uint32_t skipped = 0;

    ptx_labels_place(p);
    if (p->dg->errors != p->errors_before || p->stopped || p->fn.func == NULL) {
        return; /* this statement was reported already */
    }
    inst->mnemonic = (struct ptx_word){mnemonic.at, mnemonic.len, loc};
    inst->loc = loc;
    set_line(p, loc);
    if (!take_operands(p, operands)) {
        return;
    }
    const struct ptx_opcode *opcode = ptx_opcode_find(p);

    if (opcode == NULL || lacks_semicolon(p)) {
        return;
    }
    bool is_call = opcode->candidates[0].match.op == IR_CALL;

    if (is_call ? !ptx_check_call(p, inst) : !resolve_operands(p, opcode)) {
        return;
    }
    const struct ptx_candidate *c = choose_form(p, opcode, &skipped);

    if (c == NULL) {
        return;
    }
    ptx_operands_convert(c, inst, skipped);
    if (!is_call) {
        note_functions(p);
    }
    if (!check_param_access(p, &c->match)) {
        return;
    }
    struct ptx_match match = c->match;

    if (has_indexed_address(inst)) {
        match.op = IR_REFUSED; /* addresses have no index register further down */
    }
    if (ptx_going_on(p) && !p->sink->instruction(p->sink->context, inst, &match)) {
        ptx_out_of_memory(p);
    }
}
