/*
 * Asynchronous copies of a warp's lanes from global to shared memory (cp.async), in the order in which they began.
 *
 * A copy is done when its thread waits for it, not before: a program that reads the data without the wait sees what was
 * there, in every run.  Everything that can go wrong is found when the copy begins, so waiting never fails.
 */
#ifndef EMU_COPIES_H
#define EMU_COPIES_H

#include <stdint.h>

#include "emu/simd.h"

struct lanes;

/* What one instruction copies for some lanes of one group. */
struct emu_copy {
    lane_mask lanes;                 /* those whose copy is not done */
    uint32_t group;                  /* number of commits that these lanes had made when it began */
    uint32_t bytes;                  /* written: 4, 8 or 16 */
    uint8_t given[WARP_LANES];       /* bytes read, at most `bytes`; zeros follow */
    uint32_t to[WARP_LANES];         /* offset in shared memory */
    const uint8_t *from[WARP_LANES]; /* host address in the device's region */
};

struct emu_copies {
    struct emu_copy *at;
    uint32_t count, room;
    uint32_t commits[WARP_LANES]; /* wraps around: only differences mean something */
};

/* Begin what `copy` says for the active lanes; lanes and group are filled in. */
void emu_copies_begin(struct lanes *x, struct emu_copy *copy);
/* Copies of the active lanes that are in no group yet become one. */
void emu_copies_commit(struct lanes *x);
/* Wait until each active lane has at most `most` groups that are not done. */
void emu_copies_wait(struct lanes *x, uint32_t most);
/* Wait for all copies of the lanes `lanes`, in groups or not. */
void emu_copies_finish(struct lanes *x, lane_mask lanes);

#endif
