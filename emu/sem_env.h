/*
 * The ground that all meanings (sem_*.h) stand on: the C type behind each PTX type word, bit casts, and the
 * enumerations that say how an instruction's modifiers change the arithmetic.
 *
 * Invariant of every sem_ function: pure and scalar.  No memory, no globals, no errno, no libm; loops over 32 lanes
 * vectorise after inlining.  The enumerations are nearly always compile-time constants there, so tests on them cost
 * nothing.
 *
 * Compile users with -ffp-contract=off -fno-math-errno -fno-trapping-math: the first is needed for correct results,
 * the others let square roots and selections become vector instructions.
 */
#ifndef EMU_SEM_ENV_H
#define EMU_SEM_ENV_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* always_inline: a meaning is part of the handler's loop body, and its enumerations must fold. */
#define SEM static inline __attribute__((always_inline))

/* Modifiers of floating-point operations, a bit set. */
enum sem_env {
    FP_FTZ = 1,       /* .ftz: subnormal inputs and results become zero of the same sign */
    FP_SAT = 2,       /* .sat: clamp to [+0, 1], NaN becomes +0; integer destinations: clamp to the type's range */
    FP_PASS_NAN = 4,  /* .NaN: min and max return NaN if any input is NaN (FP_NAN is a name of <math.h>) */
    FP_XORSIGN = 8,   /* .xorsign.abs: min and max of magnitudes, sign is the exclusive or of the signs */
    FP_RELU = 16,     /* .relu: negative results become +0, NaN stays */
    FP_ABS = 32,      /* .abs: three-input min and max of magnitudes */
    FP_SATFINITE = 64 /* .satfinite: overflow and infinity become the largest finite value */
};

/* Rounding of a conversion or of a half-precision result. */
enum sem_round {
    SEM_RN,  /* to nearest, ties to even */
    SEM_RZ,  /* toward zero */
    SEM_RM,  /* toward minus infinity */
    SEM_RP,  /* toward plus infinity */
    SEM_RNA, /* to nearest, ties away from zero */
    SEM_RO   /* to odd: inexact results get a lowest bit of one, so that a second, narrower rounding is exact */
};

/* Comparisons of setp and set. */
enum sem_cmp {
    CMP_EQ,
    CMP_NE,
    CMP_LT,
    CMP_LE,
    CMP_GT,
    CMP_GE,
    CMP_LO, /* lo, ls, hi, hs: unsigned less, less or equal, greater, greater or equal */
    CMP_LS,
    CMP_HI,
    CMP_HS,
    CMP_EQU, /* the ...u forms are also true when an operand is NaN */
    CMP_NEU,
    CMP_LTU,
    CMP_LEU,
    CMP_GTU,
    CMP_GEU,
    CMP_NUM, /* neither operand is NaN */
    CMP_NAN_ /* some operand is NaN */
};

/* Classes of testp. */
enum sem_class { CLASS_FINITE, CLASS_INFINITE, CLASS_NUMBER, CLASS_NOTANUMBER, CLASS_NORMAL, CLASS_SUBNORMAL };

/* sem_t_<word>: a value of the PTX type. */
typedef uint8_t sem_t_u8;
typedef uint16_t sem_t_u16;
typedef uint32_t sem_t_u32;
typedef uint64_t sem_t_u64;
typedef int8_t sem_t_s8;
typedef int16_t sem_t_s16;
typedef int32_t sem_t_s32;
typedef int64_t sem_t_s64;
typedef uint8_t sem_t_b8;
typedef uint16_t sem_t_b16;
typedef uint32_t sem_t_b32;
typedef uint64_t sem_t_b64;
typedef uint16_t sem_t_f16;
typedef uint16_t sem_t_bf16;
typedef float sem_t_f32;
typedef double sem_t_f64;
typedef uint32_t sem_t_u16x2;
typedef uint32_t sem_t_s16x2;
typedef uint32_t sem_t_f16x2;
typedef uint32_t sem_t_bf16x2;
typedef uint64_t sem_t_f32x2;

/* sem_m_<word>: the unsigned type to compute in, modulo its size; never promoted to int, so nothing overflows. */
typedef uint32_t sem_m_u8;
typedef uint32_t sem_m_s8;
typedef uint32_t sem_m_u16;
typedef uint32_t sem_m_s16;
typedef uint32_t sem_m_u32;
typedef uint32_t sem_m_s32;
typedef uint64_t sem_m_u64;
typedef uint64_t sem_m_s64;

/* sem_w_<word>: holds any product of two values. */
typedef uint32_t sem_w_u16;
typedef int32_t sem_w_s16;
typedef uint64_t sem_w_u32;
typedef int64_t sem_w_s32;
typedef unsigned __int128 sem_w_u64;
typedef __int128 sem_w_s64;

/* The bits of a float. */
typedef uint32_t sem_bits_t_f32;
typedef uint64_t sem_bits_t_f64;

SEM uint32_t sem_bits_f32(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

SEM float sem_as_f32(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

SEM uint64_t sem_bits_f64(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

SEM double sem_as_f64(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/*
 * `yes` if the condition holds, else `no`, both of the unsigned type T.  Unlike a conditional expression, it keeps
 * gcc from moving the computation of `no` into a branch, or merging conditions into branches: such a loop would not
 * vectorise.
 */
#define SEM_PICK(T, condition, yes, no) ((T)((no) ^ (((yes) ^ (no)) & (T)(0 - (T)(condition)))))

/*
 * Packed forms: SEM_X2(op, packed, half) makes sem_<op>_<packed> from the scalar sem_<op>_<half>, both halves
 * independently. The number is the number of operands; the _F forms pass `env` on.
 */
#define SEM_LOW(x)          ((uint16_t)((x)&0xffff))
#define SEM_HIGH(x)         ((uint16_t)((x) >> 16))
#define SEM_PAIR(high, low) ((uint32_t)(uint16_t)(high) << 16 | (uint16_t)(low))

#define SEM_X2_1(op, packed, half)                                                                                  \
    SEM uint32_t sem_##op##_##packed(uint32_t a)                                                                    \
    {                                                                                                               \
        return SEM_PAIR(sem_##op##_##half((sem_t_##half)SEM_HIGH(a)), sem_##op##_##half((sem_t_##half)SEM_LOW(a))); \
    }
#define SEM_X2_2(op, packed, half)                                                               \
    SEM uint32_t sem_##op##_##packed(uint32_t a, uint32_t b)                                     \
    {                                                                                            \
        return SEM_PAIR(sem_##op##_##half((sem_t_##half)SEM_HIGH(a), (sem_t_##half)SEM_HIGH(b)), \
                        sem_##op##_##half((sem_t_##half)SEM_LOW(a), (sem_t_##half)SEM_LOW(b)));  \
    }
#define SEM_X2F_1(op, packed, half)                                                               \
    SEM uint32_t sem_##op##_##packed(uint32_t a, unsigned env)                                    \
    {                                                                                             \
        return SEM_PAIR(sem_##op##_##half(SEM_HIGH(a), env), sem_##op##_##half(SEM_LOW(a), env)); \
    }
#define SEM_X2F_2(op, packed, half)                                        \
    SEM uint32_t sem_##op##_##packed(uint32_t a, uint32_t b, unsigned env) \
    {                                                                      \
        return SEM_PAIR(sem_##op##_##half(SEM_HIGH(a), SEM_HIGH(b), env),  \
                        sem_##op##_##half(SEM_LOW(a), SEM_LOW(b), env));   \
    }
#define SEM_X2F_3(op, packed, half)                                                    \
    SEM uint32_t sem_##op##_##packed(uint32_t a, uint32_t b, uint32_t c, unsigned env) \
    {                                                                                  \
        return SEM_PAIR(sem_##op##_##half(SEM_HIGH(a), SEM_HIGH(b), SEM_HIGH(c), env), \
                        sem_##op##_##half(SEM_LOW(a), SEM_LOW(b), SEM_LOW(c), env));   \
    }

#endif
