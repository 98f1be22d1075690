/*
 * What programs registered: a table from addresses in the host program to the device code behind them.
 *
 * A module is one fat binary, as a whole-program object or the link stub of an -rdc program registers it.  Its names
 * are its own: two modules may have a variable of the same name.  The table holds names and addresses only; module.c
 * loads.
 */
#ifndef PTXEMU_CUDART_REGISTRY_H
#define PTXEMU_CUDART_REGISTRY_H

#include "cudart.h"

#include <pthread.h>
#include <stdatomic.h>

enum crt_entry_kind {
    CRT_KERNEL,   /* key: the host stub */
    CRT_VARIABLE, /* key: the host shadow */
    CRT_MANAGED,  /* key: the host's pointer to the variable */
};

struct crt_entry {
    enum crt_entry_kind kind;
    const void *key;           /* in the host program */
    const char *name;          /* in the device code; the program's own text */
    struct crt_module *module; /* that registered it */
    _Atomic(CUkernel) kernel;  /* CRT_KERNEL: found at the first use */
    struct crt_entry *next;    /* in the bucket; the newest first */
    struct crt_entry *next_in_module;
};

struct crt_module {
    const void *wrapper;        /* what the program registered; the driver reads it when the module is loaded */
    pthread_mutex_t lock;       /* loading */
    _Atomic(CUlibrary) library; /* NULL until loaded */
    CUresult image_error;       /* a failure that will not go away: the image is at fault */
    struct crt_entry *entries;  /* all that it registered */
};

struct crt_registry {
    pthread_rwlock_t lock;
    struct crt_entry **buckets;
    size_t bucket_count; /* a power of two, or 0 before the first entry */
    size_t entry_count;
};

#define CRT_REGISTRY_INITIALIZER           \
    {                                      \
        .lock = PTHREAD_RWLOCK_INITIALIZER \
    }

/* A new entry of `module`; where memory is short there is none, and its use fails later. */
void crt_registry_add(struct crt_registry *registry, struct crt_module *module, enum crt_entry_kind kind,
                      const void *key, const char *name);

/* Remove and free all entries of `module`. */
void crt_registry_remove(struct crt_registry *registry, struct crt_module *module);

/* The newest entry with that key, or NULL.  It lives until its module is unregistered. */
struct crt_entry *crt_registry_find(struct crt_registry *registry, const void *key);

/* The entry of the managed variable that lies at `address`, or NULL. */
struct crt_entry *crt_registry_find_managed(struct crt_registry *registry, const void *address);

#endif
