/*
 * Trigonometric functions of doubles, of any finite argument: within two units of the last place.
 */
#ifndef PTXEMU_CUDA_DEVICE_MATH_TRIG_H
#define PTXEMU_CUDA_DEVICE_MATH_TRIG_H

#include "math_exp.h"

#define PTXEMU_HALF_PI_HIGH 0x1.921fb54442d18p+0
#define PTXEMU_HALF_PI_LOW  0x1.1a62633145c07p-54
#define PTXEMU_HALF_PI_LAST (-0x1.f1976b7ed8fbcp-110)

/* The bits of 2 / pi after a word of zeros: enough for the largest exponent. */
PTXEMU_DEVICE unsigned long long ptxemu_two_over_pi(int word)
{
    static const unsigned long long bits[20] = {
        0,
        0xa2f9836e4e441529ull,
        0xfc2757d1f534ddc0ull,
        0xdb6295993c439041ull,
        0xfe5163abdebbc561ull,
        0xb7246e3a424dd2e0ull,
        0x06492eea09d1921cull,
        0xfe1deb1cb129a73eull,
        0xe88235f52ebb4484ull,
        0xe99c7026b45f7e41ull,
        0x3991d639835339f4ull,
        0x9c845f8bbdf9283bull,
        0x1ff897ffde05980full,
        0xef2f118b5a0a6d1full,
        0x6d367ecf27cb09b7ull,
        0x4f463f669e5fea2dull,
        0x7527bac7ebe5f17bull,
        0x3d0739f78a5292eaull,
        0x6bfb5fb11f8d5d08ull,
        0x56033046fc7b6babull,
    };

    return bits[word];
}

/* 64 bits of 2 / pi from bit `at`, counted after the word of zeros */
PTXEMU_DEVICE unsigned long long ptxemu_two_over_pi_at(int at)
{
    int word = (at + 64) / 64;
    int shift = (at + 64) % 64;

    return shift == 0 ? ptxemu_two_over_pi(word)
                      : ptxemu_two_over_pi(word) << shift | ptxemu_two_over_pi(word + 1) >> (64 - shift);
}

/*
 * Large arguments (Payne and Hanek): x = m * 2^e. Bits of 2 / pi whose product with x is a multiple of 4 do not matter;
 * the 192 bits after them give the quadrant and, even if x is as near to a multiple of pi / 2 as a double can be, all
 * of the rest.
 */
PTXEMU_DEVICE_CALL double ptxemu_reduce_large(double x, int *quadrant)
{
    long long bits = __double_as_longlong(x);
    unsigned long long m = (bits & 0xfffffffffffffll) | 1ll << 52;
    int start = ((int)(bits >> 52) & 0x7ff) - 1075 - 2;
    unsigned long long w2 = ptxemu_two_over_pi_at(start);
    unsigned long long w1 = ptxemu_two_over_pi_at(start + 64);
    unsigned long long w0 = ptxemu_two_over_pi_at(start + 128);
    unsigned long long p0 = m * w0;
    unsigned long long p1 = m * w1;
    unsigned long long p2 = m * w2;
    unsigned long long carry = __umul64hi(m, w0);
    double rest;

    p1 += carry;
    p2 += __umul64hi(m, w1) + (p1 < carry);
    *quadrant = (int)(p2 >> 62);
    p2 = p2 << 2 | p1 >> 62;
    p1 = p1 << 2 | p0 >> 62;
    if ((long long)p2 < 0) { /* more than half a quadrant: count from the next */
        *quadrant += 1;
        p1 = 0 - p1;
        p2 = ~p2 + (p1 == 0);
        rest = -((double)p2 * 0x1p-64 + (double)p1 * 0x1p-128);
    } else {
        rest = (double)p2 * 0x1p-64 + (double)p1 * 0x1p-128;
    }
    rest = fma(rest, PTXEMU_HALF_PI_LOW, rest * PTXEMU_HALF_PI_HIGH);
    if (bits < 0) {
        *quadrant = -*quadrant;
        rest = -rest;
    }
    *quadrant &= 3;
    return rest;
}

/* x minus the nearest multiple of pi / 2, which is the one with the number *quadrant modulo 4 */
PTXEMU_DEVICE double ptxemu_reduce(double x, int *quadrant)
{
    double n;

    if (fabs(x) > 100000) {
        return ptxemu_reduce_large(x, quadrant);
    }
    n = rint(x * 0.6366197723675814);
    *quadrant = (int)n & 3;
    x = fma(-n, PTXEMU_HALF_PI_HIGH, x);
    x = fma(-n, PTXEMU_HALF_PI_LOW, x);
    return fma(-n, PTXEMU_HALF_PI_LAST, x);
}

/* sin(r) for |r| <= pi / 4 */
PTXEMU_DEVICE double ptxemu_sin_series(double r)
{
    double z = r * r;
    double s = 1.0 / 355687428096000; /* 1 / 17! */

    s = fma(s, z, -1.0 / 1307674368000);
    s = fma(s, z, 1.0 / 6227020800);
    s = fma(s, z, -1.0 / 39916800);
    s = fma(s, z, 1.0 / 362880);
    s = fma(s, z, -1.0 / 5040);
    s = fma(s, z, 1.0 / 120);
    s = fma(s, z, -1.0 / 6);
    return fma(s * z, r, r);
}

/* cos(r) for |r| <= pi / 4; what 1 - r^2 / 2 loses to rounding is added to the rest */
PTXEMU_DEVICE double ptxemu_cos_series(double r)
{
    double z = r * r;
    double half = 0.5 * z;
    double first = 1 - half;
    double s = -1.0 / 6402373705728000; /* 1 / 18! */

    s = fma(s, z, 1.0 / 20922789888000);
    s = fma(s, z, -1.0 / 87178291200);
    s = fma(s, z, 1.0 / 479001600);
    s = fma(s, z, -1.0 / 3628800);
    s = fma(s, z, 1.0 / 40320);
    s = fma(s, z, -1.0 / 720);
    s = fma(s, z, 1.0 / 24);
    return first + fma(s * z, z, (1 - first) - half);
}

/* The sine of quadrant q's argument; the cosine is that of the next quadrant. */
PTXEMU_DEVICE double ptxemu_sin_quadrant(double r, int quadrant)
{
    double value = (quadrant & 1) != 0 ? ptxemu_cos_series(r) : ptxemu_sin_series(r);

    return (quadrant & 2) != 0 ? -value : value;
}

PTXEMU_DEVICE_CALL double sin(double x)
{
    int quadrant;
    double r;

    if (!ptxemu_isfinite(x)) {
        return PTXEMU_NAN;
    }
    r = ptxemu_reduce(x, &quadrant);
    return x == 0 ? x : ptxemu_sin_quadrant(r, quadrant);
}

PTXEMU_DEVICE_CALL double cos(double x)
{
    int quadrant;
    double r;

    if (!ptxemu_isfinite(x)) {
        return PTXEMU_NAN;
    }
    r = ptxemu_reduce(x, &quadrant);
    return ptxemu_sin_quadrant(r, quadrant + 1);
}

PTXEMU_DEVICE_CALL void sincos(double x, double *sine, double *cosine)
{
    *sine = sin(x);
    *cosine = cos(x);
}

PTXEMU_DEVICE_CALL double tan(double x)
{
    int quadrant;
    double r;

    if (!ptxemu_isfinite(x) || x == 0) {
        return x * 0 + x;
    }
    r = ptxemu_reduce(x, &quadrant);
    return (quadrant & 1) != 0 ? -ptxemu_cos_series(r) / ptxemu_sin_series(r)
                               : ptxemu_sin_series(r) / ptxemu_cos_series(r);
}

/* x times pi, from the nearest half: exact where x is a multiple of a half */
PTXEMU_DEVICE double ptxemu_reduce_pi(double x, int *quadrant)
{
    double n = rint(2 * x);

    x = fma(n, -0.5, x);
    *quadrant = (int)(long long)(n - 4 * floor(n * 0.25));
    return fma(x, 2 * PTXEMU_HALF_PI_LOW, x * (2 * PTXEMU_HALF_PI_HIGH));
}

PTXEMU_DEVICE_CALL double sinpi(double x)
{
    int quadrant;
    double r = ptxemu_reduce_pi(x, &quadrant);

    if (!ptxemu_isfinite(x)) {
        return PTXEMU_NAN;
    }
    return ptxemu_is_integer(x) ? copysign(0.0, x) : ptxemu_sin_quadrant(r, quadrant);
}

PTXEMU_DEVICE_CALL double cospi(double x)
{
    int quadrant;
    double r = ptxemu_reduce_pi(x, &quadrant);

    return ptxemu_isfinite(x) ? ptxemu_sin_quadrant(r, quadrant + 1) + 0.0 : PTXEMU_NAN;
}

PTXEMU_DEVICE void sincospi(double x, double *sine, double *cosine)
{
    *sine = sinpi(x);
    *cosine = cospi(x);
}

/* --- inverses --- */

/* atan(k / 8) as a pair */
PTXEMU_DEVICE struct ptxemu_pair ptxemu_atan_eighths(int k)
{
    static const double table[9][2] = {
        {0, 0},
        {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
        {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
        {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
        {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
        {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
        {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
        {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
        {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
    };
    struct ptxemu_pair angle = {table[k][0], table[k][1]};

    return angle;
}

/* atan(small / large), 0 <= small <= large: the angle to the nearest eighth, and from there a short series */
PTXEMU_DEVICE_CALL struct ptxemu_pair ptxemu_atan_ratio(double small, double large)
{
    int k = (int)rint(small / large * 8);
    double c = k * 0.125;
    double u = fma(-c, large, small) / fma(c, small, large);
    double z = u * u;
    double s = 1.0 / 17;
    struct ptxemu_pair angle = ptxemu_atan_eighths(k);

    s = fma(s, z, -1.0 / 15);
    s = fma(s, z, 1.0 / 13);
    s = fma(s, z, -1.0 / 11);
    s = fma(s, z, 1.0 / 9);
    s = fma(s, z, -1.0 / 7);
    s = fma(s, z, 1.0 / 5);
    s = fma(s, z, -1.0 / 3);
    angle.low = fma(s * z, u, angle.low);
    if (k == 0) {
        angle.high = u;
        return angle;
    }
    s = angle.low;
    angle = ptxemu_sum(angle.high, u);
    angle.low += s;
    return angle;
}

PTXEMU_DEVICE_CALL double atan2(double y, double x)
{
    double ax = fabs(x);
    double ay = fabs(y);
    struct ptxemu_pair angle;
    double steps = 0; /* of pi / 2 to add after the angle's sign has been turned */
    int scale;

    if (ptxemu_isnan(x) || ptxemu_isnan(y)) {
        return x + y;
    }
    if (ptxemu_isinf(ax) && ptxemu_isinf(ay)) {
        ax = ay = 1;
    }
    if (ax == 0 && ay == 0) {
        return copysign(ptxemu_signbit(x) ? 2 * PTXEMU_HALF_PI_HIGH : 0.0, y);
    }
    if (!ptxemu_isinf(ax) && !ptxemu_isinf(ay)) {
        scale = ptxemu_exponent(fmax(ax, ay)); /* keeps products in range */
        ax = ldexp(ax, -scale);
        ay = ldexp(ay, -scale);
        angle = ptxemu_atan_ratio(fmin(ax, ay), fmax(ax, ay));
        if (!ptxemu_signbit(x) && ay <= ax && fabs(y) < fabs(x) * 0x1p-28) {
            return y / x; /* tiny, perhaps subnormal: the series adds nothing */
        }
    } else {
        angle.high = angle.low = 0;
    }
    if (ay > ax) { /* the complement */
        steps = 1;
        angle.high = -angle.high;
        angle.low = -angle.low;
    }
    if (ptxemu_signbit(x)) { /* the supplement */
        steps = 2 - steps;
        angle.high = -angle.high;
        angle.low = -angle.low;
    }
    if (steps != 0) {
        angle.low += steps * PTXEMU_HALF_PI_LOW;
        angle.low += (angle.high - ((steps * PTXEMU_HALF_PI_HIGH + angle.high) - steps * PTXEMU_HALF_PI_HIGH));
        angle.high = steps * PTXEMU_HALF_PI_HIGH + angle.high;
    }
    return copysign(angle.high + angle.low, y);
}

PTXEMU_DEVICE double atan(double x)
{
    return x == 0 ? x : atan2(x, 1.0);
}

PTXEMU_DEVICE double asin(double x)
{
    return fabs(x) > 1 ? PTXEMU_NAN : x == 0 ? x : atan2(x, sqrt((1 - x) * (1 + x)));
}

PTXEMU_DEVICE double acos(double x)
{
    return fabs(x) > 1 ? PTXEMU_NAN : 2 * atan2(sqrt(1 - x), sqrt(1 + x));
}

#endif
