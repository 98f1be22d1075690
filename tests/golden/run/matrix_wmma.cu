// c = a * b for 32 by 32 matrices of small integers, one 16 by 16 tile per warp; a in f16, then in s8, through shared memory.
#include <mma.h>
using namespace nvcuda;

template <typename T, typename S> __device__ void multiply(T *a, T *b, S *c)
{
    const int warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, S> sum;

    wmma::fill_fragment(sum, S(0));
    for (int k = 0; k < 32; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> x;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::col_major> y;

        wmma::load_matrix_sync(x, a + row * 32 + k, 32);
        wmma::load_matrix_sync(y, b + column * 32 + k, 32);
        wmma::mma_sync(sum, x, y, sum);
    }
    wmma::store_matrix_sync(c + row * 32 + column, sum, 32, wmma::mem_row_major);
}

template <typename T, typename S> __device__ void digest(T *a, T *b, S *c, int *out)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
        a[i] = T(i / 32 * 3 % 7 + i % 32 * 5 % 11 - 8);
        b[i] = T(i / 32 * 2 % 5 + i % 32 * 7 % 13 - 6);
    }
    __syncthreads();
    multiply(a, b, c);
    __syncthreads();
    for (int j = threadIdx.x; j < 32; j += blockDim.x) {
        int sum = 0;
        for (int k = 0; k < 32; k++) {
            sum += (k + 1) * int(c[j * 32 + k]);
        }
        out[j] = sum;
    }
    __syncthreads();
}

extern "C" __global__ void k(int *out)
{
    __shared__ __align__(32) char memory[2 * 2048 + 4096];

    digest((half *)memory, (half *)(memory + 2048), (float *)(memory + 4096), out);
    digest((signed char *)memory, (signed char *)(memory + 2048), (int *)(memory + 4096), out + 32);
}
