/*
 * C = A B for square matrices of any size n, in tiles of 16 x 16.
 *
 * A CTA computes one tile of C.  It walks over the tiles of A in its row and of B in its column; each is loaded into
 * shared memory once and read 16 times.  Elements beyond the matrices count as 0, so that n may be no multiple of 16.
 */
#include "../kernel.h"

#define TILE 16

KERNEL matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, unsigned n)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    unsigned tx = threadIdx.x;
    unsigned ty = threadIdx.y;
    unsigned row = blockIdx.y * TILE + ty;
    unsigned column = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (unsigned start = 0; start < n; start += TILE) {
        tile_a[ty][tx] = row < n && start + tx < n ? a[row * n + start + tx] : 0.0f;
        tile_b[ty][tx] = start + ty < n && column < n ? b[(start + ty) * n + column] : 0.0f;
        __syncthreads();
        for (unsigned k = 0; k < TILE; k++) {
            sum = fmaf(tile_a[ty][k], tile_b[k][tx], sum);
        }
        __syncthreads(); /* nobody may load the next tiles while a neighbour still reads these */
    }
    if (row < n && column < n) {
        c[row * n + column] = sum;
    }
}
