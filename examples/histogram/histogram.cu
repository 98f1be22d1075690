/*
 * How often each letter from A to Z stands in a text, upper and lower case taken together.
 *
 * Every CTA counts into its own 26 words of shared memory (atom.shared), which many threads hit at once, and adds them
 * to the result in global memory only at the end: 26 slow atomics per CTA instead of one per character.
 */
#include "../kernel.h"

#define LETTERS 26

KERNEL histogram(const unsigned char *text, unsigned *counts, unsigned n)
{
    __shared__ unsigned cta_counts[LETTERS];
    unsigned stride = gridDim.x * blockDim.x;

    if (threadIdx.x < LETTERS) {
        cta_counts[threadIdx.x] = 0;
    }
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        unsigned letter = (text[i] | 0x20u) - 'a'; /* bit 5 makes lower case; below 'a' wraps to a large number */
        if (letter < LETTERS) {
            atomicAdd(&cta_counts[letter], 1u);
        }
    }
    __syncthreads();
    if (threadIdx.x < LETTERS) {
        atomicAdd(&counts[threadIdx.x], cta_counts[threadIdx.x]);
    }
}
