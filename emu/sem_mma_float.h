/*
 * Sums of products of floating-point matrix instructions, bit for bit as the H200's tensor cores form them.
 *
 * One step adds n exact products and c:
 *   1. A product's exponent is the sum of its factors' exponents, so its significand is in [1, 4); subnormal factors
 *      count with the smallest exponent of their format.  Products that are zero do not count.
 *   2. The largest exponent of the products and of c, but at least -133, is E.
 *   3. Each term is cut toward zero to a multiple of 2^(E - 25); then they are added exactly.
 *   4. The sum is cut toward zero to f32, or rounded to nearest even to f16.  A zero is always +0.
 * NaN, infinity times zero and infinity minus infinity give 0x7fffffff (f16 0x7fff).
 *
 * The fast path does this for a whole tile.  It is exact if all factors are finite, zero or between 2^-50 and 2^63, and
 * no c is an infinity or NaN:
 *   - products and their multiples with 2^(25 - E) are exact in f32, or so small that they are cut to zero;
 *   - a step has at most 16 products that are not left out, each below 4 * 2^25 by the precision of their factors (11
 *     bits: 2047^2 * 2^5), so they add up to less than 2^31;
 *   - if any product is not zero, E >= -100, so the sum is a multiple of 2^-125: a normal f32 or zero; if all are zero,
 *     the sum is c.
 * Everything else goes element by element through mma_exact.
 */
#ifndef EMU_SEM_MMA_FLOAT_H
#define EMU_SEM_MMA_FLOAT_H

#include "sem_float.h"
#include "sem_half.h"
#include "sem_mma.h"

enum {
    MMA_FRACTION = 25,        /* bits kept below the largest exponent */
    MMA_LEAST_MAX = -133,     /* that exponent is at least this */
    MMA_NO_EXPONENT = -10000, /* of a zero; two of them still fit */
    MMA_INF_EXPONENT = 128,
    MMA_FAST_LEAST = -50, /* the fast path's factors */
    MMA_FAST_MOST = 62,
};

/* Exponents of a tile's elements. */
struct mma_exponents {
    _Alignas(64) int32_t a[2][MMA_MOST_SLOTS][WARP_LANES];
    _Alignas(64) int32_t b[MMA_MOST_K][2][4];
    bool fast; /* all elements serve the fast path */
};

/* The exponent of a value of a format whose smallest is `least`. */
SEM int32_t mma_exponent(uint32_t bits, int32_t least)
{
    const int32_t field = (int32_t)(bits >> 23 & 255) - 127, normal = field < least ? least : field;

    return (bits & ~SEM_SIGN_F32) == 0 ? MMA_NO_EXPONENT : normal;
}

SEM int32_t mma_least_exponent(unsigned format)
{
    /* 8-bit formats are converted to f16 first. */
    return format == MMA_F16 || format == MMA_E4M3 || format == MMA_E5M2 ? -14 : -126;
}

static inline bool mma_any(const mma_s32s *truth)
{
    uint64_t w[8];

    memcpy(w, truth, sizeof w);
    return (w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7]) != 0;
}

/* mma_exponent of 16 values. */
#define MMA_EXPONENTS(bits, least)                                       \
    MMA_SELECT(((bits)&INT32_MAX) == 0, (mma_s32s){0} + MMA_NO_EXPONENT, \
               MMA_MAX((((bits) >> 23) & 255) - 127, (mma_s32s){0} + (least)))

/* Exponents of 32 values; returns whether all serve the fast path. */
static inline bool mma_exponents_of(int32_t *out, const float *value, int32_t least)
{
    mma_s32s bad = {0};

    for (int l = 0; l < WARP_LANES; l += WARP_LANES / 2) {
        const mma_s32s bits = *(const mma_s32s *)(value + l), e = MMA_EXPONENTS(bits, least);

        *(mma_s32s *)(out + l) = e;
        bad |= (e > MMA_FAST_MOST) | ((e < MMA_FAST_LEAST) & (e != MMA_NO_EXPONENT));
    }
    return !mma_any(&bad);
}

static inline void mma_take_exponents(struct mma_exponents *x, const struct mma_tile *t, const struct sem_mma *m)
{
    const unsigned depth = t->slots * 4;

    x->fast = true;
    for (unsigned h = 0; h < t->halves; h++) {
        for (unsigned s = 0; s < t->slots; s++) {
            x->fast &= mma_exponents_of(x->a[h][s], t->a[h][s], mma_least_exponent(m->a));
        }
    }
    for (unsigned k = 0; k < depth; k += WARP_LANES / 8) {
        x->fast &= mma_exponents_of(&x->b[k][0][0], &t->b[k][0][0], mma_least_exponent(m->b));
    }
}

/* --- one element, exactly ----------------------------------------------------------------------------------------- */
/* value = magnitude * 2^(exponent - 23), for finite values. */
SEM uint64_t mma_magnitude(float value, int32_t exponent)
{
    const uint32_t bits = sem_bits_f32(value), field = bits >> 23 & 255;
    const uint64_t significand = (bits & 0x7fffff) | (field != 0 ? 0x800000u : 0);
    const int32_t own = (int32_t)(field != 0 ? field : 1) - 127;

    return exponent == MMA_NO_EXPONENT ? 0 : significand >> (exponent - own);
}

/* sum * 2^q cut toward zero to f32; `odd`: the lowest bit tells that something was cut, for a rounding to f16. */
static inline float mma_cut_f32(int64_t sum, int32_t q, bool odd)
{
    const uint64_t magnitude = sum < 0 ? 0 - (uint64_t)sum : (uint64_t)sum;

    if (magnitude == 0) {
        return 0;
    }
    const int32_t top = 63 - __builtin_clzll(magnitude), exponent = top + q;
    const int32_t unit = exponent < -126 ? -149 : exponent - 23, shift = unit - q;
    uint64_t kept = shift >= 64 ? 0 : shift >= 0 ? magnitude >> shift : magnitude << -shift;

    kept |= (uint64_t)(odd && (shift >= 64 || (shift > 0 && kept << shift != magnitude)));
    if (exponent > 127) {
        return sum < 0 ? -__builtin_inff() : __builtin_inff();
    }
    /* The leading bit of a normal number adds one to the exponent field. */
    const uint32_t bits = (exponent < -126 ? 0 : (uint32_t)(exponent + 126) << 23) + (uint32_t)kept;

    return bits == 0 ? 0.0f : sem_as_f32(bits | (sum < 0 ? SEM_SIGN_F32 : 0));
}

/* Terms of one element, collected. */
struct mma_terms {
    uint64_t magnitude[MMA_MOST_K + 1]; /* times 2^(exponent - 46) */
    int32_t exponent[MMA_MOST_K + 1];
    bool negative[MMA_MOST_K + 1];
    unsigned count;
    int32_t largest;
    bool nan, plus, minus; /* a NaN, an infinity of each sign */
};

/* A term that is an infinity or NaN. */
static inline void mma_add_special(struct mma_terms *t, float value)
{
    t->nan = t->nan || value != value;
    t->plus = t->plus || value > 0;
    t->minus = t->minus || value < 0;
}

static inline void mma_add_term(struct mma_terms *t, uint64_t magnitude, int32_t exponent, bool negative)
{
    if (magnitude != 0) {
        t->magnitude[t->count] = magnitude;
        t->exponent[t->count] = exponent;
        t->negative[t->count++] = negative;
        t->largest = exponent > t->largest ? exponent : t->largest;
    }
}

static inline void mma_add_product(struct mma_terms *t, float a, int32_t ea, float b, int32_t eb)
{
    if (ea == MMA_INF_EXPONENT || eb == MMA_INF_EXPONENT) {
        /* A finite factor only gives its sign, and whether it is zero: the product itself might leave f32's range. */
        const float x = ea == MMA_INF_EXPONENT ? a : a == 0 ? a : __builtin_copysignf(1, a);
        const float y = eb == MMA_INF_EXPONENT ? b : b == 0 ? b : __builtin_copysignf(1, b);

        mma_add_special(t, x * y);
        return;
    }
    mma_add_term(t, mma_magnitude(a, ea) * mma_magnitude(b, eb), ea + eb, (sem_bits_f32(a) ^ sem_bits_f32(b)) >> 31);
}

static inline float mma_sum_terms(const struct mma_terms *t, bool odd)
{
    int64_t sum = 0;

    if (t->nan || (t->plus && t->minus)) {
        return sem_as_f32(SEM_NAN_F32);
    }
    if (t->plus || t->minus) {
        return t->plus ? __builtin_inff() : -__builtin_inff();
    }
    for (unsigned i = 0; i < t->count; i++) {
        const int32_t shift = t->largest - MMA_FRACTION - (t->exponent[i] - 46);
        const int64_t cut = shift < 64 ? (int64_t)(t->magnitude[i] >> shift) : 0;

        sum += t->negative[i] ? -cut : cut;
    }
    return mma_cut_f32(sum, t->largest - MMA_FRACTION, odd);
}

/* Does slot s belong to the step? */
static inline bool mma_in_step(const struct sem_mma *m, unsigned s, unsigned step)
{
    switch (m->steps) {
    case MMA_STEP_PAIRS:
        return (s >> 1 & 1) == step;
    case MMA_STEP_QUADS:
        return (s >> 2 & 1) == step;
    case MMA_STEP_REGISTER:
        return s == step;
    default:
        return true;
    }
}

/* Element 2h + j of one lane. */
static inline float mma_exact(const struct sem_mma *m, const struct mma_tile *t, const struct mma_exponents *x,
                              unsigned step, unsigned h, unsigned j, int lane, float c, bool half)
{
    struct mma_terms terms;
    const unsigned q = (unsigned)lane & 3;
    const int32_t ec = mma_exponent(sem_bits_f32(c), half ? -14 : -126);

    terms.count = 0;
    terms.largest = MMA_LEAST_MAX;
    terms.nan = terms.plus = terms.minus = false;
    if (ec == MMA_INF_EXPONENT) {
        mma_add_special(&terms, c);
    } else {
        mma_add_term(&terms, mma_magnitude(c, ec) << 23, ec, sem_bits_f32(c) >> 31);
    }
    for (unsigned s = 0; s < t->slots; s++) {
        for (unsigned from = 0; from < 4 && mma_in_step(m, s, step); from++) {
            const unsigned l = ((unsigned)lane & ~3u) + from, k = t->k[s] + from * t->elements;

            if (t->kept[h][s] >> l & 1) {
                mma_add_product(&terms, t->a[h][s][l], x->a[h][s][l], t->b[k][j][q], x->b[k][j][q]);
            }
        }
    }
    return mma_sum_terms(&terms, half);
}

/* --- a tile at once ----------------------------------------------------------------------------------------------- */
/* The largest exponents of the products of half h, 16 lanes from `l` on, for both columns. */
static inline void mma_largest(const struct sem_mma *m, const struct mma_tile *t, const struct mma_exponents *x,
                               unsigned step, unsigned h, int l, int32_t out[2][WARP_LANES])
{
    const unsigned elements = t->elements;
    mma_s32s left = (mma_s32s){0} + 2 * MMA_NO_EXPONENT, right = left;

#define MMA_STEP(q)                                                                       \
    {                                                                                     \
        const mma_s32s ea = MMA_OF_QUAD(mine, q);                                         \
        const mma_s32x4 *eb = (const mma_s32x4 *)x->b[k + (q)*elements];                  \
        const mma_s32s first = ea + MMA_FOR_ALL(eb[0]), second = ea + MMA_FOR_ALL(eb[1]); \
        left = MMA_MAX(first, left);                                                      \
        right = MMA_MAX(second, right);                                                   \
    }
    for (unsigned s = 0; s < t->slots; s++) {
        if (mma_in_step(m, s, step)) {
            const mma_s32s mine = *(const mma_s32s *)&x->a[h][s][l];
            const unsigned k = t->k[s];

            MMA_STEP(0)
            MMA_STEP(1)
            MMA_STEP(2)
            MMA_STEP(3)
        }
    }
#undef MMA_STEP
    *(mma_s32s *)&out[0][l] = left;
    *(mma_s32s *)&out[1][l] = right;
}

/* The sums of the products, each cut to a multiple of 1 / scale. */
static inline void mma_sums(const struct sem_mma *m, const struct mma_tile *t, unsigned step, unsigned h, int l,
                            const float scale[2][WARP_LANES], int32_t out[2][WARP_LANES])
{
    const unsigned elements = t->elements;
    const mma_f32s scale0 = *(const mma_f32s *)&scale[0][l], scale1 = *(const mma_f32s *)&scale[1][l];
    mma_s32s left = {0}, right = {0};

#define MMA_STEP(q)                                                                       \
    {                                                                                     \
        const mma_f32s va = MMA_OF_QUAD(mine, q);                                         \
        const mma_f32x4 *vb = (const mma_f32x4 *)t->b[k + (q)*elements];                  \
        const mma_f32s first = va * MMA_FOR_ALL(vb[0]), second = va * MMA_FOR_ALL(vb[1]); \
        left += __builtin_convertvector(first * scale0, mma_s32s);                        \
        right += __builtin_convertvector(second * scale1, mma_s32s);                      \
    }
    for (unsigned s = 0; s < t->slots; s++) {
        if (mma_in_step(m, s, step)) {
            const mma_f32s mine = *(const mma_f32s *)&t->a[h][s][l];
            const unsigned k = t->k[s];

            MMA_STEP(0)
            MMA_STEP(1)
            MMA_STEP(2)
            MMA_STEP(3)
        }
    }
#undef MMA_STEP
    *(mma_s32s *)&out[0][l] = left;
    *(mma_s32s *)&out[1][l] = right;
}

/* All products are zero. */
#define MMA_ALONE(largest) ((largest) < 2 * MMA_FAST_LEAST)

/* 2^(25 - E), for products and for c; lanes without products get 1, and their c is added later. */
static inline void mma_scales(float scale[WARP_LANES], const int32_t largest[WARP_LANES], const float c[WARP_LANES],
                              bool half)
{
    for (int l = 0; l < WARP_LANES; l += WARP_LANES / 2) {
        const mma_s32s bits = *(const mma_s32s *)(c + l), products = *(const mma_s32s *)(largest + l);
        const mma_s32s ec = MMA_EXPONENTS(bits, half ? -14 : -126), most = MMA_MAX(products, ec);
        const mma_s32s e = MMA_SELECT(MMA_ALONE(products), (mma_s32s){0} + MMA_FRACTION, most);

        *(mma_s32s *)(scale + l) = (127 + MMA_FRACTION - e) << 23;
    }
}

/* The sums with c, cut to f32; with `half` made odd where something is cut off. */
static inline void mma_finish(float acc[WARP_LANES], const int32_t sum[WARP_LANES], const int32_t largest[WARP_LANES],
                              const float scale[WARP_LANES], bool half)
{
    const int64_t odd = half ? 0x20000000 : 0;

    for (int l = 0; l < WARP_LANES; l += WARP_LANES / 4) {
        const mma_s32q alone = MMA_ALONE(*(const mma_s32q *)(largest + l));
        const mma_f32q c = *(const mma_f32q *)(acc + l), power = *(const mma_f32q *)(scale + l);
        const mma_s32q there = ~alone & (mma_s32q)c, inverse = (254 << 23) - (mma_s32q)power;
        const mma_s32q units = __builtin_convertvector((mma_f32q)there * power, mma_s32q);
        const mma_f64q exact =
            __builtin_convertvector(*(const mma_s32q *)(sum + l), mma_f64q) + __builtin_convertvector(units, mma_f64q);
        const mma_s64q bits = (mma_s64q)exact, low = bits & 0x1fffffff;
        const mma_s64q cut = (bits ^ low) | ((low != 0) & odd);
        const mma_f64q value = (mma_f64q)cut * __builtin_convertvector((mma_f32q)inverse, mma_f64q);
        const mma_s32q rounded = (mma_s32q) __builtin_convertvector(value, mma_f32q), same = (mma_s32q)(c + 0.0f);

        *(mma_s32q *)(acc + l) = MMA_SELECT(alone, same, rounded);
    }
}

static inline bool mma_all_finite(const float row[WARP_LANES])
{
    mma_s32s bad = {0};

    for (int l = 0; l < WARP_LANES; l += WARP_LANES / 2) {
        bad |= (*(const mma_s32s *)(row + l) & (int32_t)SEM_INF_F32) == (int32_t)SEM_INF_F32;
    }
    return !mma_any(&bad);
}

static inline void mma_fast_half(const struct sem_mma *m, const struct mma_tile *t, const struct mma_exponents *x,
                                 unsigned step, unsigned h, float acc[2][WARP_LANES], bool half)
{
    _Alignas(64) int32_t largest[2][WARP_LANES], sum[2][WARP_LANES];
    _Alignas(64) float scale[2][WARP_LANES];

    mma_largest(m, t, x, step, h, 0, largest);
    mma_largest(m, t, x, step, h, WARP_LANES / 2, largest);
    mma_scales(scale[0], largest[0], acc[0], half);
    mma_scales(scale[1], largest[1], acc[1], half);
    mma_sums(m, t, step, h, 0, scale, sum);
    mma_sums(m, t, step, h, WARP_LANES / 2, scale, sum);
    mma_finish(acc[0], sum[0], largest[0], scale[0], half);
    mma_finish(acc[1], sum[1], largest[1], scale[1], half);
}

/* acc: elements 0 to 3 of every lane, c before and d after.  `half`: c and d of this step are f16. */
static inline void mma_step(const struct sem_mma *m, const struct mma_tile *t, const struct mma_exponents *x,
                            unsigned step, float acc[4][WARP_LANES], bool half)
{
    for (unsigned h = 0; h < t->halves; h++) {
        if (x->fast && mma_all_finite(acc[2 * h]) && mma_all_finite(acc[2 * h + 1])) {
            mma_fast_half(m, t, x, step, h, acc + 2 * h, half);
            continue;
        }
        for (unsigned j = 0; j < 2; j++) {
            for (int l = 0; l < WARP_LANES; l++) {
                acc[2 * h + j][l] = mma_exact(m, t, x, step, h, j, l, acc[2 * h + j][l], half);
            }
        }
    }
}

/* --- accumulators ------------------------------------------------------------------------------------------------- */
/* An f16 result: zeros are positive. */
SEM uint32_t mma_round_f16(float value)
{
    const uint32_t h = sem_f32_to_f16(value);

    return (h & 0x7fff) == 0 ? 0 : h;
}

/* Element i of a tile's accumulators, of which register 0 is the first: two f16 share a register. */
static inline void mma_take_c(float out[WARP_LANES], const void *const *c, unsigned format, unsigned i)
{
    if (format == MMA_F16) {
        mma_unpack(out, c[i / 2], MMA_F16, i % 2);
    } else {
        mma_unpack(out, c[i], MMA_F32, 0);
    }
}

static inline void mma_put_d(uint32_t (*d)[WARP_LANES], unsigned format, unsigned i, const float value[WARP_LANES],
                             bool signed_zero)
{
    if (format != MMA_F16) {
        memcpy(d[i], value, sizeof d[i]);
        return;
    }
    for_each_lane (l) {
        const uint32_t h = signed_zero ? sem_f32_to_f16(value[l]) : mma_round_f16(value[l]);

        d[i / 2][l] = i % 2 == 0 ? h : d[i / 2][l] | h << 16;
    }
}

/* fp8: the steps start at zero; the sum is rounded to the type of d, and c is added by an addition of its own. */
static inline void mma_fp8_tile(const struct sem_mma *m, const struct mma_tile *t, const struct mma_exponents *x,
                                float acc[4][WARP_LANES])
{
    const bool half = m->d == MMA_F16;
    _Alignas(64) float sum[4][WARP_LANES] = {{0}};

    for (unsigned step = 0; step < 2; step++) {
        mma_step(m, t, x, step, sum, half);
        for (unsigned i = 0; i < 4 && half; i++) {
            for_each_lane (l)
                sum[i][l] = sem_f16_to_f32((uint16_t)mma_round_f16(sum[i][l]));
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        for_each_lane (l)
            acc[i][l] = sem_fadd_f32(sum[i][l], acc[i][l], 0);
    }
}

static inline unsigned mma_step_count(const struct sem_mma *m)
{
    return m->steps == MMA_STEP_REGISTER ? m->a_regs * 8u / m->rows : 1;
}

static inline void sem_mma_float(const struct sem_mma *m, const struct mma_rows *r, uint32_t (*d)[WARP_LANES])
{
    const bool fp8 = m->steps == MMA_STEP_PAIRS || m->steps == MMA_STEP_QUADS;
    const unsigned c_step = m->c == MMA_F16 ? 2 : 4, d_step = m->d == MMA_F16 ? 2 : 4;
    /* With an f16 on one side only, c is widened before and d rounded after an instruction on f32. */
    const bool half = m->c == MMA_F16 && m->d == MMA_F16;
    struct mma_tile t;
    struct mma_exponents x;

    for (unsigned tile = 0; tile < m->tiles; tile++) {
        _Alignas(64) float acc[4][WARP_LANES];

        mma_take_a(&t, m, r->a + tile * m->a_step, r->meta);
        mma_take_b(&t, m, r->b + tile * m->b_step);
        mma_take_exponents(&x, &t, m);
        for (unsigned i = 0; i < 4; i++) {
            mma_take_c(acc[i], r->c + tile * c_step, m->c, i);
        }
        if (fp8) {
            mma_fp8_tile(m, &t, &x, acc);
        }
        for (unsigned step = 0; step < mma_step_count(m) && !fp8; step++) {
            mma_step(m, &t, &x, step, acc, half);
        }
        for (unsigned i = 0; i < 4; i++) {
            mma_put_d(d + tile * d_step, m->d, i, acc[i], fp8 || !half);
        }
    }
}

#endif
