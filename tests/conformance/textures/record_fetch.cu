/*
 * Kernels of record.cu that fetch.  Every combination is a kernel of its own, because a driver that cannot run one operation
 * refuses the whole kernel.
 */
#include "record.h"

#define OUT "=r"(o[0]), "=r"(o[1]), "=r"(o[2]), "=r"(o[3])
#define D4  "{%0,%1,%2,%3}"

template <int g> __device__ static void fetch_float( cudaTextureObject_t t, const tc_sample &s, unsigned o[4])
{
    switch (g) {
    case TC_1D: asm volatile("tex.1d.v4.u32.f32 " D4 ", [%4, {%5}];" : OUT : "l"(t), "f"(s.x[0])); break;
    case TC_2D: asm volatile("tex.2d.v4.u32.f32 " D4 ", [%4, {%5,%6}];" : OUT : "l"(t), "f"(s.x[0]), "f"(s.x[1])); break;
    case TC_3D: asm volatile("tex.3d.v4.u32.f32 " D4 ", [%4, {%5,%6,%7,%7}];" : OUT : "l"(t), "f"(s.x[0]), "f"(s.x[1]), "f"(s.x[2])); break;
    case TC_A1D: asm volatile("tex.a1d.v4.u32.f32 " D4 ", [%4, {%5,%6}];" : OUT : "l"(t), "r"(s.layer), "f"(s.x[0])); break;
    case TC_A2D: asm volatile("tex.a2d.v4.u32.f32 " D4 ", [%4, {%5,%6,%7,%7}];" : OUT : "l"(t), "r"(s.layer), "f"(s.x[0]), "f"(s.x[1])); break;
    case TC_CUBE: asm volatile("tex.cube.v4.u32.f32 " D4 ", [%4, {%5,%6,%7,%7}];" : OUT : "l"(t), "f"(s.x[0]), "f"(s.x[1]), "f"(s.x[2])); break;
    default: asm volatile("tex.acube.v4.u32.f32 " D4 ", [%4, {%5,%6,%7,%8}];" : OUT : "l"(t), "r"(s.layer), "f"(s.x[0]), "f"(s.x[1]), "f"(s.x[2])); break;
    }
}

template <int g> __device__ static void fetch_int( cudaTextureObject_t t, const tc_sample &s, unsigned o[4])
{
    switch (g) {
    case TC_1D: asm volatile("tex.1d.v4.u32.s32 " D4 ", [%4, {%5}];" : OUT : "l"(t), "r"(s.i[0])); break;
    case TC_2D: asm volatile("tex.2d.v4.u32.s32 " D4 ", [%4, {%5,%6}];" : OUT : "l"(t), "r"(s.i[0]), "r"(s.i[1])); break;
    case TC_3D: asm volatile("tex.3d.v4.u32.s32 " D4 ", [%4, {%5,%6,%7,%7}];" : OUT : "l"(t), "r"(s.i[0]), "r"(s.i[1]), "r"(s.i[2])); break;
    case TC_A1D: asm volatile("tex.a1d.v4.u32.s32 " D4 ", [%4, {%5,%6}];" : OUT : "l"(t), "r"(s.layer), "r"(s.i[0])); break;
    case TC_A2D: asm volatile("tex.a2d.v4.u32.s32 " D4 ", [%4, {%5,%6,%7,%7}];" : OUT : "l"(t), "r"(s.layer), "r"(s.i[0]), "r"(s.i[1])); break;
    }
}

template <int g> __device__ static void fetch_level( cudaTextureObject_t t, const tc_sample &s, unsigned o[4])
{
    switch (g) {
    case TC_1D: asm volatile("tex.level.1d.v4.u32.f32 " D4 ", [%4, {%5}], %6;" : OUT : "l"(t), "f"(s.x[0]), "f"(s.level)); break;
    case TC_2D: asm volatile("tex.level.2d.v4.u32.f32 " D4 ", [%4, {%5,%6}], %7;" : OUT : "l"(t), "f"(s.x[0]), "f"(s.x[1]), "f"(s.level)); break;
    case TC_3D: asm volatile("tex.level.3d.v4.u32.f32 " D4 ", [%4, {%5,%6,%7,%7}], %8;" : OUT : "l"(t), "f"(s.x[0]), "f"(s.x[1]), "f"(s.x[2]), "f"(s.level)); break;
    case TC_A2D: asm volatile("tex.level.a2d.v4.u32.f32 " D4 ", [%4, {%5,%6,%7,%7}], %8;" : OUT : "l"(t), "r"(s.layer), "f"(s.x[0]), "f"(s.x[1]), "f"(s.level)); break;
    }
}

template <int g> __device__ static void fetch_gradient( cudaTextureObject_t t, const tc_sample &s, unsigned o[4])
{
    switch (g) {
    case TC_1D: asm volatile("tex.grad.1d.v4.u32.f32 " D4 ", [%4, {%5}], {%6}, {%7};" : OUT : "l"(t), "f"(s.x[0]), "f"(s.dx[0]), "f"(s.dy[0])); break;
    case TC_2D: asm volatile("tex.grad.2d.v4.u32.f32 " D4 ", [%4, {%5,%6}], {%7,%8}, {%9,%10};" : OUT : "l"(t), "f"(s.x[0]), "f"(s.x[1]), "f"(s.dx[0]), "f"(s.dx[1]), "f"(s.dy[0]), "f"(s.dy[1])); break;
    case TC_3D: asm volatile("tex.grad.3d.v4.u32.f32 " D4 ", [%4, {%5,%6,%7,%7}], {%8,%9,%10,%10}, {%11,%12,%13,%13};" : OUT : "l"(t), "f"(s.x[0]), "f"(s.x[1]), "f"(s.x[2]), "f"(s.dx[0]), "f"(s.dx[1]), "f"(s.dx[2]), "f"(s.dy[0]), "f"(s.dy[1]), "f"(s.dy[2])); break;
    }
}

#define GATHER(c)                                                                                                                                \
    if (g == TC_2D) { asm volatile("tld4." c ".2d.v4.u32.f32 " D4 ", [%4, {%5,%6}];" : OUT : "l"(t), "f"(s.x[0]), "f"(s.x[1])); }                  \
    else if (g == TC_A2D) { asm volatile("tld4." c ".a2d.v4.u32.f32 " D4 ", [%4, {%5,%6,%7,%7}];" : OUT : "l"(t), "r"(s.layer), "f"(s.x[0]), "f"(s.x[1])); } \
    else { asm volatile("tld4." c ".cube.v4.u32.f32 " D4 ", [%4, {%5,%6,%7,%7}];" : OUT : "l"(t), "f"(s.x[0]), "f"(s.x[1]), "f"(s.x[2])); }

template <int op, int g> __global__ void fetch(cudaTextureObject_t t, const tc_sample *in, unsigned n, uint4 *out)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned o[4] = {0, 0, 0, 0};

    if (i >= n) {
        return;
    }
    const tc_sample s = in[i];

    if constexpr (op == TC_TEX) {
        fetch_float<g>(t, s, o);
    } else if constexpr (op == TC_FETCH) {
        fetch_int<g>(t, s, o);
    } else if constexpr (op == TC_LEVEL) {
        fetch_level<g>(t, s, o);
    } else if constexpr (op == TC_GRAD) {
        fetch_gradient<g>(t, s, o);
    } else if constexpr (op == TC_GATHER_R) {
        GATHER("r")
    } else if constexpr (op == TC_GATHER_G) {
        GATHER("g")
    } else if constexpr (op == TC_GATHER_B) {
        GATHER("b")
    } else if constexpr (op == TC_GATHER_A) {
        GATHER("a")
    } else if constexpr (op == TC_OFFSET) {
        float f[4];

        asm volatile("tex.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}], {3,-2};" : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3]) : "l"(t), "f"(s.x[0]), "f"(s.x[1]));
        for (int k = 0; k < 4; k++) {
            o[k] = __float_as_uint(f[k]);
        }
    } else {
        unsigned short h[4];

        asm volatile("tex.1d.v4.f16.f32 {%0,%1,%2,%3}, [%4, {%5}];" : "=h"(h[0]), "=h"(h[1]), "=h"(h[2]), "=h"(h[3]) : "l"(t), "f"(s.x[0]));
        for (int k = 0; k < 4; k++) {
            o[k] = h[k];
        }
    }
    out[i] = make_uint4(o[0], o[1], o[2], o[3]);
}

#define TRY(op, g)                                                     \
    if (c.op_ == op && c.g_ == g) {                                    \
        fetch<op, g><<<(n + 127) / 128, 128>>>(t, in, n, out);         \
        return true;                                                   \
    }

bool launch_fetch(const tc_case &of, cudaTextureObject_t t, const tc_sample *in, uint4 *out)
{
    const unsigned n = of.n;
    const struct { int op_, g_; } c = {of.op, of.geometry};

    TRY(TC_TEX, TC_1D) TRY(TC_TEX, TC_2D) TRY(TC_TEX, TC_3D) TRY(TC_TEX, TC_A1D) TRY(TC_TEX, TC_A2D) TRY(TC_TEX, TC_CUBE) TRY(TC_TEX, TC_ACUBE)
    TRY(TC_FETCH, TC_1D) TRY(TC_FETCH, TC_2D) TRY(TC_FETCH, TC_3D) TRY(TC_FETCH, TC_A1D) TRY(TC_FETCH, TC_A2D)
    TRY(TC_LEVEL, TC_1D) TRY(TC_LEVEL, TC_2D) TRY(TC_LEVEL, TC_3D) TRY(TC_LEVEL, TC_A2D)
    TRY(TC_GRAD, TC_1D) TRY(TC_GRAD, TC_2D) TRY(TC_GRAD, TC_3D)
    TRY(TC_GATHER_R, TC_2D) TRY(TC_GATHER_G, TC_2D) TRY(TC_GATHER_B, TC_2D) TRY(TC_GATHER_A, TC_2D) TRY(TC_GATHER_R, TC_A2D) TRY(TC_GATHER_R, TC_CUBE)
    TRY(TC_OFFSET, TC_2D) TRY(TC_HALF, TC_1D)
    return false;
}
