/*
 * Producers and consumers inside one warp: lanes 0-15 send numbers to lanes 16-31, one mailbox per pair.
 *
 * Both halves of the warp spin on flags that only the other half can change, each in a loop of its own.  The warp gets
 * through only if its scheduler runs the two loops in turn.
 */
#include "../kernel.h"

#define PAIRS 16

KERNEL warp_pipe(unsigned *out, unsigned items)
{
    __shared__ volatile unsigned full[PAIRS];
    __shared__ volatile unsigned mail[PAIRS];
    unsigned pair = threadIdx.x % PAIRS;
    int producer = threadIdx.x < PAIRS;

    if (producer) {
        full[pair] = 0;
    }
    __syncwarp();
    for (unsigned item = 0; item < items; item++) {
        if (producer) {
            while (full[pair]) {
            }
            mail[pair] = pair * items + item;
            __threadfence_block();
            full[pair] = 1;
        } else {
            while (!full[pair]) {
            }
            __threadfence_block();
            out[pair * items + item] = 3 * mail[pair] + 1;
            __threadfence_block();
            full[pair] = 0;
        }
    }
}
