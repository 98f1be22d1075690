/* c = a + b, one element per thread. */
#include "portable.h"

KERNEL vecadd(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, word n)
{
    word i = GLOBAL_ID(0);

    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
