/*
 * The state of running warps: rows, splits, convergence barriers, call frames, CTAs and their barriers.
 *
 * A warp holds a list of splits.  A split is a set of lanes that execute together: a mask, a program counter, a chain
 * of call frames and scalars of its own.  Every live lane is in exactly one split or is parked at one convergence
 * barrier.
 *
 * Memory of a warp (one block, 64-byte aligned):
 *
 *     rows:    frame 0 | frame 1 | ...      a frame: rows of 32 lanes, then the lane masks of varying predicates
 *     scalars: 32 stacks, one per split     a frame: constants first, then uniform registers, 8 bytes each
 *     local:   interleaved by lane          byte b of lane l lies at (b / 4) * 128 + l * 4 + b % 4
 */
#ifndef EMU_WARP_H
#define EMU_WARP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/bulk.h"
#include "emu/copies.h"
#include "emu/simd.h"

struct uop;
struct emu_code;
struct cta;
struct worker;

enum { MAX_SPLITS = WARP_LANES, MAX_CONV = 2 * WARP_LANES, CTA_BARRIERS = 16, MAX_CLUSTER = 16 };
/* Barriers of a CTA: those that programs number, and the one of its cluster. */
enum { CLUSTER_BARRIER = CTA_BARRIERS, ALL_BARRIERS };

/* A convergence barrier: where the lanes that parted at one branch meet again (BSSY and BSYNC of the hardware). */
struct conv {
    struct conv *parent;      /* barrier the members belonged to when they parted */
    const struct uop *reconv; /* where they meet */
    struct frame *frame;      /* activation in which they parted; counted */
    lane_mask members;        /* lanes expected */
    lane_mask arrived;        /* lanes parked here */
    uint32_t split_slot;      /* while lanes are parked: the slot that keeps their scalars */
};

/* One activation of a function: immutable once made, shared by the splits that forked inside it. */
struct frame {
    struct frame *caller; /* NULL for the kernel itself */
    const struct emu_code *code;
    const struct uop *call; /* the call in the caller: results and return address */
    uint32_t rows;          /* byte offset of the frame's rows in the warp's rows */
    uint32_t scalars;       /* byte offset of its scalars in a split's stack */
    uint32_t local;         /* byte offset of its local memory (per lane) */
    uint32_t depth;
    uint32_t level;        /* activations of recursive functions among it and its callers */
    uint32_t uses;         /* references from splits, frames and convergence barriers */
    uint32_t caller_stack; /* the caller's alloca'd bytes at the call */
};

enum split_state {
    SPLIT_FREE,
    SPLIT_READY,
    SPLIT_AT_SYNC,     /* waits for other lanes of the warp: sync_mask */
    SPLIT_AT_BARRIER,  /* waits at CTA barrier `barrier` */
    SPLIT_AT_MBARRIER, /* waits for a phase of an mbarrier to be over: wait_at, wait_odd */
    SPLIT_PARKED,      /* no split: its scalar stack belongs to a convergence barrier */
};

struct split {
    uint8_t state;   /* enum split_state */
    uint8_t barrier; /* CTA barrier waited at */
    bool synced;     /* the lanes waited for have come: the instruction at pc may go on */
    bool expired;    /* has waited long enough at an mbarrier: goes on without */
    lane_mask mask;
    uint32_t wait_at;    /* mbarrier waited at (of the first lane): offset in shared memory */
    uint32_t wait_round; /* the CTA's round when the wait began */
    lane_mask sync_mask; /* lanes that must come before a *.sync instruction may go on */
    const struct uop *pc;
    struct frame *frame;
    struct conv *conv;    /* innermost convergence barrier it will arrive at, or NULL */
    uint8_t *scalars;     /* base of its scalar stack */
    uint32_t stack_bytes; /* alloca'd bytes above the local memory of its innermost activation */
    uint64_t since;       /* when it last became ready, for fair picking */
};

struct warp {
    struct cta *cta;
    uint32_t index;    /* in the CTA */
    lane_mask alive;   /* lanes that exist and have not exited */
    uint32_t n_splits; /* in use, parked slots included */
    uint32_t used;     /* bit per entry of splits that is in use; the state of others means nothing */
    struct split splits[MAX_SPLITS];
    struct conv convs[MAX_CONV];
    uint64_t convs_used; /* bit per entry of convs */
    uint8_t *rows;       /* rows_bytes, 64-byte aligned */
    uint8_t *scalars;    /* MAX_SPLITS stacks of scalars_bytes */
    uint8_t *local;      /* local_bytes per lane, times 32 */
    uint32_t rows_bytes, scalars_bytes, local_bytes;
    uint32_t local_room; /* bytes that `local` has, for all lanes */
    struct emu_copies copies;
    uint32_t bulk_commits[WARP_LANES]; /* wraps around: only differences mean something */
    struct frame entry;                /* the kernel's own activation */
    uint64_t ticks;                    /* quanta run, the clock of `since` */
    uint32_t quantum;                  /* instructions before others get their turn; shrinks while lanes spin */
    bool released; /* by a barrier of the CTA since its last turn: the next one ends where it changes memory */
    bool done;
};

/* A barrier of a CTA (bar.sync a): see barrier.c. */
struct cta_barrier {
    lane_mask *arrived; /* per warp: lanes that arrived */
    uint32_t expected;  /* threads, 0 for all that live */
    uint32_t whole;     /* warps that came with all their live lanes at once */
    bool partial;       /* some warp came in parts: `whole` says too little */
    bool in_use;
    uint32_t ones;    /* reductions: threads whose predicate was true */
    uint32_t threads; /* reductions: threads that brought a predicate */
};

/* What a CTA keeps to tell threads that wait at mbarriers for a while from those that wait for ever: see stall.c. */
struct cta_waits {
    uint32_t waiting;    /* splits at mbarriers */
    uint32_t round;      /* counts the turns of the CTA */
    uint32_t stalls;     /* times that no thread could go on, since a thread was last released */
    bool audited;        /* instructions are looked at: see outside */
    bool outside;        /* while audited, something was read that other CTAs or the clock may change */
    uint32_t audit_ends; /* round at which looking is given up */
    uint64_t state;      /* hash of the CTA's state at the stall where the audit began */
};

/* CTAs that are started and run together: see cluster.h. */
struct cluster {
    struct cta *ctas[MAX_CLUSTER]; /* by rank */
    uint32_t size;
    uint32_t n_done; /* CTAs that have ended */
};

struct cta {
    uint32_t id[3];
    uint64_t linear;
    uint32_t n_warps, n_done; /* n_done: warps all of whose lanes have exited */
    uint32_t barriers_used;   /* bit per barrier in use */
    uint8_t *mbarriers;       /* bit per 8 bytes of shared memory: an mbarrier is there; NULL before the first */
    struct cta_waits waits;
    struct emu_bulks bulks; /* under way */
    struct warp *warps;
    uint8_t *shared;
    uint64_t shared_bytes;
    struct cta_barrier barriers[ALL_BARRIERS];
    lane_mask *barrier_lanes; /* storage of arrived */
    struct worker *worker;
    uint64_t launch;     /* of the worker's launches, the one that its storage fits */
    uint32_t warps_room; /* warps that it has storage for */
    uint64_t shared_room;
    uint32_t sm; /* what %smid says */
    struct cluster *cluster;
    uint32_t rank;         /* in its cluster */
    struct cluster around; /* the cluster, if this is its first CTA */
    bool active;           /* has threads */
    bool held;             /* its cluster has threads: the storage stays */
    uint64_t slice_end;    /* worker's instruction count at which other CTAs get their turn */
};

/* Why a handler chain ended. */
enum stop {
    STOP_NONE,
    STOP_FUEL,    /* quantum used up; pc saved */
    STOP_RESUME,  /* the same split goes on with another mask or frame */
    STOP_GONE,    /* the split ended, parked or was split: pick another */
    STOP_BLOCKED, /* the split waits */
    STOP_HELD,    /* about to change memory, as the first since a barrier; pc saved */
    STOP_FAULT,   /* a fault is noted in the worker */
};

/* Bounds of the allocation that an instruction touched last. */
struct mem_window {
    uint64_t base;
    uint64_t size; /* 0: nothing yet */
};

/*
 * The last strong load or atomic operation, to recognise lanes that do nothing but look at one place over and over:
 * they wait for somebody, and their turn ends.
 */
struct poll {
    const struct uop *uop;
    uint64_t address, value;
    int64_t fuel;   /* left at that time: says how far apart two looks are */
    uint32_t count; /* looks in a row that saw the same */
    bool idle;      /* there were too many since the split's turn began */
};

/* What handlers see of the split that is executing. */
struct lanes {
    uint8_t *rows;    /* of the current frame */
    uint8_t *scalars; /* of the current frame */
    lane_mask mask;   /* active lanes */
    enum stop stop;
    uint8_t *shared;
    uint64_t shared_bytes;
    struct mem_window *windows; /* one per memory instruction of the kernel */
    int64_t fuel;
    bool hold; /* stop before memory is changed */
    uint64_t thread_insts, warp_insts;
    uint64_t divergent, barrier_arrivals;
    struct poll poll;
    uint32_t lane_count; /* of mask */
    struct split *split;
    struct warp *warp;
    struct cta *cta;
    struct worker *worker;
    const uint32_t *tid[3]; /* rows of the warp's thread indices */
};

#endif
