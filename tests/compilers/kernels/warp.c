//! kernel warp
//! grid 2
//! block 64
//! arg b64:file(in.bin)
//! arg b64[1792]
//! expect 1 file(expected.bin)
/* Shuffles and votes, of whole warps and of the lanes that took a branch. */
#include "words.h"

#define WORDS 14

#if defined(__clang__) && !defined(__CUDACC__) && !defined(HOST)
#define __shfl_sync(m, v, lane)    (u32) __nvvm_shfl_sync_idx_i32(m, (s32)(v), lane, 31)
#define __shfl_up_sync(m, v, by)   (u32) __nvvm_shfl_sync_up_i32(m, (s32)(v), by, 0)
#define __shfl_down_sync(m, v, by) (u32) __nvvm_shfl_sync_down_i32(m, (s32)(v), by, 31)
#define __shfl_xor_sync(m, v, by)  (u32) __nvvm_shfl_sync_bfly_i32(m, (s32)(v), by, 31)
#define __ballot_sync(m, p)        (u32) __nvvm_vote_ballot_sync(m, p)
#define __any_sync(m, p)           (u32) __nvvm_vote_any_sync(m, p)
#define __all_sync(m, p)           (u32) __nvvm_vote_all_sync(m, p)
#define __syncwarp()               __nvvm_bar_warp_sync(~0u)
#endif

#ifdef OFFLOAD
#error "this compiler has no words for warps"
#elif !defined(HOST)
KERNEL warp(const u64 *in, u64 *out)
{
    u32 t = THREAD;
    u32 lane = t % 32;
    u32 mine = (u32)in[t];
    u32 best = mine;
    u64 *to = out + t * WORDS;

    *to++ = __shfl_sync(~0u, mine, mine & 31);
    *to++ = __shfl_up_sync(~0u, mine, 3);
    *to++ = __shfl_down_sync(~0u, mine, 7);
    *to++ = __shfl_xor_sync(~0u, mine, 21);
    *to++ = __ballot_sync(~0u, mine & 1);
    *to++ = __any_sync(~0u, (mine & 0x3f) == 9) != 0;
    *to++ = __all_sync(~0u, mine != 77) != 0;
    for (u32 by = 16; by > 0; by /= 2) {
        u32 other = __shfl_xor_sync(~0u, best, by);

        best = other > best ? other : best;
    }
    *to++ = best;
    if (lane % 3 == 1) {
        *to++ = __ballot_sync(0x92492492, mine & 2);
        *to++ = __shfl_sync(0x92492492, mine, 1);
    } else {
        *to++ = __ballot_sync(~0x92492492u, mine & 4);
        *to++ = __shfl_sync(~0x92492492u, mine, lane % 3 == 0 ? 0 : 2);
    }
    __syncwarp();
    mine = __shfl_sync(~0u, best ^ lane, 31 - lane);
    *to++ = mine;
    *to++ = __ballot_sync(~0u, mine & 1);
    *to++ =
        __ballot_sync(0xffffu << (lane & 16), (u32)in[t] & 8); /* each half of the warp by itself, at the same time */
    *to++ = __any_sync(0xffu << (lane & 24), ((u32)in[t] & 0xf) == 5) != 0;
}
#else
static u32 ballot(const u64 *in, u32 lanes, u32 bit)
{
    u32 set = 0;

    for (u32 lane = 0; lane < 32; lane++) {
        set |= (lanes >> lane & 1) & ((in[lane] & bit) != 0) ? 1u << lane : 0;
    }
    return set;
}

static void warp(const u64 *in, u64 *out, u32 t)
{
    const u64 *w = in + t / 32 * 32;
    u32 lane = t % 32;
    u32 best = 0;
    u32 any = 0;
    u32 all = 1;
    u32 odd = 0;
    u64 *to = out + t * WORDS;

    for (u32 i = 0; i < 32; i++) {
        best = (u32)w[i] > best ? (u32)w[i] : best;
        any |= (w[i] & 0x3f) == 9;
        all &= (u32)w[i] != 77;
    }
    for (u32 i = 0; i < 32; i++) {
        odd |= ((best ^ (31 - i)) & 1) << i;
    }
    *to++ = (u32)w[w[lane] & 31];
    *to++ = (u32)w[lane < 3 ? lane : lane - 3];
    *to++ = (u32)w[lane + 7 > 31 ? lane : lane + 7];
    *to++ = (u32)w[lane ^ 21];
    *to++ = ballot(w, ~0u, 1);
    *to++ = any;
    *to++ = all;
    *to++ = best;
    *to++ = lane % 3 == 1 ? ballot(w, 0x92492492, 2) : ballot(w, ~0x92492492u, 4);
    *to++ = (u32)w[lane % 3];
    *to++ = best ^ (31 - lane);
    *to++ = odd;
    *to++ = ballot(w, 0xffffu << (lane & 16), 8);
    any = 0;
    for (u32 i = lane & 24; i < (lane & 24) + 8; i++) {
        any |= (w[i] & 0xf) == 5;
    }
    *to++ = any;
}
#define RUN(in, out) warp(in, out, host_thread)
#endif
