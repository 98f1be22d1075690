/*
 * The device heap: malloc and free of kernels.  What is taken is written down outside device memory, so a kernel that
 * writes beyond its blocks spoils its own data and nothing else.
 *
 * Space is counted in units.  blocks[u] describes the block that starts at unit u: its size, and whether it is taken;
 * other entries are 0.  Invariant: blocks follow each other without gaps from unit 0 to the end.
 */
#include <pthread.h>
#include <stdlib.h>

#include "emu/emu.h"

enum { UNIT = 16 };
#define TAKEN ((uint32_t)1 << 31)

struct emu_heap {
    pthread_mutex_t lock;
    uint64_t base;
    uint32_t units;
    uint32_t rover; /* block where the search for room starts */
    uint32_t *blocks;
};

struct emu_heap *emu_heap_new(uint64_t base, uint64_t bytes)
{
    struct emu_heap *h = calloc(1, sizeof *h);

    if (h == NULL || bytes / UNIT >= TAKEN || bytes < UNIT) {
        free(h);
        return NULL;
    }
    h->base = base;
    h->units = (uint32_t)(bytes / UNIT);
    h->blocks = calloc(h->units, sizeof *h->blocks);
    if (h->blocks == NULL) {
        free(h);
        return NULL;
    }
    pthread_mutex_init(&h->lock, NULL);
    h->blocks[0] = h->units;
    return h;
}

void emu_heap_free(struct emu_heap *h)
{
    if (h != NULL) {
        pthread_mutex_destroy(&h->lock);
        free(h->blocks);
        free(h);
    }
}

/* Join the free block at `u` with the free blocks behind it; its size. */
static uint32_t join(struct emu_heap *h, uint32_t u)
{
    for (uint32_t next = u + h->blocks[u]; next < h->units && !(h->blocks[next] & TAKEN); next = u + h->blocks[u]) {
        h->blocks[u] += h->blocks[next];
        h->blocks[next] = 0;
        h->rover = h->rover == next ? u : h->rover;
    }
    return h->blocks[u];
}

/* A free block of at least `want` units among those that start in [from, to); `to` when there is none. */
static uint32_t find(struct emu_heap *h, uint32_t from, uint32_t to, uint32_t want)
{
    uint32_t u = from;

    while (u < to && ((h->blocks[u] & TAKEN) || join(h, u) < want)) {
        u += h->blocks[u] & ~TAKEN;
    }
    return u < to ? u : to;
}

uint64_t emu_heap_take(struct emu_heap *h, uint64_t bytes)
{
    uint64_t result = 0;

    if (bytes == 0 || bytes > (uint64_t)h->units * UNIT) {
        return 0;
    }
    const uint32_t want = (uint32_t)((bytes + UNIT - 1) / UNIT);

    pthread_mutex_lock(&h->lock);
    const uint32_t start = h->rover;
    uint32_t u = find(h, start, h->units, want);

    if (u == h->units && start != 0) {
        u = find(h, 0, start, want);
        u = u == start ? h->units : u;
    }
    if (u != h->units) {
        const uint32_t rest = h->blocks[u] - want;

        if (rest != 0) {
            h->blocks[u + want] = rest;
        }
        h->blocks[u] = want | TAKEN;
        h->rover = rest != 0 ? u + want : 0;
        result = h->base + (uint64_t)u * UNIT;
    }
    pthread_mutex_unlock(&h->lock);
    return result;
}

bool emu_heap_give(struct emu_heap *h, uint64_t address)
{
    const uint64_t offset = address - h->base;
    bool ok = false;

    if (address < h->base || offset % UNIT != 0 || offset / UNIT >= h->units) {
        return false;
    }
    pthread_mutex_lock(&h->lock);
    uint32_t *block = &h->blocks[offset / UNIT];

    if (*block & TAKEN) {
        *block &= ~TAKEN;
        ok = true;
    }
    pthread_mutex_unlock(&h->lock);
    return ok;
}
