/*
 * Device code, for clang as a compiler of CUDA without NVIDIA's toolkit: all that a kernel may use without including
 * more. There is no library of device functions behind it: each function is PTX or is computed here, and what is
 * missing does not compile.
 */
#ifndef PTXEMU_CUDA_DEVICE_DEVICE_H
#define PTXEMU_CUDA_DEVICE_DEVICE_H

#include "system.h"

#include <math.h>

#include "arithmetic.h"
#include "atomics.h"
#include "integers.h"
#include "loads.h"
#include "math_overloads.h"
#include "variables.h"
#include "warp.h"

#if __clang_major__ < 15
/* Later versions know the word; here it would stand in the way of the C++ library, which writes it as an attribute. */
#include <memory>
#define __noinline__ __attribute__((noinline))
#endif

/*
 * The configuration of a launch is pushed by kernel<<<...>>>(...) and popped by the function that stands for the kernel
 * on the host. clang writes both calls; it wants to see what it calls.
 */
extern "C" unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem = 0,
                                                    struct CUstream_st *stream = 0);
extern "C" cudaError_t __cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem, void *stream);

#endif
