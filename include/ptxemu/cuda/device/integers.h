/* Integer arithmetic that C has no operator for, and conversions that say how to round. */
#ifndef PTXEMU_CUDA_DEVICE_INTEGERS_H
#define PTXEMU_CUDA_DEVICE_INTEGERS_H

#include "words.h"

/* --- bits --- */

PTXEMU_DEVICE int __popc(unsigned int x)
{
    return __builtin_popcount(x);
}

PTXEMU_DEVICE int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}

PTXEMU_DEVICE int __clz(int x)
{
    return x == 0 ? 32 : __builtin_clz((unsigned int)x);
}

PTXEMU_DEVICE int __clzll(long long x)
{
    return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}

/* The position of the lowest bit set, counted from 1; 0 if there is none. */
PTXEMU_DEVICE int __ffs(int x)
{
    return x == 0 ? 0 : __builtin_ctz((unsigned int)x) + 1;
}

PTXEMU_DEVICE int __ffsll(long long x)
{
    return x == 0 ? 0 : __builtin_ctzll((unsigned long long)x) + 1;
}

PTXEMU_DEVICE unsigned int __brev(unsigned int x)
{
    return __builtin_bitreverse32(x);
}

PTXEMU_DEVICE unsigned long long __brevll(unsigned long long x)
{
    return __builtin_bitreverse64(x);
}

/* Four bytes out of the eight of y:x, chosen by the nibbles of s. */
PTXEMU_DEVICE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s)
{
    unsigned int bytes;

    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(x), "r"(y), "r"(s & 0x7777));
    return bytes;
}

/* 32 bits out of the 64 of hi:lo; the _c forms clamp the distance at 32, the others take it modulo 32. */
#define PTXEMU_FUNNEL(name, operation)                                                            \
    PTXEMU_DEVICE unsigned int name(unsigned int lo, unsigned int hi, unsigned int shift)         \
    {                                                                                             \
        unsigned int word;                                                                        \
                                                                                                  \
        asm("shf." operation ".b32 %0, %1, %2, %3;" : "=r"(word) : "r"(lo), "r"(hi), "r"(shift)); \
        return word;                                                                              \
    }
PTXEMU_FUNNEL(__funnelshift_l, "l.wrap")
PTXEMU_FUNNEL(__funnelshift_lc, "l.clamp")
PTXEMU_FUNNEL(__funnelshift_r, "r.wrap")
PTXEMU_FUNNEL(__funnelshift_rc, "r.clamp")
#undef PTXEMU_FUNNEL

/* --- products --- */

PTXEMU_DEVICE int __mulhi(int x, int y)
{
    return (int)((long long)x * y >> 32);
}

PTXEMU_DEVICE unsigned int __umulhi(unsigned int x, unsigned int y)
{
    return (unsigned int)((unsigned long long)x * y >> 32);
}

PTXEMU_DEVICE long long __mul64hi(long long x, long long y)
{
    return __nvvm_mulhi_ll(x, y);
}

PTXEMU_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return __nvvm_mulhi_ull(x, y);
}

/* The low 32 bits of the product of the low 24 bits of each. */
PTXEMU_DEVICE int __mul24(int x, int y)
{
    return __nvvm_mul24_i(x, y);
}

PTXEMU_DEVICE unsigned int __umul24(unsigned int x, unsigned int y)
{
    return __nvvm_mul24_ui(x, y);
}

/* --- averages and differences --- */

PTXEMU_DEVICE int __hadd(int x, int y)
{
    return (int)(((long long)x + y) >> 1);
}

PTXEMU_DEVICE int __rhadd(int x, int y)
{
    return (int)(((long long)x + y + 1) >> 1);
}

PTXEMU_DEVICE unsigned int __uhadd(unsigned int x, unsigned int y)
{
    return (unsigned int)(((unsigned long long)x + y) >> 1);
}

PTXEMU_DEVICE unsigned int __urhadd(unsigned int x, unsigned int y)
{
    return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}

/* |x - y| + z */
PTXEMU_DEVICE unsigned int __sad(int x, int y, unsigned int z)
{
    return (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x) + z;
}

PTXEMU_DEVICE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z)
{
    return (x > y ? x - y : y - x) + z;
}

/* --- sums of products of bytes --- */

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 610
PTXEMU_DEVICE int __dp4a(int a, int b, int c)
{
    int sum;

    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
    return sum;
}

PTXEMU_DEVICE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c)
{
    unsigned int sum;

    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
    return sum;
}
#endif

/* --- bits of one type read as another --- */

#define PTXEMU_REINTERPRET(name, from, to) \
    PTXEMU_DEVICE to name(from x)          \
    {                                      \
        return __builtin_bit_cast(to, x);  \
    }
PTXEMU_REINTERPRET(__float_as_int, float, int)
PTXEMU_REINTERPRET(__float_as_uint, float, unsigned int)
PTXEMU_REINTERPRET(__int_as_float, int, float)
PTXEMU_REINTERPRET(__uint_as_float, unsigned int, float)
PTXEMU_REINTERPRET(__double_as_longlong, double, long long)
PTXEMU_REINTERPRET(__longlong_as_double, long long, double)
#undef PTXEMU_REINTERPRET

PTXEMU_DEVICE int __double2loint(double x)
{
    return (int)__double_as_longlong(x);
}

PTXEMU_DEVICE int __double2hiint(double x)
{
    return (int)(__double_as_longlong(x) >> 32);
}

PTXEMU_DEVICE double __hiloint2double(int hi, int lo)
{
    return __longlong_as_double((long long)hi << 32 | (unsigned int)lo);
}

/* --- conversions, rounded to nearest even, towards zero, up, down --- */

#define PTXEMU_CONVERT(name, operation, from, from_reg, to, to_reg)          \
    PTXEMU_DEVICE to name(from x)                                            \
    {                                                                        \
        to result;                                                           \
                                                                             \
        asm("cvt." operation " %0, %1;" : "=" to_reg(result) : from_reg(x)); \
        return result;                                                       \
    }
#define PTXEMU_CONVERT_ALL(name, integral, types, from, from_reg, to, to_reg)  \
    PTXEMU_CONVERT(name##_rn, "rn" integral types, from, from_reg, to, to_reg) \
    PTXEMU_CONVERT(name##_rz, "rz" integral types, from, from_reg, to, to_reg) \
    PTXEMU_CONVERT(name##_ru, "rp" integral types, from, from_reg, to, to_reg) \
    PTXEMU_CONVERT(name##_rd, "rm" integral types, from, from_reg, to, to_reg)
PTXEMU_CONVERT_ALL(__float2int, "i", ".s32.f32", float, "f", int, "r")
PTXEMU_CONVERT_ALL(__float2uint, "i", ".u32.f32", float, "f", unsigned int, "r")
PTXEMU_CONVERT_ALL(__float2ll, "i", ".s64.f32", float, "f", long long, "l")
PTXEMU_CONVERT_ALL(__float2ull, "i", ".u64.f32", float, "f", unsigned long long, "l")
PTXEMU_CONVERT_ALL(__double2int, "i", ".s32.f64", double, "d", int, "r")
PTXEMU_CONVERT_ALL(__double2uint, "i", ".u32.f64", double, "d", unsigned int, "r")
PTXEMU_CONVERT_ALL(__double2ll, "i", ".s64.f64", double, "d", long long, "l")
PTXEMU_CONVERT_ALL(__double2ull, "i", ".u64.f64", double, "d", unsigned long long, "l")
PTXEMU_CONVERT_ALL(__double2float, "", ".f32.f64", double, "d", float, "f")
PTXEMU_CONVERT_ALL(__int2float, "", ".f32.s32", int, "r", float, "f")
PTXEMU_CONVERT_ALL(__uint2float, "", ".f32.u32", unsigned int, "r", float, "f")
PTXEMU_CONVERT_ALL(__ll2float, "", ".f32.s64", long long, "l", float, "f")
PTXEMU_CONVERT_ALL(__ull2float, "", ".f32.u64", unsigned long long, "l", float, "f")
PTXEMU_CONVERT_ALL(__ll2double, "", ".f64.s64", long long, "l", double, "d")
PTXEMU_CONVERT_ALL(__ull2double, "", ".f64.u64", unsigned long long, "l", double, "d")
#undef PTXEMU_CONVERT_ALL
#undef PTXEMU_CONVERT

PTXEMU_DEVICE double __int2double_rn(int x)
{
    return x;
}

PTXEMU_DEVICE double __uint2double_rn(unsigned int x)
{
    return x;
}

#endif
