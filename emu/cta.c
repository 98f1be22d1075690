/*
 * CTAs: storage of their warps, shared memory and barriers, reused from one CTA to the next by the worker that owns it.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/control.h"
#include "emu/machine.h"
#include "emu/mbarrier.h"

enum {
    SLICE = 1 << 20,          /* instructions after which a CTA lets others run even while it makes progress */
    SCALAR_LIMIT = 256 << 10, /* bytes that calls may add to the kernel's own scalars, in each split */
};

static bool grow(uint8_t **at, uint32_t *have, uint64_t want, size_t copies, size_t align)
{
    uint64_t next = *have == 0 ? want : (uint64_t)*have * 2 > want ? (uint64_t)*have * 2 : want;
    uint8_t *bigger;

    next = (next + 63) / 64 * 64;
    bigger = aligned_alloc(align, next * copies);
    if (bigger == NULL) {
        return false;
    }
    for (size_t i = 0; i < copies; i++) {
        uint8_t *to = bigger + i * next;

        if (*have != 0) {
            memcpy(to, *at + i * *have, *have);
        }
        memset(to + *have, 0, next - *have);
    }
    free(*at);
    *at = bigger;
    *have = (uint32_t)next;
    return true;
}

bool emu_warp_reserve(struct worker *worker, struct warp *w, uint64_t rows, uint64_t scalars, uint64_t local)
{
    const struct emu_program *p = worker->machine->program;
    const uint64_t scalars_most = (uint64_t)p->codes[p->entry->index]->frame_scalars + SCALAR_LIMIT;

    if (rows > EMU_ROW_LIMIT || scalars > scalars_most || local > worker->machine->launch->spec->local_per_thread) {
        return false;
    }
    if (rows > w->rows_bytes && !grow(&w->rows, &w->rows_bytes, rows, 1, 64)) {
        return false;
    }
    if (local > w->local_bytes) {
        /* Interleaved by word: growing by lanes times the bytes keeps every address. */
        uint32_t bytes = w->local_bytes * WARP_LANES;

        if (!grow(&w->local, &bytes, (local + 15) / 16 * 16 * WARP_LANES, 1, 64)) {
            return false;
        }
        w->local_bytes = bytes / WARP_LANES;
    }
    if (scalars > w->scalars_bytes) {
        uint8_t *before = w->scalars;
        const uint32_t step = w->scalars_bytes;

        if (!grow(&w->scalars, &w->scalars_bytes, scalars, MAX_SPLITS, 64)) {
            return false;
        }
        for (int i = 0; before != NULL && step != 0 && i < MAX_SPLITS; i++) {
            w->splits[i].scalars = w->scalars + (size_t)i * w->scalars_bytes;
        }
    }
    return true;
}

void emu_local_read(const struct warp *w, int lane, uint64_t address, void *out, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const uint64_t at = address + i;

        ((uint8_t *)out)[i] = w->local[at / 4 * 4 * WARP_LANES + (unsigned)lane * 4 + at % 4];
    }
}

void emu_local_write(struct warp *w, int lane, uint64_t address, const void *value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const uint64_t at = address + i;

        w->local[at / 4 * 4 * WARP_LANES + (unsigned)lane * 4 + at % 4] = ((const uint8_t *)value)[i];
    }
}

/* Storage for a CTA of this launch, made once per slot. */
static bool make_storage(struct worker *worker, struct cta *cta)
{
    const struct machine *m = worker->machine;
    const struct emu_code *code = m->program->codes[m->program->entry->index];

    if (cta->warps != NULL) {
        return true;
    }
    cta->worker = worker;
    cta->warps = calloc(m->warps_per_cta, sizeof *cta->warps);
    cta->barrier_lanes = calloc((size_t)m->warps_per_cta * ALL_BARRIERS, sizeof *cta->barrier_lanes);
    cta->shared = aligned_alloc(64, (m->shared_bytes + 127) / 64 * 64);
    if (cta->warps == NULL || cta->barrier_lanes == NULL || cta->shared == NULL) {
        return false;
    }
    cta->n_warps = m->warps_per_cta;
    cta->shared_bytes = m->shared_bytes;
    for (unsigned id = 0; id < ALL_BARRIERS; id++) {
        cta->barriers[id].arrived = cta->barrier_lanes + (size_t)id * m->warps_per_cta;
    }
    for (unsigned i = 0; i < m->warps_per_cta; i++) {
        struct warp *w = &cta->warps[i];

        w->cta = cta;
        w->index = i;
        if (!emu_warp_reserve(worker, w, code->frame_rows + 64, code->frame_scalars + 16, code->frame_local)) {
            return false;
        }
    }
    return true;
}

static void set_scalar(uint8_t *scalars, uint32_t offset, uint64_t value)
{
    memcpy(scalars + offset, &value, sizeof value);
}

/* The scalars that differ from CTA to CTA. */
static void patch_cta(struct worker *worker, const struct cta *cta)
{
    const struct emu_program *p = worker->machine->program;

    for (uint32_t i = 0; i < p->n_patches; i++) {
        const struct emu_patch *patch = &p->patches[i];

        if (patch->sreg >= IR_SREG_CTAID_X && patch->sreg <= IR_SREG_CTAID_Z) {
            set_scalar((uint8_t *)worker->entry_scalars, patch->offset, cta->id[patch->sreg - IR_SREG_CTAID_X]);
        }
    }
}

bool emu_cta_start(struct worker *worker, struct cta *cta, uint64_t linear)
{
    const struct machine *m = worker->machine;
    const struct emu_launch *launch = m->launch;
    const struct emu_code *code = m->program->codes[m->program->entry->index];

    if (!make_storage(worker, cta)) {
        return false;
    }
    cta->linear = linear;
    cta->id[0] = (uint32_t)(linear % launch->grid[0]);
    cta->id[1] = (uint32_t)(linear / launch->grid[0] % launch->grid[1]);
    cta->id[2] = (uint32_t)(linear / launch->grid[0] / launch->grid[1]);
    cta->sm = (uint32_t)((worker->index + (uint64_t)(cta - worker->ctas) * m->n_workers) % launch->spec->sm_count);
    cta->active = true;
    cta->slice_end = worker->lanes.warp_insts + SLICE;
    memset(cta->shared, 0, cta->shared_bytes);
    cta->n_done = 0;
    for_each_bit (id, cta->barriers_used) {
        struct cta_barrier *b = &cta->barriers[id];

        *b = (struct cta_barrier){.arrived = b->arrived};
        memset(b->arrived, 0, cta->n_warps * sizeof *b->arrived);
    }
    cta->barriers_used = 0;
    cta->waits = (struct cta_waits){0};
    if (cta->mbarriers != NULL) {
        memset(cta->mbarriers, 0, emu_mbarrier_map_bytes(cta));
    }
    patch_cta(worker, cta);
    for (unsigned i = 0; i < cta->n_warps; i++) {
        struct warp *w = &cta->warps[i];

        emu_warp_start(w, code, worker->warp_lanes[i], launch->policy == EMU_SERIAL);
        w->quantum = 0;
        for_each_bit (k, w->used) {
            memcpy(w->splits[k].scalars, worker->entry_scalars, (size_t)code->n_consts * 8);
        }
        for (uint32_t k = 0; k < code->n_zero_rows; k++) {
            memset(w->rows + code->zero_rows[2 * k], 0, code->zero_rows[2 * k + 1]);
        }
    }
    return true;
}

bool emu_cta_run(struct worker *worker, struct cta *cta, bool *progress)
{
    bool ran = false;

    *progress = false;
    emu_waits_turn(cta);
    for (uint32_t i = 0; i < cta->n_warps; i++) {
        struct warp *w = &cta->warps[i];
        bool ready = false;

        for_each_bit (k, w->used) {
            ready = ready || w->splits[k].state == SPLIT_READY;
        }
        if (ready || (!w->done && w->convs_used != 0)) {
            if (!emu_warp_run(worker, w)) {
                return false;
            }
            ran = ran || ready;
            *progress = *progress || worker->lanes.stop != STOP_FUEL;
        }
    }
    if (worker->lanes.warp_insts >= cta->slice_end) {
        /* Barriers and shuffles look like progress, but the CTA may still wait for another one. */
        cta->slice_end = worker->lanes.warp_insts + SLICE;
        *progress = false;
    }
    if (!ran && cta->n_done < cta->n_warps) {
        for (uint32_t i = 0; i < cta->n_warps; i++) {
            for_each_bit (k, cta->warps[i].used) {
                if (cta->warps[i].splits[k].state == SPLIT_READY) {
                    return true;
                }
            }
        }
        if (emu_waits_stalled(cta)) {
            *progress = false;
            return true;
        }
        emu_fault_deadlock(worker, cta);
        return false;
    }
    return true;
}

void emu_cta_release(struct cta *cta)
{
    for (uint32_t i = 0; cta->warps != NULL && i < cta->n_warps; i++) {
        free(cta->warps[i].rows);
        free(cta->warps[i].scalars);
        free(cta->warps[i].local);
        free(cta->warps[i].copies.at);
    }
    free(cta->warps);
    free(cta->barrier_lanes);
    free(cta->shared);
    free(cta->mbarriers);
    cta->mbarriers = NULL;
    cta->warps = NULL;
}
