/*
 * 7-point stencil in three dimensions: out = sum of the six neighbours - 6 * centre; the faces of the box are copied.
 *
 * A thread owns one column (x, y) and walks along z.  Three values of the column travel through registers, so that each
 * point of the column is loaded once; the four neighbours beside it come from memory.
 */
#include "../kernel.h"

KERNEL stencil(const float *in, float *out, unsigned nx, unsigned ny, unsigned nz)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned plane = nx * ny;
    unsigned i = y * nx + x;

    if (x >= nx || y >= ny) {
        return;
    }
    int side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
    float below = 0.0f;
    float centre = in[i];
    for (unsigned z = 0; z < nz; z++, i += plane) {
        float above = z + 1 < nz ? in[i + plane] : 0.0f;
        if (side || z == 0 || z == nz - 1) {
            out[i] = centre;
        } else {
            float ring = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx];
            out[i] = fmaf(-6.0f, centre, ring + below + above);
        }
        below = centre;
        centre = above;
    }
}
