// The product of two 16 by 16 matrices of bf16 by mma.sync, fragments put together by hand from the layouts that the manual gives.
#include <cuda_bf16.h>

__device__ unsigned pair(float low, float high)
{
    __nv_bfloat162 both = __floats2bfloat162_rn(low, high);
    return *(unsigned *)&both;
}
__device__ float a(int row, int k) { return float(row * 3 % 7 - 3 + k * 5 % 11); }
__device__ float b(int k, int column) { return float(k * 2 % 9 - 4 + column % 3); }

extern "C" __global__ void k(float *out)
{
    const int g = threadIdx.x / 4, q = threadIdx.x % 4;
    unsigned x[4];

    for (int r = 0; r < 4; r++) {
        const int row = g + 8 * (r & 1), depth = 8 * (r >> 1) + 2 * q;
        x[r] = pair(a(row, depth), a(row, depth + 1));
    }
    for (int half = 0; half < 2; half++) {
        const int column = 8 * half + g;
        const unsigned y0 = pair(b(2 * q, column), b(2 * q + 1, column)), y1 = pair(b(2 * q + 8, column), b(2 * q + 9, column));
        float d[4];

        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y0), "r"(y1), "f"(1.0f), "f"(2.0f), "f"(3.0f), "f"(4.0f));
        for (int i = 0; i < 4; i++) {
            out[(g + 8 * (i >> 1)) * 16 + 8 * half + 2 * q + (i & 1)] = d[i];
        }
    }
}
