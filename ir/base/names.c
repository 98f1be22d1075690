/*
 * Numbered names.  Invariant: every name is found from its hash by going on to the next slot until it or a free one.
 */
#include "ir/base/names.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

/* FNV-1a, folded so that the low bits, which choose the slot, depend on all. */
static uint32_t hash(const char *name)
{
    uint32_t h = 2166136261u;

    for (; *name != '\0'; name++) {
        h = (h ^ (unsigned char)*name) * 16777619u;
    }
    return h ^ h >> 15;
}

/* The slot of `name`, or the free one where it belongs. */
static uint32_t *find_slot(const struct name_table *t, const char *name)
{
    uint32_t at = hash(name) & (t->n_slots - 1);

    while (t->slots[at] != 0 && strcmp(t->names.at[t->slots[at] - 1], name) != 0) {
        at = (at + 1) & (t->n_slots - 1);
    }
    return &t->slots[at];
}

static bool grow(struct name_table *t)
{
    if (t->names.count < t->n_slots / 2) {
        return true;
    }
    uint32_t count = t->n_slots == 0 ? FIRST_SLOTS : t->n_slots * 2;
    uint32_t *slots = calloc(count, sizeof *slots);

    if (slots == NULL) {
        return false;
    }
    free(t->slots);
    t->slots = slots;
    t->n_slots = count;
    for (uint32_t i = 0; i < t->names.count; i++) {
        *find_slot(t, t->names.at[i]) = i + 1;
    }
    return true;
}

uint32_t name_table_add(struct name_table *t, const char *name)
{
    if (!grow(t)) {
        return UINT32_MAX;
    }
    uint32_t *slot = find_slot(t, name);

    if (*slot == 0) {
        if (!vec_push(&t->names, name)) {
            return UINT32_MAX;
        }
        *slot = t->names.count;
    }
    return *slot - 1;
}

void name_table_free(struct name_table *t)
{
    vec_free(&t->names);
    free(t->slots);
    t->slots = NULL;
    t->n_slots = 0;
}
