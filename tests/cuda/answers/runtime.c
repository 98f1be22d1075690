/* The runtime API: last errors, arguments, and what a context answers once a kernel has failed in it. */
#include "answers.h"

#include <stdio.h>
#include <string.h>

static dim3 size_of(unsigned x)
{
    dim3 size;

    size.x = x;
    size.y = size.z = 1;
    return size;
}

void runtime_errors(void)
{
    void *memory = NULL;
    int to = 0, from = 0;

    use_primary_context();
    ANSWER(cudaSetDevice(99));
    ANSWER(cudaGetLastError());
    ANSWER(cudaGetLastError());
    ANSWER(cudaMalloc(NULL, 4));
    ANSWER(cudaPeekAtLastError());
    ANSWER(cudaPeekAtLastError());
    ANSWER(cudaGetLastError());
    ANSWER(cudaMalloc(&memory, (size_t)1 << 50));
    ANSWER(cudaGetLastError());
    ANSWER(cudaMemcpy(&to, &from, 4, cudaMemcpyHostToDevice));
    ANSWER(cudaMemcpy((void *)(uintptr_t)1, &from, 4, (enum cudaMemcpyKind)77));
    ANSWER(cudaGetLastError());
    ANSWER(cudaFree(&to));
    ANSWER(cudaGetLastError());
}

static cudaError_t launch(const void *kernel, unsigned ctas, unsigned threads, size_t shared)
{
    return cudaLaunchKernel(kernel, size_of(ctas), size_of(threads), NULL, shared, NULL);
}

/* Of a CUfunction, which the runtime takes for a kernel, and of something that is none. */
void runtime_launches(void)
{
    static const char none;

    use_primary_context();
    const void *kernel = (const void *)answers_kernel("empty");

    ANSWER(launch(kernel, 1, 1, 0));
    ANSWER(launch(kernel, 1, 2000, 0));
    ANSWER(launch(kernel, 0, 1, 0));
    ANSWER(launch(&none, 1, 1, 0));
    ANSWER(launch(kernel, 1, 1, 300001));
    ANSWER(launch(kernel, 1, 1, 300000));
    ANSWER(cudaGetLastError());
}

void runtime_memory(void)
{
    use_primary_context();
    const CUstream stream = new_stream();
    struct cudaFuncAttributes attributes;
    void *memory = NULL;
    size_t size = 0;
    int host = 0;

    ANSWER(cudaGetLastError());
    ANSWER(cudaMallocHost(&memory, 0));
    ANSWER(cudaMalloc(&memory, 0));
    answer("some memory", memory != NULL);
    ANSWER(cudaMemset(&host, 0, 4));
    ANSWER(cudaMemset(NULL, 0, 0));
    ANSWER(cudaMemcpy(NULL, NULL, 0, cudaMemcpyDefault));
    ANSWER(cudaGetSymbolAddress(&memory, &host));
    ANSWER(cudaFuncGetAttributes(&attributes, &host));
    ANSWER(cudaStreamSynchronize(stream));
    ANSWER(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    ANSWER(cudaDeviceGetLimit(&size, cudaLimitStackSize));
    answer("stack", (long long)size);
}

void error_texts(void)
{
    enum { CODES = 1100 };
    char what[64];

    for (int code = 0; code < CODES; code++) {
        const char *name = NULL, *text = NULL;

        if (cuGetErrorName((CUresult)code, &name) == CUDA_SUCCESS) {
            must(cuGetErrorString((CUresult)code, &text));
            snprintf(what, sizeof what, "name of %d", code);
            answer_text(what, name);
            snprintf(what, sizeof what, "text of %d", code);
            answer_text(what, text);
        }
        name = cudaGetErrorName((cudaError_t)code);
        if (strcmp(name, "unrecognized error code") != 0) {
            snprintf(what, sizeof what, "runtime's name of %d", code);
            answer_text(what, name);
            snprintf(what, sizeof what, "runtime's text of %d", code);
            answer_text(what, cudaGetErrorString((cudaError_t)code));
        }
    }
}

/* The last chapter: nothing works afterwards. */
void after_a_trap(void)
{
    use_primary_context();
    const CUmodule module = answers_module();
    const CUstream stream = new_stream();
    CUfunction trapped = NULL;
    CUdeviceptr memory = 0, other = 0;
    CUevent event = NULL;
    size_t available = 0, total = 0;
    void *pointer = NULL;
    int value = 0;

    must(cuMemAlloc(&memory, 4));
    must(cuEventCreate(&event, 0));
    ANSWER(cuModuleGetFunction(&trapped, module, "trapped"));
    ANSWER(cuLaunchKernel(trapped, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    ANSWER(cuCtxSynchronize());
    ANSWER(cuCtxSynchronize());
    ANSWER(cuMemAlloc(&other, 4));
    ANSWER(cuMemFree(memory));
    ANSWER(cuEventQuery(event));
    ANSWER(cuEventDestroy(event));
    ANSWER(cuStreamDestroy(stream));
    ANSWER(cuModuleUnload(module));
    ANSWER(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    ANSWER(cuMemGetInfo(&available, &total));
    ANSWER(cudaGetLastError());
    ANSWER(cudaGetLastError());
    ANSWER(cudaMalloc(&pointer, 4));
    ANSWER(cudaPeekAtLastError());
    ANSWER(cudaDeviceReset());
    ANSWER(cudaMalloc(&pointer, 4));
    ANSWER(cudaGetLastError());
}
