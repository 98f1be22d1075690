/* Grid barriers of cooperative groups, and groups of several warps, which keep their state in reserved shared memory. */
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* Every CTA counts; between two barriers all see the same number. */
extern "C" __global__ void rounds(unsigned *count, unsigned *wrong, int n)
{
    cg::grid_group grid = cg::this_grid();

    for (int i = 0; i < n; i++) {
        if (threadIdx.x == 0) {
            atomicAdd(count, 1);
        }
        grid.sync();
        if (*(volatile unsigned *)count != (unsigned)(i + 1) * gridDim.x) {
            atomicAdd(wrong, 1);
        }
        grid.sync();
    }
}

/* Sums over tiles of 64 threads, two warps each. */
extern "C" __global__ void tiles(unsigned *sums)
{
    __shared__ cg::block_tile_memory<128> memory;
    cg::thread_block block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<64>(block);
    unsigned mine = threadIdx.x;

    for (int i = 0; i < 3; i++) {
        tile.sync();
        mine += tile.shfl(mine, 63);
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}
