/*
 * Memory that programs know: device memory, pinned, registered and managed host memory.  One table for the process says
 * what an address belongs to.
 */
#ifndef RUNTIME_DRIVER_MEMORY_H
#define RUNTIME_DRIVER_MEMORY_H

#include "runtime/driver/context.h"

enum drv_memory_kind {
    DRV_MEMORY_DEVICE,     /* cuMemAlloc and the like */
    DRV_MEMORY_PINNED,     /* cuMemHostAlloc */
    DRV_MEMORY_REGISTERED, /* cuMemHostRegister */
    DRV_MEMORY_MANAGED,
    DRV_MEMORY_VARIABLE, /* of a module */
    DRV_MEMORY_POOLED,   /* cuMemAllocAsync, graph allocations */
    DRV_MEMORY_MAPPED,   /* cuMemMap */
};

struct drv_memory {
    uint64_t base, size;
    enum drv_memory_kind kind;
    struct drv_context *context; /* who made it; NULL: DRV_MEMORY_MAPPED, which is no context's */
    int ordinal;                 /* MAPPED: the device whose memory it is, or CU_DEVICE_CPU */
    unsigned flags;              /* as given when it was made */
    uint64_t id;                 /* counts from 1 in the process */
    void *owner;                 /* DRV_MEMORY_POOLED: its pool */
    bool sync_memops;
};

/* The record that holds `address`, copied to *out; false when there is none.  Never an address of the host that the
 * program did not register. */
bool drv_memory_find(uint64_t address, struct drv_memory *out);
/* Whether [address, address + size) lies in one allocation, or in mappings side by side. */
bool drv_memory_covers(uint64_t address, uint64_t size);
/* Whether the address belongs to some device's range, so that it cannot be host memory, allocated or not. */
bool drv_is_device_address(uint64_t address);

/* Allocate and note.  `call` is the name of the API function, for messages about the allocation. */
CUresult drv_memory_allocate(struct drv_context *context, enum drv_memory_kind kind, uint64_t size, unsigned flags,
                             const char *call, uint64_t *address);
/* Free by first address: CUDA_ERROR_INVALID_VALUE when there is none of `kinds` (a bit for each kind) there. */
CUresult drv_memory_free(uint64_t address, unsigned kinds);
/* Note memory that somebody else allocated (variables, mappings), and forget it. */
CUresult drv_memory_note(const struct drv_memory *memory);
void drv_memory_forget(uint64_t base);
/* Make host memory of the program reachable for all devices.  CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED when some is.
 */
CUresult drv_memory_register(struct drv_context *context, void *host, uint64_t size, unsigned flags);
/* What CU_POINTER_ATTRIBUTE_SYNC_MEMOPS says of the allocation at `base`. */
void drv_memory_set_sync(uint64_t base, bool sync);
/* Bytes that can still be allocated: the device's, but no more than the host could give. */
uint64_t drv_memory_free_bytes(struct drv_device *device);
enum { DRV_LABEL_BYTES = 240 };
/* What messages call the context's next allocation, made by the API function that the program called: `call` if
 * unknown. */
void drv_memory_label(struct drv_context *context, const char *call, char *label, size_t size);
/* A context ends. */
void drv_memory_end(struct drv_context *context);

#endif
