/*
 * Advice about memory: a list of ranges, ordered by address.  Invariant: ranges do not overlap; what is in none was
 * never spoken of.
 */
#include "runtime/driver/advice.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/driver/memory.h"

struct range {
    struct range *next;
    uint64_t begin, end;
    struct drv_advice advice;
};

static struct {
    pthread_mutex_t lock;
    struct range *first;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- places ----------------------------------------------------------------------------------- */
CUmemLocation drv_location_of(CUdevice device)
{
    return device == CU_DEVICE_CPU ? (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST, 0}
                                   : (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, device};
}

CUresult drv_location_check(CUmemLocation *location)
{
    switch ((int)location->type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
        return drv_device(location->id) == NULL ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
        location->id = 0;
        return CUDA_SUCCESS;
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
        return location->id < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult drv_advice_check_range(CUdeviceptr address, size_t size)
{
    struct drv_memory memory;

    return size == 0 || !drv_memory_find(address, &memory) ||
                   (memory.kind != DRV_MEMORY_MANAGED && memory.kind != DRV_MEMORY_VARIABLE) ||
                   size > memory.size - (address - memory.base)
               ? CUDA_ERROR_INVALID_VALUE
               : CUDA_SUCCESS;
}

/* --- ranges; the caller holds the lock -------------------------------------------------------- */
static struct range *insert(struct range **link, uint64_t begin, uint64_t end, const struct drv_advice *advice)
{
    struct range *r = malloc(sizeof *r);

    if (r != NULL) {
        *r = (struct range){.next = *link, .begin = begin, .end = end, .advice = *advice};
        *link = r;
    }
    return r;
}

/* Have a border at `at`: no range goes across it. */
static bool split(uint64_t at)
{
    struct range *r = table.first;

    while (r != NULL && !(r->begin < at && at < r->end)) {
        r = r->next;
    }
    if (r == NULL) {
        return true;
    }
    if (insert(&r->next, at, r->end, &r->advice) == NULL) {
        return false;
    }
    r->end = at;
    return true;
}

/* Have ranges for all of [begin, end), with borders at both ends. */
static bool cover(uint64_t begin, uint64_t end)
{
    static const struct drv_advice nothing;
    struct range **link = &table.first;

    if (!split(begin) || !split(end)) {
        return false;
    }
    for (uint64_t at = begin; at < end; at = (*link)->end) {
        while (*link != NULL && (*link)->end <= at) {
            link = &(*link)->next;
        }
        if (*link == NULL || (*link)->begin > at) {
            const uint64_t until = *link == NULL || (*link)->begin > end ? end : (*link)->begin;

            if (insert(link, at, until, &nothing) == NULL) {
                return false;
            }
        }
    }
    return true;
}

/* --- what is said ----------------------------------------------------------------------------- */
static unsigned accessor(CUmemLocation location)
{
    return location.type == CU_MEM_LOCATION_TYPE_DEVICE ? (unsigned)location.id : DRV_ADVICE_HOST;
}

static void change(struct drv_advice *a, CUmem_advise advice, CUmemLocation location)
{
    switch (advice) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
        a->read_mostly = advice == CU_MEM_ADVISE_SET_READ_MOSTLY;
        break;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
        a->preferred = location;
        break;
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
        a->preferred = (CUmemLocation){0};
        break;
    case CU_MEM_ADVISE_SET_ACCESSED_BY:
    case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
        a->accessed_by[accessor(location)] = advice == CU_MEM_ADVISE_SET_ACCESSED_BY;
        break;
    }
}

CUresult drv_advise(uint64_t address, uint64_t size, CUmem_advise advice, CUmemLocation location)
{
    pthread_mutex_lock(&table.lock);
    const bool covered = cover(address, address + size);

    for (struct range *r = table.first; r != NULL && covered; r = r->next) {
        if (r->begin >= address && r->end <= address + size) {
            change(&r->advice, advice, location);
        }
    }
    pthread_mutex_unlock(&table.lock);
    return covered ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult drv_advice_prefetched(uint64_t address, uint64_t size, CUmemLocation location)
{
    pthread_mutex_lock(&table.lock);
    const bool covered = cover(address, address + size);

    for (struct range *r = table.first; r != NULL && covered; r = r->next) {
        if (r->begin >= address && r->end <= address + size) {
            r->advice.prefetched = location;
        }
    }
    pthread_mutex_unlock(&table.lock);
    return covered ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* --- what holds for all ----------------------------------------------------------------------- */
static void keep_common_location(CUmemLocation *a, CUmemLocation b)
{
    if (a->type != b.type || a->id != b.id) {
        *a = (CUmemLocation){0};
    }
}

static void keep_common(struct drv_advice *a, const struct drv_advice *b)
{
    a->read_mostly = a->read_mostly && b->read_mostly;
    for (unsigned i = 0; i <= DRV_ADVICE_HOST; i++) {
        a->accessed_by[i] = a->accessed_by[i] && b->accessed_by[i];
    }
    keep_common_location(&a->preferred, b->preferred);
    keep_common_location(&a->prefetched, b->prefetched);
}

struct drv_advice drv_advice_of(uint64_t address, uint64_t size)
{
    static const struct drv_advice nothing;
    const uint64_t end = address + size;
    struct drv_advice common = nothing;
    uint64_t at = address;

    pthread_mutex_lock(&table.lock);
    for (const struct range *r = table.first; r != NULL && at < end; r = r->next) {
        if (r->end <= at) {
            continue;
        }
        if (r->begin > at) {
            break;
        }
        if (at == address) {
            common = r->advice;
        } else {
            keep_common(&common, &r->advice);
        }
        at = r->end;
    }
    pthread_mutex_unlock(&table.lock);
    return at >= end ? common : nothing;
}

void drv_advice_forget(uint64_t address, uint64_t size)
{
    pthread_mutex_lock(&table.lock);
    for (struct range **link = &table.first; *link != NULL;) {
        struct range *r = *link;

        if (r->begin >= address && r->end <= address + size) {
            *link = r->next;
            free(r);
        } else {
            link = &r->next;
        }
    }
    pthread_mutex_unlock(&table.lock);
}
