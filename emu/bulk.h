/*
 * Bulk copies (cp.async.bulk, cp.reduce.async.bulk) and stores that tell an mbarrier of their bytes (st.async,
 * red.async): what a CTA has under way, in the order in which it began.
 *
 * What an mbarrier counts is done when somebody looks whether its phase is over, copies to global memory when their
 * thread waits for them; all of it at the latest when a CTA ends that has to do with it.  So a program that reads the
 * data without the wait sees what was there, in every run.  Addresses are checked when a copy begins.
 */
#ifndef EMU_BULK_H
#define EMU_BULK_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/simd.h"

struct cta;
struct lanes;
struct uop;
struct warp;

/* What one thread began. */
struct emu_bulk {
    uint8_t *to;
    const uint8_t *from; /* NULL: `value` */
    uint64_t value[2];
    uint32_t bytes;
    uint8_t atom;   /* enum ir_atom, or BULK_PLAIN: copied as it is */
    uint8_t type;   /* enum ir_type of elements that are combined */
    bool to_global; /* else to shared memory */
    bool done;
    uint32_t mbarrier; /* offset in the shared memory of the CTA whose queue this is; BULK_GROUPED: none counts */
    uint8_t lane;      /* of `warp`, which began it */
    uint32_t group;    /* number of commits that it had made */
    const struct warp *warp;
};

enum { BULK_PLAIN = 255 };
#define BULK_GROUPED UINT32_MAX

struct emu_bulks {
    struct emu_bulk *at;
    uint32_t count, room;
};

/* uop.mode: where from and where to. */
enum bulk_mode {
    BULK_IN,     /* global to shared memory of the cluster */
    BULK_IN_ALL, /* to that of several CTAs */
    BULK_ACROSS, /* shared to shared memory */
    BULK_OUT,    /* shared to global memory */
    BULK_VALUES, /* registers to shared memory */
};

/*
 * Begin what the uop says for the active lanes, one after the other.  uop: mode; env = enum ir_atom or BULK_PLAIN; c =
 * enum ir_type; b = values; operands.h lists the sources: two words of an address, base and offset, for each.
 * The next uop, or NULL after a fault.
 */
const struct uop *emu_bulk_begin(struct lanes *x, const struct uop *u, uint8_t *rows, const uint8_t *scalars);

/* What the active lanes have begun and not committed becomes a group of theirs. */
void emu_bulk_commit(struct lanes *x);
/* Wait until each active lane has at most `most` groups that are not done. */
void emu_bulk_wait(struct lanes *x, uint32_t most);
/* Do what the mbarrier at `at` of the lanes' CTA counts.  False after a fault. */
bool emu_bulk_bring(struct lanes *x, const struct uop *u, int lane, uint32_t at);
/* The CTA of the lanes ends: nothing of its cluster stays under way.  False after a fault. */
bool emu_bulk_end(struct lanes *x, const struct uop *u);

#endif
