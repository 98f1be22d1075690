/*
 * Conversions between floating-point formats: f64 and f32 to narrower ones in every rounding mode, and back.
 *
 * All rounding here is integer arithmetic on the bits: independent of the host's rounding mode, without branches.
 * Widening is exact.  Meanings of half arithmetic (sem_half.h) and of cvt (sem_cvt.h) are built from these.
 *
 * A narrow format is given by its mantissa bits and its exponent bias.  Its `code` is the magnitude, exponent and
 * mantissa together: consecutive codes are consecutive values, so a carry out of the mantissa just works.
 */
#ifndef EMU_SEM_NARROW_H
#define EMU_SEM_NARROW_H

#include "sem_float.h"

#define SEM_NAN_HALF 0x7fff /* of f16 and bf16 */
#define SEM_MAX_F16  0x7bff
#define SEM_INF_F16  0x7c00
#define SEM_MAX_BF16 0x7f7f
#define SEM_INF_BF16 0x7f80

/* Does the mode take an inexact magnitude away from zero, up to infinity on overflow? */
SEM bool sem_rounds_away(bool negative, unsigned mode)
{
    return mode == SEM_RN || mode == SEM_RNA || (mode == SEM_RP && !negative) || (mode == SEM_RM && negative);
}

/*
 * sem_shift_round<n>: m / 2^s, rounded; 1 <= s < n.
 *
 * sem_code<n>: the code nearest to the n-bit float `bits` in the format (mantissa, bias).  Infinity and NaN come out as
 * some code beyond the largest finite one.  Shift amounts have the width of what they shift, or loops would not
 * vectorise.
 *
 *   source   s eeeeeeee mmmm mmmm|mmmm      normal target: cut at | ; subnormal target: cut further left by its
 *                      kept     |rounded    distance from the smallest normal exponent
 */
#define SEM_NARROW(n, src_mantissa, src_bias)                                                      \
    SEM uint##n##_t sem_shift_round##n(uint##n##_t m, uint##n##_t s, bool negative, unsigned mode) \
    {                                                                                              \
        const uint##n##_t half = (uint##n##_t)1 << (n - 1);                                        \
        uint##n##_t whole = m >> s, rest = m << (n - s);                                           \
        switch (mode) {                                                                            \
        case SEM_RN:                                                                               \
            return whole + ((rest | (whole & 1)) > half); /* the lowest bit of rest is 0 */        \
        case SEM_RNA:                                                                              \
            return whole + (rest >> (n - 1));                                                      \
        case SEM_RZ:                                                                               \
            return whole;                                                                          \
        case SEM_RO:                                                                               \
            return whole | (rest != 0);                                                            \
        default:                                                                                   \
            return whole + (sem_rounds_away(negative, mode) & (rest != 0));                        \
        }                                                                                          \
    }                                                                                              \
    SEM uint##n##_t sem_code##n(uint##n##_t bits, int mantissa, int bias, unsigned mode)           \
    {                                                                                              \
        const uint##n##_t implicit = (uint##n##_t)1 << (src_mantissa);                             \
        int##n##_t field = (int##n##_t)(bits >> (src_mantissa) & (2 * (src_bias) + 1));            \
        uint##n##_t m = (bits & (implicit - 1)) | (field == 0 ? 0 : implicit);                     \
        int##n##_t exponent = (field == 0 ? 1 : field) - (src_bias) + bias;                        \
        int##n##_t below = exponent < 1 ? 1 - exponent : 0;                                        \
        int##n##_t cut = (src_mantissa)-mantissa + below;                                          \
        /* beyond mantissa + 3 only "less than half a unit" is left to know */                     \
        cut = cut > (src_mantissa) + 3 ? (src_mantissa) + 3 : cut;                                 \
        uint##n##_t kept = sem_shift_round##n(m, (uint##n##_t)cut, bits >> (n - 1), mode);         \
        return ((uint##n##_t)(exponent < 1 ? 0 : exponent - 1) << mantissa) + kept;                \
    }
SEM_NARROW(32, 23, 127)
SEM_NARROW(64, 52, 1023)

/* The code of a finite result: overflow gives infinity (or stays, if the mode rounds toward zero or satfinite is asked
 * for). */
SEM uint32_t sem_limit_code(uint32_t code, uint32_t largest, bool to_infinity)
{
    return code > largest ? largest + to_infinity : code;
}

/* --- f16 and bf16 from f32 and f64 ------------------------------------------------------------------------- */

/* sem_code32 for a format: bf16's is the upper half of the f32 code, subnormal or not. */
SEM uint32_t sem_code_f16(uint32_t bits, unsigned mode)
{
    return sem_code32(bits, 10, 15, mode);
}

SEM uint32_t sem_code_bf16(uint32_t bits, unsigned mode)
{
    return sem_shift_round32(bits & ~SEM_SIGN_F32, 16, bits >> 31, mode);
}

/* f32 NaNs lose everything, f64 NaNs keep their sign and upper payload bits; both become quiet. */
#define SEM_TO_HALF(t, mantissa, bias, largest, quiet)                                               \
    SEM uint16_t sem_f32_to_##t##_round(float x, unsigned mode, unsigned env)                        \
    {                                                                                                \
        uint32_t bits = sem_bits_f32(x), magnitude = bits & ~SEM_SIGN_F32;                           \
        bool infinite = sem_rounds_away(bits >> 31, mode) || magnitude == SEM_INF_F32;               \
        uint32_t code = sem_code_##t(bits, mode);                                                    \
        code = sem_limit_code(code, largest, infinite && !(env & FP_SATFINITE));                     \
        code |= bits >> 16 & 0x8000;                                                                 \
        return (uint16_t)(magnitude > SEM_INF_F32 ? SEM_NAN_HALF : code);                            \
    }                                                                                                \
    SEM uint16_t sem_f64_to_##t##_round(double x, unsigned mode, unsigned env)                       \
    {                                                                                                \
        uint64_t bits = sem_bits_f64(x), magnitude = bits & ~SEM_SIGN_F64;                           \
        bool infinite = sem_rounds_away(bits >> 63, mode) || magnitude == SEM_INF_F64;               \
        uint32_t code = (uint32_t)sem_code64(bits, mantissa, bias, mode);                            \
        uint32_t payload = (uint32_t)(magnitude >> (52 - (mantissa))) & ((largest) >> 1 & 0x3ff);    \
        code = sem_limit_code(code, largest, infinite && !(env & FP_SATFINITE));                     \
        code = magnitude > SEM_INF_F64 ? ((largest) + 1) | (quiet) | (payload & ((quiet)-1)) : code; \
        return (uint16_t)(code | (uint32_t)(bits >> 48 & 0x8000));                                   \
    }                                                                                                \
    SEM uint16_t sem_f32_to_##t(float x)                                                             \
    {                                                                                                \
        return sem_f32_to_##t##_round(x, SEM_RN, 0);                                                 \
    }
SEM_TO_HALF(f16, 10, 15, SEM_MAX_F16, 0x0200)
SEM_TO_HALF(bf16, 7, 127, SEM_MAX_BF16, 0x0040)

/* --- f32 from narrow formats ------------------------------------------------------------------------------- */

/* NaN payloads stay. */
SEM float sem_bf16_to_f32(uint16_t h)
{
    return sem_as_f32((uint32_t)h << 16);
}

/*
 * NaN payloads stay (callers make them canonical where the GPU does).  Subnormals: with the exponent of 2^-14 put
 * in, the value is 2^-14 too large, which a subtraction repairs without subnormal operands, slow on many hosts.
 * Its zero may come out negative (rounding down), hence the sign is set last.
 */
SEM float sem_f16_to_f32(uint16_t h)
{
    const uint32_t smallest_normal = 113u << 23, infinity = 0x7c00u << 13;
    uint32_t magnitude = (uint32_t)(h & 0x7fff) << 13;
    uint32_t shifted = magnitude + (112u << 23);
    uint32_t small =
        sem_bits_f32(sem_as_f32(magnitude + smallest_normal) - sem_as_f32(smallest_normal)) & ~SEM_SIGN_F32;

    shifted = magnitude >= infinity ? shifted + (112u << 23) : shifted;
    shifted = magnitude < 1u << 23 ? small : shifted;
    return sem_as_f32(shifted | (uint32_t)(h & 0x8000) << 16);
}

SEM uint16_t sem_input_f16(uint16_t h, unsigned env)
{
    return (env & FP_FTZ) && (h & 0x7c00) == 0 ? h & 0x8000 : h;
}

/* The value of a code without infinity or NaN: a subnormal f32 times a power of two does for subnormals too. */
SEM float sem_code_to_f32(uint32_t code, int mantissa, int bias)
{
    return sem_as_f32(code << (23 - mantissa)) * sem_as_f32((uint32_t)(254 - bias) << 23);
}

/* --- modifiers of results ---------------------------------------------------------------------------------- */

SEM double sem_saturate_f64(double x)
{
    double low = x > 0.0 ? x : 0.0;

    return low < 1.0 ? low : 1.0;
}

/* .sat and .relu before a rounding give what they give after it: 0 and 1 are exact in every format. */
SEM float sem_adjust_f32(float x, unsigned env)
{
    float positive = x <= 0.0f ? 0.0f : x;

    x = env & FP_RELU ? positive : x;
    return env & FP_SAT ? sem_saturate_f32(x) : x;
}

SEM double sem_adjust_f64(double x, unsigned env)
{
    double positive = x <= 0.0 ? 0.0 : x;

    x = env & FP_RELU ? positive : x;
    return env & FP_SAT ? sem_saturate_f64(x) : x;
}

#endif
