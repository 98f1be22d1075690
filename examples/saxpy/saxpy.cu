/*
 * y = alpha x + y with a grid-stride loop: any grid computes any n, and neighbouring lanes touch neighbouring elements.
 */
#include "../kernel.h"

KERNEL saxpy(float alpha, const float *x, float *y, unsigned n)
{
    unsigned stride = gridDim.x * blockDim.x;

    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        y[i] = fmaf(alpha, x[i], y[i]);
    }
}
