/*
 * Virtual memory.  Invariants, guarded by one lock: reservations do not overlap; each mapping lies in one reservation,
 * and mappings do not overlap; the table of memory (memory.h) has a record of a mapping while some device has access to
 * it.  Addresses are the first device's, which all devices reach.
 */
#include "runtime/driver/virtual.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/driver/handle.h"
#include "runtime/driver/memory.h"

static struct {
    pthread_mutex_t lock;
    struct drv_reservation *reservations;
    struct drv_mapping *mappings; /* by address */
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static CUresult unlock_and(CUresult result)
{
    pthread_mutex_unlock(&table.lock);
    return result;
}

static struct mem_device *address_space(void)
{
    return drv_process()->devices[0].gpu->memory;
}

static CUresult error_of(enum mem_status status)
{
    return status == MEM_OK              ? CUDA_SUCCESS
           : status == MEM_OUT_OF_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY
                                         : CUDA_ERROR_INVALID_VALUE;
}

/* --- physical memory -------------------------------------------------------------------------- */
/* The device whose memory it is; NULL: the host's. */
static struct drv_device *device_of(const struct drv_physical *p)
{
    return p->properties.location.type == CU_MEM_LOCATION_TYPE_DEVICE ? drv_device(p->properties.location.id) : NULL;
}

static void count_bytes(const struct drv_physical *p, uint64_t bytes)
{
    struct drv_device *device = device_of(p);

    if (device != NULL) {
        __atomic_add_fetch(&device->physical_bytes, bytes, __ATOMIC_RELAXED);
    }
}

static void free_if_unused(struct drv_physical *p)
{
    if (p->handles == 0 && p->mappings == 0) {
        count_bytes(p, -p->size);
        drv_handle_drop(p->handle);
        close(p->file);
        free(p);
    }
}

static int file_of(uint64_t size)
{
    const int file = memfd_create("ptxemu memory", MFD_CLOEXEC);

    if (file >= 0 && ftruncate(file, (off_t)size) != 0) {
        close(file);
        return -1;
    }
    return file;
}

CUresult drv_physical_create(uint64_t size, const CUmemAllocationProp *properties, struct drv_physical **physical)
{
    struct drv_physical *p = calloc(1, sizeof *p);

    if (p == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *p = (struct drv_physical){.size = size, .properties = *properties, .file = -1, .handles = 1};
    p->properties.allocFlags.compressionType = 0; /* a wish: memory that is compressed looks the same */
    if (device_of(p) == NULL || size <= drv_memory_free_bytes(device_of(p))) {
        p->file = file_of(size);
    }
    p->handle = p->file < 0 ? NULL : drv_handle_new(DRV_PHYSICAL, p);
    if (p->handle == NULL) {
        if (p->file >= 0) {
            close(p->file);
        }
        free(p);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    count_bytes(p, size);
    *physical = p;
    return CUDA_SUCCESS;
}

/* Lock held.  Memory that is only mapped any more has no handle for the program. */
static struct drv_physical *physical_of(const void *handle)
{
    struct drv_physical *p = drv_handle_get(handle, DRV_PHYSICAL);

    return p != NULL && p->handles > 0 ? p : NULL;
}

CUresult drv_physical_release(const void *handle)
{
    pthread_mutex_lock(&table.lock);
    struct drv_physical *p = physical_of(handle);

    if (p == NULL) {
        return unlock_and(CUDA_ERROR_INVALID_VALUE);
    }
    p->handles--;
    free_if_unused(p);
    return unlock_and(CUDA_SUCCESS);
}

CUresult drv_physical_properties(const void *handle, CUmemAllocationProp *properties)
{
    pthread_mutex_lock(&table.lock);
    const struct drv_physical *p = physical_of(handle);

    if (p != NULL) {
        *properties = p->properties;
    }
    return unlock_and(p == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

/* --- addresses -------------------------------------------------------------------------------- */
CUresult drv_addresses_reserve(uint64_t size, uint64_t align, uint64_t *address)
{
    struct drv_reservation *r = calloc(1, sizeof *r);
    enum mem_status status;

    if (r == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    r->size = size;
    status = mem_reserve(address_space(), size, align, &r->address);
    if (status != MEM_OK) {
        free(r);
        return error_of(status);
    }
    *address = r->address;
    pthread_mutex_lock(&table.lock);
    r->next = table.reservations;
    table.reservations = r;
    return unlock_and(CUDA_SUCCESS);
}

static bool within(uint64_t address, uint64_t size, uint64_t base, uint64_t whole)
{
    return size <= whole && address >= base && address - base <= whole - size;
}

/* The first mapping that ends above `address`. */
static struct drv_mapping *mapping_from(uint64_t address)
{
    struct drv_mapping *m = table.mappings;

    while (m != NULL && m->address + m->size <= address) {
        m = m->next;
    }
    return m;
}

static bool is_mapped_somewhere(uint64_t address, uint64_t size)
{
    const struct drv_mapping *m = mapping_from(address);

    return m != NULL && m->address < address + size;
}

CUresult drv_addresses_free(uint64_t address, uint64_t size)
{
    pthread_mutex_lock(&table.lock);
    struct drv_reservation **link = &table.reservations;

    while (*link != NULL && ((*link)->address != address || (*link)->size != size)) {
        link = &(*link)->next;
    }
    struct drv_reservation *r = *link;

    if (r == NULL || is_mapped_somewhere(address, size)) {
        return unlock_and(CUDA_ERROR_INVALID_VALUE);
    }
    const enum mem_status status = mem_unreserve(address_space(), address, size);

    if (status == MEM_OK) {
        *link = r->next;
        free(r);
    }
    return unlock_and(error_of(status));
}

static bool is_reserved(uint64_t address, uint64_t size)
{
    const struct drv_reservation *r = table.reservations;

    while (r != NULL && !within(address, size, r->address, r->size)) {
        r = r->next;
    }
    return r != NULL;
}

/* --- mappings --------------------------------------------------------------------------------- */
static void insert(struct drv_mapping *m)
{
    struct drv_mapping **link = &table.mappings;

    while (*link != NULL && (*link)->address < m->address) {
        link = &(*link)->next;
    }
    m->next = *link;
    *link = m;
}

CUresult drv_mapping_add(uint64_t address, uint64_t size, const void *handle)
{
    struct drv_mapping *m = calloc(1, sizeof *m);

    if (m == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_lock(&table.lock);
    struct drv_physical *p = physical_of(handle);
    CUresult result = p == NULL || size > p->size || !is_reserved(address, size) || is_mapped_somewhere(address, size)
                          ? CUDA_ERROR_INVALID_VALUE
                          : error_of(mem_map_file(address_space(), address, size, p->file, 0));

    if (result == CUDA_SUCCESS) {
        *m = (struct drv_mapping){.address = address, .size = size, .physical = p};
        p->mappings++;
        insert(m);
    } else {
        free(m);
    }
    return unlock_and(result);
}

/* Whether a range is made of whole mappings, without a gap. */
static bool is_whole_mappings(uint64_t address, uint64_t size)
{
    const struct drv_mapping *m = mapping_from(address);
    uint64_t at = address;

    while (m != NULL && m->address == at && m->size <= address + size - at) {
        at += m->size;
        if (at == address + size) {
            return true;
        }
        m = m->next;
    }
    return false;
}

static bool is_accessible(const struct drv_mapping *m)
{
    bool any = m->host_access != 0;

    for (int i = 0; i < drv_process()->device_count && !any; i++) {
        any = m->access[i] != 0;
    }
    return any;
}

static CUresult note(const struct drv_mapping *m)
{
    const struct drv_device *device = device_of(m->physical);

    return drv_memory_note(&(struct drv_memory){.base = m->address,
                                                .size = m->size,
                                                .kind = DRV_MEMORY_MAPPED,
                                                .ordinal = device == NULL ? CU_DEVICE_CPU : device->ordinal});
}

/* Change what one device may do; kernels see it when they are launched. */
static CUresult set_access(struct drv_mapping *m, struct drv_device *device, CUmemAccess_flags flags)
{
    struct mem_device *memory = device->gpu->memory;
    uint8_t *access = &m->access[device->ordinal];
    CUresult result = CUDA_SUCCESS;

    if (*access == flags) {
        return CUDA_SUCCESS;
    }
    if (*access != 0) {
        mem_revoke(memory, m->address);
        *access = 0;
    }
    if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE) {
        result = error_of(mem_grant(memory, m->address, m->size, flags == CU_MEM_ACCESS_FLAGS_PROT_READ,
                                    "memory mapped by cuMemMap"));
    }
    if (result == CUDA_SUCCESS) {
        *access = (uint8_t)flags;
    }
    return result;
}

static CUresult grant(struct drv_mapping *m, const CUmemAccessDesc *access)
{
    const bool was = is_accessible(m);
    CUresult result = CUDA_SUCCESS;

    if (access->location.type == CU_MEM_LOCATION_TYPE_DEVICE) {
        result = set_access(m, drv_device(access->location.id), access->flags);
    } else {
        m->host_access = (uint8_t)access->flags;
    }
    if (!was && is_accessible(m)) {
        result = note(m);
    } else if (was && !is_accessible(m)) {
        drv_memory_forget(m->address);
    }
    return result;
}

CUresult drv_mappings_grant(uint64_t address, uint64_t size, const CUmemAccessDesc *access, size_t count)
{
    CUresult result = CUDA_SUCCESS;

    pthread_mutex_lock(&table.lock);
    if (!is_whole_mappings(address, size)) {
        return unlock_and(CUDA_ERROR_INVALID_VALUE);
    }
    for (struct drv_mapping *m = mapping_from(address); m != NULL && m->address < address + size; m = m->next) {
        for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
            result = grant(m, &access[i]);
        }
    }
    return unlock_and(result);
}

/* Nobody reaches it any more, and it is not there. */
static CUresult take_away(struct drv_mapping *m)
{
    for (int i = 0; i < drv_process()->device_count; i++) {
        set_access(m, &drv_process()->devices[i], CU_MEM_ACCESS_FLAGS_PROT_NONE);
    }
    drv_memory_forget(m->address);
    return error_of(mem_unmap_file(address_space(), m->address, m->size));
}

CUresult drv_mappings_remove(uint64_t address, uint64_t size)
{
    CUresult result = CUDA_SUCCESS;

    pthread_mutex_lock(&table.lock);
    if (!is_whole_mappings(address, size)) {
        return unlock_and(CUDA_ERROR_INVALID_VALUE);
    }
    for (struct drv_mapping **link = &table.mappings; *link != NULL && result == CUDA_SUCCESS;) {
        struct drv_mapping *m = *link;

        if (!within(m->address, m->size, address, size)) {
            link = &m->next;
            continue;
        }
        result = take_away(m);
        if (result == CUDA_SUCCESS) {
            *link = m->next;
            m->physical->mappings--;
            free_if_unused(m->physical);
            free(m);
        }
    }
    return unlock_and(result);
}

CUresult drv_physical_retain_at(uint64_t address, void **handle)
{
    pthread_mutex_lock(&table.lock);
    struct drv_mapping *m = mapping_from(address);

    if (m == NULL || m->address > address) {
        return unlock_and(CUDA_ERROR_INVALID_VALUE);
    }
    m->physical->handles++;
    *handle = m->physical->handle;
    return unlock_and(CUDA_SUCCESS);
}

CUresult drv_mapping_access(uint64_t address, const CUmemLocation *location, unsigned long long *flags)
{
    pthread_mutex_lock(&table.lock);
    const struct drv_mapping *m = mapping_from(address);

    if (m == NULL || m->address > address) {
        return unlock_and(CUDA_ERROR_INVALID_VALUE);
    }
    *flags = location->type == CU_MEM_LOCATION_TYPE_DEVICE ? m->access[location->id] : m->host_access;
    return unlock_and(CUDA_SUCCESS);
}
