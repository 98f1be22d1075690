/*
 * The functions that compilers call: registration of device code, and the two halves of `kernel<<<...>>>(...)`.
 * No header of CUDA declares them for programs.
 */
#ifndef PTXEMU_CUDART_REGISTRATION_H
#define PTXEMU_CUDART_REGISTRATION_H

#include "cudart.h"

#pragma GCC visibility push(default)

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host_stub, char *device_function, const char *device_name,
                            int thread_limit, uint3 *thread_id, uint3 *block_id, dim3 *block_dim, dim3 *grid_dim,
                            int *warp_size);
void __cudaRegisterVar(void **handle, char *host_variable, char *device_address, const char *device_name, int external,
                       size_t size, int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host_pointer, char *device_address, const char *device_name,
                              int external, size_t size, int constant, int global);
void __cudaRegisterHostVar(void **handle, const char *device_name, char *host_variable, size_t size);
char __cudaInitModule(void **handle);

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, struct CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host_stub);

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define __cudaLaunchKernel __cudaLaunchKernel_ptsz
#endif
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                               cudaStream_t stream);

#pragma GCC visibility pop

#endif
