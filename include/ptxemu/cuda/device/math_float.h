/*
 * Functions of floats. Nearly all are those of doubles, rounded: what doubles are off in their last places is gone
 * then, so that the results are nearly always the correctly rounded ones.
 */
#ifndef PTXEMU_CUDA_DEVICE_MATH_FLOAT_H
#define PTXEMU_CUDA_DEVICE_MATH_FLOAT_H

#include "math_basic.h"
#include "math_erf.h"
#include "math_exp.h"
#include "math_trig.h"

#define PTXEMU_FLOAT1(name)              \
    PTXEMU_DEVICE float name##f(float x) \
    {                                    \
        return (float)name((double)x);   \
    }
#define PTXEMU_FLOAT2(name)                       \
    PTXEMU_DEVICE float name##f(float x, float y) \
    {                                             \
        return (float)name((double)x, (double)y); \
    }
PTXEMU_FLOAT1(sin)
PTXEMU_FLOAT1(cos)
PTXEMU_FLOAT1(tan)
PTXEMU_FLOAT1(asin)
PTXEMU_FLOAT1(acos)
PTXEMU_FLOAT1(atan)
PTXEMU_FLOAT1(sinh)
PTXEMU_FLOAT1(cosh)
PTXEMU_FLOAT1(tanh)
PTXEMU_FLOAT1(asinh)
PTXEMU_FLOAT1(acosh)
PTXEMU_FLOAT1(atanh)
PTXEMU_FLOAT1(exp)
PTXEMU_FLOAT1(exp2)
PTXEMU_FLOAT1(exp10)
PTXEMU_FLOAT1(expm1)
PTXEMU_FLOAT1(log)
PTXEMU_FLOAT1(log2)
PTXEMU_FLOAT1(log10)
PTXEMU_FLOAT1(log1p)
PTXEMU_FLOAT1(cbrt)
PTXEMU_FLOAT1(rcbrt)
PTXEMU_FLOAT1(sinpi)
PTXEMU_FLOAT1(cospi)
PTXEMU_FLOAT1(erf)
PTXEMU_FLOAT1(erfc)
PTXEMU_FLOAT1(normcdf)
PTXEMU_FLOAT1(logb)
PTXEMU_FLOAT2(pow)
PTXEMU_FLOAT2(atan2)
PTXEMU_FLOAT2(fmod)
PTXEMU_FLOAT2(remainder)
PTXEMU_FLOAT2(hypot)
PTXEMU_FLOAT2(rhypot)
PTXEMU_FLOAT2(fdim)
#undef PTXEMU_FLOAT1
#undef PTXEMU_FLOAT2

/* The hardware's approximation, within two units of the last place */
PTXEMU_DEVICE float rsqrtf(float x)
{
    return __nvvm_rsqrt_approx_f(x);
}

PTXEMU_DEVICE float __frsqrt_rn(float x)
{
    return (float)rsqrt((double)x);
}

PTXEMU_DEVICE void sincosf(float x, float *sine, float *cosine)
{
    *sine = sinf(x);
    *cosine = cosf(x);
}

PTXEMU_DEVICE void sincospif(float x, float *sine, float *cosine)
{
    *sine = sinpif(x);
    *cosine = cospif(x);
}

PTXEMU_DEVICE float fdividef(float x, float y)
{
    return x / y;
}

/* A float times a power of two is a double, hence rounded once. */
PTXEMU_DEVICE float ldexpf(float x, int n)
{
    return (float)ldexp((double)x, n);
}

PTXEMU_DEVICE float scalbnf(float x, int n)
{
    return ldexpf(x, n);
}

PTXEMU_DEVICE float scalblnf(float x, long n)
{
    return (float)scalbln((double)x, n);
}

PTXEMU_DEVICE float frexpf(float x, int *exponent)
{
    return (float)frexp((double)x, exponent);
}

PTXEMU_DEVICE float modff(float x, float *whole)
{
    double w;
    double rest = modf((double)x, &w);

    *whole = (float)w;
    return (float)rest;
}

PTXEMU_DEVICE int ilogbf(float x)
{
    return ilogb((double)x);
}

PTXEMU_DEVICE float remquof(float x, float y, int *quo)
{
    return (float)remquo((double)x, (double)y, quo);
}

#endif
