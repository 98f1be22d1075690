/*
 * Linked images: what the JIT linker hands out.  Several PTX texts in one run of bytes without pointers, which programs
 * may copy and keep.
 *
 *     "PTXEMULK", u64 bytes that follow, then for each text: u64 length, the text, zeros up to a multiple of 8
 */
#ifndef RUNTIME_CUDA_LINKED_H
#define RUNTIME_CUDA_LINKED_H

#include "runtime/cuda/fatbin.h"

#define RT_LINKED_MAGIC "PTXEMULK"
enum { RT_LINKED_HEADER = 16 };

/* The image of a set of texts, malloc'd; NULL when memory is exhausted. */
void *rt_linked_write(const struct rt_ptx_set *set, size_t *size);
/* Add the texts of an image to a set that is to be linked. */
enum rt_image_status rt_linked_read(struct rt_bytes bytes, struct rt_ptx_set *set, struct rt_image_error *error);

#endif
