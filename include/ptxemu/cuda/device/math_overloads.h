/*
 * One name for each function: of floats and doubles, and of integers, which become doubles; in the global namespace and
 * in std. Beside each stands the host's function of the same name and parameters: a call means the one for its side.
 */
#ifndef PTXEMU_CUDA_DEVICE_MATH_OVERLOADS_H
#define PTXEMU_CUDA_DEVICE_MATH_OVERLOADS_H

#include "math_float.h"

template <bool condition, class T> struct ptxemu_if {
};
template <class T> struct ptxemu_if<true, T> {
    typedef T type;
};
template <class T> struct ptxemu_number {
    static constexpr bool is_integer = __is_integral(T);
    static constexpr bool is = is_integer || __is_floating_point(T);
};
/* Two arithmetic types of which one is an integer, or that differ */
template <class T, class U> struct ptxemu_mixed {
    static constexpr bool are =
        ptxemu_number<T>::is && ptxemu_number<U>::is && (ptxemu_number<T>::is_integer || !__is_same(T, U));
};
#define PTXEMU_INTEGER(T, result) typename ptxemu_if<ptxemu_number<T>::is_integer, result>::type
#define PTXEMU_MIXED(T, U)        typename ptxemu_if<ptxemu_mixed<T, U>::are, double>::type

#define PTXEMU_OVERLOAD1(name, result, float_result)                     \
    PTXEMU_DEVICE float_result name(float x)                             \
    {                                                                    \
        return name##f(x);                                               \
    }                                                                    \
    template <class T> PTXEMU_DEVICE PTXEMU_INTEGER(T, result) name(T x) \
    {                                                                    \
        return name((double)x);                                          \
    }
#define PTXEMU_OVERLOAD2(name)                                                  \
    PTXEMU_DEVICE float name(float x, float y)                                  \
    {                                                                           \
        return name##f(x, y);                                                   \
    }                                                                           \
    template <class T, class U> PTXEMU_DEVICE PTXEMU_MIXED(T, U) name(T x, U y) \
    {                                                                           \
        return name((double)x, (double)y);                                      \
    }
PTXEMU_OVERLOAD1(fabs, double, float)
PTXEMU_OVERLOAD1(floor, double, float)
PTXEMU_OVERLOAD1(ceil, double, float)
PTXEMU_OVERLOAD1(trunc, double, float)
PTXEMU_OVERLOAD1(sqrt, double, float)
PTXEMU_OVERLOAD1(rint, double, float)
PTXEMU_OVERLOAD1(nearbyint, double, float)
PTXEMU_OVERLOAD1(round, double, float)
PTXEMU_OVERLOAD1(sin, double, float)
PTXEMU_OVERLOAD1(cos, double, float)
PTXEMU_OVERLOAD1(tan, double, float)
PTXEMU_OVERLOAD1(asin, double, float)
PTXEMU_OVERLOAD1(acos, double, float)
PTXEMU_OVERLOAD1(atan, double, float)
PTXEMU_OVERLOAD1(sinh, double, float)
PTXEMU_OVERLOAD1(cosh, double, float)
PTXEMU_OVERLOAD1(tanh, double, float)
PTXEMU_OVERLOAD1(asinh, double, float)
PTXEMU_OVERLOAD1(acosh, double, float)
PTXEMU_OVERLOAD1(atanh, double, float)
PTXEMU_OVERLOAD1(exp, double, float)
PTXEMU_OVERLOAD1(exp2, double, float)
PTXEMU_OVERLOAD1(expm1, double, float)
PTXEMU_OVERLOAD1(log, double, float)
PTXEMU_OVERLOAD1(log2, double, float)
PTXEMU_OVERLOAD1(log10, double, float)
PTXEMU_OVERLOAD1(log1p, double, float)
PTXEMU_OVERLOAD1(cbrt, double, float)
PTXEMU_OVERLOAD1(erf, double, float)
PTXEMU_OVERLOAD1(erfc, double, float)
PTXEMU_OVERLOAD1(logb, double, float)
PTXEMU_OVERLOAD1(rsqrt, double, float)
PTXEMU_OVERLOAD1(rcbrt, double, float)
PTXEMU_OVERLOAD1(exp10, double, float)
PTXEMU_OVERLOAD1(sinpi, double, float)
PTXEMU_OVERLOAD1(cospi, double, float)
PTXEMU_OVERLOAD1(normcdf, double, float)
PTXEMU_OVERLOAD1(lrint, long, long)
PTXEMU_OVERLOAD1(llrint, long long, long long)
PTXEMU_OVERLOAD1(lround, long, long)
PTXEMU_OVERLOAD1(llround, long long, long long)
PTXEMU_OVERLOAD1(ilogb, int, int)
PTXEMU_OVERLOAD2(fmin)
PTXEMU_OVERLOAD2(fmax)
PTXEMU_OVERLOAD2(copysign)
PTXEMU_OVERLOAD2(pow)
PTXEMU_OVERLOAD2(atan2)
PTXEMU_OVERLOAD2(fmod)
PTXEMU_OVERLOAD2(remainder)
PTXEMU_OVERLOAD2(hypot)
PTXEMU_OVERLOAD2(fdim)
PTXEMU_OVERLOAD2(nextafter)
#undef PTXEMU_OVERLOAD1
#undef PTXEMU_OVERLOAD2
#undef PTXEMU_MIXED
#undef PTXEMU_INTEGER

PTXEMU_DEVICE float fma(float x, float y, float z)
{
    return fmaf(x, y, z);
}

PTXEMU_DEVICE float ldexp(float x, int n)
{
    return ldexpf(x, n);
}

PTXEMU_DEVICE float scalbn(float x, int n)
{
    return scalbnf(x, n);
}

PTXEMU_DEVICE float frexp(float x, int *exponent)
{
    return frexpf(x, exponent);
}

PTXEMU_DEVICE float modf(float x, float *whole)
{
    return modff(x, whole);
}

PTXEMU_DEVICE float remquo(float x, float y, int *quo)
{
    return remquof(x, y, quo);
}

PTXEMU_DEVICE void sincos(float x, float *sine, float *cosine)
{
    sincosf(x, sine, cosine);
}

/* --- absolute values --- */

#define PTXEMU_ABS(name, type, value) \
    PTXEMU_DEVICE type name(type x)   \
    {                                 \
        return value;                 \
    }
PTXEMU_ABS(abs, int, x < 0 ? -x : x)
PTXEMU_ABS(abs, long, x < 0 ? -x : x)
PTXEMU_ABS(abs, long long, x < 0 ? -x : x)
PTXEMU_ABS(abs, float, fabsf(x))
PTXEMU_ABS(abs, double, fabs(x))
PTXEMU_ABS(labs, long, x < 0 ? -x : x)
PTXEMU_ABS(llabs, long long, x < 0 ? -x : x)
#undef PTXEMU_ABS

/* --- the smaller and the larger: on the host as well, where C++ has them in std only --- */

#define PTXEMU_MIN_MAX(type, left, right, smaller, larger)          \
    static __inline__ __host__ __device__ type min(left x, right y) \
    {                                                               \
        return smaller;                                             \
    }                                                               \
    static __inline__ __host__ __device__ type max(left x, right y) \
    {                                                               \
        return larger;                                              \
    }
#define PTXEMU_MIN_MAX_INTEGER(type, left, right) \
    PTXEMU_MIN_MAX(type, left, right, (type)y < (type)x ? (type)y : (type)x, (type)x < (type)y ? (type)y : (type)x)
#define PTXEMU_MIN_MAX_INTEGERS(type)                                   \
    PTXEMU_MIN_MAX_INTEGER(type, type, type)                            \
    PTXEMU_MIN_MAX_INTEGER(unsigned type, unsigned type, unsigned type) \
    PTXEMU_MIN_MAX_INTEGER(unsigned type, type, unsigned type)          \
    PTXEMU_MIN_MAX_INTEGER(unsigned type, unsigned type, type)
PTXEMU_MIN_MAX_INTEGERS(int)
PTXEMU_MIN_MAX_INTEGERS(long)
PTXEMU_MIN_MAX_INTEGERS(long long)
PTXEMU_MIN_MAX(float, float, float, __builtin_fminf(x, y), __builtin_fmaxf(x, y))
PTXEMU_MIN_MAX(double, double, double, __builtin_fmin(x, y), __builtin_fmax(x, y))
PTXEMU_MIN_MAX(double, float, double, __builtin_fmin(x, y), __builtin_fmax(x, y))
PTXEMU_MIN_MAX(double, double, float, __builtin_fmin(x, y), __builtin_fmax(x, y))
#undef PTXEMU_MIN_MAX_INTEGERS
#undef PTXEMU_MIN_MAX_INTEGER
#undef PTXEMU_MIN_MAX

PTXEMU_DEVICE unsigned int umin(unsigned int x, unsigned int y)
{
    return min(x, y);
}

PTXEMU_DEVICE unsigned int umax(unsigned int x, unsigned int y)
{
    return max(x, y);
}

namespace std
{
using ::abs;
using ::acos;
using ::acosf;
using ::acosh;
using ::acoshf;
using ::asin;
using ::asinf;
using ::asinh;
using ::asinhf;
using ::atan;
using ::atan2;
using ::atan2f;
using ::atanf;
using ::atanh;
using ::atanhf;
using ::cbrt;
using ::cbrtf;
using ::ceil;
using ::ceilf;
using ::copysign;
using ::copysignf;
using ::cos;
using ::cosf;
using ::cosh;
using ::coshf;
using ::erf;
using ::erfc;
using ::erfcf;
using ::erff;
using ::exp;
using ::exp2;
using ::exp2f;
using ::expf;
using ::expm1;
using ::expm1f;
using ::fabs;
using ::fabsf;
using ::fdim;
using ::fdimf;
using ::floor;
using ::floorf;
using ::fma;
using ::fmaf;
using ::fmax;
using ::fmaxf;
using ::fmin;
using ::fminf;
using ::fmod;
using ::fmodf;
using ::frexp;
using ::frexpf;
using ::hypot;
using ::hypotf;
using ::ilogb;
using ::ilogbf;
using ::labs;
using ::ldexp;
using ::ldexpf;
using ::llabs;
using ::llrint;
using ::llrintf;
using ::llround;
using ::llroundf;
using ::log;
using ::log10;
using ::log10f;
using ::log1p;
using ::log1pf;
using ::log2;
using ::log2f;
using ::logb;
using ::logbf;
using ::logf;
using ::lrint;
using ::lrintf;
using ::lround;
using ::lroundf;
using ::modf;
using ::modff;
using ::nearbyint;
using ::nearbyintf;
using ::nextafter;
using ::nextafterf;
using ::pow;
using ::powf;
using ::remainder;
using ::remainderf;
using ::remquo;
using ::remquof;
using ::rint;
using ::rintf;
using ::round;
using ::roundf;
using ::scalbn;
using ::scalbnf;
using ::sin;
using ::sinf;
using ::sinh;
using ::sinhf;
using ::sqrt;
using ::sqrtf;
using ::tan;
using ::tanf;
using ::tanh;
using ::tanhf;
using ::trunc;
using ::truncf;
} // namespace std

#endif
