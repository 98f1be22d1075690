extern __device__ int twice(int x);

extern "C" __global__ void both(int *x)
{
    x[threadIdx.x] = twice(x[threadIdx.x]);
}
int main()
{
    return 0;
}
