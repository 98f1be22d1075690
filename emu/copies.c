/*
 * The queue of a warp's asynchronous copies.  Invariant: no entry is empty, and for each lane older copies come first.
 */
#include "emu/copies.h"

#include <stdlib.h>
#include <string.h>

#include "emu/warp.h"

enum { ROOM_FIRST = 16, ROOM_MOST = 1024 };

/* --- doing what was begun --------------------------------------------------------------------- */
static void copy_lane(const struct emu_copy *c, uint8_t *shared, int lane)
{
    uint8_t *to = shared + c->to[lane];
    const uint8_t *from = c->from[lane];

    if (c->given[lane] != c->bytes) {
        memcpy(to, from, c->given[lane]);
        memset(to + c->given[lane], 0, c->bytes - c->given[lane]);
        return;
    }
    /* Constant sizes become single moves. */
    switch (c->bytes) {
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, 16);
        break;
    }
}

static void copy_lanes(struct emu_copy *c, uint8_t *shared, lane_mask due)
{
    for_each_bit (l, due) {
        copy_lane(c, shared, l);
    }
    c->lanes &= ~due;
}

static void drop_empty(struct emu_copies *q)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < q->count; i++) {
        if (q->at[i].lanes != 0) {
            if (kept != i) {
                q->at[kept] = q->at[i];
            }
            kept++;
        }
    }
    q->count = kept;
}

/* --- beginning -------------------------------------------------------------------------------- */
/* Room for one more; false when there is none to be had. */
static bool reserve(struct emu_copies *q)
{
    if (q->count < q->room) {
        return true;
    }
    const uint32_t room = q->room == 0 ? ROOM_FIRST : q->room * 2;
    struct emu_copy *bigger = room > ROOM_MOST ? NULL : realloc(q->at, room * sizeof *q->at);

    if (bigger == NULL) {
        return false;
    }
    q->at = bigger;
    q->room = room;
    return true;
}

/* The queue is full: the older half is done ahead of its wait, as the hardware is free to do. */
static void make_room(struct emu_copies *q, uint8_t *shared)
{
    for (uint32_t i = 0; i < (q->count + 1) / 2; i++) {
        copy_lanes(&q->at[i], shared, q->at[i].lanes);
    }
    drop_empty(q);
}

static lane_mask lanes_of_group(const struct emu_copies *q, lane_mask lanes, uint32_t group)
{
    lane_mask same = 0;

    for_each_bit (l, lanes) {
        same |= q->commits[l] == group ? lane_bit(l) : 0;
    }
    return same;
}

void emu_copies_begin(struct lanes *x, struct emu_copy *copy)
{
    struct emu_copies *q = &x->warp->copies;

    for (lane_mask todo = x->mask; todo != 0; todo &= ~copy->lanes) {
        copy->group = q->commits[mask_first(todo)];
        copy->lanes = lanes_of_group(q, todo, copy->group);
        if (!reserve(q)) {
            make_room(q, x->shared);
        }
        if (q->count < q->room) {
            q->at[q->count++] = *copy;
        } else {
            /* The host has no memory for a queue at all. */
            struct emu_copy now = *copy;

            copy_lanes(&now, x->shared, now.lanes);
        }
    }
}

/* --- groups ----------------------------------------------------------------------------------- */
void emu_copies_commit(struct lanes *x)
{
    for_each_bit (l, x->mask) {
        x->warp->copies.commits[l]++;
    }
}

void emu_copies_wait(struct lanes *x, uint32_t most)
{
    struct emu_copies *q = &x->warp->copies;

    for (uint32_t i = 0; i < q->count; i++) {
        struct emu_copy *c = &q->at[i];
        lane_mask due = 0;

        for_each_bit (l, c->lanes & x->mask) {
            due |= q->commits[l] - c->group > most ? lane_bit(l) : 0;
        }
        copy_lanes(c, x->shared, due);
    }
    drop_empty(q);
}

void emu_copies_finish(struct lanes *x, lane_mask lanes)
{
    struct emu_copies *q = &x->warp->copies;

    for (uint32_t i = 0; i < q->count; i++) {
        copy_lanes(&q->at[i], x->shared, q->at[i].lanes & lanes);
    }
    drop_empty(q);
}
