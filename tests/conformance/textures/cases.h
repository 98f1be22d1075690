/*
 * The texture fetches whose results were recorded on hardware: what each case binds, and where it fetches.  Plain C
 * that is also CUDA C++, because the program that records on a GPU (record.cu) and the test that compares (textures.c)
 * both include it: contents and coordinates are computed, never stored.  Invariant: a row that was recorded is never
 * changed; new ones are added at the end.
 */
#ifndef TEXTURE_CASES_H
#define TEXTURE_CASES_H

#include <stdint.h>
#include <string.h>

/* clang-format off */
enum tc_op { TC_TEX, TC_FETCH, TC_LEVEL, TC_GRAD, TC_GATHER_R, TC_GATHER_G, TC_GATHER_B, TC_GATHER_A, TC_OFFSET, TC_HALF, TC_QUERY };
enum tc_geometry { TC_1D, TC_2D, TC_3D, TC_A1D, TC_A2D, TC_CUBE, TC_ACUBE };
enum tc_format { TC_U8, TC_U16, TC_U32, TC_S8, TC_S16, TC_S32, TC_F16, TC_F32 };
enum tc_resource { TC_ARRAY, TC_MIPMAP, TC_LINEAR, TC_PITCH };
enum tc_address { TC_WRAP, TC_CLAMP, TC_MIRROR, TC_BORDER };
enum tc_filter { TC_POINT, TC_LINEAR_FILTER };
/* Contents. */
enum tc_fill {
    TC_INDEX,   /* texel i has i in its first channel, i + 1000 in the second, ... */
    TC_HASH,    /* any bits; floats are between -1 and 1 */
    TC_WIDE,    /* floats of many magnitudes */
    TC_ONE_HOT, /* f32x4: texel i has 1 in channel i */
    TC_ONE_HOT_HIGH, /* texel i has 1 in channel i - 4 */
    TC_BITS,    /* texel i has the bit pattern i * 65536 / texels, or i where that is fewer */
    TC_SPECIAL, /* f32: infinities, NaNs, denormals, largest */
};
/* Coordinates. */
enum tc_walk {
    TC_SWEEP,    /* x from low to high in n steps, y and z at 0.375 + their own size's middle */
    TC_RANDOM,   /* all between low and high */
    TC_CORNERS,  /* near multiples of 1 (unnormalised) or 1/width: within 2^-9 */
    TC_ODD,      /* NaN, infinities, very large and very small numbers */
    TC_GRID,     /* integers: every texel and two beyond each side */
    TC_AXES,     /* cube: directions with components of -1, 0, 1 and near ties */
    TC_SPHERE,   /* cube: any direction */
};
struct tc_case {
    const char *name;
    uint8_t op, geometry, resource, format, channels;
    uint16_t width, height, depth; /* depth: also layers */
    uint8_t levels;
    uint8_t address, filter, mip_filter;
    uint8_t normalized, as_float, srgb, seamless;
    uint8_t fill, walk;
    float low, high;       /* of x, y, z */
    float level_low, level_high; /* of the level, or the logarithm of gradients */
    float bias, min_level, max_level;
    uint16_t n;            /* samples */
    uint8_t words;         /* of each result that are recorded: the first one or all four */
};

#define TC_PLAIN(name, op, geometry, format, channels, w, h, d, address, filter, normalized, as_float, fill, walk, low, high, n, words) \
    {name, op, geometry, TC_ARRAY, format, channels, w, h, d, 1, address, filter, TC_POINT, normalized, as_float, 0, 0, fill, walk, low, high, 0, 0, 0, 0, 0, n, words}
#define TC_MIPS(name, op, geometry, w, h, d, levels, address, filter, mip, fill, walk, low, high, l0, l1, bias, lmin, lmax, n, words) \
    {name, op, geometry, TC_MIPMAP, TC_F32, 1, w, h, d, levels, address, filter, mip, 1, 0, 0, 0, fill, walk, low, high, l0, l1, bias, lmin, lmax, n, words}

static const struct tc_case tc_cases[] = {
    /* weights: how coordinates become fractions, how fractions become sums */
    TC_PLAIN("ramp 1d",            TC_TEX, TC_1D, TC_F32, 1, 8, 0, 0, TC_CLAMP, TC_LINEAR_FILTER, 0, 0, TC_INDEX, TC_SWEEP, -1, 9, 10240, 1),
    TC_PLAIN("ramp 1d fine",       TC_TEX, TC_1D, TC_F32, 1, 8, 0, 0, TC_CLAMP, TC_LINEAR_FILTER, 0, 0, TC_INDEX, TC_SWEEP, 2.49f, 2.53f, 4096, 1),
    TC_PLAIN("values 1d",          TC_TEX, TC_1D, TC_F32, 1, 8, 0, 0, TC_BORDER, TC_LINEAR_FILTER, 0, 0, TC_HASH, TC_RANDOM, -1, 9, 4096, 1),
    TC_PLAIN("wide values 1d",     TC_TEX, TC_1D, TC_F32, 1, 64, 0, 0, TC_CLAMP, TC_LINEAR_FILTER, 0, 0, TC_WIDE, TC_RANDOM, 0, 64, 4096, 1),
    TC_PLAIN("special values 1d",  TC_TEX, TC_1D, TC_F32, 1, 16, 0, 0, TC_CLAMP, TC_LINEAR_FILTER, 0, 0, TC_SPECIAL, TC_SWEEP, 0, 16, 512, 1),
    TC_PLAIN("special values point", TC_TEX, TC_1D, TC_F32, 1, 16, 0, 0, TC_CLAMP, TC_POINT, 0, 0, TC_SPECIAL, TC_SWEEP, 0, 16, 32, 4),
    TC_PLAIN("ramp 1d normalised", TC_TEX, TC_1D, TC_F32, 1, 8, 0, 0, TC_CLAMP, TC_LINEAR_FILTER, 1, 0, TC_INDEX, TC_SWEEP, -0.1f, 1.1f, 4096, 1),
    TC_PLAIN("ramp 1d of 7",       TC_TEX, TC_1D, TC_F32, 1, 7, 0, 0, TC_CLAMP, TC_LINEAR_FILTER, 1, 0, TC_INDEX, TC_RANDOM, 0, 1, 4096, 1),
    TC_PLAIN("ramp 1d of 1000",    TC_TEX, TC_1D, TC_F32, 1, 1000, 0, 0, TC_CLAMP, TC_LINEAR_FILTER, 1, 0, TC_INDEX, TC_RANDOM, 0, 1, 4096, 1),
    TC_PLAIN("weights 2d",         TC_TEX, TC_2D, TC_F32, 4, 2, 2, 0, TC_CLAMP, TC_LINEAR_FILTER, 0, 0, TC_ONE_HOT, TC_RANDOM, 0, 2, 4096, 4),
    TC_PLAIN("values 2d",          TC_TEX, TC_2D, TC_F32, 1, 5, 4, 0, TC_CLAMP, TC_LINEAR_FILTER, 0, 0, TC_HASH, TC_RANDOM, -1, 6, 8192, 1),
    TC_PLAIN("wide values 2d",     TC_TEX, TC_2D, TC_F32, 1, 9, 9, 0, TC_CLAMP, TC_LINEAR_FILTER, 0, 0, TC_WIDE, TC_RANDOM, 0, 9, 4096, 1),
    TC_PLAIN("weights 3d low",     TC_TEX, TC_3D, TC_F32, 4, 2, 2, 2, TC_CLAMP, TC_LINEAR_FILTER, 0, 0, TC_ONE_HOT, TC_RANDOM, 0, 2, 3000, 4),
    TC_PLAIN("weights 3d high",    TC_TEX, TC_3D, TC_F32, 4, 2, 2, 2, TC_CLAMP, TC_LINEAR_FILTER, 0, 0, TC_ONE_HOT_HIGH, TC_RANDOM, 0, 2, 3000, 4),
    TC_PLAIN("values 3d",          TC_TEX, TC_3D, TC_F32, 1, 4, 5, 3, TC_BORDER, TC_LINEAR_FILTER, 0, 0, TC_HASH, TC_RANDOM, -1, 6, 4096, 1),
    /* sums of other formats */
    TC_PLAIN("linear u8",          TC_TEX, TC_2D, TC_U8, 4, 5, 4, 0, TC_CLAMP, TC_LINEAR_FILTER, 0, 1, TC_HASH, TC_RANDOM, -1, 6, 2048, 4),
    TC_PLAIN("linear s8",          TC_TEX, TC_2D, TC_S8, 2, 5, 4, 0, TC_CLAMP, TC_LINEAR_FILTER, 0, 1, TC_HASH, TC_RANDOM, -1, 6, 1024, 4),
    TC_PLAIN("linear u16",         TC_TEX, TC_2D, TC_U16, 1, 5, 4, 0, TC_CLAMP, TC_LINEAR_FILTER, 0, 1, TC_HASH, TC_RANDOM, -1, 6, 4096, 1),
    TC_PLAIN("linear s16",         TC_TEX, TC_2D, TC_S16, 1, 5, 4, 0, TC_CLAMP, TC_LINEAR_FILTER, 0, 1, TC_HASH, TC_RANDOM, -1, 6, 4096, 1),
    TC_PLAIN("linear f16",         TC_TEX, TC_2D, TC_F16, 1, 5, 4, 0, TC_CLAMP, TC_LINEAR_FILTER, 0, 0, TC_HASH, TC_RANDOM, -1, 6, 4096, 1),
    TC_PLAIN("linear u8 1d",       TC_TEX, TC_1D, TC_U8, 1, 16, 0, 0, TC_CLAMP, TC_LINEAR_FILTER, 0, 1, TC_HASH, TC_SWEEP, 0, 16, 4096, 1),
    TC_PLAIN("linear u8 3d",       TC_TEX, TC_3D, TC_U8, 1, 4, 4, 4, TC_CLAMP, TC_LINEAR_FILTER, 0, 1, TC_HASH, TC_RANDOM, 0, 4, 4096, 1),
    /* conversions */
    TC_PLAIN("every u8",           TC_TEX, TC_1D, TC_U8, 1, 256, 0, 0, TC_CLAMP, TC_POINT, 0, 1, TC_BITS, TC_SWEEP, 0, 256, 256, 4),
    TC_PLAIN("every s8",           TC_TEX, TC_1D, TC_S8, 1, 256, 0, 0, TC_CLAMP, TC_POINT, 0, 1, TC_BITS, TC_SWEEP, 0, 256, 256, 4),
    TC_PLAIN("every u16",          TC_TEX, TC_1D, TC_U16, 1, 16384, 0, 0, TC_CLAMP, TC_POINT, 0, 1, TC_BITS, TC_SWEEP, 0, 16384, 16384, 1),
    TC_PLAIN("every s16",          TC_TEX, TC_1D, TC_S16, 1, 16384, 0, 0, TC_CLAMP, TC_POINT, 0, 1, TC_BITS, TC_SWEEP, 0, 16384, 16384, 1),
    TC_PLAIN("every f16",          TC_TEX, TC_1D, TC_F16, 1, 16384, 0, 0, TC_CLAMP, TC_POINT, 0, 0, TC_BITS, TC_SWEEP, 0, 16384, 16384, 1),
    TC_PLAIN("elements u8",        TC_TEX, TC_1D, TC_U8, 2, 256, 0, 0, TC_CLAMP, TC_POINT, 0, 0, TC_BITS, TC_SWEEP, 0, 256, 256, 4),
    TC_PLAIN("elements s8",        TC_TEX, TC_1D, TC_S8, 4, 256, 0, 0, TC_CLAMP, TC_POINT, 0, 0, TC_BITS, TC_SWEEP, 0, 256, 256, 4),
    TC_PLAIN("elements u16",       TC_TEX, TC_1D, TC_U16, 2, 256, 0, 0, TC_CLAMP, TC_POINT, 0, 0, TC_BITS, TC_SWEEP, 0, 256, 256, 4),
    TC_PLAIN("elements s16",       TC_TEX, TC_1D, TC_S16, 1, 256, 0, 0, TC_CLAMP, TC_POINT, 0, 0, TC_BITS, TC_SWEEP, 0, 256, 256, 4),
    TC_PLAIN("elements u32",       TC_TEX, TC_1D, TC_U32, 2, 256, 0, 0, TC_CLAMP, TC_POINT, 0, 0, TC_HASH, TC_SWEEP, 0, 256, 256, 4),
    TC_PLAIN("elements s32",       TC_TEX, TC_1D, TC_S32, 1, 256, 0, 0, TC_CLAMP, TC_POINT, 0, 0, TC_HASH, TC_SWEEP, 0, 256, 256, 4),
    {"srgb", TC_TEX, TC_2D, TC_ARRAY, TC_U8, 4, 256, 1, 0, 1, TC_CLAMP, TC_POINT, TC_POINT, 0, 1, 1, 0, TC_BITS, TC_SWEEP, 0, 256, 0, 0, 0, 0, 0, 256, 4},
    {"srgb linear", TC_TEX, TC_2D, TC_ARRAY, TC_U8, 4, 4, 4, 0, 1, TC_CLAMP, TC_LINEAR_FILTER, TC_POINT, 0, 1, 1, 0, TC_HASH, TC_RANDOM, 0, 4, 0, 0, 0, 0, 0, 1024, 4},
    TC_PLAIN("half from f32",      TC_HALF, TC_1D, TC_F32, 1, 64, 0, 0, TC_CLAMP, TC_LINEAR_FILTER, 0, 0, TC_WIDE, TC_RANDOM, 0, 64, 2048, 4),
    TC_PLAIN("half from u8",       TC_HALF, TC_1D, TC_U8, 1, 256, 0, 0, TC_CLAMP, TC_POINT, 0, 1, TC_BITS, TC_SWEEP, 0, 256, 256, 4),
    /* where points fall */
    TC_PLAIN("corners 1d",         TC_TEX, TC_1D, TC_U32, 1, 16, 0, 0, TC_CLAMP, TC_POINT, 0, 0, TC_INDEX, TC_CORNERS, 0, 16, 8192, 1),
    TC_PLAIN("corners 1d large",   TC_TEX, TC_1D, TC_U32, 1, 16384, 0, 0, TC_CLAMP, TC_POINT, 0, 0, TC_INDEX, TC_CORNERS, 0, 16384, 8192, 1),
    TC_PLAIN("corners 1d normalised", TC_TEX, TC_1D, TC_U32, 1, 16, 0, 0, TC_CLAMP, TC_POINT, 1, 0, TC_INDEX, TC_CORNERS, 0, 1, 4096, 1),
    TC_PLAIN("corners 1d of 1000", TC_TEX, TC_1D, TC_U32, 1, 1000, 0, 0, TC_WRAP, TC_POINT, 1, 0, TC_INDEX, TC_CORNERS, 0, 1, 4096, 1),
    TC_PLAIN("corners 2d",         TC_TEX, TC_2D, TC_U32, 1, 13, 16, 0, TC_CLAMP, TC_POINT, 0, 0, TC_INDEX, TC_CORNERS, 0, 13, 4096, 1),
    TC_PLAIN("corners 3d",         TC_TEX, TC_3D, TC_U32, 1, 8, 8, 8, TC_CLAMP, TC_POINT, 0, 0, TC_INDEX, TC_CORNERS, 0, 8, 4096, 1),
    TC_PLAIN("odd 1d",             TC_TEX, TC_1D, TC_U32, 1, 16, 0, 0, TC_CLAMP, TC_POINT, 0, 0, TC_INDEX, TC_ODD, 0, 16, 128, 4),
    TC_PLAIN("odd 1d border",      TC_TEX, TC_1D, TC_U32, 1, 16, 0, 0, TC_BORDER, TC_POINT, 0, 0, TC_INDEX, TC_ODD, 0, 16, 128, 4),
    TC_PLAIN("odd 1d wrap",        TC_TEX, TC_1D, TC_U32, 1, 16, 0, 0, TC_WRAP, TC_POINT, 1, 0, TC_INDEX, TC_ODD, 0, 1, 128, 4),
    TC_PLAIN("odd 1d mirror",      TC_TEX, TC_1D, TC_U32, 1, 16, 0, 0, TC_MIRROR, TC_POINT, 1, 0, TC_INDEX, TC_ODD, 0, 1, 128, 4),
    TC_PLAIN("odd 1d linear",      TC_TEX, TC_1D, TC_F32, 1, 16, 0, 0, TC_CLAMP, TC_LINEAR_FILTER, 1, 0, TC_INDEX, TC_ODD, 0, 1, 128, 4),
    /* address modes */
    TC_PLAIN("wrap point",         TC_TEX, TC_1D, TC_U32, 1, 6, 0, 0, TC_WRAP, TC_POINT, 1, 0, TC_INDEX, TC_SWEEP, -3, 3, 3000, 1),
    TC_PLAIN("mirror point",       TC_TEX, TC_1D, TC_U32, 1, 6, 0, 0, TC_MIRROR, TC_POINT, 1, 0, TC_INDEX, TC_SWEEP, -3, 3, 3000, 1),
    TC_PLAIN("clamp point",        TC_TEX, TC_1D, TC_U32, 1, 6, 0, 0, TC_CLAMP, TC_POINT, 1, 0, TC_INDEX, TC_SWEEP, -3, 3, 1000, 1),
    TC_PLAIN("border point",       TC_TEX, TC_1D, TC_U32, 1, 6, 0, 0, TC_BORDER, TC_POINT, 1, 0, TC_INDEX, TC_SWEEP, -3, 3, 1000, 4),
    TC_PLAIN("wrap linear",        TC_TEX, TC_1D, TC_F32, 1, 6, 0, 0, TC_WRAP, TC_LINEAR_FILTER, 1, 0, TC_HASH, TC_SWEEP, -3, 3, 3000, 1),
    TC_PLAIN("mirror linear",      TC_TEX, TC_1D, TC_F32, 1, 6, 0, 0, TC_MIRROR, TC_LINEAR_FILTER, 1, 0, TC_HASH, TC_SWEEP, -3, 3, 3000, 1),
    TC_PLAIN("clamp linear",       TC_TEX, TC_1D, TC_F32, 1, 6, 0, 0, TC_CLAMP, TC_LINEAR_FILTER, 1, 0, TC_HASH, TC_SWEEP, -1, 2, 1500, 1),
    TC_PLAIN("border linear",      TC_TEX, TC_1D, TC_F32, 1, 6, 0, 0, TC_BORDER, TC_LINEAR_FILTER, 1, 0, TC_HASH, TC_SWEEP, -1, 2, 1500, 4),
    TC_PLAIN("wrap 2d linear",     TC_TEX, TC_2D, TC_F32, 1, 6, 5, 0, TC_WRAP, TC_LINEAR_FILTER, 1, 0, TC_HASH, TC_RANDOM, -2, 2, 3000, 1),
    TC_PLAIN("mirror 2d linear",   TC_TEX, TC_2D, TC_F32, 1, 6, 5, 0, TC_MIRROR, TC_LINEAR_FILTER, 1, 0, TC_HASH, TC_RANDOM, -2, 2, 3000, 1),
    TC_PLAIN("border u8 float",    TC_TEX, TC_1D, TC_U8, 2, 6, 0, 0, TC_BORDER, TC_POINT, 1, 1, TC_HASH, TC_SWEEP, -1, 2, 256, 4),
    TC_PLAIN("wrap unnormalised",  TC_TEX, TC_1D, TC_U32, 1, 6, 0, 0, TC_WRAP, TC_POINT, 0, 0, TC_INDEX, TC_SWEEP, -12, 12, 1000, 1),
    TC_PLAIN("mirror unnormalised", TC_TEX, TC_1D, TC_U32, 1, 6, 0, 0, TC_MIRROR, TC_POINT, 0, 0, TC_INDEX, TC_SWEEP, -12, 12, 1000, 1),
    /* integer coordinates */
    TC_PLAIN("fetch 1d",           TC_FETCH, TC_1D, TC_U32, 1, 12, 0, 0, TC_CLAMP, TC_POINT, 0, 0, TC_INDEX, TC_GRID, -4, 16, 32, 4),
    TC_PLAIN("fetch 1d border",    TC_FETCH, TC_1D, TC_U32, 1, 12, 0, 0, TC_BORDER, TC_POINT, 0, 0, TC_INDEX, TC_GRID, -4, 16, 32, 4),
    TC_PLAIN("fetch 2d",           TC_FETCH, TC_2D, TC_U32, 1, 5, 4, 0, TC_CLAMP, TC_POINT, 0, 0, TC_INDEX, TC_GRID, -2, 7, 128, 4),
    TC_PLAIN("fetch 2d wrap",      TC_FETCH, TC_2D, TC_U32, 1, 5, 4, 0, TC_WRAP, TC_POINT, 1, 0, TC_INDEX, TC_GRID, -2, 7, 128, 4),
    TC_PLAIN("fetch 3d",           TC_FETCH, TC_3D, TC_U32, 1, 3, 3, 3, TC_BORDER, TC_POINT, 0, 0, TC_INDEX, TC_GRID, -1, 4, 256, 4),
    TC_PLAIN("fetch 2d linear",    TC_FETCH, TC_2D, TC_F32, 1, 5, 4, 0, TC_CLAMP, TC_LINEAR_FILTER, 0, 0, TC_INDEX, TC_GRID, -2, 7, 128, 4),
    TC_PLAIN("fetch a1d",          TC_FETCH, TC_A1D, TC_U32, 1, 5, 0, 4, TC_CLAMP, TC_POINT, 0, 0, TC_INDEX, TC_GRID, -2, 7, 128, 4),
    TC_PLAIN("fetch a2d",          TC_FETCH, TC_A2D, TC_U32, 1, 4, 3, 3, TC_CLAMP, TC_POINT, 0, 0, TC_INDEX, TC_GRID, -2, 6, 512, 4),
    {"fetch linear", TC_FETCH, TC_1D, TC_LINEAR, TC_U32, 1, 13, 0, 0, 1, TC_CLAMP, TC_POINT, TC_POINT, 0, 0, 0, 0, TC_INDEX, TC_GRID, -4, 20, 0, 0, 0, 0, 0, 32, 4},
    {"fetch linear u8x4", TC_FETCH, TC_1D, TC_LINEAR, TC_U8, 4, 13, 0, 0, 1, TC_CLAMP, TC_POINT, TC_POINT, 0, 1, 0, 0, TC_HASH, TC_GRID, -4, 20, 0, 0, 0, 0, 0, 32, 4},
    {"pitch linear", TC_TEX, TC_2D, TC_PITCH, TC_F32, 1, 7, 5, 0, 1, TC_BORDER, TC_LINEAR_FILTER, TC_POINT, 0, 0, 0, 0, TC_HASH, TC_RANDOM, -2, 9, 0, 0, 0, 0, 0, 2048, 1},
    {"pitch point", TC_TEX, TC_2D, TC_PITCH, TC_U16, 2, 7, 5, 0, 1, TC_CLAMP, TC_POINT, TC_POINT, 0, 0, 0, 0, TC_HASH, TC_CORNERS, 0, 7, 0, 0, 0, 0, 0, 512, 4},
    {"pitch wrap", TC_TEX, TC_2D, TC_PITCH, TC_F32, 1, 7, 5, 0, 1, TC_WRAP, TC_LINEAR_FILTER, TC_POINT, 1, 0, 0, 0, TC_HASH, TC_RANDOM, -2, 2, 0, 0, 0, 0, 0, 1024, 1},
    /* layers: the walk goes through layers below and above those that there are */
    TC_PLAIN("layers 1d",          TC_TEX, TC_A1D, TC_U32, 1, 4, 0, 5, TC_CLAMP, TC_POINT, 0, 0, TC_INDEX, TC_RANDOM, -1, 5, 512, 1),
    TC_PLAIN("layers 2d",          TC_TEX, TC_A2D, TC_F32, 1, 4, 3, 5, TC_CLAMP, TC_LINEAR_FILTER, 0, 0, TC_HASH, TC_RANDOM, -1, 5, 2048, 1),
    TC_PLAIN("layers 2d border",   TC_TEX, TC_A2D, TC_U32, 1, 4, 3, 5, TC_BORDER, TC_POINT, 0, 0, TC_INDEX, TC_RANDOM, -1, 5, 1024, 1),
    /* cubes */
    TC_PLAIN("cube axes",          TC_TEX, TC_CUBE, TC_U32, 1, 4, 4, 6, TC_CLAMP, TC_POINT, 1, 0, TC_INDEX, TC_AXES, -1, 1, 1024, 1),
    TC_PLAIN("cube point",         TC_TEX, TC_CUBE, TC_U32, 1, 5, 5, 6, TC_WRAP, TC_POINT, 1, 0, TC_INDEX, TC_SPHERE, -1, 1, 4096, 1),
    TC_PLAIN("cube linear",        TC_TEX, TC_CUBE, TC_F32, 1, 4, 4, 6, TC_CLAMP, TC_LINEAR_FILTER, 1, 0, TC_HASH, TC_SPHERE, -1, 1, 4096, 1),
    {"cube seamless", TC_TEX, TC_CUBE, TC_ARRAY, TC_F32, 1, 4, 4, 6, 1, TC_CLAMP, TC_LINEAR_FILTER, TC_POINT, 1, 0, 0, 1, TC_HASH, TC_SPHERE, -1, 1, 0, 0, 0, 0, 0, 4096, 1},
    {"cube seamless corners", TC_TEX, TC_CUBE, TC_ARRAY, TC_F32, 4, 1, 1, 6, 1, TC_CLAMP, TC_LINEAR_FILTER, TC_POINT, 1, 0, 0, 1, TC_ONE_HOT, TC_SPHERE, -1, 1, 0, 0, 0, 0, 0, 2048, 4},
    {"cube seamless axes", TC_TEX, TC_CUBE, TC_ARRAY, TC_F32, 1, 4, 4, 6, 1, TC_CLAMP, TC_LINEAR_FILTER, TC_POINT, 1, 0, 0, 1, TC_HASH, TC_AXES, -1, 1, 0, 0, 0, 0, 0, 1024, 1},
    TC_PLAIN("cube layers",        TC_TEX, TC_ACUBE, TC_U32, 1, 3, 3, 18, TC_CLAMP, TC_POINT, 1, 0, TC_INDEX, TC_SPHERE, -1, 1, 2048, 1),
    /* gathers */
    TC_PLAIN("gather r",           TC_GATHER_R, TC_2D, TC_U32, 4, 6, 5, 0, TC_CLAMP, TC_POINT, 0, 0, TC_INDEX, TC_RANDOM, -2, 8, 1024, 4),
    TC_PLAIN("gather g",           TC_GATHER_G, TC_2D, TC_U32, 4, 6, 5, 0, TC_BORDER, TC_POINT, 0, 0, TC_INDEX, TC_RANDOM, -2, 8, 512, 4),
    TC_PLAIN("gather b",           TC_GATHER_B, TC_2D, TC_U32, 4, 6, 5, 0, TC_WRAP, TC_POINT, 1, 0, TC_INDEX, TC_RANDOM, -2, 2, 512, 4),
    TC_PLAIN("gather a",           TC_GATHER_A, TC_2D, TC_U8, 4, 6, 5, 0, TC_MIRROR, TC_LINEAR_FILTER, 1, 1, TC_HASH, TC_RANDOM, -2, 2, 512, 4),
    TC_PLAIN("gather missing",     TC_GATHER_B, TC_2D, TC_F32, 1, 6, 5, 0, TC_CLAMP, TC_POINT, 0, 0, TC_INDEX, TC_RANDOM, -2, 8, 64, 4),
    TC_PLAIN("gather corners",     TC_GATHER_R, TC_2D, TC_U32, 1, 13, 16, 0, TC_CLAMP, TC_POINT, 0, 0, TC_INDEX, TC_CORNERS, 0.5f, 13.5f, 2048, 1),
    TC_PLAIN("gather layers",      TC_GATHER_R, TC_A2D, TC_U32, 1, 4, 3, 5, TC_CLAMP, TC_POINT, 0, 0, TC_INDEX, TC_RANDOM, -1, 5, 512, 4),
    TC_PLAIN("gather cube",        TC_GATHER_R, TC_CUBE, TC_U32, 1, 4, 4, 6, TC_CLAMP, TC_POINT, 1, 0, TC_INDEX, TC_SPHERE, -1, 1, 1024, 4),
    /* offsets in texels: (3, -2) */
    TC_PLAIN("offset point",       TC_OFFSET, TC_2D, TC_F32, 1, 8, 8, 0, TC_WRAP, TC_POINT, 1, 0, TC_INDEX, TC_RANDOM, -1, 2, 512, 1),
    TC_PLAIN("offset linear",      TC_OFFSET, TC_2D, TC_F32, 1, 8, 8, 0, TC_CLAMP, TC_LINEAR_FILTER, 1, 0, TC_HASH, TC_RANDOM, -1, 2, 512, 1),
    /* levels */
    TC_MIPS("level point",         TC_LEVEL, TC_2D, 16, 16, 0, 5, TC_CLAMP, TC_POINT, TC_POINT, TC_INDEX, TC_RANDOM, 0, 1, -2, 6, 0, 0, 10, 4096, 1),
    TC_MIPS("level linear",        TC_LEVEL, TC_2D, 16, 16, 0, 5, TC_CLAMP, TC_POINT, TC_LINEAR_FILTER, TC_INDEX, TC_RANDOM, 0, 1, -2, 6, 0, 0, 10, 4096, 1),
    TC_MIPS("level trilinear",     TC_LEVEL, TC_2D, 16, 16, 0, 5, TC_WRAP, TC_LINEAR_FILTER, TC_LINEAR_FILTER, TC_HASH, TC_RANDOM, -1, 2, -1, 5, 0, 0, 10, 4096, 1),
    TC_MIPS("level bias",          TC_LEVEL, TC_2D, 16, 16, 0, 5, TC_CLAMP, TC_POINT, TC_LINEAR_FILTER, TC_INDEX, TC_RANDOM, 0, 1, -2, 6, 0.8125f, 0.5f, 2.75f, 2048, 1),
    TC_MIPS("level odd sizes",     TC_LEVEL, TC_2D, 13, 7, 0, 4, TC_CLAMP, TC_LINEAR_FILTER, TC_LINEAR_FILTER, TC_HASH, TC_RANDOM, 0, 1, 0, 4, 0, 0, 10, 2048, 1),
    TC_MIPS("level 1d",            TC_LEVEL, TC_1D, 32, 0, 0, 6, TC_CLAMP, TC_LINEAR_FILTER, TC_LINEAR_FILTER, TC_HASH, TC_RANDOM, 0, 1, 0, 6, 0, 0, 10, 1024, 1),
    TC_MIPS("level 3d",            TC_LEVEL, TC_3D, 8, 8, 8, 4, TC_CLAMP, TC_LINEAR_FILTER, TC_LINEAR_FILTER, TC_HASH, TC_RANDOM, 0, 1, 0, 4, 0, 0, 10, 1024, 1),
    TC_MIPS("level layers",        TC_LEVEL, TC_A2D, 8, 8, 3, 4, TC_CLAMP, TC_POINT, TC_POINT, TC_INDEX, TC_RANDOM, 0, 1, 0, 4, 0, 0, 10, 1024, 1),
    TC_MIPS("no level",            TC_TEX, TC_2D, 16, 16, 0, 5, TC_CLAMP, TC_LINEAR_FILTER, TC_LINEAR_FILTER, TC_HASH, TC_RANDOM, 0, 1, 0, 0, 0, 0, 10, 256, 1),
    TC_MIPS("no level but bias",   TC_TEX, TC_2D, 16, 16, 0, 5, TC_CLAMP, TC_POINT, TC_LINEAR_FILTER, TC_INDEX, TC_RANDOM, 0, 1, 0, 0, 1.25f, 0, 10, 256, 1),
    TC_MIPS("gradient 2d",         TC_GRAD, TC_2D, 16, 16, 0, 5, TC_CLAMP, TC_POINT, TC_LINEAR_FILTER, TC_INDEX, TC_RANDOM, 0, 1, -8, 2, 0, 0, 10, 4096, 1),
    TC_MIPS("gradient 1d",         TC_GRAD, TC_1D, 32, 0, 0, 6, TC_CLAMP, TC_POINT, TC_LINEAR_FILTER, TC_INDEX, TC_RANDOM, 0, 1, -8, 2, 0, 0, 10, 2048, 1),
    TC_MIPS("gradient 3d",         TC_GRAD, TC_3D, 8, 8, 8, 4, TC_CLAMP, TC_POINT, TC_LINEAR_FILTER, TC_INDEX, TC_RANDOM, 0, 1, -8, 2, 0, 0, 10, 2048, 1),
    /* queries: the n-th sample asks for the n-th attribute */
    TC_PLAIN("query 2d",           TC_QUERY, TC_2D, TC_U8, 4, 6, 5, 0, TC_CLAMP, TC_LINEAR_FILTER, 0, 1, TC_INDEX, TC_GRID, 0, 1, 16, 1),
    TC_PLAIN("query 1d",           TC_QUERY, TC_1D, TC_F32, 1, 6, 0, 0, TC_WRAP, TC_POINT, 1, 0, TC_INDEX, TC_GRID, 0, 1, 16, 1),
    TC_PLAIN("query 3d",           TC_QUERY, TC_3D, TC_S16, 2, 6, 5, 4, TC_MIRROR, TC_POINT, 1, 0, TC_INDEX, TC_GRID, 0, 1, 16, 1),
    TC_PLAIN("query layers",       TC_QUERY, TC_A2D, TC_U32, 1, 6, 5, 4, TC_BORDER, TC_POINT, 0, 0, TC_INDEX, TC_GRID, 0, 1, 16, 1),
    TC_PLAIN("query cube",         TC_QUERY, TC_CUBE, TC_F16, 1, 6, 6, 6, TC_CLAMP, TC_POINT, 1, 0, TC_INDEX, TC_GRID, 0, 1, 16, 1),
    TC_PLAIN("query cube layers",  TC_QUERY, TC_ACUBE, TC_F16, 2, 6, 6, 18, TC_CLAMP, TC_POINT, 1, 0, TC_INDEX, TC_GRID, 0, 1, 16, 1),
    TC_MIPS("query levels",        TC_QUERY, TC_2D, 16, 8, 0, 5, TC_CLAMP, TC_LINEAR_FILTER, TC_LINEAR_FILTER, TC_HASH, TC_GRID, 0, 1, 0, 0, 0, 0, 10, 16, 1),
    {"query linear", TC_QUERY, TC_1D, TC_LINEAR, TC_U32, 1, 13, 0, 0, 1, TC_CLAMP, TC_POINT, TC_POINT, 0, 0, 0, 0, TC_INDEX, TC_GRID, 0, 1, 0, 0, 0, 0, 0, 16, 1},
    {"query pitch", TC_QUERY, TC_2D, TC_PITCH, TC_S8, 2, 7, 5, 0, 1, TC_CLAMP, TC_POINT, TC_POINT, 0, 0, 0, 0, TC_INDEX, TC_GRID, 0, 1, 0, 0, 0, 0, 0, 16, 1},
};
/* clang-format on */
enum { TC_COUNT = sizeof tc_cases / sizeof tc_cases[0] };

/* Where a sample fetches: coordinates, layer, level or gradients. */
struct tc_sample {
    float x[3];
    int32_t i[3];
    int32_t layer;
    float level;
    float dx[3], dy[3];
};

static inline uint32_t tc_hash(uint32_t a, uint32_t b)
{
    uint32_t h = a * 0x9e3779b1u ^ (b + 0x7f4a7c15u) * 0x85ebca6bu;

    h ^= h >> 15;
    h *= 0xc2b2ae35u;
    h ^= h >> 13;
    h *= 0x27d4eb2fu;
    return h ^ h >> 16;
}

static inline float tc_float(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

/* In [low, high). */
static inline float tc_between(uint32_t hash, float low, float high)
{
    return (float)((double)low + ((double)high - (double)low) * ((double)hash / 4294967296.0));
}

/* --- contents ----------------------------------------------------------------------------------------------------- */
static inline unsigned tc_texel_bytes(const struct tc_case *c)
{
    static const uint8_t bytes[] = {1, 2, 4, 1, 2, 4, 2, 4};

    return bytes[c->format] * c->channels;
}

static inline unsigned tc_at_level(unsigned size, unsigned level)
{
    return size == 0 ? 1 : size >> level == 0 ? 1 : size >> level;
}

/* Width, height and depth of a level; layers stay. */
static inline void tc_extent(const struct tc_case *c, unsigned level, unsigned extent[3])
{
    const int layered = c->geometry >= TC_A1D;

    extent[0] = tc_at_level(c->width, level);
    extent[1] = tc_at_level(c->height, level);
    extent[2] = layered ? c->depth : tc_at_level(c->depth, level);
}

static inline uint32_t tc_float_bits(const struct tc_case *c, uint32_t index, unsigned channel)
{
    static const uint32_t special[16] = {0x00000000, 0x80000000, 0x3f800000, 0x7f800000, 0x3f800000, 0xff800000,
                                         0x7f800000, 0x7fc12345, 0x40000000, 0x7f812345, 0x00000001, 0x80012345,
                                         0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff};
    const uint32_t h = tc_hash(index, channel);
    float f = 0;
    uint32_t bits;

    switch (c->fill) {
    case TC_INDEX:
        f = (float)(index + 1000 * channel);
        break;
    case TC_ONE_HOT:
        f = index == channel;
        break;
    case TC_ONE_HOT_HIGH:
        f = index == channel + 4;
        break;
    case TC_WIDE:
        return (h & 0x807fffffu) | (97 + (h >> 23) % 61) << 23;
    case TC_SPECIAL:
        return special[index % 16];
    default:
        f = tc_between(h, -1, 1);
        break;
    }
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* Of small integers and of fractions in [-1, 1) with 10 bits: exact. */
static inline uint16_t tc_half_bits(const struct tc_case *c, uint32_t index, unsigned channel)
{
    const uint32_t h = tc_hash(index, channel);

    if (c->fill == TC_INDEX) {
        return (uint16_t)(0x3c00 + index % 1024);
    }
    return (uint16_t)((h & 0x83ff) | (8 + (h >> 16) % 8) << 10);
}

/* Texel `index` of a level, counted row by row, slice by slice. */
static inline void tc_texel(const struct tc_case *c, unsigned level, uint32_t texels, uint32_t index, uint8_t *out)
{
    const unsigned size = tc_texel_bytes(c) / c->channels;

    for (unsigned k = 0; k < c->channels; k++) {
        const uint32_t pattern = texels < 65536 && size == 2 ? index * (65536 / texels) : index;
        const uint32_t at = index + 4096 * level;
        uint32_t bits = c->fill == TC_BITS ? pattern + 7 * k : c->fill == TC_INDEX ? at + 1000 * k : tc_hash(at, k);

        if (c->format == TC_F32 && c->fill != TC_BITS) {
            bits = tc_float_bits(c, at, k);
        } else if (c->format == TC_F16 && c->fill != TC_BITS) {
            bits = tc_half_bits(c, at, k);
        }
        memcpy(out + k * size, &bits, size);
    }
}

/* --- coordinates -------------------------------------------------------------------------------------------------- */
static inline float tc_odd(uint32_t i)
{
    static const uint32_t bits[] = {0x7fc00000, 0xffc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff, 0x00000001,
                                    0x80000001, 0x80000000, 0x00000000, 0x33800000, 0xb3800000, 0x4f000000, 0xcf000000,
                                    0x4effffff, 0xcf000001, 0x4b800000, 0xcb800000, 0x4b7fffff, 0x4a800000, 0x49742400,
                                    0xc9742400, 0x5f000000, 0xdf000000, 0x3f7fffff, 0xbf7fffff, 0x3f800001, 0xbf800001,
                                    0x477fff00, 0x47800000, 0xc7800000, 0x48000000};

    if (i < sizeof bits / sizeof bits[0]) {
        return tc_float(bits[i]);
    }
    return (float)((i & 1) != 0 ? -1.0 : 1.0) * tc_float((127 + (i - 32) / 2) << 23 | (tc_hash(i, 9) & 0x7fffff));
}

static inline float tc_axis(uint32_t hash)
{
    static const float values[8] = {-1, 0, 1, 0.5f, -0.5f, 0.99999994f, -1.0000001f, 0.25f};

    return values[hash >> 29];
}

static inline float tc_corner(const struct tc_case *c, uint32_t hash, uint32_t more, unsigned axis)
{
    const unsigned extent = axis == 0 ? c->width : axis == 1 ? c->height : c->depth;
    const double n = (double)(hash % (extent + 1u)), off = ((double)more / 4294967296.0 - 0.5) / 256;
    const double x = n + off + ((double)c->low - (double)(int)c->low);

    return (float)(c->normalized ? x / extent : x);
}

static inline struct tc_sample tc_at(const struct tc_case *c, uint32_t i)
{
    const unsigned layers = c->geometry == TC_ACUBE ? c->depth / 6u : c->depth;
    const double t = (double)i / c->n;
    struct tc_sample s;

    memset(&s, 0, sizeof s);
    for (unsigned k = 0; k < 3; k++) {
        const uint32_t h = tc_hash(i, 100 + k), h2 = tc_hash(i, 200 + k);
        const unsigned extent = k == 1 ? c->height : c->depth;
        const int span = (int)(c->high - c->low);

        switch (c->walk) {
        case TC_SWEEP:
            s.x[k] = k == 0 ? (float)((double)c->low + ((double)c->high - (double)c->low) * t)
                            : (float)(c->normalized ? 0.375 : extent / 2 + 0.375);
            break;
        case TC_CORNERS:
            s.x[k] = tc_corner(c, h, h2, k);
            break;
        case TC_ODD:
            s.x[k] = tc_odd(i);
            break;
        case TC_GRID:
            s.i[k] = (int)c->low + (int)(k == 0   ? i % (unsigned)span
                                         : k == 1 ? i / (unsigned)span % (unsigned)span
                                                  : h % (unsigned)span);
            break;
        case TC_AXES:
            s.x[k] = tc_axis(h);
            break;
        default:
            s.x[k] = tc_between(h, c->low, c->high);
            break;
        }
        s.dx[k] = tc_float((uint32_t)(127 + (int)tc_between(tc_hash(i, 300), c->level_low, c->level_high)) << 23 |
                           (tc_hash(i, 310 + k) & 0x7fffff));
        s.dy[k] = tc_float((uint32_t)(127 + (int)tc_between(tc_hash(i, 400), c->level_low, c->level_high)) << 23 |
                           (tc_hash(i, 410 + k) & 0xf07fffff));
    }
    s.layer = (int32_t)(tc_hash(i, 500) % (layers + 4)) - 2;
    s.level = c->level_low + (c->level_high - c->level_low) * (float)t;
    return s;
}

/* --- surfaces ----------------------------------------------------------------------------------------------------- */
/* clang-format off */
enum ts_op { TS_LOAD, TS_STORE, TS_STORE_P, TS_ADD, TS_MIN_S, TS_MAX_U, TS_AND, TS_OR, TS_ADD_P, TS_QUERY };
enum ts_bounds { TS_CLAMP, TS_ZERO };
/* Every case: a surface filled with TC_HASH; samples at x (bytes, or texels of .p), y, z; then the whole surface is recorded. */
struct ts_case {
    const char *name;
    uint8_t op, geometry, format, channels;
    uint16_t width, height, depth;
    uint8_t bounds;
    uint8_t bytes; /* of each access: 1, 2, 4, 8, 16 as one, two or four parts */
    uint8_t parts;
    uint16_t n;
};
static const struct ts_case ts_cases[] = {
    {"load b32 clamp 1d", TS_LOAD, TC_1D, TC_U32, 1, 7, 0, 0, TS_CLAMP, 4, 1, 64},
    {"load b32 zero 1d", TS_LOAD, TC_1D, TC_U32, 1, 7, 0, 0, TS_ZERO, 4, 1, 64},
    {"load b32 clamp 2d", TS_LOAD, TC_2D, TC_U32, 1, 7, 5, 0, TS_CLAMP, 4, 1, 256},
    {"load b32 zero 2d", TS_LOAD, TC_2D, TC_U32, 1, 7, 5, 0, TS_ZERO, 4, 1, 256},
    {"load b8 clamp 2d", TS_LOAD, TC_2D, TC_U8, 1, 7, 5, 0, TS_CLAMP, 1, 1, 256},
    {"load b8 of u8x4 clamp", TS_LOAD, TC_2D, TC_U8, 4, 7, 5, 0, TS_CLAMP, 1, 1, 256},
    {"load v4.b8 zero", TS_LOAD, TC_2D, TC_U8, 4, 7, 5, 0, TS_ZERO, 4, 4, 256},
    {"load v2.b16 clamp", TS_LOAD, TC_2D, TC_U16, 2, 7, 5, 0, TS_CLAMP, 4, 2, 256},
    {"load v4.b32 clamp", TS_LOAD, TC_2D, TC_F32, 4, 7, 5, 0, TS_CLAMP, 16, 4, 256},
    {"load v4.b32 of f32 clamp", TS_LOAD, TC_2D, TC_F32, 1, 7, 5, 0, TS_CLAMP, 16, 4, 256},
    {"load b32 of f32x4 zero", TS_LOAD, TC_2D, TC_F32, 4, 7, 5, 0, TS_ZERO, 4, 1, 256},
    {"load b64 clamp 3d", TS_LOAD, TC_3D, TC_U32, 2, 5, 4, 3, TS_CLAMP, 8, 1, 256},
    {"load b32 zero 3d", TS_LOAD, TC_3D, TC_U32, 1, 5, 4, 3, TS_ZERO, 4, 1, 256},
    {"load b32 clamp layers 1d", TS_LOAD, TC_A1D, TC_U32, 1, 5, 0, 4, TS_CLAMP, 4, 1, 256},
    {"load b32 clamp layers 2d", TS_LOAD, TC_A2D, TC_U32, 1, 5, 4, 3, TS_CLAMP, 4, 1, 256},
    {"load b32 zero layers 2d", TS_LOAD, TC_A2D, TC_U32, 1, 5, 4, 3, TS_ZERO, 4, 1, 256},
    {"store b32 clamp", TS_STORE, TC_2D, TC_U32, 1, 7, 5, 0, TS_CLAMP, 4, 1, 12},
    {"store b32 zero", TS_STORE, TC_2D, TC_U32, 1, 7, 5, 0, TS_ZERO, 4, 1, 12},
    {"store v4.b8 clamp", TS_STORE, TC_2D, TC_U8, 4, 7, 5, 0, TS_CLAMP, 4, 4, 12},
    {"store v2.b32 zero layers", TS_STORE, TC_A2D, TC_U32, 2, 5, 4, 3, TS_ZERO, 8, 2, 12},
    {"formatted u8x4", TS_STORE_P, TC_2D, TC_U8, 4, 7, 5, 0, TS_CLAMP, 16, 4, 24},
    {"formatted u8", TS_STORE_P, TC_2D, TC_U8, 1, 7, 5, 0, TS_CLAMP, 16, 4, 24},
    {"formatted s16x2", TS_STORE_P, TC_2D, TC_S16, 2, 7, 5, 0, TS_ZERO, 16, 4, 24},
    {"formatted f16x4", TS_STORE_P, TC_2D, TC_F16, 4, 7, 5, 0, TS_ZERO, 16, 4, 24},
    {"formatted f32x2", TS_STORE_P, TC_2D, TC_F32, 2, 7, 5, 0, TS_ZERO, 16, 4, 24},
    {"formatted s32", TS_STORE_P, TC_1D, TC_S32, 1, 7, 0, 0, TS_CLAMP, 16, 4, 8},
    {"reduce add", TS_ADD, TC_2D, TC_U32, 1, 7, 5, 0, TS_CLAMP, 4, 1, 64},
    {"reduce min", TS_MIN_S, TC_2D, TC_S32, 1, 7, 5, 0, TS_ZERO, 4, 1, 64},
    {"reduce max", TS_MAX_U, TC_2D, TC_U32, 1, 7, 5, 0, TS_ZERO, 4, 1, 64},
    {"reduce and", TS_AND, TC_1D, TC_U32, 1, 7, 0, 0, TS_CLAMP, 4, 1, 16},
    {"reduce or", TS_OR, TC_1D, TC_U32, 1, 7, 0, 0, TS_CLAMP, 4, 1, 16},
    {"reduce add texels", TS_ADD_P, TC_2D, TC_U32, 1, 7, 5, 0, TS_CLAMP, 4, 1, 64},
    {"query 2d", TS_QUERY, TC_2D, TC_U8, 4, 7, 5, 0, TS_CLAMP, 4, 1, 8},
    {"query 3d", TS_QUERY, TC_3D, TC_F32, 1, 7, 5, 4, TS_CLAMP, 4, 1, 8},
    {"query layers", TS_QUERY, TC_A2D, TC_S16, 2, 7, 5, 4, TS_CLAMP, 4, 1, 8},
};
/* clang-format on */
enum { TS_COUNT = sizeof ts_cases / sizeof ts_cases[0] };

/* The texture case that has the same contents. */
static inline struct tc_case ts_contents(const struct ts_case *s)
{
    struct tc_case c;

    memset(&c, 0, sizeof c);
    c.geometry = s->geometry;
    c.format = s->format;
    c.channels = s->channels;
    c.width = s->width;
    c.height = s->height;
    c.depth = s->depth;
    c.levels = 1;
    c.fill = TC_HASH;
    return c;
}

struct ts_sample {
    int32_t x, y, z;
    uint32_t value[4];
};

/* Stores go to places that are all different, in the order of one thread; loads and reductions anywhere. */
static inline struct ts_sample ts_at(const struct ts_case *c, uint32_t i)
{
    const struct tc_case t = ts_contents(c);
    const int texel = (int)tc_texel_bytes(&t), by_texel = c->op == TS_STORE_P || c->op == TS_ADD_P;
    const int step = by_texel ? 1 : c->bytes, span = by_texel ? c->width : c->width * texel;
    struct ts_sample s;

    s.x = (int)(tc_hash(i, 1) % (unsigned)(span / step + 4)) * step - 2 * step;
    s.y = (int)(tc_hash(i, 2) % (c->height + 4u)) - 2;
    s.z = (int)(tc_hash(i, 3) % (c->depth + 4u)) - 2;
    for (unsigned k = 0; k < 4; k++) {
        s.value[k] = tc_hash(i, 10 + k);
        if (c->op == TS_STORE_P && i % 3 == 1) {
            s.value[k] >>= 24;
        } else if (c->op == TS_STORE_P && i % 3 == 2) {
            const float f = tc_between(s.value[k], -3, 3);

            memcpy(&s.value[k], &f, sizeof f);
        }
    }
    return s;
}

#endif
