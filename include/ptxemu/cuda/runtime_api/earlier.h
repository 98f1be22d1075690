/*
 * What libcudart.so.12 exports under plain names whose meaning in a program's source has moved on to a suffixed name:
 * for a library that implements them, not for programs. After it no name of 12.x that has two meanings is renamed.
 */
#ifndef PTXEMU_CUDA_RUNTIME_EARLIER_H
#define PTXEMU_CUDA_RUNTIME_EARLIER_H

#include "../cuda_runtime_api.h"

#if PTXEMU_CUDA_VERSION >= 13000
#error "libcudart.so.13 has no function of two meanings"
#endif

#undef cudaGetDeviceProperties
#undef cudaSignalExternalSemaphoresAsync
#undef cudaStreamGetCaptureInfo
#undef cudaWaitExternalSemaphoresAsync

#include "../api_common/begin.h"

/* Fills the structure of 11.x: all members before hostRegisterSupported, and no byte after them. */
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
                                     unsigned long long *id_out);
cudaError_t cudaStreamGetCaptureInfo_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
                                          unsigned long long *id_out);

cudaError_t cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t *extSemArray,
                                              const struct cudaExternalSemaphoreSignalParams_v1 *paramsArray,
                                              unsigned int numExtSems, cudaStream_t stream);
cudaError_t cudaSignalExternalSemaphoresAsync_ptsz(const cudaExternalSemaphore_t *extSemArray,
                                                   const struct cudaExternalSemaphoreSignalParams_v1 *paramsArray,
                                                   unsigned int numExtSems, cudaStream_t stream);
cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t *extSemArray,
                                            const struct cudaExternalSemaphoreWaitParams_v1 *paramsArray,
                                            unsigned int numExtSems, cudaStream_t stream);
cudaError_t cudaWaitExternalSemaphoresAsync_ptsz(const cudaExternalSemaphore_t *extSemArray,
                                                 const struct cudaExternalSemaphoreWaitParams_v1 *paramsArray,
                                                 unsigned int numExtSems, cudaStream_t stream);

#include "../api_common/end.h"

#endif
