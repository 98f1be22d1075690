/*
 * Sorts 2 * blockDim.x keys, a power of two, by one CTA in dynamic shared memory (4 bytes per key).
 *
 * Batcher's bitonic network: pass `run` makes sorted runs of that length, alternately rising and falling, out of two
 * runs of half the length.  Each step compares keys `distance` apart; a thread owns one such pair per step.
 */
#include "../kernel.h"

KERNEL bitonic_sort(unsigned *keys)
{
    DYNAMIC_SHARED(unsigned, sorted);
    unsigned thread = threadIdx.x;
    unsigned n = 2 * blockDim.x;

    sorted[thread] = keys[thread];
    sorted[thread + n / 2] = keys[thread + n / 2];
    for (unsigned run = 2; run <= n; run *= 2) {
        for (unsigned distance = run / 2; distance > 0; distance /= 2) {
            unsigned low = 2 * thread - (thread & (distance - 1));
            unsigned high = low + distance;
            __syncthreads();
            unsigned a = sorted[low];
            unsigned b = sorted[high];
            int falling = (low & run) != 0;
            if ((a > b) != falling) {
                sorted[low] = b;
                sorted[high] = a;
            }
        }
    }
    __syncthreads();
    keys[thread] = sorted[thread];
    keys[thread + n / 2] = sorted[thread + n / 2];
}
