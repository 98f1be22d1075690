/*
 * Device memory: the lock around a region, the live allocations in it, and the recently freed.
 *
 * Invariants: an allocation's span is its size rounded up to MEM_ALIGN plus one redzone, so the gap after every
 * allocation belongs to nobody.  Capacity counts rounded sizes and not redzones; the region is twice the capacity, so
 * redzones never make a request fail that the GPU would grant.  The last MEM_HISTORY freed spans are kept out of use
 * while there is other room: an access through a dangling pointer then hits no one else's allocation and can be named.
 */
#include "memsys/memory.h"

#include "memsys/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEM_GUARD         ((uint64_t)1 << 16) /* inaccessible bytes between windows and allocations */
#define MEM_SLACK         ((uint64_t)1 << 26) /* address space beyond twice the capacity, for alignment */
#define MEM_LEAST_RESERVE ((uint64_t)1 << 30) /* smaller reservations are not tried */
#define MEM_MOST_CAPACITY ((uint64_t)1 << 50) /* keeps sums of sizes far from overflow */
#define MEM_LEAD          (MEM_SHARED_WINDOW + MEM_LOCAL_WINDOW + MEM_PARAM_WINDOW + MEM_GUARD)

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
    mem_region_close(&d->addresses);
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
static void let_go(struct mem_device *d, struct mem_history *f)
{
    if (f->held) {
        (void)mem_region_give(&d->region, f->alloc.base, span_of(f->alloc.size));
        f->held = false;
    }
}

void mem_remember(struct mem_device *d, struct mem_alloc alloc, bool held)
{
    struct mem_history *f = &d->history[d->oldest];

    let_go(d, f);
    mem_label_drop(f->alloc.label);
    *f = (struct mem_history){alloc, held};
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

bool mem_enter(struct mem_device *d, const struct mem_alloc *what, const char *label)
{
    struct mem_alloc alloc = *what;

    alloc.id = d->last_id + 1;
    alloc.label = mem_label_new(label);
    if (label && !alloc.label) {
        return false;
    }
    if (!mem_live_add(&d->live, &alloc)) {
        mem_label_drop(alloc.label);
        return false;
    }
    d->last_id++;
    return true;
}

static enum mem_status allocate(struct mem_device *d, uint64_t size, uint64_t align, enum mem_kind kind,
                                const char *label, uint64_t *address)
{
    const uint64_t slack = kind == MEM_DEVICE ? d->slack : 0;
    uint64_t used = mem_used(d), begin;

    /* In this order no sum overflows: a size that passes is far below 2^64. */
    if (size > d->capacity - used || charge_of(size) > d->capacity - used) {
        return MEM_OUT_OF_MEMORY;
    }
    size += slack;
    if (size > d->capacity - used || !take(d, span_of(size), align, &begin)) {
        return MEM_OUT_OF_MEMORY;
    }
    if (!mem_region_commit(&d->region, begin, size) ||
        !mem_enter(d, &(struct mem_alloc){.base = begin, .size = size, .slack = slack, .kind = (uint8_t)kind}, label)) {
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

void mem_set_slack(struct mem_device *d, uint64_t slack)
{
    lock(d);
    d->slack = slack < MEM_SLACK_MOST ? slack : MEM_SLACK_MOST;
    unlock(d);
}

const struct mem_alloc *mem_live_at(const struct mem_device *d, uint64_t address, unsigned kinds)
{
    const struct mem_alloc *a = mem_live_find(&d->live, address, 1);

    return a && a->base == address && (kinds >> a->kind & 1) ? a : NULL;
}

static enum mem_status release(struct mem_device *d, uint64_t address)
{
    struct mem_alloc alloc;

    if (!mem_live_at(d, address, ~(1u << MEM_HOST | 1u << MEM_MAPPED))) {
        return MEM_INVALID_ADDRESS;
    }
    if (!mem_live_remove(&d->live, address, &alloc)) {
        return MEM_OUT_OF_MEMORY;
    }
    mem_region_discard(alloc.base, alloc.size);
    atomic_store_explicit(&d->used, mem_used(d) - charge_of(alloc.size), memory_order_relaxed);
    mem_remember(d, alloc, true);
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
    lock(d);
    if (mem_live_at(d, address, ~0u)) {
        (void)mem_live_set_read_only(&d->live, address, read_only);
    }
    unlock(d);
}

/* --- copies ---------------------------------------------------------------------------------------------------------
 */

/* Looks at the live allocations themselves: a copy between two launches must not cost a snapshot. */
void *mem_host_pointer(struct mem_device *d, uint64_t address, uint64_t size)
{
    lock(d);
    bool inside = mem_live_find(&d->live, address, size) != NULL;
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
