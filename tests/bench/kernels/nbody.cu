/* Accelerations of n bodies, all pairs, softened; positions in float4 with the mass in w, tiled through shared memory. */
#include "portable.h"

#define TILE 256

KERNEL nbody(GLOBAL const float4 *body, GLOBAL float4 *acceleration, word n)
{
    SHARED float4 tile[TILE];
    word i = GLOBAL_ID(0);
    float4 self = body[i];
    float ax = 0, ay = 0, az = 0;

    for (word first = 0; first < n; first += TILE) {
        tile[TID(0)] = body[first + TID(0)];
        BARRIER();
        for (word j = 0; j < TILE; j++) {
            float dx = tile[j].x - self.x;
            float dy = tile[j].y - self.y;
            float dz = tile[j].z - self.z;
            float inverse = RSQRT(FMA(dx, dx, FMA(dy, dy, FMA(dz, dz, 0.01f))));
            float strength = tile[j].w * inverse * inverse * inverse;

            ax = FMA(dx, strength, ax);
            ay = FMA(dy, strength, ay);
            az = FMA(dz, strength, az);
        }
        BARRIER();
    }
    float4 result;

    result.x = ax;
    result.y = ay;
    result.z = az;
    result.w = 0;
    acceleration[i] = result;
}
