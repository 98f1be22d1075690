/*
 * A launch: CTAs handed out to host threads, residency, timeouts and totals.
 *
 * A worker keeps running the CTA it has while that makes progress, so that one CTA's data stays in the host's caches.
 * When all warps of a CTA only use up their quanta (they may wait for another CTA), it starts a further one, up to as
 * many in all as the GPU would have resident, and takes turns among them.
 *
 * The thread that launches is the first worker.  From time to time it looks at the clock: it asks the pool for help
 * when the launch is no small one, and sees to timeouts and to the caller's wish to know how far it is.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "emu/machine.h"
#include "emu/pool.h"
#include "emu/texture.h"

enum {
    BATCH = 32,
    TICK_MS = 100,
    WORKERS_MOST = 4096,
    HELP_NS = 40000,    /* launches that are over by then are done by one thread: waking another costs as much */
    SHARED_ALIGN = 128, /* of what lies behind the program's shared memory */
    LOOK_STEP = 4096,   /* effort between two looks at the clock, some 20 us */
};

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Take a unit from the counter, in batches so that host threads rarely meet. */
static bool next_unit(struct worker *worker, uint64_t *unit)
{
    struct machine *m = worker->machine;

    if (worker->batch_next == worker->batch_end) {
        uint64_t left = m->units - atomic_load_explicit(&m->next, memory_order_relaxed);
        uint64_t want = left / (m->n_workers * 8u);

        want = want < 1 ? 1 : want > BATCH ? BATCH : want;
        worker->batch_next = atomic_fetch_add_explicit(&m->next, want, memory_order_relaxed);
        if (worker->batch_next >= m->units) {
            worker->batch_next = worker->batch_end = 0;
            return false;
        }
        worker->batch_end = worker->batch_next + want > m->units ? m->units : worker->batch_next + want;
    }
    *unit = worker->batch_next++;
    return true;
}

/* May the worker have another unit in flight?  The first is its own; further ones are counted. */
static bool may_start(struct worker *worker, unsigned n_units)
{
    struct machine *m = worker->machine;

    if (n_units == 0) {
        return true;
    }
    if (atomic_load_explicit(&m->next, memory_order_relaxed) >= m->units && worker->batch_next == worker->batch_end) {
        return false;
    }
    const uint64_t before = atomic_fetch_add_explicit(&m->further, 1, memory_order_relaxed);

    if (before + atomic_load_explicit(&m->present, memory_order_relaxed) < m->resident) {
        return true;
    }
    atomic_fetch_sub_explicit(&m->further, 1, memory_order_relaxed);
    return false;
}

/* A unit of a worker that had `n_units` is over, or was not started after all. */
static void one_less(struct machine *m, unsigned n_units)
{
    if (n_units > 1) {
        atomic_fetch_sub_explicit(&m->further, 1, memory_order_relaxed);
    }
}

/* Number in the grid of the CTA that has the rank in the cluster. */
static uint64_t linear_of(const struct emu_launch *launch, uint64_t unit, uint32_t rank)
{
    const unsigned *size = launch->cluster, *grid = launch->grid;
    const uint64_t clusters[2] = {grid[0] / size[0], grid[1] / size[1]};
    const uint64_t x = unit % clusters[0] * size[0] + rank % size[0];
    const uint64_t y = unit / clusters[0] % clusters[1] * size[1] + rank / size[0] % size[1];
    const uint64_t z = unit / clusters[0] / clusters[1] * size[2] + rank / size[0] / size[1];

    return (z * grid[1] + y) * grid[0] + x;
}

static bool start_cta(struct worker *worker, struct cluster **cluster, uint64_t linear, uint32_t rank)
{
    unsigned slot;
    struct cta *cta = emu_worker_slot(worker, &slot);

    if (cta == NULL) {
        return false;
    }
    if (rank == 0) {
        *cluster = &cta->around;
        cta->around = (struct cluster){.size = worker->machine->unit_ctas};
    }
    cta->cluster = *cluster;
    cta->rank = rank;
    (*cluster)->ctas[rank] = cta;
    worker->started++;
    return emu_cta_start(worker, cta, slot, linear);
}

/* Start the next unit in free slots; false when there is none to start. */
static bool start_unit(struct worker *worker, unsigned *n_units)
{
    struct machine *m = worker->machine;
    struct cluster *cluster = NULL;
    uint64_t unit;

    if (!may_start(worker, *n_units)) {
        return false;
    }
    if (!next_unit(worker, &unit)) {
        one_less(m, *n_units + 1);
        return false;
    }
    for (uint32_t rank = 0; rank < m->unit_ctas; rank++) {
        const uint64_t linear = m->unit_ctas == 1 ? unit : linear_of(m->launch, unit, rank);

        if (!start_cta(worker, &cluster, linear, rank)) {
            emu_fault_launch(m, EMU_FAULT_NO_MEMORY, "the host's memory is exhausted at CTA %llu",
                             (unsigned long long)linear);
            return false;
        }
    }
    ++*n_units;
    return true;
}

/* The CTA's threads have all exited; true if it was the last of its cluster. */
static bool end_cta(struct machine *m, struct cta *cta)
{
    struct cluster *cluster = cta->cluster;

    cta->active = false;
    atomic_fetch_add_explicit(&m->done, 1, memory_order_relaxed);
    if (++cluster->n_done < cluster->size) {
        return false;
    }
    for (uint32_t rank = 0; rank < cluster->size; rank++) {
        cluster->ctas[rank]->held = false;
    }
    return true;
}

static void worker_loop(struct worker *worker)
{
    struct machine *m = worker->machine;
    unsigned n_units = 0, at = 0, idle_turns = 0;

    while (!atomic_load_explicit(&m->stop, memory_order_relaxed)) {
        bool progress;

        if (n_units == 0 && !start_unit(worker, &n_units)) {
            break;
        }
        while (!worker->ctas[at]->active) {
            at = (at + 1) % worker->n_slots;
        }
        struct cta *cta = worker->ctas[at];

        if (!emu_cta_run(worker, cta, &progress)) {
            break;
        }
        if (cta->n_done == cta->n_warps) {
            if (end_cta(m, cta)) {
                one_less(m, n_units--);
            }
        } else if (!progress) {
            at = (at + 1) % worker->n_slots;
            idle_turns++;
            if (m->unit_ctas == 1 || idle_turns > m->unit_ctas) {
                start_unit(worker, &n_units);
            }
            if (idle_turns > n_units * m->unit_ctas) {
                /* All of them wait, for CTAs of other workers or for other kernels: let those run. */
                idle_turns = 0;
                sched_yield();
            }
            continue;
        }
        idle_turns = 0;
    }
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

static void run_worker(struct machine *m, unsigned index)
{
    struct worker *worker = emu_pool_worker(m->pool);

    if (worker == NULL) {
        emu_fault_launch(m, EMU_FAULT_NO_MEMORY, "the host's memory is exhausted");
        return;
    }
    if (emu_worker_begin(worker, m, index)) {
        worker_loop(worker);
    } else {
        emu_fault_launch(m, EMU_FAULT_NO_MEMORY, "the host's memory is exhausted");
    }
    add_stats(m, worker);
    emu_worker_end(worker);
    emu_pool_return(m->pool, worker);
}

void emu_machine_help(struct machine *m)
{
    if (atomic_load_explicit(&m->next, memory_order_relaxed) < m->units) {
        atomic_fetch_add(&m->present, 1);
        run_worker(m, atomic_fetch_add(&m->joined, 1));
        atomic_fetch_sub(&m->present, 1);
    }
}

/* --- what the launching thread sees to ---------------------------------------------------------- */
/* One look at the caller's wishes. */
static void supervise(struct machine *m)
{
    const struct emu_launch *launch = m->launch;
    const double seconds = 1e-9 * (double)(now_ns() - m->started_ns);

    if (launch->timeout_s > 0 && seconds > launch->timeout_s) {
        emu_fault_launch(m, EMU_FAULT_TIMEOUT, "the kernel ran longer than %g s; %llu of %llu CTAs were done",
                         launch->timeout_s, (unsigned long long)atomic_load(&m->done), (unsigned long long)m->total);
    } else if (launch->progress != NULL && !launch->progress(launch->user, atomic_load(&m->done), m->total)) {
        emu_fault_launch(m, EMU_FAULT_CANCELLED, "the launch was cancelled");
    }
}

static void ask_for_help(struct machine *m)
{
    m->asked = true;
    emu_pool_ask(m->pool, m, m->n_workers - 1);
}

void emu_worker_look(struct worker *worker)
{
    struct machine *m = worker->machine;
    const uint64_t now = now_ns();

    worker->look_at = emu_worker_effort(worker) + LOOK_STEP;
    if (!m->asked && m->n_workers > 1 && now - m->started_ns > HELP_NS &&
        atomic_load_explicit(&m->next, memory_order_relaxed) < m->units) {
        ask_for_help(m);
    }
    if (now - m->watched_ns >= TICK_MS * UINT64_C(1000000)) {
        m->watched_ns = now;
        supervise(m);
    }
}

/* Will the launch take long?  Then help is worth asking for at once. */
static bool foreseen_long(const struct machine *m)
{
    const struct emu_pace *pace = m->launch->pace;
    const uint64_t cta_ns = pace == NULL ? 0 : atomic_load_explicit(&pace->cta_ns, memory_order_relaxed);

    return cta_ns != 0 && m->total > 2 * HELP_NS / cta_ns;
}

static void note_pace(const struct machine *m)
{
    const uint64_t done = atomic_load(&m->done);
    const uint64_t cta_ns = done == 0 ? 0 : m->stats.wall_ns * atomic_load(&m->joined) / done;

    if (m->launch->pace != NULL && cta_ns != 0) {
        atomic_store_explicit(&m->launch->pace->cta_ns, cta_ns > UINT32_MAX ? UINT32_MAX : (uint32_t)cta_ns,
                              memory_order_relaxed);
    }
}

/* Units that may be in flight: those that the GPU would have resident. */
static uint64_t resident_units(const struct machine *m)
{
    const struct emu_launch *launch = m->launch;
    struct emu_occupancy occupancy;

    if (m->units == 1) {
        return 1;
    }
    emu_occupancy(launch->spec, m->threads_per_cta, launch->registers, m->shared_bytes, &occupancy);
    return (uint64_t)(occupancy.ctas_per_sm == 0 ? 1 : occupancy.ctas_per_sm) * launch->spec->sm_count / m->unit_ctas;
}

static void run_machine(struct machine *m)
{
    if (m->n_workers > 1 && foreseen_long(m)) {
        ask_for_help(m);
    }
    run_worker(m, 0);
    atomic_fetch_sub(&m->present, 1);
    if (m->asked) {
        emu_pool_settle(m->pool, m, TICK_MS, supervise);
    }
}

static enum emu_result result_of(const struct emu_fault *fault)
{
    if (fault->kind == EMU_FAULT_NONE) {
        return EMU_DONE;
    }
    return fault->kind == EMU_FAULT_NO_MEMORY ? EMU_OUT_OF_MEMORY : EMU_FAULTED;
}

static enum emu_result run_in(struct emu_pool *pool, const struct emu_launch *launch, struct emu_stats *stats,
                              struct emu_fault *fault)
{
    const struct emu_program *p = launch->program;
    struct machine m = {.launch = launch, .program = p, .pool = pool, .fault = fault, .joined = 1, .present = 1};

    fault->kind = EMU_FAULT_NONE;
    m.total = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    m.unit_ctas = launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
    m.units = m.total / m.unit_ctas;
    m.threads_per_cta = launch->block[0] * launch->block[1] * launch->block[2];
    m.warps_per_cta = (m.threads_per_cta + WARP_LANES - 1) / WARP_LANES;
    m.shared_bytes =
        launch->dynamic_shared != 0 ? p->entry->dynamic_shared_at + launch->dynamic_shared : p->entry->shared_bytes;
    m.reserved_at = (m.shared_bytes + SHARED_ALIGN - 1) / SHARED_ALIGN * SHARED_ALIGN;
    m.cta_shared = p->uses_reserved_shared ? m.reserved_at + launch->spec->shared_reserved_per_cta : m.shared_bytes;
    m.n_workers = launch->host_threads > WORKERS_MOST ? WORKERS_MOST : launch->host_threads;
    m.n_workers = m.n_workers > m.units ? (unsigned)m.units : m.n_workers;
    m.resident = resident_units(&m);
    m.map = mem_map_acquire(launch->memory);
    m.started_ns = m.watched_ns = now_ns();
    if (launch->bindings != NULL) {
        emu_bindings_enter(launch->bindings);
    }
    pthread_mutex_init(&m.lock, NULL);
    run_machine(&m);
    pthread_mutex_destroy(&m.lock);
    mem_map_done(launch->memory, m.map);
    m.stats.wall_ns = now_ns() - m.started_ns;
    if (launch->bindings != NULL) {
        emu_bindings_leave(launch->bindings);
    }
    m.stats.ctas = atomic_load(&m.done);
    m.stats.warps = m.stats.ctas * m.warps_per_cta;
    m.stats.threads = m.stats.ctas * m.threads_per_cta;
    note_pace(&m);
    *stats = m.stats;
    return result_of(fault);
}

enum emu_result emu_run(const struct emu_launch *launch, struct emu_stats *stats, struct emu_fault *fault)
{
    if (launch->pool != NULL) {
        return run_in(launch->pool, launch, stats, fault);
    }
    struct emu_pool *pool = emu_pool_new();

    if (pool == NULL) {
        *fault = (struct emu_fault){.kind = EMU_FAULT_NO_MEMORY, .message = "the host's memory is exhausted"};
        return EMU_OUT_OF_MEMORY;
    }
    const enum emu_result result = run_in(pool, launch, stats, fault);

    emu_pool_free(pool);
    return result;
}
