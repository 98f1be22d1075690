/* Sum of each 256 elements: the textbook tree in shared memory, a barrier per level. */
#include "portable.h"

KERNEL reduce_shared(GLOBAL const float *in, GLOBAL float *out)
{
    SHARED float part[256];
    word tid = TID(0);

    part[tid] = in[CTAID(0) * 256 + tid];
    BARRIER();
    for (word step = 128; step > 0; step /= 2) {
        if (tid < step) {
            part[tid] += part[tid + step];
        }
        BARRIER();
    }
    if (tid == 0) {
        out[CTAID(0)] = part[0];
    }
}
