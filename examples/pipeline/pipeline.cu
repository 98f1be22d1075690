/*
 * y = A x, one CTA for each row of A, with copies to shared memory that run while the CTA computes.
 *
 * The row and x are taken in tiles.  There are two buffers: while the threads multiply the tile in one of them, the next
 * tile is on its way to the other (cp.async).  Waiting until at most one group of copies is under way means that the
 * older group, the tile that is needed now, has come.
 */
#include "../kernel.h"

#define THREADS 128

/* Thread t copies 16 bytes of each tile; what lies behind the end of the row counts as 0 and is not read. */
#define COPY_TILE(buffer, first)                                                     \
    do {                                                                             \
        unsigned at_ = (first) + threadIdx.x;                                        \
        unsigned missing_ = at_ < n ? 0 : 16;                                        \
        __pipeline_memcpy_async(&tile_a[buffer][threadIdx.x], &a[at_], 16, missing_); \
        __pipeline_memcpy_async(&tile_x[buffer][threadIdx.x], &x[at_], 16, missing_); \
        __pipeline_commit();                                                         \
    } while (0)

/* n: groups of four elements in a row. */
KERNEL pipeline(const float4 *matrix, const float4 *x, float *y, unsigned n)
{
    __shared__ float4 tile_a[2][THREADS];
    __shared__ float4 tile_x[2][THREADS];
    __shared__ float sums[THREADS];
    const float4 *a = matrix + blockIdx.x * n;
    unsigned partner = THREADS - 1 - threadIdx.x; /* each thread works on what another one copied */
    unsigned buffer = 0;
    float sum = 0.0f;

    COPY_TILE(0, 0);
    for (unsigned first = 0; first < n; first += THREADS) {
        COPY_TILE(buffer ^ 1, first + THREADS); /* behind the last tile: zeros that nobody needs */
        __pipeline_wait_prior(1);
        __syncthreads(); /* now everybody's part of the tile is there */
        float4 p = tile_a[buffer][partner];
        float4 q = tile_x[buffer][partner];
        sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
        __syncthreads(); /* nobody may copy into this buffer while a neighbour still reads it */
        buffer ^= 1;
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            sums[threadIdx.x] += sums[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        y[blockIdx.x] = sums[0];
    }
}
