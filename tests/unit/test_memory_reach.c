/*
 * What kernels may reach besides a device's own allocations: peers, mapped pieces of shared memory; and that it all
 * stays fast with many allocations.
 */
#include "memsys/memory.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MIB ((uint64_t)1 << 20)

static struct mem_device *new_device(void)
{
    struct mem_device *d = mem_device_new(512 * MIB);

    cr_assert_not_null(d);
    return d;
}

static uint64_t allocate(struct mem_device *d, uint64_t size, const char *label)
{
    uint64_t address = 0;

    cr_assert_eq(mem_allocate(d, size, 0, MEM_DEVICE, label, &address), MEM_OK);
    return address;
}

/* Does a snapshot of now show the bytes? */
static bool reachable(struct mem_device *d, uint64_t address, uint64_t size)
{
    const struct mem_map *map = mem_map_acquire(d);
    const bool found = mem_find(map, address, size) != NULL;

    mem_map_done(d, map);
    return found;
}

Test(memory_reach, peers_are_reachable_one_way_while_enabled)
{
    struct mem_device *a = new_device(), *b = new_device();
    uint64_t own = allocate(a, 100, "own"), far = allocate(b, 100, "far");

    cr_assert(!reachable(a, far, 100));
    cr_assert_eq(mem_peer_enable(a, b), MEM_OK);
    cr_assert_eq(mem_peer_enable(a, b), MEM_OK, "twice is once");
    cr_assert_eq(mem_peer_enable(a, a), MEM_INVALID_ADDRESS);
    cr_assert(reachable(a, far, 100) && reachable(a, far + 99, 1) && !reachable(a, far, 101));
    cr_assert(reachable(a, own, 100));
    cr_assert(!reachable(b, own, 1), "only one way");
    uint64_t later = allocate(b, 8, NULL);

    cr_assert(reachable(a, later, 8), "snapshots show what the peer has now");
    cr_assert_eq(mem_release(b, far), MEM_OK);
    cr_assert(!reachable(a, far, 1));
    mem_peer_disable(a, b);
    mem_peer_disable(a, b);
    cr_assert(!reachable(a, later, 8) && reachable(a, own, 100));
    mem_device_free(a);
    mem_device_free(b);
}

Test(memory_reach, the_nearest_allocation_may_be_a_peers)
{
    struct mem_device *a = new_device(), *b = new_device();
    uint64_t far = allocate(b, 100, "far");
    int64_t distance;

    allocate(a, 100, "own");
    mem_peer_enable(a, b);
    mem_peer_enable(b, a);
    const struct mem_map *map = mem_map_acquire(a);

    cr_assert_str_eq(mem_nearest(map, far + 103, &distance)->label, "far");
    cr_assert_eq(distance, 4);
    mem_map_done(a, map);
    mem_device_free(a);
    mem_device_free(b);
}

Test(memory_reach, a_host_address_is_looked_up_from_inside)
{
    struct mem_device *d = new_device();
    uint64_t first = allocate(d, 1000, "a"), second = allocate(d, 8, "b");
    struct mem_alloc found;

    cr_assert(mem_lookup(d, first + 999, &found));
    cr_assert(found.base == first && found.size == 1000 && found.kind == MEM_DEVICE && found.id == 1);
    cr_assert(mem_lookup(d, second, &found) && found.id == 2);
    cr_assert(!mem_lookup(d, first + 1000, &found) && !mem_lookup(d, 16, &found));
    cr_assert(mem_in_region(d, first + 5000) && !mem_in_region(d, (uintptr_t)&found));
    mem_device_free(d);
}

Test(memory_reach, one_piece_of_memory_is_mapped_twice)
{
    struct mem_device *d = new_device();
    const uint64_t bytes = 2 * MIB;
    uint64_t at;
    int fd = memfd_create("piece", 0);

    cr_assert(fd >= 0 && ftruncate(fd, (off_t)bytes) == 0);
    cr_assert_eq(mem_reserve(d, 4 * bytes, bytes, &at), MEM_OK);
    cr_assert(at % bytes == 0 && mem_in_region(d, at));
    cr_assert(!reachable(d, at, 1), "reserved is not mapped");
    cr_assert_eq(mem_map_file(d, at, bytes, fd, 0), MEM_OK);
    cr_assert_eq(mem_map_file(d, at + bytes, bytes, fd, 0), MEM_OK);
    cr_assert_eq(mem_map_file(d, at + 4 * bytes, bytes, fd, 0), MEM_INVALID_ADDRESS, "not reserved");
    cr_assert_eq(mem_map_file(d, at + 1, bytes, fd, 0), MEM_INVALID_ADDRESS, "not whole pages");
    cr_assert(!reachable(d, at, 1), "mapped is not granted");
    cr_assert_eq(mem_grant(d, at, 2 * bytes, false, "pieces"), MEM_OK);
    cr_assert_eq(mem_grant(d, at + bytes, bytes, false, NULL), MEM_INVALID_ADDRESS, "granted already");
    cr_assert(reachable(d, at + bytes - 8, 16), "across the two pieces");
    *(volatile uint32_t *)(uintptr_t)(at + 4) = 77;
    cr_assert_eq(*(volatile uint32_t *)(uintptr_t)(at + bytes + 4), 77u);
    cr_assert_eq(mem_release(d, at), MEM_INVALID_ADDRESS, "not allocated");
    cr_assert_eq(mem_revoke(d, at), MEM_OK);
    cr_assert_eq(mem_revoke(d, at), MEM_INVALID_ADDRESS);
    cr_assert_eq(mem_unmap_file(d, at, bytes), MEM_OK);
    cr_assert_eq(*(volatile uint32_t *)(uintptr_t)(at + 4), 0u, "a late reader does not crash");
    cr_assert_eq(*(volatile uint32_t *)(uintptr_t)(at + bytes + 4), 77u, "the other mapping stays");
    cr_assert_eq(mem_unmap_file(d, at + bytes, bytes), MEM_OK);
    cr_assert_eq(mem_unreserve(d, at, 4 * bytes), MEM_OK);
    cr_assert_eq(mem_unreserve(d, at, 4 * bytes), MEM_INVALID_ADDRESS);
    cr_assert_eq(mem_used(d), 0, "mapped memory is its owner's");
    close(fd);
    mem_device_free(d);
}

Test(memory_reach, more_is_reserved_than_the_device_has)
{
    struct mem_device *d = new_device();
    uint64_t at[4];

    for (int i = 0; i < 4; i++) {
        cr_assert_eq(mem_reserve(d, 1024 * MIB, 0, &at[i]), MEM_OK);
        cr_assert(i == 0 || at[i] != at[i - 1]);
    }
    cr_assert_eq(mem_reserve(d, 100, 0, &at[0]), MEM_INVALID_SIZE);
    cr_assert_eq(mem_reserve(d, MIB, 3 * MIB, &at[0]), MEM_INVALID_SIZE);
    mem_device_free(d);
}

/* --- many allocations ------------------------------------------------------------------------- */
enum { MANY = 100000 };

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* An order that jumps about: 7919 is prime to MANY. */
static size_t scattered(size_t i)
{
    return i * 7919 % MANY;
}

Test(memory_reach, a_hundred_thousand_allocations_are_no_burden)
{
    struct mem_device *d = new_device();
    uint64_t *at = malloc(MANY * sizeof *at);
    const double start = seconds();

    for (size_t i = 0; i < MANY; i++) {
        at[i] = allocate(d, 64 + i % 300, "small");
    }
    /* Each change is followed by a launch's snapshot. */
    for (size_t i = 0; i < 2000; i++) {
        const size_t k = scattered(i);

        cr_assert_eq(mem_release(d, at[k]), MEM_OK);
        cr_assert(!reachable(d, at[k], 1));
        at[k] = allocate(d, 64, "again");
        cr_assert(reachable(d, at[k], 64));
    }
    for (size_t i = 0; i < MANY; i++) {
        cr_assert_eq(mem_release(d, at[scattered(i)]), MEM_OK);
    }
    cr_assert_eq(mem_used(d), 0);
    /* What is quadratic takes minutes; a busy machine takes some times the half second. */
    cr_assert_lt(seconds() - start, 20.0);
    free(at);
    mem_device_free(d);
}

Test(memory_reach, a_snapshot_does_not_change_with_the_chunks_it_shares)
{
    enum { COUNT = 1000 };
    struct mem_device *d = new_device();
    uint64_t at[COUNT];

    for (int i = 0; i < COUNT; i++) {
        at[i] = allocate(d, 100, "kept");
    }
    const struct mem_map *old = mem_map_acquire(d);

    for (int i = 0; i < COUNT; i += 2) {
        cr_assert_eq(mem_release(d, at[i]), MEM_OK);
    }
    const struct mem_map *young = mem_map_acquire(d);

    cr_assert(mem_count(old) == COUNT && mem_count(young) == COUNT / 2);
    for (int i = 0; i < COUNT; i++) {
        cr_assert_str_eq(mem_find(old, at[i], 100)->label, "kept");
        cr_assert_eq(mem_find(young, at[i], 100) != NULL, i % 2 == 1);
    }
    mem_map_done(d, old);
    mem_map_done(d, young);
    mem_device_free(d);
}
