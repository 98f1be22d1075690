//! kernel atomics
//! grid 2
//! block 64
//! arg b64:file(in.bin)
//! arg b64[1024]
//! expect 1 file(expected.bin)
/* Atomics on global and shared memory, whose results do not depend on who comes first. */
#include "words.h"

#ifdef OFFLOAD
#error "this compiler has no words for shared memory"
#endif

#define WORDS 8

#if defined(__CUDACC__) && !defined(HOST)
#define ADD(p, v)      atomicAdd(p, v)
#define AND(p, v)      atomicAnd(p, v)
#define OR(p, v)       atomicOr(p, v)
#define XOR(p, v)      atomicXor(p, v)
#define CAS(p, old, v) atomicCAS(p, old, v)
#else
#define ADD(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)
#define AND(p, v) __atomic_fetch_and(p, v, __ATOMIC_RELAXED)
#define OR(p, v)  __atomic_fetch_or(p, v, __ATOMIC_RELAXED)
#define XOR(p, v) __atomic_fetch_xor(p, v, __ATOMIC_RELAXED)
#define CAS(p, old, v)                                                                    \
    __extension__({                                                                       \
        __typeof__(*(p)) seen_ = (old);                                                   \
        __atomic_compare_exchange_n(p, &seen_, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        seen_;                                                                            \
    })
#endif

#ifndef HOST
SHARED u32 counts[8];
SHARED u64 total;

KERNEL atomics(const u64 *in, u64 *out)
{
    u32 t = THREAD;
    u32 lane = LANE;
    u32 ticket;
    u64 seen = out[7];

    if (lane < 8) {
        counts[lane] = 0;
    }
    if (lane == 8) {
        total = 0;
    }
    __syncthreads();
    ADD(&counts[in[t] & 7], 1u);
    ticket = ADD(&counts[(lane * 5 + 3) & 7], 0x10000u);
    ADD(&total, in[t]);
    __syncthreads();
    ADD(&out[0], in[t]);
    XOR(&out[1], in[t]);
    OR(&out[2], in[t] & (in[t] - 1) & 0xffff0000ffffull);
    AND((u32 *)&out[3], (u32)in[t] | 0xffff);
    ADD((u32 *)&out[4] + 1, (u32)in[t]);
    ADD(&out[5], total);
    ADD(&out[6], (u64)(ticket >> 16));
    while (1) { /* adding by compare-and-swap */
        u64 found = CAS(&out[7], seen, seen * 3 + 1);

        if (found == seen) {
            break;
        }
        seen = found;
    }
    if (lane < 8) {
        out[(t + 1) * WORDS] = counts[lane];
    }
}
#else
static void atomics(const u64 *in, u64 *out)
{
    for (u32 t = 0; t < threads; t++) {
        out[0] += in[t];
        out[1] ^= in[t];
        out[2] |= in[t] & (in[t] - 1) & 0xffff0000ffffull;
        out[4] += in[t] << 32;
        out[5] += in[t] * 64;
        out[6] += t % 8;
        out[7] = out[7] * 3 + 1;
        out[(t / 64 * 64 + (in[t] & 7) + 1) * WORDS] += 1;
    }
    for (u32 t = 0; t < threads; t++) {
        if (t % 64 < 8) {
            out[(t + 1) * WORDS] += 0x80000;
        }
    }
}
#define RUN(in, out)        \
    if (host_thread == 0) { \
        atomics(in, out);   \
    }
#endif
