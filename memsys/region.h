/*
 * One reserved range of the host's address space: reserving it, making pages usable, and which bytes are free.  Knows
 * extents; knows no allocation's owner or label.  Not locked: its owner is.
 *
 * Pages below `committed` are readable and writable, all above are inaccessible, so the range is two host mappings
 * however many allocations come and go.  Freed pages stay accessible on purpose: a kernel that still holds an older
 * snapshot must read stale bytes, not crash the process.  Their memory goes back to the host, and reuse clears them.
 */
#ifndef MEMSYS_REGION_H
#define MEMSYS_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Free bytes [begin, end). */
struct mem_extent {
    uint64_t begin, end;
};

struct mem_region {
    uint64_t base;           /* first byte reserved */
    uint64_t reserved;       /* bytes reserved */
    uint64_t committed;      /* end of the usable pages */
    uint64_t handed_out;     /* end of the bytes that were ever made usable for somebody: those behind are zero */
    struct mem_extent *free; /* sorted, never adjacent, never empty */
    size_t free_count, free_room;
    /* Extents before free[search_from] are smaller than search_span, so that small holes are not searched each time. */
    uint64_t search_span;
    size_t search_from;
};

/* Reserve `bytes` of address space; [base + lead, end) is free, the first `lead` bytes never become usable. */
bool mem_region_open(struct mem_region *r, uint64_t lead, uint64_t bytes);
void mem_region_close(struct mem_region *r);

/* Take the lowest `span` bytes that start at a multiple of `align`, a power of two.  False when there is no such place.
 */
bool mem_region_take(struct mem_region *r, uint64_t span, uint64_t align, uint64_t *begin);
/* Give taken bytes back.  False when host memory is exhausted; the bytes then stay taken. */
bool mem_region_give(struct mem_region *r, uint64_t begin, uint64_t span);

/* Make taken bytes usable and zero.  False when the host refuses. */
bool mem_region_commit(struct mem_region *r, uint64_t begin, uint64_t size);
/* Hand the memory behind the whole pages of [begin, begin + size) back to the host. */
void mem_region_discard(uint64_t begin, uint64_t size);

/* Does [first, last] meet the region?  False for one that is not open. */
bool mem_region_overlaps(const struct mem_region *r, uint64_t first, uint64_t last);
/* Are all of these bytes, which lie in the region, taken? */
bool mem_region_is_taken(const struct mem_region *r, uint64_t begin, uint64_t span);

uint64_t mem_page_size(void);
static inline uint64_t mem_round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) & ~(unit - 1);
}

#endif
