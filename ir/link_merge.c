/*
 * Linking: the parts' contents move into one module.  Everything that counts gets a new number, in the order of the
 * parts; references are rewritten in place, each once.  Invariant: all memory is had before the first item moves, so
 * that nothing is ever half moved.
 */
#include <string.h>

#include "ir/link_parts.h"

static const uint64_t max_items = ((uint64_t)1 << IR_REF_KIND_SHIFT) - 1;

/* Of the linked module. */
struct totals {
    uint64_t symbols, funcs, lines;
    struct name_table files; /* by number: file `number` + 1 */
};

/* --- numbers ---------------------------------------------------------------------------------- */
static void number_items(struct link *l, uint32_t part, struct totals *t)
{
    struct link_part *p = &l->parts[part];

    for (uint32_t i = 0; i < p->m->symbols.count; i++) {
        p->symbol_to[i] = p->symbol_stays[i] ? (uint32_t)t->symbols++ : LINK_NONE;
    }
    for (uint32_t i = 0; i < p->m->funcs.count; i++) {
        p->func_to[i] = p->func_stays[i] ? (uint32_t)t->funcs++ : LINK_NONE;
    }
    p->line_shift = (uint32_t)t->lines;
    t->lines += p->m->lines.count - 1;
}

/* What does not stay has the number of what it stands for. */
static void number_rest(struct link *l, uint32_t part)
{
    struct link_part *p = &l->parts[part];

    for (uint32_t i = 0; i < p->m->symbols.count; i++) {
        if (!p->symbol_stays[i] && p->m->symbols.at[i].func < 0) {
            const struct link_item to = link_resolve(l, (struct link_item){part, i, false});

            p->symbol_to[i] = l->parts[to.part].symbol_to[to.index];
        }
    }
    for (uint32_t i = 0; i < p->m->funcs.count; i++) {
        if (!p->func_stays[i]) {
            const struct link_item to = link_resolve(l, (struct link_item){part, i, true});

            p->func_to[i] = l->parts[to.part].func_to[to.index];
        }
    }
}

/* Parts mention the same headers again and again.  A file beyond those that lines can name is not named. */
static void number_files(struct link *l, uint32_t part, struct totals *t)
{
    struct link_part *p = &l->parts[part];

    for (uint32_t i = 1; i < p->m->files.count && !l->no_memory; i++) {
        const uint32_t number = name_table_add(&t->files, p->m->files.at[i].name);

        l->no_memory |= number == UINT32_MAX;
        p->file_to[i] = number < UINT16_MAX ? (uint16_t)(number + 1) : 0;
    }
}

/* --- memory ----------------------------------------------------------------------------------- */
static bool reserve(const struct link *l, struct ir_module *out, const struct totals *t)
{
    return t->symbols <= max_items && t->funcs <= max_items && t->lines < UINT32_MAX &&
           vec_reserve(&out->symbols, (uint32_t)t->symbols) && vec_reserve(&out->funcs, (uint32_t)t->funcs) &&
           vec_reserve(&out->lines, (uint32_t)t->lines) && vec_reserve(&out->files, t->files.names.count) &&
           vec_reserve(&out->texts, l->count);
}

/* --- references ------------------------------------------------------------------------------- */
static ir_ref moved(const struct link_part *p, ir_ref ref)
{
    switch (ir_ref_kind(ref)) {
    case IR_REF_SYMBOL:
        return ir_ref_make(IR_REF_SYMBOL, p->symbol_to[ir_ref_index(ref)]);
    case IR_REF_FUNC:
        return ir_ref_make(IR_REF_FUNC, p->func_to[ir_ref_index(ref)]);
    default:
        return ref;
    }
}

static void move_refs(const struct link_part *p, ir_ref *refs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        refs[i] = moved(p, refs[i]);
    }
}

static void move_params(const struct link_part *p, struct ir_param *params, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        params[i].ref = moved(p, params[i].ref);
    }
}

/* --- moving ----------------------------------------------------------------------------------- */
static void move_func(const struct link_part *p, struct ir_func *f, struct ir_module *out, uint32_t text)
{
    f->module = out;
    f->index = out->funcs.count;
    f->text = text;
    move_params(p, f->params, f->n_params);
    move_params(p, f->rets, f->n_rets);
    move_refs(p, f->operands.at, f->operands.count);
    for (uint32_t i = 0; i < f->tables.count; i++) {
        move_refs(p, f->tables.at[i].refs, f->tables.at[i].count);
    }
    for (uint32_t i = 0; i < f->insts.count; i++) {
        f->insts.at[i].line += f->insts.at[i].line != 0 ? p->line_shift : 0;
    }
    out->funcs.at[out->funcs.count++] = f;
}

static void move_funcs(const struct link_part *p, struct ir_module *out, uint32_t text)
{
    for (uint32_t i = 0; i < p->m->funcs.count; i++) {
        if (p->func_stays[i]) {
            move_func(p, p->m->funcs.at[i], out, text);
        } else {
            ir_func_release(p->m->funcs.at[i]);
        }
    }
}

static void move_symbols(struct link *l, uint32_t part, struct ir_module *out)
{
    const struct link_part *p = &l->parts[part];

    for (uint32_t i = 0; i < p->m->symbols.count; i++) {
        struct ir_symbol s = p->m->symbols.at[i];
        const struct link_name *name = link_name_of(l, (struct link_item){part, i, false});

        if (!p->symbol_stays[i]) {
            continue;
        }
        s.text = part;
        s.align = name != NULL ? name->align : s.align;
        s.func = s.func >= 0 ? (int32_t)p->func_to[s.func] : s.func;
        for (uint32_t k = 0; k < s.n_relocs; k++) {
            s.relocs[k].target = moved(p, s.relocs[k].target);
        }
        out->symbols.at[out->symbols.count++] = s;
    }
}

static void move_lines(const struct link_part *p, struct ir_module *out)
{
    for (uint32_t i = 1; i < p->m->lines.count; i++) {
        struct ir_line line = p->m->lines.at[i];

        line.file = p->file_to[line.file];
        out->lines.at[out->lines.count++] = line;
    }
}

static void move_part(struct link *l, uint32_t part, struct ir_module *out)
{
    struct ir_module *m = l->parts[part].m;

    move_symbols(l, part, out);
    move_funcs(&l->parts[part], out, part);
    move_lines(&l->parts[part], out);
    out->texts.at[out->texts.count++] = m->name;
    m->funcs.count = 0; /* all are moved or released */
    arena_adopt(out->arena, m->arena);
}

/* What `m` says of language and target goes into `out` if it is newer. */
static void take_header(struct ir_module *out, const struct ir_module *m)
{
    out->ptx = m->ptx > out->ptx ? m->ptx : out->ptx;
    if (m->sm > out->sm || (m->sm == out->sm && out->sm_suffix == 0)) {
        out->sm = m->sm;
        out->sm_suffix = m->sm_suffix;
    }
    out->address_bits = m->address_bits;
    out->texmode_independent = m->texmode_independent;
}

static void move_all(struct link *l, struct ir_module *out, const struct totals *t)
{
    out->texts.count = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        take_header(out, l->parts[i].m);
        move_part(l, i, out);
    }
    for (uint32_t i = 0; i < t->files.names.count && i < UINT16_MAX; i++) {
        out->files.at[out->files.count++] = (struct ir_file){.name = t->files.names.at[i]};
    }
}

struct ir_module *link_merge(struct link *l)
{
    struct ir_module *out = ir_module_new(l->parts[0].m->name);
    struct totals t = {0};

    l->no_memory |= out == NULL;
    for (uint32_t i = 0; i < l->count && !l->no_memory; i++) {
        number_items(l, i, &t);
        number_files(l, i, &t);
    }
    l->no_memory |= out != NULL && !reserve(l, out, &t);
    if (l->no_memory) {
        ir_module_free(out);
        out = NULL;
    } else {
        for (uint32_t i = 0; i < l->count; i++) {
            number_rest(l, i);
        }
        move_all(l, out, &t);
    }
    name_table_free(&t.files);
    return out;
}
