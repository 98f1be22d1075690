/*
 * Meanings of the approximate functions, bit for bit those of the GPU's multi-function unit (MUFU).
 *
 * The unit looks up a quadratic (after Oberman and Siu, 2005) and evaluates it exactly in integers:
 *
 *      operand mantissa  ssssss|xxxxxxxxxxxxxxxxx      s: segment, x: 17 bits (16 for rcp) within the segment
 *      T = c0[s] + c1[s]*x + c2[s]*square(x)           in units of 2^-scale; cut, not rounded, to 24 bits
 *
 * The sem_mufu_ functions are the bare unit on f32 bits: subnormal operands count as zero, subnormal results become
 * zero. The .ftz forms of PTX are these; the others scale operand and result around them, as the GPU's compiler
 * does. The host must round to nearest.
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

/*
 * The unit's square of a 17-bit x, in units of 2^19: partial products x_i*x_j*2^(i+j+1) and x_i*2^(2i) below column
 * 19 are never formed, so this is not x*x >> 19.  Rows i >= 9 are complete but for the square of bit 9: half the
 * square of the upper 8 bits.  Of the rows 2 to 8, bits j >= 18-i remain.
 */
SEM uint32_t sem_mufu_square(uint32_t x)
{
    uint32_t upper = x >> 9;
    uint32_t sum = upper * upper >> 1;

    for (unsigned i = 2; i <= 8; i++) {
        sum += (0u - (x >> i & 1)) & x >> (18 - i);
    }
    return sum;
}

/* T of segment s.  The products fit in 64 bits by far: c1*x < 2^36, c2*square < 2^35. */
#define SEM_QUADRATIC(table, s, x, squared)                                          \
    (sem_table_##table##_c0[s] + (int64_t)sem_table_##table##_c1[s] * (int32_t)(x) + \
     (int64_t)sem_table_##table##_c2[s] * (int32_t)sem_mufu_square(squared))

/* A T of 0 < T < 2^52 as f64 bits; built by hand, as few hosts convert 64-bit integers in vectors. */
SEM uint64_t sem_mufu_normalize(int64_t t)
{
    return sem_bits_f64(sem_as_f64(sem_bits_f64(0x1p52) | (uint64_t)t) - 0x1p52);
}

/* T * 2^-scale cut to an f32; zero where T <= 0 or below 2^-126. */
SEM uint32_t sem_mufu_pack(int64_t t, int32_t scale, uint32_t sign)
{
    uint64_t wide = sem_mufu_normalize(t > 0 ? t : 0);
    int32_t exponent = (int32_t)(wide >> 52) - 1023 + 127 - scale;
    uint32_t bits = (uint32_t)exponent << 23 | ((uint32_t)(wide >> 29) & 0x7fffff);

    bits = sem_pick(exponent >= 255, SEM_INF_F32, bits);
    return sign | sem_pick((exponent <= 0) | (t <= 0), 0, bits);
}

/* The fields of an f32 operand. */
#define SEM_MUFU_FIELDS(a)                                                   \
    uint32_t sign = (a)&SEM_SIGN_F32, magnitude = (a) & ~SEM_SIGN_F32;       \
    uint32_t mantissa = magnitude & 0x7fffff;                                \
    int32_t exponent = (int32_t)(magnitude >> 23) - 127;                     \
    bool is_nan = magnitude > SEM_INF_F32, is_zero = magnitude < 0x00800000; \
    (void)sign, (void)mantissa, (void)exponent, (void)is_nan, (void)is_zero;

SEM uint32_t sem_mufu_rcp(uint32_t a)
{
    SEM_MUFU_FIELDS(a)
    uint32_t x = mantissa & 0xffff;
    uint32_t bits = sem_mufu_pack(SEM_QUADRATIC(rcp, mantissa >> 16, x, x << 1), 40 + exponent, sign);

    bits = sem_pick(magnitude == SEM_INF_F32, sign, bits);
    bits = sem_pick(is_zero, sign | SEM_INF_F32, bits);
    return sem_pick(is_nan, SEM_NAN_F32, bits);
}

/* Odd exponents have segments of their own, after those of even ones. */
SEM uint32_t sem_mufu_sqrt(uint32_t a)
{
    SEM_MUFU_FIELDS(a)
    int32_t odd = exponent & 1;
    uint32_t x = mantissa & 0x1ffff, s = (uint32_t)odd << 6 | mantissa >> 17;
    uint32_t bits = sem_mufu_pack(SEM_QUADRATIC(sqrt, s, x, x), 40 - (exponent - odd) / 2, 0);

    bits = sem_pick(magnitude == SEM_INF_F32, magnitude, bits);
    bits = sem_pick(sign != 0, SEM_NAN_F32, bits);
    bits = sem_pick(is_zero, sign, bits);
    return sem_pick(is_nan, SEM_NAN_F32, bits);
}

/* Powers of four are exact, past the table. */
SEM uint32_t sem_mufu_rsqrt(uint32_t a)
{
    SEM_MUFU_FIELDS(a)
    int32_t odd = exponent & 1;
    uint32_t x = mantissa & 0x1ffff, s = (uint32_t)odd << 6 | mantissa >> 17;
    uint32_t bits = sem_mufu_pack(SEM_QUADRATIC(rsqrt, s, x, x), 41 + (exponent - odd) / 2, 0);

    bits = sem_pick((mantissa == 0) & !odd, (uint32_t)(127 - exponent / 2) << 23, bits);
    bits = sem_pick(magnitude == SEM_INF_F32, 0, bits);
    bits = sem_pick(sign != 0, SEM_NAN_F32, bits);
    bits = sem_pick(is_zero, sign | SEM_INF_F32, bits);
    return sem_pick(is_nan, SEM_NAN_F32, bits);
}

/*
 * The operand in fixed point with `fraction_bits` after the point, cut; modulo 2^32.  Zero for subnormals.
 */
SEM uint32_t sem_mufu_fixed(uint32_t magnitude, int32_t fraction_bits)
{
    uint32_t significand = sem_pick(magnitude >= 0x00800000, (magnitude & 0x7fffff) | 0x800000, 0);
    int32_t shift = (int32_t)(magnitude >> 23) - 127 - 23 + fraction_bits;

    /* one of the two amounts is at least 32 when taken as unsigned, unless both are 0 */
    return sem_shl_b32(significand, (uint32_t)shift) | sem_shr_b32(significand, (uint32_t)-shift);
}

/* Negative operands are complemented to ones, so their fraction is one unit low, unless they are integral. */
SEM uint32_t sem_mufu_ex2(uint32_t a)
{
    SEM_MUFU_FIELDS(a)
    uint32_t fixed = sem_mufu_fixed(magnitude, 23);
    uint32_t negative = ~fixed + ((fixed & 0x7fffff) == 0);
    int32_t value = (int32_t)sem_pick(sign != 0, negative, fixed);
    int32_t whole = value >> 23;
    uint32_t fraction = (uint32_t)value & 0x7fffff, x = fraction & 0x1ffff;
    uint32_t bits = sem_mufu_pack(SEM_QUADRATIC(ex2, fraction >> 17, x, x), 40 - whole, 0);

    bits = sem_pick(whole >= 128, SEM_INF_F32, bits);
    bits = sem_pick(magnitude >= 0x43800000, sem_pick(sign != 0, 0, SEM_INF_F32), bits); /* |a| >= 256 */
    return sem_pick(is_nan, SEM_NAN_F32, bits);
}

/* The exponent is added to T cut to 36 fraction bits; a negative sum is complemented to ones. */
SEM uint32_t sem_mufu_lg2(uint32_t a)
{
    SEM_MUFU_FIELDS(a)
    uint32_t x = mantissa & 0x1ffff;
    int64_t sum = (SEM_QUADRATIC(lg2, mantissa >> 17, x, x) >> 5) + (int64_t)exponent * ((int64_t)1 << 36);
    uint32_t bits = sem_mufu_pack(sum < 0 ? ~sum : sum, 36, sum < 0 ? SEM_SIGN_F32 : 0);

    bits = sem_pick(magnitude == 0x3f800000, 0, bits); /* lg2(1), the only exact case */
    bits = sem_pick(magnitude == SEM_INF_F32, SEM_INF_F32, bits);
    bits = sem_pick(sign != 0, SEM_NAN_F32, bits);
    bits = sem_pick(is_zero, SEM_SIGN_F32 | SEM_INF_F32, bits);
    return sem_pick(is_nan, SEM_NAN_F32, bits);
}

/* Sine of a angle in turns, `quarter` quarter turns ahead.  25 fraction bits: quadrant, then 23 bits within it. */
SEM uint32_t sem_mufu_sine(uint32_t turns, uint32_t quarter)
{
    SEM_MUFU_FIELDS(turns)
    uint32_t fixed = sem_mufu_fixed(magnitude, 25);
    uint32_t quadrant = (fixed >> 23) + quarter, fraction = fixed & 0x7fffff;
    uint32_t flipped = quadrant & 1 ? fraction ^ 0x7fffff : fraction; /* ones' complement, not 2^23 - fraction */
    uint32_t result_sign = (quarter ? 0 : sign) ^ (quadrant & 2) << 30;
    uint32_t x = flipped & 0x1ffff;
    uint32_t bits = sem_mufu_pack(SEM_QUADRATIC(sin, flipped >> 17, x, x), 41, result_sign);

    bits = sem_pick((quadrant & 1) & (fraction == 0), result_sign | 0x3f800000, bits);
    return sem_pick(magnitude >= SEM_INF_F32, SEM_NAN_F32, bits);
}

/* Identity below 2^-8 (subnormals too), 1 from 8 on. */
SEM uint32_t sem_mufu_tanh(uint32_t a)
{
    SEM_MUFU_FIELDS(a)
    int32_t binade = exponent + 8;
    uint32_t i = (uint32_t)(binade < 0 ? 0 : binade > 10 ? 10 : binade);
    uint32_t rest = mantissa >> sem_table_tanh_drop[i];
    uint32_t s = (uint32_t)sem_table_tanh_base[i] + (rest >> 17), x = rest & 0x1ffff;
    uint32_t bits = sem_mufu_pack(SEM_QUADRATIC(tanh, s, x, x), 41, sign);

    bits = sem_pick(binade > 10, sign | 0x3f800000, bits);
    bits = sem_pick(binade < 0, a, bits);
    return sem_pick(is_nan, SEM_NAN_F32, bits);
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

SEM float sem_frcp_approx_f32(float a, unsigned env)
{
    float scale = env & FP_FTZ ? 1.0f : sem_rcp_scale(a);

    return sem_canon_f32(SEM_MUFU(rcp, a * scale) * scale);
}

/* Subnormal operands go in times 2^24, without .ftz. */
SEM bool sem_scales_up(float a, unsigned env)
{
    return !(env & FP_FTZ) & sem_is_tiny_f32(a);
}

SEM float sem_fsqrt_approx_f32(float a, unsigned env)
{
    bool up = sem_scales_up(a, env);

    return sem_canon_f32(SEM_MUFU(sqrt, a * (up ? 0x1p24f : 1.0f)) * (up ? 0x1p-12f : 1.0f));
}

SEM float sem_frsqrt_approx_f32(float a, unsigned env)
{
    bool up = sem_scales_up(a, env);

    return sem_canon_f32(SEM_MUFU(rsqrt, a * (up ? 0x1p24f : 1.0f)) * (up ? 0x1p12f : 1.0f));
}

SEM float sem_flg2_approx_f32(float a, unsigned env)
{
    bool up = sem_scales_up(a, env);

    return sem_canon_f32(SEM_MUFU(lg2, a * (up ? 0x1p24f : 1.0f)) - (up ? 24.0f : 0.0f));
}

/* Results below 2^-126 are made as the square of the root. */
SEM float sem_fex2_approx_f32(float a, unsigned env)
{
    bool small = !(env & FP_FTZ) & (a < -126.0f);
    float result = SEM_MUFU(ex2, a * (small ? 0.5f : 1.0f));

    return sem_canon_f32(result * (small ? result : 1.0f));
}

/* Radians to turns by the f32 nearest to 1/(2 pi), rounded toward zero; with and without .ftz the same. */
SEM uint32_t sem_turns(float radians)
{
    return sem_bits_f32(sem_product_cut_f32(radians, 0x1.45f306p-3f));
}

SEM float sem_fsin_approx_f32(float a, unsigned env)
{
    (void)env;
    return sem_as_f32(sem_mufu_sine(sem_turns(a), 0));
}

SEM float sem_fcos_approx_f32(float a, unsigned env)
{
    (void)env;
    return sem_as_f32(sem_mufu_sine(sem_turns(a), 1));
}

SEM float sem_ftanh_approx_f32(float a, unsigned env)
{
    (void)env;
    return SEM_MUFU(tanh, a);
}

/* a times the reciprocal of b; without .ftz only small b are scaled, so the result is 0 for |b| > 2^126. */
SEM float sem_fdiv_approx_f32(float a, float b, unsigned env)
{
    float scale = sem_scales_up(b, env) ? 0x1p24f : 1.0f;

    return sem_fmul_f32(SEM_MUFU(rcp, b * scale), a * scale, env);
}

SEM float sem_fdiv_full_f32(float a, float b, unsigned env)
{
    float scale = sem_rcp_scale(sem_input_f32(b, env));

    scale = (env & FP_FTZ) && scale > 1.0f ? 1.0f : scale;
    return sem_fmul_f32(SEM_MUFU(rcp, sem_fmul_f32(b, scale, env)), sem_fmul_f32(a, scale, env), env);
}

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

/* T * 2^-scale as the high word of an f64, cut. */
SEM uint32_t sem_mufu_pack_high(int64_t t, int32_t scale, uint32_t sign)
{
    uint64_t wide = sem_mufu_normalize(t);
    int32_t exponent = (int32_t)(wide >> 52) - scale;

    return sign | sem_pick(exponent <= 0, 0, (uint32_t)exponent << 20 | ((uint32_t)(wide >> 32) & 0xfffff));
}

SEM double sem_frcp_approx_f64(double a, unsigned env)
{
    SEM_MUFU_FIELDS_F64(a)
    uint32_t x = mantissa & 0xffff;
    uint32_t bits = sem_mufu_pack_high(SEM_QUADRATIC(rcp, mantissa >> 16, x, x << 1), 40 + exponent, sign);

    (void)env;
    bits = sem_pick(is_inf, sign, bits);
    bits = sem_pick(is_zero, sign | 0x7ff00000, bits);
    return sem_as_f64((uint64_t)sem_pick(is_nan, SEM_NAN_F32, bits) << 32);
}

/* rsqrt.approx.ftz.f64 */
SEM double sem_mufu_rsqrt_f64(double a)
{
    SEM_MUFU_FIELDS_F64(a)
    int32_t odd = exponent & 1;
    uint32_t x = mantissa & 0x1ffff, s = (uint32_t)odd << 6 | mantissa >> 17;
    uint32_t bits = sem_mufu_pack_high(SEM_QUADRATIC(rsqrt, s, x, x), 41 + (exponent - odd) / 2, 0);

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
