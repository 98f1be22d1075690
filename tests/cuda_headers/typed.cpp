// The typed forms of functions in C++: a host that uses each compiles, and the plain forms beside them still do.
#include <cuda_runtime.h>

struct object {};

static void kernel(int *, float)
{
}

cudaError_t memory(float **p, int **q, cudaStream_t stream, cudaMemPool_t pool)
{
    size_t pitch;

    cudaMalloc(p, 4);
    cudaMalloc((void **)p, 4);
    cudaMallocHost(p, 4);
    cudaMallocHost((void **)p, 4);
    cudaMallocHost((void **)p, 4, cudaHostAllocMapped);
    cudaMallocManaged(q, 4);
    cudaMallocPitch(p, &pitch, 4, 4);
    cudaHostAlloc(p, 4, cudaHostAllocDefault);
    cudaHostGetDevicePointer(p, *q, 0);
    cudaMallocAsync(p, 4, stream);
    cudaMallocAsync(p, 4, pool, stream);
    cudaMallocFromPoolAsync(q, 4, pool, stream);
    cudaStreamAttachMemAsync(stream, *p);
    cudaMemcpyBatchAsync(p, q, &pitch, 1, cudaMemcpyAttributes{}, stream);
    return cudaMemcpy(*p, *q, 4, cudaMemcpyDefault);
}

cudaError_t launches(cudaKernel_t handle, int *q)
{
    cudaLaunchConfig_t config = {};
    int ctas;
    int size;

    cudaLaunchKernel(kernel, 1, dim3(2, 3), nullptr);
    cudaLaunchKernel((const void *)kernel, 1, 1, nullptr, 0, 0);
    cudaLaunchCooperativeKernel(kernel, 1, 1, nullptr);
    cudaLaunchKernelEx(&config, kernel, q, 1); // 1 becomes a float, as in a call
    cudaLaunchKernelEx(&config, handle, q, 1.0f);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, kernel, 128, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, (const void *)kernel, 128, 0);
    cudaOccupancyMaxPotentialBlockSize(&ctas, &size, kernel, 0, 0);
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(&ctas, &size, kernel, [](int n) { return (size_t)n * 4; });
}

cudaError_t graphs(cudaGraph_t graph, cudaGraphNode_t node, cudaEvent_t event)
{
    cudaGraphExec_t executable;
    cudaGraphExecUpdateResult result;
    cudaUserObject_t owner;

    cudaEventCreate(&event);
    cudaEventCreate(&event, cudaEventDisableTiming);
    cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0);
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphExecUpdate(executable, graph, &node, &result);
    return cudaUserObjectCreate(&owner, new object, 1, cudaUserObjectNoDestructorSync);
}

cudaChannelFormatDesc channels()
{
    cudaCreateChannelDesc<float4>();
    cudaCreateChannelDesc<object>();
    cudaCreateChannelDesc<cudaChannelFormatKindNV12>();
    return cudaCreateChannelDesc(8, 8, 0, 0, cudaChannelFormatKindUnsigned);
}
