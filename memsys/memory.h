/*
 * Device memory: address spaces, allocations and bounds.  Knows addresses and bytes; knows no instruction, warp or
 * time.
 *
 * All device memory of one device lies in one reserved range of the host's address space (the region), so a global
 * address is a host address inside it and a checked access is one comparison and one load.  Pages become usable only
 * when an allocation covers them.  Below the region's allocations lie the windows: ranges of generic addresses that
 * stand for shared, local and parameter memory and are never backed by pages.
 *
 *     base                                                                          base + reserved
 *      | shared window | local window | param window |  guard  | allocations ...  ....  |
 *
 * Invariants: allocations never overlap; between two of them lie at least MEM_REDZONE bytes that belong to neither, so
 * an access past an end is always found.  Allocating and freeing take a lock; lookups by running kernels read an
 * immutable snapshot (struct mem_map) that lives until the last reader lets it go.
 */
#ifndef MEMSYS_MEMORY_H
#define MEMSYS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MEM_ALIGN = 256, MEM_REDZONE = 256, MEM_SLACK_MOST = 1 << 30 };

/* Sizes of the windows: as large as any address inside them may be. */
#define MEM_SHARED_WINDOW ((uint64_t)1 << 24)
#define MEM_LOCAL_WINDOW  ((uint64_t)1 << 32)
#define MEM_PARAM_WINDOW  ((uint64_t)1 << 16)

enum mem_kind { MEM_DEVICE, MEM_GLOBAL_VAR, MEM_CONST_VAR, MEM_HEAP, MEM_HOST, MEM_MAPPED };

/* One allocation.  Host memory that was registered is an allocation outside the region. */
struct mem_alloc {
    uint64_t base;  /* first byte */
    uint64_t size;  /* bytes that may be accessed: those asked for and the slack */
    uint64_t slack; /* bytes behind those asked for: see mem_set_slack */
    uint8_t kind;   /* enum mem_kind */
    bool read_only; /* kernels may not store here (constants) */
    uint32_t id;    /* counts from 1 in order of allocation */
    char *label;    /* what it is, for messages: "argument 0 (a)", "variable lut"; owned */
};

/* All allocations that were live at some time; immutable.  See mem_map_acquire. */
struct mem_map;

struct mem_device;

/* Reserve `capacity_bytes` of device memory (rounded up to pages).  NULL when the address space cannot be reserved. */
struct mem_device *mem_device_new(uint64_t capacity_bytes);
void mem_device_free(struct mem_device *d);

uint64_t mem_shared_window(const struct mem_device *d); /* generic address of shared offset 0 */
uint64_t mem_local_window(const struct mem_device *d);
uint64_t mem_param_window(const struct mem_device *d);

enum mem_status { MEM_OK, MEM_OUT_OF_MEMORY, MEM_INVALID_ADDRESS, MEM_INVALID_SIZE };

/*
 * Allocate `size` bytes, zeroed, aligned to `align` (a power of two, at least MEM_ALIGN is used).  Size 0 is refused
 * with MEM_INVALID_SIZE.  `label` is copied and may be NULL.
 */
enum mem_status mem_allocate(struct mem_device *d, uint64_t size, uint64_t align, enum mem_kind kind, const char *label,
                             uint64_t *address);
/*
 * Let kernels touch `slack` bytes (at most MEM_SLACK_MOST) behind every later allocation of kind MEM_DEVICE, as GPUs
 * mostly do: they check pages of 2 MiB.  0, as at first: accesses are checked to the byte.
 */
void mem_set_slack(struct mem_device *d, uint64_t slack);
/* Free by the first address.  Freed memory is unreachable for kernels at once; its label is kept for messages for a
 * while. */
enum mem_status mem_release(struct mem_device *d, uint64_t address);
/* Make host memory [host, host + size) reachable for kernels at its own address, and no longer. */
enum mem_status mem_register_host(struct mem_device *d, void *host, uint64_t size, const char *label);
enum mem_status mem_unregister_host(struct mem_device *d, void *host);
/* Is the address one of the device's, allocated or not? */
bool mem_in_region(const struct mem_device *d, uint64_t address);
/* The live allocation that holds the address, without its label; false when there is none. */
bool mem_lookup(struct mem_device *d, uint64_t address, struct mem_alloc *out);
void mem_set_read_only(struct mem_device *d, uint64_t address, bool read_only);

/*
 * Kernels of `d` started from now on may, or may no longer, reach allocations of `peer`, which must outlive `d` or be
 * disabled before.  Enabling twice is once.
 */
enum mem_status mem_peer_enable(struct mem_device *d, struct mem_device *peer);
void mem_peer_disable(struct mem_device *d, struct mem_device *peer);

/*
 * Reserve device addresses without memory; sizes and addresses are multiples of pages.  Pieces of a file (memfd) can be
 * mapped there and unmapped again, the same piece at several addresses.  Kernels reach what is granted to their device,
 * at whichever device's address it lies, from the grant until it is revoked; the grants of one device do not overlap.
 */
enum mem_status mem_reserve(struct mem_device *d, uint64_t size, uint64_t align, uint64_t *address);
enum mem_status mem_unreserve(struct mem_device *d, uint64_t address, uint64_t size);
enum mem_status mem_map_file(struct mem_device *d, uint64_t address, uint64_t size, int fd, uint64_t offset);
enum mem_status mem_unmap_file(struct mem_device *d, uint64_t address, uint64_t size);
enum mem_status mem_grant(struct mem_device *d, uint64_t address, uint64_t size, bool read_only, const char *label);
enum mem_status mem_revoke(struct mem_device *d, uint64_t address);

uint64_t mem_used(const struct mem_device *d);
uint64_t mem_capacity(const struct mem_device *d);

/* A snapshot of what kernels may reach now; must be given back.  It stays valid while allocations come and go. */
const struct mem_map *mem_map_acquire(struct mem_device *d);
void mem_map_done(struct mem_device *d, const struct mem_map *map);

/* The allocation that holds all of [address, address + size), or NULL.  O(log n). */
const struct mem_alloc *mem_find(const struct mem_map *map, uint64_t address, uint64_t size);

/* The device's first allocation above `address`, or NULL. */
const struct mem_alloc *mem_next(const struct mem_map *map, uint64_t address);
/* Allocations of the device. */
size_t mem_count(const struct mem_map *map);

/* The allocation nearest to `address` for messages, with its signed distance in bytes (0 inside, negative before); NULL
 * if none. */
const struct mem_alloc *mem_nearest(const struct mem_map *map, uint64_t address, int64_t *distance);
/* What an allocation was that is no more. */
struct mem_freed {
    uint64_t base, size;
    bool labelled;
    char label[200]; /* a copy, cut where it is longer */
};
/* The allocation that was freed last of those that once held `address`; false when none of the last ones did. */
bool mem_find_freed(struct mem_device *d, uint64_t address, struct mem_freed *out);

/* Copy between host and device memory with bounds checks on the device side. */
enum mem_status mem_copy_to(struct mem_device *d, uint64_t device, const void *host, uint64_t size);
enum mem_status mem_copy_from(struct mem_device *d, void *host, uint64_t device, uint64_t size);
/* A pointer to device bytes [address, address + size), or NULL when they are not one allocation's. */
void *mem_host_pointer(struct mem_device *d, uint64_t address, uint64_t size);

#endif
