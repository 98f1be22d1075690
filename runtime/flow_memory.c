/*
 * Variables, places and what they hold.
 *
 * Invariant: a value only grows: its set of parameters gains members, its place goes from none to one to any.  So every
 * value changes at most 66 times and following ends.
 */
#include "runtime/flow_memory.h"

#include <stdlib.h>

/* --- tables ----------------------------------------------------------------------------------- */
static uint64_t mix(uint64_t high, uint64_t low)
{
    uint64_t z = high * UINT64_C(0x9e3779b97f4a7c15) ^ low;

    z = (z ^ z >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return z ^ z >> 32;
}

static struct flow_slot *find(struct flow_slot *slots, uint32_t room, uint64_t high, uint64_t low)
{
    uint32_t i = (uint32_t)mix(high, low) & (room - 1);

    while (slots[i].number != 0 && (slots[i].high != high || slots[i].low != low)) {
        i = (i + 1) & (room - 1);
    }
    return &slots[i];
}

static bool grow(struct flow_table *t)
{
    const uint32_t room = t->room == 0 ? 64 : 2 * t->room;
    struct flow_slot *slots = calloc(room, sizeof *slots);

    if (slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < t->room; i++) {
        if (t->slots[i].number != 0) {
            *find(slots, room, t->slots[i].high, t->slots[i].low) = t->slots[i];
        }
    }
    free(t->slots);
    t->slots = slots;
    t->room = room;
    return true;
}

uint32_t *flow_table_at(struct flow_table *t, uint64_t high, uint64_t low)
{
    if (2 * (t->count + 1) > t->room && !grow(t)) {
        return NULL;
    }
    struct flow_slot *slot = find(t->slots, t->room, high, low);

    if (slot->number == 0) {
        slot->high = high;
        slot->low = low;
        t->count++; /* the caller gives it a number; if not, the table is a little larger than it need be */
    }
    return &slot->number;
}

/* --- variables and places --------------------------------------------------------------------- */
bool flow_memory_init(struct flow_memory *m)
{
    *m = (struct flow_memory){0};
    return vec_push(&m->places, (struct flow_place){0});
}

void flow_memory_free(struct flow_memory *m)
{
    free(m->variable_of.slots);
    free(m->place_of.slots);
    vec_free(&m->variables);
    vec_free(&m->places);
    vec_free(&m->readers);
}

uint32_t flow_variable_of(struct flow_memory *m, uint32_t activation, uint32_t symbol, int64_t kernel_param)
{
    uint32_t *number = flow_table_at(&m->variable_of, activation, symbol);

    if (number == NULL) {
        return 0;
    }
    if (*number == 0 && vec_push(&m->variables, (struct flow_variable){kernel_param})) {
        *number = m->variables.count;
    }
    return *number;
}

bool flow_variable_alias(struct flow_memory *m, uint32_t activation, uint32_t symbol, uint32_t variable)
{
    uint32_t *number = flow_table_at(&m->variable_of, activation, symbol);

    if (number != NULL) {
        *number = variable;
    }
    return number != NULL;
}

uint32_t flow_place_of(struct flow_memory *m, uint32_t variable, int64_t offset)
{
    uint32_t *number = flow_table_at(&m->place_of, variable, (uint64_t)offset);

    if (number == NULL) {
        return 0;
    }
    if (*number == 0 && vec_push(&m->places, ((struct flow_place){.variable = variable, .offset = offset}))) {
        *number = m->places.count - 1;
    }
    return *number;
}

uint32_t flow_place_shift(struct flow_memory *m, uint32_t place, int64_t delta)
{
    if (place == NO_PLACE || place == ANY_PLACE || delta == 0) {
        return place;
    }
    const struct flow_place *p = &m->places.at[place];

    return flow_place_of(m, p->variable, (int64_t)((uint64_t)p->offset + (uint64_t)delta));
}

bool flow_place_read_by(struct flow_memory *m, uint32_t place, uint32_t activation, uint32_t inst)
{
    const struct flow_reader reader = {activation, inst, m->places.at[place].readers};

    if (!vec_push(&m->readers, reader)) {
        return false;
    }
    m->places.at[place].readers = m->readers.count;
    return true;
}

/* --- values ----------------------------------------------------------------------------------- */
bool flow_value_merge(struct flow_value *to, struct flow_value from)
{
    const struct flow_value before = *to;

    to->params |= from.params;
    if (from.place != NO_PLACE && from.place != to->place) {
        to->place = to->place == NO_PLACE ? from.place : ANY_PLACE;
    }
    return to->params != before.params || to->place != before.place;
}
