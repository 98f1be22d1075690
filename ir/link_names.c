/*
 * Linking: what each name stands for, and so which items stay.  Invariant: after link_settle_names every public item
 * has a name whose `best` is, unless errors were reported, the one definition that counts, or some declaration where
 * there is no definition.
 */
#include <stdio.h>
#include <string.h>

#include "ir/link_parts.h"

/* --- what is said of an item ------------------------------------------------------------------ */
static uint8_t linkage_of(const struct link *l, struct link_item item)
{
    return item.is_func ? link_func(l, item)->linkage : link_symbol(l, item)->linkage;
}

static const char *text_of(const struct link *l, struct link_item item)
{
    return item.is_func ? link_func(l, item)->name : link_symbol(l, item)->name;
}

static struct diag_loc loc_of(const struct link *l, struct link_item item)
{
    return item.is_func ? link_func(l, item)->loc : link_symbol(l, item)->loc;
}

static enum link_rank rank_of(const struct link *l, struct link_item item)
{
    switch (linkage_of(l, item)) {
    case IR_LINK_VISIBLE:
        return LINK_STRONG;
    case IR_LINK_WEAK:
        return LINK_WEAK;
    case IR_LINK_COMMON:
        return LINK_COMMON;
    default:
        return LINK_DECLARED;
    }
}

struct link_name *link_name_of(const struct link *l, struct link_item item)
{
    const struct link_part *p = &l->parts[item.part];
    const uint32_t number = item.is_func ? p->func_name[item.index] : p->symbol_name[item.index];

    return number == LINK_NONE ? NULL : &l->names.at[number];
}

struct link_item link_resolve(const struct link *l, struct link_item item)
{
    const struct link_name *name = link_name_of(l, item);

    if (name != NULL) {
        item = name->best;
    }
    /* An alias stands for a function of its own part that is defined there and not weak: nothing overrides that. */
    if (item.is_func && link_func(l, item)->alias_of != NULL) {
        item.index = link_func(l, item)->alias_of->index;
    }
    return item;
}

/* --- do two items of one name agree? ---------------------------------------------------------- */
/* As the linker of CUDA compares them: by how a value is passed, which neither .reg nor an alignment changes. */
static bool same_values(const struct ir_param *a, const struct ir_param *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (a[i].size_bytes != b[i].size_bytes ||
            (ir_type_info[a[i].type].kind == IR_KIND_FLOAT) != (ir_type_info[b[i].type].kind == IR_KIND_FLOAT)) {
            return false;
        }
    }
    return true;
}

/* What two functions of one name differ in, or NULL. */
static const char *funcs_differ(const struct ir_func *a, const struct ir_func *b)
{
    if (a->is_entry != b->is_entry) {
        return "being a kernel";
    }
    if (a->is_entry) {
        return a->param_bytes != b->param_bytes ? "the size of its parameters" : NULL;
    }
    if (a->n_params != b->n_params) {
        return "the number of parameters";
    }
    if (a->n_rets != b->n_rets) {
        return "the number of results";
    }
    return !same_values(a->params, b->params, a->n_params) ? "the type of a parameter"
           : !same_values(a->rets, b->rets, a->n_rets)     ? "the type of the result"
                                                           : NULL;
}

/* Likewise two variables: element types do not matter, nor do alignments. */
static const char *symbols_differ(const struct ir_symbol *a, const struct ir_symbol *b)
{
    const bool both_common = a->linkage == IR_LINK_COMMON && b->linkage == IR_LINK_COMMON;

    if (a->space != b->space) {
        return "the state space";
    }
    if (a->managed != b->managed) {
        return "being managed";
    }
    return !both_common && !a->unsized && !b->unsized && a->size_bytes != b->size_bytes ? "the size" : NULL;
}

static const char *items_differ(const struct link *l, struct link_item a, struct link_item b)
{
    if (a.is_func != b.is_func) {
        return "being a function";
    }
    return a.is_func ? funcs_differ(link_func(l, a), link_func(l, b))
                     : symbols_differ(link_symbol(l, a), link_symbol(l, b));
}

/* --- which of two counts? --------------------------------------------------------------------- */
static bool says_more(const struct link *l, const struct link_name *name, struct link_item item)
{
    const enum link_rank rank = rank_of(l, item);

    if (rank != name->rank || item.is_func) {
        return rank > name->rank;
    }
    const struct ir_symbol *old = link_symbol(l, name->best), *s = link_symbol(l, item);

    return rank == LINK_COMMON ? s->size_bytes > old->size_bytes : rank == LINK_DECLARED && old->unsized && !s->unsized;
}

static void meet(struct link *l, struct link_name *name, struct link_item item)
{
    const char *differs = items_differ(l, name->best, item);

    if (differs != NULL) {
        link_error(l, item.part, loc_of(l, item), "'%s' differs between parts in %s", text_of(l, item), differs);
        link_note(l, name->best, "the other one is here");
        return;
    }
    if (rank_of(l, item) == LINK_STRONG && name->rank == LINK_STRONG) {
        link_error(l, item.part, loc_of(l, item), "multiple definition of '%s'", text_of(l, item));
        link_note(l, name->best, "first defined here");
        return;
    }
    if (says_more(l, name, item)) {
        name->best = item;
        name->rank = (uint8_t)rank_of(l, item);
    }
    if (!item.is_func && link_symbol(l, item)->align > name->align) {
        name->align = link_symbol(l, item)->align;
    }
}

/* The number of the item's public name, which is made if it is new. */
static uint32_t enter_public(struct link *l, struct link_item item)
{
    const uint32_t number = name_table_add(&l->table, text_of(l, item));

    if (number == l->names.count) {
        const struct link_name name = {
            .best = item, .rank = (uint8_t)rank_of(l, item), .align = item.is_func ? 1 : link_symbol(l, item)->align};

        l->no_memory |= !vec_push(&l->names, name);
    } else if (number < l->names.count) {
        meet(l, &l->names.at[number], item);
    } else {
        l->no_memory = true;
    }
    return number;
}

/* --- private names ---------------------------------------------------------------------------- */
/* A private item whose name others have, too, gets the number of its part appended, with a dot, as no name of PTX has.
 */
static void make_unique(struct link *l, uint32_t part, const char **name)
{
    const uint32_t known = l->table.names.count;
    char digits[16];

    if (name_table_add(&l->table, *name) == known) {
        return;
    }
    snprintf(digits, sizeof digits, ".%u", part + 1);
    char *longer = arena_alloc(l->parts[part].m->arena, strlen(*name) + strlen(digits) + 1, 1);

    if (longer == NULL || known == UINT32_MAX) {
        l->no_memory = true;
        return;
    }
    strcpy(stpcpy(longer, *name), digits);
    *name = longer;
}

static void name_private(struct link *l, uint32_t part)
{
    struct link_part *p = &l->parts[part];

    for (uint32_t i = 0; i < p->m->symbols.count && !l->no_memory; i++) {
        if (p->m->symbols.at[i].func < 0 && p->symbol_name[i] == LINK_NONE) {
            make_unique(l, part, &p->m->symbols.at[i].name);
        }
    }
    for (uint32_t i = 0; i < p->m->funcs.count && !l->no_memory; i++) {
        if (p->func_name[i] == LINK_NONE) {
            make_unique(l, part, &p->m->funcs.at[i]->name);
        }
    }
}

/* --- all -------------------------------------------------------------------------------------- */
static void name_public(struct link *l, uint32_t part)
{
    struct link_part *p = &l->parts[part];

    for (uint32_t i = 0; i < p->m->symbols.count && !l->no_memory; i++) {
        const struct ir_symbol *s = &p->m->symbols.at[i];
        const bool is_public = s->func < 0 && s->linkage != IR_LINK_INTERNAL;

        p->symbol_name[i] = is_public ? enter_public(l, (struct link_item){part, i, false}) : LINK_NONE;
    }
    for (uint32_t i = 0; i < p->m->funcs.count && !l->no_memory; i++) {
        const bool is_public = p->m->funcs.at[i]->linkage != IR_LINK_INTERNAL;

        p->func_name[i] = is_public ? enter_public(l, (struct link_item){part, i, true}) : LINK_NONE;
    }
}

static bool stands_for_itself(const struct link *l, struct link_item item)
{
    const struct link_item to = link_resolve(l, item);

    return to.part == item.part && to.index == item.index;
}

/* A symbol inside a function goes with its function. */
static void note_who_stays(struct link *l, uint32_t part)
{
    struct link_part *p = &l->parts[part];

    for (uint32_t i = 0; i < p->m->funcs.count; i++) {
        p->func_stays[i] = stands_for_itself(l, (struct link_item){part, i, true});
    }
    for (uint32_t i = 0; i < p->m->symbols.count; i++) {
        const int32_t owner = p->m->symbols.at[i].func;

        p->symbol_stays[i] =
            owner >= 0 ? p->func_stays[owner] : stands_for_itself(l, (struct link_item){part, i, false});
    }
}

void link_settle_names(struct link *l)
{
    for (uint32_t i = 0; i < l->count; i++) {
        name_public(l, i);
    }
    /* Later, so that a public name always keeps its spelling. */
    for (uint32_t i = 0; i < l->count && !l->no_memory; i++) {
        name_private(l, i);
    }
    for (uint32_t i = 0; i < l->count && !l->no_memory; i++) {
        note_who_stays(l, i);
    }
}
