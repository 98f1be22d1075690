/*
 * How sources mark what runs where. Only a compiler of CUDA sources gives these words a meaning; for any other they
 * vanish, so that hosts may share headers with kernels.
 */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#if defined(__CUDA__) || defined(__CUDACC__)
#define __annotate__(mark) __attribute__((mark))
#else
#define __annotate__(mark)
#endif
#define __location__(mark) __annotate__(mark)

#define __host__     __location__(host)
#define __device__   __location__(device)
#define __global__   __location__(global)
#define __shared__   __location__(shared)
#define __constant__ __location__(constant)
#if defined(__clang__)
/* clang knows no managed memory outside of HIP: a program that needs it fails to compile there. */
#if !defined(__CUDA__)
#define __managed__
#endif
#else
#define __managed__ __location__(managed)
#endif
#if (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L) || __cplusplus >= 201103L
#define __launch_bounds__(...) __annotate__(launch_bounds(__VA_ARGS__))
#endif

#define __no_return__        __attribute__((noreturn))
#define __forceinline__      __inline__ __attribute__((always_inline))
#define __align__(n)         __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)

/* Marks by which the compilers of NVIDIA recognise builtin types and functions. */
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__

/* Calling conventions differ on Windows only. */
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

#endif
