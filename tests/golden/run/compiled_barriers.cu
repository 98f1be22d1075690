/*
 * Kernels of the CUDA C++ library's pipelines and barriers.  compiled_NAME_ARCH.ptx is what nvcc makes of one of them:
 *
 *     nvcc -std=c++17 -diag-suppress 20054 -arch=compute_ARCH -Dkernel_NAME -ptx compiled_barriers.cu
 *
 * with the launch put in front.
 */
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#ifdef kernel_pipeline
/* cuda::pipeline shared by a CTA, two stages. */
extern "C" __global__ void stages(const int *in, int *out, unsigned tiles)
{
    __shared__ alignas(16) int tile[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto cta = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(cta, &state);
    int sum = 0;

    for (unsigned t = 0, ahead = 0; t < tiles; t++) {
        for (; ahead < tiles && ahead < t + 2; ahead++) {
            pipe.producer_acquire();
            cuda::memcpy_async(cta, tile[ahead % 2], in + ahead * 128, sizeof(int) * 128, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += tile[t % 2][(threadIdx.x + t) % 128];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
#endif

#ifdef kernel_barrier
/* cuda::barrier: warps 0 and 1 produce, warps 2 and 3 consume. */
extern "C" __global__ void halves(const int *in, int *out, unsigned rounds)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ int box[2][64];
    __shared__ barrier ready[2], filled[2];

    if (threadIdx.x < 2) {
        init(&ready[threadIdx.x], 128);
        init(&filled[threadIdx.x], 128);
    }
    __syncthreads();
    unsigned me = threadIdx.x % 64;
    if (threadIdx.x < 64) {
        for (unsigned i = 0; i < rounds; i++) {
            ready[i % 2].arrive_and_wait();
            box[i % 2][me] = in[i * 64 + me];
            barrier::arrival_token token = filled[i % 2].arrive();
            (void)token;
        }
    } else {
        int sum = 0;
        barrier::arrival_token t0 = ready[0].arrive();
        barrier::arrival_token t1 = ready[1].arrive();
        (void)t0;
        (void)t1;
        for (unsigned i = 0; i < rounds; i++) {
            filled[i % 2].arrive_and_wait();
            sum += box[i % 2][63 - me] * (int)(i + 1);
            barrier::arrival_token t = ready[i % 2].arrive();
            (void)t;
        }
        out[me] = sum;
    }
}
#endif

#ifdef kernel_barrier_drop
/* memcpy_async on a barrier, and threads that leave it. */
extern "C" __global__ void leave(const int *in, int *out, unsigned rounds)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(16) int tile[256];
    __shared__ barrier bar;
    auto cta = cg::this_thread_block();

    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
    }
    __syncthreads();
    cuda::memcpy_async(cta, tile, in, sizeof tile, bar);
    bar.arrive_and_wait();
    int sum = tile[255 - threadIdx.x];
    if (threadIdx.x % 3 == 0) {
        bar.arrive_and_drop();
        out[threadIdx.x] = sum;
        return;
    }
    for (unsigned i = 0; i < rounds; i++) {
        bar.arrive_and_wait();
        sum += (int)i;
    }
    out[threadIdx.x] = sum;
}
#endif
