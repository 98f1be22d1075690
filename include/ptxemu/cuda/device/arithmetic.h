/*
 * Floating-point operations that say how to round, and the hardware's approximations (__sinf and the like), whose
 * errors are those of the PTX instruction behind them.
 */
#ifndef PTXEMU_CUDA_DEVICE_ARITHMETIC_H
#define PTXEMU_CUDA_DEVICE_ARITHMETIC_H

#include "words.h"

#define PTXEMU_UNARY(name, operation, type, reg)              \
    PTXEMU_DEVICE type name(type x)                           \
    {                                                         \
        type result;                                          \
                                                              \
        asm(operation " %0, %1;" : "=" reg(result) : reg(x)); \
        return result;                                        \
    }
#define PTXEMU_BINARY(name, operation, type, reg)                         \
    PTXEMU_DEVICE type name(type x, type y)                               \
    {                                                                     \
        type result;                                                      \
                                                                          \
        asm(operation " %0, %1, %2;" : "=" reg(result) : reg(x), reg(y)); \
        return result;                                                    \
    }
#define PTXEMU_TERNARY(name, operation, type, reg)                                    \
    PTXEMU_DEVICE type name(type x, type y, type z)                                   \
    {                                                                                 \
        type result;                                                                  \
                                                                                      \
        asm(operation " %0, %1, %2, %3;" : "=" reg(result) : reg(x), reg(y), reg(z)); \
        return result;                                                                \
    }

/* All operations in one rounding mode: f32 and f64. */
#define PTXEMU_ROUNDED(suffix, mode)                                \
    PTXEMU_BINARY(__fadd_##suffix, "add." mode ".f32", float, "f")  \
    PTXEMU_BINARY(__fsub_##suffix, "sub." mode ".f32", float, "f")  \
    PTXEMU_BINARY(__fmul_##suffix, "mul." mode ".f32", float, "f")  \
    PTXEMU_BINARY(__fdiv_##suffix, "div." mode ".f32", float, "f")  \
    PTXEMU_TERNARY(__fmaf_##suffix, "fma." mode ".f32", float, "f") \
    PTXEMU_UNARY(__frcp_##suffix, "rcp." mode ".f32", float, "f")   \
    PTXEMU_UNARY(__fsqrt_##suffix, "sqrt." mode ".f32", float, "f") \
    PTXEMU_BINARY(__dadd_##suffix, "add." mode ".f64", double, "d") \
    PTXEMU_BINARY(__dsub_##suffix, "sub." mode ".f64", double, "d") \
    PTXEMU_BINARY(__dmul_##suffix, "mul." mode ".f64", double, "d") \
    PTXEMU_BINARY(__ddiv_##suffix, "div." mode ".f64", double, "d") \
    PTXEMU_TERNARY(__fma_##suffix, "fma." mode ".f64", double, "d") \
    PTXEMU_UNARY(__drcp_##suffix, "rcp." mode ".f64", double, "d")  \
    PTXEMU_UNARY(__dsqrt_##suffix, "sqrt." mode ".f64", double, "d")
PTXEMU_ROUNDED(rn, "rn")
PTXEMU_ROUNDED(rz, "rz")
PTXEMU_ROUNDED(ru, "rp")
PTXEMU_ROUNDED(rd, "rm")
#undef PTXEMU_ROUNDED

/* --- approximations --- */

PTXEMU_UNARY(__sinf, "sin.approx.f32", float, "f")
PTXEMU_UNARY(__cosf, "cos.approx.f32", float, "f")
PTXEMU_UNARY(__log2f, "lg2.approx.f32", float, "f")
PTXEMU_UNARY(ptxemu_ex2, "ex2.approx.f32", float, "f")
PTXEMU_BINARY(__fdividef, "div.approx.f32", float, "f")

PTXEMU_DEVICE float __tanf(float x)
{
    return __fdividef(__sinf(x), __cosf(x));
}

PTXEMU_DEVICE void __sincosf(float x, float *sine, float *cosine)
{
    *sine = __sinf(x);
    *cosine = __cosf(x);
}

PTXEMU_DEVICE float __expf(float x)
{
    return ptxemu_ex2(x * 1.4426950408889634f); /* log2(e) */
}

PTXEMU_DEVICE float __exp10f(float x)
{
    return ptxemu_ex2(x * 3.3219280948873623f); /* log2(10) */
}

PTXEMU_DEVICE float __logf(float x)
{
    return __log2f(x) * 0.6931471805599453f; /* ln(2) */
}

PTXEMU_DEVICE float __log10f(float x)
{
    return __log2f(x) * 0.3010299956639812f; /* log10(2) */
}

PTXEMU_DEVICE float __powf(float x, float y)
{
    return ptxemu_ex2(y * __log2f(x));
}

/* Between 0 and 1; NaN becomes 0. */
PTXEMU_UNARY(__saturatef, "cvt.sat.f32.f32", float, "f")

#undef PTXEMU_TERNARY
#undef PTXEMU_BINARY
#undef PTXEMU_UNARY

#endif
