/*
 * Meanings of cvt: sem_cvt_<destination>_<source>(a, mode, env), one for every pair of types, and the packed forms.
 *
 * `mode` is an enum sem_round and decides every rounding here, except where the host converts (integer to f32 and
 * f64, f64 to f32): there the caller has set the host's mode, as for arithmetic.  `env`: FP_FTZ, FP_SAT, FP_RELU,
 * FP_SATFINITE.
 */
#ifndef EMU_SEM_CVT_H
#define EMU_SEM_CVT_H

#include "sem_bits.h"
#include "sem_narrow.h"

#define SEM_MIN_u8  0
#define SEM_MIN_u16 0
#define SEM_MIN_u32 0
#define SEM_MIN_u64 0
#define SEM_MIN_s8  INT8_MIN
#define SEM_MIN_s16 INT16_MIN
#define SEM_MIN_s32 INT32_MIN
#define SEM_MIN_s64 INT64_MIN
#define SEM_MAX_u8  UINT8_MAX
#define SEM_MAX_u16 UINT16_MAX
#define SEM_MAX_u32 UINT32_MAX
#define SEM_MAX_u64 UINT64_MAX
#define SEM_MAX_s8  INT8_MAX
#define SEM_MAX_s16 INT16_MAX
#define SEM_MAX_s32 INT32_MAX
#define SEM_MAX_s64 INT64_MAX

/* Apply make(source, extra) to all integer types. */
#define SEM_EACH_INT(make, extra)                                                                       \
    make(u8, extra) make(u16, extra) make(u32, extra) make(u64, extra) make(s8, extra) make(s16, extra) \
        make(s32, extra) make(s64, extra)

/* --- integer to integer: truncate or extend; FP_SAT clamps ------------------------------------------------- */

SEM bool sem_below(int64_t x, int64_t limit)
{
    return x < limit;
}

SEM bool sem_above(uint64_t x, uint64_t limit)
{
    return x > limit;
}

#define SEM_CVT_FROM_SIGNED(s, d)                                                                           \
    SEM sem_t_##d sem_cvt_##d##_##s(sem_t_##s a, unsigned mode, unsigned env)                               \
    {                                                                                                       \
        bool low = sem_below(a, (int64_t)SEM_MIN_##d), high = a > 0 && sem_above((uint64_t)a, SEM_MAX_##d); \
        sem_t_##d clamped = low ? SEM_MIN_##d : high ? SEM_MAX_##d : (sem_t_##d)a;                          \
        (void)mode;                                                                                         \
        return env & FP_SAT ? clamped : (sem_t_##d)a;                                                       \
    }
#define SEM_CVT_FROM_UNSIGNED(s, d)                                           \
    SEM sem_t_##d sem_cvt_##d##_##s(sem_t_##s a, unsigned mode, unsigned env) \
    {                                                                         \
        bool high = sem_above(a, SEM_MAX_##d);                                \
        (void)mode;                                                           \
        return env & FP_SAT && high ? SEM_MAX_##d : (sem_t_##d)a;             \
    }
#define SEM_CVT_INTS(d, extra)    \
    SEM_CVT_FROM_UNSIGNED(u8, d)  \
    SEM_CVT_FROM_UNSIGNED(u16, d) \
    SEM_CVT_FROM_UNSIGNED(u32, d) \
    SEM_CVT_FROM_UNSIGNED(u64, d) \
    SEM_CVT_FROM_SIGNED(s8, d)    \
    SEM_CVT_FROM_SIGNED(s16, d)   \
    SEM_CVT_FROM_SIGNED(s32, d)   \
    SEM_CVT_FROM_SIGNED(s64, d)
SEM_EACH_INT(SEM_CVT_INTS, )

/* --- rounding to integral values --------------------------------------------------------------------------- */

/*
 * What to add to trunc(x), given the exact rest x - trunc(x), which has the sign of x: -1, 0 or 1.
 */
#define SEM_ROUND_REST(t)                                                                                 \
    SEM int sem_round_rest_##t(sem_t_##t rest, int odd, unsigned mode)                                    \
    {                                                                                                     \
        const sem_t_##t half = (sem_t_##t)0.5;                                                            \
        switch (mode) {                                                                                   \
        case SEM_RN:                                                                                      \
            return ((rest > half) | ((rest == half) & odd)) - ((rest < -half) | ((rest == -half) & odd)); \
        case SEM_RNA:                                                                                     \
            return (rest >= half) - (rest <= -half);                                                      \
        case SEM_RM:                                                                                      \
            return -(rest < 0);                                                                           \
        case SEM_RP:                                                                                      \
            return rest > 0;                                                                              \
        default:                                                                                          \
            return 0;                                                                                     \
        }                                                                                                 \
    }
SEM_ROUND_REST(f32)
SEM_ROUND_REST(f64)

/*
 * Float to integer.  Out of range clamps, with or without FP_SAT.  `last` is the largest float not above the type's
 * maximum: the operand is first brought into [minimum, last], where the host's truncation is defined and rounding
 * cannot overflow.
 */
#define SEM_CVT_TO_INT(d, s, last, nan)                                                                    \
    SEM sem_t_##d sem_cvt_##d##_##s(sem_t_##s a, unsigned mode, unsigned env)                              \
    {                                                                                                      \
        const sem_t_##s first = (sem_t_##s)SEM_MIN_##d;                                                    \
        sem_t_##s x = sem_input_##s(a, env);                                                               \
        sem_bits_t_##s low = SEM_PICK(sem_bits_t_##s, x > first, sem_bits_##s(x), sem_bits_##s(first));    \
        sem_t_##s inside = sem_as_##s(SEM_PICK(sem_bits_t_##s, x > (last), sem_bits_##s(last), low));      \
        sem_t_##d whole = (sem_t_##d)inside;                                                               \
        sem_t_##s rest = inside - (sem_t_##s)whole;                                                        \
        sem_m_##d result = (sem_m_##d)whole + (sem_m_##d)sem_round_rest_##s(rest, (int)(whole & 1), mode); \
        result = SEM_PICK(sem_m_##d, x > (last), (sem_m_##d)SEM_MAX_##d, result);                          \
        return (sem_t_##d)SEM_PICK(sem_m_##d, x == x, result, (sem_m_##d)(nan));                           \
    }
SEM double sem_input_f64(double x, unsigned env)
{
    (void)env;
    return x;
}
SEM_CVT_TO_INT(u8, f32, 0xffp0f, 0)
SEM_CVT_TO_INT(s8, f32, 0x7fp0f, 0)
SEM_CVT_TO_INT(u16, f32, 0xffffp0f, 0)
SEM_CVT_TO_INT(s16, f32, 0x7fffp0f, 0)
SEM_CVT_TO_INT(u32, f32, 0xffffffp8f, 0)
SEM_CVT_TO_INT(s32, f32, 0xffffffp7f, 0)
SEM_CVT_TO_INT(u64, f32, 0xffffffp40f, SEM_SIGN_F64)
SEM_CVT_TO_INT(s64, f32, 0xffffffp39f, SEM_SIGN_F64)
SEM_CVT_TO_INT(u8, f64, 0xffp0, 0x80)
SEM_CVT_TO_INT(s8, f64, 0x7fp0, 0x80)
SEM_CVT_TO_INT(u16, f64, 0xffffp0, 0x8000)
SEM_CVT_TO_INT(s16, f64, 0x7fffp0, 0x8000)
SEM_CVT_TO_INT(u32, f64, 0xffffffffp0, 0x80000000)
SEM_CVT_TO_INT(s32, f64, 0x7fffffffp0, 0x80000000)
SEM_CVT_TO_INT(u64, f64, 0x1fffffffffffffp11, SEM_SIGN_F64)
SEM_CVT_TO_INT(s64, f64, 0x1fffffffffffffp10, SEM_SIGN_F64)

#define SEM_CVT_HALF_TO_INT(d, s)                                                     \
    SEM sem_t_##d sem_cvt_##d##_##s(sem_t_##s a, unsigned mode, unsigned env)         \
    {                                                                                 \
        return sem_cvt_##d##_f32(sem_##s##_to_f32(a), mode, env & ~(unsigned)FP_FTZ); \
    }
SEM_EACH_INT(SEM_CVT_HALF_TO_INT, f16)
SEM_EACH_INT(SEM_CVT_HALF_TO_INT, bf16)

/* cvt.rni.f32.f32 and its like.  From 2^23 (2^52) on every value is integral already.  The sign stays, also on zero. */
#define SEM_RINT(t, integer, all_integral)                                                         \
    SEM sem_t_##t sem_rint_##t(sem_t_##t x, unsigned mode)                                         \
    {                                                                                              \
        sem_t_##t magnitude = x < 0 ? -x : x;                                                      \
        bool rounds = magnitude < (all_integral);                                                  \
        integer whole = (integer)(rounds ? x : 0);                                                 \
        sem_t_##t rest = x - (sem_t_##t)whole;                                                     \
        sem_t_##t rounded = (sem_t_##t)(whole + sem_round_rest_##t(rest, (int)(whole & 1), mode)); \
        return rounds ? sem_copysign_##t(x, rounded, 0) : x;                                       \
    }
SEM_RINT(f32, int32_t, 0x1p23f)
SEM_RINT(f64, int64_t, 0x1p52)

SEM float sem_cvt_rint_f32(float a, unsigned mode, unsigned env)
{
    return sem_output_f32(sem_rint_f32(sem_input_f32(a, env), mode), env);
}

SEM double sem_cvt_rint_f64(double a, unsigned mode, unsigned env)
{
    double rounded = sem_nan1_f64(sem_rint_f64(a, mode), a);

    return env & FP_SAT ? sem_saturate_f64(rounded) : rounded;
}

/* --- integer to float -------------------------------------------------------------------------------------- */

/*
 * Unsigned integers by hand.  Compilers build these conversions for some hosts from a difference of equal numbers when
 * x is zero, which is -0 when rounding down, and they fold away any repair that relies on knowing the result's sign.
 *
 * The halves of x are put into the low mantissa bits of 2^84 and 2^52; only the last addition rounds.
 */
SEM double sem_f64_of_u64(uint64_t x)
{
    double high = sem_as_f64(0x4530000000000000u | x >> 32) - (0x1p84 + 0x1p52);
    double sum = high + sem_as_f64(0x4330000000000000u | (x & 0xffffffff));

    return sem_as_f64(sem_bits_f64(sum) & ~SEM_SIGN_F64);
}

/* An f64 that rounds to 51 bits or fewer as x does: 53 bits of it, the last also set if bits were cut (rounding to
 * odd). */
SEM double sem_odd_f64_u64(uint64_t x)
{
    uint64_t cut = x >> 11 << 11 | (uint64_t)((x & 0x7ff) != 0) << 11;

    return sem_f64_of_u64(x >> 53 ? cut : x);
}

/* Both products are exact, and a sum of positive zeros is +0. */
SEM float sem_f32_of_u32(uint32_t x)
{
    return (float)(int32_t)(x >> 16) * 65536.0f + (float)(int32_t)(x & 0xffff);
}

#define SEM_CVT_INT_TO_WIDE(s, d, value)                                      \
    SEM sem_t_##d sem_cvt_##d##_##s(sem_t_##s a, unsigned mode, unsigned env) \
    {                                                                         \
        sem_t_##d x = (value);                                                \
        (void)mode;                                                           \
        return env & FP_SAT ? sem_saturate_##d(x) : x;                        \
    }
SEM_CVT_INT_TO_WIDE(s8, f32, (float)a)
SEM_CVT_INT_TO_WIDE(s16, f32, (float)a)
SEM_CVT_INT_TO_WIDE(s32, f32, (float)a)
SEM_CVT_INT_TO_WIDE(s64, f32, (float)a)
SEM_CVT_INT_TO_WIDE(u8, f32, (float)(int32_t)a)
SEM_CVT_INT_TO_WIDE(u16, f32, (float)(int32_t)a)
SEM_CVT_INT_TO_WIDE(u32, f32, sem_f32_of_u32(a))
SEM_CVT_INT_TO_WIDE(u64, f32, (float)sem_odd_f64_u64(a))
SEM_CVT_INT_TO_WIDE(s8, f64, (double)a)
SEM_CVT_INT_TO_WIDE(s16, f64, (double)a)
SEM_CVT_INT_TO_WIDE(s32, f64, (double)a)
SEM_CVT_INT_TO_WIDE(s64, f64, (double)a)
SEM_CVT_INT_TO_WIDE(u8, f64, (double)(int32_t)a)
SEM_CVT_INT_TO_WIDE(u16, f64, (double)(int32_t)a)
SEM_CVT_INT_TO_WIDE(u32, f64, sem_f64_of_u64(a))
SEM_CVT_INT_TO_WIDE(u64, f64, sem_f64_of_u64(a))

/* To halves through f32, which is exact for up to 16 bits. */
#define SEM_CVT_SMALL_TO_HALF(s, d)                                              \
    SEM sem_t_##d sem_cvt_##d##_##s(sem_t_##s a, unsigned mode, unsigned env)    \
    {                                                                            \
        return sem_f32_to_##d##_round(sem_adjust_f32((float)a, env), mode, env); \
    }
#define SEM_CVT_SMALLS(d)         \
    SEM_CVT_SMALL_TO_HALF(u8, d)  \
    SEM_CVT_SMALL_TO_HALF(u16, d) \
    SEM_CVT_SMALL_TO_HALF(s8, d)  \
    SEM_CVT_SMALL_TO_HALF(s16, d)
SEM_CVT_SMALLS(f16)
SEM_CVT_SMALLS(bf16)

/* What f32 or s32 cannot hold exactly is far beyond the range of f16. */
#define SEM_CVT_LARGE_TO_HALF(s, negative)                                              \
    SEM uint16_t sem_cvt_f16_##s(sem_t_##s a, unsigned mode, unsigned env)              \
    {                                                                                   \
        float x = (float)sem_cvt_s32_##s(a, SEM_RN, FP_SAT);                            \
        return sem_f32_to_f16_round(sem_adjust_f32(x, env), mode, env);                 \
    }                                                                                   \
    SEM uint16_t sem_cvt_bf16_##s(sem_t_##s a, unsigned mode, unsigned env)             \
    {                                                                                   \
        double magnitude = sem_odd_f64_u64((negative) ? 0 - (uint64_t)a : (uint64_t)a); \
        double x = (negative) ? -magnitude : magnitude;                                 \
        return sem_f64_to_bf16_round(sem_adjust_f64(x, env), mode, env);                \
    }
SEM_CVT_LARGE_TO_HALF(u32, false)
SEM_CVT_LARGE_TO_HALF(u64, false)
SEM_CVT_LARGE_TO_HALF(s32, a < 0)
SEM_CVT_LARGE_TO_HALF(s64, a < 0)

/* --- float to float ---------------------------------------------------------------------------------------- */

/* Without modifiers a move. */
SEM float sem_cvt_f32_f32(float a, unsigned mode, unsigned env)
{
    (void)mode;
    return env == 0 ? a : sem_output_f32(sem_input_f32(a, env), env);
}

SEM double sem_cvt_f64_f64(double a, unsigned mode, unsigned env)
{
    (void)mode;
    return env & FP_SAT ? sem_saturate_f64(a) : a;
}

SEM double sem_cvt_f64_f32(float a, unsigned mode, unsigned env)
{
    double wide = (double)sem_input_f32(a, env);

    (void)mode;
    wide = (env & FP_FTZ) && a != a ? sem_as_f64(0x7fffffffe0000000u) : wide;
    return env & FP_SAT ? sem_saturate_f64(wide) : wide;
}

/* The host keeps a NaN's sign and upper payload bits, as the GPU does. */
SEM float sem_cvt_f32_f64(double a, unsigned mode, unsigned env)
{
    float narrow = (float)a;

    (void)mode;
    if (env & FP_FTZ) {
        narrow = sem_flush_scaled_f32(narrow, (float)(a * SEM_SCALE));
    }
    return env & FP_SAT ? sem_saturate_f32(narrow) : narrow;
}

/* .ftz has no effect: the GPU does not flush the f32 operand, and f16 subnormals are kept. */
SEM uint16_t sem_cvt_f16_f32(float a, unsigned mode, unsigned env)
{
    return sem_f32_to_f16_round(sem_adjust_f32(a, env), mode, env);
}

SEM uint16_t sem_cvt_bf16_f32(float a, unsigned mode, unsigned env)
{
    return sem_f32_to_bf16_round(sem_adjust_f32(sem_input_f32(a, env), env), mode, env);
}

SEM uint16_t sem_cvt_f16_f64(double a, unsigned mode, unsigned env)
{
    return sem_f64_to_f16_round(sem_adjust_f64(a, env), mode, env);
}

SEM uint16_t sem_cvt_bf16_f64(double a, unsigned mode, unsigned env)
{
    return sem_f64_to_bf16_round(sem_adjust_f64(a, env), mode, env);
}

SEM float sem_cvt_f32_f16(uint16_t a, unsigned mode, unsigned env)
{
    (void)mode;
    return sem_output_f32(sem_f16_to_f32(a), env);
}

SEM float sem_cvt_f32_bf16(uint16_t a, unsigned mode, unsigned env)
{
    return sem_cvt_f32_f32(sem_bf16_to_f32(a), mode, env);
}

SEM double sem_cvt_f64_f16(uint16_t a, unsigned mode, unsigned env)
{
    return sem_cvt_f64_f32(sem_f16_to_f32(a), mode, env);
}

SEM double sem_cvt_f64_bf16(uint16_t a, unsigned mode, unsigned env)
{
    return sem_cvt_f64_f32(sem_bf16_to_f32(a), mode, env);
}

SEM uint16_t sem_cvt_f16_bf16(uint16_t a, unsigned mode, unsigned env)
{
    return sem_cvt_f16_f32(sem_bf16_to_f32(a), mode, env);
}

SEM uint16_t sem_cvt_bf16_f16(uint16_t a, unsigned mode, unsigned env)
{
    return sem_cvt_bf16_f32(sem_f16_to_f32(a), mode, env);
}

#define SEM_CVT_SAME_HALF(t)                                                                \
    SEM uint16_t sem_cvt_##t##_##t(uint16_t a, unsigned mode, unsigned env)                 \
    {                                                                                       \
        return sem_f32_to_##t##_round(sem_adjust_f32(sem_##t##_to_f32(a), env), mode, env); \
    }                                                                                       \
    SEM uint16_t sem_cvt_rint_##t(uint16_t a, unsigned mode, unsigned env)                  \
    {                                                                                       \
        float rounded = sem_rint_f32(sem_##t##_to_f32(a), mode);                            \
        return sem_f32_to_##t##_round(sem_adjust_f32(rounded, env), SEM_RN, env);           \
    }
SEM_CVT_SAME_HALF(f16)
SEM_CVT_SAME_HALF(bf16)

#endif
