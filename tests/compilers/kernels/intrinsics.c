//! kernel intrinsics
//! grid 2
//! block 64
//! arg b64:file(in.bin)
//! arg b64[3072]
//! expect 1 file(expected.bin)
/* What CUDA has names for and C has none: bits, bytes, products, roundings, conversions that saturate, halves. */
#include "words.h"

#define WORDS        24
#define RUN(in, out) intrinsics(in, out)

#ifdef HOST
#include <fenv.h>
#include <math.h>
#define __popc(a)                     (u32) __builtin_popcount(a)
#define __popcll(a)                   (u32) __builtin_popcountll(a)
#define __clz(a)                      ((a) == 0 ? 32 : (u32)__builtin_clz(a))
#define __clzll(a)                    ((a) == 0 ? 64 : (u32)__builtin_clzll(a))
#define __ffs(a)                      (u32) __builtin_ffs(a)
#define __umulhi(a, b)                (u32)((u64)(a) * (b) >> 32)
#define __umul64hi(a, b)              (u64)((unsigned __int128)(a) * (b) >> 64)
#define __mulhi(a, b)                 (u32)((s64)(s32)(a) * (s32)(b) >> 32)
#define __usad(a, b, c)               ((a) > (b) ? (a) - (b) + (c) : (b) - (a) + (c))
#define __funnelshift_l(low, high, n) (u32)((((u64)(high) << 32 | (low)) << ((n)&31)) >> 32)
#define __uhadd(a, b)                 (u32)(((u64)(a) + (b)) >> 1)
#define __float2half_rn(f)            (_Float16)(f)
#define __half2float(h)               (float)(_Float16)(h) /* no excess precision */
#define __half2uint_rz(h)             (u32)(h)
#define half                          _Float16

static u32 __brev(u32 a)
{
    u32 result = 0;

    for (u32 i = 0; i < 32; i++) {
        result |= (a >> i & 1) << (31 - i);
    }
    return result;
}

static u32 __byte_perm(u32 a, u32 b, u32 select)
{
    u64 both = (u64)b << 32 | a;
    u32 result = 0;

    for (u32 i = 0; i < 4; i++) {
        result |= (u32)(both >> ((select >> 4 * i & 7) * 8) & 0xff) << 8 * i;
    }
    return result;
}

static u32 __dp4a(u32 a, u32 b, u32 c)
{
    for (u32 i = 0; i < 32; i += 8) {
        c += (a >> i & 0xff) * (b >> i & 0xff);
    }
    return c;
}

static u32 __vadd4(u32 a, u32 b)
{
    return ((a & 0x7f7f7f7f) + (b & 0x7f7f7f7f)) ^ ((a ^ b) & 0x80808080);
}

static s32 __float2int_rn(float f)
{
    return f >= 2147483648.0f ? 0x7fffffff : f < -2147483648.0f ? (s32)0x80000000 : (s32)rintf(f);
}

static u32 __float2uint_rz(float f)
{
    return f >= 4294967296.0f ? 0xffffffff : f <= 0 ? 0 : (u32)f;
}

static double rounded(int mode, double a, double b, char operation)
{
    volatile double x = a;
    volatile double y = b;
    volatile double result;

    fesetround(mode);
    result = operation == '+' ? x + y : operation == '*' ? x * y : x / y;
    fesetround(FE_TONEAREST);
    return result;
}
#define __dadd_ru(a, b) rounded(FE_UPWARD, a, b, '+')
#define __dmul_rd(a, b) rounded(FE_DOWNWARD, a, b, '*')
#define __ddiv_rz(a, b) rounded(FE_TOWARDZERO, a, b, '/')
#elif defined(__CUDACC__)
#include <cuda_fp16.h>
#else
#error "this compiler has no intrinsics"
#endif

KERNEL intrinsics(const u64 *in, u64 *out)
{
    u32 t = THREAD;
    u32 a = (u32)in[t];
    u32 b = (u32)in[t + 1];
    u32 c = (u32)in[t + 2];
    float f = (float)(s64)in[t] * 1e-9f;
    double d = (double)in[t + 1];
    double e = (double)(in[t + 3] | 1) * 0.37;
    half h = __float2half_rn((float)(s32)a * 1e-5f);
    half g = __float2half_rn((float)(s32)b * 1e-6f);
    u64 *to = out + t * WORDS;

    *to++ = (u32)__popc(a) << 8 | (u32)__popcll(in[t]);
    *to++ = (u32)__clz(a) << 8 | (u32)__clzll(in[t] >> (b & 63));
    *to++ = (u32)__ffs(a & b & c);
    *to++ = __brev(a);
    *to++ = __umulhi(a, b);
    *to++ = __umul64hi(in[t], in[t + 1]);
    *to++ = (u32)__mulhi(a, b);
    *to++ = __usad(a, b, c);
    *to++ = __funnelshift_l(a, b, c);
    *to++ = __uhadd(a, b);
    *to++ = __byte_perm(a, b, c & 0x7777);
    *to++ = __dp4a(a, b, c);
    *to++ = __vadd4(a, b);
    *to++ = (u32)__float2int_rn(f);
    *to++ = __float2uint_rz(f * 2);
    *to++ = bits64(__dadd_ru(d, e));
    *to++ = bits64(__dmul_rd(d, e));
    *to++ = bits64(__ddiv_rz(d, e));
    *to++ = bits32(__half2float(h));
    *to++ = bits32(__half2float(h + g));
    *to++ = bits32(__half2float(h * g));
    *to++ = bits32(__half2float(h - g));
    *to++ = (h < g) | (h == h) << 1 | (h >= g) << 2;
    *to++ = bits32(truncf(f)) ^ bits32(fminf(f, 3.5f)) << 32;
}
