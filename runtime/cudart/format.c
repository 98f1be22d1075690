/*
 * Channel descriptors, and what they are called by the driver.
 *
 * Plain formats have 1, 2 or 4 channels of 8, 16 or 32 bits, all alike; their row gives kind and bits of one channel.
 * The kinds of FIXED name a format as a whole, with its channels.
 */
#include "format.h"

#include "forward.h"

struct plain_format {
    enum cudaChannelFormatKind kind;
    int bits; /* of one channel */
    CUarray_format format;
};

static const struct plain_format PLAIN[] = {
    {cudaChannelFormatKindUnsigned, 8, CU_AD_FORMAT_UNSIGNED_INT8},
    {cudaChannelFormatKindUnsigned, 16, CU_AD_FORMAT_UNSIGNED_INT16},
    {cudaChannelFormatKindUnsigned, 32, CU_AD_FORMAT_UNSIGNED_INT32},
    {cudaChannelFormatKindSigned, 8, CU_AD_FORMAT_SIGNED_INT8},
    {cudaChannelFormatKindSigned, 16, CU_AD_FORMAT_SIGNED_INT16},
    {cudaChannelFormatKindSigned, 32, CU_AD_FORMAT_SIGNED_INT32},
    {cudaChannelFormatKindFloat, 16, CU_AD_FORMAT_HALF},
    {cudaChannelFormatKindFloat, 32, CU_AD_FORMAT_FLOAT},
};

struct fixed_format {
    struct cudaChannelFormatDesc desc;
    CUarray_format format;
    unsigned channel_count;
};

static const struct fixed_format FIXED[] = {
    {{8, 8, 8, 0, cudaChannelFormatKindNV12}, CU_AD_FORMAT_NV12, 3},
    {{8, 0, 0, 0, cudaChannelFormatKindUnsignedNormalized8X1}, CU_AD_FORMAT_UNORM_INT8X1, 1},
    {{8, 8, 0, 0, cudaChannelFormatKindUnsignedNormalized8X2}, CU_AD_FORMAT_UNORM_INT8X2, 2},
    {{8, 8, 8, 8, cudaChannelFormatKindUnsignedNormalized8X4}, CU_AD_FORMAT_UNORM_INT8X4, 4},
    {{16, 0, 0, 0, cudaChannelFormatKindUnsignedNormalized16X1}, CU_AD_FORMAT_UNORM_INT16X1, 1},
    {{16, 16, 0, 0, cudaChannelFormatKindUnsignedNormalized16X2}, CU_AD_FORMAT_UNORM_INT16X2, 2},
    {{16, 16, 16, 16, cudaChannelFormatKindUnsignedNormalized16X4}, CU_AD_FORMAT_UNORM_INT16X4, 4},
    {{8, 0, 0, 0, cudaChannelFormatKindSignedNormalized8X1}, CU_AD_FORMAT_SNORM_INT8X1, 1},
    {{8, 8, 0, 0, cudaChannelFormatKindSignedNormalized8X2}, CU_AD_FORMAT_SNORM_INT8X2, 2},
    {{8, 8, 8, 8, cudaChannelFormatKindSignedNormalized8X4}, CU_AD_FORMAT_SNORM_INT8X4, 4},
    {{16, 0, 0, 0, cudaChannelFormatKindSignedNormalized16X1}, CU_AD_FORMAT_SNORM_INT16X1, 1},
    {{16, 16, 0, 0, cudaChannelFormatKindSignedNormalized16X2}, CU_AD_FORMAT_SNORM_INT16X2, 2},
    {{16, 16, 16, 16, cudaChannelFormatKindSignedNormalized16X4}, CU_AD_FORMAT_SNORM_INT16X4, 4},
    {{8, 8, 8, 8, cudaChannelFormatKindUnsignedBlockCompressed1}, CU_AD_FORMAT_BC1_UNORM, 4},
    {{8, 8, 8, 8, cudaChannelFormatKindUnsignedBlockCompressed1SRGB}, CU_AD_FORMAT_BC1_UNORM_SRGB, 4},
    {{8, 8, 8, 8, cudaChannelFormatKindUnsignedBlockCompressed2}, CU_AD_FORMAT_BC2_UNORM, 4},
    {{8, 8, 8, 8, cudaChannelFormatKindUnsignedBlockCompressed2SRGB}, CU_AD_FORMAT_BC2_UNORM_SRGB, 4},
    {{8, 8, 8, 8, cudaChannelFormatKindUnsignedBlockCompressed3}, CU_AD_FORMAT_BC3_UNORM, 4},
    {{8, 8, 8, 8, cudaChannelFormatKindUnsignedBlockCompressed3SRGB}, CU_AD_FORMAT_BC3_UNORM_SRGB, 4},
    {{8, 0, 0, 0, cudaChannelFormatKindUnsignedBlockCompressed4}, CU_AD_FORMAT_BC4_UNORM, 1},
    {{8, 0, 0, 0, cudaChannelFormatKindSignedBlockCompressed4}, CU_AD_FORMAT_BC4_SNORM, 1},
    {{8, 8, 0, 0, cudaChannelFormatKindUnsignedBlockCompressed5}, CU_AD_FORMAT_BC5_UNORM, 2},
    {{8, 8, 0, 0, cudaChannelFormatKindSignedBlockCompressed5}, CU_AD_FORMAT_BC5_SNORM, 2},
    {{16, 16, 16, 0, cudaChannelFormatKindUnsignedBlockCompressed6H}, CU_AD_FORMAT_BC6H_UF16, 3},
    {{16, 16, 16, 0, cudaChannelFormatKindSignedBlockCompressed6H}, CU_AD_FORMAT_BC6H_SF16, 3},
    {{8, 8, 8, 8, cudaChannelFormatKindUnsignedBlockCompressed7}, CU_AD_FORMAT_BC7_UNORM, 4},
    {{8, 8, 8, 8, cudaChannelFormatKindUnsignedBlockCompressed7SRGB}, CU_AD_FORMAT_BC7_UNORM_SRGB, 4},
#if CUDART_VERSION >= 13000
    {{10, 10, 10, 2, cudaChannelFormatKindUnsignedNormalized1010102}, CU_AD_FORMAT_UNORM_INT_101010_2, 4},
#endif
};

/* --- descriptor to format --------------------------------------------------------------------- */
/* Channels of a plain format: leading ones of equal width, then none.  0 if it is not that. */
static unsigned count_channels(const struct cudaChannelFormatDesc *desc)
{
    const int bits[] = {desc->x, desc->y, desc->z, desc->w};
    unsigned count = 0;

    while (count < 4 && bits[count] == desc->x) {
        count++;
    }
    for (unsigned i = count; i < 4; i++) {
        if (bits[i] != 0) {
            return 0;
        }
    }
    return count == 3 ? 0 : count;
}

static cudaError_t plain_format_from_desc(const struct cudaChannelFormatDesc *desc, CUarray_format *format,
                                          unsigned *channel_count)
{
    const unsigned count = count_channels(desc);

    for (size_t i = 0; count > 0 && i < sizeof PLAIN / sizeof PLAIN[0]; i++) {
        if (PLAIN[i].kind == desc->f && PLAIN[i].bits == desc->x) {
            *format = PLAIN[i].format;
            *channel_count = count;
            return cudaSuccess;
        }
    }
    return cudaErrorInvalidChannelDescriptor;
}

cudaError_t crt_format_from_desc(const struct cudaChannelFormatDesc *desc, CUarray_format *format,
                                 unsigned *channel_count)
{
    if (desc == NULL) {
        return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < sizeof FIXED / sizeof FIXED[0]; i++) {
        const struct cudaChannelFormatDesc *fixed = &FIXED[i].desc;

        if (fixed->f == desc->f && fixed->x == desc->x && fixed->y == desc->y && fixed->z == desc->z &&
            fixed->w == desc->w) {
            *format = FIXED[i].format;
            *channel_count = FIXED[i].channel_count;
            return cudaSuccess;
        }
    }
    return plain_format_from_desc(desc, format, channel_count);
}

/* --- format to descriptor --------------------------------------------------------------------- */
struct cudaChannelFormatDesc crt_desc_from_format(CUarray_format format, unsigned channel_count)
{
    for (size_t i = 0; i < sizeof FIXED / sizeof FIXED[0]; i++) {
        if (FIXED[i].format == format) {
            return FIXED[i].desc;
        }
    }
    for (size_t i = 0; i < sizeof PLAIN / sizeof PLAIN[0]; i++) {
        if (PLAIN[i].format == format) {
            const int bits = PLAIN[i].bits;

            return (struct cudaChannelFormatDesc){
                .x = channel_count > 0 ? bits : 0,
                .y = channel_count > 1 ? bits : 0,
                .z = channel_count > 2 ? bits : 0,
                .w = channel_count > 3 ? bits : 0,
                .f = PLAIN[i].kind,
            };
        }
    }
    return (struct cudaChannelFormatDesc){.f = cudaChannelFormatKindNone};
}

/* --- arrays ----------------------------------------------------------------------------------- */
CUresult crt_array_descriptor(cudaArray_const_t array, CUDA_ARRAY3D_DESCRIPTOR *descriptor)
{
    return array != NULL ? cuArray3DGetDescriptor(descriptor, crt_array(array)) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult crt_array_element_bytes(cudaArray_const_t array, size_t *bytes)
{
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    const CUresult result = crt_array_descriptor(array, &descriptor);

    if (result == CUDA_SUCCESS) {
        const struct cudaChannelFormatDesc desc = crt_desc_from_format(descriptor.Format, descriptor.NumChannels);

        *bytes = (size_t)(desc.x + desc.y + desc.z + desc.w) / 8;
    }
    return result;
}

/* --- the API ---------------------------------------------------------------------------------- */
struct cudaChannelFormatDesc CUDARTAPI cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){.x = x, .y = y, .z = z, .w = w, .f = f};
}

cudaError_t CUDARTAPI cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
    return cudaArrayGetInfo(desc, NULL, NULL, (cudaArray_t)(uintptr_t)array);
}
