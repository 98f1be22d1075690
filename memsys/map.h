/*
 * Which allocations are live: a sorted array that changes, and immutable snapshots of it for running kernels.  Knows
 * addresses and labels; knows no pages.  Not locked: its owner is.
 *
 * A snapshot is made when one is asked for and the last is out of date, so a thousand allocations in a row cost one
 * copy. Labels are counted: a message can still name an allocation that was freed after the snapshot was taken.
 */
#ifndef MEMSYS_MAP_H
#define MEMSYS_MAP_H

#include "memsys/memory.h"

struct mem_snapshot;

struct mem_live {
    struct mem_alloc *allocs; /* sorted by base; each holds one reference on its label */
    size_t count, room;
    struct mem_snapshot *current; /* of this state; NULL after a change */
};

/* A label with one reference; NULL when `text` is NULL or host memory is exhausted. */
char *mem_label_new(const char *text);
char *mem_label_share(char *label);
void mem_label_drop(char *label);

void mem_live_close(struct mem_live *live);
/* Takes over the label's reference on success.  False when host memory is exhausted. */
bool mem_live_add(struct mem_live *live, const struct mem_alloc *alloc);
/* Index of the allocation that starts at `address`; false if there is none. */
bool mem_live_index(const struct mem_live *live, uint64_t address, size_t *index);
/* Remove and hand over, with the label's reference. */
struct mem_alloc mem_live_remove(struct mem_live *live, size_t index);
void mem_live_set_read_only(struct mem_live *live, size_t index, bool read_only);
bool mem_live_overlaps(const struct mem_live *live, uint64_t address, uint64_t size);

/* The current state; an empty map when host memory is exhausted, so that readers find nothing rather than crash. */
const struct mem_map *mem_live_acquire(struct mem_live *live);
void mem_live_done(const struct mem_map *map);

#endif
