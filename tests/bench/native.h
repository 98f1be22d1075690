/*
 * The benchmark kernels in plain C, as a careful person would write them for one core: the right loop order, nothing
 * that needs intrinsics.  They are the yardstick; keep them honest.
 */
#ifndef BENCH_NATIVE_H
#define BENCH_NATIVE_H

#include "bench.h"

enum { REDUCE_ELEMENTS = 4096 }; /* summed by one CTA of 256 threads */

void native_vecadd(const struct bench_case *c, void *const *buffers);
void native_saxpy(const struct bench_case *c, void *const *buffers);
void native_reduce_shfl(const struct bench_case *c, void *const *buffers);
void native_reduce_shared(const struct bench_case *c, void *const *buffers);
void native_histogram(const struct bench_case *c, void *const *buffers);
void native_sgemm(const struct bench_case *c, void *const *buffers);
void native_stencil(const struct bench_case *c, void *const *buffers);
void native_mandelbrot(const struct bench_case *c, void *const *buffers);
void native_nbody(const struct bench_case *c, void *const *buffers);
void native_sha_mix(const struct bench_case *c, void *const *buffers);
void native_chase(const struct bench_case *c, void *const *buffers);

#endif
