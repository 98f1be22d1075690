/*
 * What threads do together: barriers and fences, votes, shuffles, matches and reductions in a warp. The `_sync` forms
 * name the lanes that take part; the forms without are not offered, as no GPU since Volta has them.
 */
#ifndef PTXEMU_CUDA_DEVICE_WARP_H
#define PTXEMU_CUDA_DEVICE_WARP_H

#include "words.h"

/* --- barriers of a CTA --- */

#if !__has_builtin(__syncthreads)
PTXEMU_DEVICE void __syncthreads(void)
{
    __nvvm_barrier0();
}
#endif

PTXEMU_DEVICE int __syncthreads_count(int predicate)
{
    return __nvvm_bar0_popc(predicate);
}

PTXEMU_DEVICE int __syncthreads_and(int predicate)
{
    return __nvvm_bar0_and(predicate);
}

PTXEMU_DEVICE int __syncthreads_or(int predicate)
{
    return __nvvm_bar0_or(predicate);
}

PTXEMU_DEVICE void __syncwarp(unsigned int mask = 0xffffffff)
{
    asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}

/* --- fences: of a CTA, of the device, of the system --- */

PTXEMU_DEVICE void __threadfence_block(void)
{
    __nvvm_membar_cta();
}

PTXEMU_DEVICE void __threadfence(void)
{
    __nvvm_membar_gl();
}

PTXEMU_DEVICE void __threadfence_system(void)
{
    __nvvm_membar_sys();
}

/* --- votes --- */

PTXEMU_DEVICE unsigned int __activemask(void)
{
    unsigned int mask;

    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}

#define PTXEMU_VOTE(name, mode)                                                 \
    PTXEMU_DEVICE int name(unsigned int mask, int predicate)                    \
    {                                                                           \
        int result;                                                             \
                                                                                \
        asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync." mode \
                     ".pred q, p, %2; selp.s32 %0, 1, 0, q; }"                  \
                     : "=r"(result)                                             \
                     : "r"(predicate), "r"(mask));                              \
        return result;                                                          \
    }
PTXEMU_VOTE(__all_sync, "all")
PTXEMU_VOTE(__any_sync, "any")
PTXEMU_VOTE(__uni_sync, "uni")
#undef PTXEMU_VOTE

PTXEMU_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate)
{
    unsigned int lanes;

    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(lanes)
                 : "r"(predicate), "r"(mask));
    return lanes;
}

/* --- shuffles: of 32-bit words; every other type goes through them --- */

#define PTXEMU_SHUFFLE_WORD(mode, second)                                                                             \
    PTXEMU_DEVICE unsigned int ptxemu_shfl_##mode(unsigned int mask, unsigned int word, unsigned int lane, int width) \
    {                                                                                                                 \
        unsigned int result;                                                                                          \
        unsigned int segment = (unsigned int)(32 - width) << 8 | second;                                              \
                                                                                                                      \
        asm volatile("shfl.sync." #mode ".b32 %0, %1, %2, %3, %4;"                                                    \
                     : "=r"(result)                                                                                   \
                     : "r"(word), "r"(lane), "r"(segment), "r"(mask));                                                \
        return result;                                                                                                \
    }
PTXEMU_SHUFFLE_WORD(idx, 0x1f)
PTXEMU_SHUFFLE_WORD(up, 0)
PTXEMU_SHUFFLE_WORD(down, 0x1f)
PTXEMU_SHUFFLE_WORD(bfly, 0x1f)
#undef PTXEMU_SHUFFLE_WORD

#define PTXEMU_SHUFFLE_32(name, mode, type, lane_type)                                                           \
    PTXEMU_DEVICE type name(unsigned int mask, type value, lane_type lane, int width = 32)                       \
    {                                                                                                            \
        return __builtin_bit_cast(                                                                               \
            type, ptxemu_shfl_##mode(mask, __builtin_bit_cast(unsigned int, value), (unsigned int)lane, width)); \
    }
#define PTXEMU_SHUFFLE_64(name, mode, type, lane_type)                                                             \
    PTXEMU_DEVICE type name(unsigned int mask, type value, lane_type lane, int width = 32)                         \
    {                                                                                                              \
        unsigned long long bits = __builtin_bit_cast(unsigned long long, value);                                   \
        unsigned long long low = ptxemu_shfl_##mode(mask, (unsigned int)bits, (unsigned int)lane, width);          \
        unsigned long long high = ptxemu_shfl_##mode(mask, (unsigned int)(bits >> 32), (unsigned int)lane, width); \
                                                                                                                   \
        return __builtin_bit_cast(type, high << 32 | low);                                                         \
    }
#define PTXEMU_SHUFFLE(name, mode, lane_type)                    \
    PTXEMU_SHUFFLE_32(name, mode, int, lane_type)                \
    PTXEMU_SHUFFLE_32(name, mode, unsigned int, lane_type)       \
    PTXEMU_SHUFFLE_32(name, mode, float, lane_type)              \
    PTXEMU_SHUFFLE_64(name, mode, long, lane_type)               \
    PTXEMU_SHUFFLE_64(name, mode, unsigned long, lane_type)      \
    PTXEMU_SHUFFLE_64(name, mode, long long, lane_type)          \
    PTXEMU_SHUFFLE_64(name, mode, unsigned long long, lane_type) \
    PTXEMU_SHUFFLE_64(name, mode, double, lane_type)
PTXEMU_SHUFFLE(__shfl_sync, idx, int)
PTXEMU_SHUFFLE(__shfl_up_sync, up, unsigned int)
PTXEMU_SHUFFLE(__shfl_down_sync, down, unsigned int)
PTXEMU_SHUFFLE(__shfl_xor_sync, bfly, int)
#undef PTXEMU_SHUFFLE
#undef PTXEMU_SHUFFLE_64
#undef PTXEMU_SHUFFLE_32

/* --- matches --- */

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define PTXEMU_MATCH(type, bits, constraint)                                                               \
    PTXEMU_DEVICE unsigned int __match_any_sync(unsigned int mask, type value)                             \
    {                                                                                                      \
        unsigned int same;                                                                                 \
                                                                                                           \
        asm volatile("match.any.sync.b" #bits " %0, %1, %2;" : "=r"(same) : constraint(value), "r"(mask)); \
        return same;                                                                                       \
    }                                                                                                      \
    PTXEMU_DEVICE unsigned int __match_all_sync(unsigned int mask, type value, int *predicate)             \
    {                                                                                                      \
        unsigned int same;                                                                                 \
        int all;                                                                                           \
                                                                                                           \
        asm volatile("{ .reg .pred p; match.all.sync.b" #bits " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"     \
                     : "=r"(same), "=r"(all)                                                               \
                     : constraint(value), "r"(mask));                                                      \
        *predicate = all;                                                                                  \
        return same;                                                                                       \
    }
PTXEMU_MATCH(int, 32, "r")
PTXEMU_MATCH(unsigned int, 32, "r")
PTXEMU_MATCH(float, 32, "f")
PTXEMU_MATCH(long, 64, "l")
PTXEMU_MATCH(unsigned long, 64, "l")
PTXEMU_MATCH(long long, 64, "l")
PTXEMU_MATCH(unsigned long long, 64, "l")
PTXEMU_MATCH(double, 64, "d")
#undef PTXEMU_MATCH

PTXEMU_DEVICE void __nanosleep(unsigned int nanoseconds)
{
    asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}
#endif

/* --- reductions --- */

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define PTXEMU_REDUCE(operation, type, suffix)                                                                    \
    PTXEMU_DEVICE type __reduce_##operation##_sync(unsigned int mask, type value)                                 \
    {                                                                                                             \
        type result;                                                                                              \
                                                                                                                  \
        asm volatile("redux.sync." #operation "." #suffix " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask)); \
        return result;                                                                                            \
    }
PTXEMU_REDUCE(add, int, s32)
PTXEMU_REDUCE(add, unsigned int, u32)
PTXEMU_REDUCE(min, int, s32)
PTXEMU_REDUCE(min, unsigned int, u32)
PTXEMU_REDUCE(max, int, s32)
PTXEMU_REDUCE(max, unsigned int, u32)
PTXEMU_REDUCE(and, unsigned int, b32)
PTXEMU_REDUCE(or, unsigned int, b32)
PTXEMU_REDUCE(xor, unsigned int, b32)
#undef PTXEMU_REDUCE
#endif

/* --- time --- */

PTXEMU_DEVICE long long clock64(void)
{
    long long cycles;

    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles));
    return cycles;
}

PTXEMU_DEVICE int clock(void)
{
    int cycles;

    asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles));
    return cycles;
}

PTXEMU_DEVICE void __trap(void)
{
    asm volatile("trap;");
}

#endif
