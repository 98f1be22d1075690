/*
 * The functions that compilers call behind a program's back: registration of the code in its image before main runs,
 * and the two halves of kernel<<<grid, block, shared, stream>>>(...). Programs never call them; a library that stands
 * in for libcudart defines them.
 */
#ifndef PTXEMU_CUDA_RUNTIME_COMPILER_H
#define PTXEMU_CUDA_RUNTIME_COMPILER_H

#include "../driver_types.h"

#include "../api_common/begin.h"

/* One call per image of device code; the handle goes to all other functions. */
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
char __cudaInitModule(void **handle);
void __cudaRegisterUnifiedTable(void **handle, void *table);

/* A kernel: the address of the host function that stands for it, and its name in PTX. */
void __cudaRegisterFunction(void **handle, const char *hostFun, char *deviceFun, const char *deviceName,
                            int threadLimit, uint3 *tid, uint3 *bid, dim3 *bDim, dim3 *gDim, int *wSize);

/* A variable: the address of its shadow on the host, and its name in PTX. */
void __cudaRegisterVar(void **handle, char *hostVar, char *deviceAddress, const char *deviceName, int ext, size_t size,
                       int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **hostVarPtrAddress, char *deviceAddress, const char *deviceName,
                              int ext, size_t size, int constant, int global);
void __cudaRegisterHostVar(void **handle, const char *deviceName, char *hostVar, size_t size);

/* A stack of launch configurations per thread. Push returns 0 when the launch is to go on. */
unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem, struct CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem, void *stream);

/* Launches of 13.0: the kernel is looked up once. */
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *hostFun);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                               cudaStream_t stream);
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                    cudaStream_t stream);

#include "../api_common/end.h"

#endif
