/* C = A B for square matrices, tiles of 16 x 16 in shared memory. */
#include "portable.h"

#define TILE 16

KERNEL sgemm(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, word n)
{
    SHARED float left[TILE][TILE];
    SHARED float right[TILE][TILE];
    word x = TID(0), y = TID(1);
    word row = CTAID(1) * TILE + y, column = CTAID(0) * TILE + x;
    float sum = 0;

    for (word k = 0; k < n; k += TILE) {
        left[y][x] = a[row * n + k + x];
        right[y][x] = b[(k + y) * n + column];
        BARRIER();
        for (word i = 0; i < TILE; i++) {
            sum = FMA(left[y][i], right[i][x], sum);
        }
        BARRIER();
    }
    c[row * n + column] = sum;
}
