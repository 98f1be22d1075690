/*
 * Bulk copies under way: see bulk.h.  Invariant: what an mbarrier counts is in the queue of the CTA that has the
 * mbarrier, what a thread waits for in the queue of its own CTA; all CTAs of a cluster belong to one host thread.
 */
#include "emu/bulk.h"

#include <stdlib.h>
#include <string.h>

#include "emu/access.h"
#include "emu/cluster.h"
#include "emu/control.h"
#include "emu/machine.h"
#include "emu/mbarrier.h"
#include "emu/operands.h"

enum { ROOM_FIRST = 16, ROOM_MOST = 4096, PIECE = 16 };

/* --- doing what was begun --------------------------------------------------------------------- */
static void copy(const struct emu_bulk *b, const uint8_t *from)
{
    uint64_t piece[PIECE / sizeof(uint64_t)];

    if (b->bytes < PIECE) { /* stores of few values */
        emu_copy_out(b->to, from, b->bytes);
        return;
    }
    for (uint32_t i = 0; i < b->bytes; i += PIECE) {
        emu_copy_in(piece, from + i, PIECE);
        emu_copy_out(b->to + i, piece, PIECE);
    }
}

/* As the atomic instructions do, but for sums of f32 in global memory, which keep subnormals (measured on H200). */
static void combine(const struct emu_bulk *b, const uint8_t *from)
{
    const unsigned size = ir_type_bytes((enum ir_type)b->type);
    const bool as_global = b->to_global && b->type != IR_F32;

    for (uint32_t i = 0; i < b->bytes; i += size) {
        uint64_t value = 0;

        memcpy(&value, from + i, size);
        emu_atomic(b->to + i, b->type, b->atom, value, 0, !b->to_global, as_global);
    }
}

/* `lane` is the one that a fault is about. */
static bool finish(struct lanes *x, const struct uop *u, int lane, struct cta *cta, struct emu_bulk *b)
{
    const uint8_t *from = b->from != NULL ? b->from : (const uint8_t *)b->value;

    b->done = true;
    if (b->atom == BULK_PLAIN) {
        copy(b, from);
    } else {
        combine(b, from);
    }
    return b->mbarrier == BULK_GROUPED || emu_mbarrier_complete(x, u, lane, cta, b->mbarrier, b->bytes);
}

static void drop_done(struct emu_bulks *q)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < q->count; i++) {
        if (!q->at[i].done) {
            q->at[kept++] = q->at[i];
        }
    }
    q->count = kept;
}

/* The first `n` of the queue. */
static bool finish_first(struct lanes *x, const struct uop *u, int lane, struct cta *cta, uint32_t n)
{
    bool good = true;

    for (uint32_t i = 0; i < n && good; i++) {
        good = finish(x, u, lane, cta, &cta->bulks.at[i]);
    }
    drop_done(&cta->bulks);
    return good;
}

bool emu_bulk_bring(struct lanes *x, const struct uop *u, int lane, uint32_t at)
{
    struct emu_bulks *q = &x->cta->bulks;
    bool good = true;

    for (uint32_t i = 0; i < q->count && good; i++) {
        good = q->at[i].mbarrier != at || finish(x, u, lane, x->cta, &q->at[i]);
    }
    drop_done(q);
    return good;
}

bool emu_bulk_end(struct lanes *x, const struct uop *u)
{
    const struct cluster *c = x->cta->cluster;
    bool good = true;

    for (uint32_t i = 0; i < c->size && good; i++) {
        good = finish_first(x, u, 0, c->ctas[i], c->ctas[i]->bulks.count);
    }
    return good;
}

/* --- groups ----------------------------------------------------------------------------------- */
void emu_bulk_commit(struct lanes *x)
{
    for_each_bit (l, x->mask) {
        x->warp->bulk_commits[l]++;
    }
}

void emu_bulk_wait(struct lanes *x, uint32_t most)
{
    struct emu_bulks *q = &x->cta->bulks;

    for (uint32_t i = 0; i < q->count; i++) {
        struct emu_bulk *b = &q->at[i];

        if (b->mbarrier == BULK_GROUPED && b->warp == x->warp && (x->mask >> b->lane & 1) != 0 &&
            x->warp->bulk_commits[b->lane] - b->group > most) {
            (void)finish(x, NULL, b->lane, x->cta, b); /* which no mbarrier counts */
        }
    }
    drop_done(q);
}

/* --- beginning -------------------------------------------------------------------------------- */
/* The instruction of one lane. */
struct place {
    struct lanes *x;
    const struct uop *u;
    int lane;
    const struct emu_operands *operands;
};

static uint64_t address(const struct place *p, unsigned source)
{
    const uint64_t sum = emu_source(p->operands, source, p->lane) + emu_source(p->operands, source + 1, p->lane);

    return emu_source_bytes(p->operands, source) == 4 ? (uint32_t)sum : sum;
}

/* Room for one more; false when there is none to be had. */
static bool reserve(struct emu_bulks *q)
{
    if (q->count < q->room) {
        return true;
    }
    const uint32_t room = q->room == 0 ? ROOM_FIRST : q->room * 2;
    struct emu_bulk *bigger = room > ROOM_MOST ? NULL : realloc(q->at, room * sizeof *q->at);

    if (bigger == NULL) {
        return false;
    }
    q->at = bigger;
    q->room = room;
    return true;
}

/* Without room the older half is done ahead of its wait, as the hardware is free to do. */
static bool enqueue(const struct place *p, struct cta *cta, struct emu_bulk *b)
{
    struct emu_bulks *q = &cta->bulks;

    b->done = false; /* what another CTA of a multicast got may be done */
    b->warp = p->x->warp;
    b->lane = (uint8_t)p->lane;
    b->group = p->x->warp->bulk_commits[p->lane];
    if (!reserve(q) && !finish_first(p->x, p->u, p->lane, cta, (q->count + 1) / 2)) {
        return false;
    }
    if (q->count == q->room) { /* the host has no memory for a queue at all */
        return finish(p->x, p->u, p->lane, cta, b);
    }
    q->at[q->count++] = *b;
    if (b->mbarrier != BULK_GROUPED) {
        emu_mbarrier_wake(cta, b->mbarrier);
    }
    return true;
}

/* Sizes are multiples of 16; hardware ignores what is beyond one, and lets mbarriers wait for it (measured on H200). */
static uint32_t size_of(const struct place *p, unsigned source)
{
    return (uint32_t)emu_source(p->operands, source, p->lane) & ~(PIECE - 1u);
}

/* Shared memory of the CTA itself. */
static const uint8_t *shared_source(const struct place *p, unsigned source, uint32_t bytes)
{
    const struct emu_access want = {.address = address(p, source), .size = bytes, .align = PIECE};

    return emu_shared_place(p->x, p->u, p->lane, IR_SPACE_SHARED, want);
}

/* Begin what writes to shared memory at `to`, counted by the mbarrier at `mbarrier`. */
static bool begin_shared(const struct place *p, struct emu_bulk *b, uint64_t to, uint64_t mbarrier)
{
    const struct emu_access want = {to, b->bytes, true, b->from != NULL ? PIECE : 0};
    struct cta *owner;

    b->to = emu_cluster_place(p->x, p->u, p->lane, IR_SPACE_CLUSTER, want, &owner);
    return b->to != NULL && emu_mbarrier_find(p->x, p->u, p->lane, mbarrier, &owner, &b->mbarrier) &&
           enqueue(p, owner, b);
}

/* What goes from CTA to CTA is no instruction for launches without clusters, even from a CTA to itself. */
static bool needs_cluster(const struct place *p)
{
    if (!p->x->worker->machine->launch->explicit_cluster) {
        emu_fault_note(p->x, p->u, p->lane, EMU_FAULT_ILLEGAL_INSTRUCTION, EMU_NO_RANGE,
                       "the kernel was not launched in clusters, which this instruction is for");
        return false;
    }
    return true;
}

static bool no_such_cta(const struct place *p, uint32_t rank)
{
    emu_fault_note(p->x, p->u, p->lane, EMU_FAULT_BAD_CALL, EMU_NO_RANGE,
                   "the mask of CTAs names rank %u of a cluster of %u", rank, p->x->cta->cluster->size);
    return false;
}

enum { FAR, NEAR = 2, MBARRIER = 4, BYTES = 6, CTAS = 7, OUT_BYTES = 4 };

static bool begin_in(const struct place *p, struct emu_bulk *b)
{
    const uint64_t to = address(p, NEAR), mbarrier = address(p, MBARRIER);

    b->bytes = size_of(p, BYTES);
    if (p->u->mode == BULK_ACROSS && !needs_cluster(p)) {
        return false;
    }
    b->from = p->u->mode == BULK_ACROSS
                  ? shared_source(p, FAR, b->bytes)
                  : emu_global_source(p->x, p->u, p->lane, address(p, FAR), (struct emu_part){b->bytes, PIECE});
    if (b->from == NULL) {
        return false;
    }
    if (p->u->mode != BULK_IN_ALL) {
        return begin_shared(p, b, to, mbarrier);
    }
    for_each_bit (rank, (lane_mask)(uint16_t)emu_source(p->operands, CTAS, p->lane)) {
        if ((uint32_t)rank >= p->x->cta->cluster->size) {
            return needs_cluster(p) && no_such_cta(p, (uint32_t)rank);
        }
        if (!begin_shared(p, b, emu_cluster_address(p->x->cta, to, (uint32_t)rank),
                          emu_cluster_address(p->x->cta, mbarrier, (uint32_t)rank))) {
            return false;
        }
    }
    return true;
}

static bool begin_out(const struct place *p, struct emu_bulk *b)
{
    b->bytes = size_of(p, OUT_BYTES);
    b->to_global = true;
    b->mbarrier = BULK_GROUPED;
    b->from = shared_source(p, NEAR, b->bytes);
    if (b->from == NULL) {
        return false;
    }
    b->to = emu_global_target(p->x, p->u, p->lane, address(p, FAR), (struct emu_part){b->bytes, PIECE});
    return b->to != NULL && enqueue(p, p->x->cta, b);
}

static bool begin_values(const struct place *p, struct emu_bulk *b)
{
    const unsigned values = p->u->b, size = ir_type_bytes((enum ir_type)p->u->c);

    b->bytes = values * size;
    for (unsigned i = 0; i < values; i++) {
        const uint64_t value = emu_source(p->operands, NEAR + i, p->lane);

        memcpy((uint8_t *)b->value + (size_t)i * size, &value, size);
    }
    return needs_cluster(p) && begin_shared(p, b, address(p, FAR), address(p, NEAR + values));
}

const struct uop *emu_bulk_begin(struct lanes *x, const struct uop *u, uint8_t *rows, const uint8_t *scalars)
{
    const struct emu_operands operands = emu_operands(x, u, 0, rows, scalars);

    for_each_bit (l, x->mask) {
        const struct place p = {x, u, l, &operands};
        struct emu_bulk b = {.atom = u->env, .type = (uint8_t)u->c};
        const bool good = u->mode == BULK_OUT      ? begin_out(&p, &b)
                          : u->mode == BULK_VALUES ? begin_values(&p, &b)
                                                   : begin_in(&p, &b);

        if (!good) {
            return NULL;
        }
    }
    return u + 1;
}
