/*
 * The few words of CUDA that the kernels of this folder use, for compilers that have no NVIDIA software at hand.
 *
 * One kernel text serves three compilers; only this file knows which of them is reading:
 *   nvcc                                   knows all words itself and gets only KERNEL and DYNAMIC_SHARED;
 *   clang --target=nvptx64-nvidia-cuda     plain C (clang 19; clang 14 and 15 lack the attribute nvptx_kernel);
 *   clang -x cuda -nocudainc -nocudalib    CUDA without its headers (clang 14; needs no NVIDIA software either).
 *
 * Shared variables live in address space 3.  In C they must not be passed to functions that take plain pointers: C does
 * not convert between address spaces on its own.
 */
#ifndef EXAMPLES_KERNEL_H
#define EXAMPLES_KERNEL_H

#if defined(__CUDA__) || defined(__CUDACC__)
#define KERNEL                     extern "C" __global__ void
#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#else
#define KERNEL                     __attribute__((nvptx_kernel)) void
#define DYNAMIC_SHARED(type, name) extern __attribute__((address_space(3))) type name[]
#define __device__
#define __shared__ static __attribute__((address_space(3)))
#endif

#if defined(__clang__) && defined(__CUDA__) && !defined(__CUDACC__)
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#endif

/* nvcc has __pipeline_memcpy_async and its like in a header of its own. */
#if defined(__CUDACC__)
#include <cuda_pipeline_primitives.h>
#endif

#if defined(__clang__) && !defined(__CUDACC__)
typedef float float4 __attribute__((ext_vector_type(4)));
struct dim3 {
    unsigned x, y, z;
};

#define SREG(name)  ((unsigned)__nvvm_read_ptx_sreg_##name())
#define SREG3(name) ((struct dim3){SREG(name##_x), SREG(name##_y), SREG(name##_z)})

#define threadIdx SREG3(tid)
#define blockIdx  SREG3(ctaid)
#define blockDim  SREG3(ntid)
#define gridDim   SREG3(nctaid)
#define warpSize  32

/* __syncthreads() needs no definition: clang has it as a builtin of the target. */
#define __syncwarp()          __nvvm_bar_warp_sync(0xffffffffu)
#define __threadfence()       __nvvm_membar_gl()
#define __threadfence_block() __nvvm_membar_cta()

#define __shfl_down_sync(lanes, value, delta) __nvvm_shfl_sync_down_i32(lanes, value, delta, 0x1f)

/* Macros, because the pointer may be to global or to shared memory.  CUDA's atomics are relaxed. */
#define atomicAdd(address, value)  __atomic_fetch_add(address, value, __ATOMIC_RELAXED)
#define atomicMax(address, value)  __atomic_fetch_max(address, value, __ATOMIC_RELAXED)
#define atomicExch(address, value) __atomic_exchange_n(address, value, __ATOMIC_RELAXED)
#define atomicCAS(address, compare, value)                                                          \
    __extension__({                                                                                 \
        unsigned seen_ = (compare);                                                                 \
        __atomic_compare_exchange_n(address, &seen_, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        seen_;                                                                                      \
    })

/* Of the bytes of a copy, the last `missing` are not read but filled with zeros. */
#define __pipeline_memcpy_async(to, from, bytes, missing)                                                \
    __nvvm_cp_async_cg_shared_global_##bytes(to, (const __attribute__((address_space(1))) void *)(from), \
                                             (bytes) - (missing))
#define __pipeline_commit()           __nvvm_cp_async_commit_group()
#define __pipeline_wait_prior(groups) __nvvm_cp_async_wait_group(groups)

#define fmaf(a, b, c) __nvvm_fma_rn_f(a, b, c)
#define rsqrtf(x)     __nvvm_rsqrt_approx_f(x)
#endif

#endif
