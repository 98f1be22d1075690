/*
 * Splits: how lanes of a warp part, wait for each other, merge and end.  See warp.h for the state.
 *
 * Functions that handlers call return the next uop of the split that is executing, or NULL with x->stop set.
 */
#ifndef EMU_SPLIT_H
#define EMU_SPLIT_H

#include "emu/code.h"

/* Load the executing state of a split into `x`, and save nothing: rows, scalars and mask are its own. */
void emu_enter_split(struct lanes *x, struct split *s);
/* Give `x` another set of active lanes. */
static inline void emu_set_mask(struct lanes *x, lane_mask m)
{
    x->mask = m;
    x->lane_count = (uint32_t)mask_count(m);
}

/*
 * Part the executing split at branch `u`: the lanes of `taken` go to `target`, the others to u + 1.  With a
 * reconvergence point they are expected there.  The executing split goes on with the side that runs first.
 */
const struct uop *emu_diverge(struct lanes *x, const struct uop *u, lane_mask taken, const struct uop *target,
                              const struct uop *reconv);

/* The executing split has come to a reconvergence point. */
const struct uop *emu_arrive(struct lanes *x, const struct uop *u);

/* The lanes of `m`, some or all of the executing split, end. */
const struct uop *emu_exit_lanes(struct lanes *x, const struct uop *u, lane_mask m);

/*
 * The lanes `same` of the executing split are at an instruction that waits for the lanes `members`.  Blocks, or when
 * all have come runs the instruction for every split at it and lets them go on.  Other lanes of the split, which wait
 * for other members, get a split of their own.
 */
/* The fault of lanes that execute a *.sync instruction without being among its members: what a GPU calls an illegal
 * instruction.  NULL, for the handler to return. */
const struct uop *emu_sync_outsider(struct lanes *x, const struct uop *u, lane_mask members, lane_mask outside);
const struct uop *emu_sync(struct lanes *x, const struct uop *u, lane_mask members, lane_mask same);

/* Lanes have exited: instructions that waited only for them may go on. */
void emu_sync_recheck(struct lanes *x);

/* The bytes of a split's scalar stack that are in use. */
static inline size_t emu_scalars_used(const struct frame *f)
{
    return f->scalars + f->code->frame_scalars;
}

/* Lanes that become one split keep all the stack memory that any of them has. */
static inline void emu_join_stacks(struct split *s, const struct split *other)
{
    s->stack_bytes = other->stack_bytes > s->stack_bytes ? other->stack_bytes : s->stack_bytes;
}

/* Let the lanes parked at convergence barriers go on alone; true if there were any.  `all`: at every barrier, else at
 * one. */
bool emu_release_parked(struct warp *w, bool all);

/* A free split of the warp; there is always one, since every split in use has a lane of its own. */
struct split *emu_new_split(struct warp *w);
void emu_free_split(struct warp *w, struct split *s);

/* Frames are counted; the entry frame is the warp's own and never freed. */
struct frame *emu_frame_keep(struct frame *f);
void emu_frame_drop(struct worker *worker, struct frame *f);

/* Prepare a warp for a CTA: all `alive` lanes ready at the first uop. */
void emu_warp_start(struct warp *w, const struct emu_code *code, lane_mask alive, bool each_lane_alone);

/* Part the executing split, which is ready, in two: `lanes`, some of its lanes, become a split of their own. */
void emu_split_lanes(struct lanes *x, lane_mask lanes);

/* Merge ready splits that stand at the same place with equal scalars (policies without convergence barriers). */
void emu_merge_ready(struct warp *w);

#endif
