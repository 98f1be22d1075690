/*
 * How lanes part and meet.  Invariants: the masks of the splits in use and the `arrived` masks of the convergence
 * barriers are disjoint and together are the warp's live lanes; a barrier's members are those lanes of its branch that
 * have not exited, been released or passed it.
 */
#include "emu/split.h"

#include <assert.h>
#include <string.h>

#include "emu/control.h"
#include "emu/machine.h"

/* --- storage ---------------------------------------------------------------------------------- */
struct split *emu_new_split(struct warp *w)
{
    assert(w->used != UINT32_MAX);
    struct split *s = &w->splits[__builtin_ctz(~w->used)];

    w->used |= 1u << (s - w->splits);
    w->n_splits++;
    s->synced = false;
    s->expired = false;
    s->since = w->ticks;
    return s;
}

void emu_free_split(struct warp *w, struct split *s)
{
    s->state = SPLIT_FREE;
    w->used &= ~(1u << (s - w->splits));
    w->n_splits--;
}

struct frame *emu_frame_keep(struct frame *f)
{
    f->uses++;
    return f;
}

void emu_frame_drop(struct worker *worker, struct frame *f)
{
    while (f->caller != NULL && --f->uses == 0) {
        struct frame *caller = f->caller;

        f->caller = worker->free_frames;
        worker->free_frames = f;
        f = caller;
    }
}

static struct conv *new_conv(struct warp *w)
{
    if (w->convs_used == UINT64_MAX) {
        return NULL;
    }
    int i = __builtin_ctzll(~w->convs_used);

    w->convs_used |= (uint64_t)1 << i;
    return &w->convs[i];
}

static void free_conv(struct warp *w, struct conv *c)
{
    emu_frame_drop(w->cta->worker, c->frame);
    w->convs_used &= ~((uint64_t)1 << (c - w->convs));
}

/* A split gets the scalar stack of its own index in the warp. */
static uint8_t *scalar_stack(const struct warp *w, const struct split *s)
{
    return w->scalars + (size_t)(s - w->splits) * w->scalars_bytes;
}

/* --- the executing split ---------------------------------------------------------------------- */
void emu_enter_split(struct lanes *x, struct split *s)
{
    struct warp *w = x->warp;

    x->split = s;
    x->rows = w->rows + s->frame->rows;
    x->scalars = s->scalars + s->frame->scalars;
    emu_set_mask(x, s->mask);
}

static const struct uop *stop_at(struct lanes *x, enum stop why, const struct uop *pc)
{
    x->stop = why;
    x->split->pc = pc;
    return NULL;
}

static const struct uop *split_gone(struct lanes *x)
{
    emu_frame_drop(x->worker, x->split->frame);
    emu_free_split(x->warp, x->split);
    x->stop = STOP_GONE;
    return NULL;
}

/* A copy of the executing split for some of its lanes; scalars are copied. */
static struct split *fork_split(struct lanes *x, lane_mask lanes, const struct uop *pc)
{
    struct split *from = x->split, *s = emu_new_split(x->warp);

    s->state = SPLIT_READY;
    s->mask = lanes;
    s->pc = pc;
    s->frame = emu_frame_keep(from->frame);
    s->conv = from->conv;
    s->stack_bytes = from->stack_bytes;
    s->scalars = scalar_stack(x->warp, s);
    memcpy(s->scalars, from->scalars, emu_scalars_used(from->frame));
    return s;
}

/* --- convergence barriers --------------------------------------------------------------------- */
static bool uses_convergence(const struct lanes *x)
{
    return x->worker->machine->launch->policy == EMU_CONVERGE;
}

/* The barrier where the lanes of the executing split meet at `reconv`: its innermost one if that is there, else a new
 * one. */
static struct conv *conv_for(struct lanes *x, const struct uop *reconv, struct frame *frame)
{
    struct split *s = x->split;

    if (s->conv != NULL && s->conv->reconv == reconv && s->conv->frame == frame) {
        return s->conv;
    }
    struct conv *c = new_conv(x->warp);

    if (c != NULL) {
        *c = (struct conv){.parent = s->conv, .reconv = reconv, .frame = emu_frame_keep(frame), .members = s->mask};
    }
    return c;
}

/* The lanes that arrived go on together as split `s`, which has a frame and scalars. */
static void conv_pass(struct conv *c, struct split *s)
{
    s->state = SPLIT_READY;
    s->mask = c->arrived;
    s->pc = c->reconv + 1;
    s->conv = c->parent;
    c->members &= ~c->arrived;
    c->arrived = 0;
}

/* Park lanes of a split that goes on with others; their scalars are kept in the stack of a slot of their own. */
static void conv_park(struct warp *w, struct conv *c, lane_mask lanes, const struct split *from)
{
    if (c->arrived == 0) {
        struct split *keep = emu_new_split(w);

        keep->state = SPLIT_PARKED;
        keep->scalars = scalar_stack(w, keep);
        keep->stack_bytes = 0;
        memcpy(keep->scalars, from->scalars, emu_scalars_used(c->frame));
        c->split_slot = (uint32_t)(keep - w->splits);
    }
    emu_join_stacks(&w->splits[c->split_slot], from);
    c->arrived |= lanes;
}

/* Park a whole split: it becomes the slot that keeps the scalars if it is the first. */
static void conv_park_split(struct lanes *x, struct conv *c)
{
    struct split *s = x->split;

    emu_frame_drop(x->worker, s->frame);
    if (c->arrived == 0) {
        c->split_slot = (uint32_t)(s - x->warp->splits);
        s->state = SPLIT_PARKED;
        c->arrived = s->mask;
    } else {
        c->arrived |= s->mask;
        emu_join_stacks(&x->warp->splits[c->split_slot], s);
        emu_free_split(x->warp, s);
    }
    x->stop = STOP_GONE;
}

/* The parked lanes of `c` go on alone as a split of the parent barrier. */
static void conv_release(struct warp *w, struct conv *c)
{
    struct split *s = &w->splits[c->split_slot];

    s->frame = emu_frame_keep(c->frame);
    s->since = w->ticks;
    s->synced = false;
    conv_pass(c, s);
}

/* Lanes left `c` for good; if the rest has all arrived it may go on. */
static void conv_settle(struct warp *w, struct conv *c)
{
    if (c->members == 0) {
        free_conv(w, c);
    } else if (c->arrived == c->members) {
        conv_release(w, c);
        free_conv(w, c);
    }
}

const struct uop *emu_diverge(struct lanes *x, const struct uop *u, lane_mask taken, const struct uop *target,
                              const struct uop *reconv)
{
    struct split *s = x->split;
    lane_mask stay = x->mask & ~taken;

    x->divergent++;
    struct frame *frame = s->frame;

    if (reconv == NULL && frame->caller != NULL) {
        /* The lanes leave the function on different ways: they meet behind its call. */
        reconv = frame->call + 1;
        frame = frame->caller;
    }
    if (reconv != NULL && uses_convergence(x)) {
        struct conv *c = conv_for(x, reconv, frame);

        if (c != NULL) {
            s->conv = c;
            if (target == reconv || u + 1 == reconv) {
                /* One side is there already. */
                lane_mask there = target == reconv ? taken : stay;

                conv_park(x->warp, c, there, s);
                s->mask = x->mask & ~there;
                return stop_at(x, STOP_RESUME, target == reconv ? u + 1 : target);
            }
        }
    }
    fork_split(x, taken, target);
    s->mask = stay;
    return stop_at(x, STOP_RESUME, u + 1);
}

const struct uop *emu_diverge_multi(struct lanes *x, const struct uop *u, lane_mask first, const struct uop *next)
{
    struct split *s = x->split;
    const struct uop *reconv = u->reconv == 0 ? NULL : u + u->reconv;

    x->divergent++;
    if (reconv != NULL && uses_convergence(x)) {
        struct conv *c = conv_for(x, reconv, s->frame);

        s->conv = c != NULL ? c : s->conv;
    }
    fork_split(x, x->mask & ~first, u);
    s->mask = first;
    return stop_at(x, STOP_RESUME, next);
}

const struct uop *emu_arrive(struct lanes *x, const struct uop *u)
{
    struct split *s = x->split;
    struct conv *c = s->conv;

    if ((c->arrived | s->mask) == c->members) {
        if (c->arrived != 0) {
            emu_join_stacks(s, &x->warp->splits[c->split_slot]);
            emu_free_split(x->warp, &x->warp->splits[c->split_slot]);
        }
        c->arrived = c->members;
        conv_pass(c, s);
        free_conv(x->warp, c);
        /* The parent may meet at the same place. */
        return stop_at(x, STOP_RESUME, u);
    }
    conv_park_split(x, c);
    return NULL;
}

bool emu_release_parked(struct warp *w, bool all)
{
    bool any = false;

    for (uint64_t used = w->convs_used; used != 0; used &= used - 1) {
        struct conv *c = &w->convs[__builtin_ctzll(used)];

        if (c->arrived != 0) {
            conv_release(w, c);
            if (c->members == 0) {
                free_conv(w, c);
            }
            any = true;
            if (!all) {
                break;
            }
        }
    }
    return any;
}

/* --- ends ------------------------------------------------------------------------------------- */
const struct uop *emu_exit_lanes(struct lanes *x, const struct uop *u, lane_mask m)
{
    struct warp *w = x->warp;
    struct split *s = x->split;

    w->alive &= ~m;
    s->mask &= ~m;
    for (uint64_t used = w->convs_used; used != 0; used &= used - 1) {
        struct conv *c = &w->convs[__builtin_ctzll(used)];

        if (c->members & m) {
            c->members &= ~m;
            conv_settle(w, c);
        }
    }
    bool gone = s->mask == 0;

    if (gone) {
        split_gone(x);
    } else {
        stop_at(x, STOP_RESUME, u + 1);
    }
    if (w->alive == 0) {
        w->done = true;
        w->cta->n_done++;
    } else {
        emu_sync_recheck(x);
    }
    if (w->cta->barriers_used != 0 || w->cta->cluster->size > 1) {
        emu_barrier_recheck(w->cta);
    }
    if (w->cta->n_done == w->cta->n_warps) {
        (void)emu_bulk_end(x, u);
    }
    return NULL;
}

static bool same_place(const struct split *a, const struct split *b)
{
    return a->pc == b->pc && a->frame == b->frame && a->expired == b->expired;
}

/* --- splitting at will ------------------------------------------------------------------------ */
void emu_split_lanes(struct lanes *x, lane_mask lanes)
{
    struct split *s = x->split;

    fork_split(x, lanes, s->pc);
    s->mask &= ~lanes;
}

/* --- starting and merging --------------------------------------------------------------------- */
void emu_warp_start(struct warp *w, const struct emu_code *code, lane_mask alive, bool each_lane_alone)
{
    w->alive = alive;
    w->n_splits = 0;
    w->used = 0;
    w->convs_used = 0;
    w->done = alive == 0;
    w->released = false;
    w->ticks = 0;
    w->copies.count = 0;
    w->entry = (struct frame){.code = code, .uses = 1};
    for (lane_mask todo = alive; todo != 0;) {
        const lane_mask lanes = each_lane_alone ? lane_bit(mask_first(todo)) : todo;
        struct split *s = emu_new_split(w);

        *s = (struct split){.state = SPLIT_READY, .mask = lanes, .pc = code->uops, .frame = &w->entry};
        s->scalars = scalar_stack(w, s);
        todo &= ~lanes;
    }
}

void emu_merge_ready(struct warp *w)
{
    for_each_bit (i, w->used) {
        struct split *a = &w->splits[i];

        for (int k = i + 1; (w->used >> i & 1) != 0 && a->state == SPLIT_READY && k < MAX_SPLITS; k++) {
            struct split *b = &w->splits[k];

            if ((w->used >> k & 1) != 0 && b->state == SPLIT_READY && same_place(a, b) && a->conv == b->conv &&
                memcmp(a->scalars, b->scalars, emu_scalars_used(a->frame)) == 0) {
                a->mask |= b->mask;
                emu_join_stacks(a, b);
                emu_frame_drop(w->cta->worker, b->frame);
                emu_free_split(w, b);
            }
        }
    }
}
