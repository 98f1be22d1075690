extern "C" __global__ void scale(float *x, float factor)
{
    x[threadIdx.x] *= factor;
}

int main()
{
    float *x;

    cudaMalloc((void **)&x, 128);
    scale<<<1, 32>>>(x, 2);
    return cudaDeviceSynchronize();
}
