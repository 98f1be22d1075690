/*
 * Which allocations are live: a sorted sequence that changes, and immutable snapshots of it for running kernels.  Knows
 * addresses and labels; knows no pages.  Not locked: its owner is.
 *
 * The sequence is cut into chunks.  A snapshot shares the chunks; a shared chunk is copied before it changes, so a
 * change costs no more with a hundred thousand allocations than with a hundred, and a snapshot costs a pointer per
 * chunk. Labels are counted: a message can still name an allocation that was freed after the snapshot was taken.
 */
#ifndef MEMSYS_MAP_H
#define MEMSYS_MAP_H

#include "memsys/memory.h"

struct mem_chunk;

/* Chunks in the order of their addresses, none empty; firsts[i] is where the first allocation of chunks[i] starts. */
struct mem_chunks {
    uint64_t *firsts;
    struct mem_chunk **chunks;
    size_t count;
};

/* A snapshot: of one device, or of one and those whose memory it may reach. */
struct mem_map {
    struct mem_chunks own;
    size_t allocs;     /* in `own` */
    size_t references; /* under the lock of the device that made it */
    struct mem_peer_map *peers;
    size_t n_peers; /* not 0: `own` is borrowed from peers[0] */
};

/* A part of a snapshot of several devices. */
struct mem_peer_map {
    struct mem_device *device;
    const struct mem_map *map;
};

struct mem_live {
    struct mem_chunks all;
    size_t room;             /* chunks that there is room for */
    size_t allocs;           /* in all chunks */
    struct mem_map *current; /* of this state; NULL after a change */
};

/* A label with one reference; NULL when `text` is NULL or host memory is exhausted. */
char *mem_label_new(const char *text);
void mem_label_drop(char *label);

void mem_live_close(struct mem_live *live);
/* Takes over the label's reference on success.  False when host memory is exhausted. */
bool mem_live_add(struct mem_live *live, const struct mem_alloc *alloc);
/* The allocation that holds all of [address, address + size), or NULL; valid until the next change. */
const struct mem_alloc *mem_live_find(const struct mem_live *live, uint64_t address, uint64_t size);
/* Remove the allocation that starts at `address` and hand it over with the label's reference.  There must be one; false
 * when host memory is exhausted. */
bool mem_live_remove(struct mem_live *live, uint64_t address, struct mem_alloc *removed);
/* Set the flag of the allocation that starts at `address`, which must be one. */
bool mem_live_set_read_only(struct mem_live *live, uint64_t address, bool read_only);
bool mem_live_overlaps(const struct mem_live *live, uint64_t address, uint64_t size);

/* The current state; an empty map when host memory is exhausted, so that readers find nothing rather than crash. */
const struct mem_map *mem_live_acquire(struct mem_live *live);
void mem_live_done(const struct mem_map *map);

#endif
