/*
 * What handlers call when an instruction does more than compute: calls, barriers, faults, special registers.
 * Functions that return a uop follow the handlers' contract: the next one, or NULL with x->stop set.
 */
#ifndef EMU_CONTROL_H
#define EMU_CONTROL_H

#include "emu/code.h"
#include "emu/split.h"

enum { NO_OPERAND = UINT32_MAX };

enum bar_mode {
    BAR_MODE_SYNC,
    BAR_MODE_ARRIVE,
    BAR_MODE_CLUSTER_ARRIVE,
    BAR_MODE_CLUSTER_WAIT,
    BAR_MODE_AND,
    BAR_MODE_OR,
    BAR_MODE_POPC
};

/* call.c */
const struct uop *emu_call(struct lanes *x, const struct uop *u);
const struct uop *emu_return(struct lanes *x, const struct uop *u);
const struct uop *emu_stack(struct lanes *x, const struct uop *u, uint8_t *rows, uint8_t *scalars);

/* split.c: the lanes of `first` go on at `next`, the others stay at u for another turn. */
const struct uop *emu_diverge_multi(struct lanes *x, const struct uop *u, lane_mask first, const struct uop *next);

/* barrier.c */
const struct uop *emu_barrier(struct lanes *x, const struct uop *u);
/* Have all live threads of the CTA arrived? */
bool emu_barrier_is_full(const struct cta *cta, unsigned id);
/* The barrier is over for the CTA: threads that wait there go on. */
void emu_barrier_complete(struct cta *cta, unsigned id);
/* Lanes have exited: barriers that waited only for them complete. */
void emu_barrier_recheck(struct cta *cta);

/* texture_exec.c: a texture or surface instruction. */
const struct uop *emu_texture(struct lanes *x, const struct uop *u, uint8_t *rows, uint8_t *scalars);

/* sreg.c: value of a special register (enum ir_sreg) for one lane. */
uint64_t emu_sreg(const struct lanes *x, unsigned sreg, int lane);

/* access.c: does a generic address lie in the shared, local or parameter window? */
bool emu_in_windows(const struct lanes *x, uint64_t address);
/* Is the generic address one of a .const variable? */
bool emu_in_constants(const struct lanes *x, uint64_t address);

/* fault.c: note a fault of the executing split's lane and stop; always NULL. */
const struct uop *emu_fault_misaligned(struct lanes *x, const struct uop *u, int lane, uint64_t address, unsigned size);
const struct uop *emu_fault_not_shared(struct lanes *x, const struct uop *u, int lane, uint64_t address, unsigned size);
const struct uop *emu_fault_branch(struct lanes *x, const struct uop *u, int lane, uint32_t index, uint32_t count);
const struct uop *emu_fault_trap(struct lanes *x, const struct uop *u);

#endif
