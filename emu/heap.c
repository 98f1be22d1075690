/*
 * The device heap: malloc and free of kernels.  What is taken is written down outside device memory, so a kernel that
 * writes beyond its blocks spoils its own data and nothing else.
 *
 * Space is counted in units.  Blocks follow each other without gaps from unit 0 to the end; units[u] describes the
 * block that starts at unit u, and has size 0 if none does.  Free blocks are in lists by size class, so that taking and
 * giving cost the same however full the heap is, also when there is no room.  Invariant: no two free blocks touch.
 */
#include <pthread.h>
#include <stdlib.h>

#include "emu/emu.h"

enum {
    UNIT = 16,
    EXACT = 64,    /* classes of one size each */
    STEPS_LOG = 3, /* above, each doubling is divided into 8 classes */
    CLASSES = EXACT + (31 - 6) * (1 << STEPS_LOG),
    CLASS_WORDS = (CLASSES + 63) / 64,
    LOOKS = 16,            /* at blocks of a class */
    NONE = UINT32_MAX - 1, /* end of a list */
};
#define TAKEN ((uint32_t)1 << 31)

struct unit {
    uint32_t size;       /* of the block, in units, with TAKEN; 0: no block starts here */
    uint32_t before;     /* size of the block before it if that is free, else 0 */
    uint32_t next, prev; /* in the list of free blocks */
};

struct emu_heap {
    pthread_mutex_t lock;
    uint64_t base;
    uint32_t n_units;
    struct unit *units;
    uint32_t first[CLASSES];         /* free blocks of each class */
    uint64_t not_empty[CLASS_WORDS]; /* bit per class */
};

/* --- lists of free blocks --------------------------------------------------------------------- */
static unsigned class_of(uint32_t size)
{
    if (size < EXACT) {
        return size;
    }
    const unsigned log = 31u - (unsigned)__builtin_clz(size);

    return EXACT + (log - 6) * (1 << STEPS_LOG) + (size >> (log - STEPS_LOG)) % (1 << STEPS_LOG);
}

static void enter(struct emu_heap *h, uint32_t u, uint32_t size)
{
    const unsigned class = class_of(size);
    struct unit *block = &h->units[u];

    *block = (struct unit){.size = size, .before = block->before, .next = h->first[class], .prev = NONE};
    if (block->next != NONE) {
        h->units[block->next].prev = u;
    }
    h->first[class] = u;
    h->not_empty[class / 64] |= (uint64_t)1 << class % 64;
    if (u + size < h->n_units) {
        h->units[u + size].before = size;
    }
}

static void leave(struct emu_heap *h, uint32_t u)
{
    const struct unit *block = &h->units[u];
    const unsigned class = class_of(block->size);

    if (block->next != NONE) {
        h->units[block->next].prev = block->prev;
    }
    if (block->prev != NONE) {
        h->units[block->prev].next = block->next;
    } else {
        h->first[class] = block->next;
        if (block->next == NONE) {
            h->not_empty[class / 64] &= ~((uint64_t)1 << class % 64);
        }
    }
    if (u + block->size < h->n_units) {
        h->units[u + block->size].before = 0;
    }
}

/* The first class from `class` on that has blocks; CLASSES when none has. */
static unsigned class_from(const struct emu_heap *h, unsigned class)
{
    for (unsigned word = class / 64; word < CLASS_WORDS; word++) {
        const uint64_t bits = word == class / 64 ? h->not_empty[word] >> class % 64 << class % 64 : h->not_empty[word];

        if (bits != 0) {
            return word * 64 + (unsigned)__builtin_ctzll(bits);
        }
    }
    return CLASSES;
}

/*
 * A free block of at least `want` units, NONE when there is none.  Blocks of its own class may be too small: a few are
 * looked at, and all only when no larger class has any.
 */
static uint32_t find(const struct emu_heap *h, uint32_t want)
{
    const unsigned own = class_of(want), larger = class_from(h, own + 1);
    unsigned looks = larger == CLASSES ? UINT32_MAX : LOOKS;

    for (uint32_t u = h->first[own]; u != NONE && looks-- != 0; u = h->units[u].next) {
        if (h->units[u].size >= want) {
            return u;
        }
    }
    return larger == CLASSES ? NONE : h->first[larger];
}

/* --- taking and giving ------------------------------------------------------------------------ */
struct emu_heap *emu_heap_new(uint64_t base, uint64_t bytes)
{
    struct emu_heap *h = calloc(1, sizeof *h);

    if (h == NULL || bytes / UNIT >= NONE - TAKEN || bytes < UNIT) {
        free(h);
        return NULL;
    }
    h->base = base;
    h->n_units = (uint32_t)(bytes / UNIT);
    h->units = calloc(h->n_units, sizeof *h->units);
    if (h->units == NULL) {
        free(h);
        return NULL;
    }
    pthread_mutex_init(&h->lock, NULL);
    for (unsigned class = 0; class < CLASSES; class ++) {
        h->first[class] = NONE;
    }
    enter(h, 0, h->n_units);
    return h;
}

void emu_heap_free(struct emu_heap *h)
{
    if (h != NULL) {
        pthread_mutex_destroy(&h->lock);
        free(h->units);
        free(h);
    }
}

static uint64_t take(struct emu_heap *h, uint32_t want)
{
    const uint32_t u = find(h, want);

    if (u == NONE) {
        return 0;
    }
    const uint32_t size = h->units[u].size;

    leave(h, u);
    h->units[u].size = want | TAKEN;
    if (size != want) {
        h->units[u + want].before = 0;
        enter(h, u + want, size - want);
    }
    return h->base + (uint64_t)u * UNIT;
}

uint64_t emu_heap_take(struct emu_heap *h, uint64_t bytes)
{
    if (bytes == 0 || bytes > (uint64_t)h->n_units * UNIT) {
        return 0;
    }
    pthread_mutex_lock(&h->lock);
    const uint64_t address = take(h, (uint32_t)((bytes + UNIT - 1) / UNIT));

    pthread_mutex_unlock(&h->lock);
    return address;
}

/* The taken block at `u` becomes free, one with its free neighbours. */
static void give(struct emu_heap *h, uint32_t u)
{
    uint32_t size = h->units[u].size & ~TAKEN;
    const uint32_t before = h->units[u].before, behind = u + size;

    if (behind < h->n_units && (h->units[behind].size & TAKEN) == 0) {
        size += h->units[behind].size;
        leave(h, behind);
        h->units[behind].size = 0;
    }
    if (before != 0) {
        leave(h, u - before);
        h->units[u].size = 0;
        size += before;
    }
    enter(h, u - before, size);
}

bool emu_heap_give(struct emu_heap *h, uint64_t address)
{
    const uint64_t offset = address - h->base;

    if (address < h->base || offset % UNIT != 0 || offset / UNIT >= h->n_units) {
        return false;
    }
    pthread_mutex_lock(&h->lock);
    const bool taken = (h->units[offset / UNIT].size & TAKEN) != 0;

    if (taken) {
        give(h, (uint32_t)(offset / UNIT));
    }
    pthread_mutex_unlock(&h->lock);
    return taken;
}
