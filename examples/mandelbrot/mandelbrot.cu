/*
 * For each point c of a picture: how many steps z = z^2 + c take to leave the circle of radius 2, at most `limit`.
 *
 * Neighbours leave the loop after different numbers of steps: lanes of a warp diverge and wait for each other.  Every
 * multiplication with an addition is written as fmaf, so that no compiler is free to round differently than another.
 */
#include "../kernel.h"

KERNEL mandelbrot(unsigned char *steps, unsigned width, unsigned height, float left, float top, float dx, float dy,
                  unsigned limit)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= width || y >= height) {
        return;
    }
    float cr = fmaf((float)x, dx, left);
    float ci = fmaf((float)y, dy, top);
    float zr = 0.0f;
    float zi = 0.0f;
    unsigned step = 0;
    while (step < limit && fmaf(zi, zi, zr * zr) <= 4.0f) {
        float real = fmaf(zr, zr, fmaf(-zi, zi, cr));
        zi = fmaf(zr + zr, zi, ci);
        zr = real;
        step++;
    }
    steps[y * width + x] = (unsigned char)step;
}
