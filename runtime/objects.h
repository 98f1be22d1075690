/*
 * The objects behind the public API.  Private to runtime/.
 *
 * Ownership: a device owns its memory, its modules and what its last public call said; a module owns the IR, the
 * addresses of its variables and its kernels; a kernel owns the code decoded for it.
 *
 * Threads: rt_load, rt_link, rt_launch, rt_decode and ptxemu_module_unload may be called by any number of threads for
 * one device.  What they find out goes to the caller's own struct; of the device they only change what a lock guards.
 * The public calls of ptxemu.h add the device's "last" error, diagnostics, statistics and fault, and are for one thread
 * at a time.  A module must not be unloaded while a kernel of it runs.
 */
#ifndef RUNTIME_OBJECTS_H
#define RUNTIME_OBJECTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "emu/emu.h"
#include "ir/ir.h"
#include "ptxemu.h"

enum { ERROR_BYTES = 4096, FAULT_BYTES = 2048, RT_TEXT_LIMIT_MB = 1024, RT_WORKSPACES = 16 };

/* A diagnostic as the API hands it out; the texts are owned. */
struct rt_diagnostic {
    ptxemu_level level;
    unsigned line, column;
    char *file, *message, *rendered;
};

/* What a call has to say besides its status. */
struct rt_messages {
    char error[ERROR_BYTES];
    struct rt_diagnostic *diagnostics; /* of PTX text; owned, see rt_drop_diagnostics */
    size_t n_diagnostics;
};

/* Why a launch was refused before anything ran, finer than a status. */
enum rt_refusal {
    RT_NOT_REFUSED,
    RT_REFUSED_CALL,        /* the call itself is malformed: sizes of structs, unknown policy, parameters */
    RT_REFUSED_EXTENTS,     /* grid or block beyond what the GPU allows */
    RT_REFUSED_BLOCK,       /* block against .reqntid or .maxntid of the kernel */
    RT_REFUSED_SHARED,      /* more shared memory than there is */
    RT_REFUSED_RESOURCES,   /* local memory or registers */
    RT_REFUSED_COOPERATIVE, /* cooperative, but not all CTAs would be resident at once */
    RT_REFUSED_CLUSTER,     /* cluster dimensions that are wrong, or not a divisor of the grid's */
    RT_REFUSED_KERNEL,      /* something in the kernel is not supported */
    RT_REFUSED_NO_MEMORY,   /* the host's memory is exhausted */
};

/* How a launch went. */
struct rt_outcome {
    enum rt_refusal refusal;
    struct emu_stats stats;
    bool has_fault;
    struct emu_fault fault; /* valid if has_fault; its pointers only say whether the texts below mean something */
    char fault_kernel[256]; /* name of the kernel that faulted and its files: the module may be gone */
    char fault_file[1024];
    char fault_source[1024];
    char error[ERROR_BYTES]; /* when the status is not PTXEMU_OK */
};

/* What a launch may ask for besides what the public struct has; all zero is a plain launch. */
struct rt_launch_options {
    bool cooperative;    /* all CTAs are resident at once, so that the grid may synchronise */
    unsigned cluster[3]; /* CTAs of a cluster; 0: as the kernel's directives say */
    void (*assertion)(void *user, const struct emu_assertion *assertion); /* as emu_launch's; `user` is the launch's */
    unsigned pending_most; /* generations of grids that kernels launch; 0: the usual 2048 */
};

struct ptxemu_device {
    struct emu_spec spec;
    struct mem_device *memory;
    const struct handler_set *handlers;
    unsigned host_threads;
    pthread_mutex_t lock;               /* guards modules, the heap's making, workspaces */
    struct emu_heap *heap;              /* made at the first launch of a kernel that calls malloc */
    uint64_t heap_address, heap_bytes;  /* bytes: as asked for, before there is a heap */
    struct emu_pool *pool;              /* of host threads */
    struct emu_bindings *bindings;      /* textures and surfaces */
    uint64_t workspaces[RT_WORKSPACES]; /* of cooperative grids, not in use now */
    unsigned n_workspaces;
    struct ptxemu_module *modules;
    struct rt_host *host;       /* functions for kernels to call; NULL: none were registered */
    struct rt_messages last;    /* of the last public call that had something to say */
    struct rt_outcome launched; /* by the last public call */
    double cpu_s;               /* of the same launch */
};

struct ptxemu_kernel {
    struct ptxemu_module *module;
    const struct ir_func *func;
    struct emu_program *program; /* decoded at first use, under the module's lock; refused[] with it */
    _Atomic bool decoded;        /* set last */
    _Atomic unsigned registers;  /* estimate per thread, 0: not made yet */
    char refused[320];
    struct emu_pace pace;                /* what its launches showed */
    struct rt_pointer *_Atomic pointers; /* per parameter, found at first use under the module's lock */
};

/* What a kernel does with a parameter as an address. */
struct rt_pointer {
    unsigned use; /* bit 0 read, bit 1 written, bit 2 atomics */
    uint8_t type; /* enum ir_type of the accesses; IR_TYPE_NONE: none or several */
    bool mixed;
};

struct ptxemu_module {
    struct ptxemu_device *device;
    struct ptxemu_module *next; /* in the device's list, under its lock */
    pthread_mutex_t lock;       /* guards what kernels find out at first use */
    struct ir_module *ir;
    uint64_t *symbol_address; /* by symbol; 0: none */
    struct ptxemu_kernel *kernels;
    size_t n_kernels;
    struct rt_host_calls *host_calls;     /* of the host's functions that it declares; NULL: none */
    struct rt_kernel_function *functions; /* kernels as functions of C */
};

/* Note an error text and hand back `status`. */
__attribute__((format(printf, 3, 4))) ptxemu_status rt_fail(struct rt_messages *out, ptxemu_status status,
                                                            const char *format, ...);
void rt_drop_diagnostics(struct rt_messages *out);
/* Add to what is kept of the same load. */
void rt_keep_diagnostics(struct rt_messages *out, const struct diag *dg);

/* What is compiled: all of a program, or something with names that others define. */
enum rt_scope { RT_PROGRAM, RT_PART };
/* PTX text to IR; diagnostics are kept in `out`.  Parts are linked, with the host's functions, if there are any. */
ptxemu_status rt_compile(const ptxemu_text *text, enum rt_scope scope, struct ir_module **ir, struct rt_messages *out);
ptxemu_status rt_compile_parts(const ptxemu_text *texts, size_t count, enum rt_scope scope, const struct rt_host *host,
                               struct ir_module **ir, struct rt_messages *out);

/*
 * Load one text, or link several and load the result.  `out` is overwritten; its diagnostics are the caller's to drop.
 * On failure *module is NULL.
 */
ptxemu_status rt_load(ptxemu_device *d, const ptxemu_text *texts, size_t count, enum rt_scope scope,
                      ptxemu_module **module, struct rt_messages *out);
/* The same, but a single text is linked too: it may refer to names that only the linker would miss. */
ptxemu_status rt_link(ptxemu_device *d, const ptxemu_text *texts, size_t count, enum rt_scope scope,
                      ptxemu_module **module, struct rt_messages *out);

/* Run a kernel to its end on this thread and others; `options` may be NULL.  Fills `out` whatever happens. */
ptxemu_status rt_launch(struct ptxemu_kernel *k, const ptxemu_launch *launch, const struct rt_launch_options *options,
                        struct rt_outcome *out);

/* Note that kernel `k` caused out->fault. */
void rt_keep_fault(struct rt_outcome *out, const struct ptxemu_kernel *k);
/* Run one grid; what it asks for goes to `children`, which may be NULL if its kernel launches nothing. */
ptxemu_status rt_launch_one(struct ptxemu_kernel *k, const ptxemu_launch *launch,
                            const struct rt_launch_options *options, struct emu_children *children,
                            struct rt_outcome *out);
/* children.c: run a grid, and all that it and its children ask for. */
ptxemu_status rt_launch_family(struct ptxemu_kernel *k, const ptxemu_launch *launch,
                               const struct rt_launch_options *options, struct rt_outcome *out);

/* CTAs of a cluster: as `given` (0 first: not at all), else as the kernel requires; UINT64_MAX: more than can be. */
uint64_t rt_cluster_ctas(const struct ir_func *f, const unsigned given[3]);
/* Whether a grid can be launched in such clusters; if not, `why` says so. */
enum { RT_WHY_BYTES = 320 };
bool rt_cluster_fits(const struct ptxemu_kernel *k, const unsigned grid[3], const unsigned given[3],
                     char why[RT_WHY_BYTES]);

/* Bytes of the heap of kernels that call malloc; false, and no change, when there is such a heap already. */
bool rt_set_heap_bytes(ptxemu_device *d, uint64_t bytes);
uint64_t rt_heap_bytes(ptxemu_device *d);
/* The heap goes, with all that kernels keep there; the next one has the usual size.  No kernel may be running. */
void rt_drop_heap(ptxemu_device *d);
enum { RT_HEAP_BYTES = 8 << 20 }; /* cudaLimitMallocHeapSize's default */

/* Decode the kernel if that was not done yet; false when memory is exhausted. */
bool rt_decode(struct ptxemu_kernel *k);
/*
 * The estimate of registers per thread, but no more than leave room for a CTA of that many threads; 0 threads: of as
 * many as .reqntid or .maxntid say, if they do.  An assembler finds its way below the limit, mostly, and a launch must
 * not fail for an estimate.
 */
unsigned rt_registers(const struct ptxemu_kernel *k, unsigned threads_per_cta);
/* Follow the kernel's parameters to the accesses made through them: one entry per parameter, or NULL. */
struct rt_pointer *rt_find_pointers(const struct ir_func *f);

#endif
