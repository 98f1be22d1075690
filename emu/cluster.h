/*
 * Clusters: CTAs that run together on one worker and reach each other's shared memory.
 *
 * An address of shared memory says whose it is: bits from CLUSTER_SHIFT up are 0 for the CTA that uses it, else one
 * more than the rank in its cluster.  The same holds for generic addresses, behind the start of the shared window.
 */
#ifndef EMU_CLUSTER_H
#define EMU_CLUSTER_H

#include "emu/warp.h"
#include "memsys/memory.h"

enum { CLUSTER_SHIFT = 19, CLUSTER_RANKS = 30 };
#define CLUSTER_STRIDE ((uint64_t)1 << CLUSTER_SHIFT)
_Static_assert((CLUSTER_RANKS + 2) * CLUSTER_STRIDE <= MEM_SHARED_WINDOW, "all ranks fit into the window");

/* Take the rank out of a shared address: the CTA whose it is, NULL when there is none or it has ended. */
struct cta *emu_cluster_cta(const struct cta *own, uint64_t *address);
/* The shared address by which all CTAs of the cluster mean what `own` means by `address`, in the CTA `rank`. */
uint64_t emu_cluster_address(const struct cta *own, uint64_t address, uint32_t rank);
/* The rank of the CTA that a shared address belongs to. */
uint32_t emu_cluster_rank(const struct cta *own, uint64_t address);

/* May another CTA of the cluster still do something that the CTA waits for? */
bool emu_cluster_moves(const struct cta *cta);
/* The barrier of the cluster is over if all threads of its CTAs have come or exited. */
void emu_cluster_settle(struct cluster *cluster);

#endif
