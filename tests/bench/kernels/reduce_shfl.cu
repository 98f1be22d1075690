/* Sum of each 4096 elements: a CTA of 256 threads, 16 elements each, then a butterfly of shuffles in every warp. */
#include "portable.h"

KERNEL reduce_shfl(GLOBAL const float *in, GLOBAL float *out)
{
    SHARED float warp_sum[8];
    word tid = TID(0);
    float sum = 0;

    for (word row = 0; row < 16; row++) {
        sum += in[CTAID(0) * 4096 + row * 256 + tid];
    }

#ifdef __OPENCL_VERSION__
    /* OpenCL 1.2 has no shuffles; its nearest is a tree over 32 work-items in local memory. */
    SHARED float lanes[256];

    lanes[tid] = sum;
    for (word step = 16; step > 0; step /= 2) {
        BARRIER();
        if (tid % 32 < step) {
            lanes[tid] += lanes[tid + step];
        }
    }
    sum = lanes[tid];
#else
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    }
#endif
    if (tid % 32 == 0) {
        warp_sum[tid / 32] = sum;
    }
    BARRIER();
    if (tid == 0) {
        float total = 0;

        for (int w = 0; w < 8; w++) {
            total += warp_sum[w];
        }
        out[CTAID(0)] = total;
    }
}
