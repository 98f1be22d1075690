/*
 * The table of registered host addresses: a hash table with chains.
 *
 * Invariant: an entry is in exactly one chain and in its module's list.  Readers hold the lock for reading only while
 * they walk a chain: an entry may be used without it, since a program that unregisters code while it uses it is broken
 * anyway.
 */
#include "registry.h"

#include <stdint.h>
#include <stdlib.h>

enum { FIRST_BUCKETS = 64 };

static size_t bucket_of(const void *key, size_t bucket_count)
{
    uint64_t hash = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio: spreads aligned addresses */

    return (size_t)(hash >> 32) & (bucket_count - 1);
}

static void push(struct crt_entry **buckets, size_t bucket_count, struct crt_entry *entry)
{
    struct crt_entry **bucket = &buckets[bucket_of(entry->key, bucket_count)];

    entry->next = *bucket;
    *bucket = entry;
}

/* Move a chain to a new table, its oldest entry first, so that the newest stays in front. */
static void move_chain(struct crt_entry *entry, struct crt_entry **buckets, size_t bucket_count)
{
    struct crt_entry *reversed = NULL;

    while (entry != NULL) {
        struct crt_entry *next = entry->next;

        entry->next = reversed;
        reversed = entry;
        entry = next;
    }
    while (reversed != NULL) {
        struct crt_entry *next = reversed->next;

        push(buckets, bucket_count, reversed);
        reversed = next;
    }
}

/* Keep chains short.  Without memory for a larger table the old one stays, if there is one. */
static bool make_room(struct crt_registry *registry)
{
    size_t count = registry->bucket_count != 0 ? registry->bucket_count * 2 : FIRST_BUCKETS;
    struct crt_entry **buckets = NULL;

    if (registry->entry_count < registry->bucket_count) {
        return true;
    }
    buckets = calloc(count, sizeof(*buckets));
    if (buckets == NULL) {
        return registry->bucket_count != 0;
    }
    for (size_t i = 0; i < registry->bucket_count; i++) {
        move_chain(registry->buckets[i], buckets, count);
    }
    free(registry->buckets);
    registry->buckets = buckets;
    registry->bucket_count = count;
    return true;
}

void crt_registry_add(struct crt_registry *registry, struct crt_module *module, enum crt_entry_kind kind,
                      const void *key, const char *name)
{
    struct crt_entry *entry = calloc(1, sizeof(*entry));

    if (entry == NULL) {
        return;
    }
    entry->kind = kind;
    entry->key = key;
    entry->name = name;
    entry->module = module;
    pthread_rwlock_wrlock(&registry->lock);
    if (make_room(registry)) {
        push(registry->buckets, registry->bucket_count, entry);
        registry->entry_count++;
        entry->next_in_module = module->entries;
        module->entries = entry;
        entry = NULL;
    }
    pthread_rwlock_unlock(&registry->lock);
    free(entry); /* only where there was no room */
}

static void unlink_entry(struct crt_registry *registry, const struct crt_entry *entry)
{
    struct crt_entry **link = &registry->buckets[bucket_of(entry->key, registry->bucket_count)];

    while (*link != entry) {
        link = &(*link)->next;
    }
    *link = entry->next;
    registry->entry_count--;
}

void crt_registry_remove(struct crt_registry *registry, struct crt_module *module)
{
    pthread_rwlock_wrlock(&registry->lock);
    while (module->entries != NULL) {
        struct crt_entry *entry = module->entries;

        module->entries = entry->next_in_module;
        unlink_entry(registry, entry);
        free(entry);
    }
    pthread_rwlock_unlock(&registry->lock);
}

struct crt_entry *crt_registry_find(struct crt_registry *registry, const void *key)
{
    struct crt_entry *entry = NULL;

    pthread_rwlock_rdlock(&registry->lock);
    if (registry->bucket_count != 0) {
        entry = registry->buckets[bucket_of(key, registry->bucket_count)];
    }
    while (entry != NULL && entry->key != key) {
        entry = entry->next;
    }
    pthread_rwlock_unlock(&registry->lock);
    return entry;
}

static struct crt_entry *managed_in_chain(struct crt_entry *entry, const void *address)
{
    while (entry != NULL && !(entry->kind == CRT_MANAGED && *(void *const *)entry->key == address)) {
        entry = entry->next;
    }
    return entry;
}

/* Rare enough (the symbol functions on a managed variable) that no second table is kept for it. */
struct crt_entry *crt_registry_find_managed(struct crt_registry *registry, const void *address)
{
    struct crt_entry *found = NULL;

    pthread_rwlock_rdlock(&registry->lock);
    for (size_t i = 0; i < registry->bucket_count && found == NULL; i++) {
        found = managed_in_chain(registry->buckets[i], address);
    }
    pthread_rwlock_unlock(&registry->lock);
    return found;
}
