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

/* 0 <= x < 3: a series whose terms all have one sign, x (1 + 2x^2/3 (1 + 2x^2/5 (...))) e^(-x^2) 2/sqrt(pi) */
PTXEMU_DEVICE_CALL double ptxemu_erf_series(double x)
{
    double term = x;
    double sum = x;
    double square = 2 * x * x;
    int odd;

    for (odd = 3; term > sum * 0x1p-55; odd += 2) {
        term *= square / odd;
        sum += term;
    }
    return sum * ptxemu_exp_minus_square(x) * PTXEMU_TWO_OVER_SQRT_PI;
}

/* x >= 2: the continued fraction of erfc, from its far end */
PTXEMU_DEVICE_CALL double ptxemu_erfc_fraction(double x)
{
    double tail = x;
    int n;

    for (n = 100; n > 0; n--) {
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
    return copysign(size < 2.5 ? ptxemu_erf_series(size) : size > 6 ? 1.0 : 1 - ptxemu_erfc_fraction(size), x);
}

PTXEMU_DEVICE double erfc(double x)
{
    if (ptxemu_isnan(x)) {
        return x;
    }
    if (x > 28) {
        return 0;
    }
    return x < 0.5 ? 1 - erf(x) : x < 2 ? 1 - ptxemu_erf_series(x) : ptxemu_erfc_fraction(x);
}

/* The share of a normal distribution below x */
PTXEMU_DEVICE double normcdf(double x)
{
    return 0.5 * erfc(-x * 0x1.6a09e667f3bcdp-1);
}

#endif
