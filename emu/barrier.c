/*
 * CTA barriers (bar, barrier): sixteen per CTA, and one more that stands for its cluster's.  A barrier counts threads,
 * whole warps at a time: a warp all of whose live lanes have arrived counts as 32, as on hardware; lanes that arrive
 * alone (barrier.sync in diverged code) count singly until their warp is complete.  Invariant: a barrier not in use has
 * no arrivals and no expectation.
 */
#include <string.h>

#include "emu/cluster.h"
#include "emu/control.h"
#include "emu/machine.h"

/* Threads that arrived, and whether every live one has: the full count, for barriers that warps reach in parts. */
static uint32_t arrived_threads(const struct cta *cta, const struct cta_barrier *b, bool *all)
{
    uint32_t threads = 0;

    *all = true;
    for (uint32_t i = 0; i < cta->n_warps; i++) {
        const struct warp *w = &cta->warps[i];
        const lane_mask missing = w->alive & ~b->arrived[i];

        if (b->arrived[i] != 0) {
            threads += missing == 0 ? WARP_LANES : (uint32_t)mask_count(b->arrived[i]);
        }
        *all = *all && missing == 0;
    }
    return threads;
}

/* Give the result of a reduction to the lanes of a split that waited for it. */
static void store_result(const struct warp *w, const struct split *s, const struct cta_barrier *b)
{
    const struct uop *u = s->pc;
    uint8_t *rows = w->rows + s->frame->rows;

    switch (u->mode) {
    case BAR_MODE_AND:
    case BAR_MODE_OR: {
        const bool value = u->mode == BAR_MODE_AND ? b->ones == b->threads : b->ones != 0;
        lane_mask *d = (lane_mask *)(rows + u->d);

        *d = (*d & ~s->mask) | (value ? s->mask : 0);
        break;
    }
    case BAR_MODE_POPC:
        for_each_bit (l, s->mask) {
            ((uint32_t *)(rows + u->d))[l] = b->ones;
        }
        break;
    default:
        break;
    }
}

void emu_barrier_complete(struct cta *cta, unsigned id)
{
    struct cta_barrier *b = &cta->barriers[id];
    const bool side_by_side = cta->worker->machine->launch->policy == EMU_CONVERGE;

    for (uint32_t i = 0; i < cta->n_warps; i++) {
        struct warp *w = &cta->warps[i];

        if (b->arrived[i] == 0) {
            continue;
        }
        for_each_bit (k, w->used) {
            struct split *s = &w->splits[k];

            if (s->state == SPLIT_AT_BARRIER && s->barrier == id) {
                store_result(w, s, b);
                s->state = SPLIT_READY;
                s->pc++;
                w->released = side_by_side;
            }
        }
        b->arrived[i] = 0;
    }
    b->in_use = b->partial = false;
    cta->barriers_used &= ~(1u << id);
    b->expected = b->whole = 0;
    b->ones = b->threads = 0;
}

bool emu_barrier_is_full(const struct cta *cta, unsigned id)
{
    const struct cta_barrier *b = &cta->barriers[id];
    bool all = b->whole + cta->n_done == cta->n_warps;

    if (b->partial) {
        (void)arrived_threads(cta, b, &all);
    }
    return all;
}

static bool is_due(const struct cta *cta, const struct cta_barrier *b, unsigned id)
{
    bool all;

    if (b->expected == 0) {
        return emu_barrier_is_full(cta, id);
    }
    return (b->partial ? arrived_threads(cta, b, &all) : b->whole * WARP_LANES) >= b->expected;
}

static void complete_if_due(struct cta *cta, unsigned id)
{
    if (id == CLUSTER_BARRIER) {
        emu_cluster_settle(cta->cluster);
    } else if (is_due(cta, &cta->barriers[id], id)) {
        emu_barrier_complete(cta, id);
    }
}

void emu_barrier_recheck(struct cta *cta)
{
    for_each_bit (id, cta->barriers_used) {
        /* Lanes that exited may have completed a warp that came in parts. */
        cta->barriers[id].partial = true;
        complete_if_due(cta, (unsigned)id);
    }
    if (cta->cluster->size > 1) {
        emu_cluster_settle(cta->cluster);
    }
}

/* The active lanes arrive at the barrier. */
static void arrive(struct lanes *x, unsigned id)
{
    struct cta_barrier *b = &x->cta->barriers[id];

    b->in_use = true;
    x->cta->barriers_used |= 1u << id;
    if (b->arrived[x->warp->index] == 0 && x->mask == x->warp->alive) {
        b->whole++;
    } else {
        b->partial = true;
    }
    b->arrived[x->warp->index] |= x->mask;
}

/* The executing split waits at the barrier. */
static void wait_at(struct lanes *x, const struct uop *u, unsigned id)
{
    x->split->pc = u;
    x->split->state = SPLIT_AT_BARRIER;
    x->split->barrier = (uint8_t)id;
    x->stop = STOP_BLOCKED;
}

static const struct uop *resume_at(struct lanes *x, const struct uop *next)
{
    x->split->pc = next;
    x->stop = STOP_RESUME;
    return NULL;
}

/*
 * The barrier of a cluster: arriving and waiting are two instructions.  A thread whose arrival is still noted waits for
 * the others; when it is not, the barrier is over already.
 */
static const struct uop *cluster_barrier(struct lanes *x, const struct uop *u)
{
    if (u->mode == BAR_MODE_CLUSTER_ARRIVE) {
        arrive(x, CLUSTER_BARRIER);
        emu_cluster_settle(x->cta->cluster);
        return resume_at(x, u + 1);
    }
    x->barrier_arrivals++;
    if ((x->cta->barriers[CLUSTER_BARRIER].arrived[x->warp->index] & x->mask) == 0) {
        return resume_at(x, u + 1);
    }
    wait_at(x, u, CLUSTER_BARRIER);
    return NULL;
}

/* An operand that all active lanes must share: the first lane's value counts. */
static uint32_t shared_operand(const struct lanes *x, const struct uop *u, uint32_t offset, unsigned kind)
{
    return u->kinds & kind ? *(const uint32_t *)(x->scalars + offset)
                           : ((const uint32_t *)(x->rows + offset))[mask_first(x->mask)];
}

static const struct uop *bad_barrier(struct lanes *x, const struct uop *u, const char *what, uint32_t value)
{
    emu_fault_note(x, u, mask_first(x->mask), EMU_FAULT_BAD_BARRIER, EMU_NO_RANGE, "%s %u", what, value);
    return NULL;
}

const struct uop *emu_barrier(struct lanes *x, const struct uop *u)
{
    if (u->mode == BAR_MODE_CLUSTER_ARRIVE || u->mode == BAR_MODE_CLUSTER_WAIT) {
        return cluster_barrier(x, u);
    }
    const uint32_t id = shared_operand(x, u, u->a, KIND_A);
    const uint32_t count = u->b == NO_OPERAND ? 0 : shared_operand(x, u, u->b, KIND_B);

    if (id >= CTA_BARRIERS) {
        return bad_barrier(x, u, "there is no barrier", id);
    }
    if (count % WARP_LANES != 0) {
        return bad_barrier(x, u, "the thread count of a barrier must be a multiple of 32, not", count);
    }
    struct cta_barrier *b = &x->cta->barriers[id];

    if (b->in_use && b->expected != count) {
        return bad_barrier(x, u, "threads expect different counts at one barrier; here", count);
    }
    x->barrier_arrivals++;
    b->expected = count;
    arrive(x, id);
    if (u->mode >= BAR_MODE_AND) {
        const lane_mask p =
            u->kinds & KIND_C ? *(const lane_mask *)(x->scalars + u->c) : *(const lane_mask *)(x->rows + u->c);

        b->ones += (uint32_t)mask_count(p & x->mask);
        b->threads += (uint32_t)mask_count(x->mask);
    }
    if (u->mode == BAR_MODE_ARRIVE) {
        (void)resume_at(x, u + 1);
    } else {
        wait_at(x, u, id);
    }
    complete_if_due(x->cta, id);
    if (x->split->state == SPLIT_READY) {
        x->stop = STOP_RESUME;
        x->hold = x->warp->released;
    }
    return NULL;
}
