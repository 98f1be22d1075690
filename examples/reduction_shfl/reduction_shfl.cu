/*
 * One sum per CTA, by exchanging registers inside warps (shfl.sync.down).
 *
 * A warp adds its 32 values in five steps without touching memory.  Only the warps' sums, one each, go through shared
 * memory, and the first warp adds those the same way.
 */
#include "../kernel.h"

#define ALL_LANES 0xffffffffu

/* Lane 0 returns the sum over the warp; the other lanes return partial sums that nobody needs. */
static __device__ int warp_sum(int value)
{
    for (int delta = 16; delta > 0; delta /= 2) {
        value += __shfl_down_sync(ALL_LANES, value, delta);
    }
    return value;
}

KERNEL reduction_shfl(const int *in, int *sums, unsigned n)
{
    __shared__ int warp_sums[32];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    unsigned warp = threadIdx.x / 32;
    int sum = warp_sum(i < n ? in[i] : 0);

    if (lane == 0) {
        warp_sums[warp] = sum;
    }
    __syncthreads();
    if (warp != 0) {
        return;
    }
    sum = warp_sum(lane < blockDim.x / 32 ? warp_sums[lane] : 0);
    if (lane == 0) {
        sums[blockIdx.x] = sum;
    }
}
