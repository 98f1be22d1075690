/*
 * Work on values in memory.  A wait is work that may not start yet (struct drv_work_class, ready): it takes no thread.
 * The memory is not freed before the work is done, since freeing waits for the context.
 */
#include "runtime/driver/stream_memory.h"

#include <stdlib.h>

struct memory_work {
    struct drv_work work;
    struct drv_memory_op op;
};

static uint64_t load(const struct drv_memory_op *op)
{
    const void *at = (const void *)(uintptr_t)op->address;

    return op->wide ? __atomic_load_n((const uint64_t *)at, __ATOMIC_SEQ_CST)
                    : __atomic_load_n((const uint32_t *)at, __ATOMIC_SEQ_CST);
}

static bool is_reached(const struct drv_work *work)
{
    const struct drv_memory_op *op = &((const struct memory_work *)work)->op;
    const uint64_t mask = op->wide ? UINT64_MAX : UINT32_MAX, have = load(op), difference = (have - op->value) & mask;

    switch (op->condition) {
    case CU_STREAM_WAIT_VALUE_GEQ: /* as numbers that wrap around */
        return difference <= mask / 2;
    case CU_STREAM_WAIT_VALUE_EQ:
        return difference == 0;
    case CU_STREAM_WAIT_VALUE_AND:
        return (have & op->value) != 0;
    default: /* NOR */
        return (~(have | op->value) & mask) != 0;
    }
}

static CUresult store(struct drv_work *work, struct drv_context *context)
{
    const struct drv_memory_op *op = &((struct memory_work *)work)->op;
    void *at = (void *)(uintptr_t)op->address;

    (void)context;
    if (op->wide) {
        __atomic_store_n((uint64_t *)at, op->value, __ATOMIC_SEQ_CST);
    } else {
        __atomic_store_n((uint32_t *)at, (uint32_t)op->value, __ATOMIC_SEQ_CST);
    }
    return CUDA_SUCCESS;
}

static void release(struct drv_work *work)
{
    free(work);
}

static struct drv_work *make(const struct drv_work_class *class, const struct drv_memory_op *op)
{
    struct memory_work *w = malloc(sizeof *w);

    if (w == NULL) {
        return NULL;
    }
    *w = (struct memory_work){{class, 1}, *op};
    return &w->work;
}

struct drv_work *drv_wait_value_work(const struct drv_memory_op *op)
{
    static const struct drv_work_class class = {
        .kind = DRV_WORK_OTHER, .brief = true, .ready = is_reached, .release = release};

    return make(&class, op);
}

struct drv_work *drv_write_value_work(const struct drv_memory_op *op)
{
    static const struct drv_work_class class = {
        .kind = DRV_WORK_OTHER, .brief = true, .run = store, .release = release};

    return make(&class, op);
}
