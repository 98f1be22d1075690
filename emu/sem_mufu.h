/*
 * Meanings of the approximate functions, bit for bit those of the GPU's multi-function unit (MUFU).
 *
 * The unit looks up a quadratic (after Oberman and Siu, 2005) and evaluates it exactly in integers:
 *
 *      position   sssssss|xxxxxxxxxxxxxxxxx     s: segment, 6 or 7 bits; x: 17 bits within the segment
 *      T = c0[s] + c1[s]*x + c2[s]*square(x)    in units of 2^-scale; cut, not rounded, to 24 bits
 *
 * The sem_mufu_ functions are the bare unit on f32 bits: subnormal operands count as zero, subnormal results become
 * zero.  The .ftz forms of PTX are these; the others scale operand and result around them, as the GPU's compiler
 * does.  The host must round to nearest.
 *
 * Each function of the unit is written as steps, so that whole rows can take each step in turn with the lookups
 * between two of them (exec_mufu.inc):
 *
 *      reduced   the operand after range reduction
 *      position  from `reduced`
 *      result    from T, for usual operands; anything for the others
 *      special   the result for all operands, given that of `result`
 *
 * Everything fits in 32-bit lanes: 64-bit lanes are half as many, and few hosts have all operations for them.
 */
#ifndef EMU_SEM_MUFU_H
#define EMU_SEM_MUFU_H

#include "sem_half.h"
#include "sem_bits.h"
#include "sem_tables.h"

SEM uint32_t sem_pick(bool condition, uint32_t yes, uint32_t no)
{
    return SEM_PICK(uint32_t, condition, yes, no);
}

/* --- the quadratic ----------------------------------------------------------------------------------------- */

enum { SEM_X_BITS = 17 };

SEM uint32_t sem_mufu_segment(uint32_t position)
{
    return position >> SEM_X_BITS;
}

/* What the square depends on: the upper 16 bits of x. */
SEM uint16_t sem_mufu_upper(uint32_t position)
{
    return (uint16_t)(position >> 1);
}

SEM uint16_t sem_product_high_u16(uint16_t a, uint16_t b)
{
    return (uint16_t)((uint32_t)a * b >> 16);
}

/*
 * The unit's square of x, in units of 2^19; v is the upper 16 bits of x.  Partial products x_i*x_j*2^(i+j+1) and
 * x_i*2^(2i) below column 19 are never formed, so this is not x*x >> 19.  Of row i, the bits above 18-i remain: they
 * are factors that have been masked.  Two rows can share a product as long as only one of them reaches below column
 * 19; rows 7 to 16 have all their bits above bit 9 in the first.
 */
SEM uint16_t sem_mufu_square(uint16_t v)
{
    uint16_t top = v & 0xfe00;
    uint16_t sum = sem_product_high_u16(top, (uint16_t)((top >> 1) + (v & 0x1c0)));

    sum = (uint16_t)(sum + sem_product_high_u16(v & 0x30, v & 0xf800));
    sum = (uint16_t)(sum + sem_product_high_u16(v & 0xc, v & 0xe000));
    return (uint16_t)(sum + (v >> 1 & v >> 15));
}

/* T = high * 2^SEM_LOW_BITS + low.  T < 2^41. */
struct sem_mufu_t {
    uint32_t high, low;
};

/* c0 and `rest` make room for a negative sum of the low products. */
SEM struct sem_mufu_t sem_mufu_quadratic(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t rest, uint32_t position,
                                         uint32_t square)
{
    uint32_t x = position & ((1u << SEM_X_BITS) - 1), x_low = x & ((1u << SEM_LOW_BITS) - 1);
    uint32_t low = (SEM_LOW_BIAS | rest) + c1 * x_low + c2 * square;
    uint32_t high = c0 + c1 * (x >> SEM_LOW_BITS) + (low >> SEM_LOW_BITS);

    return (struct sem_mufu_t){high, low & ((1u << SEM_LOW_BITS) - 1)};
}

/* T from the words of a table. */
#define SEM_MUFU_T(table, c0, c12, position, square)                                                     \
    sem_mufu_quadratic(c0, (uint32_t)((int32_t)(c12) >> 12), (uint32_t)SEM_CURVE_##table *((c12)&0xfff), \
                       SEM_REST_##table, position, square)
#define SEM_MUFU_LOOKUP(table, position)                                      \
    SEM_MUFU_T(table, sem_table_##table##_c0[sem_mufu_segment(position)],     \
               sem_table_##table##_c12[sem_mufu_segment(position)], position, \
               sem_mufu_square(sem_mufu_upper(position)))

/* T cut to 24 bits: where 1 <= T * 2^-scale < 2, the bits of an f32 mantissa and its hidden one. */
#define SEM_MUFU_CUT(t, scale) ((t).high >> ((scale)-23 - SEM_LOW_BITS))

/* high + low as f32 bits, cut; both are positive, and low is less than the last place of high. */
SEM uint32_t sem_sum_cut_f32(float high, float low)
{
    float sum = high + low;
    float error = low - (sum - high); /* Dekker's: exact */

    return sem_bits_f32(sum) - (error < 0);
}

/* T * 2^-scale as f32 bits, cut; for T < 2^39. */
#define SEM_MUFU_F32(t, scale)                                                               \
    sem_sum_cut_f32((float)(int32_t)((t).high >> 6) * (1.0f / ((int64_t)1 << ((scale)-16))), \
                    (float)(int32_t)(((t).high & 63) << 10 | (t).low) * (1.0f / ((int64_t)1 << (scale))))

/* --- the functions ----------------------------------------------------------------------------------------- */

/* The fields of an f32 operand; `biased` is its exponent plus 127. */
#define SEM_MUFU_FIELDS(a)                                                   \
    uint32_t sign = (a)&SEM_SIGN_F32, magnitude = (a) & ~SEM_SIGN_F32;       \
    uint32_t mantissa = magnitude & 0x7fffff, biased = magnitude >> 23;      \
    bool is_nan = magnitude > SEM_INF_F32, is_zero = magnitude < 0x00800000; \
    (void)sign, (void)mantissa, (void)biased, (void)is_nan, (void)is_zero;

/* A result of 2^(e+1-127) times T cut to 24 bits: the hidden one, or a T of 2, adds to the exponent. */
SEM uint32_t sem_mufu_compose(uint32_t e, uint32_t cut)
{
    return (e << 23) + cut;
}

/* sem_mufu_<f>(a) by its steps. */
#define SEM_MUFU_STEPS(f, table)                                                                        \
    SEM uint32_t sem_mufu_##f(uint32_t a)                                                               \
    {                                                                                                   \
        uint32_t reduced = sem_mufu_reduced_##f(a), position = sem_mufu_position_##f(reduced);          \
        return sem_mufu_special_##f(a, sem_mufu_result_##f(reduced, SEM_MUFU_LOOKUP(table, position))); \
    }
#define SEM_MUFU_NOT_REDUCED(f)                   \
    SEM uint32_t sem_mufu_reduced_##f(uint32_t a) \
    {                                             \
        return a;                                 \
    }

/* Reciprocal: x has 16 bits, and a zero. */
SEM_MUFU_NOT_REDUCED(rcp)

SEM uint32_t sem_mufu_position_rcp(uint32_t a)
{
    return a << 1 & 0xffffff;
}

SEM uint32_t sem_mufu_result_rcp(uint32_t a, struct sem_mufu_t t)
{
    SEM_MUFU_FIELDS(a)

    return sign | sem_mufu_compose(252 - biased, SEM_MUFU_CUT(t, SEM_SCALE_rcp - 1));
}

/* From 2^126 on results are subnormal. */
SEM uint32_t sem_mufu_special_rcp(uint32_t a, uint32_t bits)
{
    SEM_MUFU_FIELDS(a)

    bits = sem_pick(magnitude > 0x7e800000, sign, bits);
    bits = sem_pick(is_zero, sign | SEM_INF_F32, bits);
    return sem_pick(is_nan, SEM_NAN_F32, bits);
}

SEM_MUFU_STEPS(rcp, rcp)

/* Square root.  Odd exponents have segments of their own, after those of even ones. */
SEM_MUFU_NOT_REDUCED(sqrt)

SEM uint32_t sem_mufu_position_sqrt(uint32_t a)
{
    return (a ^ 0x800000) & 0xffffff;
}

SEM uint32_t sem_mufu_result_sqrt(uint32_t a, struct sem_mufu_t t)
{
    return sem_mufu_compose(62 + ((a >> 23) + 1) / 2, SEM_MUFU_CUT(t, SEM_SCALE_sqrt));
}

SEM uint32_t sem_mufu_special_sqrt(uint32_t a, uint32_t bits)
{
    SEM_MUFU_FIELDS(a)

    bits = sem_pick(magnitude == SEM_INF_F32, magnitude, bits);
    bits = sem_pick(sign != 0, SEM_NAN_F32, bits);
    bits = sem_pick(is_zero, sign, bits);
    return sem_pick(is_nan, SEM_NAN_F32, bits);
}

SEM_MUFU_STEPS(sqrt, sqrt)

/* Reciprocal square root.  Powers of four, whose position is 0, are exact: one above the table. */
SEM_MUFU_NOT_REDUCED(rsqrt)

SEM uint32_t sem_mufu_position_rsqrt(uint32_t a)
{
    return sem_mufu_position_sqrt(a);
}

SEM uint32_t sem_mufu_result_rsqrt(uint32_t a, struct sem_mufu_t t)
{
    uint32_t exact = sem_mufu_position_rsqrt(a) == 0;

    return sem_mufu_compose(189 - ((a >> 23) + 1) / 2, SEM_MUFU_CUT(t, SEM_SCALE_rsqrt - 1) + exact);
}

SEM uint32_t sem_mufu_special_rsqrt(uint32_t a, uint32_t bits)
{
    SEM_MUFU_FIELDS(a)

    bits = sem_pick(magnitude == SEM_INF_F32, 0, bits);
    bits = sem_pick(sign != 0, SEM_NAN_F32, bits);
    bits = sem_pick(is_zero, sign | SEM_INF_F32, bits);
    return sem_pick(is_nan, SEM_NAN_F32, bits);
}

SEM_MUFU_STEPS(rsqrt, rsqrt)

/*
 * Power of two.  Reduced: fixed point with 23 bits after the point.  Negative operands are complemented to ones, so
 * their fraction is one unit low, unless they are integral.
 */
SEM uint32_t sem_mufu_reduced_ex2(uint32_t a)
{
    uint32_t within = sem_pick((a & ~SEM_SIGN_F32) < 0x43800000, a, 0); /* |a| < 256 */
    int32_t fixed = (int32_t)(sem_as_f32(within) * 0x1p23f);

    return (uint32_t)fixed - ((fixed < 0) & ((fixed & 0x7fffff) != 0));
}

SEM uint32_t sem_mufu_position_ex2(uint32_t reduced)
{
    return reduced & 0x7fffff;
}

SEM uint32_t sem_mufu_result_ex2(uint32_t reduced, struct sem_mufu_t t)
{
    return sem_mufu_compose(126 + (reduced >> 23), SEM_MUFU_CUT(t, SEM_SCALE_ex2));
}

/* Results reach from 2^-126 to 2^128. */
SEM uint32_t sem_mufu_special_ex2(uint32_t a, uint32_t bits)
{
    SEM_MUFU_FIELDS(a)

    bits = sem_pick((sign == 0) & (magnitude >= 0x43000000), SEM_INF_F32, bits);
    bits = sem_pick((sign != 0) & (magnitude > 0x42fc0000), 0, bits);
    return sem_pick(is_nan, SEM_NAN_F32, bits);
}

SEM_MUFU_STEPS(ex2, ex2)

/* Logarithm.  The exponent is added to T cut to 36 fraction bits; a negative sum is complemented to ones. */
SEM_MUFU_NOT_REDUCED(lg2)

SEM uint32_t sem_mufu_position_lg2(uint32_t a)
{
    return a & 0x7fffff;
}

SEM uint32_t sem_mufu_result_lg2(uint32_t a, struct sem_mufu_t t)
{
    int32_t whole = (int32_t)(a >> 23) - 127;
    uint32_t negative = (uint32_t)(whole >> 31);
    int32_t high = (int32_t)(((uint32_t)whole << 16 | t.high >> 12) ^ negative);
    uint32_t low = (((t.high & 0xfff) << 8 | t.low >> 2) ^ negative) & 0xfffff;
    uint32_t bits = sem_sum_cut_f32((float)high * 0x1p-16f, (float)(int32_t)low * 0x1p-36f);

    bits = sem_pick(a == 0x3f800000, 0, bits); /* lg2(1), the only exact case */
    return bits | (negative & SEM_SIGN_F32);
}

SEM uint32_t sem_mufu_special_lg2(uint32_t a, uint32_t bits)
{
    SEM_MUFU_FIELDS(a)

    bits = sem_pick(magnitude == SEM_INF_F32, SEM_INF_F32, bits);
    bits = sem_pick(sign != 0, SEM_NAN_F32, bits);
    bits = sem_pick(is_zero, SEM_SIGN_F32 | SEM_INF_F32, bits);
    return sem_pick(is_nan, SEM_NAN_F32, bits);
}

SEM_MUFU_STEPS(lg2, lg2)

/*
 * Sine and cosine of an angle in turns, `quarter` quarter turns ahead.  The angle is cut to 25 fraction bits: quadrant,
 * then 23 bits within it.  Reduced: sign of the result in bit 31, the lower bit of the quadrant in bit 23, and the
 * position; in odd quadrants this is the ones' complement, not 2^23 minus the fraction.
 */
SEM uint32_t sem_mufu_reduced_sine(uint32_t turns, uint32_t quarter)
{
    uint32_t sign = turns & SEM_SIGN_F32, magnitude = turns & ~SEM_SIGN_F32;
    float angle = sem_as_f32(sem_pick(magnitude < 0x4b800000, magnitude, 0)); /* from 2^24 on it is integral */
    float fraction = angle - (float)(int32_t)angle;
    uint32_t fixed = (uint32_t)(int32_t)(fraction * 0x1p25f) + (quarter << 23);
    uint32_t odd = fixed >> 23 & 1;

    return ((quarter ? 0 : sign) ^ (fixed & 0x1000000) << 7) | ((fixed & 0xffffff) ^ (0x7fffff & (0 - odd)));
}

SEM uint32_t sem_mufu_result_sine(uint32_t reduced, struct sem_mufu_t t)
{
    uint32_t bits = SEM_MUFU_F32(t, SEM_SCALE_sin);

    bits = sem_pick((reduced & 0xffffff) == 0xffffff, 0x3f800000, bits); /* exactly 1 */
    return (reduced & SEM_SIGN_F32) | bits;
}

#define SEM_MUFU_SINE(f, quarter)                                                   \
    SEM uint32_t sem_mufu_reduced_##f(uint32_t turns)                               \
    {                                                                               \
        return sem_mufu_reduced_sine(turns, quarter);                               \
    }                                                                               \
    SEM uint32_t sem_mufu_position_##f(uint32_t reduced)                            \
    {                                                                               \
        return reduced & 0x7fffff;                                                  \
    }                                                                               \
    SEM uint32_t sem_mufu_result_##f(uint32_t reduced, struct sem_mufu_t t)         \
    {                                                                               \
        return sem_mufu_result_sine(reduced, t);                                    \
    }                                                                               \
    SEM uint32_t sem_mufu_special_##f(uint32_t turns, uint32_t bits)                \
    {                                                                               \
        return sem_pick((turns & ~SEM_SIGN_F32) >= SEM_INF_F32, SEM_NAN_F32, bits); \
    }                                                                               \
    SEM_MUFU_STEPS(f, sin)
SEM_MUFU_SINE(sin, 0)
SEM_MUFU_SINE(cos, 1)

/*
 * Hyperbolic tangent.  Identity below 2^-8 (subnormals too), 1 from 8 on.  Each binade between has segments and a
 * number of mantissa bits of its own, so there is one more lookup, by binade, before the others.
 */
SEM int32_t sem_mufu_signed_binade_tanh(uint32_t a)
{
    return (int32_t)((a & ~SEM_SIGN_F32) >> 23) - 127 + 8;
}

SEM uint32_t sem_mufu_binade_tanh(uint32_t a)
{
    const int32_t binade = sem_mufu_signed_binade_tanh(a), last = SEM_TANH_BINADES - 1;

    return (uint32_t)(binade < 0 ? 0 : binade > last ? last : binade);
}

/* `entry` is that of the binade. */
SEM uint32_t sem_mufu_position_tanh(uint32_t a, uint32_t entry)
{
    return ((a & 0x7fffff) >> (entry & ((1 << SEM_TANH_FIRST) - 1))) + (entry >> SEM_TANH_FIRST << SEM_X_BITS);
}

SEM struct sem_mufu_t sem_mufu_t_tanh(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t position, uint32_t square)
{
    return sem_mufu_quadratic(c0, c1, (uint32_t)SEM_CURVE_tanh * c2, SEM_REST_tanh, position, square);
}

SEM uint32_t sem_mufu_result_tanh(uint32_t a, struct sem_mufu_t t)
{
    const int32_t binade = sem_mufu_signed_binade_tanh(a);
    const uint32_t sign = a & SEM_SIGN_F32;
    uint32_t bits = sign | SEM_MUFU_F32(t, SEM_SCALE_tanh);

    bits = sem_pick(binade >= SEM_TANH_BINADES, sign | 0x3f800000, bits);
    bits = sem_pick(binade < 0, a, bits);
    return sem_pick((a & ~SEM_SIGN_F32) > SEM_INF_F32, SEM_NAN_F32, bits);
}

SEM uint32_t sem_mufu_tanh(uint32_t a)
{
    const uint32_t position = sem_mufu_position_tanh(a, sem_table_tanh_binade[sem_mufu_binade_tanh(a)]);
    const uint32_t s = sem_mufu_segment(position);

    return sem_mufu_result_tanh(a, sem_mufu_t_tanh(sem_table_tanh_c0[s], sem_table_tanh_c1[s], sem_table_tanh_c2[s],
                                                   position, sem_mufu_square(sem_mufu_upper(position))));
}

/* --- f32 --------------------------------------------------------------------------------------------------- */

#define SEM_MUFU(function, x) sem_as_f32(sem_mufu_##function(sem_bits_f32(x)))

SEM bool sem_is_tiny_f32(float x)
{
    return __builtin_fabsf(x) < 0x1p-126f;
}

/* A power of two that brings the operand of a reciprocal, and its result, into the normal range. */
SEM float sem_rcp_scale(float a)
{
    return __builtin_fabsf(a) > 0x1p126f ? 0.25f : sem_is_tiny_f32(a) ? 0x1p24f : 1.0f;
}

/* Subnormal operands go in times 2^24, without .ftz. */
SEM bool sem_scales_up(float a, unsigned env)
{
    return !(env & FP_FTZ) & sem_is_tiny_f32(a);
}

/*
 * Operation <op> on a: the unit's function f between two steps, sem_enter_<op>(a) and sem_leave_<op>(a, result).
 */
#define SEM_MUFU_OPERATION(op, f)                                           \
    SEM float sem_##op##_f32(float a, unsigned env)                         \
    {                                                                       \
        return sem_leave_##op(a, SEM_MUFU(f, sem_enter_##op(a, env)), env); \
    }

SEM float sem_enter_frcp_approx(float a, unsigned env)
{
    return a * (env & FP_FTZ ? 1.0f : sem_rcp_scale(a));
}

SEM float sem_leave_frcp_approx(float a, float result, unsigned env)
{
    return sem_canon_f32(result * (env & FP_FTZ ? 1.0f : sem_rcp_scale(a)));
}

SEM_MUFU_OPERATION(frcp_approx, rcp)

SEM float sem_enter_fsqrt_approx(float a, unsigned env)
{
    return a * (sem_scales_up(a, env) ? 0x1p24f : 1.0f);
}

SEM float sem_leave_fsqrt_approx(float a, float result, unsigned env)
{
    return sem_canon_f32(result * (sem_scales_up(a, env) ? 0x1p-12f : 1.0f));
}

SEM_MUFU_OPERATION(fsqrt_approx, sqrt)

SEM float sem_enter_frsqrt_approx(float a, unsigned env)
{
    return a * (sem_scales_up(a, env) ? 0x1p24f : 1.0f);
}

SEM float sem_leave_frsqrt_approx(float a, float result, unsigned env)
{
    return sem_canon_f32(result * (sem_scales_up(a, env) ? 0x1p12f : 1.0f));
}

SEM_MUFU_OPERATION(frsqrt_approx, rsqrt)

SEM float sem_enter_flg2_approx(float a, unsigned env)
{
    return a * (sem_scales_up(a, env) ? 0x1p24f : 1.0f);
}

SEM float sem_leave_flg2_approx(float a, float result, unsigned env)
{
    return sem_canon_f32(result - (sem_scales_up(a, env) ? 24.0f : 0.0f));
}

SEM_MUFU_OPERATION(flg2_approx, lg2)

/* Results below 2^-126 are made as the square of the root. */
SEM bool sem_ex2_is_small(float a, unsigned env)
{
    return !(env & FP_FTZ) & (a < -126.0f);
}

SEM float sem_enter_fex2_approx(float a, unsigned env)
{
    return a * (sem_ex2_is_small(a, env) ? 0.5f : 1.0f);
}

SEM float sem_leave_fex2_approx(float a, float result, unsigned env)
{
    return sem_canon_f32(result * (sem_ex2_is_small(a, env) ? result : 1.0f));
}

SEM_MUFU_OPERATION(fex2_approx, ex2)

/* Radians to turns by the f32 nearest to 1/(2 pi), rounded toward zero; with and without .ftz the same. */
SEM float sem_turns(float radians)
{
    return sem_product_cut_f32(radians, 0x1.45f306p-3f);
}

#define SEM_SINE_OPERATION(op, f)                                 \
    SEM float sem_enter_##op(float a, unsigned env)               \
    {                                                             \
        (void)env;                                                \
        return sem_turns(a);                                      \
    }                                                             \
    SEM float sem_leave_##op(float a, float result, unsigned env) \
    {                                                             \
        (void)a, (void)env;                                       \
        return result;                                            \
    }                                                             \
    SEM_MUFU_OPERATION(op, f)
SEM_SINE_OPERATION(fsin_approx, sin)
SEM_SINE_OPERATION(fcos_approx, cos)

SEM float sem_ftanh_approx_f32(float a, unsigned env)
{
    (void)env;
    return SEM_MUFU(tanh, a);
}

/* Operation <op> on a and b: a times the reciprocal of b, both scaled. */
#define SEM_MUFU_QUOTIENT(op)                                                    \
    SEM float sem_##op##_f32(float a, float b, unsigned env)                     \
    {                                                                            \
        return sem_leave_##op(a, b, SEM_MUFU(rcp, sem_enter_##op(b, env)), env); \
    }

/* Without .ftz only small b are scaled, so the result is 0 for |b| > 2^126. */
SEM float sem_div_approx_scale(float b, unsigned env)
{
    return sem_scales_up(b, env) ? 0x1p24f : 1.0f;
}

SEM float sem_enter_fdiv_approx(float b, unsigned env)
{
    return b * sem_div_approx_scale(b, env);
}

SEM float sem_leave_fdiv_approx(float a, float b, float reciprocal, unsigned env)
{
    return sem_fmul_f32(reciprocal, a * sem_div_approx_scale(b, env), env);
}

SEM_MUFU_QUOTIENT(fdiv_approx)

SEM float sem_div_full_scale(float b, unsigned env)
{
    float scale = sem_rcp_scale(sem_input_f32(b, env));

    return (env & FP_FTZ) && scale > 1.0f ? 1.0f : scale;
}

SEM float sem_enter_fdiv_full(float b, unsigned env)
{
    return sem_fmul_f32(b, sem_div_full_scale(b, env), env);
}

SEM float sem_leave_fdiv_full(float a, float b, float reciprocal, unsigned env)
{
    return sem_fmul_f32(reciprocal, sem_fmul_f32(a, sem_div_full_scale(b, env), env), env);
}

SEM_MUFU_QUOTIENT(fdiv_full)

/* --- f16, bf16: the f32 result cut, not rounded, to the narrow format -------------------------------------- */

SEM uint16_t sem_mufu_cut_f16(float x)
{
    uint32_t bits = sem_bits_f32(x);
    uint32_t code = sem_limit_code(sem_code32(bits, 10, 15, SEM_RZ), SEM_MAX_F16, true);

    return (uint16_t)sem_pick(x == x, code | (bits >> 16 & 0x8000), SEM_NAN_HALF);
}

SEM uint16_t sem_mufu_cut_bf16(float x)
{
    return (uint16_t)sem_pick(x == x, sem_bits_f32(x) >> 16, SEM_NAN_HALF);
}

#define SEM_MUFU_HALF(op, function, half)                                       \
    SEM uint16_t sem_##op##_##half(uint16_t a, unsigned env)                    \
    {                                                                           \
        (void)env;                                                              \
        return sem_mufu_cut_##half(SEM_MUFU(function, sem_##half##_to_f32(a))); \
    }                                                                           \
    SEM_X2F_1(op, half##x2, half)
SEM_MUFU_HALF(fex2_approx, ex2, f16)
SEM_MUFU_HALF(fex2_approx, ex2, bf16)
SEM_MUFU_HALF(ftanh_approx, tanh, f16)
SEM_MUFU_HALF(ftanh_approx, tanh, bf16)

/* --- f64: only the high word takes part; the low word of the result is 0 ----------------------------------- */

#define SEM_MUFU_FIELDS_F64(a)                                             \
    uint32_t high = (uint32_t)(sem_bits_f64(a) >> 32);                     \
    uint32_t sign = high & SEM_SIGN_F32, magnitude = high & ~SEM_SIGN_F32; \
    uint32_t mantissa = (magnitude & 0xfffff) << 3;                        \
    int32_t exponent = (int32_t)(magnitude >> 20) - 1023;                  \
    bool is_nan = magnitude > 0x7ff00000, is_zero = magnitude < 0x00100000, is_inf = magnitude == 0x7ff00000;

/* T * 2^-scale as the high word of an f64, cut; T is below 2^52. */
SEM uint32_t sem_mufu_pack_high(struct sem_mufu_t t, int32_t scale, uint32_t sign)
{
    uint64_t whole = (uint64_t)t.high << SEM_LOW_BITS | t.low;
    uint64_t wide = sem_bits_f64(sem_as_f64(sem_bits_f64(0x1p52) | whole) - 0x1p52); /* few hosts convert 64 bits */
    int32_t exponent = (int32_t)(wide >> 52) - scale;

    return sign | sem_pick(exponent <= 0, 0, (uint32_t)exponent << 20 | ((uint32_t)(wide >> 32) & 0xfffff));
}

/* Reciprocal, by the same steps as that of f32. */
SEM uint32_t sem_mufu_position_rcp_f64(double a)
{
    return (uint32_t)(sem_bits_f64(a) >> 32) << 4 & 0xffffff;
}

SEM double sem_mufu_result_rcp_f64(double a, struct sem_mufu_t t)
{
    SEM_MUFU_FIELDS_F64(a)
    uint32_t bits = sem_mufu_pack_high(t, SEM_SCALE_rcp + exponent, sign);

    (void)mantissa;
    bits = sem_pick(is_inf, sign, bits);
    bits = sem_pick(is_zero, sign | 0x7ff00000, bits);
    return sem_as_f64((uint64_t)sem_pick(is_nan, SEM_NAN_F32, bits) << 32);
}

SEM double sem_frcp_approx_f64(double a, unsigned env)
{
    const uint32_t position = sem_mufu_position_rcp_f64(a);

    (void)env;
    return sem_mufu_result_rcp_f64(a, SEM_MUFU_LOOKUP(rcp, position));
}

/* rsqrt.approx.ftz.f64 */
SEM double sem_mufu_rsqrt_f64(double a)
{
    SEM_MUFU_FIELDS_F64(a)
    int32_t odd = exponent & 1;
    uint32_t position = (uint32_t)odd << 23 | mantissa;
    uint32_t bits = sem_mufu_pack_high(SEM_MUFU_LOOKUP(rsqrt, position), SEM_SCALE_rsqrt + (exponent - odd) / 2, 0);

    bits = sem_pick((mantissa == 0) & !odd, (uint32_t)(1023 - exponent / 2) << 20, bits);
    bits = sem_pick(is_inf, 0, bits);
    bits = sem_pick(sign != 0, SEM_NAN_F32, bits);
    bits = sem_pick(is_zero, sign | 0x7ff00000, bits);
    return sem_as_f64((uint64_t)sem_pick(is_nan, SEM_NAN_F32, bits) << 32);
}

/*
 * rsqrt.approx.f64: the unit's estimate and one step of third order.  Subnormals go in times 2^54.  The special
 * cases are those of an exact function; a NaN keeps its payload.
 */
SEM double sem_rsqrt_refined_f64(double a)
{
    bool tiny = a < 0x1p-1022;
    double x = tiny ? a * 0x1p54 : a;
    double y = sem_mufu_rsqrt_f64(x);
    double error = __builtin_fma(x, -(y * y), 1.0);
    double refined = __builtin_fma(__builtin_fma(error, 0.375, 0.5), error * y, y);

    return tiny ? refined * 0x1p27 : refined;
}

SEM double sem_frsqrt_approx_f64(double a, unsigned env)
{
    double result = sem_rsqrt_refined_f64(a);

    result = a == sem_as_f64(SEM_INF_F64) ? 0.0 : result;
    result = a == 0.0 ? sem_as_f64(sem_bits_f64(a) | SEM_INF_F64) : result;
    result = a < 0.0 ? sem_as_f64(SEM_NAN_F64) : result;
    result = a == a ? result : sem_quiet_f64(a);
    return env & FP_FTZ ? sem_mufu_rsqrt_f64(a) : result;
}

#endif
