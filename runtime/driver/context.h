/*
 * Contexts: who owns allocations, streams and modules, and which error has made them useless.  A thread has a stack of
 * them; the top is current.
 */
#ifndef RUNTIME_DRIVER_CONTEXT_H
#define RUNTIME_DRIVER_CONTEXT_H

#include "runtime/driver/process.h"

struct drv_stream;

/* What a kernel printed and nobody has seen yet. */
struct drv_printf {
    pthread_mutex_t lock;
    char *text;
    size_t length, size;
};

struct drv_context {
    CUcontext handle;
    struct drv_device *device;
    bool primary;
    bool ending; /* some thread destroys it; lock */
    unsigned flags;
    unsigned api_version;
    _Atomic int sticky;         /* a CUresult that every later call returns; 0: none */
    struct drv_stream *legacy;  /* the legacy default stream */
    struct drv_stream *streams; /* all, linked; the legacy stream and those of threads among them */
    struct drv_printf printf;
    size_t limits[16]; /* by CUlimit */
    CUfunc_cache cache_config;
    bool peers[DRV_DEVICES_MOST]; /* devices whose memory it may reach */
    uint64_t allocation_count;    /* allocations made so far, for their names in messages */
    struct drv_module *modules;   /* all loaded ones (module.h) */
    struct drv_array *arrays;     /* all of them (array.h); lock */
    struct drv_mipmapped_array *mipmapped_arrays;
    uint64_t id;
};

/* The calling thread's context, ready for work: what almost every function starts with.  Errors: not initialised, not
 * permitted in a function that a stream calls, no context, or the context's sticky error. */
CUresult drv_enter(struct drv_context **context);
/* The calling thread's context or NULL, whatever its state. */
struct drv_context *drv_current(void);
/* The context of a handle; NULL as handle: the current one.  NULL: there is none. */
struct drv_context *drv_context_of(CUcontext handle);
CUcontext drv_context_handle(struct drv_context *context);

/* The primary context of a device, made when it does not exist yet; *out is not retained. */
CUresult drv_primary(struct drv_device *device, struct drv_context **out);

/* A kernel or copy failed: later calls return `error`.  The first one stays. */
void drv_context_fail(struct drv_context *context, CUresult error);

/* Output of kernels: collected while they run, written to standard output when the program synchronises. */
void drv_printf_collect(void *context, const char *text, size_t length);
void drv_printf_flush(struct drv_context *context);

#endif
