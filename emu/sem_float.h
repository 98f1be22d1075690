/*
 * Meanings of f32 and f64 arithmetic.  Operations take `env`, a set of enum sem_env; 0 costs the host operation and
 * the NaN rule.
 *
 * Rounding: the functions round as the host does.  For .rz, .rm and .rp the caller sets the host's rounding mode
 * around its loop over the lanes (and keeps the compiler from moving arithmetic across); add, sub, mul, fma, div,
 * rcp, sqrt then need no other change.
 *
 * NaN rule of the GPU: f32 has one NaN, 0x7fffffff.  f64 keeps the payload of one operand (which one is written at
 * each operation) and sets its quiet bit; invalid operations make 0xfff8000000000000.
 */
#ifndef EMU_SEM_FLOAT_H
#define EMU_SEM_FLOAT_H

#include "sem_env.h"

#define SEM_SIGN_F32  0x80000000u
#define SEM_INF_F32   0x7f800000u
#define SEM_NAN_F32   0x7fffffffu
#define SEM_SIGN_F64  0x8000000000000000u
#define SEM_INF_F64   0x7ff0000000000000u
#define SEM_QUIET_F64 0x0008000000000000u
#define SEM_NAN_F64   0xfff8000000000000u

/* --- f32: NaN, flushing, saturation ------------------------------------------------------------------------ */

SEM float sem_canon_f32(float x)
{
    return x == x ? x : sem_as_f32(SEM_NAN_F32);
}

/* A subnormal becomes zero of its sign. */
SEM float sem_flush_f32(float x)
{
    uint32_t bits = sem_bits_f32(x);

    return sem_as_f32((bits & SEM_INF_F32) == 0 ? bits & SEM_SIGN_F32 : bits);
}

/* To [+0, 1]; NaN and -0 become +0. */
SEM float sem_saturate_f32(float x)
{
    float low = x > 0.0f ? x : 0.0f;

    return low < 1.0f ? low : 1.0f;
}

SEM float sem_input_f32(float x, unsigned env)
{
    return env & FP_FTZ ? sem_flush_f32(x) : x;
}

SEM float sem_output_f32(float x, unsigned env)
{
    return env & FP_SAT ? sem_saturate_f32(x) : sem_canon_f32(x);
}

/*
 * A result is flushed if it is below the smallest normal after rounding to 24 bits WITH UNBOUNDED EXPONENT.  The
 * host's subnormal rounding is coarser: it can turn such a result into the smallest normal.  Hence operations that
 * can be inexact there also compute `scaled`, the same result times 2^64 (SEM_SCALE), which rounds as wanted.  Where
 * the result is large, `scaled` may be anything: rounding towards zero turns its overflows into finite numbers.
 */
#define SEM_SCALE 0x1p64f

SEM float sem_flush_scaled_f32(float x, float scaled)
{
    const bool tiny = (__builtin_fabsf(scaled) < 0x1p-126f * SEM_SCALE) & (__builtin_fabsf(x) <= 0x1p-126f);

    return tiny ? sem_as_f32(sem_bits_f32(x) & SEM_SIGN_F32) : x;
}

/* --- f64: NaN ---------------------------------------------------------------------------------------------- */

SEM double sem_quiet_f64(double nan)
{
    return sem_as_f64(sem_bits_f64(nan) | SEM_QUIET_F64);
}

/* The result of an operation on one operand. */
SEM double sem_nan1_f64(double result, double a)
{
    double nan = a == a ? sem_as_f64(SEM_NAN_F64) : sem_quiet_f64(a);

    return result == result ? result : nan;
}

/* The result of an operation where a NaN in `first` wins over one in `second`. */
SEM double sem_nan2_f64(double result, double first, double second)
{
    double nan = second == second ? sem_as_f64(SEM_NAN_F64) : sem_quiet_f64(second);

    nan = first == first ? nan : sem_quiet_f64(first);
    return result == result ? result : nan;
}

/* --- add, sub, mul, fma ------------------------------------------------------------------------------------ */

/* Sums below 2^-126 are exact, so flushing the rounded result is right. */
SEM float sem_fadd_f32(float a, float b, unsigned env)
{
    float sum = sem_input_f32(a, env) + sem_input_f32(b, env);

    return sem_output_f32(sem_input_f32(sum, env), env);
}

SEM float sem_fsub_f32(float a, float b, unsigned env)
{
    float difference = sem_input_f32(a, env) - sem_input_f32(b, env);

    return sem_output_f32(sem_input_f32(difference, env), env);
}

/* Scaling a is exact or overflows; it overflows only where the product cannot be tiny. */
SEM float sem_fmul_f32(float a, float b, unsigned env)
{
    float x = sem_input_f32(a, env), y = sem_input_f32(b, env);
    float product = x * y;

    if (env & FP_FTZ) {
        product = sem_flush_scaled_f32(product, x * SEM_SCALE * y);
    }
    return sem_output_f32(product, env);
}

/* Where scaling a or c overflows, a sum that is not zero is at least 2^-110: the NaN or infinity in `scaled` flushes
 * nothing. */
SEM float sem_fma_f32(float a, float b, float c, unsigned env)
{
    float x = sem_input_f32(a, env), y = sem_input_f32(b, env), z = sem_input_f32(c, env);
    float sum = __builtin_fmaf(x, y, z);

    if (env & FP_FTZ) {
        sum = sem_flush_scaled_f32(sum, __builtin_fmaf(x * SEM_SCALE, y, z * SEM_SCALE));
    }
    return sem_output_f32(sum, env);
}

SEM double sem_fadd_f64(double a, double b, unsigned env)
{
    (void)env;
    return sem_nan2_f64(a + b, b, a);
}

SEM double sem_fsub_f64(double a, double b, unsigned env)
{
    (void)env;
    return sem_nan2_f64(a - b, b, a);
}

SEM double sem_fmul_f64(double a, double b, unsigned env)
{
    (void)env;
    return sem_nan2_f64(a * b, b, a);
}

SEM double sem_fma_f64(double a, double b, double c, unsigned env)
{
    double sum = __builtin_fma(a, b, c);
    double nan = sem_nan2_f64(sem_as_f64(SEM_NAN_F64), c, a);

    (void)env;
    nan = b == b ? nan : sem_quiet_f64(b);
    return sum == sum ? sum : nan;
}

/* The product rounded toward zero, whatever the host's mode: the f64 product is exact, and its low 29 bits are cut. */
SEM float sem_product_cut_f32(float a, float b)
{
    double exact = (double)a * (double)b;

    return (float)sem_as_f64(sem_bits_f64(exact) & ~(uint64_t)0x1fffffff);
}

/* mad.f32 of sm_1x, which knew no subnormals: the product is cut to 24 bits, then added with rounding. */
SEM float sem_fmad_legacy_f32(float a, float b, float c, unsigned env)
{
    float product = sem_product_cut_f32(sem_flush_f32(a), sem_flush_f32(b));

    return sem_fadd_f32(product, c, env | FP_FTZ);
}

/* --- div, rcp, sqrt ---------------------------------------------------------------------------------------- */

SEM float sem_fdiv_f32(float a, float b, unsigned env)
{
    float x = sem_input_f32(a, env), y = sem_input_f32(b, env);
    float quotient = x / y;

    if (env & FP_FTZ) {
        quotient = sem_flush_scaled_f32(quotient, x * SEM_SCALE / y);
    }
    return sem_output_f32(quotient, env);
}

SEM float sem_frcp_f32(float a, unsigned env)
{
    return sem_fdiv_f32(1.0f, a, env);
}

SEM float sem_fsqrt_f32(float a, unsigned env)
{
    return sem_output_f32(__builtin_sqrtf(sem_input_f32(a, env)), env);
}

SEM double sem_fdiv_f64(double a, double b, unsigned env)
{
    (void)env;
    return sem_nan2_f64(a / b, a, b);
}

SEM double sem_frcp_f64(double a, unsigned env)
{
    (void)env;
    return sem_nan1_f64(1.0 / a, a);
}

SEM double sem_fsqrt_f64(double a, unsigned env)
{
    (void)env;
    return sem_nan1_f64(__builtin_sqrt(a), a);
}

/* --- sign, minimum, maximum -------------------------------------------------------------------------------- */

SEM float sem_fabs_f32(float a, unsigned env)
{
    return sem_canon_f32(__builtin_fabsf(sem_input_f32(a, env)));
}

SEM float sem_fneg_f32(float a, unsigned env)
{
    return sem_canon_f32(-sem_input_f32(a, env));
}

/* A NaN keeps its sign and becomes quiet. */
SEM double sem_fabs_f64(double a, unsigned env)
{
    (void)env;
    return a == a ? __builtin_fabs(a) : sem_quiet_f64(a);
}

SEM double sem_fneg_f64(double a, unsigned env)
{
    (void)env;
    return a == a ? -a : sem_quiet_f64(a);
}

/* The magnitude of b with the sign of a; bits pass, NaN or not. */
SEM float sem_copysign_f32(float a, float b, unsigned env)
{
    (void)env;
    return sem_as_f32((sem_bits_f32(a) & SEM_SIGN_F32) | (sem_bits_f32(b) & ~SEM_SIGN_F32));
}

SEM double sem_copysign_f64(double a, double b, unsigned env)
{
    (void)env;
    return sem_as_f64((sem_bits_f64(a) & SEM_SIGN_F64) | (sem_bits_f64(b) & ~SEM_SIGN_F64));
}

/*
 * Equal operands have equal bits but for zeros of either sign: OR of the bits (min) or AND (max) then picks -0 or
 * +0. One NaN: the other operand; with FP_PASS_NAN, NaN.
 */
#define SEM_MINMAX_F32(op, less, merge)                                                          \
    SEM float sem_##op##_plain_f32(float a, float b, unsigned env)                               \
    {                                                                                            \
        float zeros = sem_as_f32(sem_bits_f32(a) merge sem_bits_f32(b));                         \
        float result = a less b ? a : b;                                                         \
        result = a == b ? zeros : result;                                                        \
        result = b == b ? result : a;                                                            \
        result = (env & FP_PASS_NAN) && a != a ? a : result;                                     \
        result = (env & FP_PASS_NAN) && b != b ? b : result;                                     \
        return sem_canon_f32(result);                                                            \
    }                                                                                            \
    SEM float sem_##op##_f32(float a, float b, unsigned env)                                     \
    {                                                                                            \
        float x = sem_input_f32(a, env), y = sem_input_f32(b, env);                              \
        if (env & FP_XORSIGN) {                                                                  \
            uint32_t sign = (sem_bits_f32(a) ^ sem_bits_f32(b)) & SEM_SIGN_F32;                  \
            float magnitude = sem_##op##_plain_f32(__builtin_fabsf(x), __builtin_fabsf(y), env); \
            return sem_canon_f32(sem_as_f32(sem_bits_f32(magnitude) | sign));                    \
        }                                                                                        \
        return sem_##op##_plain_f32(x, y, env);                                                  \
    }                                                                                            \
    SEM float sem_##op##3_f32(float a, float b, float c, unsigned env)                           \
    {                                                                                            \
        float x = sem_input_f32(a, env), y = sem_input_f32(b, env), z = sem_input_f32(c, env);   \
        if (env & FP_ABS) {                                                                      \
            x = __builtin_fabsf(x), y = __builtin_fabsf(y), z = __builtin_fabsf(z);              \
        }                                                                                        \
        return sem_##op##_plain_f32(sem_##op##_plain_f32(x, y, env), z, env);                    \
    }                                                                                            \
    SEM double sem_##op##_f64(double a, double b, unsigned env)                                  \
    {                                                                                            \
        double zeros = sem_as_f64(sem_bits_f64(a) merge sem_bits_f64(b));                        \
        double result = a less b ? a : b;                                                        \
        (void)env;                                                                               \
        result = a == b ? zeros : result;                                                        \
        result = b == b ? result : a;                                                            \
        return sem_nan2_f64(result, b, a);                                                       \
    }
SEM_MINMAX_F32(fmin, <, |)
SEM_MINMAX_F32(fmax, >, &)

/* --- packed pairs of f32 ----------------------------------------------------------------------------------- */

SEM float sem_low_f32x2(uint64_t x)
{
    return sem_as_f32((uint32_t)x);
}

SEM float sem_high_f32x2(uint64_t x)
{
    return sem_as_f32((uint32_t)(x >> 32));
}

SEM uint64_t sem_pair_f32x2(float high, float low)
{
    return (uint64_t)sem_bits_f32(high) << 32 | sem_bits_f32(low);
}

#define SEM_F32X2(op)                                                                    \
    SEM uint64_t sem_##op##_f32x2(uint64_t a, uint64_t b, unsigned env)                  \
    {                                                                                    \
        return sem_pair_f32x2(sem_##op##_f32(sem_high_f32x2(a), sem_high_f32x2(b), env), \
                              sem_##op##_f32(sem_low_f32x2(a), sem_low_f32x2(b), env));  \
    }
SEM_F32X2(fadd)
SEM_F32X2(fsub)
SEM_F32X2(fmul)

SEM uint64_t sem_fma_f32x2(uint64_t a, uint64_t b, uint64_t c, unsigned env)
{
    return sem_pair_f32x2(sem_fma_f32(sem_high_f32x2(a), sem_high_f32x2(b), sem_high_f32x2(c), env),
                          sem_fma_f32(sem_low_f32x2(a), sem_low_f32x2(b), sem_low_f32x2(c), env));
}

#endif
