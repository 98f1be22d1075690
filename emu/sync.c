/*
 * Instructions that wait for lanes of the warp (*.sync).  A split that comes before its members waits at the
 * instruction; when all have come, the instruction runs once for all that stand at one of its kind, wherever in the
 * program that is (as PTX has it; measured on H200).
 *
 * Splits at one place in one activation exchange values through its rows; those at several places, or in activations
 * with other rows, through rows that are made for it.
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

/* --- operands of lanes at other places -------------------------------------------------------- */
/* Copy the columns of `lanes` of one row: bytes per lane, 0 for a lane mask. */
static void copy_columns(uint8_t *to, const uint8_t *from, unsigned bytes, lane_mask lanes)
{
    if (bytes == 0) {
        lane_mask *d = (lane_mask *)to;

        *d = (*d & ~lanes) | (*(const lane_mask *)from & lanes);
        return;
    }
    for_each_bit (l, lanes) {
        memcpy(to + (size_t)l * bytes, from + (size_t)l * bytes, bytes);
    }
}

/* Operands `first` to `first + n` of the list of an instruction that has one. */
static void copy_listed(const uint32_t *list, uint32_t first, uint32_t n, uint8_t *to, const uint8_t *from,
                        lane_mask lanes)
{
    for (uint32_t i = first; i < first + n; i++) {
        const uint32_t offset = list[LIST_OPERANDS + 2 * i];

        if (offset != NO_OPERAND) {
            copy_columns(to + offset, from + offset, list[LIST_OPERANDS + 2 * i + 1], lanes);
        }
    }
}

/* Run an instruction with a list of operands in a copy of the rows of the activation of `first`. */
static bool run_in_copy(struct lanes *x, const struct uop *u, const struct split *first, uint32_t group)
{
    const struct warp *w = x->warp;
    const size_t bytes = first->frame->code->frame_rows;
    const uint32_t *list = first->frame->code->extra + u->extra;
    uint8_t *rows = aligned_alloc(64, bytes);

    if (rows == NULL) {
        emu_fault_note(x, u, mask_first(x->mask), EMU_FAULT_NO_MEMORY, EMU_NO_RANGE, "the host's memory is exhausted");
        return false;
    }
    memcpy(rows, w->rows + first->frame->rows, bytes);
    for_each_bit (i, group) {
        const struct split *s = &w->splits[i];

        copy_listed(list, list[LIST_RESULTS], list[LIST_SOURCES], rows, w->rows + s->frame->rows, s->mask);
    }
    const bool ok = u->part(x, u, rows, x->scalars) != NULL;

    for_each_bit (i, group) {
        const struct split *s = &w->splits[i];

        copy_listed(list, 0, list[LIST_RESULTS], w->rows + s->frame->rows, rows, s->mask);
    }
    free(rows);
    return ok;
}

/* Rows of the operands of instructions at several places: sources of up to 8 and results of 4 bytes a lane. */
enum {
    JOINT_A = 0,
    JOINT_B = 8 * WARP_LANES,
    JOINT_C = 12 * WARP_LANES,
    JOINT_E = 16 * WARP_LANES,
    JOINT_D = 20 * WARP_LANES,
    JOINT_F = 24 * WARP_LANES,
    JOINT_BYTES = 26 * WARP_LANES
};

/* Scalars of instructions that wait are constants. */
static void take_source(const struct warp *w, const struct split *s, uint32_t offset, bool scalar, unsigned bytes,
                        uint8_t *to)
{
    if (offset == NO_OPERAND) {
        return;
    }
    if (!scalar) {
        copy_columns(to, w->rows + s->frame->rows + offset, bytes, s->mask);
        return;
    }
    const uint8_t *value = s->scalars + s->frame->scalars + offset;

    if (bytes == 0) {
        copy_columns(to, value, 0, s->mask);
        return;
    }
    for_each_bit (l, s->mask) {
        memcpy(to + (size_t)l * bytes, value, bytes);
    }
}

/* Run the instruction `u` of one of the splits for all of the group, each with its own operands. */
static bool run_joint(struct lanes *x, const struct uop *u, uint32_t group)
{
    struct warp *w = x->warp;
    _Alignas(64) uint8_t rows[JOINT_BYTES];
    struct uop joint = *u;

    memset(rows, 0, sizeof rows);
    for_each_bit (i, group) {
        const struct split *s = &w->splits[i];
        const struct uop *own = s->pc;

        take_source(w, s, own->a, (own->kinds & KIND_A) != 0, own->space, rows + JOINT_A);
        take_source(w, s, own->b, (own->kinds & KIND_B) != 0, 4, rows + JOINT_B);
        take_source(w, s, own->c, (own->kinds & KIND_C) != 0, 4, rows + JOINT_C);
        take_source(w, s, own->e, (own->kinds & KIND_4) != 0, 4, rows + JOINT_E);
    }
    joint.a = JOINT_A;
    joint.b = JOINT_B;
    joint.c = JOINT_C;
    joint.e = JOINT_E;
    joint.d = JOINT_D;
    joint.f = JOINT_F;
    joint.kinds = 0;
    if (joint.part(x, &joint, rows, x->scalars) == NULL) {
        return false;
    }
    for_each_bit (i, group) {
        const struct split *s = &w->splits[i];
        uint8_t *own = w->rows + s->frame->rows;

        if (s->pc->d != NO_OPERAND) {
            copy_columns(own + s->pc->d, rows + JOINT_D, s->pc->env, s->mask);
        }
        if (s->pc->f != NO_OPERAND) {
            copy_columns(own + s->pc->f, rows + JOINT_F, 0, s->mask);
        }
    }
    return true;
}

/* --- groups ----------------------------------------------------------------------------------- */
/* Do both stand at the same instruction, or at instructions of one kind at different places? */
static bool is_of_kind(const struct uop *a, const struct uop *b)
{
    return a == b || (a->part == b->part && a->mode == b->mode && a->vec == b->vec && a->space == b->space &&
                      a->env == b->env && ((a->flag | b->flag) & UOP_LISTED) == 0);
}

/* Splits behind their instructions go on; those that agree in everything become one. */
static void let_go(struct lanes *x, uint32_t group)
{
    struct warp *w = x->warp;

    for_each_bit (i, group) {
        w->splits[i].state = SPLIT_READY;
        w->splits[i].pc++;
    }
    for_each_bit (i, group) {
        struct split *a = &w->splits[i];

        for (int k = i + 1; (group >> i & 1) != 0 && k < MAX_SPLITS; k++) {
            struct split *b = &w->splits[k];

            if ((group >> k & 1) != 0 && a->pc == b->pc && a->frame == b->frame && a->conv == b->conv &&
                memcmp(a->scalars, b->scalars, emu_scalars_used(a->frame)) == 0) {
                a->mask |= b->mask;
                emu_join_stacks(a, b);
                emu_frame_drop(x->worker, b->frame);
                emu_free_split(w, b);
                group &= ~(1u << k);
            }
        }
    }
}

/* Run the instruction that `first` waits at, once for all splits at one of its kind. */
static bool run_together(struct lanes *x, struct split *first, lane_mask members)
{
    struct warp *w = x->warp;
    struct split *self = x->split;
    const struct uop *u = first->pc;
    lane_mask together = 0;
    uint32_t group = 0;
    bool elsewhere = false;

    for_each_bit (i, w->used) {
        const struct split *s = &w->splits[i];

        if (waits(s, members) && is_of_kind(s->pc, u)) {
            group |= 1u << i;
            together |= s->mask;
            elsewhere = elsewhere || s->pc != u || s->frame->rows != first->frame->rows;
        }
    }
    emu_enter_split(x, first);
    emu_set_mask(x, together);
    first->synced = true;
    const bool ok = !elsewhere                    ? u->part(x, u, x->rows, x->scalars) != NULL
                    : (u->flag & UOP_LISTED) != 0 ? run_in_copy(x, u, first, group)
                                                  : run_joint(x, u, group);

    first->synced = false;
    let_go(x, group);
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
