/*
 * Handles and variables to objects.
 *
 *     handle: | 0x7e | 8 bits 0 | 24 bits: how often the slot was used | 24 bits: slot |
 *
 * No device address looks like a handle.  Slots lie in blocks that never move, so kernels read them without a lock;
 * variables lie in a list that is replaced as a whole.  What is replaced or destroyed while launches run is kept until
 * none runs.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "emu/texture_object.h"

enum { SLOT_BITS = 24, BLOCK_BITS = 10, BLOCKS = 1 << 10, BLOCK_SLOTS = 1 << BLOCK_BITS, USE_BITS = 24 };
#define HANDLE_TAG ((uint64_t)0x7e << 56)

struct slot {
    _Atomic(struct emu_object *) object;
    uint32_t used; /* times; under the lock */
};

struct variable {
    uint64_t address;
    struct emu_object *object;
};

/* Sorted by address; immutable. */
struct variables {
    struct variables *next; /* replaced and waiting for launches to end */
    size_t count;
    struct variable at[];
};

struct emu_bindings {
    pthread_mutex_t lock; /* all but what atomics hold */
    _Atomic(struct slot *) blocks[BLOCKS];
    uint32_t n_slots;
    uint32_t *free_slots;
    uint32_t n_free, free_room;
    _Atomic(struct variables *) variables;
    uint32_t launches;
    struct emu_object *dead_objects;
    struct variables *dead_variables;
};

struct emu_bindings *emu_bindings_new(void)
{
    struct emu_bindings *b = calloc(1, sizeof *b);

    if (b != NULL) {
        pthread_mutex_init(&b->lock, NULL);
    }
    return b;
}

/* --- what is no longer needed ------------------------------------------------------------------------------------- */
static void free_dead(struct emu_bindings *b)
{
    while (b->dead_objects != NULL) {
        struct emu_object *o = b->dead_objects;

        b->dead_objects = o->next;
        emu_object_free(o);
    }
    while (b->dead_variables != NULL) {
        struct variables *v = b->dead_variables;

        b->dead_variables = v->next;
        free(v);
    }
}

/* One slot or variable less names the object. */
static void drop(struct emu_bindings *b, struct emu_object *o)
{
    if (atomic_fetch_sub(&o->uses, 1) == 1) {
        o->next = b->dead_objects;
        b->dead_objects = o;
    }
}

static void unlock(struct emu_bindings *b)
{
    if (b->launches == 0) {
        free_dead(b);
    }
    pthread_mutex_unlock(&b->lock);
}

void emu_bindings_enter(struct emu_bindings *b)
{
    pthread_mutex_lock(&b->lock);
    b->launches++;
    pthread_mutex_unlock(&b->lock);
}

void emu_bindings_leave(struct emu_bindings *b)
{
    pthread_mutex_lock(&b->lock);
    b->launches--;
    unlock(b);
}

/* --- slots -------------------------------------------------------------------------------------------------------- */
static struct slot *slot_at(const struct emu_bindings *b, uint32_t index)
{
    struct slot *block = index >> BLOCK_BITS < BLOCKS
                             ? atomic_load_explicit(&b->blocks[index >> BLOCK_BITS], memory_order_acquire)
                             : NULL;

    return block == NULL ? NULL : &block[index % BLOCK_SLOTS];
}

static bool take_slot(struct emu_bindings *b, uint32_t *index)
{
    if (b->n_free != 0) {
        *index = b->free_slots[--b->n_free];
        return true;
    }
    if (b->n_slots == (uint32_t)BLOCKS * BLOCK_SLOTS) {
        return false;
    }
    if (b->n_slots % BLOCK_SLOTS == 0) {
        struct slot *block = calloc(BLOCK_SLOTS, sizeof *block);

        if (block == NULL) {
            return false;
        }
        atomic_store_explicit(&b->blocks[b->n_slots >> BLOCK_BITS], block, memory_order_release);
    }
    *index = b->n_slots++;
    return true;
}

/* A slot may be used again, unless it was used so often that handles would repeat; without memory it is lost. */
static void give_slot(struct emu_bindings *b, uint32_t index)
{
    if (slot_at(b, index)->used >> USE_BITS != 0) {
        return;
    }
    if (b->n_free == b->free_room) {
        const uint32_t room = b->free_room == 0 ? 64 : b->free_room * 2;
        uint32_t *grown = realloc(b->free_slots, room * sizeof *grown);

        if (grown == NULL) {
            return;
        }
        b->free_slots = grown;
        b->free_room = room;
    }
    b->free_slots[b->n_free++] = index;
}

static enum emu_texture_status add(struct emu_bindings *b, struct emu_object *o, uint64_t *handle)
{
    uint32_t index;

    *handle = 0;
    if (o == NULL) {
        return EMU_TEXTURE_NO_MEMORY;
    }
    pthread_mutex_lock(&b->lock);
    const bool ok = take_slot(b, &index);

    if (ok) {
        struct slot *s = slot_at(b, index);

        o->handle = HANDLE_TAG | (uint64_t)s->used++ << SLOT_BITS | index;
        atomic_init(&o->uses, 1);
        atomic_store_explicit(&s->object, o, memory_order_release);
        *handle = o->handle;
    }
    pthread_mutex_unlock(&b->lock);
    if (!ok) {
        emu_object_free(o);
    }
    return ok ? EMU_TEXTURE_OK : EMU_TEXTURE_NO_MEMORY;
}

enum emu_texture_status emu_texture_create(struct emu_bindings *b, const struct emu_texture *texture, uint64_t *handle)
{
    *handle = 0;
    return emu_texture_flaw(texture) != NULL ? EMU_TEXTURE_BAD : add(b, emu_object_texture(texture), handle);
}

enum emu_texture_status emu_surface_create(struct emu_bindings *b, struct emu_array *array, uint32_t level,
                                           uint64_t *handle)
{
    *handle = 0;
    return array == NULL || level >= emu_array_shape(array)->levels ? EMU_TEXTURE_BAD
                                                                    : add(b, emu_object_surface(array, level), handle);
}

static struct emu_object *object_of(const struct emu_bindings *b, uint64_t handle)
{
    struct slot *s = slot_at(b, (uint32_t)handle & ((1u << SLOT_BITS) - 1));
    struct emu_object *o = s == NULL ? NULL : atomic_load_explicit(&s->object, memory_order_acquire);

    return o != NULL && o->handle == handle ? o : NULL;
}

bool emu_handle_destroy(struct emu_bindings *b, uint64_t handle)
{
    const uint32_t index = (uint32_t)handle & ((1u << SLOT_BITS) - 1);

    pthread_mutex_lock(&b->lock);
    struct emu_object *o = object_of(b, handle);

    if (o != NULL) {
        atomic_store_explicit(&slot_at(b, index)->object, NULL, memory_order_release);
        give_slot(b, index);
        drop(b, o);
    }
    unlock(b);
    return o != NULL;
}

/* --- variables ---------------------------------------------------------------------------------------------------- */
/* Where the variable is, or belongs. */
static size_t place_of(const struct variables *v, uint64_t address)
{
    size_t low = 0, high = v == NULL ? 0 : v->count;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (v->at[middle].address < address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The same list with the variable bound to `o`, or without it where that is NULL. */
static struct variables *changed(const struct variables *old, uint64_t address, struct emu_object *o)
{
    const size_t count = old == NULL ? 0 : old->count, place = place_of(old, address);
    const bool was = place < count && old->at[place].address == address;
    struct variables *v = malloc(sizeof *v + (count + 1) * sizeof v->at[0]);

    if (v == NULL) {
        return NULL;
    }
    v->next = NULL;
    v->count = 0;
    for (size_t i = 0; i < place; i++) {
        v->at[v->count++] = old->at[i];
    }
    if (o != NULL) {
        v->at[v->count++] = (struct variable){address, o};
    }
    for (size_t i = place + was; i < count; i++) {
        v->at[v->count++] = old->at[i];
    }
    return v;
}

/* Put `v` in place of the list. */
static void replace(struct emu_bindings *b, struct variables *old, struct variables *v)
{
    atomic_store_explicit(&b->variables, v, memory_order_release);
    if (old != NULL) {
        old->next = b->dead_variables;
        b->dead_variables = old;
    }
}

bool emu_bindings_bind(struct emu_bindings *b, uint64_t address, uint64_t handle)
{
    pthread_mutex_lock(&b->lock);
    struct variables *old = atomic_load(&b->variables);
    struct emu_object *o = handle == 0 ? NULL : object_of(b, handle);
    const size_t place = place_of(old, address);
    const bool was = old != NULL && place < old->count && old->at[place].address == address;
    const bool needed = o != NULL || (handle == 0 && was);
    struct variables *v = needed ? changed(old, address, o) : NULL;

    if (v != NULL) {
        if (o != NULL) {
            atomic_fetch_add(&o->uses, 1);
        }
        if (was) {
            drop(b, old->at[place].object);
        }
        replace(b, old, v);
    }
    unlock(b);
    return v != NULL || (handle == 0 && !was);
}

const struct emu_object *emu_bindings_find(const struct emu_bindings *b, uint64_t handle)
{
    if (b == NULL) {
        return NULL;
    }
    if (handle >> 56 == HANDLE_TAG >> 56) {
        return object_of(b, handle);
    }
    const struct variables *v = atomic_load_explicit(&b->variables, memory_order_acquire);
    const size_t place = place_of(v, handle);

    return v != NULL && place < v->count && v->at[place].address == handle ? v->at[place].object : NULL;
}

void emu_bindings_free(struct emu_bindings *b)
{
    if (b == NULL) {
        return;
    }
    for (uint32_t i = 0; i < b->n_slots; i++) {
        struct emu_object *o = atomic_load(&slot_at(b, i)->object);

        if (o != NULL) {
            drop(b, o);
        }
    }
    struct variables *v = atomic_load(&b->variables);

    for (size_t i = 0; v != NULL && i < v->count; i++) {
        drop(b, v->at[i].object);
    }
    free_dead(b);
    free(v);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        free(atomic_load(&b->blocks[i]));
    }
    free(b->free_slots);
    pthread_mutex_destroy(&b->lock);
    free(b);
}
