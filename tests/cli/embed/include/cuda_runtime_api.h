/* As much of the CUDA runtime as the tests of `ptxemu embed` need; the layouts are those of CUDA. */
#ifndef TESTS_EMBED_CUDA_RUNTIME_API_H
#define TESTS_EMBED_CUDA_RUNTIME_API_H

#include <stddef.h>

typedef struct {
    unsigned x, y, z;
} dim3;
typedef enum { cudaSuccess = 0, cudaErrorMissingConfiguration = 52 } cudaError_t;
typedef struct CUstream_st *cudaStream_t;

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
#ifdef __cplusplus
}
#endif

#endif
