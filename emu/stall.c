/*
 * Threads that wait at mbarriers: how long, and whether for ever.
 *
 * PTX lets try_wait return without success after a while, so a kernel that waits for ever is a kernel that loops.  A
 * wait here ends when its phase is over, after some turns of the CTA, or when no thread of the CTA can go on (a stall).
 * Now and then the way from one stall to the next is audited: if nothing was read that another CTA or the clock could
 * change, and all registers and memory of the CTA are what they were, then the CTA goes round in a circle for ever, and
 * that is reported as the deadlock it is.  Loops that count or look at the time are left alone.
 */
#include <string.h>

#include "emu/control.h"
#include "emu/machine.h"
#include "emu/mbarrier.h"

enum {
    TURNS_MOST = 4,    /* of the CTA that a wait lasts */
    STALLS_FIRST = 64, /* stalls in a row before the first audit; then at every power of two */
    AUDIT_TURNS = 64,  /* turns after which an audit is given up when no stall ends it */
};

/* --- the state of a CTA ----------------------------------------------------------------------- */
static uint64_t mix(uint64_t h, uint64_t value)
{
    h = (h ^ value) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t mix_bytes(uint64_t h, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += sizeof h) {
        uint64_t word = 0;

        memcpy(&word, (const uint8_t *)from + i, bytes - i < sizeof word ? bytes - i : sizeof word);
        h = mix(h, word);
    }
    return h;
}

/* Where each lane stands and the scalars it sees, whichever splits lanes are in. */
static uint64_t lanes_state(const struct warp *w)
{
    uint64_t sum = 0;

    for_each_bit (i, w->used) {
        const struct split *s = &w->splits[i];

        if (s->state == SPLIT_PARKED) {
            continue;
        }
        const uint64_t h =
            mix_bytes(mix(mix((uintptr_t)s->pc, s->state), s->frame->depth), s->scalars, emu_scalars_used(s->frame));

        for_each_bit (l, s->mask) {
            sum += mix(h, (uint64_t)l);
        }
    }
    return sum;
}

static uint64_t cta_state(const struct cta *cta)
{
    uint64_t h = mix_bytes(mix(cta->barriers_used, cta->bulks.count), cta->shared, cta->shared_bytes);

    h = mix_bytes(h, cta->barrier_lanes, sizeof(lane_mask) * cta->n_warps * ALL_BARRIERS);
    for (uint32_t i = 0; i < cta->n_warps; i++) {
        const struct warp *w = &cta->warps[i];

        h = mix(mix(h, lanes_state(w)), w->copies.count);
        h = mix_bytes(h, w->rows, w->rows_bytes);
        h = mix_bytes(h, w->local, (size_t)w->local_bytes * WARP_LANES);
    }
    return h;
}

/* --- what an audit looks for ------------------------------------------------------------------ */
static bool is_time(unsigned sreg)
{
    switch (sreg) {
    case IR_SREG_CLOCK:
    case IR_SREG_CLOCK_HI:
    case IR_SREG_CLOCK64:
    case IR_SREG_GLOBALTIMER:
    case IR_SREG_GLOBALTIMER_LO:
    case IR_SREG_GLOBALTIMER_HI:
        return true;
    default:
        return false;
    }
}

/* Does the instruction's result depend on anything but the CTA? */
static bool looks_outside(const struct ir_func *f, const struct ir_inst *in)
{
    const bool own = in->mods.space == IR_SPACE_SHARED || in->mods.space == IR_SPACE_CLUSTER;
    const ir_ref first = ir_n_srcs(in) != 0 ? ir_srcs(f, in)[0] : IR_REF_NONE;

    switch (in->op) {
    case IR_LD:
        return in->mods.space == IR_SPACE_GLOBAL || in->mods.space == IR_SPACE_GENERIC;
    case IR_ATOM:
    case IR_ATOM_CAS:
    case IR_RED:
        return !own;
    case IR_CP_ASYNC:
    case IR_BULK_LOAD:
    case IR_BULK_MULTICAST:
    case IR_TEX:
    case IR_TEX_OFFSET:
    case IR_TEX_LEVEL:
    case IR_TEX_GRAD:
    case IR_TLD4:
    case IR_SULD:
        return true;
    case IR_CALL:
        return ir_ref_kind(first) != IR_REF_FUNC || !f->module->funcs.at[ir_ref_index(first)]->defined;
    case IR_MOV_SREG:
        return is_time(ir_ref_index(first));
    default:
        return false;
    }
}

void emu_run_audited(struct lanes *x, const struct uop *pc)
{
    x->stop = STOP_NONE;
    while (pc != NULL) {
        const struct ir_func *f = x->split->frame->code->func;

        x->cta->waits.outside = x->cta->waits.outside || looks_outside(f, &f->insts.at[pc->inst]);
        pc = pc->part(x, pc, x->rows, x->scalars);
    }
}

/* --- ends of waits ---------------------------------------------------------------------------- */
static void let_go(struct cta *cta, struct split *s)
{
    s->state = SPLIT_READY;
    s->expired = true;
    cta->waits.waiting--;
}

/* Let go those of the warp that have waited for `turns`; true if there were any. */
static bool let_go_after(struct warp *w, uint32_t turns)
{
    bool any = false;

    for_each_bit (k, w->used) {
        struct split *s = &w->splits[k];

        if (s->state == SPLIT_AT_MBARRIER && w->cta->waits.round - s->wait_round >= turns) {
            let_go(w->cta, s);
            any = true;
        }
    }
    return any;
}

void emu_waits_turn(struct cta *cta)
{
    struct cta_waits *waits = &cta->waits;

    waits->round++;
    if (waits->audited && waits->round > waits->audit_ends) {
        waits->audited = false;
    }
    for (uint32_t i = 0; waits->waiting != 0 && i < cta->n_warps; i++) {
        if (let_go_after(&cta->warps[i], TURNS_MOST)) {
            /* Lanes parked for them may be what the CTA needs. */
            emu_release_parked(&cta->warps[i], true);
        }
    }
}

void emu_waits_progress(struct cta *cta)
{
    cta->waits.stalls = 0;
    cta->waits.audited = false;
}

static bool release_parked(struct cta *cta)
{
    bool any = false;

    for (uint32_t i = 0; i < cta->n_warps; i++) {
        any = emu_release_parked(&cta->warps[i], true) || any;
    }
    return any;
}

static void begin_audit(struct cta *cta)
{
    struct cta_waits *waits = &cta->waits;

    waits->audited = true;
    waits->outside = false;
    waits->audit_ends = waits->round + AUDIT_TURNS;
    waits->state = cta_state(cta);
}

bool emu_waits_stalled(struct cta *cta)
{
    struct cta_waits *waits = &cta->waits;

    if (waits->waiting == 0) {
        return false;
    }
    if (release_parked(cta)) {
        return true;
    }
    waits->stalls++;
    if (waits->audited) {
        waits->audited = false;
        if (!waits->outside && waits->state == cta_state(cta)) {
            return false;
        }
    } else if (waits->stalls >= STALLS_FIRST && (waits->stalls & (waits->stalls - 1)) == 0) {
        begin_audit(cta);
    }
    for (uint32_t i = 0; i < cta->n_warps; i++) {
        let_go_after(&cta->warps[i], 0);
    }
    return true;
}
