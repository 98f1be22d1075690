/* threadIdx, blockIdx, blockDim, gridDim and warpSize: special registers that read like variables. */
#ifndef PTXEMU_CUDA_DEVICE_VARIABLES_H
#define PTXEMU_CUDA_DEVICE_VARIABLES_H

#include "../vector_types.h"
#include "words.h"

/* A variable whose members x, y and z are reads of the registers `reg`; it becomes a vector where one is wanted. */
#define PTXEMU_SPECIAL_VECTOR(variable, reg)                  \
    struct ptxemu_##variable {                                \
        __declspec(property(get = get_x)) unsigned int x;     \
        __declspec(property(get = get_y)) unsigned int y;     \
        __declspec(property(get = get_z)) unsigned int z;     \
        static __inline__ __device__ unsigned int get_x(void) \
        {                                                     \
            return __nvvm_read_ptx_sreg_##reg##_x();          \
        }                                                     \
        static __inline__ __device__ unsigned int get_y(void) \
        {                                                     \
            return __nvvm_read_ptx_sreg_##reg##_y();          \
        }                                                     \
        static __inline__ __device__ unsigned int get_z(void) \
        {                                                     \
            return __nvvm_read_ptx_sreg_##reg##_z();          \
        }                                                     \
        __device__ operator dim3() const                      \
        {                                                     \
            return dim3(get_x(), get_y(), get_z());           \
        }                                                     \
        __device__ operator uint3() const                     \
        {                                                     \
            return uint3{get_x(), get_y(), get_z()};          \
        }                                                     \
    };                                                        \
    extern const __device__ __attribute__((weak)) struct ptxemu_##variable variable;

PTXEMU_SPECIAL_VECTOR(threadIdx, tid)
PTXEMU_SPECIAL_VECTOR(blockIdx, ctaid)
PTXEMU_SPECIAL_VECTOR(blockDim, ntid)
PTXEMU_SPECIAL_VECTOR(gridDim, nctaid)
#undef PTXEMU_SPECIAL_VECTOR

__attribute__((device)) const int warpSize = 32;

#endif
