/*
 * Advice about managed memory, and questions about it.
 */
#include "runtime/driver/advice.h"
#include "runtime/driver/context.h"

static bool needs_location(CUmem_advise advice)
{
    return advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION || advice == CU_MEM_ADVISE_SET_ACCESSED_BY ||
           advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY;
}

CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location)
{
    struct drv_context *context;
    CUresult result = drv_enter(&context);

    if (result == CUDA_SUCCESS &&
        ((unsigned)advice < CU_MEM_ADVISE_SET_READ_MOSTLY || (unsigned)advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS && needs_location(advice)) {
        result = drv_location_check(&location);
    }
    if (result == CUDA_SUCCESS) {
        result = drv_advice_check_range(devPtr, count);
    }
    return result != CUDA_SUCCESS ? result : drv_advise(devPtr, count, advice, location);
}

/* --- questions -------------------------------------------------------------------------------- */
static int number_of(CUmemLocation location)
{
    return location.type == CU_MEM_LOCATION_TYPE_INVALID  ? CU_DEVICE_INVALID
           : location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id
                                                          : CU_DEVICE_CPU;
}

/* As many as there is room for, the rest is filled up. */
static void list_accessors(const struct drv_advice *a, int *list, size_t room)
{
    size_t n = 0;

    for (int i = 0; i <= DRV_ADVICE_HOST && n < room; i++) {
        if (a->accessed_by[i]) {
            list[n++] = i == DRV_ADVICE_HOST ? CU_DEVICE_CPU : i;
        }
    }
    while (n < room) {
        list[n++] = CU_DEVICE_INVALID;
    }
}

static CUresult answer(const struct drv_advice *a, CUmem_range_attribute attribute, void *data, size_t size)
{
    int *out = data;

    if (data == NULL || size == 0 || size % sizeof *out != 0 ||
        (size != sizeof *out && attribute != CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    switch (attribute) {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
        *out = a->read_mostly;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
        *out = number_of(a->preferred);
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
        list_accessors(a, out, size / sizeof *out);
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
        *out = number_of(a->prefetched);
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
        *out = (int)a->preferred.type;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
        *out = a->preferred.id;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
        *out = (int)a->prefetched.type;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
        *out = a->prefetched.id;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuMemRangeGetAttributes(void **data, size_t *dataSizes, CUmem_range_attribute *attributes,
                                 size_t numAttributes, CUdeviceptr devPtr, size_t count)
{
    struct drv_context *context;
    CUresult result = drv_enter(&context);

    if (result == CUDA_SUCCESS && (data == NULL || dataSizes == NULL || attributes == NULL || numAttributes == 0)) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        result = drv_advice_check_range(devPtr, count);
    }
    if (result != CUDA_SUCCESS) {
        return result;
    }
    const struct drv_advice advice = drv_advice_of(devPtr, count);

    for (size_t i = 0; i < numAttributes && result == CUDA_SUCCESS; i++) {
        result = answer(&advice, attributes[i], data[i], dataSizes[i]);
    }
    return result;
}

CUresult cuMemRangeGetAttribute(void *data, size_t dataSize, CUmem_range_attribute attribute, CUdeviceptr devPtr,
                                size_t count)
{
    return cuMemRangeGetAttributes(&data, &dataSize, &attribute, 1, devPtr, count);
}

/* --- before 12.2: devices for locations ------------------------------------------------------- */
#undef cuMemAdvise

CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device)
{
    return cuMemAdvise_v2(devPtr, count, advice, drv_location_of(device));
}
