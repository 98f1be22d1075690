/* Launches of kernels of a library, from plain C: results, attributes, and the codes of launches that cannot be. */
#include "check.h"

#include <cuda.h>

enum { COUNT = 1000 };

static void scales(cudaLibrary_t library)
{
    float x[COUNT], out[COUNT];
    float a = 3;
    unsigned n = COUNT;
    float *device = NULL, *result = NULL;
    void *arguments[] = {&result, &device, &a, &n};

    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)i;
    }
    CHECK_OK(cudaMalloc((void **)&device, sizeof(x)));
    CHECK_OK(cudaMalloc((void **)&result, sizeof(x)));
    CHECK_OK(cudaMemcpy(device, x, sizeof(x), cudaMemcpyHostToDevice));
    CHECK_OK(cudaLaunchKernel(kernel_of(library, "scale"), extent(8, 1, 1), extent(128, 1, 1), arguments, 0, NULL));
    CHECK_OK(cudaMemcpy(out, result, sizeof(out), cudaMemcpyDeviceToHost));
    for (int i = 0; i < COUNT; i++) {
        CHECK(out[i] == 3 * x[i]);
    }
    CHECK_OK(cudaFree(device));
    CHECK_OK(cudaFree(result));
}

/* A constant whose address the host has asked for is memory like any other: kernels store there, later ones read it. */
static void kernels_write_constants(void)
{
    cudaLibrary_t library = load_kernels();
    void *out = NULL;
    size_t size = 0;
    int table[4] = {0};
    float two = 2, *x = NULL;
    unsigned n = 4;
    void *count_arguments[] = {&out}, *scale_arguments[] = {&out, &x, &two, &n};

    CHECK_OK(cudaMalloc((void **)&x, sizeof table));
    CHECK_OK(cudaMemset(x, 0, sizeof table));
    CHECK_OK(cudaLibraryGetGlobal(&out, &size, library, "table"));
    CHECK_EQUAL(size, sizeof table);
    CHECK_OK(cudaLaunchKernel(kernel_of(library, "scale"), extent(1, 1, 1), extent(4, 1, 1), scale_arguments, 0, NULL));
    CHECK_OK(cudaMemcpy(table, out, sizeof table, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(table[0] | table[1] | table[2] | table[3], 0);
    out = x;
    CHECK_OK(cudaLaunchKernel(kernel_of(library, "count"), extent(1, 1, 1), extent(1, 1, 1), count_arguments, 0, NULL));
    CHECK_OK(cudaMemcpy(table, out, sizeof *table, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(table[0], 7); /* the counter, and table[1], which now is 0 */
    CHECK_OK(cudaFree(x));
    CHECK_OK(cudaLibraryUnload(library));
}

static void wrong_launches_have_their_codes(cudaLibrary_t library)
{
    const void *shared = kernel_of(library, "shared");
    cudaKernel_t kernel = NULL;
    int *out = NULL;
    void *arguments[] = {&out};
    dim3 one = extent(1, 1, 1);
    const cudaError_t impossible = CUDART_VERSION < 13000 ? cudaErrorInvalidConfiguration : cudaErrorInvalidValue;

    CHECK_OK(cudaMalloc((void **)&out, 4));
    CHECK_CODE(cudaLaunchKernel(shared, extent(0, 1, 1), one, arguments, 0, NULL), impossible);
    CHECK_CODE(cudaLaunchKernel(shared, one, extent(0, 1, 1), arguments, 0, NULL), impossible);
    CHECK_CODE(cudaLaunchKernel(shared, one, extent(2048, 1, 1), arguments, 0, NULL), impossible);
    CHECK_CODE(cudaLaunchKernel(shared, one, extent(32, 32, 2), arguments, 0, NULL), impossible);
    CHECK_CODE(cudaLaunchKernel(shared, one, extent(1, 1, 65), arguments, 0, NULL), impossible);
    CHECK_CODE(cudaLaunchKernel(shared, extent(1, 65536, 1), one, arguments, 0, NULL), impossible);
    CHECK_CODE(cudaLaunchKernel(shared, one, one, arguments, 1 << 20, NULL), impossible);
    CHECK_CODE(cudaLaunchKernel(NULL, one, one, arguments, 0, NULL), cudaErrorInvalidDeviceFunction);
    CHECK_CODE(cudaGetLastError(), cudaErrorInvalidDeviceFunction);
    CHECK_CODE(cudaGetKernel(&kernel, shared), cudaErrorInvalidDeviceFunction); /* stubs have kernels */
    CHECK_CODE(cudaFuncSetAttribute(&one, (enum cudaFuncAttribute)77, 1), cudaErrorInvalidValue);
    CHECK_CODE(cudaLaunchCooperativeKernel(shared, one, one, arguments, 1 << 20, NULL),
               cudaErrorCooperativeLaunchTooLarge);
    cudaGetLastError();
    CHECK_OK(cudaLaunchKernel(shared, one, one, arguments, (size_t)1 << 33, NULL)); /* its low half is 0 */
    CHECK_OK(cudaLaunchKernel(shared, one, extent(1024, 1, 1), arguments, 0, NULL));
    CHECK_OK(cudaDeviceSynchronize());
    CHECK_OK(cudaFree(out));
}

static void more_shared_memory_on_request(cudaLibrary_t library)
{
    const void *shared = kernel_of(library, "shared");
    int optin = 0;
    int *out = NULL;
    void *arguments[] = {&out};
    dim3 one = extent(1, 1, 1);

    CHECK_OK(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    CHECK_OK(cudaMalloc((void **)&out, 4));
    CHECK_CODE(cudaLaunchKernel(shared, one, one, arguments, 60000, NULL), cudaErrorInvalidValue);
    CHECK_CODE(cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, optin + 1),
               cudaErrorInvalidValue);
    CHECK_OK(cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
    CHECK_OK(cudaLaunchKernel(shared, one, one, arguments, 60000, NULL));
    CHECK_OK(cudaDeviceSynchronize());
    CHECK_OK(cudaFree(out));
    cudaGetLastError();
}

static void attributes_describe_the_kernel(cudaLibrary_t library)
{
    const void *scale = kernel_of(library, "scale");
    struct cudaFuncAttributes attributes;
    const char *name = NULL;
    size_t offset = 0, size = 0;

    CHECK_OK(cudaFuncGetAttributes(&attributes, kernel_of(library, "shared")));
    CHECK_EQUAL(attributes.sharedSizeBytes, 512);
    CHECK(attributes.numRegs > 0 && attributes.numRegs <= 255);
    CHECK_EQUAL(attributes.maxThreadsPerBlock, 1024);
    CHECK_EQUAL(attributes.ptxVersion, 70);
    CHECK_CODE(cudaFuncGetAttributes(&attributes, NULL), cudaErrorInvalidDeviceFunction);
    CHECK_CODE(cudaFuncGetAttributes(&attributes, &attributes), cudaErrorInvalidResourceHandle); /* as on an H200 */
    CHECK_OK(cudaFuncGetName(&name, scale));
    CHECK(strcmp(name, "scale") == 0);
    CHECK_OK(cudaFuncGetParamInfo(scale, 2, &offset, &size));
    CHECK_EQUAL(offset, 16);
    CHECK_EQUAL(size, 4);
    CHECK_CODE(cudaFuncGetParamInfo(scale, 4, &offset, &size), cudaErrorInvalidValue);
    cudaGetLastError();
}

static void libraries_hold_kernels_and_variables(cudaLibrary_t library)
{
    cudaKernel_t kernels[8] = {NULL}, kernel = NULL;
    cudaFunction_t function = NULL;
    unsigned count = 0;
    void *address = NULL;
    size_t size = 0;
    int value = 0;

    CHECK_OK(cudaLibraryGetKernelCount(&count, library));
    CHECK_EQUAL(count, 4);
    CHECK_OK(cudaLibraryEnumerateKernels(kernels, 8, library));
    CHECK(kernels[3] != NULL && kernels[4] == NULL);
    CHECK_CODE(cudaLibraryGetKernel(&kernel, library, "nothing"), cudaErrorSymbolNotFound);
    CHECK_OK(cudaLibraryGetGlobal(&address, &size, library, "counter"));
    CHECK_EQUAL(size, 4);
    CHECK_OK(cudaMemcpy(&value, address, 4, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(value, 7);
    CHECK_CODE(cudaLibraryGetGlobal(&address, &size, library, "nothing"), cudaErrorSymbolNotFound);
    CHECK_CODE(cudaGetFuncBySymbol(&function, kernel_of(library, "fault")), /* as on an H200: only for host stubs */
               cudaErrorInvalidDeviceFunction);
    cudaGetLastError();
}

/* Attributes of a launch, a function of the context instead of a kernel, a stream. */
static void launches_with_configuration(cudaLibrary_t library)
{
    CUfunction function = NULL;
    cudaStream_t stream = NULL;
    cudaLaunchConfig_t config;
    cudaLaunchAttribute attribute;
    int *out = NULL;
    int value = 0;
    void *arguments[] = {&out};

    CHECK_OK(cudaMalloc((void **)&out, 4));
    CHECK_OK(cudaStreamCreate(&stream));
    CHECK_EQUAL(cuKernelGetFunction(&function, (CUkernel)kernel_of(library, "count")), CUDA_SUCCESS);
    memset(&attribute, 0, sizeof(attribute));
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    memset(&config, 0, sizeof(config));
    config.gridDim = extent(1, 1, 1);
    config.blockDim = extent(1, 1, 1);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK_OK(cudaLaunchKernelExC(&config, (const void *)function, arguments));
    CHECK_OK(cudaStreamSynchronize(stream));
    CHECK_OK(cudaMemcpy(&value, out, 4, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(value, 7 + 2); /* the counter before, and table[1] */
    CHECK_OK(cudaLaunchCooperativeKernel(kernel_of(library, "count"), extent(1, 1, 1), extent(1, 1, 1), arguments, 0,
                                         stream));
    CHECK_OK(cudaMemcpyAsync(&value, out, 4, cudaMemcpyDeviceToHost, stream));
    CHECK_OK(cudaStreamSynchronize(stream));
    CHECK_EQUAL(value, 8 + 2);
    CHECK_OK(cudaStreamDestroy(stream));
    CHECK_OK(cudaFree(out));
    cudaGetLastError();
}

/* A driver that loads lazily looks at the code when something of it is wanted, an eager one at once. */
static cudaError_t use(const char *code)
{
    cudaLibrary_t library = NULL;
    cudaKernel_t kernel = NULL;
    cudaError_t error = cudaLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0);

    if (error == cudaSuccess) {
        error = cudaLibraryGetKernel(&kernel, library, "kernel");
        CHECK_OK(cudaLibraryUnload(library));
    }
    return error;
}

static void bad_code_is_refused(void)
{
    cudaLibrary_t library = NULL;

    CHECK_CODE(use(".version 7.0\n.target sm_70\n.address_size 64\nnonsense\n"), cudaErrorInvalidPtx);
    CHECK_CODE(use(".version 7.0\n.target sm_70\n.address_size 64\n"), cudaErrorSymbolNotFound);
    CHECK_CODE(cudaLibraryLoadFromFile(&library, "/nonexistent/kernel.ptx", NULL, NULL, 0, NULL, NULL, 0),
               cudaErrorFileNotFound);
    CHECK_CODE(cudaLibraryLoadData(&library, NULL, NULL, NULL, 0, NULL, NULL, 0), cudaErrorInvalidValue);
    cudaGetLastError();
}

int main(void)
{
    cudaLibrary_t library = load_kernels();

    scales(library);
    libraries_hold_kernels_and_variables(library);
    attributes_describe_the_kernel(library);
    launches_with_configuration(library);
    more_shared_memory_on_request(library);
    wrong_launches_have_their_codes(library);
    kernels_write_constants();
    bad_code_is_refused();
    CHECK_OK(cudaLibraryUnload(library));
    return 0;
}
