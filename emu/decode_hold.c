/*
 * Where a warp that a barrier released must not change memory before the other warps had their turn: see run.c.
 *
 * A change matters only if the way to it from a barrier reads memory of the same kind, shared or not: the other warps
 * take the same way, and may have read by then what is about to change.  A loop that fills a tile behind one barrier
 * and reads it behind the next has no such place.
 */
#include "emu/decode.h"

#include <stdlib.h>

/* What happened on some way here since the last barrier, or since memory was last changed with due care. */
enum since { NOTHING, BARRIER, READ };

enum { SHARED, OTHER, KINDS };

struct state {
    uint8_t since[KINDS]; /* enum since: the worst of all ways */
};

struct holds {
    struct decoder *d;
    struct state *at_start; /* per block */
    uint8_t *places;        /* per instruction: hold before it */
};

bool dec_is_barrier(unsigned op)
{
    return op >= IR_BAR_SYNC && op <= IR_BAR_RED_POPC;
}

static bool changes_memory(unsigned op)
{
    return op == IR_ST || op == IR_ATOM || op == IR_ATOM_CAS || op == IR_RED || op == IR_STMATRIX ||
           op == IR_WMMA_STORE;
}

static bool reads_memory(unsigned op)
{
    return op == IR_LD || op == IR_LDMATRIX || op == IR_WMMA_LOAD;
}

/* The kinds of memory that an access may mean, a bit each; none that is the thread's own or constant. */
static unsigned kinds_of(const struct ir_inst *in)
{
    if (in->op == IR_LDMATRIX || in->op == IR_STMATRIX) {
        return 1u << SHARED;
    }
    switch (in->mods.space) {
    case IR_SPACE_SHARED:
    case IR_SPACE_CLUSTER:
        return 1u << SHARED;
    case IR_SPACE_GLOBAL:
        return in->mods.nc ? 0 : 1u << OTHER;
    case IR_SPACE_GENERIC:
        return 1u << SHARED | 1u << OTHER;
    default:
        return 0;
    }
}

/* Take one instruction into account; true: hold before it. */
static bool step(struct state *s, const struct ir_inst *in)
{
    const bool reads = reads_memory(in->op), changes = changes_memory(in->op);
    const unsigned kinds = reads || changes ? kinds_of(in) : 0;

    if (dec_is_barrier(in->op)) {
        *s = (struct state){{BARRIER, BARRIER}};
    } else if (in->op == IR_CALL) {
        *s = (struct state){{READ, READ}};
    }
    for (int kind = 0; kind < KINDS; kind++) {
        if ((kinds >> kind & 1) && s->since[kind] == READ && changes) {
            *s = (struct state){{NOTHING, NOTHING}};
            return true;
        }
        if ((kinds >> kind & 1) && s->since[kind] == BARRIER && reads) {
            s->since[kind] = READ;
        }
    }
    return false;
}

/* From the start of a block to its end; marks the places if `mark`. */
static struct state run_block(const struct holds *h, uint32_t b, bool mark)
{
    const struct ir_block *block = &h->d->f->blocks.at[b];
    struct state s = h->at_start[b];

    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const bool hold = step(&s, &h->d->f->insts.at[i]);

        if (mark) {
            h->places[i] = hold;
        }
    }
    return s;
}

/* False when nothing is new. */
static bool meet(struct state *into, struct state from)
{
    bool grows = false;

    for (int kind = 0; kind < KINDS; kind++) {
        if (from.since[kind] > into->since[kind]) {
            into->since[kind] = from.since[kind];
            grows = true;
        }
    }
    return grows;
}

/* States only grow, and have few steps to do so. */
static void settle(const struct holds *h)
{
    const struct ir_cfg *cfg = h->d->cfg;

    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < cfg->n_rpo; i++) {
            const uint32_t b = cfg->rpo[i];
            const struct state end = run_block(h, b, false);

            for (uint32_t k = cfg->succ_at[b]; k < cfg->succ_at[b + 1]; k++) {
                again = meet(&h->at_start[cfg->succ[k]], end) || again;
            }
        }
    }
}

uint8_t *dec_find_holds(struct decoder *d)
{
    struct holds h = {.d = d,
                      .at_start = calloc(d->f->blocks.count + 1u, sizeof *h.at_start),
                      .places = calloc(d->f->insts.count + 1u, 1)};

    if (h.at_start == NULL || h.places == NULL) {
        free(h.at_start);
        free(h.places);
        return NULL;
    }
    if (d->program->has_barriers) {
        if (!d->f->is_entry && d->f->blocks.count != 0) {
            h.at_start[0] = (struct state){{READ, READ}};
        }
        settle(&h);
        for (uint32_t b = 0; b < d->f->blocks.count; b++) {
            (void)run_block(&h, b, true);
        }
    }
    free(h.at_start);
    return h.places;
}
