/*
 * Memory pools: memory that streams allocate and free in the order of their work.
 *
 * A block has its address at once.  Freeing is work of a stream: when it runs, the block goes back to the pool, which
 * keeps as much as its release threshold says, and the rest to the device.  A stream may take a block again that it has
 * freed itself, without waiting for that.
 */
#ifndef RUNTIME_DRIVER_POOL_H
#define RUNTIME_DRIVER_POOL_H

#include "runtime/driver/context.h"

struct drv_stream;
struct drv_work;

enum drv_block_state {
    DRV_BLOCK_USED,
    DRV_BLOCK_FREEING, /* a stream has been told to free it, but is not there yet */
    DRV_BLOCK_FREE,    /* kept for the next allocation */
};

struct drv_pool_block {
    struct drv_pool_block *next; /* of the pool */
    struct drv_pool *pool;
    struct drv_context *context; /* that allocated it */
    uint64_t address, size;      /* rounded up */
    uint64_t asked;              /* bytes of the allocation that is in it */
    enum drv_block_state state;
    uint64_t stream;      /* FREEING: id of the stream */
    uint64_t generations; /* how often it was freed: a free that is overtaken by a new allocation does nothing */
};

struct drv_pool {
    struct drv_pool *next; /* of all */
    CUmemoryPool handle;
    struct drv_device *device;
    bool is_default;
    bool destroyed; /* goes with its last block */
    CUmemPoolProps props;
    uint64_t release_threshold;
    int reuse[3]; /* CU_MEMPOOL_ATTR_REUSE_*: taken and given back */
    uint64_t used, used_high, reserved, reserved_high;
    bool access[DRV_DEVICES_MOST]; /* devices besides its own that may reach its memory */
    struct drv_pool_block *blocks;
};

/* All with the pools' own lock taken inside. */

/* A device's default pool, or the one that is current for it; NULL when memory is exhausted. */
struct drv_pool *drv_pool_default(struct drv_device *device);
struct drv_pool *drv_pool_current(struct drv_device *device);
void drv_pool_set_current(struct drv_device *device, struct drv_pool *pool);
struct drv_pool *drv_pool_new(struct drv_device *device, const CUmemPoolProps *props);
void drv_pool_destroy(struct drv_pool *pool);
/* Give what is kept beyond `keep` bytes of the pool back to the device. */
void drv_pool_trim(struct drv_pool *pool, uint64_t keep);

/* Memory for the work that `stream` is given from now on. */
CUresult drv_pool_allocate(struct drv_pool *pool, struct drv_stream *stream, uint64_t size, uint64_t *address);
/* Work that frees: a pool's block, or other device memory.  CUDA_ERROR_INVALID_VALUE when there is nothing to be freed.
 */
CUresult drv_pool_free_work(uint64_t address, struct drv_stream *stream, struct drv_work **work);

/* A context ends: its blocks go. */
void drv_pools_end(struct drv_context *context);
/* Free, at once, what a pool allocated: cuMemFree on such an address, all work being done. */
CUresult drv_pool_free(uint64_t address);
/* The handle and the device of the pool that a record of memory names as its owner; NULL: there is none. */
CUmemoryPool drv_pool_handle(void *owner);
struct drv_device *drv_pool_device(void *owner);

#endif
