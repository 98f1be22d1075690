/*
 * Handles: what programs hold instead of pointers to our objects.  A program may hand in anything, so a handle is never
 * followed before it is known to be one of ours, alive and of the right kind.
 *
 * All handles lie in one reserved range of addresses that is never given back, so the check needs no lock and no list.
 * A slot that was freed is used again as late as possible: a stale handle is found out for a long time.
 */
#ifndef RUNTIME_DRIVER_HANDLE_H
#define RUNTIME_DRIVER_HANDLE_H

enum drv_kind {
    DRV_NONE, /* a free slot */
    DRV_CONTEXT,
    DRV_STREAM,
    DRV_EVENT,
    DRV_MODULE,
    DRV_FUNCTION,
    DRV_LIBRARY,
    DRV_KERNEL,
    DRV_LINK,
    DRV_GRAPH,
    DRV_GRAPH_NODE,
    DRV_GRAPH_EXEC,
    DRV_USER_OBJECT,
    DRV_ARRAY,
    DRV_MIPMAPPED_ARRAY,
    DRV_POOL,
    DRV_TEXTURE_REFERENCE,
    DRV_SURFACE_REFERENCE,
    DRV_PHYSICAL, /* memory without addresses */
};

/* A handle for `object`, which is not NULL; NULL when memory is exhausted. */
void *drv_handle_new(enum drv_kind kind, void *object);
/* The object behind a handle of that kind; NULL when `handle` is anything else. */
void *drv_handle_get(const void *handle, enum drv_kind kind);
/* The handle stops being one.  It must be valid. */
void drv_handle_drop(void *handle);

#endif
