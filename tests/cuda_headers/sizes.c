/*
 * Sizes and offsets of structures that cross the binary interface, as NVIDIA's libraries have them.  A program compiled
 * against other headers relies on each of these numbers; nothing runs, compiling is the test.
 */
#include <cuda.h>
#include <cuda_runtime_api.h>

#define SIZE(type, bytes)           _Static_assert(sizeof(type) == (bytes), "size of " #type)
#define OFFSET(type, member, bytes) _Static_assert(offsetof(type, member) == (bytes), "offset of " #type "." #member)

/* --- scalars and handles --- */
SIZE(CUdevice, 4);
SIZE(CUdeviceptr, 8);
SIZE(CUresult, 4);
SIZE(cudaError_t, 4);
SIZE(CUstream, 8);
SIZE(CUtexObject, 8);
SIZE(CUuuid, 16);
SIZE(dim3, 12);
SIZE(float3, 12);
SIZE(float4, 16);
SIZE(double4, 32);
_Static_assert(_Alignof(float4) == 16 && _Alignof(int2) == 8 && _Alignof(char4) == 4 && _Alignof(double4) == 16,
               "alignment of vectors");
#if PTXEMU_CUDA_VERSION >= 13000 /* older releases lack the types */
_Static_assert(_Alignof(double4_32a) == 32 && _Alignof(long4_16a) == 16, "alignment that the name says");
#endif

/* --- driver API --- */
SIZE(CUlaunchConfig, 56);
OFFSET(CUlaunchConfig, gridDimX, 0);
OFFSET(CUlaunchConfig, blockDimX, 12);
OFFSET(CUlaunchConfig, sharedMemBytes, 24);
OFFSET(CUlaunchConfig, hStream, 32);
OFFSET(CUlaunchConfig, attrs, 40);
OFFSET(CUlaunchConfig, numAttrs, 48);
SIZE(CUlaunchAttribute, 72);
OFFSET(CUlaunchAttribute, value, 8);
SIZE(CUDA_MEMCPY2D, 128);
SIZE(CUDA_MEMCPY3D, 200);
SIZE(CUDA_ARRAY_DESCRIPTOR, 24);
SIZE(CUDA_ARRAY3D_DESCRIPTOR, 40);
SIZE(CUDA_RESOURCE_DESC, 144);
SIZE(CUDA_TEXTURE_DESC, 104);
SIZE(CUDA_RESOURCE_VIEW_DESC, 112);
SIZE(CUdevprop, 56);
SIZE(CUmemPoolProps, 88);
SIZE(CUmemAllocationProp, 32);
SIZE(CUDA_KERNEL_NODE_PARAMS, 72);
SIZE(CUctxCreateParams, 24);
SIZE(CUtensorMap, 128);

/* --- runtime API --- */
SIZE(struct cudaFuncAttributes, 144);
SIZE(cudaLaunchConfig_t, 56);
OFFSET(cudaLaunchConfig_t, gridDim, 0);
OFFSET(cudaLaunchConfig_t, blockDim, 12);
OFFSET(cudaLaunchConfig_t, dynamicSmemBytes, 24);
OFFSET(cudaLaunchConfig_t, stream, 32);
OFFSET(cudaLaunchConfig_t, attrs, 40);
OFFSET(cudaLaunchConfig_t, numAttrs, 48);
SIZE(cudaLaunchAttribute, 72);
OFFSET(cudaLaunchAttribute, id, 0);
OFFSET(cudaLaunchAttribute, val, 8);
SIZE(struct cudaMemcpy3DParms, 160);
SIZE(struct cudaPitchedPtr, 32);
SIZE(struct cudaExtent, 24);
SIZE(struct cudaPos, 24);
SIZE(struct cudaChannelFormatDesc, 20);
SIZE(struct cudaTextureDesc, 72);
SIZE(struct cudaMemPoolProps, 88);
SIZE(struct cudaGraphNodeParams, 256);

#if PTXEMU_CUDA_VERSION >= 13000
SIZE(struct cudaDeviceProp, 1008);
OFFSET(struct cudaDeviceProp, totalConstMem, 352);
OFFSET(struct cudaDeviceProp, major, 360);
OFFSET(struct cudaDeviceProp, multiProcessorCount, 384);
OFFSET(struct cudaDeviceProp, concurrentKernels, 560);
OFFSET(struct cudaDeviceProp, l2CacheSize, 596);
OFFSET(struct cudaDeviceProp, maxThreadsPerMultiProcessor, 604);
OFFSET(struct cudaDeviceProp, sharedMemPerMultiprocessor, 624);
OFFSET(struct cudaDeviceProp, regsPerMultiprocessor, 632);
OFFSET(struct cudaDeviceProp, managedMemory, 636);
OFFSET(struct cudaDeviceProp, cooperativeLaunch, 668);
OFFSET(struct cudaDeviceProp, sharedMemPerBlockOptin, 672);
OFFSET(struct cudaDeviceProp, maxBlocksPerMultiProcessor, 688);
OFFSET(struct cudaDeviceProp, clusterLaunch, 748);
SIZE(struct cudaPointerAttributes, 88);
SIZE(struct cudaResourceDesc, 144);
SIZE(struct cudaResourceViewDesc, 112);
#else
SIZE(struct cudaDeviceProp, 1032);
OFFSET(struct cudaDeviceProp, clockRate, 348);
OFFSET(struct cudaDeviceProp, totalConstMem, 352);
OFFSET(struct cudaDeviceProp, hostRegisterSupported, 728);
SIZE(struct cudaPointerAttributes, 24);
SIZE(struct cudaResourceDesc, 64);
SIZE(struct cudaResourceViewDesc, 48);
#endif
OFFSET(struct cudaDeviceProp, name, 0);
OFFSET(struct cudaDeviceProp, uuid, 256);
OFFSET(struct cudaDeviceProp, totalGlobalMem, 288);
OFFSET(struct cudaDeviceProp, sharedMemPerBlock, 296);
OFFSET(struct cudaDeviceProp, regsPerBlock, 304);
OFFSET(struct cudaDeviceProp, warpSize, 308);
OFFSET(struct cudaDeviceProp, maxThreadsPerBlock, 320);
OFFSET(struct cudaDeviceProp, maxThreadsDim, 324);
OFFSET(struct cudaDeviceProp, maxGridSize, 336);
