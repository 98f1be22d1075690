/*
 * What a device's memory consists of.  Private to memsys/.
 */
#ifndef MEMSYS_DEVICE_H
#define MEMSYS_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>

#include "memsys/map.h"
#include "memsys/region.h"

enum { MEM_HISTORY = 64, MEM_PEERS_MOST = 64 };

/* A freed allocation, for messages. */
struct mem_history {
    struct mem_alloc alloc; /* size 0: unused entry; holds a reference on its label */
    bool held;              /* its span is not free for reuse yet */
};

struct mem_device {
    pthread_mutex_t lock; /* guards all below but what never changes */
    struct mem_region region;
    struct mem_region addresses; /* to be mapped piece by piece, see reserve.c; reserved 0: not opened yet */
    struct mem_live live;
    struct mem_history history[MEM_HISTORY]; /* a ring */
    size_t oldest;                           /* entry that is overwritten next */
    uint64_t capacity;                       /* bytes; never changes */
    _Atomic uint64_t used;                   /* bytes; written under the lock */
    uint64_t slack;                          /* bytes more than are asked for, in every allocation of programs */
    uint32_t last_id;
    struct mem_device *peers[MEM_PEERS_MOST]; /* whose memory kernels may reach */
    size_t n_peers;
};

/* For all these the lock is held. */
/* Enter [base, base + size) as live, with a copy of the label. */
bool mem_enter(struct mem_device *d, const struct mem_alloc *what, const char *label);
/* Note a freed allocation in place of the oldest; takes over the label's reference. */
void mem_remember(struct mem_device *d, struct mem_alloc alloc, bool held);
/* The live allocation that starts at `address` and is of one of `kinds`, a bit each; NULL if there is none. */
const struct mem_alloc *mem_live_at(const struct mem_device *d, uint64_t address, unsigned kinds);

#endif
