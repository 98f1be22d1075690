/*
 * A launch in flight: what its host threads share, and what each of them owns.  Private to emu/.
 *
 * Ownership: a worker (host thread) owns its CTAs, their warps, shared and local memory; nobody else touches them.
 * Workers share the counter of CTAs to hand out, the fault record (under the lock) and the stop flag.
 */
#ifndef EMU_MACHINE_H
#define EMU_MACHINE_H

#include <pthread.h>
#include <stdatomic.h>

#include "emu/emu.h"
#include "emu/split.h"
#include "emu/warp.h"

struct machine {
    const struct emu_launch *launch;
    const struct emu_program *program;
    const struct mem_map *map;
    uint64_t total;        /* CTAs */
    uint64_t units;        /* what is handed out to workers: clusters, most of one CTA */
    uint32_t unit_ctas;    /* CTAs of each */
    _Atomic uint64_t next; /* first unit not handed out */
    _Atomic uint64_t done;
    _Atomic bool stop;       /* set at a fault, timeout or cancellation */
    pthread_mutex_t lock;    /* fault, print, totals */
    struct emu_fault *fault; /* the caller's */
    struct emu_stats stats;
    unsigned threads_per_cta, warps_per_cta;
    uint64_t shared_bytes;    /* static and dynamic */
    uint64_t reserved_at;     /* offset of the shared memory that is reserved for the system, behind the program's */
    uint64_t cta_shared;      /* shared memory that a CTA can reach: the reserved part only if the kernel asks for it */
    uint64_t resident;        /* units in flight at most, if each worker has more than one */
    _Atomic uint64_t further; /* units in flight besides one for each worker */
    unsigned n_workers;       /* host threads at most */
    _Atomic unsigned joined;  /* workers that have come, the launching thread's included */
    _Atomic unsigned present; /* of those, the ones that have not left */
    struct emu_pool *pool;
    uint64_t started_ns; /* on CLOCK_MONOTONIC */
    uint64_t watched_ns; /* when the clock and the caller's wishes were looked at last */
    bool asked;          /* for help */
    /* Under the pool's lock, once asked: */
    struct machine *next_wanting;
    unsigned helpers_wanted, helpers;
    pthread_cond_t helpers_left;
};

struct worker {
    struct machine *machine;
    unsigned index; /* 0: the launching thread's */
    struct worker *next_idle;
    struct lanes lanes;
    const struct mem_map *map; /* the machine's, or a newer one of its own */
    struct mem_window *windows;
    struct cta **ctas; /* n_slots of them, in use or not */
    unsigned n_slots, slots_room;
    size_t windows_room, scalars_room;
    uint64_t launches; /* that it took part in */
    bool grew;         /* storage was made in this launch */
    unsigned block[3]; /* what tid_rows and warp_lanes are for */
    struct frame *free_frames;
    uint32_t *tid_rows;             /* per warp of a CTA: 3 rows of 32 thread indices */
    lane_mask *warp_lanes;          /* per warp of a CTA: lanes that exist */
    uint64_t *entry_scalars;        /* the entry's scalar frame, patched with parameters */
    uint64_t batch_next, batch_end; /* units taken from the counter, not started */
    uint64_t random;                /* state of the random policy */
    uint64_t started;               /* CTAs */
    uint64_t look_at;               /* launching thread: effort at which it looks at the clock again */
};

/* What a worker has done in this launch, roughly in instructions. */
static inline uint64_t emu_worker_effort(const struct worker *worker)
{
    return worker->lanes.warp_insts + worker->started * 64;
}

/* worker.c */
struct worker *emu_worker_new(void);
void emu_worker_free(struct worker *worker);
/* Fit the worker to a launch; false when memory is exhausted. */
bool emu_worker_begin(struct worker *worker, struct machine *m, unsigned index);
/* A slot for a further CTA and its number; NULL when memory is exhausted. */
struct cta *emu_worker_slot(struct worker *worker, unsigned *slot);
void emu_worker_end(struct worker *worker);
/* Look at what is allocated now. */
void emu_worker_renew_map(struct worker *worker);

/* grid.c */
/* Take part in a launch as a further worker until no CTA is left to start. */
void emu_machine_help(struct machine *m);
/* The launching thread looks at the clock and at what its caller wants: see grid.c. */
void emu_worker_look(struct worker *worker);

/* run.c */
/* Give the warp its turn: until its splits block, end, or use up the quantum.  False after a fault. */
bool emu_warp_run(struct worker *worker, struct warp *w);

/* cta.c */
bool emu_cta_start(struct worker *worker, struct cta *cta, unsigned slot, uint64_t linear);
/* Run every warp of the CTA once; false after a fault.  `*progress`: some warp did something but use up its quantum. */
bool emu_cta_run(struct worker *worker, struct cta *cta, bool *progress);
void emu_cta_release(struct cta *cta);
/* Bytes of storage it has, roughly. */
size_t emu_cta_storage(const struct cta *cta);

/* fault.c */
struct emu_range {
    uint64_t address, bytes;
};
#define EMU_NO_RANGE ((struct emu_range){0, 0})
/* Note a fault of one lane at the memory `at`, in words; the place in the program is added.  Sets x->stop. */
__attribute__((format(printf, 6, 7))) void emu_fault_note(struct lanes *x, const struct uop *u, int lane,
                                                          enum emu_fault_kind kind, struct emu_range at,
                                                          const char *format, ...);
/* A fault that no thread caused. */
__attribute__((format(printf, 3, 4))) void emu_fault_launch(struct machine *m, enum emu_fault_kind kind,
                                                            const char *format, ...);
void emu_fault_access(struct lanes *x, const struct uop *u, int lane, unsigned space, uint64_t address, unsigned size,
                      bool write);
/* All threads of the CTA are blocked: say who waits for what. */
void emu_fault_deadlock(struct worker *worker, struct cta *cta);

/* host.c: functions that the host has. */
/* Whether the arguments and the result of a call fit. */
bool emu_host_fits(const struct emu_site *site);
/* Call function number `function` for each active lane. */
void emu_host_call(struct lanes *x, const struct uop *u, uint32_t function);

/* Local memory of one lane, word by word; the range must lie inside the warp's local memory. */
void emu_local_read(const struct warp *w, int lane, uint64_t address, void *out, size_t size);
void emu_local_write(struct warp *w, int lane, uint64_t address, const void *value, size_t size);

/* Make room for `rows` bytes of rows, `scalars` bytes per stack and `local` bytes per lane; false when a limit is
 * reached. */
bool emu_warp_reserve(struct worker *worker, struct warp *w, uint64_t rows, uint64_t scalars, uint64_t local);

#endif
