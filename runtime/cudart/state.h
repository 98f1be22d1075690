/*
 * What the runtime library remembers: per process (devices, registered modules) and per thread (chosen device, last
 * error).
 *
 * A runtime library cannot do without state of the process: its callers hand it no object.  All of it hangs off the one
 * object behind crt_process(), defined in context.c; the registered modules are in the table of register.c.
 */
#ifndef PTXEMU_CUDART_STATE_H
#define PTXEMU_CUDART_STATE_H

#include "cudart.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { CRT_MAX_DEVICES = 64 };

/* A device as the runtime sees it: its primary context, which lives from the first use to cudaDeviceReset. */
struct crt_device_state {
    CUcontext primary;  /* what the driver called it last; kept over a reset, to recognise threads that still have it */
    atomic_bool active; /* the runtime holds a reference to it */
};

struct crt_process {
    pthread_mutex_t lock; /* starting, and the primary contexts' coming and going */
    atomic_bool started;  /* the driver is initialised; the fields below hold */
    int device_count;
    struct crt_device_state devices[CRT_MAX_DEVICES];
    atomic_uint reset_epoch;            /* number of cudaDeviceReset so far */
    int valid_devices[CRT_MAX_DEVICES]; /* cudaSetValidDevices: tried in this order */
    atomic_int valid_device_count;      /* 0: all, in order */
    atomic_uint_least64_t told[16];     /* stubs that have had their message, a bit each */
};

struct crt_thread {
    int device;                /* valid if device_chosen */
    bool device_chosen;        /* by cudaSetDevice */
    cudaError_t last_error;    /* cudaSuccess: none */
    unsigned last_error_epoch; /* crt_reset_epoch() when it was noted */
};

struct crt_process *crt_process(void);
struct crt_thread *crt_thread(void);
unsigned crt_reset_epoch(void);

/* Make the primary context of `device` (which exists) current, retaining it if it is not. */
CUresult crt_use_device(int device);

/* The primary context of `device` has been reset: forget it, on every thread. */
void crt_forget_device(int device);

#endif
