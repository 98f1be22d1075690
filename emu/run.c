/*
 * One warp's turn: which of its splits runs, for how long, and what happens when it stops.  Policies differ here and
 * nowhere else.  Invariant: under every policy each ready split runs again after a bounded number of turns of the
 * others.
 */
#include "emu/machine.h"
#include "emu/mbarrier.h"

enum {
    QUANTUM = 1 << 17,     /* instructions a warp runs before others get their turn */
    QUANTUM_MIN = 1 << 12, /* after lanes were seen to wait for each other */
    STEPS = 1 << 10,       /* branches per turn under the policies that choose at each branch */
    FAIR = 64,             /* every so many choices the split that waits longest runs */
};

static uint64_t next_random(struct worker *worker)
{
    uint64_t z = worker->random += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* The ready split that has waited longest; among equals the one with the lowest lane. */
static struct split *pick_oldest(struct warp *w)
{
    struct split *best = NULL;

    for_each_bit (i, w->used) {
        struct split *s = &w->splits[i];

        if (s->state == SPLIT_READY && (best == NULL || s->since < best->since ||
                                        (s->since == best->since && mask_first(s->mask) < mask_first(best->mask)))) {
            best = s;
        }
    }
    return best;
}

/* The deepest activation first, then the lowest place in the code. */
static struct split *pick_minpc(struct warp *w)
{
    struct split *best = NULL;

    for_each_bit (i, w->used) {
        struct split *s = &w->splits[i];

        if (s->state == SPLIT_READY && (best == NULL || s->frame->depth > best->frame->depth ||
                                        (s->frame->depth == best->frame->depth && s->pc < best->pc))) {
            best = s;
        }
    }
    return best;
}

static struct split *pick_random(struct worker *worker, struct warp *w)
{
    unsigned ready = 0;

    for_each_bit (i, w->used) {
        ready += w->splits[i].state == SPLIT_READY;
    }
    unsigned k = ready == 0 ? 0 : (unsigned)(next_random(worker) % ready);

    for_each_bit (i, w->used) {
        if (w->splits[i].state == SPLIT_READY && k-- == 0) {
            return &w->splits[i];
        }
    }
    return NULL;
}

/* Run a split until it stops.  The fuel decides at how many instructions, at least to the next branch. */
static void run_split(struct worker *worker, struct split *s, int64_t fuel)
{
    struct lanes *x = &worker->lanes;

    for (;;) {
        emu_enter_split(x, s);
        x->fuel = fuel;
        x->poll.idle = false;
        if (x->cta->waits.audited) {
            emu_run_audited(x, s->pc);
        } else {
            worker->machine->program->handlers->run(x, s->pc);
        }
        if (x->stop != STOP_RESUME || x->fuel < 0) {
            return;
        }
        fuel = x->fuel;
    }
}

/* Lanes parked for one that waits at an mbarrier stay with it: others of the CTA are likely to release it. */
static bool waits_at_mbarrier(const struct warp *w)
{
    for_each_bit (i, w->cta->waits.waiting != 0 ? w->used : 0) {
        if (w->splits[i].state == SPLIT_AT_MBARRIER) {
            return true;
        }
    }
    return false;
}

/*
 * converge and serial: a split runs until it waits or ends, or the warp's turn is over.
 *
 * Warps that a barrier has released go on side by side on hardware, and read what was ready at the barrier before any
 * of them is far enough to change it.  Programs count on it, mostly unknowingly: they reduce twice through one place
 * without a barrier in between, or step along an array that they read and write.  So under converge the first turn
 * after a barrier ends where a split would change memory.
 */
static bool run_long(struct worker *worker, struct warp *w)
{
    struct lanes *x = &worker->lanes;
    int64_t budget = w->quantum;
    uint32_t held = 0; /* bit per split that came to such a place */

    x->hold = w->released;
    w->released = false;
    for (;;) {
        struct split *s = pick_oldest(w);

        if (s == NULL) {
            /* Only parked lanes can go on, and those they wait for cannot: let them. */
            if (w->done || waits_at_mbarrier(w) || !emu_release_parked(w, true)) {
                return true;
            }
            continue;
        }
        if (x->hold && (held >> (s - w->splits) & 1)) {
            x->stop = STOP_RESUME;
            return true;
        }
        run_split(worker, s, budget);
        if (x->stop == STOP_FAULT) {
            return false;
        }
        budget = x->fuel;
        if (x->stop == STOP_HELD) {
            held |= 1u << (s - w->splits);
            s->since = ++w->ticks;
            continue;
        }
        if (x->stop != STOP_FUEL && budget >= 0) {
            continue;
        }
        if (s->state == SPLIT_READY) {
            s->since = ++w->ticks;
        }
        if (w->n_splits > 1) {
            /* Perhaps this split spins on what a parked or waiting one would do. */
            emu_release_parked(w, false);
            w->quantum = w->quantum / 2 < QUANTUM_MIN ? QUANTUM_MIN : w->quantum / 2;
        }
        x->stop = STOP_FUEL;
        return true;
    }
}

/* A split that stopped at a branch is parted at random now and then. */
static void part_at_random(struct worker *worker, struct split *s)
{
    const uint64_t r = next_random(worker);
    const lane_mask some = s->mask & (lane_mask)(r >> 32);

    if (s->state == SPLIT_READY && r % 8 == 0 && some != 0 && some != s->mask) {
        worker->lanes.split = s;
        emu_split_lanes(&worker->lanes, some);
    }
}

/* minpc and random: a new choice at every branch. */
static bool run_stepwise(struct worker *worker, struct warp *w, bool by_chance)
{
    struct lanes *x = &worker->lanes;

    for (int step = 0; step < STEPS; step++) {
        if (!by_chance || next_random(worker) % 4 == 0) {
            emu_merge_ready(w);
        }
        struct split *s = step % FAIR == FAIR - 1 ? pick_oldest(w) : by_chance ? pick_random(worker, w) : pick_minpc(w);

        if (s == NULL) {
            return true;
        }
        s->since = ++w->ticks;
        run_split(worker, s, by_chance ? (int64_t)(next_random(worker) % 64) : 0);
        if (x->stop == STOP_FAULT) {
            return false;
        }
        if (x->poll.idle && w->n_splits == 1) {
            x->stop = STOP_FUEL;
            return true;
        }
        if (by_chance && (x->stop == STOP_FUEL || x->stop == STOP_RESUME)) {
            part_at_random(worker, s);
        }
    }
    return true;
}

bool emu_warp_run(struct worker *worker, struct warp *w)
{
    struct lanes *x = &worker->lanes;
    const enum emu_policy policy = worker->machine->launch->policy;

    x->warp = w;
    x->cta = w->cta;
    x->shared = w->cta->shared;
    x->shared_bytes = w->cta->shared_bytes;
    for (int axis = 0; axis < 3; axis++) {
        x->tid[axis] = worker->tid_rows + ((size_t)w->index * 3 + (size_t)axis) * WARP_LANES;
    }
    if (w->quantum == 0) {
        w->quantum = QUANTUM;
    }
    x->hold = false;
    switch (policy) {
    case EMU_MINPC:
        return run_stepwise(worker, w, false);
    case EMU_RANDOM:
        return run_stepwise(worker, w, true);
    default:
        return run_long(worker, w);
    }
}
