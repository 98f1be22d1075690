/*
 * Arenas and growable arrays.  Invariant of an arena: `used` never exceeds the limit, and blocks are only appended.
 */
#include "ir/base/arena.h"
#include "ir/base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024, MAX_ALIGN = 64 };

struct block {
    struct block *next;
    size_t size; /* bytes of payload */
    size_t fill; /* bytes handed out */
    _Alignas(MAX_ALIGN) unsigned char bytes[];
};

struct arena {
    struct block *head; /* the block that serves small requests */
    size_t limit;       /* most bytes to hand out, 0 for any */
    size_t used;        /* bytes taken from the system, overhead included */
};

struct arena *arena_new(size_t limit_bytes)
{
    struct arena *a = calloc(1, sizeof *a);

    if (a != NULL) {
        a->limit = limit_bytes;
    }
    return a;
}

void arena_free(struct arena *a)
{
    if (a == NULL) {
        return;
    }
    for (struct block *b = a->head; b != NULL;) {
        struct block *next = b->next;

        free(b);
        b = next;
    }
    free(a);
}

/* A block of its own for large requests keeps the current block open for small ones. */
static struct block *add_block(struct arena *a, size_t payload)
{
    size_t bytes = sizeof(struct block) + payload;

    if (bytes < payload || (a->limit != 0 && (bytes > a->limit || a->used > a->limit - bytes))) {
        return NULL;
    }
    bytes = (bytes + MAX_ALIGN - 1) / MAX_ALIGN * MAX_ALIGN;
    struct block *b = aligned_alloc(MAX_ALIGN, bytes);

    if (b == NULL) {
        return NULL;
    }
    memset(b, 0, bytes);
    b->size = payload;
    a->used += bytes;
    if (payload > BLOCK_BYTES && a->head != NULL) {
        b->next = a->head->next;
        a->head->next = b;
    } else {
        b->next = a->head;
        a->head = b;
    }
    return b;
}

void *arena_alloc(struct arena *a, size_t size, size_t align)
{
    struct block *b = a->head;
    size_t at = b == NULL ? 0 : (b->fill + align - 1) & ~(align - 1);

    if (b == NULL || at > b->size || size > b->size - at) {
        b = add_block(a, size > BLOCK_BYTES / 4 ? size : BLOCK_BYTES);
        if (b == NULL) {
            return NULL;
        }
        at = 0;
    }
    b->fill = at + (size == 0 ? 1 : size);
    if (b->fill > b->size) {
        b->fill = b->size;
    }
    return b->bytes + at;
}

void *arena_alloc_array(struct arena *a, size_t count, size_t size, size_t align)
{
    size_t bytes;

    return __builtin_mul_overflow(count, size, &bytes) ? NULL : arena_alloc(a, bytes, align);
}

char *arena_strndup(struct arena *a, const char *text, size_t len)
{
    char *copy = arena_alloc(a, len + 1, 1);

    if (copy != NULL) {
        memcpy(copy, text, len);
    }
    return copy;
}

char *arena_strdup(struct arena *a, const char *text)
{
    return arena_strndup(a, text, strlen(text));
}

/* The adopted blocks go behind the one that serves small requests. */
void arena_adopt(struct arena *into, struct arena *from)
{
    struct block **end = into->head == NULL ? &into->head : &into->head->next;
    struct block *rest = *end;

    *end = from->head;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = rest;
    into->used += from->used;
    from->head = NULL;
    from->used = 0;
}

size_t arena_used(const struct arena *a)
{
    return a->used;
}

bool vec_grow(void **at, uint32_t count, uint32_t *room, size_t size, uint32_t extra)
{
    if (extra <= *room - count) {
        return true;
    }
    uint64_t want = (uint64_t)count + extra;
    uint64_t next = *room < 8 ? 8 : (uint64_t)*room * 2;

    if (next < want) {
        next = want;
    }
    if (next > UINT32_MAX) {
        return false;
    }
    void *grown = reallocarray(*at, next, size);

    if (grown == NULL) {
        return false;
    }
    *at = grown;
    *room = (uint32_t)next;
    return true;
}

void vec_release(void **at, uint32_t *count, uint32_t *room)
{
    free(*at);
    *at = NULL;
    *count = 0;
    *room = 0;
}
