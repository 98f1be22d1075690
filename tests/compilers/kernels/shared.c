//! kernel shared
//! grid 2
//! block 64
//! arg b64:file(in.bin)
//! arg b64[256]
//! expect 1 file(expected.bin)
/* Shared memory and barriers: a prefix sum, and a permutation through another array. */
#include "words.h"

#ifdef OFFLOAD
#error "this compiler has no words for shared memory"
#endif

#define WORDS 2

#ifndef HOST
SHARED u64 sums[64];
SHARED u16 permuted[64];

KERNEL shared(const u64 *in, u64 *out)
{
    u32 lane = LANE;
    u32 t = THREAD;

    sums[lane] = in[t];
    permuted[(lane * 37 + 5) % 64] = (u16)in[t];
    __syncthreads();
    for (u32 step = 1; step < 64; step *= 2) {
        u64 other = lane >= step ? sums[lane - step] : 0;

        __syncthreads();
        sums[lane] += other;
        __syncthreads();
    }
    out[t * WORDS] = sums[lane];
    out[t * WORDS + 1] = permuted[lane];
}
#else
static void shared(const u64 *in, u64 *out)
{
    for (u32 t = 0; t < threads; t++) {
        out[t * WORDS] = in[t] + (t % 64 == 0 ? 0 : out[(t - 1) * WORDS]);
        out[(t / 64 * 64 + (t % 64 * 37 + 5) % 64) * WORDS + 1] = (u16)in[t];
    }
}
#define RUN(in, out)        \
    if (host_thread == 0) { \
        shared(in, out);    \
    }
#endif
