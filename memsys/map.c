/*
 * Live allocations, their snapshots and lookups in them.
 *
 * Invariants: allocations are sorted by base and do not overlap, so the last one that starts at or below an address is
 * the only one that can hold it.  A chunk that a snapshot shares never changes.
 */
#include "memsys/map.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_ALLOCS = 128 };

struct mem_chunk {
    size_t references; /* from the live sequence and from snapshots */
    size_t count;
    struct mem_alloc allocs[CHUNK_ALLOCS];
};

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

static char *label_share(char *label)
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

/* Where an allocation is: its chunk and its place in there. */
struct position {
    size_t chunk, index;
};

/*
 * How many of the sorted values are at or below `address`; they lie `step` words apart.  One comparison a step without
 * an unpredictable branch: kernels come here whenever their cached allocation misses.
 */
static inline size_t count_up_to(const uint64_t *values, size_t step, size_t count, uint64_t address)
{
    size_t low = 0;

    while (count > 0) {
        size_t half = count / 2;
        bool below = values[(low + half) * step] <= address;
        low = below ? low + half + 1 : low;
        count = below ? count - half - 1 : half;
    }
    return low;
}

enum { ALLOC_WORDS = sizeof(struct mem_alloc) / sizeof(uint64_t) };
_Static_assert(sizeof(struct mem_alloc) % sizeof(uint64_t) == 0 && offsetof(struct mem_alloc, base) == 0,
               "bases lie whole words apart");

/* The last allocation that starts at or below `address`; false when there is none. */
static bool position_of(const struct mem_chunks *all, uint64_t address, struct position *at)
{
    const size_t upto = count_up_to(all->firsts, 1, all->count, address);

    if (upto == 0) {
        return false;
    }
    const struct mem_chunk *c = all->chunks[upto - 1];

    *at = (struct position){upto - 1, count_up_to(&c->allocs[0].base, ALLOC_WORDS, c->count, address) - 1};
    return true;
}

static const struct mem_alloc *alloc_at(const struct mem_chunks *all, struct position at)
{
    return &all->chunks[at.chunk]->allocs[at.index];
}

static const struct mem_alloc *find(const struct mem_chunks *all, uint64_t address, uint64_t size)
{
    struct position at;

    if (!position_of(all, address, &at)) {
        return NULL;
    }
    const struct mem_alloc *a = alloc_at(all, at);
    const uint64_t offset = address - a->base;

    return offset <= a->size && size <= a->size - offset ? a : NULL;
}

/* The first allocation that starts above `address`, or NULL. */
static const struct mem_alloc *above(const struct mem_chunks *all, uint64_t address)
{
    struct position at;

    if (!position_of(all, address, &at)) {
        return all->count != 0 ? &all->chunks[0]->allocs[0] : NULL;
    }
    if (at.index + 1 < all->chunks[at.chunk]->count) {
        return &all->chunks[at.chunk]->allocs[at.index + 1];
    }
    return at.chunk + 1 < all->count ? &all->chunks[at.chunk + 1]->allocs[0] : NULL;
}

const struct mem_alloc *mem_find(const struct mem_map *map, uint64_t address, uint64_t size)
{
    const struct mem_alloc *found = find(&map->own, address, size);

    for (size_t i = 1; found == NULL && i < map->n_peers; i++) {
        found = find(&map->peers[i].map->own, address, size);
    }
    return found;
}

const struct mem_alloc *mem_next(const struct mem_map *map, uint64_t address)
{
    return above(&map->own, address);
}

size_t mem_count(const struct mem_map *map)
{
    return map->allocs;
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

struct nearest {
    const struct mem_alloc *alloc; /* NULL: none yet */
    uint64_t gap;
    bool before;
};

static void consider(struct nearest *best, const struct mem_alloc *a, uint64_t address)
{
    bool before;

    if (a == NULL) {
        return;
    }
    const uint64_t bytes = gap(a, address, &before);

    if (best->alloc == NULL || bytes < best->gap) {
        *best = (struct nearest){a, bytes, before};
    }
}

/* The neighbour below comes first: at equal distance an overrun is likelier than an underrun. */
static void consider_neighbours(struct nearest *best, const struct mem_chunks *all, uint64_t address)
{
    struct position at;

    if (position_of(all, address, &at)) {
        consider(best, alloc_at(all, at), address);
    }
    consider(best, above(all, address), address);
}

const struct mem_alloc *mem_nearest(const struct mem_map *map, uint64_t address, int64_t *distance)
{
    struct nearest best = {0};

    consider_neighbours(&best, &map->own, address);
    for (size_t i = 1; i < map->n_peers; i++) {
        consider_neighbours(&best, &map->peers[i].map->own, address);
    }
    if (best.alloc != NULL) {
        const int64_t magnitude = best.gap > INT64_MAX ? INT64_MAX : (int64_t)best.gap;

        *distance = best.before ? -magnitude : magnitude;
    }
    return best.alloc;
}

/* --- chunks ---------------------------------------------------------------------------------------------------------
 */

static void chunk_drop(struct mem_chunk *c)
{
    if (--c->references > 0) {
        return;
    }
    for (size_t i = 0; i < c->count; i++) {
        mem_label_drop(c->allocs[i].label);
    }
    free(c);
}

static struct mem_chunk *chunk_new(void)
{
    struct mem_chunk *c = malloc(sizeof(*c));

    if (c != NULL) {
        c->references = 1;
        c->count = 0;
    }
    return c;
}

/* The chunk, fit to be changed: a copy if a snapshot shares it.  NULL when host memory is exhausted. */
static struct mem_chunk *own_chunk(struct mem_live *live, size_t at)
{
    struct mem_chunk *shared = live->all.chunks[at];

    if (shared->references == 1) {
        return shared;
    }
    struct mem_chunk *c = chunk_new();

    if (c == NULL) {
        return NULL;
    }
    c->count = shared->count;
    memcpy(c->allocs, shared->allocs, shared->count * sizeof(*c->allocs));
    for (size_t i = 0; i < c->count; i++) {
        label_share(c->allocs[i].label);
    }
    chunk_drop(shared);
    live->all.chunks[at] = c;
    return c;
}

/* --- live allocations -----------------------------------------------------------------------------------------------
 */

static void map_drop(struct mem_map *map)
{
    if (map == NULL || --map->references > 0) {
        return;
    }
    for (size_t i = 0; i < map->own.count; i++) {
        chunk_drop(map->own.chunks[i]);
    }
    free(map);
}

/* The live sequence differs from the last snapshot from now on. */
static void live_changed(struct mem_live *live)
{
    map_drop(live->current);
    live->current = NULL;
}

void mem_live_close(struct mem_live *live)
{
    live_changed(live);
    for (size_t i = 0; i < live->all.count; i++) {
        chunk_drop(live->all.chunks[i]);
    }
    free(live->all.chunks);
    free(live->all.firsts);
}

static bool make_room(struct mem_live *live)
{
    if (live->all.count < live->room) {
        return true;
    }
    const size_t room = live->room ? 2 * live->room : 16;
    uint64_t *firsts = reallocarray(live->all.firsts, room, sizeof(*firsts));

    if (firsts == NULL) {
        return false;
    }
    live->all.firsts = firsts;
    struct mem_chunk **chunks = reallocarray(live->all.chunks, room, sizeof(*chunks));

    if (chunks == NULL) {
        return false;
    }
    live->all.chunks = chunks;
    live->room = room;
    return true;
}

/* Put a chunk, which is not empty, at place `at` of the sequence; there must be room. */
static void enter_chunk(struct mem_live *live, size_t at, struct mem_chunk *c)
{
    struct mem_chunks *all = &live->all;

    memmove(all->chunks + at + 1, all->chunks + at, (all->count - at) * sizeof(*all->chunks));
    memmove(all->firsts + at + 1, all->firsts + at, (all->count - at) * sizeof(*all->firsts));
    all->chunks[at] = c;
    all->firsts[at] = c->allocs[0].base;
    all->count++;
}

static void remove_chunk(struct mem_live *live, size_t at)
{
    struct mem_chunks *all = &live->all;

    chunk_drop(all->chunks[at]);
    all->count--;
    memmove(all->chunks + at, all->chunks + at + 1, (all->count - at) * sizeof(*all->chunks));
    memmove(all->firsts + at, all->firsts + at + 1, (all->count - at) * sizeof(*all->firsts));
}

static void insert(struct mem_chunk *c, size_t index, const struct mem_alloc *alloc)
{
    memmove(c->allocs + index + 1, c->allocs + index, (c->count - index) * sizeof(*c->allocs));
    c->allocs[index] = *alloc;
    c->count++;
}

/* A chunk of its own for `alloc`, at place `at`. */
static bool add_chunk(struct mem_live *live, size_t at, const struct mem_alloc *alloc)
{
    struct mem_chunk *c = make_room(live) ? chunk_new() : NULL;

    if (c == NULL) {
        return false;
    }
    insert(c, 0, alloc);
    enter_chunk(live, at, c);
    return true;
}

/* Cut the full chunk at `at` into two halves. */
static bool split_chunk(struct mem_live *live, size_t at)
{
    struct mem_chunk *low = make_room(live) ? own_chunk(live, at) : NULL;
    struct mem_chunk *high = low != NULL ? chunk_new() : NULL;

    if (high == NULL) {
        return false;
    }
    high->count = low->count / 2;
    low->count -= high->count;
    memcpy(high->allocs, low->allocs + low->count, high->count * sizeof(*high->allocs));
    enter_chunk(live, at + 1, high);
    return true;
}

/* Where an allocation at `address` has to be put: behind the last one below it. */
static struct position place_for(const struct mem_live *live, uint64_t address)
{
    struct position at = {0, 0};

    if (position_of(&live->all, address, &at)) {
        at.index++;
    }
    return at;
}

static bool add(struct mem_live *live, const struct mem_alloc *alloc)
{
    struct position at = place_for(live, alloc->base);

    if (live->all.count == 0) {
        return add_chunk(live, 0, alloc);
    }
    if (live->all.chunks[at.chunk]->count == CHUNK_ALLOCS) {
        /* Most grow at the end: full chunks stay full then. */
        if (at.chunk + 1 == live->all.count && at.index == CHUNK_ALLOCS) {
            return add_chunk(live, at.chunk + 1, alloc);
        }
        if (!split_chunk(live, at.chunk)) {
            return false;
        }
        at = place_for(live, alloc->base);
    }
    struct mem_chunk *c = own_chunk(live, at.chunk);

    if (c == NULL) {
        return false;
    }
    insert(c, at.index, alloc);
    live->all.firsts[at.chunk] = c->allocs[0].base;
    return true;
}

bool mem_live_add(struct mem_live *live, const struct mem_alloc *alloc)
{
    /* First, since it gives up the last snapshot's share in the chunk that changes. */
    live_changed(live);
    if (!add(live, alloc)) {
        return false;
    }
    live->allocs++;
    return true;
}

const struct mem_alloc *mem_live_find(const struct mem_live *live, uint64_t address, uint64_t size)
{
    return find(&live->all, address, size);
}

/* The chunk that has the allocation that starts at `address`, fit to be changed; NULL when host memory is exhausted. */
static struct mem_chunk *chunk_with(struct mem_live *live, uint64_t address, struct position *at)
{
    live_changed(live);
    return position_of(&live->all, address, at) ? own_chunk(live, at->chunk) : NULL;
}

bool mem_live_remove(struct mem_live *live, uint64_t address, struct mem_alloc *removed)
{
    struct position at;
    struct mem_chunk *c = chunk_with(live, address, &at);

    if (c == NULL) {
        return false;
    }
    *removed = c->allocs[at.index];
    c->count--;
    memmove(c->allocs + at.index, c->allocs + at.index + 1, (c->count - at.index) * sizeof(*c->allocs));
    if (c->count == 0) {
        remove_chunk(live, at.chunk);
    } else {
        live->all.firsts[at.chunk] = c->allocs[0].base;
    }
    live->allocs--;
    return true;
}

bool mem_live_set_read_only(struct mem_live *live, uint64_t address, bool read_only)
{
    struct position at;
    struct mem_chunk *c = chunk_with(live, address, &at);

    if (c != NULL) {
        c->allocs[at.index].read_only = read_only;
    }
    return c != NULL;
}

bool mem_live_overlaps(const struct mem_live *live, uint64_t address, uint64_t size)
{
    struct position at;

    if (!position_of(&live->all, address + (size - 1), &at)) {
        return false;
    }
    const struct mem_alloc *below = alloc_at(&live->all, at);

    return below->base + (below->size - 1) >= address;
}

/* --- snapshots ------------------------------------------------------------------------------------------------------
 */

static const struct mem_map empty_map;

static struct mem_map *snapshot(const struct mem_live *live)
{
    const size_t count = live->all.count;
    struct mem_map *map = malloc(sizeof(*map) + count * (sizeof(uint64_t) + sizeof(struct mem_chunk *)));

    if (map == NULL) {
        return NULL;
    }
    uint64_t *firsts = (uint64_t *)(map + 1);

    *map = (struct mem_map){
        .own = {firsts, (struct mem_chunk **)(firsts + count), count}, .allocs = live->allocs, .references = 1};
    for (size_t i = 0; i < count; i++) {
        map->own.firsts[i] = live->all.firsts[i];
        map->own.chunks[i] = live->all.chunks[i];
        map->own.chunks[i]->references++;
    }
    return map;
}

const struct mem_map *mem_live_acquire(struct mem_live *live)
{
    if (live->current == NULL) {
        live->current = snapshot(live);
    }
    if (live->current == NULL) {
        return &empty_map;
    }
    live->current->references++;
    return live->current;
}

void mem_live_done(const struct mem_map *map)
{
    if (map != NULL && map != &empty_map) {
        map_drop((struct mem_map *)(uintptr_t)map);
    }
}
