/*
 * cudaCreateChannelDesc<T>(): how an array of T stores its elements. T is a scalar, a short vector, or one of the kinds
 * of channel that name a whole format. For any other type the result has no channels.
 */
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#ifdef __cplusplus

#include "cuda_runtime_api.h"

template <class T> __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDesc(void)
{
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

template <cudaChannelFormatKind kind> __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDesc(void)
{
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

/* One specialisation: of what, the bits of each channel, the kind. */
#define PTXEMU_CHANNELS(of, x, y, z, w, kind)                                             \
    template <> __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDesc<of>(void) \
    {                                                                                     \
        return cudaCreateChannelDesc(x, y, z, w, kind);                                   \
    }
/* A scalar and its vectors of one, two and four. */
#define PTXEMU_VECTOR_CHANNELS(scalar, vector, bits, kind) \
    PTXEMU_CHANNELS(scalar, bits, 0, 0, 0, kind)           \
    PTXEMU_CHANNELS(vector##1, bits, 0, 0, 0, kind)        \
    PTXEMU_CHANNELS(vector##2, bits, bits, 0, 0, kind)     \
    PTXEMU_CHANNELS(vector##4, bits, bits, bits, bits, kind)
/* A kind that is a format by itself. */
#define PTXEMU_FORMAT_CHANNELS(kind, x, y, z, w) PTXEMU_CHANNELS(kind, x, y, z, w, kind)
/* Normalised integers in one, two and four channels. */
#define PTXEMU_NORMALIZED_CHANNELS(kind, bits)         \
    PTXEMU_FORMAT_CHANNELS(kind##X1, bits, 0, 0, 0)    \
    PTXEMU_FORMAT_CHANNELS(kind##X2, bits, bits, 0, 0) \
    PTXEMU_FORMAT_CHANNELS(kind##X4, bits, bits, bits, bits)

#ifdef __CHAR_UNSIGNED__
PTXEMU_CHANNELS(char, 8, 0, 0, 0, cudaChannelFormatKindUnsigned)
#else
PTXEMU_CHANNELS(char, 8, 0, 0, 0, cudaChannelFormatKindSigned)
#endif
PTXEMU_VECTOR_CHANNELS(signed char, char, 8, cudaChannelFormatKindSigned)
PTXEMU_VECTOR_CHANNELS(unsigned char, uchar, 8, cudaChannelFormatKindUnsigned)
PTXEMU_VECTOR_CHANNELS(short, short, 16, cudaChannelFormatKindSigned)
PTXEMU_VECTOR_CHANNELS(unsigned short, ushort, 16, cudaChannelFormatKindUnsigned)
PTXEMU_VECTOR_CHANNELS(int, int, 32, cudaChannelFormatKindSigned)
PTXEMU_VECTOR_CHANNELS(unsigned int, uint, 32, cudaChannelFormatKindUnsigned)
PTXEMU_VECTOR_CHANNELS(float, float, 32, cudaChannelFormatKindFloat)

PTXEMU_NORMALIZED_CHANNELS(cudaChannelFormatKindSignedNormalized8, 8)
PTXEMU_NORMALIZED_CHANNELS(cudaChannelFormatKindUnsignedNormalized8, 8)
PTXEMU_NORMALIZED_CHANNELS(cudaChannelFormatKindSignedNormalized16, 16)
PTXEMU_NORMALIZED_CHANNELS(cudaChannelFormatKindUnsignedNormalized16, 16)
PTXEMU_FORMAT_CHANNELS(cudaChannelFormatKindUnsignedNormalized1010102, 10, 10, 10, 2)
PTXEMU_FORMAT_CHANNELS(cudaChannelFormatKindNV12, 8, 8, 8, 0)
PTXEMU_FORMAT_CHANNELS(cudaChannelFormatKindUnsignedBlockCompressed1, 8, 8, 8, 8)
PTXEMU_FORMAT_CHANNELS(cudaChannelFormatKindUnsignedBlockCompressed1SRGB, 8, 8, 8, 8)
PTXEMU_FORMAT_CHANNELS(cudaChannelFormatKindUnsignedBlockCompressed2, 8, 8, 8, 8)
PTXEMU_FORMAT_CHANNELS(cudaChannelFormatKindUnsignedBlockCompressed2SRGB, 8, 8, 8, 8)
PTXEMU_FORMAT_CHANNELS(cudaChannelFormatKindUnsignedBlockCompressed3, 8, 8, 8, 8)
PTXEMU_FORMAT_CHANNELS(cudaChannelFormatKindUnsignedBlockCompressed3SRGB, 8, 8, 8, 8)
PTXEMU_FORMAT_CHANNELS(cudaChannelFormatKindUnsignedBlockCompressed4, 8, 0, 0, 0)
PTXEMU_FORMAT_CHANNELS(cudaChannelFormatKindSignedBlockCompressed4, 8, 0, 0, 0)
PTXEMU_FORMAT_CHANNELS(cudaChannelFormatKindUnsignedBlockCompressed5, 8, 8, 0, 0)
PTXEMU_FORMAT_CHANNELS(cudaChannelFormatKindSignedBlockCompressed5, 8, 8, 0, 0)
PTXEMU_FORMAT_CHANNELS(cudaChannelFormatKindUnsignedBlockCompressed6H, 16, 16, 16, 0)
PTXEMU_FORMAT_CHANNELS(cudaChannelFormatKindSignedBlockCompressed6H, 16, 16, 16, 0)
PTXEMU_FORMAT_CHANNELS(cudaChannelFormatKindUnsignedBlockCompressed7, 8, 8, 8, 8)
PTXEMU_FORMAT_CHANNELS(cudaChannelFormatKindUnsignedBlockCompressed7SRGB, 8, 8, 8, 8)

#undef PTXEMU_NORMALIZED_CHANNELS
#undef PTXEMU_FORMAT_CHANNELS
#undef PTXEMU_VECTOR_CHANNELS
#undef PTXEMU_CHANNELS

/* Halves have no scalar type here; their channels are said by name. */
static __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf(void)
{
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}

static __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf1(void)
{
    return cudaCreateChannelDescHalf();
}

static __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf2(void)
{
    return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}

static __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf4(void)
{
    return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

#endif /* __cplusplus */

#endif
