/* y = a x + y, one element per thread. */
#include "portable.h"

KERNEL saxpy(GLOBAL const float *x, GLOBAL float *y, float a, word n)
{
    word i = GLOBAL_ID(0);

    if (i < n) {
        y[i] = FMA(a, x[i], y[i]);
    }
}
