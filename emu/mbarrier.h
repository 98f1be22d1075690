/*
 * mbarriers: objects in shared memory at which threads arrive without waiting, and for whose phases they wait later.
 * The objects' bits are those of sem_mbarrier.h; beside them the CTA remembers where programs have made one.
 */
#ifndef EMU_MBARRIER_H
#define EMU_MBARRIER_H

#include "emu/code.h"

/*
 * Perform the uop's operation for each active lane, lowest first, on the mbarrier at its address with its count;
 * `state` receives what the object was before.  False after a fault.
 */
bool emu_mbarrier(struct lanes *x, const struct uop *u, const uint64_t address[WARP_LANES],
                  const uint32_t count[WARP_LANES], uint64_t state[WARP_LANES]);

/* The active lanes for which the phase they ask for, odd or even, is over.  False after a fault. */
bool emu_mbarrier_over(struct lanes *x, const struct uop *u, const uint64_t address[WARP_LANES], lane_mask odd,
                       lane_mask *over);

/* The executing split waits at `u` until a phase is over or it has waited long enough; always NULL. */
const struct uop *emu_mbarrier_wait(struct lanes *x, const struct uop *u, const uint64_t address[WARP_LANES]);

/* For what completes transactions by itself: the mbarrier at a shared address, in which CTA and where.  False after a
 * fault. */
bool emu_mbarrier_find(struct lanes *x, const struct uop *u, int lane, uint64_t address, struct cta **cta,
                       uint32_t *at);
/* `bytes` transactions of that mbarrier are done.  False after a fault. */
bool emu_mbarrier_complete(struct lanes *x, const struct uop *u, int lane, struct cta *cta, uint32_t at,
                           uint32_t bytes);
/* The splits that wait at it look at it again. */
void emu_mbarrier_wake(struct cta *cta, uint32_t at);

/* Bytes of the map of a CTA's mbarriers. */
size_t emu_mbarrier_map_bytes(const struct cta *cta);

/* stall.c */
/* A turn of the CTA begins: splits that have waited for some turns go on without. */
void emu_waits_turn(struct cta *cta);
/*
 * No thread of the CTA can go on by itself.  Lets those that wait at mbarriers go on without; false when there are
 * none, or when it is certain that they would come back for ever.
 */
bool emu_waits_stalled(struct cta *cta);
/* A thread was released by what another did: the CTA makes progress. */
void emu_waits_progress(struct cta *cta);
/* Run the split from pc and note whether it looks at anything outside its CTA. */
void emu_run_audited(struct lanes *x, const struct uop *pc);

#endif
