/*
 * cudaDeviceProp, in the layout of the CUDA release that this library is of, and choosing a device by it.
 */
#include "cudart.h"

#include <string.h>

enum member_kind { MEMBER_INT, MEMBER_SIZE };

struct member {
    size_t offset; /* in cudaDeviceProp */
    enum member_kind kind;
    CUdevice_attribute attribute;
};

#define MEMBER(kind, member, attribute) \
    {offsetof(struct cudaDeviceProp, member), kind, CU_DEVICE_ATTRIBUTE_##attribute},
#define INT(member, attribute)  MEMBER(MEMBER_INT, member, attribute)
#define SIZE(member, attribute) MEMBER(MEMBER_SIZE, member, attribute)
#if CUDART_VERSION >= 13000
#define OLD(member, attribute)
#define NEW(member, attribute) MEMBER(MEMBER_INT, member, attribute)
#else
#define OLD(member, attribute) MEMBER(MEMBER_INT, member, attribute)
#define NEW(member, attribute)
#endif
static const struct member members[] = {
#include "device_prop.def"
};
#undef MEMBER
#undef INT
#undef SIZE
#undef OLD
#undef NEW

static CUresult read_member(const struct member *member, CUdevice device, unsigned char *properties)
{
    int value = 0;
    CUresult result = cuDeviceGetAttribute(&value, member->attribute, device);

    if (member->kind == MEMBER_SIZE) {
        size_t wide = (size_t)(unsigned)value;

        memcpy(properties + member->offset, &wide, sizeof(wide));
    } else {
        memcpy(properties + member->offset, &value, sizeof(value));
    }
    return result;
}

static CUresult read_identity(CUdevice device, struct cudaDeviceProp *properties)
{
    CUresult result = cuDeviceGetName(properties->name, (int)sizeof(properties->name), device);

    if (result == CUDA_SUCCESS) {
        result = cuDeviceGetUuid((CUuuid *)&properties->uuid, device);
    }
    if (result == CUDA_SUCCESS) {
        result = cuDeviceTotalMem(&properties->totalGlobalMem, device);
    }
    return result; /* a LUID is of Windows: zero */
}

static CUresult read_properties(CUdevice device, struct cudaDeviceProp *properties)
{
    CUresult result = CUDA_SUCCESS;

    memset(properties, 0, sizeof(*properties));
    result = read_identity(device, properties);
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]) && result == CUDA_SUCCESS; i++) {
        result = read_member(&members[i], device, (unsigned char *)properties);
    }
    return result;
}

static cudaError_t begin_device(int device, const void *out)
{
    cudaError_t error = crt_begin_without_context();

    if (error == cudaSuccess && out == NULL) {
        error = crt_return(cudaErrorInvalidValue);
    }
    if (error == cudaSuccess && (device < 0 || device >= crt_device_count())) {
        error = crt_return(cudaErrorInvalidDevice);
    }
    return error;
}

cudaError_t CUDARTAPI cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    cudaError_t error = begin_device(device, properties);

    return error != cudaSuccess ? error : crt_end(read_properties(device, properties));
}

/* --- choosing a device -------------------------------------------------------------------------------------------- */

/* How many of the wishes (zero: none) a device fulfils. */
static int score(const struct cudaDeviceProp *have, const struct cudaDeviceProp *want)
{
    int capability = have->major * 1000 + have->minor;
    int wanted = want->major * 1000 + want->minor;

    return (capability >= wanted) * 4 + (have->totalGlobalMem >= want->totalGlobalMem) +
           (have->multiProcessorCount >= want->multiProcessorCount) +
           (have->sharedMemPerBlock >= want->sharedMemPerBlock) + (have->regsPerBlock >= want->regsPerBlock) +
           (have->maxThreadsPerBlock >= want->maxThreadsPerBlock) + (have->integrated == want->integrated);
}

cudaError_t CUDARTAPI cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    int best = -1;
    cudaError_t error = begin_device(0, device);

    if (error == cudaSuccess && wanted == NULL) {
        error = crt_return(cudaErrorInvalidValue);
    }
    for (int i = 0; error == cudaSuccess && i < crt_device_count(); i++) {
        struct cudaDeviceProp have;

        error = crt_end(read_properties(i, &have));
        if (error == cudaSuccess && score(&have, wanted) > best) {
            best = score(&have, wanted);
            *device = i;
        }
    }
    return error;
}
