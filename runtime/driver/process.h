/*
 * The process as CUDA sees it: what the environment asked for, the devices, and the state of initialisation.  The only
 * place of ptxemu with mutable globals: CUDA's API has them by nature.
 */
#ifndef RUNTIME_DRIVER_PROCESS_H
#define RUNTIME_DRIVER_PROCESS_H

#include <cuda.h>
#include <pthread.h>
#include <stdbool.h>

#include "runtime/objects.h"

enum { DRV_DEVICES_MOST = 64, DRV_SLACK_MOST = 1 << 30 };

struct drv_context;

struct drv_device {
    int ordinal;
    struct ptxemu_device *gpu;
    struct drv_context *primary; /* NULL: not made yet */
    unsigned primary_references;
    unsigned contexts; /* that live, the primary one among them; lock */
    unsigned primary_flags;
    uint64_t physical_bytes;                      /* made by cuMemCreate (virtual.h); atomic */
    struct drv_pool *default_pool, *current_pool; /* pool.h; NULL: not made yet, the default one */
};

/* What PTXEMU_* variables say; see docs/configuration.md. */
struct drv_options {
    const char *gpu;       /* NULL: the default */
    unsigned devices;      /* at least 1 */
    unsigned host_threads; /* 0: as many as the machine has */
    ptxemu_policy policy;
    uint64_t seed;
    double timeout_s; /* of one kernel; 0: none */
    uint64_t slack;   /* bytes behind allocations that kernels may touch */
    bool verbose;
    bool launch_blocking; /* CUDA_LAUNCH_BLOCKING: calls return when their work is done */
};

struct drv_process {
    struct drv_options options;
    struct drv_device devices[DRV_DEVICES_MOST];
    int device_count;
    /* Guards contexts, streams, events, queues and everything that has no lock of its own.  Never held while work runs
     * or the program's functions are called. */
    pthread_mutex_t lock;
};

/* CUDA_SUCCESS once cuInit was done in this process (not in its parent: then CUDA_ERROR_NOT_INITIALIZED). */
CUresult drv_ready(void);
/* What cuInit does; may be called again. */
CUresult drv_initialize(void);
/* Only after drv_ready() said CUDA_SUCCESS. */
struct drv_process *drv_process(void);
/* For calls that answer in `out`: what they were let in with, or CUDA_ERROR_INVALID_VALUE if there is no such place. */
static inline CUresult drv_check_out(CUresult entered, const void *out)
{
    return entered == CUDA_SUCCESS && out == NULL ? CUDA_ERROR_INVALID_VALUE : entered;
}
/* NULL when there is no such device. */
struct drv_device *drv_device(CUdevice ordinal);
/* The device that a call is about, which answers in `out`; CUDA_ERROR_INVALID_DEVICE when there is none. */
CUresult drv_device_enter(CUdevice ordinal, const void *out, struct drv_device **device);

/* A line on standard error, "ptxemu: ..."; `drv_say` always, `drv_verbose` only when asked for. */
__attribute__((format(printf, 1, 2))) void drv_say(const char *format, ...);
__attribute__((format(printf, 1, 2))) void drv_verbose(const char *format, ...);
/* Note (once for each name) that a call is not supported; always CUDA_ERROR_NOT_SUPPORTED. */
CUresult drv_unsupported(const char *name);

#endif
