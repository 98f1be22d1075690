/*
 * Short vectors: one to four values of one type, and dim3, the extent of a grid or a CTA.
 *
 * Alignment is part of the ABI: a vector of two or four values is aligned to its size, at most to 16 bytes; one of
 * three values like a single value. Of the vectors of four 8-byte values there are two more kinds since 13.0, whose
 * names say the alignment: _16a and _32a.
 */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "api_common/version.h"
#include "host_defines.h"

/* The vectors of one scalar type; align2 and align4 are the alignments of two and of four values, in bytes. */
#define PTXEMU_VECTORS(name, type, align2, align4) \
    struct name##1                                 \
    {                                              \
        type x;                                    \
    };                                             \
    struct __align__(align2) name##2               \
    {                                              \
        type x, y;                                 \
    };                                             \
    struct name##3                                 \
    {                                              \
        type x, y, z;                              \
    };                                             \
    PTXEMU_VECTOR4(name##4, type, align4)          \
    typedef struct name##1 name##1;                \
    typedef struct name##2 name##2;                \
    typedef struct name##3 name##3;

#define PTXEMU_VECTOR4(name, type, align) \
    struct __align__(align) name          \
    {                                     \
        type x, y, z, w;                  \
    };                                    \
    typedef struct name name;

PTXEMU_VECTORS(char, signed char, 2, 4)
PTXEMU_VECTORS(uchar, unsigned char, 2, 4)
PTXEMU_VECTORS(short, short, 4, 8)
PTXEMU_VECTORS(ushort, unsigned short, 4, 8)
PTXEMU_VECTORS(int, int, 8, 16)
PTXEMU_VECTORS(uint, unsigned int, 8, 16)
PTXEMU_VECTORS(long, long, 16, 16)
PTXEMU_VECTORS(ulong, unsigned long, 16, 16)
PTXEMU_VECTORS(longlong, long long, 16, 16)
PTXEMU_VECTORS(ulonglong, unsigned long long, 16, 16)
PTXEMU_VECTORS(float, float, 8, 16)
PTXEMU_VECTORS(double, double, 16, 16)

PTXEMU_VECTOR4(long4_16a, long, 16)
PTXEMU_VECTOR4(ulong4_16a, unsigned long, 16)
PTXEMU_VECTOR4(longlong4_16a, long long, 16)
PTXEMU_VECTOR4(ulonglong4_16a, unsigned long long, 16)
PTXEMU_VECTOR4(double4_16a, double, 16)
PTXEMU_VECTOR4(long4_32a, long, 32)
PTXEMU_VECTOR4(ulong4_32a, unsigned long, 32)
PTXEMU_VECTOR4(longlong4_32a, long long, 32)
PTXEMU_VECTOR4(ulonglong4_32a, unsigned long long, 32)
PTXEMU_VECTOR4(double4_32a, double, 32)

#undef PTXEMU_VECTORS
#undef PTXEMU_VECTOR4

/* In C all three members must be set; in C++ those left out are 1. */
struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus) && __cplusplus >= 201103L
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    __host__ __device__ constexpr operator uint3(void) const
    {
        return uint3{x, y, z};
    }
#elif defined(__cplusplus)
    __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    __host__ __device__ operator uint3(void) const
    {
        uint3 v = {x, y, z};
        return v;
    }
#endif
};
typedef struct dim3 dim3;

/* dim3 as a member of a union: before C++11 nothing with a constructor may be one. */
#if !defined(__cplusplus) || __cplusplus >= 201103L
#define PTXEMU_DIM3_MEMBER dim3
#else
#define PTXEMU_DIM3_MEMBER uint3
#endif

#endif
