/*
 * Linking: what is needed and nobody defines.  A variable is needed when it is declared; a function when it can be
 * reached from a kernel or its address stands in a variable.  Each is reported once, where it is first needed.
 */
#include <stdlib.h>

#include "ir/link_parts.h"

struct search {
    struct link *l;
    bool **seen; /* per part and function: is or was in `todo` */
    VEC(struct link_item) todo;
};

static bool is_undefined(const struct link *l, const struct link_name *name)
{
    if (name->rank != LINK_DECLARED) {
        return false;
    }
    if (!name->best.is_func) {
        return !ir_is_filled_at_launch(link_symbol(l, name->best));
    }
    const struct ir_func *f = link_func(l, name->best);

    return f->host_function == 0 && !ir_is_supplied(f->name);
}

/* `item` is needed at a place of its part. */
static void need(struct search *s, struct link_item item, struct diag_loc loc)
{
    struct link *l = s->l;
    struct link_name *name = link_name_of(l, item);

    if (name != NULL && is_undefined(l, name)) {
        if (!name->reported) {
            const char *text = item.is_func ? link_func(l, item)->name : link_symbol(l, item)->name;

            link_error(l, item.part, loc, "undefined reference to '%s'", text);
            link_note(l, item, "declared here; no part defines it");
            name->reported = true;
        }
        return;
    }
    item = link_resolve(l, item);
    if (item.is_func && !s->seen[item.part][item.index]) {
        s->seen[item.part][item.index] = true;
        l->no_memory |= !vec_push(&s->todo, item);
    }
}

static void need_ref(struct search *s, uint32_t part, ir_ref ref, struct diag_loc loc)
{
    const enum ir_ref_kind kind = ir_ref_kind(ref);

    if (kind == IR_REF_FUNC || kind == IR_REF_SYMBOL) {
        need(s, (struct link_item){part, ir_ref_index(ref), kind == IR_REF_FUNC}, loc);
    }
}

static void need_of_inst(struct search *s, uint32_t part, const struct ir_func *f, const struct ir_inst *in)
{
    const struct ir_line *line = &f->module->lines.at[in->line];
    const struct diag_loc loc = {.line = line->line, .column = line->column, .length = 1};

    for (uint32_t i = 0; i < in->n_dst + ir_n_srcs(in); i++) {
        need_ref(s, part, f->operands.at[in->operands + i], loc);
    }
}

/* Targets of indirect calls are named by a label; the function's head is the nearest place known. */
static void need_of_tables(struct search *s, uint32_t part, const struct ir_func *f)
{
    for (uint32_t t = 0; t < f->tables.count; t++) {
        for (uint32_t i = 0; i < f->tables.at[t].count; i++) {
            need_ref(s, part, f->tables.at[t].refs[i], f->loc);
        }
    }
}

static void need_of_funcs(struct search *s)
{
    while (s->todo.count > 0 && !s->l->no_memory) {
        const struct link_item at = s->todo.at[--s->todo.count];
        const struct ir_func *f = link_func(s->l, at);

        for (uint32_t i = 0; i < f->insts.count; i++) {
            need_of_inst(s, at.part, f, &f->insts.at[i]);
        }
        need_of_tables(s, at.part, f);
    }
}

static void need_of_kernels(struct search *s, uint32_t part)
{
    const struct ir_module *m = s->l->parts[part].m;

    for (uint32_t i = 0; i < m->funcs.count; i++) {
        if (m->funcs.at[i]->is_entry && m->funcs.at[i]->defined) {
            need(s, (struct link_item){part, i, true}, m->funcs.at[i]->loc);
        }
    }
}

static void need_of_initialisers(struct search *s, uint32_t part)
{
    const struct ir_module *m = s->l->parts[part].m;

    for (uint32_t i = 0; i < m->symbols.count; i++) {
        const struct ir_symbol *symbol = &m->symbols.at[i];

        for (uint32_t k = 0; k < symbol->n_relocs && s->l->parts[part].symbol_stays[i]; k++) {
            need_ref(s, part, symbol->relocs[k].target, symbol->loc);
        }
    }
}

/* Last, so that a place where a variable is used is named rather than its declaration. */
static void need_of_declarations(struct search *s, uint32_t part)
{
    const struct ir_module *m = s->l->parts[part].m;

    for (uint32_t i = 0; i < m->symbols.count; i++) {
        if (m->symbols.at[i].linkage == IR_LINK_EXTERN) {
            need(s, (struct link_item){part, i, false}, m->symbols.at[i].loc);
        }
    }
}

void link_report_undefined(struct link *l)
{
    struct search s = {.l = l, .seen = calloc(l->count, sizeof *s.seen)};

    l->no_memory |= s.seen == NULL;
    for (uint32_t i = 0; i < l->count && !l->no_memory; i++) {
        s.seen[i] = calloc(l->parts[i].m->funcs.count + 1u, sizeof *s.seen[i]);
        l->no_memory |= s.seen[i] == NULL;
    }
    for (uint32_t i = 0; i < l->count && !l->no_memory; i++) {
        need_of_kernels(&s, i);
        need_of_initialisers(&s, i);
    }
    need_of_funcs(&s);
    for (uint32_t i = 0; i < l->count && !l->no_memory; i++) {
        need_of_declarations(&s, i);
    }
    for (uint32_t i = 0; s.seen != NULL && i < l->count; i++) {
        free(s.seen[i]);
    }
    free(s.seen);
    vec_free(&s.todo);
}
