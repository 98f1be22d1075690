/* Sum of each 4096 elements: a thread adds 16, then the textbook tree in shared memory, a barrier per level. */
#include "portable.h"

KERNEL reduce_shared(GLOBAL const float *in, GLOBAL float *out)
{
    SHARED float part[256];
    word tid = TID(0);

    float sum = 0;

    for (word row = 0; row < 16; row++) {
        sum += in[CTAID(0) * 4096 + row * 256 + tid];
    }
    part[tid] = sum;
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
