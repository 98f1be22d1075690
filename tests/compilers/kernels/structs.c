//! kernel structs
//! grid 2
//! block 64
//! arg b64:file(in.bin)
//! arg b64[1024]
//! arg b8[40]:iota(3,7)
//! expect 1 file(expected.bin)
/* Structures as parameters of a kernel and of functions, as results, in arrays, and copied whole. */
#include "words.h"

#ifdef OFFLOAD
#error "this compiler has no structures as parameters of kernels"
#endif

#define WORDS 8

struct pair {
    u16 low;
    u32 high;
};

struct record {
    u8 byte;
    s16 half;
    struct pair pairs[2];
    double real;
    u8 tail[5];
    s8 last;
};

FUNCTION struct pair swapped(struct pair p)
{
    struct pair result;

    result.low = (u16)p.high;
    result.high = p.low * 3u;
    return result;
}

FUNCTION struct record changed(struct record r, u32 index)
{
    r.pairs[index & 1] = swapped(r.pairs[~index & 1]);
    r.tail[index % 5] ^= r.byte;
    r.half = (s16)(r.half - (s16)index);
    return r;
}

KERNEL structs(const u64 *in, u64 *out, struct record given)
{
    u32 t = THREAD;
    struct record r = changed(given, t);
    struct record many[3];
    u64 *to = out + t * WORDS;

    many[0] = r;
    many[1] = changed(r, t + 1);
    many[2] = given;
    many[in[t] % 3].byte = (u8)in[t];
    *to++ = many[t % 3].byte;
    *to++ = many[(t + 1) % 3].pairs[t & 1].high;
    *to++ = many[(t + 2) % 3].pairs[1].low;
    *to++ = (u64)many[1].half;
    *to++ = bits64(many[0].real);
    *to++ = many[in[t + 1] % 3].tail[t % 5];
    *to++ = (u64)given.last;
    *to++ = sizeof given;
}

#ifdef HOST
#define RUN(in, out)                             \
    {                                            \
        union {                                  \
            struct record record;                \
            u8 bytes[sizeof(struct record)];     \
        } given;                                 \
                                                 \
        for (u32 i = 0; i < sizeof given; i++) { \
            given.bytes[i] = (u8)(3 + 7 * i);    \
        }                                        \
        structs(in, out, given.record);          \
    }
#endif
