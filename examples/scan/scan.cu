/*
 * Inclusive prefix sum of a vector longer than a CTA, in two launches.
 *
 * scan_ctas scans each CTA's 256 elements alone and notes each CTA's total; scan_add then adds to every element the
 * totals of the CTAs before its own.  The end of a launch is the only barrier across CTAs that is needed.  Both kernels
 * have the same parameters.
 */
#include "../kernel.h"

#define CTA_THREADS 256

/*
 * Hillis and Steele's scan: after the round with distance d, an element holds the sum of the last 2d inputs up to its
 * own.  Two buffers take turns, so that one barrier per round is enough.
 */
KERNEL scan_ctas(const unsigned *in, unsigned *out, unsigned *totals, unsigned n)
{
    __shared__ unsigned sums[2][CTA_THREADS];
    unsigned thread = threadIdx.x;
    unsigned i = blockIdx.x * CTA_THREADS + thread;
    unsigned now = 0;

    sums[now][thread] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned distance = 1; distance < CTA_THREADS; distance *= 2) {
        unsigned before = thread >= distance ? sums[now][thread - distance] : 0;
        sums[1 - now][thread] = sums[now][thread] + before;
        now = 1 - now;
        __syncthreads();
    }
    if (i < n) {
        out[i] = sums[now][thread];
    }
    if (thread == CTA_THREADS - 1) {
        totals[blockIdx.x] = sums[now][thread];
    }
}

KERNEL scan_add(const unsigned *in, unsigned *out, const unsigned *totals, unsigned n)
{
    unsigned i = blockIdx.x * CTA_THREADS + threadIdx.x;
    unsigned before = 0;

    (void)in;
    for (unsigned cta = 0; cta < blockIdx.x; cta++) {
        before += totals[cta];
    }
    if (i < n) {
        out[i] += before;
    }
}
