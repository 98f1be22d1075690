/*
 * Sum and maximum of a whole vector, by atomics on global memory.
 *
 * Each thread first combines its own elements in registers, so that the two memory words that everybody updates see one
 * operation per thread rather than one per element.  Integers make the result independent of the order of the updates.
 */
#include "../kernel.h"

KERNEL reduction_atom(const unsigned *in, unsigned *sum, unsigned *maximum, unsigned n)
{
    unsigned stride = gridDim.x * blockDim.x;
    unsigned my_sum = 0;
    unsigned my_maximum = 0;

    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        my_sum += in[i];
        my_maximum = in[i] > my_maximum ? in[i] : my_maximum;
    }
    atomicAdd(sum, my_sum);
    atomicMax(maximum, my_maximum);
}
