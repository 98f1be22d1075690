/* What CTAs on different host threads share: global atomics, the heap, printf, a lock; and barriers inside each. */
#include <cstdio>

extern "C" __global__ void mixed(unsigned *total, unsigned *tickets, volatile unsigned *lock, unsigned *guarded)
{
    __shared__ unsigned sum;
    unsigned tid = threadIdx.x;

    if (tid == 0) {
        sum = 0;
    }
    __syncthreads();
    atomicAdd(&sum, tid);
    __syncthreads();

    unsigned *own = (unsigned *)malloc(16);

    own[tid % 4] = sum;
    unsigned seen = own[tid % 4];

    free(own);
    atomicAdd(total, seen);
    if (tid == 0) {
        tickets[atomicAdd(&tickets[gridDim.x], 1u)] = blockIdx.x;
        while (atomicCAS((unsigned *)lock, 0u, 1u) != 0) {
        }
        __threadfence();
        *(volatile unsigned *)guarded += 1;
        __threadfence();
        atomicExch((unsigned *)lock, 0u);
        printf("CTA %u\n", blockIdx.x);
    }
}
