/* Both APIs in one program: contexts that the driver API made, and handles of one that the other takes. */
#include "check.h"

#include <cuda.h>

#define CHECK_CU(call) CHECK_EQUAL(call, CUDA_SUCCESS)

static CUcontext new_context(void)
{
    CUcontext context = NULL;

#if CUDA_VERSION >= 13000
    CHECK_CU(cuCtxCreate(&context, NULL, 0, 0));
#else
    CHECK_CU(cuCtxCreate(&context, 0, 0));
#endif
    return context;
}

/* Where the program made a context current, the runtime works in it. */
static void a_context_of_the_driver_is_used(void)
{
    CUcontext own = NULL, current = NULL, popped = NULL;
    void *memory = NULL;
    int device = -1;

    CHECK_CU(cuInit(0));
    own = new_context();
    CHECK_OK(cudaMalloc(&memory, 16));
    CHECK_CU(cuCtxGetCurrent(&current));
    CHECK(current == own);
    CHECK_CU(cuPointerGetAttribute(&current, CU_POINTER_ATTRIBUTE_CONTEXT, (CUdeviceptr)memory));
    CHECK(current == own);
    CHECK_OK(cudaGetDevice(&device));
    CHECK_EQUAL(device, 0);
    CHECK_OK(cudaFree(memory));
    CHECK_CU(cuCtxPopCurrent(&popped));
    CHECK(popped == own);
    CHECK_CU(cuCtxDestroy(own));
}

/* Without one it is the primary context. */
static void else_the_primary_one(void)
{
    CUcontext current = NULL, primary = NULL;
    CUcontext own = new_context();

    CHECK_OK(cudaSetDevice(0)); /* takes the thread from its own context */
    CHECK_CU(cuCtxGetCurrent(&current));
    CHECK_CU(cuDevicePrimaryCtxRetain(&primary, 0));
    CHECK(current == primary && current != own);
    CHECK_CU(cuDevicePrimaryCtxRelease(0));
    CHECK_CU(cuCtxDestroy(own));
}

/* A stream, an event, a kernel and a pointer are the same things in both. */
static void handles_are_shared(void)
{
    cudaLibrary_t library = load_kernels();
    const void *kernel = kernel_of(library, "count");
    CUfunction function = NULL;
    cudaStream_t stream = NULL;
    cudaEvent_t event = NULL;
    const char *name = NULL;
    CUdeviceptr out = 0;
    void *arguments[] = {&out};
    int value = 0;

    CHECK_OK(cudaStreamCreate(&stream));
    CHECK_OK(cudaEventCreate(&event));
    CHECK_CU(cuMemAlloc(&out, 4));
    CHECK_CU(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
    CHECK_CU(cuKernelGetFunction(&function, (CUkernel)kernel));
    CHECK_CU(cuFuncGetName(&name, function));
    CHECK(strcmp(name, "count") == 0);
    CHECK_OK(cudaLaunchKernel(function, extent(1, 1, 1), extent(1, 1, 1), arguments, 0, stream));
    CHECK_CU(cuEventRecord(event, stream));
    CHECK_OK(cudaEventSynchronize(event));
    CHECK_OK(cudaMemcpy(&value, (void *)out, 4, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(value, 8 + 2);
    CHECK_OK(cudaFree((void *)out));
    CHECK_OK(cudaEventDestroy(event));
    CHECK_CU(cuStreamDestroy(stream));
    CHECK_CU(cuLibraryUnload((CUlibrary)library));
}

int main(void)
{
    a_context_of_the_driver_is_used();
    else_the_primary_one();
    handles_are_shared();
    return 0;
}
