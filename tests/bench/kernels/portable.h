/*
 * The few words in which CUDA and OpenCL C differ, so that each benchmark kernel is written once: nvcc makes the PTX
 * that ptxemu runs, PoCL compiles the same text.  Kernels take pointers first, then 32-bit scalars, in that order.
 */
#ifndef BENCH_KERNELS_PORTABLE_H
#define BENCH_KERNELS_PORTABLE_H

#ifdef __OPENCL_VERSION__
#define KERNEL           __kernel void
#define GLOBAL           __global
#define SHARED           __local
#define TID(d)           ((unsigned)get_local_id(d))
#define CTAID(d)         ((unsigned)get_group_id(d))
#define NTID(d)          ((unsigned)get_local_size(d))
#define BARRIER()        barrier(CLK_LOCAL_MEM_FENCE)
#define ATOMIC_ADD(p, v) atomic_add(p, v)
#define RSQRT(x)         native_rsqrt(x)
#define FMA(a, b, c)     mad(a, b, c)
typedef uint word;
#else
#define KERNEL extern "C" __global__ void
#define GLOBAL
#define SHARED           __shared__
#define PICK(v, d)       ((d) == 0 ? v.x : (d) == 1 ? v.y : v.z)
#define TID(d)           PICK(threadIdx, d)
#define CTAID(d)         PICK(blockIdx, d)
#define NTID(d)          PICK(blockDim, d)
#define BARRIER()        __syncthreads()
#define ATOMIC_ADD(p, v) atomicAdd(p, v)
#define RSQRT(x)         rsqrtf(x)
#define FMA(a, b, c)     ((a) * (b) + (c))
typedef unsigned word;
#endif

#define GLOBAL_ID(d) (CTAID(d) * NTID(d) + TID(d))

#endif
