/*
 * What the CTAs of a cluster have to do with each other.  Invariant: they belong to one worker, so nothing here needs a
 * lock.
 */
#include "emu/cluster.h"

#include "emu/control.h"

struct cta *emu_cluster_cta(const struct cta *own, uint64_t *address)
{
    const struct cluster *c = own->cluster;
    const uint64_t field = *address >> CLUSTER_SHIFT;

    if (field > c->size) {
        return NULL;
    }
    struct cta *cta = c->ctas[field == 0 ? own->rank : field - 1];

    *address &= CLUSTER_STRIDE - 1;
    return cta->active ? cta : NULL;
}

uint64_t emu_cluster_address(const struct cta *own, uint64_t address, uint32_t rank)
{
    const uint64_t offset = address & (CLUSTER_STRIDE - 1);

    /* Alone, the CTA keeps the addresses that are fast; a rank that no cluster has stays one. */
    if (own->cluster->size == 1 && rank == 0) {
        return offset;
    }
    return (uint64_t)((rank < CLUSTER_RANKS ? rank : CLUSTER_RANKS) + 1) << CLUSTER_SHIFT | offset;
}

uint32_t emu_cluster_rank(const struct cta *own, uint64_t address)
{
    const uint64_t field = address >> CLUSTER_SHIFT;

    return field == 0 || field > CLUSTER_RANKS ? own->rank : (uint32_t)field - 1;
}

static bool can_run(const struct cta *cta)
{
    for (uint32_t i = 0; i < cta->n_warps; i++) {
        for_each_bit (k, cta->warps[i].used) {
            if (cta->warps[i].splits[k].state == SPLIT_READY) {
                return true;
            }
        }
    }
    return cta->waits.waiting != 0;
}

bool emu_cluster_moves(const struct cta *cta)
{
    const struct cluster *c = cta->cluster;

    for (uint32_t rank = 0; rank < c->size; rank++) {
        if (c->ctas[rank] != cta && c->ctas[rank]->active && can_run(c->ctas[rank])) {
            return true;
        }
    }
    return false;
}

void emu_cluster_settle(struct cluster *cluster)
{
    bool any = false;

    for (uint32_t rank = 0; rank < cluster->size; rank++) {
        if (!emu_barrier_is_full(cluster->ctas[rank], CLUSTER_BARRIER)) {
            return;
        }
        any = any || cluster->ctas[rank]->barriers[CLUSTER_BARRIER].in_use;
    }
    for (uint32_t rank = 0; any && rank < cluster->size; rank++) {
        emu_barrier_complete(cluster->ctas[rank], CLUSTER_BARRIER);
    }
}
