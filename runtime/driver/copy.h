/*
 * Copies and fills: checks of what a call asks for, before it becomes work.
 */
#ifndef RUNTIME_DRIVER_COPY_H
#define RUNTIME_DRIVER_COPY_H

#include "runtime/driver/work.h"

/*
 * Check a copy and complete it: CU_MEMORYTYPE_UNIFIED becomes HOST or DEVICE, pitches and heights of 0 what they stand
 * for; extents of 0 are fine (nothing is copied).  CUDA_ERROR_INVALID_VALUE for ranges that are not one allocation's,
 * arrays that are too small, pitches that are smaller than a row.
 */
CUresult drv_copy_check(CUDA_MEMCPY3D_PEER *copy);
/* A copy of `bytes` between two addresses, each host or device. */
CUDA_MEMCPY3D_PEER drv_copy_linear(uint64_t to, uint64_t from, uint64_t bytes);
/* The same copy as the other struct describes it. */
CUDA_MEMCPY3D_PEER drv_copy_of_box(const CUDA_MEMCPY3D *copy);
CUDA_MEMCPY3D drv_copy_as_box(const CUDA_MEMCPY3D_PEER *copy);
/* Whether the program may use or change the host memory of one side as soon as the call is back: pageable memory. */
bool drv_copy_reads_pageable(const CUDA_MEMCPY3D_PEER *copy);
bool drv_copy_writes_pageable(const CUDA_MEMCPY3D_PEER *copy);

struct drv_stream;
/* What the asynchronous calls do: check, and submit with the rules for pageable memory. */
CUresult drv_copy_async(struct drv_stream *stream, CUDA_MEMCPY3D_PEER *copy);
/* What the blocking calls do. */
CUresult drv_copy_blocking(struct drv_stream *stream, CUDA_MEMCPY3D_PEER *copy);

/* Check a fill: elements of 1, 2 or 4 bytes, aligned, inside one allocation. */
CUresult drv_set_check(const CUDA_MEMSET_NODE_PARAMS *set);

#endif
