/*
 * Kernels of record.cu that ask about textures: the n-th sample is the answer to the n-th question.  Every combination is a kernel of its own, because a driver that cannot run one operation
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
QUESTION(3, "channel_data_type.b32 %0, [%1]")
QUESTION(4, "channel_order.b32 %0, [%1]")
QUESTION(5, "normalized_coords.b32 %0, [%1]")
QUESTION(6, "array_size.b32 %0, [%1]")
QUESTION(7, "num_mipmap_levels.b32 %0, [%1]")
QUESTION(8, "num_samples.b32 %0, [%1]")
QUESTION(9, "filter_mode.b32 %0, [%1]")
QUESTION(10, "addr_mode_0.b32 %0, [%1]")
QUESTION(11, "addr_mode_1.b32 %0, [%1]")
QUESTION(12, "addr_mode_2.b32 %0, [%1]")
QUESTION(13, "level.width.b32 %0, [%1], 1")
QUESTION(14, "level.height.b32 %0, [%1], 2")
QUESTION(15, "level.width.b32 %0, [%1], 9")

void launch_questions(cudaTextureObject_t t, uint4 *out)
{
    void (*const all[])(cudaTextureObject_t, uint4 *) = {NULL, NULL, NULL,  ask_3,  ask_4,  ask_5,  ask_6,  ask_7,
                                                         ask_8, ask_9, ask_10, ask_11, ask_12, ask_13, ask_14, ask_15};

    launch_sizes(t, out);
    for (unsigned i = 3; i < 16; i++) {
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
SURFACE_QUESTION(3, "channel_data_type")
SURFACE_QUESTION(4, "channel_order")
SURFACE_QUESTION(5, "array_size")
SURFACE_QUESTION(6, "memory_layout")

void launch_surface_questions(cudaSurfaceObject_t t, uint4 *out)
{
    void (*const all[])(cudaSurfaceObject_t, uint4 *) = {NULL, NULL, NULL, ask_surface_3, ask_surface_4, ask_surface_5, ask_surface_6};

    launch_surface_sizes(t, out);
    for (unsigned i = 3; i < 7; i++) {
        all[i]<<<1, 1>>>(t, out);
        report(i, "suq");
    }
}
