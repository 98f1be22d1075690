/*
 * How many CTAs of a kernel are resident on one SM, by the rules of the CUDA occupancy calculator (cuda_occupancy.h of
 * the CUDA toolkit).  Pure arithmetic on a spec.
 *
 * Shared memory is measured against all an SM can offer (the largest carve-out).  The hardware's driver may choose a
 * smaller carve-out, but never one that makes fewer CTAs resident.
 */
#include "emu/spec.h"

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned limit_by_warps(const struct emu_spec *s, unsigned threads, unsigned warps)
{
    if (threads == 0 || threads > s->max_threads_per_cta) {
        return 0;
    }
    return smaller(s->max_warps_per_sm / warps, s->max_threads_per_sm / (warps * s->warp_lanes));
}

/*
 * Registers come in units per warp out of the file of the warp's SMSP.  The launch check is stricter than the count: it
 * takes the warps of a CTA as rounded up to warp_alloc_granularity, as if all SMSPs gave the same.
 */
static unsigned limit_by_registers(const struct emu_spec *s, unsigned registers, unsigned warps)
{
    uint64_t per_warp = round_up((uint64_t)registers * s->warp_lanes, s->register_alloc_unit);

    if (registers > s->max_registers_per_thread ||
        per_warp * round_up(warps, s->warp_alloc_granularity) > s->registers_per_cta) {
        return 0;
    }
    if (per_warp == 0) {
        return s->max_ctas_per_sm;
    }
    uint64_t warps_per_smsp = s->registers_per_sm / s->smsp_per_sm / per_warp;
    return (unsigned)(warps_per_smsp * s->smsp_per_sm / warps);
}

unsigned emu_registers_that_fit(const struct emu_spec *s, unsigned threads_per_cta)
{
    const uint64_t warps = round_up((threads_per_cta + s->warp_lanes - 1) / s->warp_lanes, s->warp_alloc_granularity);
    const uint64_t per_warp = warps == 0 ? s->registers_per_cta : s->registers_per_cta / warps;
    const uint64_t most = per_warp / s->register_alloc_unit * s->register_alloc_unit / s->warp_lanes;

    return most < s->max_registers_per_thread ? (unsigned)most : s->max_registers_per_thread;
}

static unsigned limit_by_shared(const struct emu_spec *s, uint64_t shared_bytes)
{
    if (shared_bytes > s->shared_per_cta_optin) {
        return 0;
    }
    uint64_t per_cta = round_up(shared_bytes + s->shared_reserved_per_cta, s->shared_alloc_unit);
    return per_cta == 0 ? s->max_ctas_per_sm : (unsigned)(s->shared_per_sm / per_cta);
}

/* The scarcest resource; of equally scarce ones the one a programmer can most easily save. */
static const char *limiter_of(const struct emu_spec *s, const struct emu_occupancy *o)
{
    if (o->warps_per_sm == s->max_warps_per_sm) {
        return "none";
    }
    if (o->ctas_per_sm == o->limit_registers) {
        return "registers";
    }
    if (o->ctas_per_sm == o->limit_shared) {
        return "shared memory";
    }
    return o->ctas_per_sm == o->limit_warps ? "warps" : "CTA slots";
}

void emu_occupancy(const struct emu_spec *spec, unsigned threads_per_cta, unsigned registers_per_thread,
                   uint64_t shared_bytes, struct emu_occupancy *out)
{
    unsigned warps = threads_per_cta / spec->warp_lanes + (threads_per_cta % spec->warp_lanes != 0);

    *out = (struct emu_occupancy){
        .limit_ctas = spec->max_ctas_per_sm,
        .limit_warps = limit_by_warps(spec, threads_per_cta, warps),
        .limit_registers = limit_by_registers(spec, registers_per_thread, warps ? warps : 1),
        .limit_shared = limit_by_shared(spec, shared_bytes),
    };
    out->ctas_per_sm =
        smaller(smaller(out->limit_ctas, out->limit_warps), smaller(out->limit_registers, out->limit_shared));
    out->warps_per_sm = out->ctas_per_sm * warps;
    out->theoretical = (double)out->warps_per_sm / spec->max_warps_per_sm;
    out->limiter = limiter_of(spec, out);
}
