/*
 * A launch: CTAs handed out to host threads, residency, timeouts and totals.
 *
 * A worker keeps running the CTA it has while that makes progress, so that one CTA's data stays in the host's caches.
 * When all warps of a CTA only use up their quanta (they may wait for another CTA), it starts a further one, up to as
 * many as the GPU would have resident on the worker's SMs, and takes turns among them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "emu/machine.h"

enum { BATCH = 32, TICK_MS = 100, WORKERS_MOST = 4096 };

/* Take a CTA from the counter, in batches so that host threads rarely meet. */
static bool next_cta(struct worker *worker, uint64_t *linear)
{
    struct machine *m = worker->machine;

    if (worker->batch_next == worker->batch_end) {
        uint64_t left = m->total - atomic_load_explicit(&m->next, memory_order_relaxed);
        uint64_t want = left / (m->n_workers * 8u);

        want = want < 1 ? 1 : want > BATCH ? BATCH : want;
        worker->batch_next = atomic_fetch_add_explicit(&m->next, want, memory_order_relaxed);
        if (worker->batch_next >= m->total) {
            worker->batch_next = worker->batch_end = 0;
            return false;
        }
        worker->batch_end = worker->batch_next + want > m->total ? m->total : worker->batch_next + want;
    }
    *linear = worker->batch_next++;
    return true;
}

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

static void fill_tids(struct worker *worker)
{
    const struct machine *m = worker->machine;
    const unsigned *block = m->launch->block;

    for (unsigned t = 0; t < m->warps_per_cta * WARP_LANES; t++) {
        const unsigned warp = t / WARP_LANES, lane = t % WARP_LANES;
        uint32_t *rows = worker->tid_rows + (size_t)warp * 3 * WARP_LANES;

        rows[lane] = t % block[0];
        rows[WARP_LANES + lane] = t / block[0] % block[1];
        rows[2 * WARP_LANES + lane] = t / block[0] / block[1];
        if (t < m->threads_per_cta) {
            worker->warp_lanes[warp] |= lane_bit((int)lane);
        }
    }
}

static bool worker_init(struct worker *worker, struct machine *m, unsigned index)
{
    const struct emu_code *code = m->program->codes[m->program->entry->index];

    worker->machine = m;
    worker->index = index;
    worker->lanes.worker = worker;
    worker->random = m->launch->seed * 0x9e3779b97f4a7c15u;
    worker->windows = calloc(m->program->n_windows + 1u, sizeof *worker->windows);
    worker->ctas = calloc(m->resident, sizeof *worker->ctas);
    worker->tid_rows = aligned_alloc(64, (size_t)m->warps_per_cta * 3 * WARP_LANES * sizeof(uint32_t));
    worker->warp_lanes = calloc(m->warps_per_cta, sizeof *worker->warp_lanes);
    worker->entry_scalars = calloc((size_t)code->n_consts + 1, 8);
    if (worker->windows == NULL || worker->ctas == NULL || worker->tid_rows == NULL || worker->warp_lanes == NULL ||
        worker->entry_scalars == NULL) {
        return false;
    }
    worker->lanes.windows = worker->windows;
    patch_launch(worker);
    fill_tids(worker);
    return true;
}

static void worker_release(struct worker *worker)
{
    for (unsigned i = 0; i < worker->n_slots; i++) {
        emu_cta_release(&worker->ctas[i]);
    }
    for (struct frame *f = worker->free_frames; f != NULL;) {
        struct frame *next = f->caller;

        free(f);
        f = next;
    }
    free(worker->windows);
    free(worker->ctas);
    free(worker->tid_rows);
    free(worker->warp_lanes);
    free(worker->entry_scalars);
}

/* Frames that CTAs left behind when a launch was stopped are only counted in their splits: collect them. */
static void drop_frames(struct worker *worker)
{
    for (unsigned i = 0; i < worker->n_slots; i++) {
        struct cta *cta = &worker->ctas[i];

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
    }
}

/* Start the next CTA in a free slot; false when there is none to start. */
static bool start_cta(struct worker *worker, unsigned *n_active)
{
    uint64_t linear;
    unsigned slot = 0;

    if (*n_active == worker->machine->resident || !next_cta(worker, &linear)) {
        return false;
    }
    while (slot < worker->n_slots && worker->ctas[slot].active) {
        slot++;
    }
    worker->n_slots = slot == worker->n_slots ? slot + 1 : worker->n_slots;
    if (!emu_cta_start(worker, &worker->ctas[slot], linear)) {
        worker->ctas[slot].active = false;
        emu_fault_launch(worker->machine, EMU_FAULT_NO_MEMORY, "the host's memory is exhausted at CTA %llu",
                         (unsigned long long)linear);
        return false;
    }
    ++*n_active;
    return true;
}

static void worker_loop(struct worker *worker)
{
    struct machine *m = worker->machine;
    unsigned n_active = 0, at = 0;

    while (!atomic_load_explicit(&m->stop, memory_order_relaxed)) {
        bool progress;

        if (n_active == 0 && !start_cta(worker, &n_active)) {
            break;
        }
        while (!worker->ctas[at].active) {
            at = (at + 1) % worker->n_slots;
        }
        struct cta *cta = &worker->ctas[at];

        if (!emu_cta_run(worker, cta, &progress)) {
            break;
        }
        if (cta->n_done == cta->n_warps) {
            cta->active = false;
            n_active--;
            atomic_fetch_add_explicit(&m->done, 1, memory_order_relaxed);
        } else if (!progress) {
            start_cta(worker, &n_active);
            at = (at + 1) % worker->n_slots;
        }
    }
    drop_frames(worker);
}

static void add_stats(struct machine *m, const struct worker *worker)
{
    pthread_mutex_lock(&m->lock);
    m->stats.thread_insts += worker->lanes.thread_insts;
    m->stats.warp_insts += worker->lanes.warp_insts;
    m->stats.divergent += worker->lanes.divergent;
    m->stats.barriers += worker->lanes.barrier_arrivals;
    pthread_mutex_unlock(&m->lock);
}

struct start {
    struct machine *machine;
    unsigned index;
    _Atomic unsigned *running;
    pthread_cond_t *ended;
};

static void run_worker(struct machine *m, unsigned index)
{
    struct worker *worker = aligned_alloc(64, (sizeof *worker + 63) / 64 * 64);

    if (worker == NULL) {
        emu_fault_launch(m, EMU_FAULT_NO_MEMORY, "the host's memory is exhausted");
        return;
    }
    memset(worker, 0, sizeof *worker);
    if (worker_init(worker, m, index)) {
        worker_loop(worker);
    } else {
        emu_fault_launch(m, EMU_FAULT_NO_MEMORY, "the host's memory is exhausted");
    }
    add_stats(m, worker);
    worker_release(worker);
    free(worker);
}

static void *worker_main(void *argument)
{
    struct start *start = argument;
    struct machine *m = start->machine;

    run_worker(m, start->index);
    pthread_mutex_lock(&m->lock);
    atomic_fetch_sub(start->running, 1);
    pthread_cond_signal(start->ended);
    pthread_mutex_unlock(&m->lock);
    return NULL;
}

static double seconds_since(const struct timespec *then)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

/* One look at the clock and the caller's wishes. */
static void supervise(struct machine *m)
{
    const struct emu_launch *launch = m->launch;

    if (launch->timeout_s > 0 && seconds_since(&m->started) > launch->timeout_s) {
        emu_fault_launch(m, EMU_FAULT_TIMEOUT, "the kernel ran longer than %g s; %llu of %llu CTAs were done",
                         launch->timeout_s, (unsigned long long)atomic_load(&m->done), (unsigned long long)m->total);
    } else if (launch->progress != NULL && !launch->progress(launch->user, atomic_load(&m->done), m->total)) {
        emu_fault_launch(m, EMU_FAULT_CANCELLED, "the launch was cancelled");
    }
}

/* Start workers as threads and watch them. */
static void run_threads(struct machine *m)
{
    pthread_t *threads = calloc(m->n_workers, sizeof *threads);
    struct start *starts = calloc(m->n_workers, sizeof *starts);
    _Atomic unsigned running = 0;
    unsigned started = 0;
    pthread_condattr_t attr;
    pthread_cond_t ended;

    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&ended, &attr);
    for (unsigned i = 0; threads != NULL && starts != NULL && i < m->n_workers; i++) {
        starts[i] = (struct start){m, i, &running, &ended};
        atomic_fetch_add(&running, 1);
        if (pthread_create(&threads[i], NULL, worker_main, &starts[i]) != 0) {
            atomic_fetch_sub(&running, 1);
            break;
        }
        started++;
    }
    if (started == 0) {
        /* No thread to be had: this one does the work. */
        run_worker(m, 0);
    }
    pthread_mutex_lock(&m->lock);
    while (atomic_load(&running) != 0) {
        struct timespec until;

        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += TICK_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        if (pthread_cond_timedwait(&ended, &m->lock, &until) == ETIMEDOUT) {
            pthread_mutex_unlock(&m->lock);
            supervise(m);
            pthread_mutex_lock(&m->lock);
        }
    }
    pthread_mutex_unlock(&m->lock);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_cond_destroy(&ended);
    pthread_condattr_destroy(&attr);
    free(threads);
    free(starts);
}

static unsigned resident_ctas(const struct emu_launch *launch, const struct machine *m)
{
    struct emu_occupancy occupancy;
    uint64_t all;

    emu_occupancy(launch->spec, m->threads_per_cta, launch->registers, m->shared_bytes, &occupancy);
    all = (uint64_t)(occupancy.ctas_per_sm == 0 ? 1 : occupancy.ctas_per_sm) * launch->spec->sm_count;
    all = all > m->total ? m->total : all;
    all = (all + m->n_workers - 1) / m->n_workers;
    return all < 1 ? 1 : (unsigned)all;
}

enum emu_result emu_run(const struct emu_launch *launch, struct emu_stats *stats, struct emu_fault *fault)
{
    const struct emu_program *p = launch->program;
    struct machine m = {.launch = launch, .program = p};

    m.total = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    m.threads_per_cta = launch->block[0] * launch->block[1] * launch->block[2];
    m.warps_per_cta = (m.threads_per_cta + WARP_LANES - 1) / WARP_LANES;
    m.shared_bytes =
        launch->dynamic_shared != 0 ? p->entry->dynamic_shared_at + launch->dynamic_shared : p->entry->shared_bytes;
    m.n_workers = launch->host_threads > WORKERS_MOST ? WORKERS_MOST : launch->host_threads;
    m.n_workers = m.n_workers > m.total ? (unsigned)m.total : m.n_workers;
    m.resident = resident_ctas(launch, &m);
    m.map = mem_map_acquire(launch->memory);
    clock_gettime(CLOCK_MONOTONIC, &m.started);
    pthread_mutex_init(&m.lock, NULL);
    if (m.n_workers == 1 && launch->timeout_s <= 0 && launch->progress == NULL) {
        run_worker(&m, 0);
    } else {
        run_threads(&m);
    }
    pthread_mutex_destroy(&m.lock);
    mem_map_done(launch->memory, m.map);
    m.stats.ctas = atomic_load(&m.done);
    m.stats.warps = m.stats.ctas * m.warps_per_cta;
    m.stats.threads = m.stats.ctas * m.threads_per_cta;
    *stats = m.stats;
    if (m.fault.kind == EMU_FAULT_NONE) {
        return EMU_DONE;
    }
    *fault = m.fault;
    return m.fault.kind == EMU_FAULT_NO_MEMORY ? EMU_OUT_OF_MEMORY : EMU_FAULTED;
}
