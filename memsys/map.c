/*
 * Live allocations, their snapshots and lookups in them.
 *
 * Invariants: arrays are sorted by base and do not overlap, so the last allocation that starts at or below an address
 * is the only one that can hold it.  A snapshot never changes once made.
 */
#include "memsys/map.h"

#include <stdlib.h>
#include <string.h>

/* --- labels ---------------------------------------------------------------------------------------------------------
 */

struct label {
    size_t references;
    char text[];
};

static struct label *label_of(char *text)
{
    return (struct label *)(void *)(text - offsetof(struct label, text));
}

char *mem_label_new(const char *text)
{
    if (!text) {
        return NULL;
    }
    size_t bytes = strlen(text) + 1;
    struct label *label = malloc(sizeof(*label) + bytes);
    if (!label) {
        return NULL;
    }
    label->references = 1;
    memcpy(label->text, text, bytes);
    return label->text;
}

char *mem_label_share(char *label)
{
    if (label) {
        label_of(label)->references++;
    }
    return label;
}

void mem_label_drop(char *label)
{
    if (label && --label_of(label)->references == 0) {
        free(label_of(label));
    }
}

/* --- lookups --------------------------------------------------------------------------------------------------------
 */

/* How many of the sorted allocations start at or below `address`. */
static size_t count_up_to(const struct mem_alloc *allocs, size_t count, uint64_t address)
{
    size_t low = 0;

    /* One comparison a step without an unpredictable branch: kernels come here whenever their cached allocation misses.
     */
    while (count > 0) {
        size_t half = count / 2;
        bool below = allocs[low + half].base <= address;
        low = below ? low + half + 1 : low;
        count = below ? count - half - 1 : half;
    }
    return low;
}

const struct mem_alloc *mem_find(const struct mem_map *map, uint64_t address, uint64_t size)
{
    size_t upto = count_up_to(map->allocs, map->count, address);

    if (upto == 0) {
        return NULL;
    }
    const struct mem_alloc *a = &map->allocs[upto - 1];
    uint64_t offset = address - a->base;
    return offset <= a->size && size <= a->size - offset ? a : NULL;
}

/* Bytes from the nearest byte of `a` to `address`; *before tells on which side. */
static uint64_t gap(const struct mem_alloc *a, uint64_t address, bool *before)
{
    *before = address < a->base;
    if (*before) {
        return a->base - address;
    }
    uint64_t offset = address - a->base;
    return offset < a->size ? 0 : offset - a->size + 1;
}

const struct mem_alloc *mem_nearest(const struct mem_map *map, uint64_t address, int64_t *distance)
{
    size_t upto = count_up_to(map->allocs, map->count, address);
    const struct mem_alloc *best = NULL;
    uint64_t best_gap = UINT64_MAX;
    bool best_before = false;

    /* The neighbour below comes first: at equal distance an overrun is likelier than an underrun. */
    for (size_t i = upto ? upto - 1 : 0; i < map->count && i <= upto; i++) {
        bool before;
        uint64_t bytes = gap(&map->allocs[i], address, &before);
        if (!best || bytes < best_gap) {
            best = &map->allocs[i];
            best_gap = bytes;
            best_before = before;
        }
    }
    if (best) {
        int64_t magnitude = best_gap > INT64_MAX ? INT64_MAX : (int64_t)best_gap;
        *distance = best_before ? -magnitude : magnitude;
    }
    return best;
}

/* --- live allocations -----------------------------------------------------------------------------------------------
 */

struct mem_snapshot {
    struct mem_map map; /* first, so that a map is its snapshot */
    size_t references;
    struct mem_alloc allocs[];
};

static const struct mem_map empty_map;

static void snapshot_drop(struct mem_snapshot *s)
{
    if (!s || --s->references > 0) {
        return;
    }
    for (size_t i = 0; i < s->map.count; i++) {
        mem_label_drop(s->allocs[i].label);
    }
    free(s);
}

/* The live array differs from the last snapshot from now on. */
static void live_changed(struct mem_live *live)
{
    snapshot_drop(live->current);
    live->current = NULL;
}

void mem_live_close(struct mem_live *live)
{
    live_changed(live);
    for (size_t i = 0; i < live->count; i++) {
        mem_label_drop(live->allocs[i].label);
    }
    free(live->allocs);
}

bool mem_live_add(struct mem_live *live, const struct mem_alloc *alloc)
{
    if (live->count == live->room) {
        size_t room = live->room ? 2 * live->room : 16;
        struct mem_alloc *grown = realloc(live->allocs, room * sizeof(*grown));
        if (!grown) {
            return false;
        }
        live->allocs = grown;
        live->room = room;
    }
    size_t index = count_up_to(live->allocs, live->count, alloc->base);
    memmove(live->allocs + index + 1, live->allocs + index, (live->count - index) * sizeof(*live->allocs));
    live->allocs[index] = *alloc;
    live->count++;
    live_changed(live);
    return true;
}

bool mem_live_index(const struct mem_live *live, uint64_t address, size_t *index)
{
    size_t upto = count_up_to(live->allocs, live->count, address);

    if (upto == 0 || live->allocs[upto - 1].base != address) {
        return false;
    }
    *index = upto - 1;
    return true;
}

struct mem_alloc mem_live_remove(struct mem_live *live, size_t index)
{
    struct mem_alloc removed = live->allocs[index];

    live->count--;
    memmove(live->allocs + index, live->allocs + index + 1, (live->count - index) * sizeof(*live->allocs));
    live_changed(live);
    return removed;
}

void mem_live_set_read_only(struct mem_live *live, size_t index, bool read_only)
{
    live->allocs[index].read_only = read_only;
    live_changed(live);
}

bool mem_live_overlaps(const struct mem_live *live, uint64_t address, uint64_t size)
{
    size_t upto = count_up_to(live->allocs, live->count, address + (size - 1));
    const struct mem_alloc *below = upto ? &live->allocs[upto - 1] : NULL;

    return below && below->base + (below->size - 1) >= address;
}

const struct mem_map *mem_live_acquire(struct mem_live *live)
{
    if (!live->current) {
        struct mem_snapshot *s = malloc(sizeof(*s) + live->count * sizeof(*s->allocs));
        if (!s) {
            return &empty_map;
        }
        for (size_t i = 0; i < live->count; i++) {
            s->allocs[i] = live->allocs[i];
            mem_label_share(s->allocs[i].label);
        }
        s->map = (struct mem_map){s->allocs, live->count};
        s->references = 1;
        live->current = s;
    }
    live->current->references++;
    return &live->current->map;
}

void mem_live_done(const struct mem_map *map)
{
    if (map && map != &empty_map) {
        snapshot_drop((struct mem_snapshot *)(uintptr_t)map);
    }
}
