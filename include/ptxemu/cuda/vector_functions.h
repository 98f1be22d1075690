/*
 * Constructors of the short vectors: make_float4(x, y, z, w) and the like, in C as well, on the host and the device.
 */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define PTXEMU_MAKE(vector, parameters, body)                             \
    static __inline__ __host__ __device__ vector make_##vector parameters \
    {                                                                     \
        vector v;                                                         \
        body return v;                                                    \
    }
#define PTXEMU_MAKE4(vector, type) \
    PTXEMU_MAKE(vector, (type x, type y, type z, type w), v.x = x; v.y = y; v.z = z; v.w = w;)
#define PTXEMU_MAKE_ALL(name, type)                                            \
    PTXEMU_MAKE(name##1, (type x), v.x = x;)                                   \
    PTXEMU_MAKE(name##2, (type x, type y), v.x = x; v.y = y;)                  \
    PTXEMU_MAKE(name##3, (type x, type y, type z), v.x = x; v.y = y; v.z = z;) \
    PTXEMU_MAKE4(name##4, type)

PTXEMU_MAKE_ALL(char, signed char)
PTXEMU_MAKE_ALL(uchar, unsigned char)
PTXEMU_MAKE_ALL(short, short)
PTXEMU_MAKE_ALL(ushort, unsigned short)
PTXEMU_MAKE_ALL(int, int)
PTXEMU_MAKE_ALL(uint, unsigned int)
PTXEMU_MAKE_ALL(long, long)
PTXEMU_MAKE_ALL(ulong, unsigned long)
PTXEMU_MAKE_ALL(longlong, long long)
PTXEMU_MAKE_ALL(ulonglong, unsigned long long)
PTXEMU_MAKE_ALL(float, float)
PTXEMU_MAKE_ALL(double, double)

PTXEMU_MAKE4(long4_16a, long)
PTXEMU_MAKE4(ulong4_16a, unsigned long)
PTXEMU_MAKE4(longlong4_16a, long long)
PTXEMU_MAKE4(ulonglong4_16a, unsigned long long)
PTXEMU_MAKE4(double4_16a, double)
PTXEMU_MAKE4(long4_32a, long)
PTXEMU_MAKE4(ulong4_32a, unsigned long)
PTXEMU_MAKE4(longlong4_32a, long long)
PTXEMU_MAKE4(ulonglong4_32a, unsigned long long)
PTXEMU_MAKE4(double4_32a, double)

#undef PTXEMU_MAKE_ALL
#undef PTXEMU_MAKE4
#undef PTXEMU_MAKE

#endif
