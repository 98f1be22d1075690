/*
 * Exponentials, logarithms, powers and roots of doubles: within two units of the last place.
 *
 * Logarithms are computed as an unevaluated sum of two doubles, because a power multiplies their error by its exponent.
 */
#ifndef PTXEMU_CUDA_DEVICE_MATH_EXP_H
#define PTXEMU_CUDA_DEVICE_MATH_EXP_H

#include "math_basic.h"

#define PTXEMU_LN2_HIGH 0x1.62e42fefa39efp-1
#define PTXEMU_LN2_LOW  0x1.abc9e3b39803fp-56

/* A number as the sum of two, the second below the last place of the first. */
struct ptxemu_pair {
    double high;
    double low;
};

/* a + b where |a| >= |b| */
PTXEMU_DEVICE struct ptxemu_pair ptxemu_sum(double a, double b)
{
    struct ptxemu_pair s;

    s.high = a + b;
    s.low = b - (s.high - a);
    return s;
}

PTXEMU_DEVICE struct ptxemu_pair ptxemu_product(double a, double b)
{
    struct ptxemu_pair p;

    p.high = a * b;
    p.low = fma(a, b, -p.high);
    return p;
}

/* (e^r - 1) for |r| <= ln(2) / 2: the series, whose next term is below 2^-57 of the sum */
PTXEMU_DEVICE double ptxemu_expm1_series(double r)
{
    double s = 1.0 / 87178291200; /* 1 / 14! */

    s = fma(s, r, 1.0 / 6227020800);
    s = fma(s, r, 1.0 / 479001600);
    s = fma(s, r, 1.0 / 39916800);
    s = fma(s, r, 1.0 / 3628800);
    s = fma(s, r, 1.0 / 362880);
    s = fma(s, r, 1.0 / 40320);
    s = fma(s, r, 1.0 / 5040);
    s = fma(s, r, 1.0 / 720);
    s = fma(s, r, 1.0 / 120);
    s = fma(s, r, 1.0 / 24);
    s = fma(s, r, 1.0 / 6);
    s = fma(s, r, 0.5);
    return fma(r * r, s, r);
}

/* e^(x + low), low being far below x */
PTXEMU_DEVICE_CALL double ptxemu_exp(double x, double low)
{
    double n;
    double r;

    if (ptxemu_isnan(x) || x > 710) {
        return x * PTXEMU_INFINITY;
    }
    if (x < -746) {
        return 0;
    }
    n = rint(x * 1.4426950408889634);
    r = fma(-n, PTXEMU_LN2_HIGH, x);
    r = fma(-n, PTXEMU_LN2_LOW, r) + low;
    return ldexp(1.0 + ptxemu_expm1_series(r), (int)n);
}

PTXEMU_DEVICE double exp(double x)
{
    return ptxemu_exp(x, 0);
}

PTXEMU_DEVICE double exp2(double x)
{
    double n = rint(x);
    double r = x - n;

    if (ptxemu_isnan(x) || fabs(x) > 1100) {
        return x > 0 || ptxemu_isnan(x) ? x * PTXEMU_INFINITY : 0;
    }
    return ldexp(1.0 + ptxemu_expm1_series(fma(r, PTXEMU_LN2_LOW, r * PTXEMU_LN2_HIGH)), (int)n);
}

PTXEMU_DEVICE double exp10(double x)
{
    struct ptxemu_pair p;

    if (ptxemu_isnan(x) || fabs(x) > 400) {
        return x > 0 || ptxemu_isnan(x) ? x * PTXEMU_INFINITY : 0;
    }
    p = ptxemu_product(x, 0x1.26bb1bbb55516p+1);
    return ptxemu_exp(p.high, fma(x, -0x1.f48ad494ea3e9p-53, p.low));
}

PTXEMU_DEVICE_CALL double expm1(double x)
{
    double n = rint(x * 1.4426950408889634);
    double r;

    if (ptxemu_isnan(x) || x == 0) {
        return x;
    }
    if (x < -40) {
        return -1;
    }
    if (x > 40) {
        return exp(x);
    }
    r = fma(-n, PTXEMU_LN2_HIGH, x);
    r = fma(-n, PTXEMU_LN2_LOW, r);
    return fma(ptxemu_expm1_series(r), ptxemu_power_of_two((int)n), ptxemu_power_of_two((int)n) - 1.0);
}

/*
 * ln(x) for finite x > 0. With x = m * 2^n, m near 1, s = (m - 1) / (m + 1): ln(m) = 2s + 2s^3/3 + 2s^5/5 + ...; the
 * first two terms as pairs, the rest, below 2^-12 of the sum, as a double.
 */
PTXEMU_DEVICE_CALL struct ptxemu_pair ptxemu_log(double x)
{
    int n = ptxemu_exponent(x);
    double m = ldexp(x, -n);
    double f;
    double s;
    double s_low;
    double square;
    double tail;
    struct ptxemu_pair cube;
    struct ptxemu_pair sum;
    struct ptxemu_pair whole;
    struct ptxemu_pair twos;

    if (m > 1.4142135623730951) {
        m *= 0.5;
        n++;
    }
    f = m - 1;
    s = f / (m + 1);
    /* what the division left over; m + 1 is rounded, so its own error counts too */
    s_low = (fma(-s, m + 1, f) - s * (m - ((m + 1) - 1))) / (m + 1);
    square = s * s;
    tail = 2.0 / 23;
    tail = fma(tail, square, 2.0 / 21);
    tail = fma(tail, square, 2.0 / 19);
    tail = fma(tail, square, 2.0 / 17);
    tail = fma(tail, square, 2.0 / 15);
    tail = fma(tail, square, 2.0 / 13);
    tail = fma(tail, square, 2.0 / 11);
    tail = fma(tail, square, 2.0 / 9);
    tail = fma(tail, square, 2.0 / 7);
    tail = fma(tail, square, 2.0 / 5);
    tail = tail * square * square * s;
    /* 2/3 s^3 */
    cube = ptxemu_product(s, s);
    cube.low += 2 * s * s_low;
    whole = ptxemu_product(cube.high, s);
    whole.low += fma(cube.low, s, cube.high * s_low);
    cube = ptxemu_product(whole.high, 0x1.5555555555555p-1);
    cube.low += fma(whole.low, 0x1.5555555555555p-1, whole.high * 0x1.5555555555555p-55);
    sum = ptxemu_sum(2 * s, cube.high);
    sum.low += cube.low + 2 * s_low + tail;
    twos = ptxemu_product(n, PTXEMU_LN2_HIGH);
    twos.low = fma((double)n, PTXEMU_LN2_LOW, twos.low);
    whole = n != 0 ? ptxemu_sum(twos.high, sum.high) : sum;
    if (n != 0) {
        whole.low += twos.low + sum.low;
    }
    return ptxemu_sum(whole.high, whole.low);
}

/* Is x something that has an ordinary logarithm? If not, *result is the answer. */
PTXEMU_DEVICE bool ptxemu_log_defined(double x, double *result)
{
    if (ptxemu_isnan(x) || x < 0) {
        *result = PTXEMU_NAN;
        return false;
    }
    *result = x == 0 ? -PTXEMU_INFINITY : x;
    return x != 0 && ptxemu_isfinite(x);
}

PTXEMU_DEVICE double log(double x)
{
    double special;

    return ptxemu_log_defined(x, &special) ? ptxemu_log(x).high : special;
}

/* The logarithm to another base: 1 / ln(base) as a pair */
PTXEMU_DEVICE double ptxemu_log_scaled(double x, double high, double low)
{
    double special;
    struct ptxemu_pair ln;
    struct ptxemu_pair product;

    if (!ptxemu_log_defined(x, &special)) {
        return special;
    }
    ln = ptxemu_log(x);
    product = ptxemu_product(ln.high, high);
    return product.high + (product.low + fma(ln.low, high, ln.high * low));
}

PTXEMU_DEVICE double log2(double x)
{
    return ptxemu_log_scaled(x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56);
}

PTXEMU_DEVICE double log10(double x)
{
    return ptxemu_log_scaled(x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57);
}

/* ln(1 + x): the logarithm of the rounded sum, corrected for the rounding */
PTXEMU_DEVICE double log1p(double x)
{
    double sum = 1 + x;

    if (x <= -1 || !ptxemu_isfinite(x)) {
        return log(sum);
    }
    return fabs(x) < 0x1p-54 ? x : log(sum) + (fabs(x) > 1 ? 1 - (sum - x) : x - (sum - 1)) / sum;
}

/* x^y for finite x > 0 */
PTXEMU_DEVICE_CALL double ptxemu_pow_positive(double x, double y)
{
    struct ptxemu_pair ln = ptxemu_log(x);
    struct ptxemu_pair product = ptxemu_product(y, ln.high);

    if (fabs(product.high) > 800 || !ptxemu_isfinite(product.high)) {
        return product.high > 0 ? PTXEMU_INFINITY : 0;
    }
    return ptxemu_exp(product.high, fma(y, ln.low, product.low));
}

PTXEMU_DEVICE_CALL double pow(double x, double y)
{
    double size = fabs(x);
    double sign = x < 0 && ptxemu_is_odd(y) ? -1 : 1;

    if (y == 0 || x == 1) {
        return 1;
    }
    if (ptxemu_isnan(x) || ptxemu_isnan(y)) {
        return PTXEMU_NAN;
    }
    if (ptxemu_isinf(y)) {
        return size == 1 ? 1 : (size > 1) == (y > 0) ? PTXEMU_INFINITY : 0;
    }
    if (x == 0 || ptxemu_isinf(x)) {
        sign = ptxemu_signbit(x) && ptxemu_is_odd(y) ? -1 : 1;
        return sign * ((x == 0) == (y > 0) ? 0 : PTXEMU_INFINITY);
    }
    if (x < 0 && !ptxemu_is_integer(y)) {
        return PTXEMU_NAN;
    }
    return sign * ptxemu_pow_positive(size, y);
}

/* --- roots --- */

PTXEMU_DEVICE double rsqrt(double x)
{
    double y = 1 / sqrt(x);

    if (!(x > 0) || ptxemu_isinf(x)) {
        return y;
    }
    return fma(y * 0.5, fma(-x * y, y, 1.0), y); /* one step of Newton's */
}

PTXEMU_DEVICE_CALL double cbrt(double x)
{
    int n;
    double m;
    double y;
    int step;

    if (x == 0 || !ptxemu_isfinite(x)) {
        return x + x;
    }
    m = frexp(fabs(x), &n);
    for (; n % 3 != 0; n++) {
        m *= 0.5;
    }
    y = fma(m, 0.7, 0.35); /* m in [1/8, 1): within 20 % */
    for (step = 0; step < 6; step++) {
        y -= fma(y * y, y, -m) / (3 * y * y);
    }
    return copysign(ldexp(y, n / 3), x);
}

PTXEMU_DEVICE double rcbrt(double x)
{
    return 1 / cbrt(x);
}

PTXEMU_DEVICE_CALL double hypot(double x, double y)
{
    double large = fmax(fabs(x), fabs(y));
    double small = fmin(fabs(x), fabs(y));
    int n;

    if (ptxemu_isinf(x) || ptxemu_isinf(y)) {
        return PTXEMU_INFINITY;
    }
    if (ptxemu_isnan(x) || ptxemu_isnan(y) || large == 0) {
        return x + y + large;
    }
    n = ptxemu_exponent(large);
    large = ldexp(large, -n);
    small = ldexp(small, -n);
    return ldexp(sqrt(fma(large, large, small * small)), n);
}

PTXEMU_DEVICE double rhypot(double x, double y)
{
    return 1 / hypot(x, y);
}

/* --- hyperbolic functions --- */

PTXEMU_DEVICE double sinh(double x)
{
    double size = fabs(x);
    double e = expm1(size);

    if (size > 40) { /* e^-x is nothing; half of e^x may be finite where e^x is not */
        return copysign(ptxemu_exp(size * 0.5, 0) * 0.5 * ptxemu_exp(size * 0.5, 0), x);
    }
    return copysign(0.5 * (e + e / (e + 1)), x);
}

PTXEMU_DEVICE double cosh(double x)
{
    double size = fabs(x);
    double e = exp(size);

    return size > 40 ? ptxemu_exp(size * 0.5, 0) * 0.5 * ptxemu_exp(size * 0.5, 0) : 0.5 * e + 0.5 / e;
}

PTXEMU_DEVICE double tanh(double x)
{
    double e = expm1(2 * fabs(x));

    return fabs(x) > 20 ? copysign(1.0, x) : copysign(e / (e + 2), x) + 0 * x;
}

PTXEMU_DEVICE double asinh(double x)
{
    double size = fabs(x);

    if (size > 0x1p28) {
        return copysign(log(size) + PTXEMU_LN2_HIGH, x);
    }
    return copysign(log1p(size + size * size / (1 + sqrt(fma(size, size, 1.0)))), x);
}

PTXEMU_DEVICE double acosh(double x)
{
    double t = x - 1;

    return x > 0x1p28 ? log(x) + PTXEMU_LN2_HIGH : log1p(t + sqrt(fma(t, t, 2 * t)));
}

PTXEMU_DEVICE double atanh(double x)
{
    double size = fabs(x);

    return copysign(0.5 * log1p(2 * size / (1 - size)), x) + 0 * x;
}

#endif
