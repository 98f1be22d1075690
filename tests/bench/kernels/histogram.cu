/* 256 bins of 32-bit keys' low bytes: a histogram per CTA in shared memory, added to the total at its end. */
#include "portable.h"

KERNEL histogram(GLOBAL const word *keys, GLOBAL word *bins, word per_thread)
{
    SHARED word counts[256];
    word tid = TID(0);
    word base = CTAID(0) * 256 * per_thread + tid;

    counts[tid] = 0;
    BARRIER();
    for (word i = 0; i < per_thread; i++) {
        ATOMIC_ADD(&counts[keys[base + i * 256] & 255], 1u);
    }
    BARRIER();
    ATOMIC_ADD(&bins[tid], counts[tid]);
}
