/*
 * Functions of doubles and floats that have one right answer: those PTX has instructions for, taking numbers apart and
 * putting them together, remainders.
 */
#ifndef PTXEMU_CUDA_DEVICE_MATH_BASIC_H
#define PTXEMU_CUDA_DEVICE_MATH_BASIC_H

#include "integers.h"
#include "words.h"

#define PTXEMU_INFINITY __builtin_inf()
#define PTXEMU_NAN      __builtin_nan("")

/* --- instructions --- */

#define PTXEMU_SAME1(name, type, builtin) \
    PTXEMU_DEVICE type name(type x)       \
    {                                     \
        return builtin(x);                \
    }
#define PTXEMU_SAME2(name, type, builtin)   \
    PTXEMU_DEVICE type name(type x, type y) \
    {                                       \
        return builtin(x, y);               \
    }
PTXEMU_SAME1(fabs, double, __builtin_fabs)
PTXEMU_SAME1(fabsf, float, __builtin_fabsf)
PTXEMU_SAME1(floor, double, __builtin_floor)
PTXEMU_SAME1(floorf, float, __builtin_floorf)
PTXEMU_SAME1(ceil, double, __builtin_ceil)
PTXEMU_SAME1(ceilf, float, __builtin_ceilf)
PTXEMU_SAME1(trunc, double, __builtin_trunc)
PTXEMU_SAME1(truncf, float, __builtin_truncf)
PTXEMU_SAME1(sqrt, double, __nvvm_sqrt_rn_d)
PTXEMU_SAME1(sqrtf, float, __nvvm_sqrt_rn_f)
PTXEMU_SAME2(fmin, double, __nvvm_fmin_d)
PTXEMU_SAME2(fminf, float, __nvvm_fmin_f)
PTXEMU_SAME2(fmax, double, __nvvm_fmax_d)
PTXEMU_SAME2(fmaxf, float, __nvvm_fmax_f)
#undef PTXEMU_SAME1
#undef PTXEMU_SAME2

PTXEMU_DEVICE double fma(double x, double y, double z)
{
    return __nvvm_fma_rn_d(x, y, z);
}

PTXEMU_DEVICE float fmaf(float x, float y, float z)
{
    return __nvvm_fma_rn_f(x, y, z);
}

PTXEMU_DEVICE double rint(double x)
{
    double result;

    asm("cvt.rni.f64.f64 %0, %1;" : "=d"(result) : "d"(x));
    return result;
}

PTXEMU_DEVICE float rintf(float x)
{
    float result;

    asm("cvt.rni.f32.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}

PTXEMU_DEVICE double copysign(double x, double y)
{
    unsigned long long sign = 1ull << 63;

    return __builtin_bit_cast(double, (__builtin_bit_cast(unsigned long long, x) & ~sign) |
                                          (__builtin_bit_cast(unsigned long long, y) & sign));
}

PTXEMU_DEVICE float copysignf(float x, float y)
{
    return __uint_as_float((__float_as_uint(x) & 0x7fffffff) | (__float_as_uint(y) & 0x80000000));
}

/* --- kinds of numbers --- */

PTXEMU_DEVICE bool ptxemu_isnan(double x)
{
    return x != x;
}

PTXEMU_DEVICE bool ptxemu_isfinite(double x)
{
    return fabs(x) < PTXEMU_INFINITY;
}

PTXEMU_DEVICE bool ptxemu_isinf(double x)
{
    return fabs(x) == PTXEMU_INFINITY;
}

PTXEMU_DEVICE bool ptxemu_signbit(double x)
{
    return __double_as_longlong(x) < 0;
}

PTXEMU_DEVICE bool ptxemu_is_integer(double x)
{
    return trunc(x) == x;
}

PTXEMU_DEVICE bool ptxemu_is_odd(double x)
{
    return ptxemu_is_integer(x) && !ptxemu_is_integer(x * 0.5);
}

/* There is one NaN: what the text says is not in it. */
PTXEMU_DEVICE double nan(const char *)
{
    return PTXEMU_NAN;
}

PTXEMU_DEVICE float nanf(const char *)
{
    return (float)PTXEMU_NAN;
}

/* --- rounding to integers --- */

PTXEMU_DEVICE double nearbyint(double x)
{
    return rint(x);
}

PTXEMU_DEVICE float nearbyintf(float x)
{
    return rintf(x);
}

/* Halfway cases go away from zero. */
PTXEMU_DEVICE double round(double x)
{
    double whole = trunc(x);

    return fabs(x - whole) >= 0.5 ? whole + copysign(1.0, x) : copysign(whole, x);
}

PTXEMU_DEVICE float roundf(float x)
{
    return (float)round((double)x);
}

#define PTXEMU_TO_INTEGER(name, type, float_type, rounded) \
    PTXEMU_DEVICE type name(float_type x)                  \
    {                                                      \
        return (type)rounded(x);                           \
    }
PTXEMU_TO_INTEGER(lrint, long, double, __double2ll_rn)
PTXEMU_TO_INTEGER(lrintf, long, float, __float2ll_rn)
PTXEMU_TO_INTEGER(llrint, long long, double, __double2ll_rn)
PTXEMU_TO_INTEGER(llrintf, long long, float, __float2ll_rn)
PTXEMU_TO_INTEGER(lround, long, double, round)
PTXEMU_TO_INTEGER(lroundf, long, float, roundf)
PTXEMU_TO_INTEGER(llround, long long, double, round)
PTXEMU_TO_INTEGER(llroundf, long long, float, roundf)
#undef PTXEMU_TO_INTEGER

/* --- exponents --- */

/* 2^n for exponents of normal numbers */
PTXEMU_DEVICE double ptxemu_power_of_two(int n)
{
    return __longlong_as_double((long long)(n + 1023) << 52);
}

/* x * 2^n in steps that are exact but for the last, so that it rounds once. */
PTXEMU_DEVICE double ldexp(double x, int n)
{
    int step;

    for (step = 0; step < 2 && n > 1023; step++) {
        x *= ptxemu_power_of_two(1023);
        n -= 1023;
    }
    for (step = 0; step < 2 && n < -1022; step++) {
        x *= ptxemu_power_of_two(-1022 + 53); /* 53 bits stay in the range of normal numbers */
        n += 1022 - 53;
    }
    return x * ptxemu_power_of_two(n > 1023 ? 1023 : n < -1022 ? -1022 : n);
}

/* The exponent of a finite x that is not 0, such that 1 <= |x| / 2^result < 2. */
PTXEMU_DEVICE int ptxemu_exponent(double x)
{
    int biased = (int)(__double_as_longlong(x) >> 52) & 0x7ff;

    return biased != 0 ? biased - 1023 : ((int)(__double_as_longlong(x * 0x1p54) >> 52) & 0x7ff) - 1023 - 54;
}

/* x = result * 2^exponent with 0.5 <= |result| < 1 */
PTXEMU_DEVICE double frexp(double x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || !ptxemu_isfinite(x)) {
        return x;
    }
    *exponent = ptxemu_exponent(x) + 1;
    return ldexp(x, -*exponent);
}

PTXEMU_DEVICE double modf(double x, double *whole)
{
    *whole = trunc(x);
    return copysign(ptxemu_isinf(x) ? 0.0 : x - *whole, x);
}

PTXEMU_DEVICE int ilogb(double x)
{
    if (x == 0 || ptxemu_isnan(x)) {
        return -2147483647 - 1;
    }
    return ptxemu_isinf(x) ? 2147483647 : ptxemu_exponent(x);
}

PTXEMU_DEVICE double logb(double x)
{
    if (x == 0) {
        return -PTXEMU_INFINITY;
    }
    return ptxemu_isfinite(x) ? (double)ptxemu_exponent(x) : x * x;
}

PTXEMU_DEVICE double scalbn(double x, int n)
{
    return ldexp(x, n);
}

PTXEMU_DEVICE double scalbln(double x, long n)
{
    return ldexp(x, n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n);
}

/* --- neighbours and differences --- */

PTXEMU_DEVICE double nextafter(double x, double y)
{
    long long bits = __double_as_longlong(x);

    if (ptxemu_isnan(x) || ptxemu_isnan(y)) {
        return x + y;
    }
    if (x == y) {
        return y;
    }
    if (x == 0) {
        return copysign(__longlong_as_double(1), y);
    }
    return __longlong_as_double((x < y) == (x > 0) ? bits + 1 : bits - 1);
}

PTXEMU_DEVICE float nextafterf(float x, float y)
{
    int bits = __float_as_int(x);

    if (x != x || y != y) {
        return x + y;
    }
    if (x == y) {
        return y;
    }
    if (x == 0) {
        return copysignf(__int_as_float(1), y);
    }
    return __int_as_float((x < y) == (x > 0) ? bits + 1 : bits - 1);
}

PTXEMU_DEVICE double fdim(double x, double y)
{
    return ptxemu_isnan(x) || ptxemu_isnan(y) ? x + y : x > y ? x - y : 0.0;
}

/* --- remainders, exact by long division --- */

/* |x| modulo |y|, both finite and y not 0; the low bits of the quotient to *quotient */
PTXEMU_DEVICE_CALL double ptxemu_remainder(double x, double y, unsigned int *quotient)
{
    double rest = fabs(x);
    double divisor = fabs(y);
    int distance;

    *quotient = 0;
    if (rest < divisor) {
        return rest;
    }
    for (distance = ptxemu_exponent(rest) - ptxemu_exponent(divisor); distance >= 0; distance--) {
        double step = ldexp(divisor, distance);

        *quotient <<= 1;
        if (rest >= step) {
            rest -= step;
            *quotient |= 1;
        }
    }
    return rest;
}

PTXEMU_DEVICE double fmod(double x, double y)
{
    unsigned int quotient;

    if (!ptxemu_isfinite(x) || ptxemu_isnan(y) || y == 0) {
        return PTXEMU_NAN;
    }
    return ptxemu_isinf(y) ? x : copysign(ptxemu_remainder(x, y, &quotient), x);
}

/* The quotient is rounded to nearest even; its low bits with its sign go to *quo. */
PTXEMU_DEVICE double remquo(double x, double y, int *quo)
{
    unsigned int quotient;
    double rest;
    double divisor = fabs(y);

    *quo = 0;
    if (!ptxemu_isfinite(x) || ptxemu_isnan(y) || y == 0) {
        return PTXEMU_NAN;
    }
    if (ptxemu_isinf(y)) {
        return x;
    }
    rest = ptxemu_remainder(x, y, &quotient);
    if (rest > divisor - rest || (rest == divisor - rest && (quotient & 1) != 0)) {
        rest -= divisor;
        quotient++;
    }
    *quo = ptxemu_signbit(x) != ptxemu_signbit(y) ? -(int)(quotient & 0x7) : (int)(quotient & 0x7);
    return ptxemu_signbit(x) ? -rest : rest;
}

PTXEMU_DEVICE double remainder(double x, double y)
{
    int quotient;

    return remquo(x, y, &quotient);
}

#endif
