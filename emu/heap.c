/*
 * The device heap: malloc and free of kernels.  Blocks carry their size in front; free blocks are in one list, sorted by
 * address and merged.  Invariant: under the lock, free blocks never touch and never overlap taken ones.
 */
#include <pthread.h>
#include <stdlib.h>

#include "emu/emu.h"

enum { UNIT = 16 };
#define TAKEN 0x7074786d61787a7eu /* marks the header of a taken block */

struct header {
    uint64_t size; /* bytes, header included */
    uint64_t mark; /* TAKEN, or the next free block */
};

struct emu_heap {
    pthread_mutex_t lock;
    uint64_t base, bytes;
    struct header *free;
};

struct emu_heap *emu_heap_new(uint64_t base, uint64_t bytes)
{
    struct emu_heap *h = calloc(1, sizeof *h);

    if (h == NULL) {
        return NULL;
    }
    pthread_mutex_init(&h->lock, NULL);
    h->base = base;
    h->bytes = bytes / UNIT * UNIT;
    h->free = (struct header *)base;
    h->free->size = h->bytes;
    h->free->mark = 0;
    return h;
}

void emu_heap_free(struct emu_heap *h)
{
    if (h != NULL) {
        pthread_mutex_destroy(&h->lock);
        free(h);
    }
}

static struct header *next_of(const struct header *b)
{
    return (struct header *)b->mark;
}

uint64_t emu_heap_take(struct emu_heap *h, uint64_t bytes)
{
    uint64_t result = 0;

    if (bytes == 0 || bytes > h->bytes) {
        return 0;
    }
    bytes = (bytes + sizeof(struct header) + UNIT - 1) / UNIT * UNIT;
    pthread_mutex_lock(&h->lock);
    for (struct header **link = &h->free; *link != NULL; link = (struct header **)&(*link)->mark) {
        struct header *b = *link;

        if (b->size < bytes) {
            continue;
        }
        if (b->size - bytes >= 2 * sizeof *b) {
            struct header *rest = (struct header *)((uint8_t *)b + bytes);

            rest->size = b->size - bytes;
            rest->mark = b->mark;
            *link = rest;
            b->size = bytes;
        } else {
            *link = next_of(b);
        }
        b->mark = TAKEN;
        result = (uint64_t)(b + 1);
        break;
    }
    pthread_mutex_unlock(&h->lock);
    return result;
}

static void merge_next(struct header *b)
{
    struct header *next = next_of(b);

    if (next != NULL && (uint8_t *)b + b->size == (uint8_t *)next) {
        b->size += next->size;
        b->mark = next->mark;
    }
}

bool emu_heap_give(struct emu_heap *h, uint64_t address)
{
    bool ok = false;

    if (address % UNIT != 0 || address < h->base + sizeof(struct header) || address >= h->base + h->bytes) {
        return false;
    }
    struct header *b = (struct header *)address - 1, *before = NULL;

    pthread_mutex_lock(&h->lock);
    if (b->mark == TAKEN && b->size % UNIT == 0 && b->size <= h->base + h->bytes - (uint64_t)b) {
        struct header *after = h->free;

        while (after != NULL && after < b) {
            before = after;
            after = next_of(after);
        }
        b->mark = (uint64_t)after;
        merge_next(b);
        if (before == NULL) {
            h->free = b;
        } else {
            before->mark = (uint64_t)b;
            merge_next(before);
        }
        ok = true;
    }
    pthread_mutex_unlock(&h->lock);
    return ok;
}
