/*
 * Meanings of cvt to and from packed and narrow formats: two f32 as halves, tf32, the formats of 8, 6 and 4 bits,
 * ue8m0, and cvt.pack.
 *
 * Named sem_cvt_<destination>_<source> like the scalar ones; `mode` decides the rounding, the host's does not
 * matter.
 */
#ifndef EMU_SEM_CVT_PACKED_H
#define EMU_SEM_CVT_PACKED_H

#include "sem_cvt.h"

/* --- two f32 packed as halves: a high, b low --------------------------------------------------------------- */

SEM uint32_t sem_cvt_f16x2_f32(float a, float b, unsigned mode, unsigned env)
{
    return SEM_PAIR(sem_cvt_f16_f32(a, mode, env), sem_cvt_f16_f32(b, mode, env));
}

SEM uint32_t sem_cvt_bf16x2_f32(float a, float b, unsigned mode, unsigned env)
{
    return SEM_PAIR(sem_cvt_bf16_f32(a, mode, env), sem_cvt_bf16_f32(b, mode, env));
}

/* --- tf32: an f32 whose low 13 bits are zero --------------------------------------------------------------- */

/*
 * Rounds the magnitude as an integer, subnormals too.  .rna knows no NaN: it cuts its low bits, which may leave
 * infinity, and .satfinite takes one unit off infinity and NaN alike.
 */
SEM uint32_t sem_cvt_tf32_f32(float a, unsigned mode, unsigned env)
{
    const uint32_t unit = 1u << 13, nan = 0x7fffe000;
    float x = sem_adjust_f32(a, env);
    uint32_t bits = sem_bits_f32(x), magnitude = bits & ~SEM_SIGN_F32;
    uint32_t rounded = sem_shift_round32(magnitude, 13, bits >> 31, mode) << 13;
    uint32_t cut = magnitude & ~(unit - 1);

    rounded = magnitude > SEM_INF_F32 ? cut : rounded;
    rounded = (env & FP_SATFINITE) && rounded >= SEM_INF_F32 ? rounded - unit : rounded;
    rounded |= bits & SEM_SIGN_F32;
    return mode != SEM_RNA && magnitude > SEM_INF_F32 ? nan : rounded;
}

/* --- 8-bit and narrower formats ---------------------------------------------------------------------------- */

/*
 * One element of a narrow format, always .satfinite and to nearest even: largest finite code on overflow, infinity
 * too. `nan` is the code for NaN.  The sign goes to bit `sign_bit`.
 */
SEM uint32_t sem_f32_to_code(float a, int mantissa, int bias, uint32_t largest, uint32_t nan, int sign_bit,
                             unsigned env)
{
    float x = sem_adjust_f32(a, env);
    uint32_t bits = sem_bits_f32(x);
    uint32_t code = sem_limit_code(sem_code32(bits, mantissa, bias, SEM_RN), largest, false);

    return x == x ? code | bits >> 31 << sign_bit : nan;
}

/*
 * Formats by mantissa bits, exponent bias, largest finite code, last code that is a number, code for NaN (the
 * formats of the OCP MX specification below 8 bits have none: the largest value), sign bit, bits of an element in
 * its container.
 */
/* clang-format off */
#define SEM_NARROW_FORMATS(make)                                                                                       \
    make(e4m3, 3, 7, 0x7e, 0x7e, 0x7f, 7, 8)                                                                           \
    make(e5m2, 2, 15, 0x7b, 0x7c, 0x7f, 7, 8)                                                                          \
    make(e2m3, 3, 1, 0x1f, 0x1f, 0x1f, 5, 8)                                                                           \
    make(e3m2, 2, 3, 0x1f, 0x1f, 0x1f, 5, 8)                                                                           \
    make(e2m1, 1, 1, 0x07, 0x07, 0x07, 3, 4)
/* clang-format on */

/* sem_cvt_<format>x2_f32: a goes to the upper element.  sem_cvt_<format>x2_f16x2: element by element. */
#define SEM_CVT_TO_NARROW(format, mantissa, bias, largest, last, nan, sign_bit, width)                         \
    SEM uint16_t sem_cvt_##format##x2_f32(float a, float b, unsigned mode, unsigned env)                       \
    {                                                                                                          \
        uint32_t high = sem_f32_to_code(a, mantissa, bias, largest, nan, sign_bit, env);                       \
        uint32_t low = sem_f32_to_code(b, mantissa, bias, largest, nan, sign_bit, env);                        \
        (void)mode;                                                                                            \
        return (uint16_t)(high << (width) | low);                                                              \
    }                                                                                                          \
    SEM uint16_t sem_cvt_##format##x2_f16x2(uint32_t a, unsigned mode, unsigned env)                           \
    {                                                                                                          \
        return sem_cvt_##format##x2_f32(sem_f16_to_f32(SEM_HIGH(a)), sem_f16_to_f32(SEM_LOW(a)), mode, env);   \
    }                                                                                                          \
    SEM uint16_t sem_cvt_##format##x2_bf16x2(uint32_t a, unsigned mode, unsigned env)                          \
    {                                                                                                          \
        return sem_cvt_##format##x2_f32(sem_bf16_to_f32(SEM_HIGH(a)), sem_bf16_to_f32(SEM_LOW(a)), mode, env); \
    }
SEM_NARROW_FORMATS(SEM_CVT_TO_NARROW)

/* Back to f16, exact.  The infinity of e5m2 is a code too large for f16, so it comes out as infinity. */
#define SEM_CVT_FROM_NARROW(format, mantissa, bias, largest, last, nan, sign_bit, width) \
    SEM uint16_t sem_cvt_f16_##format(uint32_t element, unsigned env)                    \
    {                                                                                    \
        uint32_t magnitude = element & ((1u << (sign_bit)) - 1);                         \
        float value = sem_code_to_f32(magnitude, mantissa, bias);                        \
        uint32_t half = sem_f32_to_f16(value) | (element >> (sign_bit)&1) << 15;         \
        half = (env & FP_RELU) && half >> 15 ? 0 : half;                                 \
        return (uint16_t)(magnitude > (last) ? SEM_NAN_HALF : half);                     \
    }                                                                                    \
    SEM uint32_t sem_cvt_f16x2_##format##x2(uint16_t a, unsigned mode, unsigned env)     \
    {                                                                                    \
        (void)mode;                                                                      \
        return SEM_PAIR(sem_cvt_f16_##format((uint32_t)a >> (width), env),               \
                        sem_cvt_f16_##format(a & ((1u << (width)) - 1), env));           \
    }
SEM_NARROW_FORMATS(SEM_CVT_FROM_NARROW)

/*
 * ue8m0, a power of two: the exponent field of an f32, without a sign.  0xff is NaN.  Rounds the magnitude down
 * (.rz) or up (.rp); what is not above 2^-127, zero too, is the code 0.  Above 2^127 it is NaN, or with .satfinite
 * 2^127.
 */
SEM uint32_t sem_f32_to_ue8m0(float a, unsigned mode, unsigned env)
{
    uint32_t magnitude = sem_bits_f32(a) & ~SEM_SIGN_F32;
    uint32_t down = magnitude >> 23, rest = magnitude & 0x7fffff;
    uint32_t above = down == 0 ? rest > 0x400000 : rest != 0;
    uint32_t code = mode == SEM_RP ? down + above : down;

    code = (env & FP_SATFINITE) && code > 0xfe ? 0xfe : code;
    return magnitude > SEM_INF_F32 ? 0xff : code;
}

SEM uint16_t sem_cvt_ue8m0x2_f32(float a, float b, unsigned mode, unsigned env)
{
    return (uint16_t)(sem_f32_to_ue8m0(a, mode, env) << 8 | sem_f32_to_ue8m0(b, mode, env));
}

SEM uint16_t sem_cvt_ue8m0x2_bf16x2(uint32_t a, unsigned mode, unsigned env)
{
    return sem_cvt_ue8m0x2_f32(sem_bf16_to_f32(SEM_HIGH(a)), sem_bf16_to_f32(SEM_LOW(a)), mode, env);
}

/* 2^-127 is a subnormal bf16. */
SEM uint16_t sem_ue8m0_to_bf16(uint32_t code)
{
    return (uint16_t)(code == 0 ? 0x0040 : code == 0xff ? SEM_NAN_HALF : code << 7);
}

SEM uint32_t sem_cvt_bf16x2_ue8m0x2(uint16_t a, unsigned mode, unsigned env)
{
    (void)mode;
    (void)env;
    return SEM_PAIR(sem_ue8m0_to_bf16(a >> 8), sem_ue8m0_to_bf16(a & 0xff));
}

/* --- cvt.pack: a and b clamped to the element type, packed above what is left of c ------------------------- */

SEM uint32_t sem_clamp_bits(int32_t x, int32_t low, int32_t high)
{
    int32_t clamped = x < low ? low : x > high ? high : x;

    return (uint32_t)clamped;
}

#define SEM_CVT_PACK_SAT(type, width, low, high)                                                           \
    SEM uint32_t sem_cvt_pack_sat_##type(int32_t a, int32_t b, uint32_t c)                                 \
    {                                                                                                      \
        const uint32_t mask = (1u << (width)) - 1;                                                         \
        uint32_t upper = sem_clamp_bits(a, low, high) & mask, lower = sem_clamp_bits(b, low, high) & mask; \
        return sem_shl_b32(c, 2 * (width)) | upper << (width) | lower;                                     \
    }
SEM_CVT_PACK_SAT(u16, 16, 0, UINT16_MAX)
SEM_CVT_PACK_SAT(s16, 16, INT16_MIN, INT16_MAX)
SEM_CVT_PACK_SAT(u8, 8, 0, UINT8_MAX)
SEM_CVT_PACK_SAT(s8, 8, INT8_MIN, INT8_MAX)
SEM_CVT_PACK_SAT(u4, 4, 0, 15)
SEM_CVT_PACK_SAT(s4, 4, -8, 7)
SEM_CVT_PACK_SAT(u2, 2, 0, 3)
SEM_CVT_PACK_SAT(s2, 2, -2, 1)

#endif
