/*
 * Launches by kernels (dynamic parallelism; CUDA Programming Guide, "CUDA Dynamic Parallelism").  What a grid asks for
 * is written down while it runs.  Whoever ran the grid runs what it asked for when it has ended, and then counts it as
 * completed: a kernel cannot wait for its children, so nobody can tell.
 */
#ifndef EMU_CHILDREN_H
#define EMU_CHILDREN_H

#include <stdbool.h>
#include <stdint.h>

struct ir_func;
struct mem_device;

enum emu_child_kind { EMU_CHILD_GRID, EMU_CHILD_COPY, EMU_CHILD_SET };

/* What a kernel says about the grid that it wants. */
struct emu_child_grid {
    const struct ir_func *kernel;
    unsigned grid[3], block[3];
    uint64_t dynamic_shared;
};

struct emu_child {
    enum emu_child_kind kind;
    bool tail;            /* comes after all that are not, and what those ask for */
    uint64_t cta, number; /* who asked, and when among what the CTA asked for: their order */
    /* GRID */
    struct emu_child_grid of;
    uint8_t *params; /* of.kernel->param_bytes, at 16-byte alignment; owned */
    /* COPY, SET */
    uint64_t to, from, bytes;
    uint8_t value;
};

struct emu_children_options {
    struct mem_device *memory; /* parameters and texts are put there */
    unsigned depth, most;      /* generations above this grid; as many that kernels launched there may be */
};

/* What one grid asks for.  NULL when the host's memory is exhausted. */
struct emu_children *emu_children_new(const struct emu_children_options *options);
void emu_children_free(struct emu_children *c);
/* Forget what was asked for, for another grid with so many generations above it; memory is kept. */
void emu_children_reset(struct emu_children *c, unsigned depth);
/* All of it in order, for the caller to run; it stays the structure's.  The grid has ended. */
const struct emu_child *emu_children_all(struct emu_children *c, uint64_t *count);

#endif
