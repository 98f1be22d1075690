/* C++: occupancy of kernels, and the size of CTA that reaches the highest one. */
#ifndef PTXEMU_CUDA_RUNTIME_TYPED_OCCUPANCY_H
#define PTXEMU_CUDA_RUNTIME_TYPED_OCCUPANCY_H

#include "../cuda_runtime_api.h"

template <class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T func,
                                                                                     int blockSize,
                                                                                     size_t dynamicSMemSize)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, (const void *)func, blockSize,
                                                                    dynamicSMemSize, cudaOccupancyDefault);
}

template <class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, T func,
                                                                                              int blockSize,
                                                                                              size_t dynamicSMemSize,
                                                                                              unsigned int flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, (const void *)func, blockSize,
                                                                    dynamicSMemSize, flags);
}

template <class T>
static __inline__ __host__ cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, T *func,
                                                                                 int numBlocks, int blockSize)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, (const void *)func, numBlocks, blockSize);
}

template <class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, T *func,
                                                                            const cudaLaunchConfig_t *config)
{
    return ::cudaOccupancyMaxPotentialClusterSize(clusterSize, (const void *)func, config);
}

template <class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, T *func,
                                                                      const cudaLaunchConfig_t *config)
{
    return ::cudaOccupancyMaxActiveClusters(numClusters, (const void *)func, config);
}

/* What limits the search for a size of CTA. */
struct ptxemu_occupancy_limits {
    int threads_per_sm;
    int sms;
    int warp_threads;
    int cta_threads; /* of any CTA of this kernel */
};

static __inline__ __host__ cudaError_t ptxemu_occupancy_limits_of(const void *func, int wanted,
                                                                  struct ptxemu_occupancy_limits *limits)
{
    struct cudaFuncAttributes kernel;
    int device;
    int device_cta_threads = 0;
    cudaError_t status = ::cudaGetDevice(&device);

    if (status == cudaSuccess) {
        status = ::cudaDeviceGetAttribute(&limits->threads_per_sm, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    }
    if (status == cudaSuccess) {
        status = ::cudaDeviceGetAttribute(&limits->sms, cudaDevAttrMultiProcessorCount, device);
    }
    if (status == cudaSuccess) {
        status = ::cudaDeviceGetAttribute(&limits->warp_threads, cudaDevAttrWarpSize, device);
    }
    if (status == cudaSuccess) {
        status = ::cudaDeviceGetAttribute(&device_cta_threads, cudaDevAttrMaxThreadsPerBlock, device);
    }
    if (status == cudaSuccess) {
        status = ::cudaFuncGetAttributes(&kernel, func);
    }
    if (status != cudaSuccess) {
        return status;
    }
    limits->cta_threads =
        device_cta_threads < kernel.maxThreadsPerBlock ? device_cta_threads : kernel.maxThreadsPerBlock;
    if (wanted != 0 && wanted < limits->cta_threads) {
        limits->cta_threads = wanted;
    }
    return cudaSuccess;
}

/*
 * Of all sizes that are whole warps, and the largest one allowed, the one with which most threads are resident on an
 * SM; the larger one of two that are equally good. Then the number of CTAs that fills the device.
 */
template <typename SharedBytes, class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *minGridSize, int *blockSize, T func, SharedBytes blockSizeToDynamicSMemSize, int blockSizeLimit = 0,
    unsigned int flags = 0)
{
    struct ptxemu_occupancy_limits limits;
    cudaError_t status;
    int best_threads = 0;
    int best_size = 0;
    int best_ctas = 0;
    int size;

    if (!minGridSize || !blockSize || !func) {
        return cudaErrorInvalidValue;
    }
    status = ptxemu_occupancy_limits_of((const void *)func, blockSizeLimit, &limits);
    if (status != cudaSuccess) {
        return status;
    }
    for (size = limits.cta_threads; size > 0 && best_threads < limits.threads_per_sm;
         size = (size - 1) / limits.warp_threads * limits.warp_threads) {
        int ctas;

        status = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&ctas, (const void *)func, size,
                                                                          blockSizeToDynamicSMemSize(size), flags);
        if (status != cudaSuccess) {
            return status;
        }
        if (ctas * size > best_threads) {
            best_threads = ctas * size;
            best_size = size;
            best_ctas = ctas;
        }
    }
    *minGridSize = best_ctas * limits.sms;
    *blockSize = best_size;
    return cudaSuccess;
}

template <typename SharedBytes, class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int *minGridSize, int *blockSize, T func, SharedBytes blockSizeToDynamicSMemSize, int blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        minGridSize, blockSize, func, blockSizeToDynamicSMemSize, blockSizeLimit, cudaOccupancyDefault);
}

/* As many bytes whatever the size. */
struct ptxemu_same_bytes {
    size_t bytes;

    __host__ size_t operator()(int) const
    {
        return bytes;
    }
};

template <class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize,
                                                                                   T func, size_t dynamicSMemSize = 0,
                                                                                   int blockSizeLimit = 0,
                                                                                   unsigned int flags = 0)
{
    struct ptxemu_same_bytes bytes = {dynamicSMemSize};

    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func, bytes, blockSizeLimit,
                                                                   flags);
}

template <class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T func,
                                                                          size_t dynamicSMemSize = 0,
                                                                          int blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, dynamicSMemSize, blockSizeLimit,
                                                       cudaOccupancyDefault);
}

#endif
