__device__ int twice(int x)
{
    return 2 * x;
}
extern "C" __global__ void alone(int *x)
{
    x[threadIdx.x] = twice(3);
}
