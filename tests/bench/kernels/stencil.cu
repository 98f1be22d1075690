/* One Jacobi step of the 7-point stencil on a cube of n points a side; the faces keep their values. */
#include "portable.h"

KERNEL stencil(GLOBAL const float *in, GLOBAL float *out, word n)
{
    word x = GLOBAL_ID(0), y = GLOBAL_ID(1), z = GLOBAL_ID(2);
    word i = (z * n + y) * n + x;

    if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1) {
        out[i] = in[i];
        return;
    }
    out[i] = FMA(0.4f, in[i],
                 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n]));
}
