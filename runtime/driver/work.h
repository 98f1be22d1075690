/*
 * Work: something a stream does, later and in order.  What a call asks for becomes one immutable object, which a stream
 * runs, a capture turns into a graph node, and a graph runs as often as it is launched.
 */
#ifndef RUNTIME_DRIVER_WORK_H
#define RUNTIME_DRIVER_WORK_H

#include "runtime/driver/context.h"

struct drv_work;
struct drv_event;
struct drv_function;

enum drv_work_kind {
    DRV_WORK_EMPTY,
    DRV_WORK_KERNEL,
    DRV_WORK_COPY,
    DRV_WORK_SET,
    DRV_WORK_HOST,
    DRV_WORK_RECORD, /* an event */
    DRV_WORK_WAIT,   /* for an event; the stream's queue does the waiting, running it does nothing */
    DRV_WORK_ALLOC,
    DRV_WORK_FREE,
    DRV_WORK_GRAPH, /* a child graph */
    DRV_WORK_OTHER,
};

struct drv_work_class {
    enum drv_work_kind kind;
    bool brief;         /* so short that the caller may as well do it, when nothing is in the way */
    bool calls_program; /* runs a function of the program: never on a thread that only waits */
    bool always;        /* is run even when the context has failed */
    /* Whether it may start, beyond its stream's order; asked again and again, with the process's lock held.  NULL: yes.
     */
    bool (*ready)(const struct drv_work *work);
    /* Do it, on any thread.  An error becomes the context's sticky error.  May be NULL: there is nothing to do. */
    CUresult (*run)(struct drv_work *work, struct drv_context *context);
    /* Free what it owns, and itself. */
    void (*release)(struct drv_work *work);
};

/* The head of every kind of work.  Made with one reference. */
struct drv_work {
    const struct drv_work_class *class;
    _Atomic unsigned references;
};

struct drv_work *drv_work_retain(struct drv_work *work);
void drv_work_release(struct drv_work *work); /* NULL is fine */

/* --- the kinds -------------------------------------------------------------------------------- */
struct drv_kernel_work { /* kernel_work.c */
    struct drv_work work;
    struct drv_function *function; /* retained */
    unsigned grid[3], block[3], cluster[3];
    unsigned shared_bytes;
    bool cooperative;
    CUfunction handle; /* as the program named it: a CUfunction or a CUkernel */
    uint64_t params_bytes;
    uint8_t params[]; /* packed as the kernel wants them */
};

struct drv_copy_work { /* copy.c */
    struct drv_work work;
    CUDA_MEMCPY3D_PEER copy; /* checked and complete: kinds of memory known, pitches and heights set */
    bool one_dimensional;    /* WidthInBytes bytes from one address to another */
};

struct drv_set_work { /* set.c */
    struct drv_work work;
    CUDA_MEMSET_NODE_PARAMS set; /* dst, pitch, value, elementSize, width, height */
};

struct drv_host_work { /* host.c */
    struct drv_work work;
    CUhostFn function;
    void *argument;
};

struct drv_event_work { /* event.c */
    struct drv_work work;
    struct drv_event *event; /* retained */
    CUevent handle;
};

/* Each gives NULL when memory is exhausted. */
struct drv_work *drv_empty_work(void);
struct drv_work *drv_copy_work(const CUDA_MEMCPY3D_PEER *copy);
struct drv_work *drv_set_work(const CUDA_MEMSET_NODE_PARAMS *set);
struct drv_work *drv_host_work(CUhostFn function, void *argument);
/* A function as cuStreamAddCallback takes it: called with the stream as the program named it, and an error if there was
 * one. */
struct drv_work *drv_callback_work(CUstream stream, CUstreamCallback callback, void *argument);
struct drv_work *drv_record_work(CUevent handle, struct drv_event *event);
struct drv_work *drv_wait_work(CUevent handle, struct drv_event *event);

#endif
