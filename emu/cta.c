/*
 * CTAs: storage of their warps, shared memory and barriers, reused from one CTA to the next by the worker that owns it,
 * and from one launch to the next.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/cluster.h"
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

/*
 * Local memory grows apart from its storage, which may be larger from an earlier launch: its size is a bound that
 * accesses are checked against, and what is new of it reads as zero.  It is interleaved by word, so growing by lanes
 * times the bytes keeps every address.
 */
static bool reserve_local(struct warp *w, uint64_t want)
{
    const uint64_t bytes = (uint64_t)w->local_bytes * 2 > want ? (uint64_t)w->local_bytes * 2 : want;
    const size_t have = (size_t)w->local_bytes * WARP_LANES;

    if (bytes * WARP_LANES > w->local_room) {
        uint8_t *bigger = aligned_alloc(64, bytes * WARP_LANES);

        if (bigger == NULL) {
            return false;
        }
        if (have != 0) {
            memcpy(bigger, w->local, have);
        }
        free(w->local);
        w->local = bigger;
        w->local_room = (uint32_t)(bytes * WARP_LANES);
    }
    memset(w->local + have, 0, bytes * WARP_LANES - have);
    w->local_bytes = (uint32_t)bytes;
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
    if (local > w->local_bytes && !reserve_local(w, (local + 15) / 16 * 16)) {
        return false;
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

/* Where a byte of a lane's local memory lies: the words of 4 bytes of all lanes beside each other. */
static size_t local_place(int lane, uint64_t address)
{
    return address / 4 * 4 * WARP_LANES + (unsigned)lane * 4 + address % 4;
}

/* Whole words, which most accesses are, then single bytes. */
void emu_local_read(const struct warp *w, int lane, uint64_t address, void *out, size_t size)
{
    uint8_t *to = out;
    size_t i = 0;

    for (; address % 4 == 0 && i + 4 <= size; i += 4) {
        memcpy(to + i, w->local + local_place(lane, address + i), 4);
    }
    for (; i < size; i++) {
        to[i] = w->local[local_place(lane, address + i)];
    }
}

void emu_local_write(struct warp *w, int lane, uint64_t address, const void *value, size_t size)
{
    const uint8_t *from = value;
    size_t i = 0;

    for (; address % 4 == 0 && i + 4 <= size; i += 4) {
        memcpy(w->local + local_place(lane, address + i), from + i, 4);
    }
    for (; i < size; i++) {
        w->local[local_place(lane, address + i)] = from[i];
    }
}

/* Room for the warps of a CTA; what warps had is kept. */
static bool fit_warps(struct worker *worker, struct cta *cta, uint32_t count)
{
    if (count > cta->warps_room) {
        struct warp *warps = realloc(cta->warps, count * sizeof *warps);

        if (warps == NULL) {
            return false;
        }
        memset(warps + cta->warps_room, 0, (count - cta->warps_room) * sizeof *warps);
        cta->warps = warps;
        free(cta->barrier_lanes);
        cta->barrier_lanes = malloc((size_t)count * ALL_BARRIERS * sizeof *cta->barrier_lanes);
        cta->warps_room = cta->barrier_lanes == NULL ? 0 : count;
        worker->grew = true;
    }
    return cta->barrier_lanes != NULL;
}

/* Barriers nobody is at, for another number of warps than before. */
static void lay_out_barriers(struct cta *cta)
{
    memset(cta->barrier_lanes, 0, (size_t)cta->n_warps * ALL_BARRIERS * sizeof *cta->barrier_lanes);
    for (unsigned id = 0; id < ALL_BARRIERS; id++) {
        cta->barriers[id] = (struct cta_barrier){.arrived = cta->barrier_lanes + (size_t)id * cta->n_warps};
    }
    cta->barriers_used = 0;
}

static bool fit_shared(struct worker *worker, struct cta *cta, uint64_t bytes)
{
    if (bytes != cta->shared_bytes) {
        free(cta->mbarriers);
        cta->mbarriers = NULL;
    }
    if (cta->shared == NULL || bytes > cta->shared_room) {
        free(cta->shared);
        cta->shared = aligned_alloc(64, (bytes + 127) / 64 * 64);
        cta->shared_room = cta->shared == NULL ? 0 : bytes;
        worker->grew = true;
    }
    cta->shared_bytes = bytes;
    return cta->shared != NULL;
}

static bool fit_warp(struct worker *worker, struct cta *cta, uint32_t index)
{
    const struct emu_program *p = worker->machine->program;
    const struct emu_code *code = p->codes[p->entry->index];
    struct warp *w = &cta->warps[index];
    const uint32_t room = w->rows_bytes + w->local_room;

    w->cta = cta;
    w->index = index;
    w->local_bytes = 0;
    if (!emu_warp_reserve(worker, w, code->frame_rows + 64, code->frame_scalars + 16, code->frame_local)) {
        return false;
    }
    worker->grew = worker->grew || room != w->rows_bytes + w->local_room;
    return true;
}

/* Storage for a CTA of this launch, fitted once per slot. */
static bool fit_storage(struct worker *worker, struct cta *cta)
{
    const struct machine *m = worker->machine;

    if (cta->launch == worker->launches) {
        return true;
    }
    cta->worker = worker;
    if (!fit_warps(worker, cta, m->warps_per_cta) || !fit_shared(worker, cta, m->cta_shared)) {
        return false;
    }
    cta->n_warps = m->warps_per_cta;
    lay_out_barriers(cta);
    for (uint32_t i = 0; i < cta->n_warps; i++) {
        if (!fit_warp(worker, cta, i)) {
            return false;
        }
    }
    cta->launch = worker->launches;
    return true;
}

size_t emu_cta_storage(const struct cta *cta)
{
    size_t bytes = cta->shared_room + cta->bulks.room * sizeof *cta->bulks.at;

    for (uint32_t i = 0; i < cta->warps_room; i++) {
        const struct warp *w = &cta->warps[i];

        bytes += sizeof *w + w->rows_bytes + (size_t)w->scalars_bytes * MAX_SPLITS + w->local_room +
                 w->copies.room * sizeof *w->copies.at;
    }
    return bytes;
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

bool emu_cta_start(struct worker *worker, struct cta *cta, unsigned slot, uint64_t linear)
{
    const struct machine *m = worker->machine;
    const struct emu_launch *launch = m->launch;
    const struct emu_code *code = m->program->codes[m->program->entry->index];

    if (!fit_storage(worker, cta)) {
        return false;
    }
    cta->linear = linear;
    cta->id[0] = (uint32_t)(linear % launch->grid[0]);
    cta->id[1] = (uint32_t)(linear / launch->grid[0] % launch->grid[1]);
    cta->id[2] = (uint32_t)(linear / launch->grid[0] / launch->grid[1]);
    cta->sm = (uint32_t)((worker->index + (uint64_t)slot * m->n_workers) % launch->spec->sm_count);
    cta->active = cta->held = true;
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
    cta->bulks.count = 0; /* of a launch that ended early */
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
    const struct machine *m = worker->machine;
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
            if (worker->index == 0 && emu_worker_effort(worker) >= worker->look_at) {
                emu_worker_look(worker);
            }
            if (atomic_load_explicit(&m->stop, memory_order_relaxed)) {
                return false;
            }
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
        if (emu_cluster_moves(cta) || emu_waits_stalled(cta)) {
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
    for (uint32_t i = 0; i < cta->warps_room; i++) {
        free(cta->warps[i].rows);
        free(cta->warps[i].scalars);
        free(cta->warps[i].local);
        free(cta->warps[i].copies.at);
    }
    free(cta->warps);
    free(cta->barrier_lanes);
    free(cta->shared);
    free(cta->mbarriers);
    free(cta->bulks.at);
}
