/*
 * Memory pools: memory that streams allocate and free in the order of their work.
 */
#ifndef RUNTIME_DRIVER_POOL_H
#define RUNTIME_DRIVER_POOL_H

#include "runtime/driver/context.h"

/* A context ends: its pools and what they hold. */
void drv_pools_end(struct drv_context *context);
/* Free, at once, what a pool allocated: cuMemFree on such an address, all work being done. */
CUresult drv_pool_free(uint64_t address);
/* The handle of the pool that a record of memory names as its owner. */
CUmemoryPool drv_pool_handle(void *owner);

#endif
