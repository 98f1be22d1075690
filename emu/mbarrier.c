/*
 * Operations on mbarriers.  Invariant: an operation succeeds only where the CTA's map says that an mbarrier was made,
 * and leaves counts within their ranges; everything else is a fault that names the object.
 */
#include "emu/mbarrier.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/access.h"
#include "emu/control.h"
#include "emu/machine.h"
#include "emu/sem_mbarrier.h"

enum { MBAR_BYTES = 8 };

/* --- where mbarriers are ---------------------------------------------------------------------- */
static bool is_made(const struct cta *cta, uint32_t at)
{
    return cta->mbarriers != NULL && (cta->mbarriers[at / MBAR_BYTES / 8] >> (at / MBAR_BYTES % 8) & 1) != 0;
}

static void set_made(struct cta *cta, uint32_t at, bool made)
{
    uint8_t *byte = &cta->mbarriers[at / MBAR_BYTES / 8];
    const unsigned bit = at / MBAR_BYTES % 8;

    *byte = (uint8_t)((*byte & ~(1u << bit)) | (unsigned)made << bit);
}

size_t emu_mbarrier_map_bytes(const struct cta *cta)
{
    return cta->shared_bytes / MBAR_BYTES / 8 + 1;
}

static bool have_map(struct lanes *x, const struct uop *u, int lane, struct cta *cta)
{
    if (cta->mbarriers == NULL) {
        cta->mbarriers = calloc(emu_mbarrier_map_bytes(cta), 1);
    }
    if (cta->mbarriers == NULL) {
        emu_fault_note(x, u, lane, EMU_FAULT_NO_MEMORY, EMU_NO_RANGE, "the host's memory is exhausted");
    }
    return cta->mbarriers != NULL;
}

/* Where the lane's mbarrier is, or is to be made: the CTA, and the offset in its shared memory.  False after a fault.
 */
static bool locate_any(struct lanes *x, const struct uop *u, int lane, unsigned space, uint64_t address,
                       struct cta **cta, uint32_t *at)
{
    const struct emu_access want = {.address = address, .size = MBAR_BYTES, .write = true};
    const uint8_t *place = emu_cluster_place(x, u, lane, space, want, cta);

    if (place != NULL) {
        *at = (uint32_t)(place - (*cta)->shared);
    }
    return place != NULL;
}

static bool check_made(struct lanes *x, const struct uop *u, int lane, const struct cta *cta, uint32_t at)
{
    if (!is_made(cta, at)) {
        emu_fault_note(x, u, lane, EMU_FAULT_BAD_BARRIER, (struct emu_range){at, MBAR_BYTES},
                       "there is no initialised mbarrier at shared address 0x%x", at);
        return false;
    }
    return true;
}

/* The lane's mbarrier, which is there unless the instruction makes it. */
static bool locate(struct lanes *x, const struct uop *u, int lane, uint64_t address, struct cta **cta, uint32_t *at)
{
    return locate_any(x, u, lane, u->space, address, cta, at) &&
           (u->mode == MBAR_DO_INIT || check_made(x, u, lane, *cta, *at));
}

bool emu_mbarrier_find(struct lanes *x, const struct uop *u, int lane, uint64_t address, struct cta **cta, uint32_t *at)
{
    return locate_any(x, u, lane, IR_SPACE_CLUSTER, address, cta, at) && check_made(x, u, lane, *cta, *at);
}

/* The lane's mbarrier, which must be in its own CTA: others can be told of arrivals, but not waited for. */
static bool locate_own(struct lanes *x, const struct uop *u, int lane, uint64_t address, uint32_t *at)
{
    struct cta *cta;

    if (!locate(x, u, lane, address, &cta, at)) {
        return false;
    }
    if (cta != x->cta) {
        emu_fault_not_shared(x, u, lane, address, MBAR_BYTES);
        return false;
    }
    return true;
}

static struct sem_mbar load(const struct cta *cta, uint32_t at)
{
    uint64_t bits;

    memcpy(&bits, cta->shared + at, sizeof bits);
    return sem_mbar_split(bits);
}

static void store(struct cta *cta, uint32_t at, struct sem_mbar m)
{
    const uint64_t bits = sem_mbar_join(m);

    memcpy(cta->shared + at, &bits, sizeof bits);
}

/* --- phases ----------------------------------------------------------------------------------- */
void emu_mbarrier_wake(struct cta *cta, uint32_t at)
{
    emu_waits_progress(cta);
    for (uint32_t i = 0; cta->waits.waiting != 0 && i < cta->n_warps; i++) {
        struct warp *w = &cta->warps[i];

        for_each_bit (k, w->used) {
            struct split *s = &w->splits[k];

            if (s->state == SPLIT_AT_MBARRIER && (s->wait_at == at || s->wait_at == UINT32_MAX)) {
                s->state = SPLIT_READY;
                cta->waits.waiting--;
            }
        }
    }
}

static bool is_complete(struct sem_mbar m)
{
    return m.pending == 0 && m.tx == 0;
}

/* Put the changed object back; a phase that this completes makes way for the next. */
static void settle(struct cta *cta, uint32_t at, struct sem_mbar before, struct sem_mbar m)
{
    const bool completed = is_complete(m) && !is_complete(before);

    if (completed) {
        m.phase = !m.phase;
        m.pending = m.expected;
    }
    store(cta, at, m);
    if (completed) {
        emu_mbarrier_wake(cta, at);
    }
}

/* --- operations ------------------------------------------------------------------------------- */
/* What an operation of one lane is about. */
struct place {
    struct lanes *x;
    const struct uop *u;
    int lane;
    struct cta *cta;
    uint32_t at;
};

__attribute__((format(printf, 2, 3))) static bool bad(const struct place *p, const char *format, ...)
{
    char words[256];
    va_list list;

    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    emu_fault_note(p->x, p->u, p->lane, EMU_FAULT_BAD_BARRIER, (struct emu_range){p->at, MBAR_BYTES},
                   "%s the mbarrier at shared address 0x%x", words, p->at);
    return false;
}

static bool init(const struct place *p, uint32_t count)
{
    if (count < 1 || count > MBAR_COUNT_MOST) {
        return bad(p, "a count of %u, which must be 1 to %d, for", count, MBAR_COUNT_MOST);
    }
    if (!have_map(p->x, p->u, p->lane, p->cta)) {
        return false;
    }
    set_made(p->cta, p->at, true);
    store(p->cta, p->at, (struct sem_mbar){.pending = count, .expected = count});
    return true;
}

static bool inval(const struct place *p)
{
    set_made(p->cta, p->at, false);
    return true;
}

static bool add_tx(const struct place *p, struct sem_mbar *m, int64_t more)
{
    const int64_t tx = m->tx + more;

    if (tx < -MBAR_COUNT_MOST || tx > MBAR_COUNT_MOST) {
        return bad(p, "%lld transactions, beyond %d, at", (long long)tx, MBAR_COUNT_MOST);
    }
    m->tx = (int32_t)tx;
    return true;
}

static bool transactions(const struct place *p, int64_t more)
{
    const struct sem_mbar before = load(p->cta, p->at);
    struct sem_mbar m = before;

    if (!add_tx(p, &m, more)) {
        return false;
    }
    settle(p->cta, p->at, before, m);
    return true;
}

bool emu_mbarrier_complete(struct lanes *x, const struct uop *u, int lane, struct cta *cta, uint32_t at, uint32_t bytes)
{
    const struct place p = {x, u, lane, cta, at};

    return check_made(x, u, lane, cta, at) && transactions(&p, -(int64_t)bytes);
}

/* Later phases expect fewer arrivals. */
static bool drop(const struct place *p, struct sem_mbar *m, uint32_t count)
{
    if (count > m->expected) {
        return bad(p, "%u arrivals dropped of %u expected at", count, m->expected);
    }
    m->expected -= count;
    return true;
}

static bool arrive(const struct place *p, uint32_t count)
{
    const unsigned flags = p->u->env;
    const struct sem_mbar before = load(p->cta, p->at);
    struct sem_mbar m = before;

    if ((flags & MBAR_MORE_TX) != 0) {
        if (!add_tx(p, &m, count)) {
            return false;
        }
        count = 1;
    }
    if ((flags & MBAR_BALANCED) != 0 && ++m.pending > MBAR_COUNT_MOST) {
        return bad(p, "more than %d pending arrivals at", MBAR_COUNT_MOST);
    }
    if (count < 1 || count > m.pending) {
        return bad(p, "%u arrivals, where %u are missing, at", count, m.pending);
    }
    if ((flags & MBAR_DROPS) != 0 && !drop(p, &m, count)) {
        return false;
    }
    m.pending -= count;
    if ((flags & MBAR_HOLDS) != 0 && is_complete(m)) {
        return bad(p, "an arrival with .noComplete completes the phase of");
    }
    settle(p->cta, p->at, before, m);
    return true;
}

static bool operate(const struct place *p, uint32_t count)
{
    switch (p->u->mode) {
    case MBAR_DO_INIT:
        return init(p, count);
    case MBAR_DO_INVAL:
        return inval(p);
    case MBAR_DO_TX:
        return transactions(p, p->u->env & MBAR_MORE_TX ? (int64_t)count : -(int64_t)count);
    default:
        return arrive(p, count);
    }
}

bool emu_mbarrier(struct lanes *x, const struct uop *u, const uint64_t address[WARP_LANES],
                  const uint32_t count[WARP_LANES], uint64_t state[WARP_LANES])
{
    if (u->mode == MBAR_DO_COPY) {
        emu_copies_finish(x, x->mask);
    }
    for_each_bit (l, x->mask) {
        struct place p = {.x = x, .u = u, .lane = l};

        if (!locate(x, u, l, address[l], &p.cta, &p.at)) {
            return false;
        }
        memcpy(&state[l], p.cta->shared + p.at, sizeof state[l]);
        if (!operate(&p, count[l])) {
            return false;
        }
    }
    return true;
}

/* --- waiting ---------------------------------------------------------------------------------- */
bool emu_mbarrier_over(struct lanes *x, const struct uop *u, const uint64_t address[WARP_LANES], lane_mask odd,
                       lane_mask *over)
{
    *over = 0;
    for_each_bit (l, x->mask) {
        uint32_t at;

        if (!locate_own(x, u, l, address[l], &at)) {
            return false;
        }
        const bool odd_phase = (odd >> l & 1) != 0;

        if (load(x->cta, at).phase == odd_phase && x->cta->bulks.count != 0 && !emu_bulk_bring(x, u, l, at)) {
            return false;
        }
        *over |= load(x->cta, at).phase != odd_phase ? lane_bit(l) : 0;
    }
    return true;
}

const struct uop *emu_mbarrier_wait(struct lanes *x, const struct uop *u, const uint64_t address[WARP_LANES])
{
    struct split *s = x->split;
    const int first = mask_first(x->mask);
    bool same = true;

    for_each_bit (l, x->mask) {
        same = same && address[l] == address[first];
    }
    s->state = SPLIT_AT_MBARRIER;
    s->pc = u;
    s->wait_at = UINT32_MAX;
    if (same) {
        locate_own(x, u, first, address[first], &s->wait_at);
    }
    s->wait_round = x->cta->waits.round;
    x->cta->waits.waiting++;
    x->stop = STOP_BLOCKED;
    return NULL;
}
