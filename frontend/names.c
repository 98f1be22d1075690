/*
 * Scopes and the names in them: entering, finding, what is taken.  Labels have a space of their own (labels.c); what a
 * name stands for once it is used is in resolve.c.
 *
 * Invariant: `all` is ordered by scope, innermost last, and every bucket lists later entries first, so closing a scope
 * removes a suffix.
 */
#include <stdlib.h>
#include <string.h>

#include "frontend/parse.h"

enum { FIRST_BUCKETS = 256 };

bool ptx_names_init(struct ptx_parse *p)
{
    p->names.n_buckets = FIRST_BUCKETS;
    p->names.buckets = calloc(FIRST_BUCKETS, sizeof *p->names.buckets);
    return p->names.buckets != NULL;
}

void ptx_names_free(struct ptx_parse *p)
{
    vec_free(&p->names.all);
    free(p->names.buckets);
    free(p->names.module_members.slots);
    free(p->names.func_members.slots);
}

/* --- scopes --------------------------------------------------------------------------------- */
bool ptx_scope_open(struct ptx_parse *p)
{
    struct ptx_names *n = &p->names;

    if (n->depth == 0) {
        n->n_module_ranges = n->n_ranges;
        ptx_members_forget(&n->func_members);
    }
    if (n->depth + 1 >= PTX_MAX_NESTING + 4) {
        return false;
    }
    n->starts[++n->depth] = n->all.count;
    return true;
}

void ptx_scope_close(struct ptx_parse *p)
{
    struct ptx_names *n = &p->names;
    uint32_t start = n->starts[n->depth--];

    while (n->all.count > start) {
        const struct ptx_name *last = &n->all.at[--n->all.count];

        n->buckets[last->hash & (n->n_buckets - 1)] = last->next;
    }
}

static bool grow_buckets(struct ptx_names *n)
{
    uint32_t count = n->n_buckets * 2;
    uint32_t *buckets = calloc(count, sizeof *buckets);

    if (buckets == NULL) {
        return false;
    }
    free(n->buckets);
    n->buckets = buckets;
    n->n_buckets = count;
    for (uint32_t i = 0; i < n->all.count; i++) {
        uint32_t *head = &buckets[n->all.at[i].hash & (count - 1)];

        n->all.at[i].next = *head;
        *head = i + 1;
    }
    return true;
}

static struct ptx_name *find(struct ptx_names *n, const char *text, size_t len, unsigned kinds)
{
    uint32_t hash = ptx_hash(text, len);

    for (uint32_t at = n->buckets[hash & (n->n_buckets - 1)]; at != 0; at = n->all.at[at - 1].next) {
        struct ptx_name *name = &n->all.at[at - 1];

        if (name->hash == hash && name->len == len && (name->kind & kinds) != 0 && memcmp(name->text, text, len) == 0) {
            return name;
        }
    }
    return NULL;
}

struct ptx_name *ptx_name_find(struct ptx_parse *p, struct ptx_text name, unsigned kinds)
{
    return find(&p->names, name.at, name.len, kinds);
}

bool ptx_split_number(struct ptx_text name, uint32_t *stem_len, uint32_t *number)
{
    uint32_t at = name.len;
    uint64_t value = 0;

    while (at > 0 && name.at[at - 1] >= '0' && name.at[at - 1] <= '9') {
        at--;
    }
    uint32_t digits = name.len - at;

    if (at == 0 || digits == 0 || digits > 10 || (digits > 1 && name.at[at] == '0')) {
        return false;
    }
    for (uint32_t i = at; i < name.len; i++) {
        value = value * 10 + (uint64_t)(name.at[i] - '0');
    }
    *stem_len = at;
    *number = (uint32_t)value;
    return value < UINT32_MAX;
}

/* --- declaring ------------------------------------------------------------------------------ */
static struct ptx_name *push_name(struct ptx_parse *p, const struct ptx_name *init)
{
    struct ptx_names *n = &p->names;

    if ((n->all.count >= n->n_buckets && !grow_buckets(n)) || !vec_push(&n->all, *init)) {
        ptx_out_of_memory(p);
        return NULL;
    }
    struct ptx_name *name = &n->all.at[n->all.count - 1];
    uint32_t *head = &n->buckets[name->hash & (n->n_buckets - 1)];

    name->next = *head;
    *head = n->all.count;
    return name;
}

/* Names with numbers are noted by their stems, so that a range declared later can tell whether it would repeat one. */
static void note_stem(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc)
{
    uint32_t stem_len, number;

    if (!ptx_split_number(name, &stem_len, &number)) {
        return;
    }
    struct ptx_name *stem = find(&p->names, name.at, stem_len, PTX_NAME_STEM);

    if (stem != NULL && stem->depth == p->names.depth) {
        if (number < stem->count) {
            stem->count = number;
            stem->loc = loc;
        }
        return;
    }
    push_name(p, &(struct ptx_name){.text = name.at,
                                    .len = stem_len,
                                    .hash = ptx_hash(name.at, stem_len),
                                    .kind = PTX_NAME_STEM,
                                    .count = number,
                                    .depth = (uint16_t)p->names.depth,
                                    .loc = loc});
}

/* The declaration in this very scope that `name` (or a member of name<range>) would repeat. */
static const struct ptx_name *taken_by(struct ptx_parse *p, struct ptx_text name, uint32_t range)
{
    struct ptx_names *n = &p->names;
    const unsigned singles = PTX_NAME_REG | PTX_NAME_VAR | PTX_NAME_FUNC;
    const struct ptx_name *other = find(n, name.at, name.len, range != 0 ? PTX_NAME_RANGE : singles);
    uint32_t stem_len, number;

    if (other != NULL && other->depth == n->depth) {
        return other;
    }
    if (range != 0) {
        other = find(n, name.at, name.len, PTX_NAME_STEM);
        return other != NULL && other->depth == n->depth && other->count < range ? other : NULL;
    }
    if (ptx_split_number(name, &stem_len, &number)) {
        other = find(n, name.at, stem_len, PTX_NAME_RANGE);
        return other != NULL && other->depth == n->depth && number < other->count ? other : NULL;
    }
    return NULL;
}

struct ptx_name *ptx_name_declare(struct ptx_parse *p, struct ptx_text name, enum ptx_name_kind kind, uint32_t range,
                                  struct diag_loc loc)
{
    const struct ptx_name *taken = taken_by(p, name, range);

    if (taken != NULL) {
        ptx_error(p, loc, "redefinition of '%.*s'", (int)name.len, name.at);
        ptx_note(p, taken->loc, "previous declaration is here");
        return NULL;
    }
    if (range == 0) {
        note_stem(p, name, loc);
    }
    return push_name(p, &(struct ptx_name){.text = name.at,
                                           .len = name.len,
                                           .hash = ptx_hash(name.at, name.len),
                                           .kind = (uint8_t)(range != 0 ? PTX_NAME_RANGE : kind),
                                           .index = range != 0 ? p->names.n_ranges++ : PTX_NO_INDEX,
                                           .count = range,
                                           .vec = 1,
                                           .depth = (uint16_t)p->names.depth,
                                           .loc = loc});
}
