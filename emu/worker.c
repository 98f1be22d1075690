/*
 * Workers: the storage that one host thread needs to run CTAs, made to fit a launch and kept from one launch to the
 * next.  Invariant: what a launch can see of an earlier one is at most stale contents of registers that it reads before
 * writing them, as from one CTA to the next.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/machine.h"

enum { KEEP_SLOTS = 4, KEEP_BYTES = 8 << 20 }; /* what an idle worker keeps at most */

struct worker *emu_worker_new(void)
{
    struct worker *worker = aligned_alloc(64, (sizeof *worker + 63) / 64 * 64);

    if (worker != NULL) {
        memset(worker, 0, sizeof *worker);
    }
    return worker;
}

static void free_frames(struct worker *worker)
{
    for (struct frame *f = worker->free_frames; f != NULL;) {
        struct frame *next = f->caller;

        free(f);
        f = next;
    }
    worker->free_frames = NULL;
}

static void drop_slots(struct worker *worker, unsigned from)
{
    for (unsigned i = from; i < worker->n_slots; i++) {
        emu_cta_release(worker->ctas[i]);
        free(worker->ctas[i]);
    }
    worker->n_slots = from < worker->n_slots ? from : worker->n_slots;
}

void emu_worker_free(struct worker *worker)
{
    drop_slots(worker, 0);
    free_frames(worker);
    free(worker->windows);
    free(worker->ctas);
    free(worker->tid_rows);
    free(worker->warp_lanes);
    free(worker->entry_scalars);
    free(worker);
}

/* --- fitting a launch ------------------------------------------------------------------------- */
/* Parameters and launch constants go into the entry's scalar frame once. */
static void patch_launch(struct worker *worker)
{
    const struct emu_program *p = worker->machine->program;
    const struct emu_launch *launch = worker->machine->launch;
    const struct emu_code *code = p->codes[p->entry->index];

    memcpy(worker->entry_scalars, code->consts, (size_t)code->n_consts * 8);
    for (uint32_t i = 0; i < p->n_patches; i++) {
        const struct emu_patch *patch = &p->patches[i];
        uint64_t value = 0;

        if (patch->sreg == IR_SREG_NONE) {
            memcpy(&value, launch->params + patch->param, patch->bytes);
            if (patch->sign && patch->bytes < 8) {
                const unsigned up = 64 - 8u * patch->bytes;

                value = (uint64_t)((int64_t)(value << up) >> up);
            }
        } else if (patch->sreg >= IR_SREG_NTID_X && patch->sreg <= IR_SREG_NTID_Z) {
            value = launch->block[patch->sreg - IR_SREG_NTID_X];
        } else if (patch->sreg >= IR_SREG_NCTAID_X && patch->sreg <= IR_SREG_NCTAID_Z) {
            value = launch->grid[patch->sreg - IR_SREG_NCTAID_X];
        }
        memcpy((uint8_t *)worker->entry_scalars + patch->offset, &value, sizeof value);
    }
}

static void fill_tids(struct worker *worker, const unsigned *block, unsigned warps)
{
    const unsigned threads = block[0] * block[1] * block[2];

    memset(worker->warp_lanes, 0, warps * sizeof *worker->warp_lanes);
    for (unsigned t = 0; t < warps * WARP_LANES; t++) {
        const unsigned warp = t / WARP_LANES, lane = t % WARP_LANES;
        uint32_t *rows = worker->tid_rows + (size_t)warp * 3 * WARP_LANES;

        rows[lane] = t % block[0];
        rows[WARP_LANES + lane] = t / block[0] % block[1];
        rows[2 * WARP_LANES + lane] = t / block[0] / block[1];
        if (t < threads) {
            worker->warp_lanes[warp] |= lane_bit((int)lane);
        }
    }
}

/* Thread indices of the launch's blocks, which are often those of the launch before. */
static bool fit_block(struct worker *worker)
{
    const struct machine *m = worker->machine;
    const unsigned *block = m->launch->block, warps = m->warps_per_cta;

    if (worker->tid_rows != NULL && memcmp(worker->block, block, sizeof worker->block) == 0) {
        return true;
    }
    free(worker->tid_rows);
    free(worker->warp_lanes);
    worker->tid_rows = aligned_alloc(64, (size_t)warps * 3 * WARP_LANES * sizeof(uint32_t));
    worker->warp_lanes = malloc(warps * sizeof *worker->warp_lanes);
    if (worker->tid_rows == NULL || worker->warp_lanes == NULL) {
        free(worker->tid_rows);
        worker->tid_rows = NULL;
        return false;
    }
    memcpy(worker->block, block, sizeof worker->block);
    fill_tids(worker, block, warps);
    return true;
}

/* Windows of the program's memory instructions, empty: the map is another one. */
static bool fit_windows(struct worker *worker, size_t count)
{
    if (count > worker->windows_room) {
        free(worker->windows);
        worker->windows = malloc(count * sizeof *worker->windows);
        worker->windows_room = worker->windows == NULL ? 0 : count;
    }
    if (worker->windows == NULL) {
        return false;
    }
    memset(worker->windows, 0, count * sizeof *worker->windows);
    return true;
}

static bool fit_scalars(struct worker *worker, size_t words)
{
    if (words > worker->scalars_room) {
        free(worker->entry_scalars);
        worker->entry_scalars = malloc(words * 8);
        worker->scalars_room = worker->entry_scalars == NULL ? 0 : words;
    }
    return worker->entry_scalars != NULL;
}

bool emu_worker_begin(struct worker *worker, struct machine *m, unsigned index)
{
    const struct emu_code *code = m->program->codes[m->program->entry->index];

    worker->machine = m;
    worker->index = index;
    worker->map = m->map;
    worker->launches++;
    worker->lanes = (struct lanes){.worker = worker};
    worker->random = m->launch->seed * 0x9e3779b97f4a7c15u;
    worker->batch_next = worker->batch_end = 0;
    worker->started = worker->look_at = 0;
    worker->grew = false;
    if (!fit_windows(worker, m->program->n_windows + 1u) || !fit_scalars(worker, (size_t)code->n_consts + 1) ||
        !fit_block(worker)) {
        return false;
    }
    worker->lanes.windows = worker->windows;
    patch_launch(worker);
    return true;
}

/* A slot for a further CTA: one that is not in use, else a new one.  NULL when memory is exhausted. */
struct cta *emu_worker_slot(struct worker *worker, unsigned *slot)
{
    for (*slot = 0; *slot < worker->n_slots; ++*slot) {
        if (!worker->ctas[*slot]->held) {
            return worker->ctas[*slot];
        }
    }
    if (worker->n_slots == worker->slots_room) {
        const unsigned room = worker->slots_room == 0 ? KEEP_SLOTS : worker->slots_room * 2;
        struct cta **grown = reallocarray(worker->ctas, room, sizeof *grown);

        if (grown == NULL) {
            return NULL;
        }
        worker->ctas = grown;
        worker->slots_room = room;
    }
    struct cta *cta = calloc(1, sizeof *cta);

    if (cta != NULL) {
        worker->ctas[worker->n_slots++] = cta;
        worker->grew = true;
    }
    return cta;
}

/* --- after a launch --------------------------------------------------------------------------- */
/* Frames that CTAs left behind when a launch was stopped are only counted in their splits: collect them. */
static void drop_frames(struct worker *worker)
{
    for (unsigned i = 0; i < worker->n_slots; i++) {
        struct cta *cta = worker->ctas[i];

        for (uint32_t k = 0; cta->active && k < cta->n_warps; k++) {
            struct warp *w = &cta->warps[k];

            for_each_bit (s, w->used) {
                if (w->splits[s].state != SPLIT_PARKED) {
                    emu_frame_drop(worker, w->splits[s].frame);
                }
            }
            for (uint64_t used = w->convs_used; used != 0; used &= used - 1) {
                emu_frame_drop(worker, w->convs[__builtin_ctzll(used)].frame);
            }
        }
        cta->active = cta->held = false;
    }
}

/* Large storage goes back to the host: the next launch may be of quite another kind. */
static void trim(struct worker *worker)
{
    size_t bytes = 0;
    unsigned keep = 0;

    while (keep < worker->n_slots && keep < KEEP_SLOTS &&
           (bytes += emu_cta_storage(worker->ctas[keep])) <= KEEP_BYTES) {
        keep++;
    }
    drop_slots(worker, keep);
}

static void drop_own_map(struct worker *worker)
{
    if (worker->map != worker->machine->map) {
        mem_map_done(worker->machine->launch->memory, worker->map);
        worker->map = worker->machine->map;
    }
}

void emu_worker_renew_map(struct worker *worker)
{
    const struct mem_map *now = mem_map_acquire(worker->machine->launch->memory);

    drop_own_map(worker);
    if (now == worker->machine->map) {
        mem_map_done(worker->machine->launch->memory, now);
    } else {
        worker->map = now;
    }
}

void emu_worker_end(struct worker *worker)
{
    drop_own_map(worker);
    drop_frames(worker);
    if (worker->grew) {
        trim(worker);
    }
}
