/*
 * Transpose of a matrix, through a tile of 32 x 32 in shared memory.
 *
 * Rows of the tile are 33 words long: then a column's 32 words lie in 32 different banks, and reading a column is as
 * fast as reading a row.  Global memory sees whole rows only, both when read and when written.  A CTA of 32 x 8 threads
 * handles four rows per thread.
 */
#include "../kernel.h"

#define TILE     32
#define CTA_ROWS 8

KERNEL transpose(const unsigned *in, unsigned *out, unsigned width, unsigned height)
{
    __shared__ unsigned tile[TILE][TILE + 1];
    unsigned tx = threadIdx.x;
    unsigned left = blockIdx.x * TILE;
    unsigned top = blockIdx.y * TILE;

    for (unsigned ty = threadIdx.y; ty < TILE; ty += CTA_ROWS) {
        if (left + tx < width && top + ty < height) {
            tile[ty][tx] = in[(top + ty) * width + left + tx];
        }
    }
    __syncthreads();
    for (unsigned ty = threadIdx.y; ty < TILE; ty += CTA_ROWS) {
        if (top + tx < height && left + ty < width) {
            out[(left + ty) * height + top + tx] = tile[tx][ty];
        }
    }
}
