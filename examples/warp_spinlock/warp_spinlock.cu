/*
 * The 32 lanes of one warp take turns in a critical section guarded by a spin lock.
 *
 * The lane that holds the lock must get on while 31 lanes of its own warp spin.  GPUs before Volta, and emulators that
 * run a warp in lockstep, hang here; independent thread scheduling promises that every thread makes progress.
 */
#include "../kernel.h"

/* state[0] counts visits, state[1] adds lane numbers: plain loads and stores, right only if the lock excludes. */
static __device__ void critical_section(volatile unsigned *state, unsigned *seen, unsigned lane)
{
    seen[state[0]] = 1;
    state[0] = state[0] + 1;
    state[1] = state[1] + lane;
}

KERNEL warp_spinlock(unsigned *lock, unsigned *state, unsigned *seen, unsigned rounds)
{
    unsigned lane = threadIdx.x;

    for (unsigned round = 0; round < rounds; round++) {
        while (atomicCAS(lock, 0u, 1u) != 0) {
        }
        __threadfence();
        critical_section(state, seen, lane);
        __threadfence();
        atomicExch(lock, 0u);
    }
}
