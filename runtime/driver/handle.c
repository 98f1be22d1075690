/*
 * Handles: slots in one reserved range.  Invariant: a slot whose kind is not DRV_NONE has an object.
 */
#include "runtime/driver/handle.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

enum { REUSE_AFTER = 1024 }; /* slots that wait before the oldest is used again */
#define RANGE_BYTES (UINT64_C(1) << 32)

struct slot {
    _Atomic uint32_t kind;
    uint32_t next_free; /* index + 1 of the slot that was freed after this one; 0: none */
    void *_Atomic object;
};

static struct {
    pthread_mutex_t lock;
    struct slot *_Atomic slots;
    _Atomic uint32_t used; /* slots that were ever used */
    uint32_t first_free, last_free, n_free;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct slot *reserve(void)
{
    void *at = mmap(NULL, RANGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

/* The index of a slot to use, UINT32_MAX when there is none. */
static uint32_t take_slot(void)
{
    struct slot *slots = atomic_load(&table.slots);

    if (slots == NULL) {
        slots = reserve();
        if (slots == NULL) {
            return UINT32_MAX;
        }
        atomic_store(&table.slots, slots);
    }
    const uint32_t used = atomic_load(&table.used);

    if (table.n_free > REUSE_AFTER) {
        const uint32_t index = table.first_free - 1;

        table.first_free = slots[index].next_free;
        table.n_free--;
        return index;
    }
    if (used >= RANGE_BYTES / sizeof(struct slot)) {
        return UINT32_MAX;
    }
    atomic_store(&table.used, used + 1);
    return used;
}

void *drv_handle_new(enum drv_kind kind, void *object)
{
    struct slot *slot = NULL;

    pthread_mutex_lock(&table.lock);
    const uint32_t index = take_slot();

    if (index != UINT32_MAX) {
        slot = &atomic_load(&table.slots)[index];
        atomic_store(&slot->object, object);
        atomic_store(&slot->kind, (uint32_t)kind);
    }
    pthread_mutex_unlock(&table.lock);
    return slot;
}

void *drv_handle_get(const void *handle, enum drv_kind kind)
{
    struct slot *slots = atomic_load_explicit(&table.slots, memory_order_acquire);
    const uint64_t offset = (uint64_t)((uintptr_t)handle - (uintptr_t)slots);

    if (slots == NULL || offset % sizeof *slots != 0 || offset / sizeof *slots >= atomic_load(&table.used)) {
        return NULL;
    }
    struct slot *slot = &slots[offset / sizeof *slots];

    return atomic_load(&slot->kind) == (uint32_t)kind ? atomic_load(&slot->object) : NULL;
}

void drv_handle_drop(void *handle)
{
    pthread_mutex_lock(&table.lock);
    struct slot *slots = atomic_load(&table.slots), *slot = handle;
    const uint32_t index = (uint32_t)(slot - slots);

    atomic_store(&slot->kind, DRV_NONE);
    slot->next_free = 0;
    if (table.n_free++ == 0) {
        table.first_free = index + 1;
    } else {
        slots[table.last_free - 1].next_free = index + 1;
    }
    table.last_free = index + 1;
    pthread_mutex_unlock(&table.lock);
}
