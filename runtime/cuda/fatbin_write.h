/*
 * Containers made from PTX text, as nvcc makes them, for objects that carry kernels.
 */
#ifndef RUNTIME_CUDA_FATBIN_WRITE_H
#define RUNTIME_CUDA_FATBIN_WRITE_H

#include "runtime/cuda/fatbin.h"

struct rt_container {
    uint8_t *bytes; /* malloc'd */
    uint64_t size;
    uint64_t text_at; /* where the text stands in it, terminated by a zero */
};

/*
 * A container with one image, the text, which is not compressed.  `relocatable`: it is a part of a program of several.
 * The text has been parsed before, so its directives are where they must be.
 */
enum rt_image_status rt_container_write(struct rt_bytes text, bool relocatable, struct rt_container *container,
                                        struct rt_image_error *error);

#endif
