/*
 * Loads and stores that say how to cache: __ldg (read only), __ldca, __ldcg, __ldcs, __ldlu, __ldcv, __stwb, __stcg,
 * __stcs,
 * __stwt. A hint changes no value, and vectors are one access each.
 */
#ifndef PTXEMU_CUDA_DEVICE_LOADS_H
#define PTXEMU_CUDA_DEVICE_LOADS_H

#include "../vector_types.h"
#include "words.h"

#define PTXEMU_LOAD1(name, operation, type, suffix, reg, word)                              \
    PTXEMU_DEVICE type name(const type *address)                                            \
    {                                                                                       \
        word w;                                                                             \
                                                                                            \
        asm volatile(operation suffix " %0, [%1];" : "=" reg(w) : "l"(address) : "memory"); \
        return (type)w;                                                                     \
    }
#define PTXEMU_LOAD2(name, operation, type, suffix, reg)       \
    PTXEMU_DEVICE type name(const type *address)               \
    {                                                          \
        type v;                                                \
                                                               \
        asm volatile(operation ".v2" suffix " {%0, %1}, [%2];" \
                     : "=" reg(v.x), "=" reg(v.y)              \
                     : "l"(address)                            \
                     : "memory");                              \
        return v;                                              \
    }
#define PTXEMU_LOAD4(name, operation, type, suffix, reg)                      \
    PTXEMU_DEVICE type name(const type *address)                              \
    {                                                                         \
        type v;                                                               \
                                                                              \
        asm volatile(operation ".v4" suffix " {%0, %1, %2, %3}, [%4];"        \
                     : "=" reg(v.x), "=" reg(v.y), "=" reg(v.z), "=" reg(v.w) \
                     : "l"(address)                                           \
                     : "memory");                                             \
        return v;                                                             \
    }
#define PTXEMU_LOADS(name, operation)                                                  \
    PTXEMU_LOAD1(name, operation, char, ".s8", "r", int)                               \
    PTXEMU_LOAD1(name, operation, signed char, ".s8", "r", int)                        \
    PTXEMU_LOAD1(name, operation, unsigned char, ".u8", "r", unsigned int)             \
    PTXEMU_LOAD1(name, operation, short, ".s16", "h", short)                           \
    PTXEMU_LOAD1(name, operation, unsigned short, ".u16", "h", unsigned short)         \
    PTXEMU_LOAD1(name, operation, int, ".s32", "r", int)                               \
    PTXEMU_LOAD1(name, operation, unsigned int, ".u32", "r", unsigned int)             \
    PTXEMU_LOAD1(name, operation, long, ".s64", "l", long)                             \
    PTXEMU_LOAD1(name, operation, unsigned long, ".u64", "l", unsigned long)           \
    PTXEMU_LOAD1(name, operation, long long, ".s64", "l", long long)                   \
    PTXEMU_LOAD1(name, operation, unsigned long long, ".u64", "l", unsigned long long) \
    PTXEMU_LOAD1(name, operation, float, ".f32", "f", float)                           \
    PTXEMU_LOAD1(name, operation, double, ".f64", "d", double)                         \
    PTXEMU_LOAD2(name, operation, int2, ".s32", "r")                                   \
    PTXEMU_LOAD2(name, operation, uint2, ".u32", "r")                                  \
    PTXEMU_LOAD2(name, operation, longlong2, ".s64", "l")                              \
    PTXEMU_LOAD2(name, operation, ulonglong2, ".u64", "l")                             \
    PTXEMU_LOAD2(name, operation, float2, ".f32", "f")                                 \
    PTXEMU_LOAD2(name, operation, double2, ".f64", "d")                                \
    PTXEMU_LOAD4(name, operation, int4, ".s32", "r")                                   \
    PTXEMU_LOAD4(name, operation, uint4, ".u32", "r")                                  \
    PTXEMU_LOAD4(name, operation, float4, ".f32", "f")
PTXEMU_LOADS(__ldg, "ld.global.nc")
PTXEMU_LOADS(__ldca, "ld.global.ca")
PTXEMU_LOADS(__ldcg, "ld.global.cg")
PTXEMU_LOADS(__ldcs, "ld.global.cs")
PTXEMU_LOADS(__ldlu, "ld.global.lu")
PTXEMU_LOADS(__ldcv, "ld.global.cv")
#undef PTXEMU_LOADS
#undef PTXEMU_LOAD1
#undef PTXEMU_LOAD2
#undef PTXEMU_LOAD4

#define PTXEMU_STORE1(name, operation, type, suffix, reg, word)                                  \
    PTXEMU_DEVICE void name(type *address, type value)                                           \
    {                                                                                            \
        asm volatile(operation suffix " [%0], %1;" ::"l"(address), reg((word)value) : "memory"); \
    }
#define PTXEMU_STORE4(name, operation, type, suffix, reg)                                                            \
    PTXEMU_DEVICE void name(type *address, type v)                                                                   \
    {                                                                                                                \
        asm volatile(operation ".v4" suffix " [%0], {%1, %2, %3, %4};" ::"l"(address), reg(v.x), reg(v.y), reg(v.z), \
                     reg(v.w)                                                                                        \
                     : "memory");                                                                                    \
    }
#define PTXEMU_STORE2(name, operation, type, suffix, reg)                                                      \
    PTXEMU_DEVICE void name(type *address, type v)                                                             \
    {                                                                                                          \
        asm volatile(operation ".v2" suffix " [%0], {%1, %2};" ::"l"(address), reg(v.x), reg(v.y) : "memory"); \
    }
#define PTXEMU_STORES(name, operation)                                                  \
    PTXEMU_STORE1(name, operation, char, ".s8", "r", int)                               \
    PTXEMU_STORE1(name, operation, unsigned char, ".u8", "r", unsigned int)             \
    PTXEMU_STORE1(name, operation, short, ".s16", "h", short)                           \
    PTXEMU_STORE1(name, operation, unsigned short, ".u16", "h", unsigned short)         \
    PTXEMU_STORE1(name, operation, int, ".s32", "r", int)                               \
    PTXEMU_STORE1(name, operation, unsigned int, ".u32", "r", unsigned int)             \
    PTXEMU_STORE1(name, operation, long long, ".s64", "l", long long)                   \
    PTXEMU_STORE1(name, operation, unsigned long long, ".u64", "l", unsigned long long) \
    PTXEMU_STORE1(name, operation, float, ".f32", "f", float)                           \
    PTXEMU_STORE1(name, operation, double, ".f64", "d", double)                         \
    PTXEMU_STORE2(name, operation, int2, ".s32", "r")                                   \
    PTXEMU_STORE2(name, operation, float2, ".f32", "f")                                 \
    PTXEMU_STORE2(name, operation, double2, ".f64", "d")                                \
    PTXEMU_STORE4(name, operation, int4, ".s32", "r")                                   \
    PTXEMU_STORE4(name, operation, uint4, ".u32", "r")                                  \
    PTXEMU_STORE4(name, operation, float4, ".f32", "f")
PTXEMU_STORES(__stwb, "st.global.wb")
PTXEMU_STORES(__stcg, "st.global.cg")
PTXEMU_STORES(__stcs, "st.global.cs")
PTXEMU_STORES(__stwt, "st.global.wt")
#undef PTXEMU_STORES
#undef PTXEMU_STORE1
#undef PTXEMU_STORE2
#undef PTXEMU_STORE4

#endif
