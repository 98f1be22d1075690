/*
 * The reserved range: address space from mmap, pages from mprotect, free bytes in a sorted array.
 *
 * Invariant: free extents are sorted, non-empty and never touch each other, so neighbours are always merged.
 */
#include "memsys/region.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define COMMIT_STEP ((uint64_t)1 << 21)

uint64_t mem_page_size(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* --- free extents ---------------------------------------------------------------------------------------------------
 */

static bool extent_insert(struct mem_region *r, size_t index, struct mem_extent e)
{
    if (r->free_count == r->free_room) {
        size_t room = r->free_room ? 2 * r->free_room : 16;
        struct mem_extent *grown = realloc(r->free, room * sizeof(*grown));
        if (!grown) {
            return false;
        }
        r->free = grown;
        r->free_room = room;
    }
    memmove(r->free + index + 1, r->free + index, (r->free_count - index) * sizeof(*r->free));
    r->free[index] = e;
    r->free_count++;
    return true;
}

static void extent_remove(struct mem_region *r, size_t index)
{
    r->free_count--;
    memmove(r->free + index, r->free + index + 1, (r->free_count - index) * sizeof(*r->free));
}

/* Index of the first free extent that begins above `address`. */
static size_t extent_above(const struct mem_region *r, uint64_t address)
{
    size_t low = 0, high = r->free_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->free[middle].begin > address) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Where `span` bytes would start inside an extent; false when they do not fit. */
static bool extent_place(struct mem_extent e, uint64_t span, uint64_t align, uint64_t *begin)
{
    uint64_t start = mem_round_up(e.begin, align);

    if (start < e.begin || start > e.end || e.end - start < span) {
        return false;
    }
    *begin = start;
    return true;
}

/* Cut [begin, begin + span) out of the extent at `index`; what is left before and after stays free. */
static bool extent_cut(struct mem_region *r, size_t index, uint64_t begin, uint64_t span)
{
    struct mem_extent e = r->free[index];
    struct mem_extent before = {e.begin, begin}, after = {begin + span, e.end};
    bool has_before = before.begin < before.end, has_after = after.begin < after.end;

    if (has_before && has_after) {
        r->free[index] = after;
        if (extent_insert(r, index, before)) {
            return true;
        }
        r->free[index] = e;
        return false;
    }
    if (has_before || has_after) {
        r->free[index] = has_before ? before : after;
    } else {
        extent_remove(r, index);
    }
    return true;
}

bool mem_region_take(struct mem_region *r, uint64_t span, uint64_t align, uint64_t *begin)
{
    const size_t from = span >= r->search_span ? r->search_from : 0;
    bool too_small = true; /* all extents so far, whatever the alignment */

    for (size_t i = from; i < r->free_count; i++) {
        const struct mem_extent e = r->free[i];

        if (too_small && e.end - e.begin >= span) {
            too_small = false;
            r->search_span = span;
            r->search_from = i;
        }
        if (extent_place(e, span, align, begin)) {
            return extent_cut(r, i, *begin, span);
        }
    }
    return false;
}

bool mem_region_give(struct mem_region *r, uint64_t begin, uint64_t span)
{
    size_t next = extent_above(r, begin);
    uint64_t end = begin + span;
    bool joins_before = next > 0 && r->free[next - 1].end == begin;
    bool joins_after = next < r->free_count && r->free[next].begin == end;

    if (next <= r->search_from) {
        r->search_from = next > 0 ? next - 1 : 0;
    }
    if (joins_before && joins_after) {
        r->free[next - 1].end = r->free[next].end;
        extent_remove(r, next);
    } else if (joins_before) {
        r->free[next - 1].end = end;
    } else if (joins_after) {
        r->free[next].begin = begin;
    } else {
        return extent_insert(r, next, (struct mem_extent){begin, end});
    }
    return true;
}

bool mem_region_overlaps(const struct mem_region *r, uint64_t first, uint64_t last)
{
    return r->reserved != 0 && last >= r->base && first < r->base + r->reserved;
}

bool mem_region_is_taken(const struct mem_region *r, uint64_t begin, uint64_t span)
{
    const size_t next = extent_above(r, begin);
    const bool free_before = next > 0 && r->free[next - 1].end > begin;
    const bool free_after = next < r->free_count && r->free[next].begin < begin + span;

    return !free_before && !free_after && begin >= r->committed;
}

/* --- pages ----------------------------------------------------------------------------------------------------------
 */

bool mem_region_open(struct mem_region *r, uint64_t lead, uint64_t bytes)
{
    if (bytes > SIZE_MAX || lead >= bytes) {
        return false;
    }
    void *base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        return false;
    }
    *r = (struct mem_region){.base = (uintptr_t)base, .reserved = bytes};
    /* The base is a multiple of the page size and `lead` is rounded to one, so the usable part starts on a page. */
    r->committed = r->base + mem_round_up(lead, mem_page_size());
    if (!extent_insert(r, 0, (struct mem_extent){r->committed, r->base + bytes})) {
        mem_region_close(r);
        return false;
    }
    return true;
}

void mem_region_close(struct mem_region *r)
{
    if (r->reserved == 0) {
        return;
    }
    munmap(at(r->base), r->reserved);
    free(r->free);
}

/* Return whole pages to the host, after which they read as zero; clear them by hand if the host keeps them (mlockall).
 */
static void zero_pages(uint64_t begin, uint64_t end)
{
    if (begin < end && madvise(at(begin), end - begin, MADV_DONTNEED) != 0) {
        memset(at(begin), 0, end - begin);
    }
}

/* Clear bytes that were in use before: whole pages by giving them up, the edges, which may be shared, by writing. */
static void zero_bytes(uint64_t begin, uint64_t end)
{
    uint64_t page = mem_page_size();
    uint64_t first = mem_round_up(begin, page), last = end & ~(page - 1);

    if (first >= last) {
        memset(at(begin), 0, end - begin);
        return;
    }
    memset(at(begin), 0, first - begin);
    zero_pages(first, last);
    memset(at(last), 0, end - last);
}

bool mem_region_commit(struct mem_region *r, uint64_t begin, uint64_t size)
{
    uint64_t end = begin + size;
    const uint64_t fresh = r->handed_out;

    if (end > r->committed) {
        /* In large steps: many small allocations then cost few calls. */
        uint64_t limit = mem_round_up(end, COMMIT_STEP);

        limit = limit < r->base + r->reserved ? limit : r->base + r->reserved;
        if (mprotect(at(r->committed), limit - r->committed, PROT_READ | PROT_WRITE) != 0) {
            return false;
        }
        r->committed = limit;
    }
    if (begin < fresh) {
        zero_bytes(begin, end < fresh ? end : fresh);
    }
    r->handed_out = end > fresh ? end : fresh;
    return true;
}

void mem_region_discard(uint64_t begin, uint64_t size)
{
    uint64_t page = mem_page_size();
    uint64_t first = mem_round_up(begin, page), last = (begin + size) & ~(page - 1);

    if (first < last) {
        (void)madvise(at(first), last - first, MADV_DONTNEED); /* failure costs memory only: reuse clears */
    }
}
