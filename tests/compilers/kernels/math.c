//! kernel math
//! grid 2
//! block 64
//! arg b64:file(in.bin)
//! arg f32[1024]
//! expect 1 file(expected.bin) ~2e-4
/* NVIDIA's mathematical functions as nvcc expands them: exact, with -use_fast_math, and with the slow paths of large
 * arguments.  Results are floats that are compared with a tolerance. */
#include "words.h"

#define WORDS        4 /* of 64 bits: eight floats */
#define RUN(in, out) math(in, (float *)out)

#ifdef HOST
#include <math.h>
#elif !defined(__CUDACC__)
#error "this compiler has no mathematical functions for devices"
#endif

KERNEL math(const u64 *in, float *out)
{
    u32 t = THREAD;
    float x = (float)(in[t] % 100000) * 0.0001f + 0.01f;
    double d = (double)(in[t + 1] >> 12) / 4503599627370496.0 + 0.5;
    float *to = out + t * WORDS * 2;

    *to++ = sinf(x) + cosf(x * 0.5f);
    *to++ = logf(x) * 0.5f;
    *to++ = expf(-x);
    *to++ = powf(x, 0.3f) / sqrtf(x);
    *to++ = tanhf(x) - atan2f(x, 3.0f);
    *to++ = (float)(sin(d * 1e6) * log(d) + exp(-d));
    *to++ = (float)(pow(d, 2.7) - cbrt(d) + erf(d));
    *to++ = (float)(fmod(d * 1000, 7.1) * 0.1) + roundf(x) - floorf(x) + rintf(x);
}
