//! kernel print
//! grid 1
//! block 128
//! arg b64:file(in.bin)
//! arg b64[128]
//! expect 1 file(expected.bin)
/* printf, whose format is read by the emulator: widths, flags, every kind of argument, and branches around it. */
#include "words.h"

#define WORDS        1
#define RUN(in, out) print(in, out)

#ifdef HOST
#include <stdio.h>
#elif defined(__CUDA__) && !defined(__CUDACC__)
extern "C" __device__ int printf(const char *, ...);
#elif !defined(__CUDACC__)
#error "this compiler has no printf for devices"
#endif

KERNEL print(const u64 *in, u64 *out)
{
    u32 t = THREAD;
    s32 number = (s32)in[t];

    printf("%3u: %d|%-12d|%+08d|%x|%#o|%llu|%5.3f|%-10.2e|%g|%c|%s|%%|%hhd|%lld\n", t, number, number, number,
           (u32)number, (u32)number, in[t], (double)number / 7, (double)number * 1e9, (double)(float)number,
           'a' + (s32)(t % 26), t % 2 == 0 ? "even" : "odd", number, (s64)in[t + 1]);
    out[t] = (u64)number;
    if (t % 5 == 2) {
        printf("%3u: once more, %.*f %*u\n", t, (s32)(t % 4), (double)number, 12, t);
    }
}
