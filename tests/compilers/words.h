/*
 * The few words with which one kernel text is read by five compilers: nvcc, clang as CUDA (without NVIDIA's headers),
 * clang as plain C for the nvptx target, gcc's offload compiler, and the host's C compiler, for which a kernel is a
 * function that host.c calls once for each thread.  Where a compiler lacks the words for something the kernel says so
 * by `#error`.
 *
 * A kernel reads `in`, random words made by host.c, and writes what it computes to `out` as words of 64 bits, so that
 * every result is compared bit for bit.
 */
#ifndef COMPILERS_WORDS_H
#define COMPILERS_WORDS_H

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned u32;
typedef long long s64;
typedef unsigned long long u64;

enum {
    threads = 128, /* of a launch: the `//!` lines of the kernels say grid 2, block 64 */
    in_count = 1024,
};

#if defined(__CUDA__) && !defined(__CUDACC__) /* clang -x cuda -nocudainc */
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#endif

#if defined(__CUDA__) || defined(__CUDACC__)
#define KERNEL   extern "C" __global__ void
#define FUNCTION static __device__ __attribute__((noinline))
#define SHARED   __shared__
#define DATA     __device__
#elif defined(__NVPTX__)
#define KERNEL   __attribute__((nvptx_kernel)) void
#define FUNCTION static __attribute__((noinline))
#define SHARED   static __attribute__((address_space(3)))
#define DATA     static
#elif defined(OFFLOAD) /* gcc, on its way to an offload compiler: see gcc.c */
#define KERNEL   void
#define FUNCTION static __attribute__((noinline))
#define DATA     static
#else
#define HOST
#define KERNEL   void
#define FUNCTION static
#define DATA     static
#endif

#ifdef HOST
static u32 host_thread; /* which thread host.h plays */
#define THREAD host_thread
#elif defined(OFFLOAD)
u32 compilers_thread(void); /* in gcc.ptx */
#define THREAD compilers_thread()
#else
#define SREG(name)                                                 \
    __extension__({                                                \
        u32 sreg_;                                                 \
        __asm__ volatile("mov.u32 %0, %%" name ";" : "=r"(sreg_)); \
        sreg_;                                                     \
    })
#define LANE   SREG("tid.x") /* in its CTA */
#define THREAD (SREG("ctaid.x") * SREG("ntid.x") + SREG("tid.x"))
#endif

#ifdef __CUDACC__
#define FMA(a, b, c)  fma(a, b, c)
#define FMAF(a, b, c) fmaf(a, b, c)
#define SQRT(a)       sqrt(a)
#define SQRTF(a)      sqrtf(a)
#else
#define FMA(a, b, c)  __builtin_fma(a, b, c)
#define FMAF(a, b, c) __builtin_fmaf(a, b, c)
#define SQRT(a)       __builtin_sqrt(a)
#define SQRTF(a)      __builtin_sqrtf(a)
#endif

/* The bits of a float.  NaN is one value: its payload is the machine's affair. */
#if defined(__CUDA__) || defined(__CUDACC__)
static __device__
#else
static
#endif
    inline u64
    bits32(float value)
{
    union {
        float value;
        u32 bits;
    } both;

    both.value = value;
    return value != value ? 0x7fffffff : both.bits;
}

#if defined(__CUDA__) || defined(__CUDACC__)
static __device__
#else
static
#endif
    inline u64
    bits64(double value)
{
    union {
        double value;
        u64 bits;
    } both;

    both.value = value;
    return value != value ? 0x7fffffffffffffff : both.bits;
}

#endif
