/*
 * What the texture unit computes: texels to words, coordinates to places and weights, places and weights to sums.  Pure
 * functions of numbers; which texels there are and where they lie is texture_sample.c's business.
 *
 * Coordinates are fixed-point numbers with 8 fractional bits behind the point (TEX_ONE is one texel), so weights are
 * multiples of 1/256 from 0 to 1.
 */
#ifndef EMU_SEM_TEX_H
#define EMU_SEM_TEX_H

#include <math.h>

#include "emu/sem_cvt.h"
#include "emu/texture.h"

enum { TEX_FRACTION_BITS = 8, TEX_ONE = 1 << TEX_FRACTION_BITS };

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

/* A fraction as an sRGB channel has it to a linear one. */
SEM float sem_tex_srgb(float c)
{
    return c <= 0.04045f ? (float)(c / 12.92) : (float)pow((c + 0.055) / 1.055, 2.4);
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

/* Integers are clamped to what the channel holds, floats are rounded. */
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
        return bits == 16 ? sem_cvt_f16_f32(sem_as_f32(word), SEM_RN, 0) : word;
    case EMU_CHANNEL_UNORM:
        return (uint32_t)sem_tex_scaled(sem_as_f32(word), 0, (float)most);
    default:
        return (uint32_t)sem_tex_scaled(sem_as_f32(word), -1, (float)most_signed);
    }
}

/* --- coordinates -------------------------------------------------------------------------------------------------- */
/* The largest integer that is not larger, for numbers that an int32_t holds. */
SEM int32_t sem_tex_whole(float x)
{
    const int32_t i = (int32_t)x;

    return i - (x < (float)i);
}

/* The fraction of a normalised coordinate that repeats: in [0, 1].  Numbers without one, and no numbers, are 0. */
SEM float sem_tex_wrap(float u)
{
    return fabsf(u) < 0x1p23f ? u - (float)sem_tex_whole(u) : 0;
}

/* Every second repetition is backwards. */
SEM float sem_tex_mirror(float u)
{
    const int32_t whole = fabsf(u) < 0x1p23f ? sem_tex_whole(u) : 0;
    const float fraction = sem_tex_wrap(u);

    return (whole & 1) == 0 ? fraction : 1 - fraction;
}

/* A coordinate in texels as a fixed-point number; what lies far outside saturates, NaN is 0. */
SEM int32_t sem_tex_fixed(float x)
{
    const float far = 1 << 21;

    if (!(x > -far)) {
        return x != x ? 0 : -(1 << 21) * TEX_ONE;
    }
    return x > far ? (1 << 21) * TEX_ONE : (int32_t)lrintf(x * TEX_ONE);
}

/* The texel that holds the coordinate. */
SEM int32_t sem_tex_nearest(float x)
{
    const float far = 1 << 29;

    if (!(x > -far)) {
        return x != x ? 0 : -(1 << 29);
    }
    return x > far ? 1 << 29 : sem_tex_whole(x);
}

/* --- sums --------------------------------------------------------------------------------------------------------- */
/* One value between two: `fraction` of 256 parts from b. */
SEM float sem_tex_blend(float a, float b, int32_t fraction)
{
    return (float)(((double)a * (TEX_ONE - fraction) + (double)b * fraction) / TEX_ONE);
}

/* --- levels ------------------------------------------------------------------------------------------------------- */
/* The level whose texels are as far apart as samples, whose squared distance in texels of level 0 is given. */
SEM float sem_tex_level(float squared)
{
    return squared > 0 ? 0.5f * log2f(squared) : -INFINITY;
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

/* A coordinate of a face, -m to m, as a fraction of the face. */
SEM float sem_tex_on_face(float s, float m)
{
    return 0.5f * (s / m) + 0.5f;
}

#endif
