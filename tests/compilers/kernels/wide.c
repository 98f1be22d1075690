//! kernel wide
//! grid 2
//! block 64
//! arg b64:file(in.bin)
//! arg b64[1280]
//! expect 1 file(expected.bin)
/* 64-bit division and what is made of several words: carries, products of 128 bits, rotations. */
#include "words.h"

#define WORDS        10
#define RUN(in, out) wide(in, out)

KERNEL wide(const u64 *in, u64 *out)
{
    u32 t = THREAD;
    u64 a = in[t];
    u64 b = in[t + 1] | 1;
    u64 *to = out + t * WORDS;
    unsigned __int128 product = (unsigned __int128)a * b;
    __int128 sum = (__int128)(s64)a * (s64)b - (__int128)(s64)in[t + 2];

    *to++ = (u64)product;
    *to++ = (u64)(product >> 64);
    *to++ = (u64)(sum >> (a & 63));
    *to++ = (u64)((sum << 64) >> 70);
    *to++ = a / b;
    *to++ = a % (b >> 32 | 1);
    *to++ = (u64)((s64)(a >> 1) / (s64)(b >> (a & 31) | 1));
    *to++ = (u32)a << (b & 31) | (u32)a >> (-b & 31); /* clang 14 miscompiles the rotation of 64 bits */
    *to++ = a / 10 + a % 1000003;
    *to++ = (u64)((s64)a / 7) + (u64)((s64)a % 100);
}
