/* A histogram whose bins are spread over the shared memory of a cluster: nvcc -ptx -arch=sm_90 (compiled_cluster_90.ptx). */
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(4, 1, 1) histogram(const unsigned *values, unsigned *bins, int n)
{
    __shared__ unsigned own[8];
    cg::cluster_group cluster = cg::this_cluster();

    if (threadIdx.x < 8) {
        own[threadIdx.x] = 0;
    }
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned bin = values[i] % 32;

        atomicAdd(cluster.map_shared_rank(own, bin / 8) + bin % 8, 1);
    }
    cluster.sync();
    if (threadIdx.x < 8) {
        atomicAdd(&bins[cluster.block_rank() * 8 + threadIdx.x], own[threadIdx.x]);
    }
}
