/*
 * What programs say about managed memory: where it should be, who uses it, where it was sent.  All of it is one memory
 * here, so nothing follows from it but the answers to questions.
 */
#ifndef RUNTIME_DRIVER_ADVICE_H
#define RUNTIME_DRIVER_ADVICE_H

#include "runtime/driver/process.h"

enum { DRV_ADVICE_HOST = DRV_DEVICES_MOST }; /* the host's place among those that access memory */

struct drv_advice {
    bool read_mostly;
    bool accessed_by[DRV_DEVICES_MOST + 1];
    CUmemLocation preferred, prefetched; /* type CU_MEM_LOCATION_TYPE_INVALID: none */
};

/* A place where memory can be: then its id is set, too.  CUDA_ERROR_INVALID_DEVICE, CUDA_ERROR_INVALID_VALUE. */
CUresult drv_location_check(CUmemLocation *location);
/* The location that old functions mean by a number: a device or CU_DEVICE_CPU. */
CUmemLocation drv_location_of(CUdevice device);
/* All of the range must be one managed allocation's. */
CUresult drv_advice_check_range(CUdeviceptr address, size_t size);

/* Each expects a range and a location that were checked. */
CUresult drv_advise(uint64_t address, uint64_t size, CUmem_advise advice, CUmemLocation location);
CUresult drv_advice_prefetched(uint64_t address, uint64_t size, CUmemLocation location);
/* What holds for all of a range: where parts differ, it is as if nothing had been said. */
struct drv_advice drv_advice_of(uint64_t address, uint64_t size);
/* The memory is no more. */
void drv_advice_forget(uint64_t address, uint64_t size);

#endif
