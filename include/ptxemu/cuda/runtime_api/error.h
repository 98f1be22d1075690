/* Errors of the calling thread, and their names. */
#ifndef PTXEMU_CUDA_RUNTIME_ERROR_H
#define PTXEMU_CUDA_RUNTIME_ERROR_H

#include "rename.h"
#include "../driver_types.h"

#include "../api_common/begin.h"

const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError(void);

cudaError_t cudaPeekAtLastError(void);

#include "../api_common/end.h"

#endif
