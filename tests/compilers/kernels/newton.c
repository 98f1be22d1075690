//! kernel newton
//! grid 2
//! block 64
//! arg b64:file(in.bin)
//! arg b64[768]
//! expect 1 file(expected.bin)
/* Longer chains of double and float arithmetic: square roots by Newton's method, a polynomial, a continued fraction. */
#include "words.h"

#define WORDS        6
#define RUN(in, out) newton(in, out)

FUNCTION double root(double x)
{
    double guess = x > 1 ? x / 2 : 1;

    for (u32 i = 0; i < 60; i++) {
        double next = (guess + x / guess) * 0.5; /* no product is added to: fusing changes nothing */

        if (next == guess) {
            break;
        }
        guess = next;
    }
    return guess;
}

FUNCTION float polynomial(float x)
{
    float sum = 1.0f / 720;

    for (s32 i = 5; i > 0; i--) {
        sum = FMAF(sum, x, 1.0f / (float)(i * i + 1));
    }
    return sum;
}

FUNCTION double fraction(u32 depth, double x)
{
    double value = 1;

    while (depth-- > 0) {
        value = x + 1 / value;
    }
    return value;
}

KERNEL newton(const u64 *in, u64 *out)
{
    u32 t = THREAD;
    double x = (double)(in[t] >> 11) / 9007199254740992.0 + 1e-9;
    u64 *to = out + t * WORDS;

    *to++ = bits64(root(x * 1000));
    *to++ = bits64(SQRT(x));
    *to++ = bits32(polynomial((float)x));
    *to++ = bits64(fraction(t % 40, x));
    *to++ = bits64(FMA(x, x, -(x * x) * 0.5));
    *to++ = bits32(SQRTF((float)x) / 3.0f);
}
