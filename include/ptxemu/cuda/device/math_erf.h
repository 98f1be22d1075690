/* The error function and what follows from it: within few units of the last place. */
#ifndef PTXEMU_CUDA_DEVICE_MATH_ERF_H
#define PTXEMU_CUDA_DEVICE_MATH_ERF_H

#include "math_exp.h"

#define PTXEMU_TWO_OVER_SQRT_PI 0x1.20dd750429b6dp+0

/* e^(-x^2), the square kept as a pair */
PTXEMU_DEVICE double ptxemu_exp_minus_square(double x)
{
    struct ptxemu_pair square = ptxemu_product(x, x);

    return ptxemu_exp(-square.high, -square.low);
}

/* 0 <= x < 1: 2/sqrt(pi) x (1 - x^2/3 + x^4/10 - x^6/42 + ...); the sum after the 1 is small, and so are its errors */
PTXEMU_DEVICE_CALL double ptxemu_erf_series(double x)
{
    double square = x * x;
    double term = 1;
    double sum = 0;
    double first = fma(x, 0x1.1ae3a914fed80p-56, x * PTXEMU_TWO_OVER_SQRT_PI);
    int n;

    for (n = 1; n <= 20; n++) {
        term *= -square / n;
        sum += term / (2 * n + 1);
    }
    return fma(first, sum, first);
}

/* x >= 1: the continued fraction of erfc, from so far out that more changes nothing */
PTXEMU_DEVICE_CALL double ptxemu_erfc_fraction(double x)
{
    double tail = x;
    int n;

    for (n = 20 + (int)(150 / (x * x)); n > 0; n--) {
        tail = x + 0.5 * n / tail;
    }
    return ptxemu_exp_minus_square(x) * (0.5 * PTXEMU_TWO_OVER_SQRT_PI) / tail;
}

PTXEMU_DEVICE double erf(double x)
{
    double size = fabs(x);

    if (ptxemu_isnan(x) || x == 0) {
        return x;
    }
    return copysign(size < 1 ? ptxemu_erf_series(size) : size > 6 ? 1.0 : 1 - ptxemu_erfc_fraction(size), x);
}

PTXEMU_DEVICE double erfc(double x)
{
    if (ptxemu_isnan(x)) {
        return x;
    }
    if (x > 28) {
        return 0;
    }
    return x < 1 ? 1 - erf(x) : ptxemu_erfc_fraction(x);
}

/* The share of a normal distribution below x */
PTXEMU_DEVICE double normcdf(double x)
{
    return 0.5 * erfc(-x * 0x1.6a09e667f3bcdp-1);
}

#endif
