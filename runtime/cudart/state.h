/*
 * What the runtime library remembers: per process (devices, registered modules) and per thread (chosen device, last
 * error).
 *
 * A runtime library cannot do without state of the process: its callers hand it no object.  All of it hangs off the one
 * object behind crt_process(), defined in context.c.
 */
#ifndef PTXEMU_CUDART_STATE_H
#define PTXEMU_CUDART_STATE_H

#include "cudart.h"
#include "registry.h"
#include "stubs.h"

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
    struct crt_registry registry; /* registered device code; has a lock of its own */
    pthread_mutex_t lock;         /* starting, and the primary contexts' coming and going */
    atomic_bool started;          /* the driver is initialised; the fields below hold */
    int device_count;
    struct crt_device_state devices[CRT_MAX_DEVICES];
    int valid_devices[CRT_MAX_DEVICES];             /* cudaSetValidDevices: tried in this order */
    atomic_int valid_device_count;                  /* 0: all, in order */
    atomic_uint_least64_t told[CRT_MAX_NAMES / 64]; /* names of symbols.def that have had their message, a bit each */
};

/* A pushed call configuration: what stands between <<< and >>>. */
struct crt_call {
    dim3 grid;
    dim3 block;
    size_t shared_bytes;
    cudaStream_t stream;
};

enum { CRT_MAX_CALL_DEPTH = 32 }; /* launches whose arguments launch: one level is rare */

struct crt_thread {
    unsigned call_depth; /* of calls[] in use */
    struct crt_call calls[CRT_MAX_CALL_DEPTH];
    int device;             /* valid if device_chosen */
    bool device_chosen;     /* by cudaSetDevice */
    cudaError_t last_error; /* cudaSuccess: none */
};

struct crt_process *crt_process(void);
struct crt_thread *crt_thread(void);

/* Retain the primary context of `device` (which exists), unless the runtime has done so; make it current as well. */
CUresult crt_retain_device(int device);
CUresult crt_use_device(int device);

/* Reset the primary context of `device`; the calling thread has no context then. */
CUresult crt_release_device(int device);

#endif
