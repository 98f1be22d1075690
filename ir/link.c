/*
 * Linking: the steps, and what modules as a whole must agree in.  Invariant: the parts are not changed before the last
 * step, which fails only for lack of memory, apart from private names, which are made unique.
 */
#include "ir/link.h"

#include <stdio.h>
#include <stdlib.h>

#include "ir/link_parts.h"

/* --- messages --------------------------------------------------------------------------------- */
enum { MESSAGE_BYTES = 1024 };

void link_error(struct link *l, uint32_t part, struct diag_loc loc, const char *format, ...)
{
    char text[MESSAGE_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    diag_turn_to(l->dg, part);
    diag_error(l->dg, loc, "%s", text);
}

void link_note(struct link *l, struct link_item about, const char *format, ...)
{
    char text[MESSAGE_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    diag_turn_to(l->dg, about.part);
    diag_note(l->dg, about.is_func ? link_func(l, about)->loc : link_symbol(l, about)->loc, "%s", text);
}

/* --- what modules must agree in --------------------------------------------------------------- */
static void check_headers(struct link *l)
{
    const struct ir_module *first = l->parts[0].m;

    for (uint32_t i = 1; i < l->count; i++) {
        const struct ir_module *m = l->parts[i].m;

        if (m->address_bits != first->address_bits) {
            link_error(l, i, (struct diag_loc){0}, "addresses have %u bits here, but %u in '%s'", m->address_bits,
                       first->address_bits, first->name);
        }
        if (m->texmode_independent != first->texmode_independent) {
            link_error(l, i, (struct diag_loc){0}, "the texture mode is %s here, but %s in '%s'",
                       m->texmode_independent ? "independent" : "unified",
                       first->texmode_independent ? "independent" : "unified", first->name);
        }
    }
}

/* --- the whole -------------------------------------------------------------------------------- */
/* Zeroed room for `count` elements, of which there may be none. */
static void *list_of(struct link *l, uint32_t count, size_t size)
{
    void *list = calloc(count + (size_t)1, size);

    l->no_memory |= list == NULL;
    return list;
}

static void open_part(struct link *l, struct link_part *p, struct ir_module *m)
{
    *p = (struct link_part){
        .m = m,
        .symbol_name = list_of(l, m->symbols.count, sizeof *p->symbol_name),
        .func_name = list_of(l, m->funcs.count, sizeof *p->func_name),
        .symbol_stays = list_of(l, m->symbols.count, sizeof *p->symbol_stays),
        .func_stays = list_of(l, m->funcs.count, sizeof *p->func_stays),
        .symbol_to = list_of(l, m->symbols.count, sizeof *p->symbol_to),
        .func_to = list_of(l, m->funcs.count, sizeof *p->func_to),
        .file_to = list_of(l, m->files.count, sizeof *p->file_to),
    };
}

static void release(struct link *l)
{
    for (uint32_t i = 0; l->parts != NULL && i < l->count; i++) {
        free(l->parts[i].symbol_name);
        free(l->parts[i].func_name);
        free(l->parts[i].symbol_stays);
        free(l->parts[i].func_stays);
        free(l->parts[i].symbol_to);
        free(l->parts[i].func_to);
        free(l->parts[i].file_to);
    }
    free(l->parts);
    name_table_free(&l->table);
    vec_free(&l->names);
}

struct ir_module *ir_link(struct ir_module *const *parts, uint32_t count, enum ir_link_scope scope, struct diag *dg)
{
    const size_t errors = dg->errors;
    struct link l = {.parts = calloc(count, sizeof *l.parts), .count = count, .dg = dg};
    struct ir_module *out = NULL;

    l.no_memory = l.parts == NULL;
    for (uint32_t i = 0; l.parts != NULL && i < count; i++) {
        open_part(&l, &l.parts[i], parts[i]);
    }
    if (!l.no_memory) {
        check_headers(&l);
        link_settle_names(&l);
    }
    /* After a disagreement it is not known what names stand for. */
    if (!l.no_memory && dg->errors == errors && scope == IR_LINK_PROGRAM) {
        link_report_undefined(&l);
    }
    if (!l.no_memory && dg->errors == errors) {
        out = link_merge(&l);
    }
    if (l.no_memory) {
        diag_error(dg, (struct diag_loc){0}, "memory exhausted");
    }
    release(&l);
    if (out != NULL && !ir_layout(out, dg)) {
        ir_module_free(out);
        return NULL;
    }
    return out;
}
