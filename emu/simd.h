/*
 * Rows of 32 lanes and masks of lanes.
 *
 * A row is an array of 32 values of one C type, 64-byte aligned; loops over it are written with for_each_lane and
 * turned into vector code by the compiler.  A mask has one bit per lane.  This file is compiled once per instruction
 * set.
 */
#ifndef EMU_SIMD_H
#define EMU_SIMD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

enum { WARP_LANES = 32 };
typedef uint32_t lane_mask;
#define ALL_LANES ((lane_mask)0xffffffff)

/*
 * The iterations are independent even where a destination row is also a source row: each lane reads before it writes.
 * Compilers must not unroll such loops before they vectorise them, or they end up with 32 scalar operations.  With 32
 * wide registers a whole row is one step of straight-line code.
 */
#if defined(__clang__) && defined(__AVX512F__)
#define for_each_lane(l)                                                                                         \
    _Pragma("clang loop vectorize(assume_safety) vectorize_width(32) interleave_count(1) unroll(disable)") for ( \
        int l = 0; l < WARP_LANES; l++)
#elif defined(__clang__)
#define for_each_lane(l) \
    _Pragma("clang loop vectorize(assume_safety) unroll(disable)") for (int l = 0; l < WARP_LANES; l++)
#else
#define for_each_lane(l) _Pragma("GCC ivdep") for (int l = 0; l < WARP_LANES; l++)
#endif

/* The 16 lanes of half a row, as above. */
#if defined(__clang__) && defined(__AVX512F__)
#define for_each_half_lane(l)                                                                                    \
    _Pragma("clang loop vectorize(assume_safety) vectorize_width(16) interleave_count(1) unroll(disable)") for ( \
        int l = 0; l < WARP_LANES / 2; l++)
#elif defined(__clang__)
#define for_each_half_lane(l) \
    _Pragma("clang loop vectorize(assume_safety) unroll(disable)") for (int l = 0; l < WARP_LANES / 2; l++)
#else
#define for_each_half_lane(l) _Pragma("GCC ivdep") for (int l = 0; l < WARP_LANES / 2; l++)
#endif

/* Lanes of a mask, lowest first. */
#define for_each_bit(l, mask)                                               \
    for (lane_mask todo_##l = (mask), once_##l = 1; once_##l; once_##l = 0) \
        for (int l; todo_##l != 0 && (l = __builtin_ctz(todo_##l), 1); todo_##l &= todo_##l - 1)

static inline int mask_count(lane_mask m)
{
    return __builtin_popcount(m);
}
static inline int mask_first(lane_mask m)
{
    return __builtin_ctz(m);
}
static inline unsigned mask_last(lane_mask m)
{
    return 31u - (unsigned)__builtin_clz(m);
}
static inline lane_mask lane_bit(int lane)
{
    return (lane_mask)1 << lane;
}

/* The mask of the lanes whose byte is not zero; bytes must be 0 or 0xff. */
static inline lane_mask mask_from_bytes(const uint8_t bytes[WARP_LANES])
{
#if defined(__AVX2__)
    return (lane_mask)_mm256_movemask_epi8(_mm256_loadu_si256((const __m256i *)bytes));
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
    for_each_lane (l) {
        bytes[l] = (uint8_t)(0 - ((m >> l) & 1));
    }
}

/* --- consecutive vectors of lanes -------------------------------------------------------------- */
/* At any place where a vector of the smallest values, two bytes, can be. */
typedef uint64_t block_piece __attribute__((vector_size(64), aligned(2), may_alias));

/*
 * Copy what 32 lanes access at once, vectors of up to 16 bytes that are aligned to their size: each is read or written
 * as a whole, since no aligned 16 bytes are split by an access of the host.
 */
static inline void copy_block(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += sizeof(block_piece)) {
        *(block_piece *)((uint8_t *)to + i) = *(const block_piece *)((const uint8_t *)from + i);
    }
    /* Now it is done: nobody looks at, or changes, memory again for it. */
    __asm__ volatile("" : : : "memory");
}

/* --- questions about rows of addresses -------------------------------------------------------- */
#if defined(__AVX512F__)
static inline bool row_rises_64(const uint64_t *row, uint64_t step)
{
    const __m512i index = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const __m512i first = _mm512_set1_epi64((long long)row[0]);
    const __m512i want = _mm512_add_epi64(first, _mm512_mullo_epi64(index, _mm512_set1_epi64((long long)step)));
    __m512i apart = _mm512_xor_si512(_mm512_load_si512(row), want);

    for (int part = 1; part < 4; part++) {
        const __m512i next = _mm512_add_epi64(want, _mm512_set1_epi64((long long)(8u * (unsigned)part * step)));

        apart = _mm512_or_si512(apart, _mm512_xor_si512(_mm512_load_si512(row + 8 * part), next));
    }
    return _mm512_test_epi64_mask(apart, apart) == 0;
}

static inline bool row_rises_32(const uint32_t *row, uint32_t step)
{
    const __m512i index = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i want =
        _mm512_add_epi32(_mm512_set1_epi32((int)row[0]), _mm512_mullo_epi32(index, _mm512_set1_epi32((int)step)));
    const __m512i next = _mm512_add_epi32(want, _mm512_set1_epi32((int)(16 * step)));
    const __m512i apart = _mm512_or_si512(_mm512_xor_si512(_mm512_load_si512(row), want),
                                          _mm512_xor_si512(_mm512_load_si512(row + 16), next));

    return _mm512_test_epi32_mask(apart, apart) == 0;
}

/* Half a row, 16 lanes: CTAs that are 16 threads wide make rows of two independent halves. */
static inline bool half_rises_32(const uint32_t *half, uint32_t step)
{
    const __m512i index = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i want =
        _mm512_add_epi32(_mm512_set1_epi32((int)half[0]), _mm512_mullo_epi32(index, _mm512_set1_epi32((int)step)));

    return _mm512_cmpneq_epi32_mask(_mm512_load_si512(half), want) == 0;
}

static inline bool half_same_32(const uint32_t *half)
{
    return _mm512_cmpneq_epi32_mask(_mm512_load_si512(half), _mm512_set1_epi32((int)half[0])) == 0;
}

static inline bool half_rises_64(const uint64_t *half, uint64_t step)
{
    const __m512i index = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const __m512i want = _mm512_add_epi64(_mm512_set1_epi64((long long)half[0]),
                                          _mm512_mullo_epi64(index, _mm512_set1_epi64((long long)step)));
    const __m512i next = _mm512_add_epi64(want, _mm512_set1_epi64((long long)(8 * step)));

    return (_mm512_cmpneq_epi64_mask(_mm512_load_si512(half), want) |
            _mm512_cmpneq_epi64_mask(_mm512_load_si512(half + 8), next)) == 0;
}

static inline bool half_same_64(const uint64_t *half)
{
    const __m512i first = _mm512_set1_epi64((long long)half[0]);

    return (_mm512_cmpneq_epi64_mask(_mm512_load_si512(half), first) |
            _mm512_cmpneq_epi64_mask(_mm512_load_si512(half + 8), first)) == 0;
}

/* Every row[l] + shift is at most `last`, and no bit of `low` is set in row[l] + offset. */
static inline bool row_inside_64(const uint64_t *row, uint64_t shift, uint64_t last, uint64_t offset, uint64_t low)
{
    const __m512i s = _mm512_set1_epi64((long long)shift), most = _mm512_set1_epi64((long long)last);
    const __m512i o = _mm512_set1_epi64((long long)offset), bits = _mm512_set1_epi64((long long)low);
    __mmask8 bad = 0;

    for (int part = 0; part < 4; part++) {
        const __m512i v = _mm512_load_si512(row + 8 * part);

        bad |= _mm512_cmpgt_epu64_mask(_mm512_add_epi64(v, s), most);
        bad |= _mm512_test_epi64_mask(_mm512_add_epi64(v, o), bits);
    }
    return bad == 0;
}

static inline bool row_inside_32(const uint32_t *row, uint32_t shift, uint32_t last, uint32_t offset, uint32_t low)
{
    const __m512i s = _mm512_set1_epi32((int)shift), most = _mm512_set1_epi32((int)last);
    const __m512i o = _mm512_set1_epi32((int)offset), bits = _mm512_set1_epi32((int)low);
    __mmask16 bad = 0;

    for (int part = 0; part < 2; part++) {
        const __m512i v = _mm512_load_si512(row + 16 * part);

        bad |= _mm512_cmpgt_epu32_mask(_mm512_add_epi32(v, s), most);
        bad |= _mm512_test_epi32_mask(_mm512_add_epi32(v, o), bits);
    }
    return bad == 0;
}
#else
/* The lane's number as a row: the compiler must not see that its first element makes the first comparison trivial. */
#define DEFINE_ROW_QUESTIONS(bits)                                                                             \
    static inline bool row_rises_##bits(const uint##bits##_t *row, uint##bits##_t step)                        \
    {                                                                                                          \
        uint##bits##_t apart = 0;                                                                              \
        for_each_lane (l)                                                                                      \
            apart |= row[l] ^ (uint##bits##_t)(row[0] + (uint##bits##_t)l * step);                             \
        return apart == 0;                                                                                     \
    }                                                                                                          \
    static inline bool half_rises_##bits(const uint##bits##_t *half, uint##bits##_t step)                      \
    {                                                                                                          \
        uint##bits##_t apart = 0;                                                                              \
        for_each_half_lane(l) apart |= half[l] ^ (uint##bits##_t)(half[0] + (uint##bits##_t)l * step);         \
        return apart == 0;                                                                                     \
    }                                                                                                          \
    static inline bool half_same_##bits(const uint##bits##_t *half)                                            \
    {                                                                                                          \
        uint##bits##_t apart = 0;                                                                              \
        for_each_half_lane(l) apart |= half[l] ^ half[0];                                                      \
        return apart == 0;                                                                                     \
    }                                                                                                          \
    static inline bool row_inside_##bits(const uint##bits##_t *row, uint##bits##_t shift, uint##bits##_t last, \
                                         uint##bits##_t offset, uint##bits##_t low)                            \
    {                                                                                                          \
        uint##bits##_t outside = 0;                                                                            \
        for_each_lane (l)                                                                                      \
            outside |= (uint##bits##_t)((uint##bits##_t)(row[l] + shift) > last) | ((row[l] + offset) & low);  \
        return outside == 0;                                                                                   \
    }
DEFINE_ROW_QUESTIONS(32)
DEFINE_ROW_QUESTIONS(64)
#endif

/* Whether lanes that are 1, 2, 4, 8 or 16 apart have one value: no test of all pairs, but an affordable one. */
#define DEFINE_ROW_REPEATS(bits)                                                                                     \
    static inline bool row_repeats_##bits(const uint##bits##_t *row)                                                 \
    {                                                                                                                \
        _Alignas(64) uint##bits##_t twice[WARP_LANES + WARP_LANES / 2];                                              \
        uint##bits##_t same = 0;                                                                                     \
        for_each_lane (l)                                                                                            \
            twice[l] = row[l];                                                                                       \
        for_each_half_lane(l) twice[WARP_LANES + l] = row[l];                                                        \
        for_each_lane (l)                                                                                            \
            same |= (uint##bits##_t)(row[l] == twice[l + 1]) | (row[l] == twice[l + 2]) | (row[l] == twice[l + 4]) | \
                    (row[l] == twice[l + 8]) | (row[l] == twice[l + 16]);                                            \
        return same != 0;                                                                                            \
    }
DEFINE_ROW_REPEATS(32)
DEFINE_ROW_REPEATS(64)

/* The active lanes' values, of which there is one, rise by `step` from lane to lane. */
#define DEFINE_ACTIVE_RISE(bits)                                                                            \
    static inline bool active_rise_##bits(const uint##bits##_t *row, uint##bits##_t step, lane_mask active) \
    {                                                                                                       \
        const unsigned low = (unsigned)mask_first(active);                                                  \
        const uint##bits##_t zero = row[low] - (uint##bits##_t)low * step;                                  \
        uint##bits##_t apart = 0;                                                                           \
        for_each_lane (l)                                                                                   \
            apart |= (active >> l) & 1 ? row[l] ^ (uint##bits##_t)(zero + (uint##bits##_t)l * step) : 0;    \
        return apart == 0;                                                                                  \
    }
DEFINE_ACTIVE_RISE(32)
DEFINE_ACTIVE_RISE(64)

/* --- questions about rows of numbers ---------------------------------------------------------- */

/*
 * Of every row[l], the bits of `mask` are from `first` to `last`.  Compilers must not see that a later loop over the
 * row loads again what is loaded here: clang 14 then passes the first lane to it in a register, and the loop stays
 * scalar.
 */
static inline bool row_between_32(const uint32_t *row, uint32_t mask, uint32_t first, uint32_t last)
{
#if defined(__AVX512F__)
    const __m512i bits = _mm512_set1_epi32((int)mask), low = _mm512_set1_epi32((int)first);
    const __m512i span = _mm512_set1_epi32((int)(last - first));

    __asm__("" : "+r"(row));
    const __m512i left = _mm512_and_si512(_mm512_load_si512(row), bits);
    const __m512i right = _mm512_and_si512(_mm512_load_si512(row + 16), bits);

    return _mm512_kortestz(_mm512_cmpgt_epu32_mask(_mm512_sub_epi32(left, low), span),
                           _mm512_cmpgt_epu32_mask(_mm512_sub_epi32(right, low), span));
#else
    uint32_t outside = 0;

    for_each_lane (l)
        outside |= (row[l] & mask) - first > last - first;
    return outside == 0;
#endif
}

/* --- lookups ---------------------------------------------------------------------------------- */

/* A table of words, and the same as lower and upper halves; all 64-byte aligned. */
struct word_table {
    const uint32_t *words;
    const uint16_t *lower, *upper;
    int entries; /* 64 or 128 */
};

static inline void row_lookup_words(const struct word_table *table, const uint32_t *index, uint32_t *out)
{
    for (int l = 0; l < WARP_LANES; l++) {
        out[l] = table->words[index[l]];
    }
}

#if defined(__AVX512F__)
/* 32 halves of 64 entries; only the low 6 bits of an index count. */
static inline __m512i lookup_64(const uint16_t *table, __m512i index)
{
    return _mm512_permutex2var_epi16(_mm512_load_si512(table), index, _mm512_load_si512(table + 32));
}

static inline __m512i lookup_halves(const uint16_t *table, int entries, __m512i index)
{
    const __m512i found = lookup_64(table, index);

    if (entries == 64) {
        return found;
    }
    return _mm512_mask_mov_epi16(found, _mm512_test_epi16_mask(index, _mm512_set1_epi16(64)),
                                 lookup_64(table + 64, index));
}

/*
 * The words at 32 indices.  Their halves are looked up for all 32 at a time, then put together: in each quarter of a
 * vector the lower four indices belong to out[0], the upper four to out[1], as packing instructions make them.
 */
static inline void lookup_words(const struct word_table *table, __m512i packed_index, __m512i out[2])
{
    const __m512i lower = lookup_halves(table->lower, table->entries, packed_index);
    const __m512i upper = lookup_halves(table->upper, table->entries, packed_index);

    out[0] = _mm512_unpacklo_epi16(lower, upper);
    out[1] = _mm512_unpackhi_epi16(lower, upper);
}
#endif

#endif
