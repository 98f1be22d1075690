/*
 * Device memory: the lock around a region, the live allocations in it, and the recently freed.
 *
 * Invariants: an allocation's span is its size rounded up to MEM_ALIGN plus one redzone, so the gap after every
 * allocation belongs to nobody.  Capacity counts rounded sizes and not redzones; the region is twice the capacity, so
 * redzones never make a request fail that the GPU would grant.  The last MEM_HISTORY freed spans are kept out of use
 * while there is other room: an access through a dangling pointer then hits no one else's allocation and can be named.
 */
#include "memsys/memory.h"

#include "memsys/map.h"
#include "memsys/region.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEM_HISTORY = 64 };

#define MEM_GUARD         ((uint64_t)1 << 16) /* inaccessible bytes between windows and allocations */
#define MEM_SLACK         ((uint64_t)1 << 26) /* address space beyond twice the capacity, for alignment */
#define MEM_LEAST_RESERVE ((uint64_t)1 << 30) /* smaller reservations are not tried */
#define MEM_MOST_CAPACITY ((uint64_t)1 << 50) /* keeps sums of sizes far from overflow */
#define MEM_LEAD          (MEM_SHARED_WINDOW + MEM_LOCAL_WINDOW + MEM_PARAM_WINDOW + MEM_GUARD)

/* A freed allocation, for messages. */
struct freed {
    struct mem_alloc alloc; /* size 0: unused entry; holds a reference on its label */
    bool held;              /* its span is not free for reuse yet */
};

struct mem_device {
    pthread_mutex_t lock; /* guards all below but what never changes */
    struct mem_region region;
    struct mem_live live;
    struct freed history[MEM_HISTORY]; /* a ring */
    size_t oldest;                     /* entry that is overwritten next */
    uint64_t capacity;                 /* bytes; never changes */
    _Atomic uint64_t used;             /* bytes; written under the lock */
    uint32_t last_id;
};

static uint64_t charge_of(uint64_t size)
{
    return mem_round_up(size, MEM_ALIGN);
}

static uint64_t span_of(uint64_t size)
{
    return charge_of(size) + MEM_REDZONE;
}

static void lock(struct mem_device *d)
{
    pthread_mutex_lock(&d->lock);
}

static void unlock(struct mem_device *d)
{
    pthread_mutex_unlock(&d->lock);
}

/* --- devices --------------------------------------------------------------------------------------------------------
 */

/* Reserve for `capacity` bytes, or half of it, and so on: the host may limit a process's address space. */
static bool reserve(struct mem_device *d, uint64_t capacity)
{
    uint64_t page = mem_page_size();

    if (capacity > MEM_MOST_CAPACITY) {
        capacity = MEM_MOST_CAPACITY;
    }
    for (;;) {
        d->capacity = mem_round_up(capacity, page);
        if (mem_region_open(&d->region, MEM_LEAD, MEM_LEAD + 2 * d->capacity + MEM_SLACK)) {
            return true;
        }
        if (capacity <= MEM_LEAST_RESERVE) {
            return false;
        }
        capacity = capacity / 2 > MEM_LEAST_RESERVE ? capacity / 2 : MEM_LEAST_RESERVE;
    }
}

struct mem_device *mem_device_new(uint64_t capacity_bytes)
{
    struct mem_device *d = calloc(1, sizeof(*d));

    if (!d) {
        return NULL;
    }
    if (!reserve(d, capacity_bytes)) {
        goto no_region;
    }
    if (pthread_mutex_init(&d->lock, NULL) != 0) {
        goto no_lock;
    }
    return d;

no_lock:
    mem_region_close(&d->region);
no_region:
    free(d);
    return NULL;
}

void mem_device_free(struct mem_device *d)
{
    if (!d) {
        return;
    }
    for (size_t i = 0; i < MEM_HISTORY; i++) {
        mem_label_drop(d->history[i].alloc.label);
    }
    mem_live_close(&d->live);
    mem_region_close(&d->region);
    pthread_mutex_destroy(&d->lock);
    free(d);
}

uint64_t mem_shared_window(const struct mem_device *d)
{
    return d->region.base;
}

uint64_t mem_local_window(const struct mem_device *d)
{
    return mem_shared_window(d) + MEM_SHARED_WINDOW;
}

uint64_t mem_param_window(const struct mem_device *d)
{
    return mem_local_window(d) + MEM_LOCAL_WINDOW;
}

uint64_t mem_used(const struct mem_device *d)
{
    return atomic_load_explicit(&d->used, memory_order_relaxed);
}

uint64_t mem_capacity(const struct mem_device *d)
{
    return d->capacity;
}

/* --- freed allocations ----------------------------------------------------------------------------------------------
 */

/* Let a freed span be used again.  Without host memory to note it, the address space is lost, the memory is not. */
static void let_go(struct mem_device *d, struct freed *f)
{
    if (f->held) {
        (void)mem_region_give(&d->region, f->alloc.base, span_of(f->alloc.size));
        f->held = false;
    }
}

/* Note a freed allocation in place of the oldest; takes over the label's reference. */
static void remember(struct mem_device *d, struct mem_alloc alloc, bool held)
{
    struct freed *f = &d->history[d->oldest];

    let_go(d, f);
    mem_label_drop(f->alloc.label);
    *f = (struct freed){alloc, held};
    d->oldest = (d->oldest + 1) % MEM_HISTORY;
}

/* Take a span; when there is no place left, freed spans are reused early. */
static bool take(struct mem_device *d, uint64_t span, uint64_t align, uint64_t *begin)
{
    if (mem_region_take(&d->region, span, align, begin)) {
        return true;
    }
    for (size_t i = 0; i < MEM_HISTORY; i++) {
        let_go(d, &d->history[i]);
    }
    return mem_region_take(&d->region, span, align, begin);
}

static const struct mem_alloc *find_freed(const struct mem_device *d, uint64_t address)
{
    /* The newest first: addresses may have been used several times. */
    for (size_t age = 1; age <= MEM_HISTORY; age++) {
        const struct mem_alloc *a = &d->history[(d->oldest + MEM_HISTORY - age) % MEM_HISTORY].alloc;
        if (address >= a->base && address - a->base < a->size) {
            return a;
        }
    }
    return NULL;
}

bool mem_find_freed(struct mem_device *d, uint64_t address, struct mem_freed *out)
{
    lock(d);
    const struct mem_alloc *found = find_freed(d, address);
    if (found) {
        *out = (struct mem_freed){.base = found->base, .size = found->size, .labelled = found->label != NULL};
        (void)snprintf(out->label, sizeof(out->label), "%s", found->label ? found->label : "");
    }
    unlock(d);
    return found != NULL;
}

/* --- allocating and freeing -----------------------------------------------------------------------------------------
 */

/* Enter [base, base + size) as live, with a copy of the label. */
static bool enter(struct mem_device *d, uint64_t base, uint64_t size, enum mem_kind kind, const char *label)
{
    char *copy = mem_label_new(label);

    if (label && !copy) {
        return false;
    }
    struct mem_alloc alloc = {
        .base = base,
        .size = size,
        .kind = (uint8_t)kind,
        .id = d->last_id + 1,
        .label = copy,
    };
    if (!mem_live_add(&d->live, &alloc)) {
        mem_label_drop(copy);
        return false;
    }
    d->last_id++;
    return true;
}

static enum mem_status allocate(struct mem_device *d, uint64_t size, uint64_t align, enum mem_kind kind,
                                const char *label, uint64_t *address)
{
    uint64_t used = mem_used(d), begin;

    /* In this order no sum overflows: a size that passes is far below 2^64. */
    if (size > d->capacity - used || charge_of(size) > d->capacity - used) {
        return MEM_OUT_OF_MEMORY;
    }
    if (!take(d, span_of(size), align, &begin)) {
        return MEM_OUT_OF_MEMORY;
    }
    if (!mem_region_commit(&d->region, begin, size) || !enter(d, begin, size, kind, label)) {
        (void)mem_region_give(&d->region, begin, span_of(size));
        return MEM_OUT_OF_MEMORY;
    }
    atomic_store_explicit(&d->used, used + charge_of(size), memory_order_relaxed);
    *address = begin;
    return MEM_OK;
}

enum mem_status mem_allocate(struct mem_device *d, uint64_t size, uint64_t align, enum mem_kind kind, const char *label,
                             uint64_t *address)
{
    if (align < MEM_ALIGN) {
        align = MEM_ALIGN;
    }
    if (size == 0 || (align & (align - 1)) != 0) {
        return MEM_INVALID_SIZE;
    }
    lock(d);
    enum mem_status status = allocate(d, size, align, kind, label, address);
    unlock(d);
    return status;
}

/* The live allocation that starts at `address` and is, or is not, registered host memory. */
static bool live_at(const struct mem_device *d, uint64_t address, bool host, size_t *index)
{
    return mem_live_index(&d->live, address, index) && (d->live.allocs[*index].kind == MEM_HOST) == host;
}

static enum mem_status release(struct mem_device *d, uint64_t address)
{
    size_t index;

    if (!live_at(d, address, false, &index)) {
        return MEM_INVALID_ADDRESS;
    }
    struct mem_alloc alloc = mem_live_remove(&d->live, index);
    mem_region_discard(alloc.base, alloc.size);
    atomic_store_explicit(&d->used, mem_used(d) - charge_of(alloc.size), memory_order_relaxed);
    remember(d, alloc, true);
    return MEM_OK;
}

enum mem_status mem_release(struct mem_device *d, uint64_t address)
{
    lock(d);
    enum mem_status status = release(d, address);
    unlock(d);
    return status;
}

void mem_set_read_only(struct mem_device *d, uint64_t address, bool read_only)
{
    size_t index;

    lock(d);
    if (mem_live_index(&d->live, address, &index)) {
        mem_live_set_read_only(&d->live, index, read_only);
    }
    unlock(d);
}

/* --- host memory ----------------------------------------------------------------------------------------------------
 */

static enum mem_status register_host(struct mem_device *d, uint64_t base, uint64_t size, const char *label)
{
    uint64_t last = base + (size - 1);
    bool in_region = last >= d->region.base && base < d->region.base + d->region.reserved;

    if (last < base || in_region || mem_live_overlaps(&d->live, base, size)) {
        return MEM_INVALID_ADDRESS;
    }
    return enter(d, base, size, MEM_HOST, label) ? MEM_OK : MEM_OUT_OF_MEMORY;
}

enum mem_status mem_register_host(struct mem_device *d, void *host, uint64_t size, const char *label)
{
    if (!host) {
        return MEM_INVALID_ADDRESS;
    }
    if (size == 0) {
        return MEM_INVALID_SIZE;
    }
    lock(d);
    enum mem_status status = register_host(d, (uintptr_t)host, size, label);
    unlock(d);
    return status;
}

enum mem_status mem_unregister_host(struct mem_device *d, void *host)
{
    size_t index;

    lock(d);
    bool found = live_at(d, (uintptr_t)host, true, &index);
    if (found) {
        remember(d, mem_live_remove(&d->live, index), false);
    }
    unlock(d);
    return found ? MEM_OK : MEM_INVALID_ADDRESS;
}

/* --- snapshots and copies -------------------------------------------------------------------------------------------
 */

const struct mem_map *mem_map_acquire(struct mem_device *d)
{
    lock(d);
    const struct mem_map *map = mem_live_acquire(&d->live);
    unlock(d);
    return map;
}

void mem_map_done(struct mem_device *d, const struct mem_map *map)
{
    lock(d);
    mem_live_done(map);
    unlock(d);
}

/* Looks in the live array itself: a copy between two launches must not cost a snapshot. */
void *mem_host_pointer(struct mem_device *d, uint64_t address, uint64_t size)
{
    lock(d);
    struct mem_map live = {d->live.allocs, d->live.count};
    bool inside = mem_find(&live, address, size) != NULL;
    unlock(d);
    return inside ? (void *)(uintptr_t)address : NULL;
}

enum mem_status mem_copy_to(struct mem_device *d, uint64_t device, const void *host, uint64_t size)
{
    if (size == 0) {
        return MEM_OK;
    }
    void *to = mem_host_pointer(d, device, size);
    if (!to) {
        return MEM_INVALID_ADDRESS;
    }
    memmove(to, host, size); /* host memory may be registered, hence overlap */
    return MEM_OK;
}

enum mem_status mem_copy_from(struct mem_device *d, void *host, uint64_t device, uint64_t size)
{
    if (size == 0) {
        return MEM_OK;
    }
    const void *from = mem_host_pointer(d, device, size);
    if (!from) {
        return MEM_INVALID_ADDRESS;
    }
    memmove(host, from, size);
    return MEM_OK;
}
