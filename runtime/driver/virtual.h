/*
 * Virtual memory: physical memory without addresses, addresses without memory, and what is mapped where for whom.
 *
 *     physical ──mapping──▶ [address, address + size) of a reservation      any number of mappings for one physical
 *
 * Physical memory is a file without a name (memfd), so that the same bytes can be seen at several addresses.  Kernels
 * and copies reach a mapping once access is granted to a device.
 */
#ifndef RUNTIME_DRIVER_VIRTUAL_H
#define RUNTIME_DRIVER_VIRTUAL_H

#include "runtime/driver/process.h"

enum { DRV_GRANULARITY = 2 << 20 }; /* bytes: sizes and addresses are multiples of it, as on H200 */

struct drv_physical {
    void *handle;
    uint64_t size;
    CUmemAllocationProp properties;
    int file;
    unsigned handles;  /* references that the program holds */
    unsigned mappings; /* that are there */
};

struct drv_reservation {
    struct drv_reservation *next;
    uint64_t address, size;
};

struct drv_mapping {
    struct drv_mapping *next; /* by address */
    uint64_t address, size;
    struct drv_physical *physical;
    uint8_t access[DRV_DEVICES_MOST]; /* CUmemAccess_flags of each device */
    uint8_t host_access;
};

/* Each of these takes the lock of virtual.c. */
CUresult drv_physical_create(uint64_t size, const CUmemAllocationProp *properties, struct drv_physical **physical);
/* The program gives one of its references back; the memory lives while it is mapped. */
CUresult drv_physical_release(const void *handle);
/* One more reference to what is mapped at an address, or what is known of a handle's memory. */
CUresult drv_physical_retain_at(uint64_t address, void **handle);
CUresult drv_physical_properties(const void *handle, CUmemAllocationProp *properties);

CUresult drv_addresses_reserve(uint64_t size, uint64_t align, uint64_t *address);
CUresult drv_addresses_free(uint64_t address, uint64_t size);

CUresult drv_mapping_add(uint64_t address, uint64_t size, const void *handle);
/* Of a range that is made of whole mappings. */
CUresult drv_mappings_remove(uint64_t address, uint64_t size);
CUresult drv_mappings_grant(uint64_t address, uint64_t size, const CUmemAccessDesc *access, size_t count);
CUresult drv_mapping_access(uint64_t address, const CUmemLocation *location, unsigned long long *flags);

#endif
