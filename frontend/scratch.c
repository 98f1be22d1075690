/*
 * Memory of one statement.  Invariant: blocks before `current` are full, blocks after it are empty and may be reused.
 */
#include "frontend/scratch.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SCRATCH_BLOCK_BYTES = 16 * 1024, SCRATCH_KEEP_BYTES = 1024 * 1024 };

struct ptx_scratch_block {
    struct ptx_scratch_block *next;
    size_t room; /* bytes in data */
    size_t used;
    alignas(max_align_t) unsigned char data[];
};

static struct ptx_scratch_block *block_new(size_t room)
{
    struct ptx_scratch_block *b = malloc(sizeof *b + room);

    if (b != NULL) {
        b->next = NULL;
        b->room = room;
        b->used = 0;
    }
    return b;
}

/* Make a block with `size` free bytes the current one. */
static struct ptx_scratch_block *block_with(struct ptx_scratch *s, size_t size)
{
    struct ptx_scratch_block *next = s->current != NULL ? s->current->next : s->first;

    if (next != NULL && next->room >= size) {
        next->used = 0;
        return s->current = next;
    }
    struct ptx_scratch_block *b = block_new(size > SCRATCH_BLOCK_BYTES ? size : SCRATCH_BLOCK_BYTES);

    if (b == NULL) {
        return NULL;
    }
    b->next = next;
    if (s->current != NULL) {
        s->current->next = b;
    } else {
        s->first = b;
    }
    return s->current = b;
}

void *ptx_scratch_alloc(struct ptx_scratch *s, size_t size)
{
    if (size > SIZE_MAX / 2) {
        return NULL;
    }
    size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    struct ptx_scratch_block *b = s->current;

    if (b == NULL || b->room - b->used < size) {
        b = block_with(s, size);
    }
    if (b == NULL) {
        return NULL;
    }
    void *at = b->data + b->used;

    b->used += size;
    return memset(at, 0, size);
}

void ptx_scratch_reset(struct ptx_scratch *s)
{
    size_t kept = 0;

    for (struct ptx_scratch_block **link = &s->first; *link != NULL;) {
        struct ptx_scratch_block *b = *link;

        if (kept + b->room > SCRATCH_KEEP_BYTES) {
            *link = b->next;
            free(b);
            continue;
        }
        kept += b->room;
        b->used = 0;
        link = &b->next;
    }
    s->current = s->first;
}

void ptx_scratch_free(struct ptx_scratch *s)
{
    for (struct ptx_scratch_block *b = s->first; b != NULL;) {
        struct ptx_scratch_block *next = b->next;

        free(b);
        b = next;
    }
    *s = (struct ptx_scratch){0};
}
