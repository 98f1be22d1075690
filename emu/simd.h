/*
 * Rows of 32 lanes and masks of lanes.
 *
 * A row is an array of 32 values of one C type, 64-byte aligned; loops over it are written with for_each_lane and turned
 * into vector code by the compiler.  A mask has one bit per lane.  This file is compiled once per instruction set.
 */
#ifndef EMU_SIMD_H
#define EMU_SIMD_H

#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

enum { WARP_LANES = 32 };
typedef uint32_t lane_mask;
#define ALL_LANES ((lane_mask)0xffffffff)

/* The iterations are independent even where a destination row is also a source row: each lane reads before it writes. */
#if defined(__clang__)
#define for_each_lane(l) _Pragma("clang loop vectorize(assume_safety)") for (int l = 0; l < WARP_LANES; l++)
#else
#define for_each_lane(l) _Pragma("GCC ivdep") for (int l = 0; l < WARP_LANES; l++)
#endif

/* Lanes of a mask, lowest first. */
#define for_each_bit(l, mask)                                                                                          \
    for (lane_mask todo_##l = (mask), once_##l = 1; once_##l; once_##l = 0)                                            \
        for (int l; todo_##l != 0 && (l = __builtin_ctz(todo_##l), 1); todo_##l &= todo_##l - 1)

static inline int mask_count(lane_mask m)
{
    return __builtin_popcount(m);
}
static inline int mask_first(lane_mask m)
{
    return __builtin_ctz(m);
}
static inline lane_mask lane_bit(int lane)
{
    return (lane_mask)1 << lane;
}

/* The mask of the lanes whose byte is not zero; bytes must be 0 or 0xff. */
static inline lane_mask mask_from_bytes(const uint8_t bytes[WARP_LANES])
{
#if defined(__AVX2__)
    return (lane_mask)_mm256_movemask_epi8(_mm256_load_si256((const __m256i *)bytes));
#else
    lane_mask m = 0;

    for (int part = 0; part < WARP_LANES / 8; part++) {
        uint64_t eight;

        memcpy(&eight, bytes + 8 * part, sizeof eight);
        /* Gather the lowest bit of each byte into the top byte. */
        m |= (lane_mask)(((eight & 0x0101010101010101u) * 0x0102040810204080u) >> 56) << (8 * part);
    }
    return m;
#endif
}

/* One byte per lane, 0xff where the mask has the lane. */
static inline void mask_to_bytes(uint8_t bytes[WARP_LANES], lane_mask m)
{
    for_each_lane(l)
    {
        bytes[l] = (uint8_t)(0 - ((m >> l) & 1));
    }
}

#endif
