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
 * Each function of the unit is written as steps (sem_mufu_steps.inc), so that whole rows can take each step in turn
 * with the lookups between two of them (rows_mufu.inc):
 *
 *      reduced   the operand after range reduction
 *      position  from `reduced`; so is the number of the segment
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

/* --- the unit ---------------------------------------------------------------------------------------------- */

enum {
    SEM_X_BITS = 17,
    SEM_TANH_FIRST = 127 - 8, /* biased exponent of the first binade of tanh that has segments */
    SEM_TANH_BINADES = 11,
    SEM_F64_CUT = 23 - 20 /* mantissa bits that the high word of an f64 has less than an f32 */
};

SEM uint16_t sem_high_product_u16(uint16_t a, uint16_t b)
{
    return (uint16_t)((uint32_t)a * b >> 16);
}

#define WORD                  uint32_t
#define HALF                  uint16_t
#define REAL                  float
#define STEP(name)            name
#define PICK                  sem_pick
#define AS_WORD               sem_bits_f32
#define AS_REAL               sem_as_f32
#define TO_WORD(x)            ((uint32_t)(int32_t)(x))
#define TO_REAL(x)            ((float)(int32_t)(x))
#define SIGNED_SHIFT(word, n) ((uint32_t)((int32_t)(word) >> (n)))
#define HIGH_PRODUCT(a, b)    sem_high_product_u16((uint16_t)(a), (uint16_t)(b))
#define FUSED                 __builtin_fmaf
#define EXACT_FUSED(a, b, c)  ((a) * (b) + (c))
#include "sem_mufu_steps.inc"

/* Tanh finds its segments by the binade. */
SEM uint32_t sem_mufu_reduced_tanh(uint32_t a)
{
    return sem_mufu_reduced_binade_tanh(a, sem_table_tanh_binade[sem_mufu_binade_tanh(a)]);
}

/* sem_mufu_<f>(a) by its steps. */
#define SEM_MUFU_STEPS(f, table)                                                                                     \
    SEM uint32_t sem_mufu_##f(uint32_t a)                                                                            \
    {                                                                                                                \
        uint32_t reduced = sem_mufu_reduced_##f(a), position = sem_mufu_position_##f(reduced);                       \
        uint32_t segment = sem_mufu_segment_##f(reduced);                                                            \
        uint32_t square = sem_mufu_square((uint16_t)sem_mufu_upper(position));                                       \
        struct sem_mufu_t t =                                                                                        \
            sem_mufu_t_##table(sem_table_##table##_c0[segment], sem_table_##table##_c12[segment], position, square); \
        return sem_mufu_special_##f(a, sem_mufu_result_##f(reduced, t));                                             \
    }
SEM_MUFU_STEPS(rcp, rcp)
SEM_MUFU_STEPS(sqrt, sqrt)
SEM_MUFU_STEPS(rsqrt, rsqrt)
SEM_MUFU_STEPS(ex2, ex2)
SEM_MUFU_STEPS(lg2, lg2)
SEM_MUFU_STEPS(sin, sin)
SEM_MUFU_STEPS(cos, sin)
SEM_MUFU_STEPS(tanh, tanh)
SEM_MUFU_STEPS(rcp64, rcp)
SEM_MUFU_STEPS(rsqrt64, rsqrt)

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

/* The unit takes turns, not radians. */
SEM float sem_turns(float radians)
{
    return sem_as_f32(sem_mufu_turns(sem_bits_f32(radians)));
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

SEM uint32_t sem_high_f64(double a)
{
    return (uint32_t)(sem_bits_f64(a) >> 32);
}

SEM double sem_of_high_f64(uint32_t high)
{
    return sem_as_f64((uint64_t)high << 32);
}

#define SEM_MUFU_F64_OPERATION(op, f)                                             \
    SEM double sem_##op##_f64(double a, unsigned env)                             \
    {                                                                             \
        uint32_t high = sem_high_f64(sem_enter_##op##_f64(a, env));               \
        return sem_leave_##op##_f64(a, sem_of_high_f64(sem_mufu_##f(high)), env); \
    }

/* rcp.approx.ftz.f64: the bare unit. */
SEM double sem_enter_frcp_approx_f64(double a, unsigned env)
{
    (void)env;
    return a;
}

SEM double sem_leave_frcp_approx_f64(double a, double estimate, unsigned env)
{
    (void)a, (void)env;
    return estimate;
}

SEM_MUFU_F64_OPERATION(frcp_approx, rcp64)

/*
 * rsqrt.approx.ftz.f64 is the bare unit.  rsqrt.approx.f64: the unit's estimate and one step of third order.
 * Subnormals go in times 2^54.  The special cases are those of an exact function; a NaN keeps its payload.
 */
SEM double sem_enter_frsqrt_approx_f64(double a, unsigned env)
{
    return (!(env & FP_FTZ) & (a < 0x1p-1022)) ? a * 0x1p54 : a;
}

SEM double sem_rsqrt_refined_f64(double a, double estimate)
{
    double x = sem_enter_frsqrt_approx_f64(a, 0), y = estimate;
    double error = __builtin_fma(x, -(y * y), 1.0);
    double refined = __builtin_fma(__builtin_fma(error, 0.375, 0.5), error * y, y);

    return a < 0x1p-1022 ? refined * 0x1p27 : refined;
}

SEM double sem_leave_frsqrt_approx_f64(double a, double estimate, unsigned env)
{
    double result = sem_rsqrt_refined_f64(a, estimate);

    result = a == sem_as_f64(SEM_INF_F64) ? 0.0 : result;
    result = a == 0.0 ? sem_as_f64(sem_bits_f64(a) | SEM_INF_F64) : result;
    result = a < 0.0 ? sem_as_f64(SEM_NAN_F64) : result;
    result = a == a ? result : sem_quiet_f64(a);
    return env & FP_FTZ ? estimate : result;
}

SEM_MUFU_F64_OPERATION(frsqrt_approx, rsqrt64)

#endif
