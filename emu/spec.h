/*
 * What a GPU is: a typed, validated, immutable description.  Knows no run-time state.
 *
 * Built-in GPUs are compiled in from emu/gpus/NAME.ini (data from vendor documents and measurements; each value's
 * source is in docs/configuration.md); a file of the same form can be given instead.
 */
#ifndef EMU_SPEC_H
#define EMU_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emu_spec {
    char name[64];               /* as a user names it: "h200" */
    char product[96];            /* "NVIDIA H200" */
    unsigned cc_major, cc_minor; /* compute capability */
    unsigned sm_count;
    unsigned smsp_per_sm;
    unsigned warp_lanes; /* 32 */
    unsigned max_warps_per_sm;
    unsigned max_threads_per_sm;
    unsigned max_ctas_per_sm;
    unsigned max_threads_per_cta;
    unsigned max_block[3]; /* largest CTA extent in x, y, z */
    uint64_t max_grid[3];  /* largest grid extent in x, y, z */
    unsigned registers_per_sm;
    unsigned registers_per_cta;
    unsigned max_registers_per_thread;
    unsigned register_alloc_unit;     /* registers per warp are rounded up to this */
    unsigned warp_alloc_granularity;  /* warps of a CTA are rounded up to this when registers are counted */
    uint64_t shared_per_sm;           /* bytes, all of it */
    uint64_t shared_per_cta;          /* bytes without opt-in: 48 KiB */
    uint64_t shared_per_cta_optin;    /* bytes, largest dynamic request */
    uint64_t shared_reserved_per_cta; /* bytes the system takes of each CTA's shared memory */
    uint64_t shared_alloc_unit;       /* bytes */
    unsigned named_barriers;          /* 16 */
    uint64_t local_per_thread;        /* bytes, hardware limit 512 KiB */
    uint64_t global_bytes;            /* device memory */
    uint64_t const_bytes;             /* 64 KiB */
    uint64_t l2_bytes;
    unsigned core_clock_khz, memory_clock_khz;
    unsigned memory_bus_bits;
};

struct diag;

/* A built-in GPU by name (case-insensitive, with or without vendor words: "h200", "NVIDIA H200"); NULL if there is
 * none. */
const struct emu_spec *emu_spec_builtin(const char *name);
/* Names for lists and messages; NULL past the end. */
const struct emu_spec *emu_spec_at(size_t index);
/* Read an INI file.  Every key must be known, every value in range; all errors are reported.  True on success. */
bool emu_spec_read(const char *path, struct emu_spec *out, struct diag *dg);

/* What limits the CTAs resident on one SM; the names are those of Nsight Compute's occupancy section. */
struct emu_occupancy {
    unsigned ctas_per_sm;
    unsigned limit_ctas, limit_warps, limit_registers, limit_shared; /* CTAs each resource alone allows */
    unsigned warps_per_sm;                                           /* resident warps */
    double theoretical;                                              /* warps_per_sm / max_warps_per_sm */
    const char *limiter; /* "registers", "shared memory", "warps", "CTA slots" or "none" */
};
/*
 * Occupancy of a kernel by the rules of the CUDA occupancy calculator.  ctas_per_sm is 0 when a CTA does not fit at all
 * (then `limiter` says why).
 */
void emu_occupancy(const struct emu_spec *spec, unsigned threads_per_cta, unsigned registers_per_thread,
                   uint64_t shared_bytes, struct emu_occupancy *out);

/* The most registers per thread with which a CTA of that many threads still fits on an SM. */
unsigned emu_registers_that_fit(const struct emu_spec *spec, unsigned threads_per_cta);

#endif
