/*
 * Meanings of f16 and bf16 arithmetic and of their packed forms.  All round to nearest even; the host must be in
 * that mode.
 *
 * Invariant: each result is the exact one rounded ONCE.  The operations compute in a wider format first; the second
 * rounding does no harm because the first was exact, or to odd with at least two bits more, or left 2p+2 bits for a
 * sum of p-bit numbers (Figueroa 1995: f32 has 24 >= 2*11+2).  NaN results are 0x7fff.
 */
#ifndef EMU_SEM_HALF_H
#define EMU_SEM_HALF_H

#include "sem_narrow.h"

/* --- wider intermediate results ---------------------------------------------------------------------------- */

/*
 * Make a rounded sum odd: if it is inexact (error != 0) and its last bit is even, step to the neighbour on the
 * error's side. The exact sum lies strictly between the two, so this is rounding to odd.  A NaN error (infinities)
 * changes nothing.
 */
#define SEM_MAKE_ODD(t, n)                                                                 \
    SEM sem_t_##t sem_make_odd_##t(sem_t_##t sum, sem_t_##t error)                         \
    {                                                                                      \
        uint##n##_t bits = sem_bits_##t(sum);                                              \
        bool outward = (error > 0) == (bits >> (n - 1) == 0);                              \
        uint##n##_t step = outward ? 1 : (uint##n##_t) - 1;                                \
        bool inexact = (error > 0) | (error < 0);                                          \
        return sem_as_##t(inexact && (bits & 1) == 0 ? bits + step : bits);                \
    }                                                                                      \
    /* x + y rounded to odd; the error is Knuth's TwoSum, exact while nothing overflows */ \
    SEM sem_t_##t sem_sum_odd_##t(sem_t_##t x, sem_t_##t y)                                \
    {                                                                                      \
        sem_t_##t sum = x + y;                                                             \
        sem_t_##t y_part = sum - x;                                                        \
        sem_t_##t x_part = sum - y_part;                                                   \
        return sem_make_odd_##t(sum, (x - x_part) + (y - y_part));                         \
    }
SEM_MAKE_ODD(f32, 32)
SEM_MAKE_ODD(f64, 64)

/* f16: 22 bits between 2^-48 and 2^32, exact in f32. */
SEM float sem_product_f16(float a, float b)
{
    return a * b;
}

/*
 * bf16: 16 bits, exact in f32 unless subnormal there.  Then the same product times 2^64 is exact (or too small to
 * matter), and tells whether and to which side the f32 product was rounded.
 */
SEM float sem_product_bf16(float a, float b)
{
    float product = a * b;
    float error = a * SEM_SCALE * b - product * SEM_SCALE;

    return __builtin_fabsf(product) < 0x1p-126f ? sem_make_odd_f32(product, error) : product;
}

/* --- rounding to the half format --------------------------------------------------------------------------- */

/*
 * FP_FTZ flushes what is below the smallest normal 2^-14 after rounding to 11 bits with unbounded exponent: what is
 * below 2^-14 - 2^-26, for the tie rounds up to even.
 */
SEM uint16_t sem_output_f16(float x, unsigned env)
{
    const float limit = 0x1p-14f - 0x1p-26f;
    uint32_t sign = sem_bits_f32(x) & SEM_SIGN_F32;
    float flushed = (env & FP_FTZ) && __builtin_fabsf(x) < limit ? sem_as_f32(sign) : x;

    return sem_f32_to_f16(sem_adjust_f32(flushed, env));
}

SEM uint16_t sem_output_bf16(float x, unsigned env)
{
    return sem_f32_to_bf16(sem_adjust_f32(x, env));
}

SEM uint16_t sem_input_bf16(uint16_t h, unsigned env)
{
    (void)env;
    return h;
}

SEM float sem_widen_f16(uint16_t h, unsigned env)
{
    return sem_f16_to_f32(sem_input_f16(h, env));
}

SEM float sem_widen_bf16(uint16_t h, unsigned env)
{
    (void)env;
    return sem_bf16_to_f32(h);
}

/* --- arithmetic -------------------------------------------------------------------------------------------- */

#define SEM_HALF_ARITHMETIC(t)                                                                     \
    SEM uint16_t sem_fadd_##t(uint16_t a, uint16_t b, unsigned env)                                \
    {                                                                                              \
        return sem_output_##t(sem_widen_##t(a, env) + sem_widen_##t(b, env), env);                 \
    }                                                                                              \
    SEM uint16_t sem_fsub_##t(uint16_t a, uint16_t b, unsigned env)                                \
    {                                                                                              \
        return sem_output_##t(sem_widen_##t(a, env) - sem_widen_##t(b, env), env);                 \
    }                                                                                              \
    SEM uint16_t sem_fmul_##t(uint16_t a, uint16_t b, unsigned env)                                \
    {                                                                                              \
        return sem_output_##t(sem_product_##t(sem_widen_##t(a, env), sem_widen_##t(b, env)), env); \
    }
SEM_HALF_ARITHMETIC(f16)
SEM_HALF_ARITHMETIC(bf16)

/* The product is exact in f32, the sum rounded to odd with 24 bits: enough for 11. */
SEM uint16_t sem_fma_f16(uint16_t a, uint16_t b, uint16_t c, unsigned env)
{
    float product = sem_widen_f16(a, env) * sem_widen_f16(b, env);

    return sem_output_f16(sem_sum_odd_f32(product, sem_widen_f16(c, env)), env);
}

/* As for f16, but in f64: products of bf16 leave the exponent range of f32. */
SEM uint16_t sem_fma_bf16(uint16_t a, uint16_t b, uint16_t c, unsigned env)
{
    double product = (double)sem_bf16_to_f32(a) * (double)sem_bf16_to_f32(b);
    double sum = sem_sum_odd_f64(product, (double)sem_bf16_to_f32(c));
    uint16_t rounded = sem_f64_to_bf16_round(sem_adjust_f64(sum, env), SEM_RN, env);

    return sum == sum ? rounded : env & FP_SAT ? 0 : SEM_NAN_HALF;
}

/* fma.oob: these two NaNs mark elements that a tensor copy found out of bounds; they count as a zero result. */
SEM uint32_t sem_is_oob(uint16_t h)
{
    return (h & 0x7fff) == 0x7ff7;
}

#define SEM_FMA_OOB(t)                                                             \
    SEM uint16_t sem_fma_oob_##t(uint16_t a, uint16_t b, uint16_t c, unsigned env) \
    {                                                                              \
        uint16_t sum = sem_fma_##t(a, b, c, env);                                  \
        return (sem_is_oob(a) | sem_is_oob(b)) ? 0 : sum;                          \
    }
SEM_FMA_OOB(f16)
SEM_FMA_OOB(bf16)

/* --- sign, minimum, maximum -------------------------------------------------------------------------------- */

/* Two's complement integers in the order of the values, -0 below +0; its own inverse. */
SEM int32_t sem_order_half(uint16_t h)
{
    int32_t x = (int16_t)h;

    return x ^ (x >> 15 & 0x7fff);
}

#define SEM_HALF_SIGN(t, infinity)                        \
    SEM bool sem_is_nan_##t(uint16_t h)                   \
    {                                                     \
        return (h & 0x7fff) > (infinity);                 \
    }                                                     \
    SEM uint16_t sem_fabs_##t(uint16_t a, unsigned env)   \
    {                                                     \
        uint16_t result = sem_input_##t(a, env) & 0x7fff; \
        return sem_is_nan_##t(a) ? SEM_NAN_HALF : result; \
    }                                                     \
    SEM uint16_t sem_fneg_##t(uint16_t a, unsigned env)   \
    {                                                     \
        uint16_t result = sem_input_##t(a, env) ^ 0x8000; \
        return sem_is_nan_##t(a) ? SEM_NAN_HALF : result; \
    }
SEM_HALF_SIGN(f16, SEM_INF_F16)
SEM_HALF_SIGN(bf16, SEM_INF_BF16)

/* One NaN: the other operand; with FP_PASS_NAN, NaN. */
#define SEM_HALF_MINMAX(op, less, t)                                                        \
    SEM uint16_t sem_##op##_plain_##t(uint16_t a, uint16_t b, unsigned env)                 \
    {                                                                                       \
        bool a_nan = sem_is_nan_##t(a), b_nan = sem_is_nan_##t(b);                          \
        uint16_t result = sem_order_half(a) less sem_order_half(b) ? a : b;                 \
        result = a_nan ? b : result;                                                        \
        result = b_nan ? a : result;                                                        \
        return (env & FP_PASS_NAN ? a_nan | b_nan : a_nan & b_nan) ? SEM_NAN_HALF : result; \
    }                                                                                       \
    SEM uint16_t sem_##op##_##t(uint16_t a, uint16_t b, unsigned env)                       \
    {                                                                                       \
        uint16_t x = sem_input_##t(a, env), y = sem_input_##t(b, env);                      \
        if (env & FP_XORSIGN) {                                                             \
            uint16_t magnitude = sem_##op##_plain_##t(x & 0x7fff, y & 0x7fff, env);         \
            uint16_t result = magnitude | ((a ^ b) & 0x8000);                               \
            return sem_is_nan_##t(magnitude) ? SEM_NAN_HALF : result;                       \
        }                                                                                   \
        return sem_##op##_plain_##t(x, y, env);                                             \
    }
SEM_HALF_MINMAX(fmin, <, f16)
SEM_HALF_MINMAX(fmin, <, bf16)
SEM_HALF_MINMAX(fmax, >, f16)
SEM_HALF_MINMAX(fmax, >, bf16)

/* --- packed forms ------------------------------------------------------------------------------------------ */

#define SEM_HALF_X2(packed, half)    \
    SEM_X2F_2(fadd, packed, half)    \
    SEM_X2F_2(fsub, packed, half)    \
    SEM_X2F_2(fmul, packed, half)    \
    SEM_X2F_3(fma, packed, half)     \
    SEM_X2F_3(fma_oob, packed, half) \
    SEM_X2F_1(fabs, packed, half)    \
    SEM_X2F_1(fneg, packed, half)    \
    SEM_X2F_2(fmin, packed, half)    \
    SEM_X2F_2(fmax, packed, half)
SEM_HALF_X2(f16x2, f16)
SEM_HALF_X2(bf16x2, bf16)

#endif
