/*
 * Kernels of record.cu that work on surfaces; two files make them.  Every combination is a kernel of its own, because a driver that cannot run one operation
 * refuses the whole kernel.
 */
#ifndef TEXTURE_RECORD_VISIT_CUH
#define TEXTURE_RECORD_VISIT_CUH

#include "record.h"

#define OUT "=r"(o[0]), "=r"(o[1]), "=r"(o[2]), "=r"(o[3])

#define LOAD_GEOMETRIES(bounds)                                                                                                         \
    switch (g) {                                                                                                                        \
    case TC_1D: LOADS(bounds, "1d", "[%4, {%5}]", "l"(t), "r"(s.x)) break;                                                                \
    case TC_2D: LOADS(bounds, "2d", "[%4, {%5,%6}]", "l"(t), "r"(s.x), "r"(s.y)) break;                                                   \
    case TC_3D: LOADS(bounds, "3d", "[%4, {%5,%6,%7,%7}]", "l"(t), "r"(s.x), "r"(s.y), "r"(s.z)) break;                                   \
    case TC_A1D: LOADS(bounds, "a1d", "[%4, {%5,%6}]", "l"(t), "r"(s.z), "r"(s.x)) break;                                                 \
    default: LOADS(bounds, "a2d", "[%4, {%5,%6,%7,%7}]", "l"(t), "r"(s.z), "r"(s.x), "r"(s.y)) break;                                      \
    }
#define LOADS(bounds, geom, place, ...)                                                                                                   \
    switch (bytes * 16 + parts) {                                                                                                         \
    case 0x11: asm volatile("{.reg .b16 h; suld.b." geom ".b8." bounds " {h}, " place "; cvt.u32.u16 %0, h; mov.u32 %1, 0; mov.u32 %2, 0; mov.u32 %3, 0;}" : OUT : __VA_ARGS__); break; \
    case 0x41: asm volatile("suld.b." geom ".b32." bounds " {%0}, " place "; mov.u32 %1, 0; mov.u32 %2, 0; mov.u32 %3, 0;" : OUT : __VA_ARGS__); break; \
    case 0x42: asm volatile("{.reg .b16 a, b; suld.b." geom ".v2.b16." bounds " {a,b}, " place "; cvt.u32.u16 %0, a; cvt.u32.u16 %1, b; mov.u32 %2, 0; mov.u32 %3, 0;}" : OUT : __VA_ARGS__); break; \
    case 0x44: asm volatile("{.reg .b16 a, b, c, d; suld.b." geom ".v4.b8." bounds " {a,b,c,d}, " place "; cvt.u32.u16 %0, a; cvt.u32.u16 %1, b; cvt.u32.u16 %2, c; cvt.u32.u16 %3, d;}" : OUT : __VA_ARGS__); break; \
    case 0x81: asm volatile("{.reg .b64 a; suld.b." geom ".b64." bounds " {a}, " place "; mov.b64 {%0,%1}, a; mov.u32 %2, 0; mov.u32 %3, 0;}" : OUT : __VA_ARGS__); break; \
    default: asm volatile("suld.b." geom ".v4.b32." bounds " {%0,%1,%2,%3}, " place ";" : OUT : __VA_ARGS__); break;                         \
    }

#define V4 "r"(s.value[0]), "r"(s.value[1]), "r"(s.value[2]), "r"(s.value[3])
#define STORE(bounds)                                                                                                                      \
    if (parts == 1) asm volatile("sust.b.2d.b32." bounds " [%0, {%1,%2}], {%3};" :: "l"(t), "r"(s.x), "r"(s.y), "r"(s.value[0]) : "memory"); \
    else if (parts == 2) asm volatile("sust.b.a2d.v2.b32." bounds " [%0, {%1,%2,%3,%3}], {%4,%5};" :: "l"(t), "r"(s.z), "r"(s.x), "r"(s.y), "r"(s.value[0]), "r"(s.value[1]) : "memory"); \
    else asm volatile("{.reg .b16 a, b, c, d; cvt.u16.u32 a, %3; cvt.u16.u32 b, %4; cvt.u16.u32 c, %5; cvt.u16.u32 d, %6; sust.b.2d.v4.b8." bounds " [%0, {%1,%2}], {a,b,c,d};}" :: "l"(t), "r"(s.x), "r"(s.y), V4 : "memory");
#define STORE_P(bounds)                                                                                                                    \
    if (g == TC_1D) asm volatile("sust.p.1d.v4.b32." bounds " [%0, {%1}], {%2,%3,%4,%5};" :: "l"(t), "r"(s.x), V4 : "memory");                \
    else asm volatile("sust.p.2d.v4.b32." bounds " [%0, {%1,%2}], {%3,%4,%5,%6};" :: "l"(t), "r"(s.x), "r"(s.y), V4 : "memory");
#define REDUCE2(op, bounds) asm volatile("sured." op "." bounds " [%0, {%1,%2}], %3;" :: "l"(t), "r"(s.x), "r"(s.y), "r"(s.value[0]) : "memory")
#define REDUCE1(op, bounds) asm volatile("sured." op "." bounds " [%0, {%1}], %2;" :: "l"(t), "r"(s.x), "r"(s.value[0]) : "memory")

template <int op, int bounds> __device__ static void access(int g, int bytes, int parts, cudaSurfaceObject_t t, const ts_sample &s, unsigned o[4])
{
    if constexpr (op == TS_LOAD && bounds == TS_CLAMP) {
        LOAD_GEOMETRIES("clamp")
    } else if constexpr (op == TS_LOAD) {
        LOAD_GEOMETRIES("zero")
    } else if constexpr (op == TS_STORE && bounds == TS_CLAMP) {
        STORE("clamp")
    } else if constexpr (op == TS_STORE) {
        STORE("zero")
    } else if constexpr (op == TS_STORE_P && bounds == TS_CLAMP) {
        STORE_P("clamp")
    } else if constexpr (op == TS_STORE_P) {
        STORE_P("zero")
    } else if constexpr (op == TS_ADD) {
        REDUCE2("b.add.2d.u32", "clamp");
    } else if constexpr (op == TS_MIN_S) {
        REDUCE2("b.min.2d.s32", "zero");
    } else if constexpr (op == TS_MAX_U) {
        REDUCE2("b.max.2d.u32", "zero");
    } else if constexpr (op == TS_AND) {
        REDUCE1("b.and.1d.b32", "clamp");
    } else if constexpr (op == TS_OR) {
        REDUCE1("b.or.1d.b32", "clamp");
    } else {
        REDUCE2("p.add.2d.b32", "clamp");
    }
}

/* Stores are made in order, by one thread. */
template <int op, int bounds> __global__ void visit(ts_case c, cudaSurfaceObject_t t, const ts_sample *in, uint4 *out)
{
    unsigned o[4] = {0, 0, 0, 0};

    if constexpr (op == TS_STORE || op == TS_STORE_P) {
        for (unsigned i = 0; threadIdx.x == 0 && i < c.n; i++) {
            access<op, bounds>(c.geometry, c.bytes, c.parts, t, in[i], o);
            __threadfence();
        }
    } else if (threadIdx.x < c.n) {
        access<op, bounds>(c.geometry, c.bytes, c.parts, t, in[threadIdx.x], o);
        out[threadIdx.x] = make_uint4(o[0], o[1], o[2], o[3]);
    }
}

#define TRY(op_, bounds_)                                  \
    if (c.op == op_ && c.bounds == bounds_) {              \
        visit<op_, bounds_><<<1, 256>>>(c, t, in, out);    \
        return true;                                       \
    }

#endif
