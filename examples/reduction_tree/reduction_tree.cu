/*
 * One sum per CTA, by a tree in shared memory.
 *
 * Invariant: before each round, values[0 .. width-1] together hold the CTA's whole sum.  A round adds the upper half to
 * the lower half; the barrier keeps a round from reading what the one before has not written yet.  The barrier stands
 * outside the `if`, since every thread of the CTA must reach it.
 */
#include "../kernel.h"

#define CTA_THREADS 256

KERNEL reduction_tree(const float *in, float *sums, unsigned n)
{
    __shared__ float values[CTA_THREADS];
    unsigned thread = threadIdx.x;
    unsigned i = blockIdx.x * CTA_THREADS + thread;

    values[thread] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned half = CTA_THREADS / 2; half > 0; half /= 2) {
        if (thread < half) {
            values[thread] += values[thread + half];
        }
        __syncthreads();
    }
    if (thread == 0) {
        sums[blockIdx.x] = values[0];
    }
}
