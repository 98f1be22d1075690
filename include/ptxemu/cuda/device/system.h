/*
 * What device code asks of the driver: printf, the heap, assert. The functions without body are the ones that the
 * driver supplies to every module.
 */
#ifndef PTXEMU_CUDA_DEVICE_SYSTEM_H
#define PTXEMU_CUDA_DEVICE_SYSTEM_H

#include <stddef.h>

#include "words.h"

extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ void *malloc(size_t size);
__device__ void free(void *address);
__device__ void __assertfail(const char *message, const char *file, unsigned int line, const char *function,
                             size_t character_bytes);
/* clang makes a call of vprintf out of it. */
__device__ int printf(const char *format, ...);

__device__ static inline void __assert_fail(const char *message, const char *file, unsigned int line,
                                            const char *function)
{
    __assertfail(message, file, line, function, sizeof(char));
}
}

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <new> /* clang's own, whose new and delete for device code call malloc and free as declared by then */

namespace std
{
using ::free;
using ::malloc;
} // namespace std

#endif
