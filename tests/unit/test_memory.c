/*
 * Device memory: allocation, bounds, redzones, reuse, snapshots, host registration, limits and threads.
 */
#include "memsys/memory.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)

/* The capacity of an H200, larger than the memory of most hosts. */
#define LARGE_CAPACITY ((uint64_t)150754820096)

static struct mem_device *device_of(uint64_t capacity)
{
    struct mem_device *d = mem_device_new(capacity);

    cr_assert_not_null(d);
    return d;
}

static uint64_t allocate(struct mem_device *d, uint64_t size, const char *label)
{
    uint64_t address = 0;

    cr_assert_eq(mem_allocate(d, size, 0, MEM_DEVICE, label, &address), MEM_OK);
    return address;
}

static bool all_zero(const void *bytes, uint64_t size)
{
    const unsigned char *p = bytes;

    return size == 0 || (p[0] == 0 && memcmp(p, p + 1, size - 1) == 0);
}

Test(memory, a_device_as_large_as_an_h200_can_be_reserved)
{
    struct mem_device *d = device_of(LARGE_CAPACITY);

    cr_assert_geq(mem_capacity(d), LARGE_CAPACITY);
    cr_assert_eq(mem_used(d), 0);
    mem_device_free(d);
    mem_device_free(NULL);
}

Test(memory, windows_do_not_overlap_each_other_or_allocations)
{
    struct mem_device *d = device_of(64 * MIB);
    uint64_t first = allocate(d, 1, NULL);

    cr_assert_geq(mem_local_window(d), mem_shared_window(d) + MEM_SHARED_WINDOW);
    cr_assert_geq(mem_param_window(d), mem_local_window(d) + MEM_LOCAL_WINDOW);
    cr_assert_gt(first, mem_param_window(d) + MEM_PARAM_WINDOW);
    cr_assert_null(mem_host_pointer(d, mem_local_window(d), 4));
    mem_device_free(d);
}

Test(memory, memory_is_zeroed_and_stays_what_was_written)
{
    struct mem_device *d = device_of(64 * MIB);
    uint64_t a = allocate(d, 3 * MIB + 5, "a");
    const char text[] = "written";
    char back[sizeof(text)];

    cr_assert(all_zero(mem_host_pointer(d, a, 3 * MIB + 5), 3 * MIB + 5));
    cr_assert_eq(mem_copy_to(d, a + 3 * MIB - 3, text, sizeof(text)), MEM_OK);
    cr_assert_eq(mem_copy_from(d, back, a + 3 * MIB - 3, sizeof(text)), MEM_OK);
    cr_assert_str_eq(back, text);
    mem_device_free(d);
}

Test(memory, reused_memory_is_zeroed)
{
    static const uint64_t sizes[] = {1, 255, 256, 4095, 4096, 4097, 12345, 1 << 20, (1 << 20) + 1};
    struct mem_device *d = device_of(64 * MIB);

    for (int round = 0; round < 200; round++) {
        uint64_t addresses[9];
        for (size_t i = 0; i < 9; i++) {
            addresses[i] = allocate(d, sizes[i], NULL);
            void *bytes = mem_host_pointer(d, addresses[i], sizes[i]);
            cr_assert(all_zero(bytes, sizes[i]), "round %d, size %zu", round, (size_t)sizes[i]);
            memset(bytes, 0xa5, sizes[i]);
        }
        for (size_t i = 0; i < 9; i++) {
            cr_assert_eq(mem_release(d, addresses[i]), MEM_OK);
        }
    }
    cr_assert_eq(mem_used(d), 0);
    mem_device_free(d);
}

/* Clearing a page that two allocations share must leave the neighbour's bytes alone. */
Test(memory, freeing_and_reusing_leaves_neighbours_alone)
{
    enum { COUNT = 100 };
    struct mem_device *d = device_of(64 * MIB);
    uint64_t a[COUNT];

    for (int i = 0; i < COUNT; i++) {
        a[i] = allocate(d, 1000, NULL);
        memset(mem_host_pointer(d, a[i], 1000), i, 1000);
    }
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < COUNT; i += 2) {
            cr_assert_eq(mem_release(d, a[i]), MEM_OK);
            a[i] = allocate(d, 1000, NULL);
            memset(mem_host_pointer(d, a[i], 1000), i, 1000);
        }
    }
    for (int i = 0; i < COUNT; i++) {
        const unsigned char *bytes = mem_host_pointer(d, a[i], 1000);
        cr_assert(bytes[0] == i && memcmp(bytes, bytes + 1, 999) == 0);
    }
    mem_device_free(d);
}

Test(memory, allocations_keep_a_redzone_apart)
{
    enum { COUNT = 300 };
    struct mem_device *d = device_of(64 * MIB);

    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t a = allocate(d, 1 + i * 37 % 1000, NULL);
        cr_assert_eq(a % MEM_ALIGN, 0);
        if (i % 3 == 1) {
            cr_assert_eq(mem_release(d, a), MEM_OK);
        }
    }
    const struct mem_map *map = mem_map_acquire(d);
    for (const struct mem_alloc *a = mem_next(map, 0), *next; (next = mem_next(map, a->base)) != NULL; a = next) {
        cr_assert_geq(next->base, a->base + a->size + MEM_REDZONE);
    }
    mem_map_done(d, map);
    mem_device_free(d);
}

Test(memory, alignment_is_obeyed)
{
    struct mem_device *d = device_of(64 * MIB);

    for (uint64_t align = 1; align <= 4 * MIB; align *= 2) {
        uint64_t a;
        cr_assert_eq(mem_allocate(d, 100, align, MEM_DEVICE, NULL, &a), MEM_OK);
        cr_assert_eq(a % align, 0);
    }
    mem_device_free(d);
}

Test(memory, bad_requests_fail_and_change_nothing)
{
    struct mem_device *d = device_of(64 * MIB);
    uint64_t a = 77;

    cr_assert_eq(mem_allocate(d, 0, 0, MEM_DEVICE, "x", &a), MEM_INVALID_SIZE);
    cr_assert_eq(mem_allocate(d, 8, 768, MEM_DEVICE, "x", &a), MEM_INVALID_SIZE);
    cr_assert_eq(mem_allocate(d, UINT64_MAX, 0, MEM_DEVICE, "x", &a), MEM_OUT_OF_MEMORY);
    cr_assert_eq(mem_allocate(d, UINT64_MAX - 300, 0, MEM_DEVICE, "x", &a), MEM_OUT_OF_MEMORY);
    cr_assert_eq(mem_allocate(d, 64 * MIB + 1, 0, MEM_DEVICE, "x", &a), MEM_OUT_OF_MEMORY);
    cr_assert_eq(mem_allocate(d, 8, (uint64_t)1 << 63, MEM_DEVICE, "x", &a), MEM_OUT_OF_MEMORY);
    cr_assert_eq(a, 77);
    cr_assert_eq(mem_used(d), 0);
    cr_assert_eq(mem_release(d, 0), MEM_INVALID_ADDRESS);
    cr_assert_eq(mem_release(d, UINT64_MAX), MEM_INVALID_ADDRESS);
    a = allocate(d, 1000, NULL);
    cr_assert_eq(mem_release(d, a + 256), MEM_INVALID_ADDRESS);
    cr_assert_eq(mem_release(d, a), MEM_OK);
    cr_assert_eq(mem_release(d, a), MEM_INVALID_ADDRESS, "freed twice");
    mem_device_free(d);
}

Test(memory, capacity_is_granted_to_the_byte_and_counted)
{
    struct mem_device *d = device_of(64 * MIB);
    uint64_t whole = allocate(d, 64 * MIB, NULL), a;

    cr_assert_eq(mem_used(d), 64 * MIB);
    cr_assert_eq(mem_allocate(d, 1, 0, MEM_DEVICE, NULL, &a), MEM_OUT_OF_MEMORY);
    cr_assert_eq(mem_release(d, whole), MEM_OK);
    cr_assert_eq(mem_used(d), 0);
    /* The freed range is withheld for a while, but never at the price of a request. */
    for (int i = 0; i < 200; i++) {
        cr_assert_eq(mem_release(d, allocate(d, 64 * MIB, NULL)), MEM_OK);
    }
    /* Redzones do not count: 256-byte allocations fill the capacity. */
    for (uint64_t i = 0; i < 64 * MIB / 256; i++) {
        cr_assert_eq(mem_allocate(d, 200, 0, MEM_DEVICE, NULL, &a), MEM_OK);
    }
    cr_assert_eq(mem_used(d), 64 * MIB);
    mem_device_free(d);
}

Test(memory, find_knows_every_boundary)
{
    struct mem_device *d = device_of(64 * MIB);
    uint64_t a = allocate(d, 100, "a"), b = allocate(d, 200, "b");
    const struct mem_map *map = mem_map_acquire(d);

    cr_assert_str_eq(mem_find(map, a, 100)->label, "a");
    cr_assert_str_eq(mem_find(map, a + 99, 1)->label, "a");
    cr_assert_str_eq(mem_find(map, b, 200)->label, "b");
    cr_assert_null(mem_find(map, a - 1, 1));
    cr_assert_null(mem_find(map, a + 100, 1));
    cr_assert_null(mem_find(map, a + 97, 4));
    cr_assert_null(mem_find(map, b - 1, 2));
    cr_assert_null(mem_find(map, a, b + 200 - a), "not one allocation's");
    cr_assert_null(mem_find(map, a, UINT64_MAX));
    cr_assert_null(mem_find(map, 0, 8));
    cr_assert_null(mem_find(map, UINT64_MAX, 8));
    mem_map_done(d, map);
    mem_device_free(d);
}

Test(memory, nearest_gives_a_signed_distance)
{
    struct mem_device *d = device_of(64 * MIB);
    int64_t distance = 99;
    const struct mem_map *none = mem_map_acquire(d);

    cr_assert_null(mem_nearest(none, 4096, &distance));
    mem_map_done(d, none);

    uint64_t a = allocate(d, 256, "a"), b = allocate(d, 256, "b");
    const struct mem_map *map = mem_map_acquire(d);
    cr_assert_eq(b, a + 512, "the layout the distances below rest on");
    cr_assert_str_eq(mem_nearest(map, a + 255, &distance)->label, "a");
    cr_assert_eq(distance, 0);
    cr_assert_str_eq(mem_nearest(map, a + 256, &distance)->label, "a");
    cr_assert_eq(distance, 1, "the first byte behind is one byte past");
    cr_assert_str_eq(mem_nearest(map, b - 4, &distance)->label, "b");
    cr_assert_eq(distance, -4);
    cr_assert_str_eq(mem_nearest(map, a - 8, &distance)->label, "a");
    cr_assert_eq(distance, -8);
    cr_assert_str_eq(mem_nearest(map, 0, &distance)->label, "a");
    cr_assert_eq(distance, -(int64_t)a);
    cr_assert_str_eq(mem_nearest(map, UINT64_MAX, &distance)->label, "b");
    cr_assert_eq(distance, INT64_MAX);
    mem_map_done(d, map);
    mem_device_free(d);
}

Test(memory, snapshots_outlive_changes)
{
    struct mem_device *d = device_of(64 * MIB);
    char label[] = "first";
    uint64_t a = allocate(d, 100, label);
    label[0] = 'x'; /* the label was copied */

    const struct mem_map *old = mem_map_acquire(d), *same = mem_map_acquire(d);
    cr_assert_eq(old, same, "nothing changed between them");
    cr_assert_eq(mem_release(d, a), MEM_OK);
    uint64_t b = allocate(d, 300, "second");
    const struct mem_map *young = mem_map_acquire(d);

    for (int i = 0; i < 100; i++) { /* push the first label out of the history */
        mem_release(d, allocate(d, 8, "other"));
    }
    cr_assert_eq(mem_count(old), 1);
    cr_assert_str_eq(mem_find(old, a, 100)->label, "first");
    cr_assert_null(mem_find(young, a, 100));
    cr_assert_str_eq(mem_find(young, b, 300)->label, "second");
    /* A kernel that still uses the old snapshot must not crash. */
    *(volatile char *)(uintptr_t)a = 1;
    mem_map_done(d, old);
    mem_map_done(d, same);
    mem_map_done(d, young);
    mem_device_free(d);
}

Test(memory, freed_allocations_are_named_and_their_addresses_rest)
{
    struct mem_device *d = device_of(64 * MIB);
    uint64_t a = allocate(d, 1000, "gone");
    struct mem_freed freed;

    cr_assert(!mem_find_freed(d, a, &freed));
    cr_assert_eq(mem_release(d, a), MEM_OK);
    cr_assert(mem_find_freed(d, a + 999, &freed));
    cr_assert_str_eq(freed.label, "gone");
    cr_assert(freed.base == a && freed.size == 1000);
    cr_assert(!mem_find_freed(d, a + 1000, &freed));
    for (int i = 0; i < 63; i++) {
        uint64_t other = allocate(d, 1000, "other");
        cr_assert_neq(other, a, "reused while it can still be named");
        cr_assert_eq(mem_release(d, other), MEM_OK);
    }
    cr_assert(mem_find_freed(d, a, &freed));
    cr_assert_str_eq(freed.label, "gone");
    cr_assert_eq(mem_release(d, allocate(d, 1000, "other")), MEM_OK);
    cr_assert(!mem_find_freed(d, a, &freed));
    cr_assert_eq(allocate(d, 1000, "again"), a);
    mem_device_free(d);
}

Test(memory, ids_kinds_and_read_only_are_kept)
{
    struct mem_device *d = device_of(64 * MIB);
    uint64_t a, b;

    cr_assert_eq(mem_allocate(d, 8, 0, MEM_GLOBAL_VAR, "variable x", &a), MEM_OK);
    cr_assert_eq(mem_allocate(d, 8, 0, MEM_CONST_VAR, NULL, &b), MEM_OK);
    mem_set_read_only(d, b, true);
    mem_set_read_only(d, b + 1, false); /* no allocation starts there: nothing happens */

    const struct mem_map *map = mem_map_acquire(d);
    const struct mem_alloc *x = mem_find(map, a, 8), *y = mem_find(map, b, 8);
    cr_assert(x->id == 1 && x->kind == MEM_GLOBAL_VAR && !x->read_only);
    cr_assert(y->id == 2 && y->kind == MEM_CONST_VAR && y->read_only && !y->label);
    mem_map_done(d, map);
    mem_device_free(d);
}

Test(memory, host_memory_is_reachable_only_while_registered)
{
    struct mem_device *d = device_of(64 * MIB);
    int host[100] = {0}, value = 5;
    uint64_t address = (uintptr_t)host, a = allocate(d, 100, NULL);
    struct mem_freed freed;

    cr_assert_null(mem_host_pointer(d, address, 4));
    cr_assert_eq(mem_copy_to(d, address, &value, 4), MEM_INVALID_ADDRESS);
    cr_assert_eq(mem_register_host(d, host, sizeof(host), "host"), MEM_OK);
    cr_assert_eq(mem_copy_to(d, address, &value, 4), MEM_OK);
    cr_assert_eq(host[0], 5);
    cr_assert_eq(mem_register_host(d, host + 50, 4, NULL), MEM_INVALID_ADDRESS, "registered already");
    cr_assert_eq(mem_register_host(d, NULL, 4, NULL), MEM_INVALID_ADDRESS);
    cr_assert_eq(mem_register_host(d, host, 0, NULL), MEM_INVALID_SIZE);
    cr_assert_eq(mem_register_host(d, host, UINT64_MAX, NULL), MEM_INVALID_ADDRESS);
    cr_assert_eq(mem_register_host(d, (void *)(uintptr_t)(a + 4096), 4, NULL), MEM_INVALID_ADDRESS, "in the region");
    cr_assert_eq(mem_release(d, address), MEM_INVALID_ADDRESS, "not device memory");
    cr_assert_eq(mem_unregister_host(d, (void *)(uintptr_t)a), MEM_INVALID_ADDRESS, "not host memory");
    cr_assert_eq(mem_used(d), 256, "host memory is not counted");
    cr_assert_eq(mem_unregister_host(d, host), MEM_OK);
    cr_assert_eq(mem_unregister_host(d, host), MEM_INVALID_ADDRESS);
    cr_assert_null(mem_host_pointer(d, address, 4));
    cr_assert(mem_find_freed(d, address, &freed));
    cr_assert_str_eq(freed.label, "host");
    mem_device_free(d);
}

Test(memory, copies_are_checked)
{
    struct mem_device *d = device_of(64 * MIB);
    char buffer[512] = {0};
    uint64_t a = allocate(d, 300, NULL);

    cr_assert_eq(mem_copy_to(d, a, buffer, 300), MEM_OK);
    cr_assert_eq(mem_copy_to(d, a, buffer, 301), MEM_INVALID_ADDRESS);
    cr_assert_eq(mem_copy_from(d, buffer, a + 1, 300), MEM_INVALID_ADDRESS);
    cr_assert_eq(mem_copy_from(d, buffer, 0, 4), MEM_INVALID_ADDRESS);
    cr_assert_eq(mem_copy_from(d, NULL, 0, 0), MEM_OK, "nothing to copy");
    mem_device_free(d);
}

/* Bytes of address space this process uses: terabytes under the sanitizers. */
static uint64_t address_space_used(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");

    if (f) {
        (void)!fscanf(f, "%lu", &pages);
        fclose(f);
    }
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

Test(memory, a_limited_address_space_gives_a_smaller_device)
{
    struct rlimit limit = {16 * GIB, 16 * GIB};

    if (address_space_used() > GIB) {
        cr_skip_test("the address space cannot be limited here");
    }
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    struct mem_device *d = device_of(LARGE_CAPACITY);
    cr_assert_geq(mem_capacity(d), GIB);
    cr_assert_lt(mem_capacity(d), 16 * GIB);
    allocate(d, mem_capacity(d), NULL);
    mem_device_free(d);
}

Test(memory, two_devices_are_independent)
{
    struct mem_device *d = device_of(64 * MIB), *e = device_of(64 * MIB);
    uint64_t a = allocate(d, 100, NULL);

    cr_assert_null(mem_host_pointer(e, a, 1));
    cr_assert_eq(mem_release(e, a), MEM_INVALID_ADDRESS);
    cr_assert_eq(mem_used(e), 0);
    mem_device_free(d);
    mem_device_free(e);
}

/* Random operations against a plain model: what is live, how much is used, and that every byte belongs to its owner. */
Test(memory, agrees_with_a_model_over_random_operations)
{
    enum { SLOTS = 200, STEPS = 20000 };
    struct mem_device *d = device_of(16 * MIB);
    struct {
        uint64_t address, size;
    } slot[SLOTS] = {0};
    uint64_t used = 0;
    unsigned seed = 1;

    for (int step = 0; step < STEPS; step++) {
        size_t i = (size_t)rand_r(&seed) % SLOTS;
        if (slot[i].address) {
            const unsigned char *bytes = mem_host_pointer(d, slot[i].address, slot[i].size);
            cr_assert(bytes && bytes[0] == i && bytes[slot[i].size - 1] == i);
            cr_assert_eq(mem_release(d, slot[i].address), MEM_OK);
            used -= (slot[i].size + 255) / 256 * 256;
            slot[i].address = 0;
            continue;
        }
        slot[i].size = 1 + (uint64_t)rand_r(&seed) % (rand_r(&seed) % 8 ? 5000 : 1000000);
        if (mem_allocate(d, slot[i].size, 0, MEM_DEVICE, "slot", &slot[i].address) != MEM_OK) {
            cr_assert_gt(used + slot[i].size, 8 * MIB, "refused although most is free");
            slot[i].address = 0;
            continue;
        }
        unsigned char *bytes = mem_host_pointer(d, slot[i].address, slot[i].size);
        cr_assert(bytes[0] == 0 && bytes[slot[i].size / 2] == 0 && bytes[slot[i].size - 1] == 0);
        bytes[0] = bytes[slot[i].size / 2] = bytes[slot[i].size - 1] = (unsigned char)i;
        used += (slot[i].size + 255) / 256 * 256;
        cr_assert_eq(mem_used(d), used);
    }
    mem_device_free(d);
}

static void *churn(void *argument)
{
    struct mem_device *d = argument;

    for (int i = 0; i < 2000; i++) {
        uint64_t size = 100 + (uint64_t)i * 13 % 5000, a;
        if (mem_allocate(d, size, 0, MEM_HEAP, "heap", &a) != MEM_OK) {
            return "out of memory";
        }
        const struct mem_map *map = mem_map_acquire(d);
        const struct mem_alloc *found = mem_find(map, a, size);
        bool good = found && strcmp(found->label, "heap") == 0 && mem_copy_to(d, a, &i, sizeof(i)) == MEM_OK;
        mem_map_done(d, map);
        if (!good || mem_release(d, a) != MEM_OK) {
            return "lost an allocation";
        }
    }
    return NULL;
}

Test(memory, threads_may_allocate_and_look_at_once)
{
    struct mem_device *d = device_of(64 * MIB);
    pthread_t threads[4];

    for (int i = 0; i < 4; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, churn, d), 0);
    }
    for (int i = 0; i < 4; i++) {
        void *complaint;
        pthread_join(threads[i], &complaint);
        cr_assert_null(complaint, "%s", (const char *)complaint);
    }
    cr_assert_eq(mem_used(d), 0);
    mem_device_free(d);
}
