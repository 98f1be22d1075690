/*
 * The names under which functions are exported. In 12.x a function whose meaning changed got a suffix. With
 * CUDA_API_PER_THREAD_DEFAULT_STREAM stream 0 is a stream of the calling thread: these functions end in _ptsz
 * (asynchronous) or _ptds (blocking).
 */
#ifndef PTXEMU_CUDA_RUNTIME_RENAME_H
#define PTXEMU_CUDA_RUNTIME_RENAME_H

#include "../api_common/version.h"

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define __CUDART_API_PER_THREAD_DEFAULT_STREAM
#define __CUDART_API_PTDS(api) api##_ptds
#define __CUDART_API_PTSZ(api) api##_ptsz
#else
#define __CUDART_API_PTDS(api) api
#define __CUDART_API_PTSZ(api) api
#endif

#if PTXEMU_CUDA_VERSION < 13000
#define cudaGetDeviceProperties           cudaGetDeviceProperties_v2
#define cudaSignalExternalSemaphoresAsync __CUDART_API_PTSZ(cudaSignalExternalSemaphoresAsync_v2)
#define cudaStreamGetCaptureInfo          __CUDART_API_PTSZ(cudaStreamGetCaptureInfo_v2)
#define cudaWaitExternalSemaphoresAsync   __CUDART_API_PTSZ(cudaWaitExternalSemaphoresAsync_v2)
#endif

#if defined(__CUDART_API_PER_THREAD_DEFAULT_STREAM)
#define cudaEventRecord                     __CUDART_API_PTSZ(cudaEventRecord)
#define cudaEventRecordWithFlags            __CUDART_API_PTSZ(cudaEventRecordWithFlags)
#define cudaFreeAsync                       __CUDART_API_PTSZ(cudaFreeAsync)
#define cudaGetDriverEntryPoint             __CUDART_API_PTSZ(cudaGetDriverEntryPoint)
#define cudaGetDriverEntryPointByVersion    __CUDART_API_PTSZ(cudaGetDriverEntryPointByVersion)
#define cudaGraphInstantiateWithParams      __CUDART_API_PTSZ(cudaGraphInstantiateWithParams)
#define cudaGraphLaunch                     __CUDART_API_PTSZ(cudaGraphLaunch)
#define cudaGraphUpload                     __CUDART_API_PTSZ(cudaGraphUpload)
#define cudaLaunchCooperativeKernel         __CUDART_API_PTSZ(cudaLaunchCooperativeKernel)
#define cudaLaunchHostFunc                  __CUDART_API_PTSZ(cudaLaunchHostFunc)
#define cudaLaunchKernel                    __CUDART_API_PTSZ(cudaLaunchKernel)
#define cudaLaunchKernelExC                 __CUDART_API_PTSZ(cudaLaunchKernelExC)
#define cudaMallocAsync                     __CUDART_API_PTSZ(cudaMallocAsync)
#define cudaMallocFromPoolAsync             __CUDART_API_PTSZ(cudaMallocFromPoolAsync)
#define cudaMemDiscardAndPrefetchBatchAsync __CUDART_API_PTSZ(cudaMemDiscardAndPrefetchBatchAsync)
#define cudaMemDiscardBatchAsync            __CUDART_API_PTSZ(cudaMemDiscardBatchAsync)
#define cudaMemPrefetchAsync                __CUDART_API_PTSZ(cudaMemPrefetchAsync)
#define cudaMemPrefetchBatchAsync           __CUDART_API_PTSZ(cudaMemPrefetchBatchAsync)
#define cudaMemcpy                          __CUDART_API_PTDS(cudaMemcpy)
#define cudaMemcpy2D                        __CUDART_API_PTDS(cudaMemcpy2D)
#define cudaMemcpy2DArrayToArray            __CUDART_API_PTDS(cudaMemcpy2DArrayToArray)
#define cudaMemcpy2DAsync                   __CUDART_API_PTSZ(cudaMemcpy2DAsync)
#define cudaMemcpy2DFromArray               __CUDART_API_PTDS(cudaMemcpy2DFromArray)
#define cudaMemcpy2DFromArrayAsync          __CUDART_API_PTSZ(cudaMemcpy2DFromArrayAsync)
#define cudaMemcpy2DToArray                 __CUDART_API_PTDS(cudaMemcpy2DToArray)
#define cudaMemcpy2DToArrayAsync            __CUDART_API_PTSZ(cudaMemcpy2DToArrayAsync)
#define cudaMemcpy3D                        __CUDART_API_PTDS(cudaMemcpy3D)
#define cudaMemcpy3DAsync                   __CUDART_API_PTSZ(cudaMemcpy3DAsync)
#define cudaMemcpy3DBatchAsync              __CUDART_API_PTSZ(cudaMemcpy3DBatchAsync)
#define cudaMemcpy3DPeer                    __CUDART_API_PTDS(cudaMemcpy3DPeer)
#define cudaMemcpy3DPeerAsync               __CUDART_API_PTSZ(cudaMemcpy3DPeerAsync)
#define cudaMemcpyArrayToArray              __CUDART_API_PTDS(cudaMemcpyArrayToArray)
#define cudaMemcpyAsync                     __CUDART_API_PTSZ(cudaMemcpyAsync)
#define cudaMemcpyBatchAsync                __CUDART_API_PTSZ(cudaMemcpyBatchAsync)
#define cudaMemcpyFromArray                 __CUDART_API_PTDS(cudaMemcpyFromArray)
#define cudaMemcpyFromArrayAsync            __CUDART_API_PTSZ(cudaMemcpyFromArrayAsync)
#define cudaMemcpyFromSymbol                __CUDART_API_PTDS(cudaMemcpyFromSymbol)
#define cudaMemcpyFromSymbolAsync           __CUDART_API_PTSZ(cudaMemcpyFromSymbolAsync)
#define cudaMemcpyToArray                   __CUDART_API_PTDS(cudaMemcpyToArray)
#define cudaMemcpyToArrayAsync              __CUDART_API_PTSZ(cudaMemcpyToArrayAsync)
#define cudaMemcpyToSymbol                  __CUDART_API_PTDS(cudaMemcpyToSymbol)
#define cudaMemcpyToSymbolAsync             __CUDART_API_PTSZ(cudaMemcpyToSymbolAsync)
#define cudaMemset                          __CUDART_API_PTDS(cudaMemset)
#define cudaMemset2D                        __CUDART_API_PTDS(cudaMemset2D)
#define cudaMemset2DAsync                   __CUDART_API_PTSZ(cudaMemset2DAsync)
#define cudaMemset3D                        __CUDART_API_PTDS(cudaMemset3D)
#define cudaMemset3DAsync                   __CUDART_API_PTSZ(cudaMemset3DAsync)
#define cudaMemsetAsync                     __CUDART_API_PTSZ(cudaMemsetAsync)
#define cudaStreamAddCallback               __CUDART_API_PTSZ(cudaStreamAddCallback)
#define cudaStreamAttachMemAsync            __CUDART_API_PTSZ(cudaStreamAttachMemAsync)
#define cudaStreamBeginCapture              __CUDART_API_PTSZ(cudaStreamBeginCapture)
#define cudaStreamBeginCaptureToGraph       __CUDART_API_PTSZ(cudaStreamBeginCaptureToGraph)
#define cudaStreamCopyAttributes            __CUDART_API_PTSZ(cudaStreamCopyAttributes)
#define cudaStreamEndCapture                __CUDART_API_PTSZ(cudaStreamEndCapture)
#define cudaStreamGetAttribute              __CUDART_API_PTSZ(cudaStreamGetAttribute)
#define cudaStreamGetDevice                 __CUDART_API_PTSZ(cudaStreamGetDevice)
#define cudaStreamGetFlags                  __CUDART_API_PTSZ(cudaStreamGetFlags)
#define cudaStreamGetId                     __CUDART_API_PTSZ(cudaStreamGetId)
#define cudaStreamGetPriority               __CUDART_API_PTSZ(cudaStreamGetPriority)
#define cudaStreamIsCapturing               __CUDART_API_PTSZ(cudaStreamIsCapturing)
#define cudaStreamQuery                     __CUDART_API_PTSZ(cudaStreamQuery)
#define cudaStreamSetAttribute              __CUDART_API_PTSZ(cudaStreamSetAttribute)
#define cudaStreamSynchronize               __CUDART_API_PTSZ(cudaStreamSynchronize)
#define cudaStreamUpdateCaptureDependencies __CUDART_API_PTSZ(cudaStreamUpdateCaptureDependencies)
#define cudaStreamWaitEvent                 __CUDART_API_PTSZ(cudaStreamWaitEvent)
#if PTXEMU_CUDA_VERSION >= 13000
#define cudaSignalExternalSemaphoresAsync __CUDART_API_PTSZ(cudaSignalExternalSemaphoresAsync)
#define cudaStreamGetCaptureInfo          __CUDART_API_PTSZ(cudaStreamGetCaptureInfo)
#define cudaWaitExternalSemaphoresAsync   __CUDART_API_PTSZ(cudaWaitExternalSemaphoresAsync)
#else
#define cudaMemPrefetchAsync_v2                __CUDART_API_PTSZ(cudaMemPrefetchAsync_v2)
#define cudaStreamGetCaptureInfo_v3            __CUDART_API_PTSZ(cudaStreamGetCaptureInfo_v3)
#define cudaStreamUpdateCaptureDependencies_v2 __CUDART_API_PTSZ(cudaStreamUpdateCaptureDependencies_v2)
#endif
#endif

#endif
