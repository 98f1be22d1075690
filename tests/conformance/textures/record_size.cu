/*
 * Kernels of record.cu that ask about textures: sizes.  Every combination is a kernel of its own, because a driver that cannot run one operation
 * refuses the whole kernel.
 */
#include "record.h"

#define QUESTION(i, what)                                                                  \
    __global__ void ask_##i(cudaTextureObject_t t, uint4 *out)                                  \
    {                                                                                           \
        unsigned o;                                                                             \
                                                                                                \
        asm volatile("txq." what ";" : "=r"(o) : "l"(t));                            \
        out[i] = make_uint4(o, 0, 0, 0);                                                        \
    }
QUESTION(0, "width.b32 %0, [%1]")
QUESTION(1, "height.b32 %0, [%1]")
QUESTION(2, "depth.b32 %0, [%1]")

void launch_sizes(cudaTextureObject_t t, uint4 *out)
{
    void (*const all[])(cudaTextureObject_t, uint4 *) = {ask_0, ask_1, ask_2};

    for (unsigned i = 0; i < 3; i++) {
        all[i]<<<1, 1>>>(t, out);
        report(i, "txq");
    }
}

#define SURFACE_QUESTION(i, what)                                                            \
    __global__ void ask_surface_##i(cudaSurfaceObject_t t, uint4 *out)                       \
    {                                                                                \
        unsigned o;                                                                  \
                                                                                     \
        asm volatile("suq." what ".b32 %0, [%1];" : "=r"(o) : "l"(t));               \
        out[i] = make_uint4(o, 0, 0, 0);                                             \
    }
SURFACE_QUESTION(0, "width")
SURFACE_QUESTION(1, "height")
SURFACE_QUESTION(2, "depth")

void launch_surface_sizes(cudaSurfaceObject_t t, uint4 *out)
{
    void (*const all[])(cudaSurfaceObject_t, uint4 *) = {ask_surface_0, ask_surface_1, ask_surface_2};

    for (unsigned i = 0; i < 3; i++) {
        all[i]<<<1, 1>>>(t, out);
        report(i, "suq");
    }
}
