/* How many CTAs or clusters of a kernel fit: the driver counts, for a function of the current context. */
#include "handle.h"

static cudaError_t begin(const void *func, CUfunction *function)
{
    cudaError_t error = crt_begin();

    return error != cudaSuccess ? error : crt_return(crt_function(func, function));
}

cudaError_t CUDARTAPI cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func, int block_size,
                                                                    size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, func, block_size, shared_bytes,
                                                                  cudaOccupancyDefault);
}

cudaError_t CUDARTAPI cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func,
                                                                             int block_size, size_t shared_bytes,
                                                                             unsigned flags)
{
    CUfunction function = NULL;
    cudaError_t error = begin(func, &function);

    if (error != cudaSuccess) {
        return error;
    }
    return crt_end(
        cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, shared_bytes, flags));
}

cudaError_t CUDARTAPI cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared_bytes, const void *func, int blocks,
                                                                int block_size)
{
    CUfunction function = NULL;
    cudaError_t error = begin(func, &function);

    if (error != cudaSuccess) {
        return error;
    }
    return crt_end(cuOccupancyAvailableDynamicSMemPerBlock(shared_bytes, function, blocks, block_size));
}

/* The part that the two functions about clusters share. */
static cudaError_t begin_cluster(const void *func, const cudaLaunchConfig_t *config, CUfunction *function,
                                 CUlaunchConfig *translated)
{
    cudaError_t error = begin(func, function);

    return error != cudaSuccess ? error : crt_return(crt_launch_config(config, CU_STREAM_LEGACY, translated));
}

cudaError_t CUDARTAPI cudaOccupancyMaxPotentialClusterSize(int *cluster_size, const void *func,
                                                           const cudaLaunchConfig_t *config)
{
    CUfunction function = NULL;
    CUlaunchConfig translated;
    cudaError_t error = begin_cluster(func, config, &function, &translated);

    return error != cudaSuccess ? error
                                : crt_end(cuOccupancyMaxPotentialClusterSize(cluster_size, function, &translated));
}

cudaError_t CUDARTAPI cudaOccupancyMaxActiveClusters(int *clusters, const void *func, const cudaLaunchConfig_t *config)
{
    CUfunction function = NULL;
    CUlaunchConfig translated;
    cudaError_t error = begin_cluster(func, config, &function, &translated);

    return error != cudaSuccess ? error : crt_end(cuOccupancyMaxActiveClusters(clusters, function, &translated));
}
