/*
 * Address space without memory, into which pieces of shared memory (files, usually of memfd_create) are mapped later.
 *
 * It has a region of its own, opened at the first reservation and larger than the device's capacity, since programs
 * reserve far more than they map.  What is mapped is the owner's business; what kernels of a device may reach is said
 * per device with mem_grant.  Invariant: addresses that were ever mapped stay accessible, with zeros when nothing is
 * mapped: a kernel that still holds an older snapshot must read stale bytes, not crash the process.
 */
#include "memsys/device.h"

#include <sys/mman.h>

#define RESERVE_FIRST ((uint64_t)1 << 42) /* bytes of the region, or as many as the host allows */
#define RESERVE_LEAST ((uint64_t)1 << 30) /* smaller regions are not tried */

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

static bool is_whole_pages(uint64_t address, uint64_t size)
{
    return size != 0 && address % mem_page_size() == 0 && size % mem_page_size() == 0;
}

/* The region is opened when it is first needed; the host may limit a process's address space. */
static bool have_addresses(struct mem_device *d)
{
    struct mem_region r;

    if (d->addresses.reserved != 0) {
        return true;
    }
    for (uint64_t bytes = RESERVE_FIRST; bytes >= RESERVE_LEAST; bytes /= 2) {
        if (mem_region_open(&r, mem_page_size(), bytes)) {
            const uint64_t reserved = r.reserved;

            /* mem_in_region reads without the lock: the size, which says that the rest is there, comes last. */
            r.reserved = 0;
            d->addresses = r;
            __atomic_store_n(&d->addresses.reserved, reserved, __ATOMIC_RELEASE);
            return true;
        }
    }
    return false;
}

enum mem_status mem_reserve(struct mem_device *d, uint64_t size, uint64_t align, uint64_t *address)
{
    const uint64_t page = mem_page_size();
    enum mem_status status = MEM_OUT_OF_MEMORY;

    align = align < page ? page : align;
    if (!is_whole_pages(0, size) || (align & (align - 1)) != 0) {
        return MEM_INVALID_SIZE;
    }
    pthread_mutex_lock(&d->lock);
    if (have_addresses(d) && size <= d->addresses.reserved && mem_region_take(&d->addresses, size, align, address)) {
        status = MEM_OK;
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

/* Does [address, address + size) lie in the region, none of it free?  The caller holds the lock. */
static bool is_reserved(const struct mem_device *d, uint64_t address, uint64_t size)
{
    return d->addresses.reserved != 0 && address >= d->addresses.base && size <= d->addresses.reserved &&
           address - d->addresses.base <= d->addresses.reserved - size &&
           mem_region_is_taken(&d->addresses, address, size);
}

enum mem_status mem_unreserve(struct mem_device *d, uint64_t address, uint64_t size)
{
    enum mem_status status = MEM_INVALID_ADDRESS;

    pthread_mutex_lock(&d->lock);
    if (is_whole_pages(address, size) && is_reserved(d, address, size)) {
        status = mem_region_give(&d->addresses, address, size) ? MEM_OK : MEM_OUT_OF_MEMORY;
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

/* Replace what is mapped; `fd` -1: by zeros. */
static enum mem_status replace(struct mem_device *d, uint64_t address, uint64_t size, int fd, uint64_t offset)
{
    enum mem_status status = MEM_INVALID_ADDRESS;
    const int kind = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;

    pthread_mutex_lock(&d->lock);
    if (is_whole_pages(address, size) && offset % mem_page_size() == 0 && is_reserved(d, address, size)) {
        const void *got = mmap(at(address), size, PROT_READ | PROT_WRITE, kind | MAP_FIXED, fd, (off_t)offset);

        status = got == MAP_FAILED ? MEM_OUT_OF_MEMORY : MEM_OK;
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

enum mem_status mem_map_file(struct mem_device *d, uint64_t address, uint64_t size, int fd, uint64_t offset)
{
    return fd < 0 ? MEM_INVALID_ADDRESS : replace(d, address, size, fd, offset);
}

enum mem_status mem_unmap_file(struct mem_device *d, uint64_t address, uint64_t size)
{
    return replace(d, address, size, -1, 0);
}

/* --- who may reach it -----------------------------------------------------------------------------------------------
 */

enum mem_status mem_grant(struct mem_device *d, uint64_t address, uint64_t size, bool read_only, const char *label)
{
    const struct mem_alloc what = {.base = address, .size = size, .kind = MEM_MAPPED, .read_only = read_only};
    enum mem_status status;

    if (size == 0 || address + (size - 1) < address) {
        return MEM_INVALID_SIZE;
    }
    pthread_mutex_lock(&d->lock);
    if (mem_live_overlaps(&d->live, address, size)) {
        status = MEM_INVALID_ADDRESS;
    } else {
        status = mem_enter(d, &what, label) ? MEM_OK : MEM_OUT_OF_MEMORY;
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

enum mem_status mem_revoke(struct mem_device *d, uint64_t address)
{
    enum mem_status status = MEM_INVALID_ADDRESS;
    struct mem_alloc alloc;

    pthread_mutex_lock(&d->lock);
    if (mem_live_at(d, address, 1u << MEM_MAPPED)) {
        status = mem_live_remove(&d->live, address, &alloc) ? MEM_OK : MEM_OUT_OF_MEMORY;
    }
    if (status == MEM_OK) {
        mem_remember(d, alloc, false);
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}
