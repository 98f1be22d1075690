/* Launches in clusters that cannot be are refused at once, and nothing is left behind.  As on an H200. */
#include "driver_check.h"

static const char cluster_ptx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry any()\n{\n    ret;\n}\n"
    ".visible .entry four()\n.explicitcluster\n.reqnctapercluster 4, 1, 1\n{\n    ret;\n}\n";

static CUfunction any, four;

/* CTAs of one thread, and one attribute. */
static CUlaunchConfig config_of(unsigned grid, CUlaunchAttribute *attribute, CUstream stream)
{
    return (CUlaunchConfig){.gridDimX = grid,
                            .gridDimY = 1,
                            .gridDimZ = 1,
                            .blockDimX = 1,
                            .blockDimY = 1,
                            .blockDimZ = 1,
                            .hStream = stream,
                            .attrs = attribute,
                            .numAttrs = 1};
}

static CUresult launch(CUfunction f, unsigned grid, unsigned cluster, CUstream stream)
{
    CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION};
    const CUlaunchConfig config = config_of(grid, &attribute, stream);

    attribute.value.clusterDim.x = cluster;
    attribute.value.clusterDim.y = attribute.value.clusterDim.z = cluster == 0 ? 0 : 1;
    return cuLaunchKernelEx(&config, f, NULL, NULL);
}

static void impossible_clusters(void)
{
    const CUresult bad = CUDA_ERROR_INVALID_CLUSTER_SIZE;

    IS(cuLaunchKernel(four, 6, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), bad);
    IS(launch(any, 6, 4, NULL), bad);
    IS(launch(four, 8, 2, NULL), bad);
    IS(launch(any, 18, 9, NULL), bad);
    IS(launch(any, 16, 16, NULL), bad);
    OK(cuFuncSetAttribute(any, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
    OK(launch(any, 16, 16, NULL));
    IS(launch(any, 17, 17, NULL), bad);
    OK(launch(any, 8, 0, NULL)); /* no cluster */
    OK(launch(any, 8, 4, NULL));
    OK(launch(four, 8, 4, NULL));
    OK(cuCtxSynchronize());
}

static void captures_become_invalid(void)
{
    CUstream stream = NULL;
    CUgraph graph = NULL;

    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    IS(launch(four, 6, 4, stream), CUDA_ERROR_INVALID_CLUSTER_SIZE);
    IS(cuStreamEndCapture(stream, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    OK(cuStreamDestroy(stream));
}

/* An event among the attributes of a launch. */
static void launches_record_events(void)
{
    CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT};
    const CUlaunchConfig config = config_of(1, &attribute, NULL);
    CUevent event = NULL;

    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    attribute.value.launchCompletionEvent.event = event;
    OK(cuLaunchKernelEx(&config, any, NULL, NULL));
    OK(cuEventSynchronize(event));
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT;
    attribute.value.programmaticEvent.event = event;
    OK(cuLaunchKernelEx(&config, any, NULL, NULL));
    OK(cuEventSynchronize(event));
    OK(cuEventDestroy(event));
}

static void occupancy_knows(void)
{
    CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION};
    const CUlaunchConfig config = config_of(16, &attribute, NULL);
    int count = -1;

    attribute.value.clusterDim.x = 16;
    attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
    IS(cuOccupancyMaxActiveClusters(&count, four, &config), CUDA_ERROR_INVALID_CLUSTER_SIZE);
    EQUALS(count, 0);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, any, 32, 60 * 1024));
    EQUALS(count, 0); /* more dynamic shared memory than a launch may ask for */
}

int main(void)
{
    CUmodule module = NULL;
    int major = 0;

    use_device();
    OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
    if (major < 9) {
        printf("skipped: the GPU has no clusters\n");
        return 77;
    }
    OK(cuModuleLoadData(&module, cluster_ptx));
    any = driver_kernel(module, "any");
    four = driver_kernel(module, "four");
    impossible_clusters();
    captures_become_invalid();
    launches_record_events();
    occupancy_knows();
    return 0;
}
