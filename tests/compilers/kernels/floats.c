//! kernel floats
//! grid 2
//! block 64
//! arg b64:file(in.bin)
//! arg b64[3072]
//! expect 1 file(expected.bin)
/* What IEEE 754 defines to the last bit: + - * / sqrt fma and comparisons, of floats that are any bits at all. */
#include "words.h"

#define WORDS        24
#define RUN(in, out) floats(in, out)

FUNCTION float f32(u32 bits)
{
    union {
        u32 bits;
        float value;
    } both;

    both.bits = bits;
    return both.value;
}

FUNCTION double f64(u64 bits)
{
    union {
        u64 bits;
        double value;
    } both;

    both.bits = bits;
    return both.value;
}

#define OF_TYPE(T, BITS, make, narrow, fma_of, sqrt_of)                                                 \
    {                                                                                                   \
        T a = make((narrow)in[t]);                                                                      \
        T b = make((narrow)in[t + 5]);                                                                  \
        T c = make((narrow)(in[t] >> 3 ^ in[t + 9] << 7));                                              \
        T near_a = make((narrow)in[t] ^ (narrow)(in[t + 3] & 0xfff));                                   \
                                                                                                        \
        *to++ = BITS(a + near_a);                                                                       \
        *to++ = BITS(a - near_a);                                                                       \
        *to++ = BITS(a * b);                                                                            \
        *to++ = BITS(a / near_a);                                                                       \
        *to++ = BITS(b / c);                                                                            \
        *to++ = BITS(sqrt_of(b));                                                                       \
        *to++ = BITS(fma_of(a, b, c));                                                                  \
        *to++ = BITS(fma_of(a, -near_a, c));                                                            \
        *to++ = (a < b) | (a <= b) << 1 | (a > c) << 2 | (b >= c) << 3 | (a == a) << 4 | (b != c) << 5; \
        *to++ = (!(a < b)) | (!(a >= c)) << 1 | ((a < b || a > b) ? 4 : 0);                             \
        *to++ = BITS(a < b ? c : -b);                                                                   \
        *to++ = BITS(sqrt_of(a * (T)0.25));                                                             \
    }

KERNEL floats(const u64 *in, u64 *out)
{
    u32 t = THREAD;
    u64 *to = out + t * WORDS;

    OF_TYPE(float, bits32, f32, u32, FMAF, SQRTF)
    OF_TYPE(double, bits64, f64, u64, FMA, SQRT)
}
