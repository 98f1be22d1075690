/*
 * Instructions that wait for lanes of the warp (*.sync).  A split that comes before its members waits at the
 * instruction; when all have come, the instruction runs once for every group of splits at one place.
 *
 * The lanes of a group exchange values through the rows of one activation.  Splits in activations with other rows (the
 * same function at another depth of recursion) take part through a copy.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/control.h"
#include "emu/machine.h"

static bool waits(const struct split *s, lane_mask members)
{
    return s->state == SPLIT_AT_SYNC && s->sync_mask == members;
}

/* Lanes of the warp that stand at a sync with these members. */
static lane_mask lanes_at_sync(const struct warp *w, lane_mask members)
{
    lane_mask here = 0;

    for_each_bit (i, w->used) {
        here |= waits(&w->splits[i], members) ? w->splits[i].mask : 0;
    }
    return here;
}

/* --- operands of lanes in another activation -------------------------------------------------- */
/* Copy the columns of `lanes` of one row: bytes per lane, 0 for a lane mask. */
static void copy_columns(uint8_t *to, const uint8_t *from, uint32_t offset, unsigned bytes, lane_mask lanes)
{
    if (offset == NO_OPERAND) {
        return;
    }
    if (bytes == 0) {
        lane_mask *d = (lane_mask *)(to + offset);

        *d = (*d & ~lanes) | (*(const lane_mask *)(from + offset) & lanes);
        return;
    }
    for_each_bit (l, lanes) {
        memcpy(to + offset + (size_t)l * bytes, from + offset + (size_t)l * bytes, bytes);
    }
}

/* Operands `first` to `first + n` of the list of an instruction that has one. */
static void copy_listed(const uint32_t *list, uint32_t first, uint32_t n, uint8_t *to, const uint8_t *from,
                        lane_mask lanes)
{
    for (uint32_t i = first; i < first + n; i++) {
        copy_columns(to, from, list[LIST_OPERANDS + 2 * i], list[LIST_OPERANDS + 2 * i + 1], lanes);
    }
}

static const uint32_t *list_of(const struct split *s, const struct uop *u)
{
    return s->frame->code->extra + u->extra;
}

static void copy_sources(const struct split *s, const struct uop *u, uint8_t *to, const uint8_t *from, lane_mask lanes)
{
    const uint32_t at[] = {u->a, u->b, u->c, u->e};
    const uint8_t kinds[] = {KIND_A, KIND_B, KIND_C, KIND_4};

    if (u->flag & UOP_LISTED) {
        const uint32_t *list = list_of(s, u);

        copy_listed(list, list[LIST_RESULTS], list[LIST_SOURCES], to, from, lanes);
        return;
    }
    for (int i = 0; i < 4; i++) {
        if (!(u->kinds & kinds[i])) {
            copy_columns(to, from, at[i], i == 0 ? u->space : 4, lanes);
        }
    }
}

static void copy_results(const struct split *s, const struct uop *u, uint8_t *to, const uint8_t *from, lane_mask lanes)
{
    if (u->flag & UOP_LISTED) {
        copy_listed(list_of(s, u), 0, list_of(s, u)[LIST_RESULTS], to, from, lanes);
        return;
    }
    copy_columns(to, from, u->d, u->env, lanes);
    copy_columns(to, from, u->f, 0, lanes);
}

/* Run `u` for all lanes of the group with the operands of the foreign splits brought into a copy of the rows. */
static bool run_with_foreign(struct lanes *x, const struct uop *u, struct split *first, lane_mask members)
{
    struct warp *w = x->warp;
    const size_t bytes = first->frame->code->frame_rows;
    uint8_t *rows = aligned_alloc(64, bytes);

    if (rows == NULL) {
        emu_fault_note(x, u, mask_first(x->mask), EMU_FAULT_NO_MEMORY, EMU_NO_RANGE, "the host's memory is exhausted");
        return false;
    }
    memcpy(rows, w->rows + first->frame->rows, bytes);
    for_each_bit (i, w->used) {
        const struct split *s = &w->splits[i];

        if (waits(s, members) && s->pc == u && s->frame->rows != first->frame->rows) {
            copy_sources(s, u, rows, w->rows + s->frame->rows, s->mask);
        }
    }
    const bool ok = u->part(x, u, rows, x->scalars) != NULL;

    for_each_bit (i, w->used) {
        const struct split *s = &w->splits[i];

        if (waits(s, members) && s->pc == u) {
            copy_results(s, u, w->rows + s->frame->rows, rows, s->mask);
        }
    }
    free(rows);
    return ok;
}

/* --- groups ----------------------------------------------------------------------------------- */
/* Splits behind the instruction go on; those that agree in everything become one with `first`. */
static void let_go(struct lanes *x, const struct uop *u, struct split *first, lane_mask members)
{
    struct warp *w = x->warp;

    for_each_bit (i, w->used) {
        struct split *s = &w->splits[i];

        if (s == first || !waits(s, members) || s->pc != u) {
            continue;
        }
        if (s->frame == first->frame && s->conv == first->conv &&
            memcmp(s->scalars, first->scalars, emu_scalars_used(s->frame)) == 0) {
            first->mask |= s->mask;
            emu_join_stacks(first, s);
            emu_frame_drop(x->worker, s->frame);
            emu_free_split(w, s);
        } else {
            s->state = SPLIT_READY;
            s->pc = u + 1;
        }
    }
    first->state = SPLIT_READY;
    first->pc = u + 1;
}

/* Run the instruction that `first` waits at, once for every split at it. */
static bool run_together(struct lanes *x, struct split *first, lane_mask members)
{
    struct warp *w = x->warp;
    struct split *self = x->split;
    const struct uop *u = first->pc;
    lane_mask together = 0;
    bool foreign = false;

    for_each_bit (i, w->used) {
        const struct split *s = &w->splits[i];

        if (waits(s, members) && s->pc == u) {
            together |= s->mask;
            foreign = foreign || s->frame->rows != first->frame->rows;
        }
    }
    emu_enter_split(x, first);
    emu_set_mask(x, together);
    first->synced = true;
    const bool ok = foreign ? run_with_foreign(x, u, first, members) : u->part(x, u, x->rows, x->scalars) != NULL;

    first->synced = false;
    let_go(x, u, first, members);
    x->split = self;
    return ok;
}

/* Let every group of splits that waits for `members` go, if all have come. */
static bool complete_sync(struct lanes *x, lane_mask members)
{
    struct warp *w = x->warp;

    if ((members & w->alive & ~lanes_at_sync(w, members)) != 0) {
        return true;
    }
    for_each_bit (i, w->used) {
        if (waits(&w->splits[i], members) && !run_together(x, &w->splits[i], members)) {
            return false;
        }
    }
    return true;
}

void emu_sync_recheck(struct lanes *x)
{
    struct warp *w = x->warp;

    for_each_bit (i, w->used) {
        if (w->splits[i].state == SPLIT_AT_SYNC) {
            struct split *self = x->split;
            const enum stop why = x->stop;
            const bool ok = complete_sync(x, w->splits[i].sync_mask);

            x->split = self;
            x->stop = ok ? why : STOP_FAULT;
        }
    }
}

const struct uop *emu_sync_outsider(struct lanes *x, const struct uop *u, lane_mask members, lane_mask outside)
{
    const int lane = mask_first(outside);

    emu_fault_note(x, u, lane, EMU_FAULT_ILLEGAL_INSTRUCTION, EMU_NO_RANGE,
                   "lane %d is not among the members 0x%08x that it names", lane, members);
    return NULL;
}

const struct uop *emu_sync(struct lanes *x, const struct uop *u, lane_mask members, lane_mask same)
{
    struct split *s = x->split;

    if (same != x->mask) {
        /* The others come back to the instruction and wait for their own members. */
        emu_diverge_multi(x, u, same, u);
        emu_set_mask(x, same);
    }
    s->state = SPLIT_AT_SYNC;
    s->sync_mask = members;
    s->pc = u;
    s->mask = x->mask;
    x->stop = STOP_BLOCKED;
    if (!complete_sync(x, members)) {
        x->stop = STOP_FAULT;
    }
    return NULL;
}
