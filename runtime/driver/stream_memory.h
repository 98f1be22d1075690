/*
 * Work that waits until a value in memory is as it should be, or stores one.
 */
#ifndef RUNTIME_DRIVER_STREAM_MEMORY_H
#define RUNTIME_DRIVER_STREAM_MEMORY_H

#include "runtime/driver/work.h"

struct drv_memory_op {
    uint64_t address, value;
    bool wide;          /* 64 bits, not 32 */
    unsigned condition; /* of a wait: CU_STREAM_WAIT_VALUE_GEQ and so on */
};

/* Each gives NULL when memory is exhausted. */
struct drv_work *drv_wait_value_work(const struct drv_memory_op *op);
struct drv_work *drv_write_value_work(const struct drv_memory_op *op);

#endif
