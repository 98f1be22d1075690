/*
 * Memory pools: blocks, and who may take them again.
 *
 * Invariant: `used` is the sum of what was asked for in the blocks that are in use, `reserved` that of the sizes of all
 * of a pool's blocks; a block that is not in use has no record in the table of memory, so that programs cannot name it.
 */
#include "runtime/driver/pool.h"

#include <stdlib.h>

#include "runtime/driver/handle.h"
#include "runtime/driver/memory.h"
#include "runtime/driver/stream.h"

enum { BLOCK_UNIT = 512 };

static pthread_mutex_t pools_lock = PTHREAD_MUTEX_INITIALIZER;
static struct drv_pool *pools; /* all */

/* --- pools ------------------------------------------------------------------------------------ */
/* Lock held. */
static struct drv_pool *new_pool(struct drv_device *device, const CUmemPoolProps *props)
{
    struct drv_pool *p = calloc(1, sizeof *p);

    if (p == NULL) {
        return NULL;
    }
    p->device = device;
    p->props = *props;
    for (size_t i = 0; i < sizeof p->reuse / sizeof *p->reuse; i++) {
        p->reuse[i] = 1;
    }
    p->handle = drv_handle_new(DRV_POOL, p);
    if (p->handle == NULL) {
        free(p);
        return NULL;
    }
    p->next = pools;
    pools = p;
    return p;
}

struct drv_pool *drv_pool_new(struct drv_device *device, const CUmemPoolProps *props)
{
    pthread_mutex_lock(&pools_lock);
    struct drv_pool *p = new_pool(device, props);

    pthread_mutex_unlock(&pools_lock);
    return p;
}

static void free_if_gone(struct drv_pool *pool)
{
    struct drv_pool **link = &pools;

    if (!pool->destroyed || pool->blocks != NULL) {
        return;
    }
    while (*link != pool) {
        link = &(*link)->next;
    }
    *link = pool->next;
    free(pool);
}

struct drv_pool *drv_pool_default(struct drv_device *device)
{
    const CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                  .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device->ordinal}};

    pthread_mutex_lock(&pools_lock);
    if (device->default_pool == NULL) {
        device->default_pool = new_pool(device, &props);
        if (device->default_pool != NULL) {
            device->default_pool->is_default = true;
        }
    }
    pthread_mutex_unlock(&pools_lock);
    return device->default_pool;
}

struct drv_pool *drv_pool_current(struct drv_device *device)
{
    return device->current_pool != NULL ? device->current_pool : drv_pool_default(device);
}

void drv_pool_set_current(struct drv_device *device, struct drv_pool *pool)
{
    pthread_mutex_lock(&pools_lock);
    device->current_pool = pool;
    pthread_mutex_unlock(&pools_lock);
}

CUmemoryPool drv_pool_handle(void *owner)
{
    return owner == NULL ? NULL : ((struct drv_pool *)owner)->handle;
}

struct drv_device *drv_pool_device(void *owner)
{
    return owner == NULL ? NULL : ((struct drv_pool *)owner)->device;
}

/* --- blocks, with the lock held --------------------------------------------------------------- */
/* The block leaves the pool, and its memory goes back to the device. */
static void release_block(struct drv_pool_block *block)
{
    struct drv_pool *pool = block->pool;
    struct drv_pool_block **link = &pool->blocks;

    while (*link != block) {
        link = &(*link)->next;
    }
    *link = block->next;
    pool->reserved -= block->size;
    mem_release(pool->device->gpu->memory, block->address);
    free(block);
}

static void trim(struct drv_pool *pool, uint64_t keep)
{
    for (struct drv_pool_block *b = pool->blocks; b != NULL && pool->reserved > keep;) {
        struct drv_pool_block *next = b->next;

        if (b->state == DRV_BLOCK_FREE) {
            release_block(b);
        }
        b = next;
    }
    free_if_gone(pool);
}

static CUresult note(const struct drv_pool_block *block, uint64_t size)
{
    return drv_memory_note(&(struct drv_memory){.base = block->address,
                                                .size = size,
                                                .kind = DRV_MEMORY_POOLED,
                                                .context = block->context,
                                                .owner = block->pool});
}

static void count_use(struct drv_pool *pool, uint64_t size)
{
    pool->used += size;
    pool->used_high = pool->used > pool->used_high ? pool->used : pool->used_high;
    pool->reserved_high = pool->reserved > pool->reserved_high ? pool->reserved : pool->reserved_high;
}

/* The smallest block that fits and would not waste more than it holds. */
static struct drv_pool_block *find_kept(struct drv_pool *pool, const struct drv_stream *stream, uint64_t size)
{
    struct drv_pool_block *best = NULL;

    for (struct drv_pool_block *b = pool->blocks; b != NULL; b = b->next) {
        const bool available = b->state == DRV_BLOCK_FREE || (b->state == DRV_BLOCK_FREEING && b->stream == stream->id);

        if (available && b->context == stream->context && b->size >= size && b->size / 2 <= size &&
            (best == NULL || b->size < best->size)) {
            best = b;
        }
    }
    return best;
}

static CUresult new_block(struct drv_pool *pool, struct drv_context *context, uint64_t size,
                          struct drv_pool_block **out)
{
    struct drv_pool_block *b = calloc(1, sizeof *b);
    char label[DRV_LABEL_BYTES];

    if (b == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    drv_memory_label(context, "cuMemAllocAsync", label, sizeof label);
    if (size > drv_memory_free_bytes(pool->device) ||
        (pool->props.maxSize != 0 && pool->reserved + size > pool->props.maxSize) ||
        mem_allocate(pool->device->gpu->memory, size, BLOCK_UNIT, MEM_DEVICE, label, &b->address) != MEM_OK) {
        free(b);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    b->pool = pool;
    b->context = context;
    b->size = size;
    b->next = pool->blocks;
    pool->blocks = b;
    pool->reserved += size;
    *out = b;
    return CUDA_SUCCESS;
}

/* --- allocating ------------------------------------------------------------------------------- */
CUresult drv_pool_allocate(struct drv_pool *pool, struct drv_stream *stream, uint64_t size, uint64_t *address)
{
    const uint64_t rounded = (size + BLOCK_UNIT - 1) / BLOCK_UNIT * BLOCK_UNIT;
    CUresult result = rounded < size ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;

    pthread_mutex_lock(&pools_lock);
    struct drv_pool_block *block = find_kept(pool, stream, rounded);

    if (result == CUDA_SUCCESS && block == NULL) {
        result = new_block(pool, stream->context, rounded, &block);
    }
    if (result == CUDA_SUCCESS) {
        block->state = DRV_BLOCK_USED;
        result = note(block, size);
    }
    if (result == CUDA_SUCCESS) {
        block->asked = size;
        count_use(pool, size);
        *address = block->address;
    }
    pthread_mutex_unlock(&pools_lock);
    return result;
}

/* --- freeing ---------------------------------------------------------------------------------- */
/* Lock held: the record is gone already. */
static struct drv_pool_block *used_block(struct drv_pool *pool, uint64_t address)
{
    for (struct drv_pool_block *b = pool->blocks; b != NULL; b = b->next) {
        if (b->address == address && b->state == DRV_BLOCK_USED) {
            return b;
        }
    }
    return NULL;
}

struct free_work {
    struct drv_work work;
    struct drv_pool *pool; /* NULL: memory of its own */
    uint64_t address, generation;
    bool ran;
};

/* None when the pool is gone: its blocks may have ended with their context. */
static struct drv_pool_block *blocks_of(const struct drv_pool *pool)
{
    const struct drv_pool *p = pools;

    while (p != NULL && p != pool) {
        p = p->next;
    }
    return p == NULL ? NULL : p->blocks;
}

/* The block that the work is to free: none when it was given to somebody else meanwhile, or its pool ended. */
static struct drv_pool_block *block_to_free(const struct free_work *w)
{
    struct drv_pool_block *b = blocks_of(w->pool);

    while (b != NULL &&
           (b->address != w->address || b->state != DRV_BLOCK_FREEING || b->generations != w->generation)) {
        b = b->next;
    }
    return b;
}

static CUresult run_free(struct drv_work *work, struct drv_context *context)
{
    struct free_work *w = (struct free_work *)work;

    (void)context;
    w->ran = true;
    if (w->pool == NULL) {
        drv_memory_free(w->address, 1u << DRV_MEMORY_DEVICE | 1u << DRV_MEMORY_MANAGED);
        return CUDA_SUCCESS;
    }
    pthread_mutex_lock(&pools_lock);
    struct drv_pool_block *block = block_to_free(w);

    if (block != NULL) {
        block->state = DRV_BLOCK_FREE;
        trim(w->pool, w->pool->destroyed ? 0 : w->pool->release_threshold);
    }
    pthread_mutex_unlock(&pools_lock);
    return CUDA_SUCCESS;
}

/* The stream did not take the work: the memory is the program's still. */
static void take_back(const struct free_work *w)
{
    pthread_mutex_lock(&pools_lock);
    struct drv_pool_block *block = block_to_free(w);

    if (block != NULL && note(block, block->asked) == CUDA_SUCCESS) {
        block->state = DRV_BLOCK_USED;
        count_use(block->pool, block->asked);
    }
    pthread_mutex_unlock(&pools_lock);
}

static void release_free(struct drv_work *work)
{
    const struct free_work *w = (struct free_work *)work;

    if (!w->ran && w->pool != NULL) {
        take_back(w);
    }
    free(work);
}

static struct free_work *new_work(uint64_t address, struct drv_pool *pool)
{
    static const struct drv_work_class class = {
        .kind = DRV_WORK_OTHER, .brief = true, .always = true, .run = run_free, .release = release_free};
    struct free_work *w = malloc(sizeof *w);

    if (w != NULL) {
        *w = (struct free_work){{&class, 1}, pool, address, 0, false};
    }
    return w;
}

CUresult drv_pool_free_work(uint64_t address, struct drv_stream *stream, struct drv_work **work)
{
    struct drv_memory m;

    if (!drv_memory_find(address, &m) || m.base != address ||
        (m.kind != DRV_MEMORY_POOLED && m.kind != DRV_MEMORY_DEVICE && m.kind != DRV_MEMORY_MANAGED)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct drv_pool *pool = m.kind == DRV_MEMORY_POOLED ? m.owner : NULL;
    struct free_work *w = new_work(address, pool);

    if (w == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (pool != NULL) {
        pthread_mutex_lock(&pools_lock);
        struct drv_pool_block *b = used_block(pool, address);

        if (b != NULL) {
            drv_memory_forget(address);
            b->state = DRV_BLOCK_FREEING;
            b->stream = stream->id;
            w->generation = ++b->generations;
            pool->used -= b->asked;
        }
        pthread_mutex_unlock(&pools_lock);
        if (b == NULL) {
            free(w);
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    *work = &w->work;
    return CUDA_SUCCESS;
}

CUresult drv_pool_free(uint64_t address)
{
    struct drv_memory m;
    struct drv_pool_block *block = NULL;

    if (!drv_memory_find(address, &m) || m.base != address || m.kind != DRV_MEMORY_POOLED || m.owner == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct drv_pool *pool = m.owner;

    pthread_mutex_lock(&pools_lock);
    block = used_block(pool, address);
    if (block != NULL) {
        drv_memory_forget(address);
        block->state = DRV_BLOCK_FREE;
        pool->used -= block->asked;
        trim(pool, pool->destroyed ? 0 : pool->release_threshold);
    }
    pthread_mutex_unlock(&pools_lock);
    return block != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* --- ends ------------------------------------------------------------------------------------- */
void drv_pool_trim(struct drv_pool *pool, uint64_t keep)
{
    pthread_mutex_lock(&pools_lock);
    trim(pool, keep);
    pthread_mutex_unlock(&pools_lock);
}

void drv_pool_destroy(struct drv_pool *pool)
{
    drv_handle_drop(pool->handle);
    pthread_mutex_lock(&pools_lock);
    pool->handle = NULL;
    pool->destroyed = true;
    if (pool->device->current_pool == pool) {
        pool->device->current_pool = NULL;
    }
    trim(pool, 0);
    pthread_mutex_unlock(&pools_lock);
}

static void end_in(struct drv_pool *pool, const struct drv_context *context)
{
    for (struct drv_pool_block *b = pool->blocks; b != NULL;) {
        struct drv_pool_block *next = b->next;

        if (b->context == context) {
            if (b->state == DRV_BLOCK_USED) {
                drv_memory_forget(b->address);
                pool->used -= b->asked;
            }
            release_block(b);
        }
        b = next;
    }
    free_if_gone(pool);
}

/* Pools outlive contexts, their blocks do not: whatever a context has of them, in use or kept. */
void drv_pools_end(struct drv_context *context)
{
    pthread_mutex_lock(&pools_lock);
    for (struct drv_pool *p = pools; p != NULL;) {
        struct drv_pool *next = p->next;

        end_in(p, context);
        p = next;
    }
    pthread_mutex_unlock(&pools_lock);
}
