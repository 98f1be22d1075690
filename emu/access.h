/*
 * Memory accesses of single lanes: the careful path behind the handlers' fast ones.  Every access is resolved to a
 * state space, checked against its bounds and alignment, and refused with a fault record that says where.
 */
#ifndef EMU_ACCESS_H
#define EMU_ACCESS_H

#include "emu/code.h"
#include "emu/warp.h"

/* Whether the address means another place in each lane: local memory. */
bool emu_is_own(const struct lanes *x, unsigned space, uint64_t address);

/*
 * Move the instruction's window to the allocation that has the `size` bytes at `address`, an address of a space whose
 * accesses go through windows.  False: it is there already, or nothing has them.
 */
bool emu_move_window(struct lanes *x, const struct uop *u, uint64_t address, unsigned size);

/* The most registers and bytes of one access of a lane. */
enum { LANE_PARTS = 8, LANE_BYTES = 32 };

/*
 * Copy what a lane accesses at once, 1, 2, 4, 8, 16 or 32 bytes, aligned to its size in memory: up to 16 bytes as a
 * whole.  PTX does not promise that for vectors, but GPUs do it and programs rely on it (CUB's look-back scans publish
 * a flag and its value in one vector); hosts do it, too, in their vector registers.
 */
void emu_copy_in(void *value, const void *memory, unsigned size);
void emu_copy_out(void *memory, const void *value, unsigned size);

/*
 * Read or write `size` bytes (as above) at `address` of state space `space` (enum ir_space; GENERIC resolves the
 * windows) for one lane.  False: a fault was noted and x->stop is STOP_FAULT.  An access to an allocation moves the
 * instruction's window there.
 */
bool emu_lane_read(struct lanes *x, const struct uop *u, int lane, unsigned space, uint64_t address, unsigned size,
                   void *out);
bool emu_lane_write(struct lanes *x, const struct uop *u, int lane, unsigned space, uint64_t address, unsigned size,
                    const void *value);

/*
 * Where a lane's store goes, before anything is stored: *at is NULL for local memory, which emu_lane_write reaches.
 * False after a fault.
 */
bool emu_lane_target(struct lanes *x, const struct uop *u, int lane, unsigned space, uint64_t address, unsigned size,
                     uint8_t **at);

/*
 * Of lanes that store to one place the hardware lets the lowest win, among those whose bytes it moves together: 32
 * lanes with up to 4 bytes each, 16 with 8, 8 with 16; what moves later wins (measured on H200).  So lanes store in the
 * order 0 ^ f, 1 ^ f, 2 ^ f, ... where f is:
 */
static inline int emu_store_order(size_t bytes)
{
    return bytes <= 4 ? 31 : bytes <= 8 ? 15 : bytes <= 16 ? 7 : 3;
}

/*
 * Where `size` bytes that an atomic operation may change lie in host memory; `*exclusive` is set when no other host
 * thread can touch them (shared memory).  NULL after a fault.
 */
void *emu_lane_atomic(struct lanes *x, const struct uop *u, int lane, unsigned space, uint64_t address, unsigned size,
                      bool *exclusive);

/*
 * Host address of bytes that must lie in the CTA's shared memory, for instructions that work there only. A generic
 * address is resolved.  NULL after a fault.
 */
struct emu_access {
    uint64_t address;
    unsigned size;
    bool write;
    unsigned align; /* 0: to the size */
};
uint8_t *emu_shared_place(struct lanes *x, const struct uop *u, int lane, unsigned space, struct emu_access want);
/* The same, in the shared memory of any CTA of the cluster. */
uint8_t *emu_cluster_place(struct lanes *x, const struct uop *u, int lane, unsigned space, struct emu_access want,
                           struct cta **owner);

/* Host address of `size` bytes of global memory to read or write, aligned to `whole`.  NULL after a fault. */
struct emu_part {
    unsigned size, whole;
};
const uint8_t *emu_global_source(struct lanes *x, const struct uop *u, int lane, uint64_t address,
                                 struct emu_part part);
uint8_t *emu_global_target(struct lanes *x, const struct uop *u, int lane, uint64_t address, struct emu_part part);

/*
 * A lane looked at what others may change and saw `value`.  After many looks in a row that saw the same, with little
 * done between them, the split's turn is over at its next branch.
 */
static inline void emu_note_poll(struct lanes *x, const struct uop *u, uint64_t address, uint64_t value)
{
    enum { NEAR = 64, LOOKS = 32 };
    struct poll *p = &x->poll;

    if (p->uop == u && p->fuel == x->fuel) {
        return; /* another lane of the same look */
    }
    const bool same = p->uop == u && p->address == address && p->value == value && (uint64_t)(p->fuel - x->fuel) < NEAR;

    *p = (struct poll){u, address, value, x->fuel, same ? p->count + 1 : 0, p->idle};
    if (p->count == LOOKS) {
        p->count = 0;
        p->idle = true;
        x->fuel = -1;
    }
}

/*
 * One atomic operation on the value of `type` at `at`: returns the old bits, stores the new ones.  `b` is the operand,
 * `c` the new value of a compare-and-swap.  `global` selects the hardware's denormal rule for f32 sums in global
 * memory.
 */
uint64_t emu_atomic(void *at, unsigned type, unsigned op, uint64_t b, uint64_t c, bool exclusive, bool global);
/*
 * The operations of the active lanes `lanes`, lowest first, on one place that all of them name: nothing of another
 * thread comes between them, as on hardware, where they are one request.  `b` and `c` are rows of the type's width, c
 * may be NULL; old[lane] receives what the lane saw.
 */
void emu_atomic_lanes(void *at, unsigned type, unsigned op, const void *b, const void *c, lane_mask lanes,
                      bool exclusive, bool global, uint64_t old[WARP_LANES]);
/* 128-bit exchange and compare-and-swap. */
void emu_atomic_128(void *at, unsigned op, const uint64_t b[2], const uint64_t c[2], uint64_t old[2]);

#endif
