//! kernel conversions
//! grid 2
//! block 64
//! arg b64:file(in.bin)
//! arg b64[4096]
//! expect 1 file(expected.bin)
/* Integers to floats and back, inside the ranges that C defines. */
#include "words.h"

#define WORDS        32
#define RUN(in, out) conversions(in, out)

/* 2^bits at most, with a fraction, of either sign if there is one */
FUNCTION double inside(u64 word, u32 bits, int is_signed)
{
    double size = (double)(word >> (64 - bits)) * 0.999;

    return is_signed && (word & 1) ? -size : size;
}

#define FROM(T)                      \
    *to++ = bits32((float)(T)in[t]); \
    *to++ = bits64((double)(T)in[t + 1]);

#define TO(T, bits, is_signed)                                      \
    *to++ = (u64)(T)inside(in[t + 2], bits - is_signed, is_signed); \
    *to++ = (u64)(T)(float)inside(in[t + 3], bits - is_signed - 1, is_signed);

KERNEL conversions(const u64 *in, u64 *out)
{
    u32 t = THREAD;
    u64 *to = out + t * WORDS;

    FROM(u8)
    FROM(s8)
    FROM(u16)
    FROM(s16)
    FROM(u32)
    FROM(s32)
    FROM(u64)
    FROM(s64)
    TO(u8, 8, 0)
    TO(s8, 8, 1)
    TO(u16, 16, 0)
    TO(s16, 16, 1)
    TO(u32, 32, 0)
    TO(s32, 32, 1)
    TO(u64, 64, 0)
    TO(s64, 64, 1)
}
