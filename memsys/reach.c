/*
 * What kernels of a device may reach besides its own memory: registered host memory and the memory of peers; and the
 * snapshots in which they look.  Invariant: at most one device's lock is held at a time, so peers of each other cannot
 * block each other.
 */
#include "memsys/device.h"

#include <stdlib.h>
#include <string.h>

static void lock(struct mem_device *d)
{
    pthread_mutex_lock(&d->lock);
}

static void unlock(struct mem_device *d)
{
    pthread_mutex_unlock(&d->lock);
}

/* --- host memory ----------------------------------------------------------------------------------------------------
 */

bool mem_in_region(const struct mem_device *d, uint64_t address)
{
    const uint64_t addresses = __atomic_load_n(&d->addresses.reserved, __ATOMIC_ACQUIRE);

    return address - d->region.base < d->region.reserved || (addresses != 0 && address - d->addresses.base < addresses);
}

static enum mem_status register_host(struct mem_device *d, uint64_t base, uint64_t size, const char *label)
{
    const uint64_t last = base + (size - 1);

    if (last < base || mem_region_overlaps(&d->region, base, last) || mem_region_overlaps(&d->addresses, base, last) ||
        mem_live_overlaps(&d->live, base, size)) {
        return MEM_INVALID_ADDRESS;
    }
    return mem_enter(d, &(struct mem_alloc){.base = base, .size = size, .kind = MEM_HOST}, label) ? MEM_OK
                                                                                                  : MEM_OUT_OF_MEMORY;
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
    const enum mem_status status = register_host(d, (uintptr_t)host, size, label);

    unlock(d);
    return status;
}

enum mem_status mem_unregister_host(struct mem_device *d, void *host)
{
    const uint64_t address = (uintptr_t)host;
    enum mem_status status = MEM_INVALID_ADDRESS;
    struct mem_alloc alloc;

    lock(d);
    if (mem_live_at(d, address, 1u << MEM_HOST)) {
        status = mem_live_remove(&d->live, address, &alloc) ? MEM_OK : MEM_OUT_OF_MEMORY;
    }
    if (status == MEM_OK) {
        mem_remember(d, alloc, false);
    }
    unlock(d);
    return status;
}

/* --- looking up from the host ---------------------------------------------------------------------------------------
 */

bool mem_lookup(struct mem_device *d, uint64_t address, struct mem_alloc *out)
{
    lock(d);
    const struct mem_alloc *found = mem_live_find(&d->live, address, 1);

    if (found) {
        *out = *found;
        out->label = NULL;
    }
    unlock(d);
    return found != NULL;
}

/* --- peers ----------------------------------------------------------------------------------------------------------
 */

/* Place of a peer in the list; their number if it is not there. */
static size_t peer_index(const struct mem_device *d, const struct mem_device *peer)
{
    size_t i = 0;

    while (i < d->n_peers && d->peers[i] != peer) {
        i++;
    }
    return i;
}

enum mem_status mem_peer_enable(struct mem_device *d, struct mem_device *peer)
{
    enum mem_status status = d == peer ? MEM_INVALID_ADDRESS : MEM_OK;

    lock(d);
    if (status == MEM_OK && peer_index(d, peer) == d->n_peers) {
        if (d->n_peers == MEM_PEERS_MOST) {
            status = MEM_OUT_OF_MEMORY;
        } else {
            d->peers[d->n_peers++] = peer;
        }
    }
    unlock(d);
    return status;
}

void mem_peer_disable(struct mem_device *d, struct mem_device *peer)
{
    lock(d);
    const size_t i = peer_index(d, peer);

    if (i < d->n_peers) {
        d->peers[i] = d->peers[--d->n_peers];
    }
    unlock(d);
}

/* --- snapshots ------------------------------------------------------------------------------------------------------
 */

static const struct mem_map *own_map(struct mem_device *d)
{
    lock(d);
    const struct mem_map *map = mem_live_acquire(&d->live);

    unlock(d);
    return map;
}

static void own_map_done(struct mem_device *d, const struct mem_map *map)
{
    lock(d);
    mem_live_done(map);
    unlock(d);
}

/* Snapshots of several devices as one; NULL when host memory is exhausted. */
static const struct mem_map *joined_map(struct mem_device *const *devices, size_t count)
{
    struct mem_map *map = malloc(sizeof(*map) + count * sizeof(*map->peers));

    if (!map) {
        return NULL;
    }
    struct mem_peer_map *parts = (struct mem_peer_map *)(map + 1);

    for (size_t i = 0; i < count; i++) {
        parts[i] = (struct mem_peer_map){devices[i], own_map(devices[i])};
    }
    *map = (struct mem_map){
        .own = parts[0].map->own, .allocs = parts[0].map->allocs, .references = 1, .peers = parts, .n_peers = count};
    return map;
}

const struct mem_map *mem_map_acquire(struct mem_device *d)
{
    struct mem_device *devices[MEM_PEERS_MOST + 1] = {d};

    lock(d);
    const size_t n_peers = d->n_peers;

    if (n_peers == 0) {
        const struct mem_map *map = mem_live_acquire(&d->live);

        unlock(d);
        return map;
    }
    memcpy(devices + 1, d->peers, n_peers * sizeof(*d->peers));
    unlock(d);
    const struct mem_map *map = joined_map(devices, n_peers + 1);

    return map ? map : own_map(d);
}

void mem_map_done(struct mem_device *d, const struct mem_map *map)
{
    if (map->n_peers == 0) {
        own_map_done(d, map);
        return;
    }
    for (size_t i = 0; i < map->n_peers; i++) {
        own_map_done(map->peers[i].device, map->peers[i].map);
    }
    free((void *)(uintptr_t)map);
}
