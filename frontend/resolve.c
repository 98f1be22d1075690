/*
 * What a name stands for.  Registers come into being when they are first mentioned, so a range of a million names costs
 * nothing; vector registers are expanded into their elements.
 */
#include <stdio.h>
#include <string.h>

#include "frontend/parse.h"

enum { SUGGEST_NAMES = 4096 };

/* `vec` registers in a row; the index of the first. */
static uint32_t new_registers(struct ptx_parse *p, const struct ptx_name *name, const char *text, uint32_t number)
{
    uint32_t first = PTX_NO_INDEX;

    for (unsigned i = 0; i < name->vec; i++) {
        ir_ref ref = ir_reg_new(p->fn.func, name->type, text, number);

        if (ref == IR_REF_NONE) {
            ptx_out_of_memory(p);
            return PTX_NO_INDEX;
        }
        first = i == 0 ? ir_ref_index(ref) : first;
    }
    return first;
}

static char *full_name(struct ptx_parse *p, const char *stem, uint32_t number)
{
    char text[16];
    size_t stem_len = strlen(stem);
    int digits = snprintf(text, sizeof text, "%u", number);
    char *name = arena_alloc(p->module->arena, stem_len + (size_t)digits + 1, 1);

    if (name == NULL) {
        ptx_out_of_memory(p);
        return NULL;
    }
    memcpy(name, stem, stem_len);
    memcpy(name + stem_len, text, (size_t)digits + 1);
    return name;
}

static uint32_t range_member(struct ptx_parse *p, struct ptx_name *range, uint32_t number)
{
    struct ptx_names *n = &p->names;
    /* Registers belong to the function that uses them even if the module declares the range. */
    bool of_module = range->space != PTX_REG && (range->index < n->n_module_ranges || n->depth == 0);
    uint64_t key = ((uint64_t)range->index << 32 | number) + 1;
    struct ptx_member *slot = ptx_members_slot(of_module ? &n->module_members : &n->func_members, key);

    if (slot == NULL) {
        ptx_out_of_memory(p);
        return PTX_NO_INDEX;
    }
    if (slot->key != 0) {
        return slot->index;
    }
    if (range->stem == NULL) {
        range->stem = arena_strndup(p->module->arena, range->text, range->len);
    }
    if (range->stem == NULL) {
        ptx_out_of_memory(p);
        return PTX_NO_INDEX;
    }
    if (range->space == PTX_REG) {
        slot->index = new_registers(p, range, range->stem, number);
    } else {
        slot->index = ptx_symbol_new(p, range->decl, full_name(p, range->stem, number));
    }
    slot->key = key;
    (of_module ? &n->module_members : &n->func_members)->count++;
    return slot->index;
}

/* --- resolving ------------------------------------------------------------------------------ */
static void undeclared(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc)
{
    struct ptx_names *n = &p->names;
    struct ptx_suggest s;
    uint32_t stem_len, number;
    bool is_register = name.at[0] == '%';
    uint32_t oldest = n->all.count > SUGGEST_NAMES ? n->all.count - SUGGEST_NAMES : 0;

    if (ptx_split_number(name, &stem_len, &number)) {
        const struct ptx_name *range = ptx_name_find(p, (struct ptx_text){name.at, stem_len}, PTX_NAME_RANGE);

        if (range != NULL) {
            ptx_error(p, loc, "'%.*s' is outside the declared range %.*s<%u>", (int)name.len, name.at, (int)stem_len,
                      name.at, range->count);
            ptx_note(p, range->loc, "the range is declared here");
            return;
        }
    }
    ptx_suggest_start(&s, name.at, name.len);
    for (uint32_t i = n->all.count; i-- > oldest;) {
        if (n->all.at[i].kind != PTX_NAME_STEM) {
            ptx_suggest_try(&s, n->all.at[i].text, n->all.at[i].len);
        }
    }
    for (unsigned i = 1; i < IR_SREG_COUNT && is_register; i++) {
        ptx_suggest_try(&s, ir_sreg_info[i].name, strlen(ir_sreg_info[i].name));
    }
    if (ptx_suggest_found(&s)) {
        ptx_error(p, loc, "use of undeclared %s '%.*s'; did you mean '%.*s'?", is_register ? "register" : "name",
                  (int)name.len, name.at, (int)s.best.len, s.best.at);
    } else {
        ptx_error(p, loc, "use of undeclared %s '%.*s'", is_register ? "register" : "name", (int)name.len, name.at);
    }
}

/* Expand `count` elements from `first` on; each is made by setting its ref. */
static bool expand(struct ptx_parse *p, struct ptx_operand *op, enum ptx_operand_kind element, enum ir_ref_kind kind,
                   uint32_t first, uint32_t count, enum ir_type type)
{
    struct ptx_operand *elements = ptx_scratch_alloc(&p->scratch, count * sizeof *elements);

    if (elements == NULL) {
        ptx_out_of_memory(p);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        elements[i] = *op;
        elements[i].kind = (uint8_t)element;
        elements[i].type = (uint8_t)type;
        elements[i].ref = ir_ref_make(kind, first + i);
    }
    op->kind = PTX_OPND_VECTOR;
    op->elements = elements;
    op->count = count;
    return true;
}

static bool resolve_register(struct ptx_parse *p, struct ptx_operand *op, const struct ptx_name *name, uint32_t first)
{
    unsigned component = 0;

    if (op->selector.kind == 'x') {
        component = op->selector.digit[0];
        if (component >= name->vec || name->vec == 1) {
            ptx_error(p, op->loc,
                      name->vec == 1 ? "'%.*s' is a scalar register and has no components"
                                     : "'%.*s' is a vector with fewer components",
                      (int)name->len, name->text);
            return false;
        }
        op->selector = (struct ptx_selector){0};
    } else if (name->vec > 1) {
        return expand(p, op, PTX_OPND_REG, IR_REF_REG, first, name->vec, name->type);
    }
    op->kind = PTX_OPND_REG;
    op->type = name->type;
    op->ref = ir_ref_make(IR_REF_REG, first + component);
    return true;
}

/* A special register with or without component.  False if the name is none. */
static bool resolve_special(struct ptx_parse *p, struct ptx_operand *op)
{
    for (unsigned i = 1; i < IR_SREG_COUNT; i++) {
        const char *name = ir_sreg_info[i].name;

        if (strncmp(name, op->name, op->name_len) != 0 ||
            (name[op->name_len] != '\0' && strcmp(name + op->name_len, ".x") != 0)) {
            continue;
        }
        if (p->module->ptx < ir_sreg_info[i].ptx || p->module->sm < ir_sreg_info[i].sm) {
            char version[8];

            ptx_error(p, op->loc, "'%.*s' needs PTX ISA %s and sm_%u or later", (int)op->name_len, op->name,
                      ptx_version_text(ir_sreg_info[i].ptx, version), ir_sreg_info[i].sm);
        }
        op->selector = (struct ptx_selector){0};
        if (name[op->name_len] != '\0') {
            return expand(p, op, PTX_OPND_SREG, IR_REF_SREG, i, 4, IR_U32);
        }
        op->kind = PTX_OPND_SREG;
        op->ref = ir_ref_make(IR_REF_SREG, i);
        return true;
    }
    return false;
}

static bool resolve_name(struct ptx_parse *p, struct ptx_operand *op, struct ptx_text text, const struct ptx_name *name,
                         uint32_t index)
{
    if (index == PTX_NO_INDEX) {
        return false;
    }
    if (name->kind == PTX_NAME_FUNC) {
        op->kind = PTX_OPND_FUNC;
        op->ref = ir_ref_make(IR_REF_FUNC, index);
    } else if (name->space == PTX_REG) {
        return resolve_register(p, op, name, index);
    } else {
        const struct ir_symbol *sym = &p->module->symbols.at[index];

        op->kind = PTX_OPND_SYMBOL;
        op->ref = ir_ref_make(IR_REF_SYMBOL, index);
        op->type = sym->type;
        op->space = sym->space;
    }
    if (op->selector.kind != 0) {
        ptx_error(p, op->loc, "'%.*s' is not a register and has no components", (int)text.len, text.at);
        return false;
    }
    return true;
}

/* The register of a single name, made on first use.  Registers of the module (old versions) are made once per function.
 */
static uint32_t single_register(struct ptx_parse *p, struct ptx_name *name)
{
    uint32_t *index = &name->index;

    if (name->depth == 0) {
        uint64_t key = (uint64_t)1 << 63 | (uint32_t)(name - p->names.all.at);
        struct ptx_member *slot = ptx_members_slot(&p->names.func_members, key);

        if (slot == NULL) {
            ptx_out_of_memory(p);
            return PTX_NO_INDEX;
        }
        if (slot->key == 0) {
            slot->key = key;
            slot->index = PTX_NO_INDEX;
            p->names.func_members.count++;
        }
        index = &slot->index;
    }
    if (*index == PTX_NO_INDEX) {
        const char *text = arena_strndup(p->module->arena, name->text, name->len);

        if (text == NULL) {
            ptx_out_of_memory(p);
            return PTX_NO_INDEX;
        }
        *index = new_registers(p, name, text, UINT32_MAX);
    }
    return *index;
}

/* The single name or range member that is declared in the innermost scope. */
static bool resolve_declared(struct ptx_parse *p, struct ptx_operand *op, struct ptx_text text, bool *found)
{
    struct ptx_names *n = &p->names;
    struct ptx_name *single =
        ptx_name_find(p, (struct ptx_text){text.at, text.len}, PTX_NAME_REG | PTX_NAME_VAR | PTX_NAME_FUNC);
    struct ptx_name *range = NULL;
    uint32_t stem_len, number;

    if (ptx_split_number(text, &stem_len, &number) &&
        (single == NULL || single->depth < n->depth || n->n_ranges != 0)) {
        range = ptx_name_find(p, (struct ptx_text){text.at, stem_len}, PTX_NAME_RANGE);
        if (range != NULL && (number >= range->count || (single != NULL && single->depth > range->depth))) {
            range = NULL;
        }
    }
    *found = single != NULL || range != NULL;
    if (p->fn.func == NULL &&
        ((range != NULL && range->space == PTX_REG) || (single != NULL && single->kind == PTX_NAME_REG))) {
        ptx_error(p, op->loc, "register '%.*s' has no value outside a function", (int)text.len, text.at);
        return false;
    }
    if (range != NULL) {
        return resolve_name(p, op, text, range, range_member(p, range, number));
    }
    if (single != NULL && single->kind == PTX_NAME_REG) {
        return resolve_name(p, op, text, single, single_register(p, single));
    }
    return single != NULL && resolve_name(p, op, text, single, single->index);
}

static bool resolve_one(struct ptx_parse *p, struct ptx_operand *op)
{
    if (op->selector.kind == '?') {
        ptx_error(p, op->loc, "'%.*s' is not a component: .x, .y, .z, .w or .r, .g, .b, .a", (int)op->count,
                  p->text + op->bits);
        return false;
    }
    struct ptx_text text = {
        op->name,
        op->name_len - (op->selector.kind == 'x' && op->name_len > 2 && op->name[op->name_len - 2] == '.' ? 2 : 0)};
    bool found;
    bool good = resolve_declared(p, op, text, &found);

    if (found) {
        return good;
    }
    if (op->name[0] == '%' && resolve_special(p, op)) {
        return true;
    }
    undeclared(p, op->kind == PTX_OPND_ADDRESS ? text : (struct ptx_text){op->name, op->name_len}, op->loc);
    return false;
}

static bool resolve_address(struct ptx_parse *p, struct ptx_operand *op)
{
    struct ptx_operand base = *op;

    if (op->name == NULL) {
        return true;
    }
    if (op->selector.kind == '?') {
        return resolve_one(p, &base); /* an error; `count` is the length of the wrong word */
    }
    if ((op->count != 0 && !ptx_resolve(p, op->elements)) || !resolve_one(p, &base)) {
        return false;
    }
    if (base.kind != PTX_OPND_REG && base.kind != PTX_OPND_SYMBOL) {
        ptx_error(p, op->loc,
                  base.kind == PTX_OPND_FUNC ? "'%.*s' is a function, not a variable"
                                             : "'%.*s' cannot be the base of an address",
                  (int)op->name_len, op->name);
        return false;
    }
    if (op->count != 0 && op->elements->kind != PTX_OPND_REG) {
        ptx_error(p, op->elements->loc, "a subscript is a constant or a register");
        return false;
    }
    if (op->subscript && base.kind != PTX_OPND_SYMBOL) {
        ptx_error(p, op->loc, "'%.*s' is not a variable and has no subscript", (int)op->name_len, op->name);
        return false;
    }
    if (op->subscript) {
        const struct ir_symbol *sym = &p->module->symbols.at[ir_ref_index(base.ref)];

        op->offset = (int64_t)((uint64_t)op->offset * ir_type_bytes((enum ir_type)sym->type) * sym->vec);
    }
    op->ref = base.ref;
    op->type = base.type;
    op->space = base.space;
    return true;
}

bool ptx_resolve(struct ptx_parse *p, struct ptx_operand *op)
{
    bool good = true;

    switch (op->kind) {
    case PTX_OPND_NAME:
        return resolve_one(p, op);
    case PTX_OPND_ADDRESS:
        return resolve_address(p, op);
    case PTX_OPND_VECTOR:
    case PTX_OPND_PAIR:
    case PTX_OPND_LIST:
    case PTX_OPND_TUPLE:
        for (uint32_t i = 0; i < op->count; i++) {
            good &= ptx_resolve(p, &op->elements[i]);
        }
        return good;
    default:
        return true;
    }
}
