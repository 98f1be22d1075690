/*
 * Growable arrays.  VEC(type) declares one; it owns heap memory until vec_free.  Growth doubles, so pushing n elements
 * costs O(n).  Every growing call says whether memory sufficed; on failure the array is unchanged.
 */
#ifndef IR_BASE_VEC_H
#define IR_BASE_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VEC(type)       \
    struct {            \
        type *at;       \
        uint32_t count; \
        uint32_t room;  \
    }

/* Make room for `extra` more elements of `size` bytes; false when memory or 32-bit indices are exhausted. */
bool vec_grow(void **at, uint32_t count, uint32_t *room, size_t size, uint32_t extra);

#define vec_reserve(v, extra) vec_grow((void **)&(v)->at, (v)->count, &(v)->room, sizeof *(v)->at, (extra))
#define vec_push(v, value)    (vec_reserve((v), 1) ? ((v)->at[(v)->count++] = (value), true) : false)
#define vec_free(v)           vec_release((void **)&(v)->at, &(v)->count, &(v)->room)

void vec_release(void **at, uint32_t *count, uint32_t *room);

#endif
