/*
 * The engine's outward face: run one decoded kernel on the SMs of a GPU.  Knows no API of CUDA and no PTX text.
 */
#ifndef EMU_EMU_H
#define EMU_EMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdatomic.h>
#include <stdint.h>

#include "emu/code.h"
#include "emu/spec.h"
#include "memsys/memory.h"

/* Bytes of rows that one warp's activations may take: 32 lanes' registers. */
enum { EMU_ROW_LIMIT = 8 << 20 };

/* Bytes that the arguments of a function of the host may have, each rounded up to 16; and its result. */
enum { EMU_HOST_BYTES = 4096 };

enum emu_policy { EMU_CONVERGE, EMU_MINPC, EMU_SERIAL, EMU_RANDOM };

enum emu_fault_kind {
    EMU_FAULT_NONE,
    EMU_FAULT_OUT_OF_BOUNDS,
    EMU_FAULT_MISALIGNED,
    EMU_FAULT_NULL,
    EMU_FAULT_READ_ONLY,
    EMU_FAULT_TRAP,
    EMU_FAULT_ASSERT,
    EMU_FAULT_DEADLOCK,
    EMU_FAULT_TIMEOUT,
    EMU_FAULT_CANCELLED,
    EMU_FAULT_STACK_OVERFLOW,
    EMU_FAULT_BAD_CALL,
    EMU_FAULT_BAD_BARRIER,
    EMU_FAULT_ILLEGAL_INSTRUCTION,
    EMU_FAULT_BAD_HANDLE, /* of a texture, sampler or surface */
    EMU_FAULT_NO_MEMORY,  /* the host's memory is exhausted */
};

/* What stopped a launch.  Of several faults the one of the lowest CTA that noticed is kept. */
struct emu_fault {
    enum emu_fault_kind kind;
    uint64_t cta_linear;
    unsigned cta[3], thread[3];
    unsigned warp, lane;
    struct ir_line line; /* where; line.line == 0: unknown */
    const char *text;    /* file of the PTX text that has the line; NULL: unknown */
    const char *source_file;
    uint64_t address, bytes;
    char message[2048];
};

struct emu_stats {
    uint64_t thread_insts, warp_insts, divergent, barriers;
    uint64_t ctas, warps, threads;
    uint64_t wall_ns;
};

struct emu_heap;
struct emu_children;
struct emu_bindings;
struct emu_pool;

/* What is known of a kernel from its launches; all zero at first.  Shared by launches at the same time. */
struct emu_pace {
    _Atomic uint32_t cta_ns; /* time that a CTA takes, 0: not known */
};

/* An assertion of a kernel that failed in one thread. */
struct emu_assertion {
    const char *expression, *file, *function;
    unsigned line;
    unsigned cta[3], thread[3];
};

struct emu_launch {
    const struct emu_program *program;
    const struct emu_spec *spec;
    struct mem_device *memory;
    struct emu_heap *heap;         /* for malloc and free in kernels; may be NULL: they return 0 */
    struct emu_children *children; /* where launches by the kernel go (children.h); may be NULL: they fail */
    struct emu_bindings *bindings; /* textures and surfaces (texture.h); may be NULL: there are none */
    unsigned grid[3], block[3];
    unsigned cluster[3];     /* CTAs of a cluster, at least 1 each; they divide the grid's */
    bool explicit_cluster;   /* the launch or the kernel says so */
    uint64_t dynamic_shared; /* bytes */
    uint64_t grid_workspace; /* address of what cooperative groups synchronise a grid with; 0: not cooperative */
    const uint8_t *params;   /* program->entry->param_bytes bytes */
    unsigned registers;      /* per thread, for occupancy */
    unsigned host_threads;   /* at most, at least 1 */
    struct emu_pool *pool;   /* where further host threads come from; NULL: they are made for this launch */
    struct emu_pace *pace;   /* may be NULL */
    enum emu_policy policy;
    uint64_t seed;
    double timeout_s;                                            /* 0: none */
    bool (*progress)(void *user, uint64_t done, uint64_t total); /* called by the launching thread; false cancels */
    void (*print)(void *user, const char *text, size_t length); /* printf output; never called by two threads at once */
    /* Told of each thread whose assertion fails, before the launch stops; called as `print` is; may be NULL. */
    void (*assertion)(void *user, const struct emu_assertion *assertion);
    void *user;
    /*
     * Calls one of the host's functions (struct ir_func's host_function) for one thread of the grid: where the
     * arguments are, in order, and where the result goes, at 16-byte alignment, zero, with at least EMU_HOST_BYTES of
     * room.  Called by all host threads of the launch; may be NULL if the program calls no such function.
     */
    void (*host_call)(void *host, uint32_t function, void **arguments, void *result);
    void *host;
};

enum emu_result { EMU_DONE, EMU_FAULTED, EMU_OUT_OF_MEMORY };

/*
 * Run a launch to its end on this thread and, if it takes long enough, up to host_threads - 1 others.  The launch must
 * be valid for the GPU (sizes, shared memory); the caller has checked it.  `fault` is set when EMU_FAULTED is returned.
 */
enum emu_result emu_run(const struct emu_launch *launch, struct emu_stats *stats, struct emu_fault *fault);

/* Host threads and storage for launches, shared by launches at the same time; threads are made when first needed. */
struct emu_pool *emu_pool_new(void);
/* No launch may be using it. */
void emu_pool_free(struct emu_pool *pool);

const char *emu_fault_name(enum emu_fault_kind kind);

/* The device heap: malloc and free of kernels. */
struct emu_heap *emu_heap_new(uint64_t base, uint64_t bytes);
void emu_heap_free(struct emu_heap *h);
/* `bytes` of the heap aligned to 16, 0 when there is no room. */
uint64_t emu_heap_take(struct emu_heap *h, uint64_t bytes);
/* False when `address` was not taken. */
bool emu_heap_give(struct emu_heap *h, uint64_t address);

#endif
