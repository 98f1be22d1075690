/* What the API once looked like: parameters set one by one, names without _v2.  And events of whole contexts. */
#include "driver_check.h"

#include <dlfcn.h>
#include <unistd.h>

static void parameters_are_set_one_by_one(void)
{
    const CUmodule module = load_driver_ptx();
    const CUfunction add = driver_kernel(module, "add");
    CUdeviceptr sum = 0;
    unsigned value = 0;
    float half = 0.5f;

    OK(cuMemAlloc(&sum, 4));
    OK(cuMemsetD32(sum, 0, 1));
    IS(cuLaunch(add), CUDA_ERROR_INVALID_VALUE); /* of no shape yet */
    IS(cuFuncSetBlockShape(add, 0, 1, 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuFuncSetBlockShape(add, 1, 1, 1));
    OK(cuFuncSetSharedSize(add, 0));
    OK(cuParamSetv(add, 0, &sum, sizeof sum));
    OK(cuParamSeti(add, 8, 5));
    OK(cuParamSetSize(add, 12));
    OK(cuLaunch(add));
    OK(cuLaunchGrid(add, 1, 1)); /* as it was set */
    OK(cuParamSetf(add, 8, half));
    OK(cuLaunchGridAsync(add, 1, 1, NULL));
    OK(cuMemcpyDtoH(&value, sum, 4));
    CHECK(value == 10 + 0x3f000000);
    IS(cuParamSetv(add, 4090, &sum, 8), CUDA_ERROR_INVALID_VALUE);
    IS(cuParamSetv(add, -1, &sum, 8), CUDA_ERROR_INVALID_VALUE);
    IS(cuParamSetSize(add, 5000), CUDA_ERROR_INVALID_VALUE);
    IS(cuLaunchGrid(add, 0, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuParamSeti(NULL, 0, 1), CUDA_ERROR_INVALID_HANDLE);
    OK(cuMemFree(sum));
    OK(cuModuleUnload(module));
}

/* The header renames, so the names are looked up. */
static void names_without_version(void)
{
    CUresult (*fill)(CUdeviceptr, unsigned char, size_t), (*to_host)(void *, CUdeviceptr, size_t);
    CUdeviceptr memory = 0;
    unsigned value = 0;

    *(void **)&fill = dlsym(RTLD_DEFAULT, "cuMemsetD8");
    *(void **)&to_host = dlsym(RTLD_DEFAULT, "cuMemcpyDtoH");
    CHECK(fill != NULL && to_host != NULL);
    OK(cuMemAlloc(&memory, 4));
    OK(fill(memory, 0x11, 4));
    OK(to_host(&value, memory, 4));
    CHECK(value == 0x11111111);
    OK(cuMemFree(memory));
}

/* --- events of contexts ----------------------------------------------------------------------- */
static void events_of_contexts(CUcontext context)
{
    CUstream streams[2];
    CUdeviceptr at = 0;
    CUevent event = NULL;
    void *host = NULL;

    OK(cuMemHostAlloc(&host, 8, CU_MEMHOSTALLOC_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(&at, host, 0));
    memset(host, 0, 8);
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    for (int i = 0; i < 2; i++) {
        OK(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
    }
    OK(cuStreamWaitValue32(streams[0], at, 1, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuCtxRecordEvent(context, event));
    IS(cuEventQuery(event), CUDA_ERROR_NOT_READY); /* a stream still waits */
    OK(cuCtxWaitEvent(context, event));
    OK(cuStreamWriteValue32(streams[1], at + 4, 1, 0));
    usleep(2000);
    IS(cuStreamQuery(streams[1]), CUDA_ERROR_NOT_READY);
    *(volatile uint32_t *)host = 1;
    OK(cuEventSynchronize(event));
    OK(cuCtxSynchronize());
    CHECK(((volatile uint32_t *)host)[1] == 1);
    IS(cuCtxRecordEvent(NULL, event), CUDA_ERROR_INVALID_CONTEXT);
    IS(cuCtxWaitEvent(context, NULL), CUDA_ERROR_INVALID_HANDLE);
    OK(cuStreamBeginCapture(streams[0], CU_STREAM_CAPTURE_MODE_RELAXED));
    IS(cuCtxRecordEvent(context, event), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    for (int i = 0; i < 2; i++) {
        OK(cuStreamDestroy(streams[i]));
    }
    OK(cuEventDestroy(event));
    OK(cuMemFreeHost(host));
}

int main(void)
{
    const CUcontext context = use_device();

    parameters_are_set_one_by_one();
    names_without_version();
    events_of_contexts(context);
    return 0;
}
