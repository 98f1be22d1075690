/*
 * What the texture unit computes: texels to words, coordinates to places and weights, places and weights to sums.  Pure
 * functions of numbers; which texels there are and where they lie is texture_sample.c's business.  All as an H200 does
 * it, measured, bit for bit, but for the level that gradients ask for (sem_tex_level).
 *
 * Weights are multiples of 1/256, and all that belong to one sample add up to 1 exactly.
 */
#ifndef EMU_SEM_TEX_H
#define EMU_SEM_TEX_H

#include <math.h>

#include "emu/sem_cvt.h"
#include "emu/texture.h"

enum { TEX_FRACTION_BITS = 8, TEX_ONE = 1 << TEX_FRACTION_BITS, TEX_UNIT_BITS = 21 };

/* --- texels to words ---------------------------------------------------------------------------------------------- */
/* An integer as a fraction of the largest one: the quotient, correctly rounded. */
SEM float sem_tex_unorm(uint32_t value, unsigned bits)
{
    return (float)value / (float)((1u << bits) - 1);
}

/* The smallest integer reads as the one above it: -1. */
SEM float sem_tex_snorm(int32_t value, unsigned bits)
{
    const float most = (float)((1 << (bits - 1)) - 1), fraction = (float)value / most;

    return fraction < -1 ? -1 : fraction;
}

SEM int32_t sem_tex_sign_extend(uint32_t value, unsigned bits)
{
    return bits == 32 ? (int32_t)value : (int32_t)(value << (32 - bits)) >> (32 - bits);
}

/* --- words to texels: what sust.p stores
 * ------------------------------------------------------------------------------ */
/* A fraction as an integer out of `most`, the nearest; NaN is 0. */
SEM int32_t sem_tex_scaled(float c, float least, float most)
{
    const float inside = !(c > least) ? least : c > 1 ? 1 : c;

    return c != c ? 0 : (int32_t)lrintf(inside * most);
}

/* Integers are clamped to what the channel holds, floats are cut off. */
SEM uint32_t sem_tex_store(uint32_t word, unsigned kind, unsigned bits)
{
    const uint32_t most = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
    const int32_t most_signed = (int32_t)(most >> 1), value = (int32_t)word;

    switch (kind) {
    case EMU_CHANNEL_UINT:
        return word > most ? most : word;
    case EMU_CHANNEL_SINT:
        return (uint32_t)(value > most_signed ? most_signed : value < -most_signed - 1 ? -most_signed - 1 : value);
    case EMU_CHANNEL_FLOAT:
        return bits == 16 ? sem_cvt_f16_f32(sem_as_f32(word), SEM_RZ, 0) : word;
    case EMU_CHANNEL_UNORM:
        return (uint32_t)sem_tex_scaled(sem_as_f32(word), 0, (float)most);
    default:
        return (uint32_t)sem_tex_scaled(sem_as_f32(word), -1, (float)most_signed);
    }
}

/* --- coordinates -------------------------------------------------------------------------------------------------- */
/* The largest integer that is not larger; what floor() calls a function for where the host has no instruction. */
SEM int64_t sem_tex_floor(double x)
{
    const int64_t i = (int64_t)x;

    return i - (x < (double)i);
}

/*
 * A normalised coordinate with 21 bits behind the point, the rest cut off.  Denormals are 0, and so is no number;
 * beyond 2^24 coordinates are whole numbers, and even, so that farther ones are all the same.
 */
SEM int64_t sem_tex_unit(double u)
{
    const double far = 0x1p24;

    if (!(fabs(u) >= 0x1p-126)) {
        return 0;
    }
    return sem_tex_floor((u > far ? far : u < -far ? -far : u) * (1 << TEX_UNIT_BITS));
}

/* The texel of `size` that it lies in, counted from 0 to both sides. */
SEM int32_t sem_tex_unit_texel(int64_t unit, int32_t size)
{
    const int64_t i = (unit * size) >> TEX_UNIT_BITS, far = 1 << 29;

    return (int32_t)(i > far ? far : i < -far ? -far : i);
}

/* In 1/256 of a texel from the middle of texel 0, rounded half up. */
SEM int32_t sem_tex_unit_fixed(int64_t unit, int32_t size)
{
    const int64_t half = 1 << (TEX_UNIT_BITS - TEX_FRACTION_BITS - 1), far = 1 << 29;
    const int64_t t = (unit * size + half) >> (TEX_UNIT_BITS - TEX_FRACTION_BITS);

    return (int32_t)(t > far ? far : t < -far ? -far : t) - TEX_ONE / 2;
}

/* The same for coordinates in texels. */
SEM int32_t sem_tex_texel(float x)
{
    const float far = 1 << 29;

    return !(fabsf(x) >= 0x1p-126f) ? 0 : (int32_t)sem_tex_floor((double)(x > far ? far : x < -far ? -far : x));
}

SEM int32_t sem_tex_fixed(float x)
{
    const float far = 1 << 21;

    if (x != x) {
        return -TEX_ONE / 2;
    }
    return (int32_t)sem_tex_floor((double)(x > far ? far : x < -far ? -far : x) * TEX_ONE + 0.5) - TEX_ONE / 2;
}

/* --- weights ------------------------------------------------------------------------------------------------------ */
/*
 * Part a weight among the eight texels around a place: number x + 2 y + 4 z has the low (0) or high (1) texel of each
 * axis. `fraction` is what the high ones get, of TEX_ONE.  z is parted first, then x, then y; products are rounded half
 * up, but half down for z, and for y on the low side of x.
 */
SEM void sem_tex_weights(int32_t whole, const int32_t fraction[3], int32_t weight[8])
{
    const int32_t half = TEX_ONE / 2, high_z = (whole * fraction[2] + half - 1) >> TEX_FRACTION_BITS;

    for (int z = 0; z < 2; z++) {
        const int32_t slice = z == 0 ? whole - high_z : high_z;
        const int32_t high_x = (slice * fraction[0] + half) >> TEX_FRACTION_BITS, low_x = slice - high_x;
        const int32_t low_high = (low_x * fraction[1] + half - 1) >> TEX_FRACTION_BITS;
        const int32_t high_high = (high_x * fraction[1] + half) >> TEX_FRACTION_BITS;

        weight[4 * z] = low_x - low_high;
        weight[4 * z + 1] = high_x - high_high;
        weight[4 * z + 2] = low_high;
        weight[4 * z + 3] = high_high;
    }
}

/* At the corner of a cube texel `missing` of four does not exist: the others share its weight. */
SEM void sem_tex_share(int32_t weight[4], int missing)
{
    const int32_t third = (weight[missing] + 1) / 3;

    weight[missing ^ 1] += third;
    weight[missing ^ 2] += third;
    weight[missing ^ 3] += weight[missing] - 2 * third;
    weight[missing] = 0;
}

/* --- sums --------------------------------------------------------------------------------------------------------- */
/* Integers of 8 bits are spread to 16 before they are summed; the sum is rounded to 16 bits, half up. */
SEM float sem_tex_sum_unorm(int64_t sum)
{
    return (float)((sum + TEX_ONE / 2) >> TEX_FRACTION_BITS) / 65535.0f;
}

SEM float sem_tex_sum_snorm16(int64_t sum)
{
    return (float)((sum + TEX_ONE / 2) >> TEX_FRACTION_BITS) / 32767.0f;
}

/* Signed ones are summed as they are; of the small part of 32767 / 127 only the highest bits are added. */
SEM float sem_tex_sum_snorm8(int64_t sum)
{
    return sem_tex_sum_snorm16(258 * sum + (sum >> 12) * 32);
}

/* How sums of floating-point texels are formed. */
struct sem_tex_precision {
    int guard;       /* bits of a texel below the highest bit of the largest one; those beyond are cut off */
    int mantissa;    /* bits of the result */
    bool rounded_up; /* a texel from 1.875 on, short of the next power of two, counts as that power: tables of sRGB */
};

/* Denormals are 0. */
SEM int sem_tex_exponent(uint32_t bits, bool rounded_up)
{
    const int exponent = (int)(bits >> 23 & 255);

    return exponent != 0 && rounded_up && (bits & 0x7fffff) >= 0x700000 ? exponent + 1 : exponent;
}

/*
 * `sum` times 2^(scale - 127) as an f32 with as many bits of mantissa as asked for, rounded half away from zero.  Small
 * results are 0, or multiples of the smallest half.
 */
SEM uint32_t sem_tex_round(int64_t sum, int scale, int mantissa)
{
    const uint32_t sign = sum < 0 ? SEM_SIGN_F32 : 0;
    const int smallest_half = 127 - 24;
    uint64_t a = (uint64_t)(sum < 0 ? -sum : sum);

    if (a == 0) {
        return 0;
    }
    int drop = 63 - __builtin_clzll(a) - mantissa;

    drop = mantissa == 10 && smallest_half - scale > drop ? smallest_half - scale : drop;
    drop = drop > 62 ? 62 : drop;
    a = drop > 0 ? (a + ((uint64_t)1 << (drop - 1))) >> drop : a << -drop;
    const int top = a == 0 ? 0 : 63 - __builtin_clzll(a), exponent = top + drop + scale;

    if (a == 0 || exponent <= 0) {
        return sign;
    }
    return exponent >= 255 ? sign | 0x7f800000
                           : sign | (uint32_t)exponent << 23 | (uint32_t)(a << 23 >> top & 0x7fffff);
}

/* Infinities and no numbers, if there are any: the sum then. */
SEM bool sem_tex_unusual(const uint32_t *texel, int n, uint32_t *sum)
{
    bool plus = false, minus = false, nan = false;

    for (int i = 0; i < n; i++) {
        nan = nan || (texel[i] & 0x7fffffff) > 0x7f800000;
        plus = plus || texel[i] == 0x7f800000;
        minus = minus || texel[i] == 0xff800000;
    }
    *sum = nan || (plus && minus) ? 0x7fffffff : plus ? 0x7f800000 : 0xff800000;
    return nan || plus || minus;
}

/* Texels as bits of f32, none of weight 0, times their weights of TEX_ONE. */
SEM uint32_t sem_tex_sum_float(const uint32_t *texel, const int32_t *weight, int n, struct sem_tex_precision p)
{
    int most = 0;
    uint32_t all = SEM_SIGN_F32, sum_of_unusual;
    int64_t sum = 0;

    if (sem_tex_unusual(texel, n, &sum_of_unusual)) {
        return sum_of_unusual;
    }
    for (int i = 0; i < n; i++) {
        const int exponent = sem_tex_exponent(texel[i], p.rounded_up);

        most = exponent > most ? exponent : most;
        all &= texel[i];
    }
    if (most == 0) {
        return all;
    }
    for (int i = 0; i < n; i++) {
        const int exponent = (int)(texel[i] >> 23 & 255), shift = 23 - p.guard + most - exponent;
        const int64_t mantissa = exponent == 0 || shift > 31 ? 0 : (int64_t)(texel[i] & 0x7fffff) | 0x800000;
        const int64_t aligned = shift >= 0 ? mantissa >> (shift & 31) : mantissa << -shift;

        sum += (texel[i] & SEM_SIGN_F32 ? -aligned : aligned) * weight[i];
    }
    return sem_tex_round(sum, most - p.guard - TEX_FRACTION_BITS, p.mantissa);
}

/* --- levels ------------------------------------------------------------------------------------------------------- */
/* A level in 1/256, cut off. */
SEM int32_t sem_tex_level_fixed(float level)
{
    return (int32_t)sem_tex_floor((double)level * TEX_ONE);
}

/* The length of a vector, or of a footprint with two sides, as the texture unit estimates it. */
SEM float sem_tex_length(float a, float b)
{
    const float x = fabsf(a), y = fabsf(b), more = x > y ? x : y, less = x > y ? y : x;

    return more + less * 0.34375f;
}

SEM float sem_tex_footprint(float a, float b)
{
    const float more = a > b ? a : b, joined = (a + b) * 0.6875f;

    return joined > more ? joined : more;
}

/* The level whose texels are as large as a footprint, in texels of level 0. */
SEM float sem_tex_level(float footprint)
{
    return footprint > 0 ? log2f(footprint) : -INFINITY;
}

/* --- cubes -------------------------------------------------------------------------------------------------------- */
enum sem_tex_face { TEX_POSITIVE_X, TEX_NEGATIVE_X, TEX_POSITIVE_Y, TEX_NEGATIVE_Y, TEX_POSITIVE_Z, TEX_NEGATIVE_Z };

/* The face that a direction goes through.  Of equal magnitudes z comes first, then y. */
SEM unsigned sem_tex_face(float x, float y, float z)
{
    const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);

    if (az >= ax && az >= ay) {
        return signbit(z) ? TEX_NEGATIVE_Z : TEX_POSITIVE_Z;
    }
    if (ay >= ax) {
        return signbit(y) ? TEX_NEGATIVE_Y : TEX_POSITIVE_Y;
    }
    return signbit(x) ? TEX_NEGATIVE_X : TEX_POSITIVE_X;
}

/* Directions to coordinates of a face, s to the right, t down, m away from the centre; and back. */
#define SEM_TEX_FACES(type)                                                                                   \
    SEM void sem_tex_to_face_##type(unsigned face, const type v[3], type stm[3])                              \
    {                                                                                                         \
        const type x = v[0], y = v[1], z = v[2];                                                              \
        const type s[6] = {-z, z, x, x, x, -x}, t[6] = {-y, -y, z, -z, -y, -y}, m[6] = {x, -x, y, -y, z, -z}; \
        stm[0] = s[face];                                                                                     \
        stm[1] = t[face];                                                                                     \
        stm[2] = m[face];                                                                                     \
    }
SEM_TEX_FACES(float)
SEM_TEX_FACES(int32_t)

SEM void sem_tex_from_face(unsigned face, const int32_t stm[3], int32_t v[3])
{
    const int32_t s = stm[0], t = stm[1], m = stm[2];
    const int32_t x[6] = {m, -m, s, s, s, -s}, y[6] = {-t, -t, m, -m, -t, -t}, z[6] = {-s, s, t, -t, m, -m};

    v[0] = x[face];
    v[1] = y[face];
    v[2] = z[face];
}

/* A coordinate of a face, -m to m, as a fraction of the face; the middle where there is no direction. */
SEM double sem_tex_on_face(float s, float m)
{
    return m == 0 ? 0.5 : (double)s / (double)m * 0.5 + 0.5;
}

#endif
