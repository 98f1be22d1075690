/*
 * What concerns functions as a whole: aliases, prototypes, tables of targets, and what must hold when the text ends.
 */
#include <stdio.h>
#include <string.h>

#include "frontend/parse.h"

struct ref_list {
    ir_ref *at;
    uint32_t count;
    uint32_t room;
};

/* --- prototypes and tables ------------------------------------------------------------------ */
void ptx_proto_begin(struct ptx_parse *p, struct diag_loc loc)
{
    (void)loc;
    p->fn.params.count = 0;
    p->fn.rets.count = 0;
    p->fn.param_decls.count = 0;
    p->fn.ret_decls.count = 0;
    p->fn.in_rets = false;
    p->fn.open_array = false;
    p->fn.noreturn = false;
    p->fn.limits_seen = 0;
    p->fn.was_entry = p->fn.is_entry;
    p->fn.is_entry = false;
    p->fn.in_head = true;
}

void ptx_proto_end(struct ptx_parse *p, struct diag_loc loc)
{
    struct ptx_signature *sig = ARENA_NEW(p->arena, struct ptx_signature);

    p->fn.in_head = false;
    p->fn.is_entry = p->fn.was_entry;
    if (sig == NULL || !ptx_signature_copy(p, sig)) {
        ptx_out_of_memory(p);
        return;
    }
    ptx_label_define(p, PTX_LABEL_PROTO, 0, sig, loc, ".callprototype");
}

static bool table_add(struct ptx_parse *p, struct ref_list *refs, ir_ref ref)
{
    if (!vec_push(refs, ref)) {
        ptx_out_of_memory(p);
        return false;
    }
    return true;
}

/* A table of the function from `refs`; its index or PTX_NO_INDEX. */
static uint32_t table_new(struct ptx_parse *p, const struct ref_list *refs)
{
    struct ir_table table = {ARENA_ARRAY(p->module->arena, ir_ref, refs->count), refs->count};

    if (p->fn.func == NULL || table.refs == NULL || !vec_push(&p->fn.func->tables, table)) {
        ptx_out_of_memory(p);
        return PTX_NO_INDEX;
    }
    memcpy(table.refs, refs->at, refs->count * sizeof *table.refs);
    return p->fn.func->tables.count - 1;
}

enum { MAX_TARGETS = 1 << 16 };

/* name<count> stands for name0 ... */
static bool add_label_range(struct ptx_parse *p, struct ref_list *refs, const struct ptx_operand *op)
{
    if (op->bits > MAX_TARGETS) {
        ptx_error(p, op->loc, "more than %d targets", MAX_TARGETS);
        return false;
    }
    for (uint64_t i = 0; i < op->bits; i++) {
        char digits[24];
        int len = snprintf(digits, sizeof digits, "%u", (unsigned)i);
        char *name = arena_alloc(p->arena, op->name_len + (size_t)len, 1);

        if (name == NULL) {
            ptx_out_of_memory(p);
            return false;
        }
        memcpy(name, op->name, op->name_len);
        memcpy(name + op->name_len, digits, (size_t)len);
        uint32_t number = ptx_label_refer(p, (struct ptx_text){name, op->name_len + (uint32_t)len}, op->loc);

        if (number == PTX_NO_INDEX || !table_add(p, refs, ir_ref_make(IR_REF_BLOCK, number))) {
            return false;
        }
    }
    return true;
}

static bool add_label(struct ptx_parse *p, struct ref_list *refs, const struct ptx_operand *op)
{
    const struct ptx_text name = {op->name, op->name_len};

    if (op->bits != 0) {
        return add_label_range(p, refs, op);
    }
    if (ptx_label_find(p, name) == NULL && ptx_name_find(p, name, PTX_NAME_FUNC) != NULL) {
        ptx_error(p, op->loc, "'%.*s' is a function, not a label", (int)name.len, name.at);
        return false;
    }
    uint32_t number = ptx_label_refer(p, name, op->loc);

    return number != PTX_NO_INDEX && table_add(p, refs, ir_ref_make(IR_REF_BLOCK, number));
}

void ptx_branch_targets(struct ptx_parse *p, const struct ptx_list *list, struct diag_loc loc)
{
    struct ref_list refs = {0};
    bool good = list != NULL;

    for (uint32_t i = 0; good && i < list->count; i++) {
        good = add_label(p, &refs, list->items[i]);
    }
    if (good) {
        uint32_t table = table_new(p, &refs);

        if (table != PTX_NO_INDEX) {
            ptx_label_define(p, PTX_LABEL_BRANCHES, table, NULL, loc, ".branchtargets");
        }
    } else {
        p->labels.waiting.count = 0;
    }
    vec_free(&refs);
}

/* The function named by a target of .calltargets, or NULL after reporting. */
static struct ir_func *call_target(struct ptx_parse *p, const struct ptx_operand *op)
{
    const struct ptx_name *name = ptx_name_find(p, (struct ptx_text){op->name, op->name_len}, PTX_NAME_FUNC);
    struct ir_func *f = name != NULL && name->index != PTX_NO_INDEX ? p->module->funcs.at[name->index] : NULL;

    if (f == NULL || f->is_entry) {
        ptx_error(p, op->loc, "'%.*s' is not a function", (int)op->name_len, op->name);
        return NULL;
    }
    return f;
}

void ptx_call_targets(struct ptx_parse *p, const struct ptx_list *list, struct diag_loc loc)
{
    struct ref_list refs = {0};
    struct ptx_signature *sig = NULL;
    bool good = list != NULL;

    for (uint32_t i = 0; good && i < list->count; i++) {
        struct ir_func *f = call_target(p, list->items[i]);

        if (f == NULL) {
            good = false;
            break;
        }
        struct ptx_signature *own = &ptx_func_note(p, f->index)->signature;
        const char *differs = sig != NULL ? ptx_signature_differs(sig, own) : NULL;

        if (differs != NULL) {
            ptx_error(p, list->items[i]->loc, "'%s' differs from the targets before in the %s", f->name, differs);
            good = false;
            break;
        }
        sig = own;
        good = table_add(p, &refs, ir_ref_make(IR_REF_FUNC, f->index));
    }
    struct ptx_signature *copy = good && sig != NULL ? ARENA_NEW(p->arena, struct ptx_signature) : NULL;
    uint32_t table = copy != NULL ? table_new(p, &refs) : PTX_NO_INDEX;

    if (table != PTX_NO_INDEX) {
        *copy = *sig;
        ptx_label_define(p, PTX_LABEL_CALLS, table, copy, loc, ".calltargets");
    } else {
        p->labels.waiting.count = 0;
    }
    vec_free(&refs);
}

/* --- aliases -------------------------------------------------------------------------------- */
static struct ptx_name *alias_side(struct ptx_parse *p, struct ptx_text text, struct diag_loc loc)
{
    struct ptx_name *name = ptx_name_find(p, text, PTX_NAME_FUNC);

    if (name == NULL || name->index == PTX_NO_INDEX) {
        ptx_error(p, loc, "use of undeclared function '%.*s'", (int)text.len, text.at);
        return NULL;
    }
    if (p->module->funcs.at[name->index]->is_entry) {
        ptx_error(p, loc, "'%.*s' is a kernel; only functions have aliases", (int)text.len, text.at);
        return NULL;
    }
    return name;
}

void ptx_alias(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc, struct ptx_text of,
               struct diag_loc of_loc)
{
    if (!ptx_item_begins(p, loc) || !ptx_needs(p, loc, ".alias", 63, 30)) {
        return;
    }
    struct ptx_name *new_name = alias_side(p, name, loc);
    struct ptx_name *old_name = new_name != NULL ? alias_side(p, of, of_loc) : NULL;

    if (old_name == NULL) {
        return;
    }
    struct ir_func *new_func = p->module->funcs.at[new_name->index], *old_func = p->module->funcs.at[old_name->index];
    struct ptx_func_note *note = ptx_func_note(p, new_func->index);
    const char *differs = ptx_signature_differs(&note->signature, &ptx_func_note(p, old_func->index)->signature);

    if (new_func == old_func) {
        ptx_error(p, loc, "'%.*s' %s", (int)name.len, name.at,
                  note->alias ? "is an alias already" : "cannot be an alias of itself");
    } else if (new_func->defined || note->alias) {
        ptx_error(p, loc, "'%.*s' has a definition and cannot become an alias", (int)name.len, name.at);
    } else if (!old_func->defined || old_func->linkage == IR_LINK_WEAK) {
        ptx_error(p, of_loc, "an alias needs a function that is defined and not weak");
    } else if (differs != NULL) {
        ptx_error(p, loc, "'%.*s' and '%.*s' differ in the %s", (int)name.len, name.at, (int)of.len, of.at, differs);
    } else {
        note->alias = true;
        ptx_func_note(p, old_func->index)->aliased = true;
        new_func->alias_of = old_func;
        new_name->index = old_func->index;
    }
}

/* --- the end -------------------------------------------------------------------------------- */
void ptx_module_end(struct ptx_parse *p, struct diag_loc loc)
{
    if (p->stage == PTX_STAGE_START) {
        ptx_fatal(p, loc, "the text is empty: a module begins with '.version' and '.target'");
        return;
    }
    ptx_item_begins(p, loc);
    ptx_externals_end(p);
    ptx_files_end(p);
    if (p->debug_loc.line != 0) {
        ptx_error(p, p->debug_loc, "target option 'debug' needs debug sections");
    }
}
