/*
 * Host threads that wait to help launches, and the workers that launches left behind.  Private to emu/.
 *
 * A launch runs on the thread that made it.  When that has gone on for a while and CTAs are left, it asks for help; a
 * thread of the pool that has nothing else to do then joins as a further worker.  Small launches never wake anybody.
 *
 * Ownership: an idle worker belongs to the pool; from emu_pool_worker to emu_pool_return it belongs to the one thread
 * that took it.  A machine is in the pool's list only while it wants help, and its launch does not end before its
 * helpers have left.
 */
#ifndef EMU_POOL_H
#define EMU_POOL_H

#include "emu/machine.h"

/* An idle worker or a new one; NULL when memory is exhausted. */
struct worker *emu_pool_worker(struct emu_pool *pool);
void emu_pool_return(struct emu_pool *pool, struct worker *worker);

/* Ask for `most` helpers for the machine; they call emu_machine_help. */
void emu_pool_ask(struct emu_pool *pool, struct machine *m, unsigned most);
/* No further helpers; returns when those that came have left.  `watch` is called about every `tick_ms` meanwhile. */
void emu_pool_settle(struct emu_pool *pool, struct machine *m, unsigned tick_ms, void (*watch)(struct machine *m));

#endif
