/*
 * Gravity among n bodies, all pairs: acceleration (x, y, z) and potential (w) of each.
 *
 * A CTA stages the bodies through shared memory in tiles of one body per thread; all threads then read the same body at
 * the same time, which shared memory broadcasts.  Bodies beyond n have mass 0 and attract nobody.  SOFTENING keeps
 * close pairs, and a body with itself, from dividing by zero.
 */
#include "../kernel.h"

#define CTA_THREADS 64
#define SOFTENING   0.01f

KERNEL nbody(const float4 *bodies, float4 *fields, unsigned n)
{
    __shared__ float4 tile[CTA_THREADS];
    unsigned i = blockIdx.x * CTA_THREADS + threadIdx.x;
    float4 nobody = {0.0f, 0.0f, 0.0f, 0.0f};
    float4 me = i < n ? bodies[i] : nobody;
    float4 field = nobody;

    for (unsigned start = 0; start < n; start += CTA_THREADS) {
        unsigned other = start + threadIdx.x;
        tile[threadIdx.x] = other < n ? bodies[other] : nobody;
        __syncthreads();
        for (unsigned k = 0; k < CTA_THREADS; k++) {
            float dx = tile[k].x - me.x;
            float dy = tile[k].y - me.y;
            float dz = tile[k].z - me.z;
            float inverse = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, SOFTENING))));
            float pull = tile[k].w * inverse;
            float force = pull * (inverse * inverse);
            field.x = fmaf(force, dx, field.x);
            field.y = fmaf(force, dy, field.y);
            field.z = fmaf(force, dz, field.z);
            field.w = field.w - pull;
        }
        __syncthreads();
    }
    if (i < n) {
        fields[i] = field;
    }
}
