/*
 * Labels of one function: places in the code, lists of branch or call targets, prototypes.  A reference may come before
 * the place; it is pending in the scope it was made in and, when that closes, in the enclosing one.
 *
 * Invariant: entries of inner scopes follow those of outer ones, as in names.c; on closing, pending entries are entered
 * again one scope further out.  Two scopes may have pending entries of one name; then each has its own number and all
 * are placed.
 */
#include <stdlib.h>
#include <string.h>

#include "frontend/parse.h"

enum { FIRST_BUCKETS = 64 };

bool ptx_labels_init(struct ptx_parse *p)
{
    p->labels.n_buckets = FIRST_BUCKETS;
    p->labels.buckets = calloc(FIRST_BUCKETS, sizeof *p->labels.buckets);
    return p->labels.buckets != NULL;
}

void ptx_labels_free(struct ptx_parse *p)
{
    vec_free(&p->labels.all);
    vec_free(&p->labels.waiting);
    free(p->labels.buckets);
}

static uint32_t *bucket_of(struct ptx_labels *l, uint32_t hash)
{
    return &l->buckets[hash & (l->n_buckets - 1)];
}

/* A new function: nothing is known. */
void ptx_labels_start(struct ptx_parse *p)
{
    struct ptx_labels *l = &p->labels;

    while (l->all.count != 0) {
        const struct ptx_label *last = &l->all.at[--l->all.count];

        *bucket_of(l, last->hash) = last->next;
    }
    l->waiting.count = 0;
    l->n_numbers = 0;
}

static bool grow_buckets(struct ptx_labels *l)
{
    uint32_t count = l->n_buckets * 2;
    uint32_t *buckets = calloc(count, sizeof *buckets);

    if (buckets == NULL) {
        return false;
    }
    free(l->buckets);
    l->buckets = buckets;
    l->n_buckets = count;
    for (uint32_t i = 0; i < l->all.count; i++) {
        uint32_t *head = bucket_of(l, l->all.at[i].hash);

        l->all.at[i].next = *head;
        *head = i + 1;
    }
    return true;
}

static struct ptx_label *push_label(struct ptx_parse *p, const struct ptx_label *init)
{
    struct ptx_labels *l = &p->labels;

    if ((l->all.count >= l->n_buckets && !grow_buckets(l)) || !vec_push(&l->all, *init)) {
        ptx_out_of_memory(p);
        return NULL;
    }
    struct ptx_label *label = &l->all.at[l->all.count - 1];
    uint32_t *head = bucket_of(l, label->hash);

    label->next = *head;
    *head = l->all.count;
    return label;
}

void ptx_labels_open(struct ptx_parse *p)
{
    p->labels.starts[p->names.depth] = p->labels.all.count;
}

static void undefined_label(struct ptx_parse *p, const struct ptx_label *label)
{
    struct ptx_suggest s;

    ptx_suggest_start(&s, label->text, label->len);
    for (uint32_t i = 0; i < p->labels.all.count; i++) {
        if (p->labels.all.at[i].kind == PTX_LABEL_PLACED) {
            ptx_suggest_try(&s, p->labels.all.at[i].text, p->labels.all.at[i].len);
        }
    }
    if (ptx_suggest_found(&s)) {
        ptx_error(p, label->loc, "use of undefined label '%.*s'; did you mean '%.*s'?", (int)label->len, label->text,
                  (int)s.best.len, s.best.at);
    } else {
        ptx_error(p, label->loc, "use of undefined label '%.*s'", (int)label->len, label->text);
    }
}

/* Called while the scope's depth is still that of the closing one. */
void ptx_labels_close(struct ptx_parse *p)
{
    struct ptx_labels *l = &p->labels;
    uint32_t start = l->starts[p->names.depth];
    uint32_t end = l->all.count;
    bool outermost = p->names.depth <= 2;

    for (uint32_t i = start; i < end && outermost; i++) {
        if (l->all.at[i].kind == PTX_LABEL_PENDING) {
            undefined_label(p, &l->all.at[i]);
        }
    }
    for (uint32_t i = end; i-- > start;) {
        *bucket_of(l, l->all.at[i].hash) = l->all.at[i].next;
    }
    l->all.count = start;
    for (uint32_t i = start; i < end && !outermost; i++) {
        if (l->all.at[i].kind == PTX_LABEL_PENDING) {
            struct ptx_label moved = l->all.at[i];

            moved.depth--;
            push_label(p, &moved); /* never grows: it was in the array before */
        }
    }
}

struct ptx_label *ptx_label_find(struct ptx_parse *p, struct ptx_text name)
{
    struct ptx_labels *l = &p->labels;
    uint32_t hash = ptx_hash(name.at, name.len);

    for (uint32_t at = *bucket_of(l, hash); at != 0; at = l->all.at[at - 1].next) {
        struct ptx_label *label = &l->all.at[at - 1];

        if (label->hash == hash && label->len == name.len && memcmp(label->text, name.at, name.len) == 0) {
            return label;
        }
    }
    return NULL;
}

/* The number of the place `name` refers to; PTX_NO_INDEX after reporting that it is not a place. */
uint32_t ptx_label_refer(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc)
{
    struct ptx_label *label = ptx_label_find(p, name);

    if (label != NULL && label->kind > PTX_LABEL_PLACED) {
        ptx_error(p, loc, "'%.*s' is not a place in the code", (int)name.len, name.at);
        ptx_note(p, label->loc, "it is defined here");
        return PTX_NO_INDEX;
    }
    if (label != NULL && (label->kind == PTX_LABEL_PLACED || label->depth == p->names.depth)) {
        return label->number;
    }
    label = push_label(p, &(struct ptx_label){.text = name.at,
                                              .len = name.len,
                                              .hash = ptx_hash(name.at, name.len),
                                              .number = p->labels.n_numbers++,
                                              .depth = (uint16_t)p->names.depth,
                                              .kind = PTX_LABEL_PENDING,
                                              .loc = loc});
    return label != NULL ? label->number : PTX_NO_INDEX;
}

/* --- definitions ---------------------------------------------------------------------------- */
void ptx_label_written(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc)
{
    if (!vec_push(&p->labels.waiting, ((struct ptx_text_loc){name, loc}))) {
        ptx_out_of_memory(p);
    }
}

/* True unless this scope has a definition of that name already. */
static bool may_define(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc)
{
    const struct ptx_label *label = ptx_label_find(p, name);

    if (label != NULL && label->kind != PTX_LABEL_PENDING && label->depth == p->names.depth) {
        ptx_error(p, loc, "redefinition of label '%.*s'", (int)name.len, name.at);
        ptx_note(p, label->loc, "previous definition is here");
        return false;
    }
    return true;
}

static void tell_sink(struct ptx_parse *p, uint32_t number, const char *name)
{
    if (ptx_going_on(p) && !p->sink->label(p->sink->context, number, name)) {
        ptx_out_of_memory(p);
    }
}

static void place(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc)
{
    struct ptx_labels *l = &p->labels;
    uint32_t hash = ptx_hash(name.at, name.len);
    const char *copy = arena_strndup(p->module->arena, name.at, name.len);
    bool was_pending = false;

    if (copy == NULL) {
        ptx_out_of_memory(p);
        return;
    }
    if (!may_define(p, name, loc)) {
        return;
    }
    for (uint32_t at = *bucket_of(l, hash); at != 0; at = l->all.at[at - 1].next) {
        struct ptx_label *label = &l->all.at[at - 1];

        if (label->kind == PTX_LABEL_PENDING && label->depth == p->names.depth && label->hash == hash &&
            label->len == name.len && memcmp(label->text, name.at, name.len) == 0) {
            label->kind = PTX_LABEL_PLACED;
            label->loc = loc;
            was_pending = true;
            tell_sink(p, label->number, copy);
        }
    }
    if (!was_pending) {
        uint32_t number = l->n_numbers++;

        push_label(p, &(struct ptx_label){.text = name.at,
                                          .len = name.len,
                                          .hash = hash,
                                          .number = number,
                                          .depth = (uint16_t)p->names.depth,
                                          .kind = PTX_LABEL_PLACED,
                                          .loc = loc});
        tell_sink(p, number, copy);
    }
}

void ptx_labels_place(struct ptx_parse *p)
{
    struct ptx_labels *l = &p->labels;

    for (uint32_t i = 0; i < l->waiting.count; i++) {
        place(p, l->waiting.at[i].text, l->waiting.at[i].loc);
    }
    l->waiting.count = 0;
}

bool ptx_label_define(struct ptx_parse *p, enum ptx_label_kind kind, uint32_t index, struct ptx_signature *sig,
                      struct diag_loc loc, const char *what)
{
    struct ptx_labels *l = &p->labels;

    if (l->waiting.count == 0) {
        ptx_error(p, loc, "a label must stand before '%s'", what);
        return false;
    }
    struct ptx_text_loc last = l->waiting.at[--l->waiting.count];

    ptx_labels_place(p);
    if (!may_define(p, last.text, last.loc)) {
        return false;
    }
    return push_label(p, &(struct ptx_label){.text = last.text.at,
                                             .len = last.text.len,
                                             .hash = ptx_hash(last.text.at, last.text.len),
                                             .number = index,
                                             .depth = (uint16_t)p->names.depth,
                                             .kind = (uint8_t)kind,
                                             .loc = last.loc,
                                             .signature = sig}) != NULL;
}
