/*
 * c = a + b, four elements per thread.
 *
 * A thread loads 16 bytes at once (ld.global.v4.f32) where four elements remain; the one thread at the end of the
 * vectors takes what is left, element by element.  The vectors must be aligned to 16 bytes, as allocations are.
 */
#include "../kernel.h"

KERNEL vector_add(const float *a, const float *b, float *c, unsigned n)
{
    unsigned first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);

    if (first + 4 <= n) {
        float4 left = *(const float4 *)(a + first);
        float4 right = *(const float4 *)(b + first);
        float4 sum = {left.x + right.x, left.y + right.y, left.z + right.z, left.w + right.w};
        *(float4 *)(c + first) = sum;
        return;
    }
    for (unsigned i = first; i < n; i++) {
        c[i] = a[i] + b[i];
    }
}
