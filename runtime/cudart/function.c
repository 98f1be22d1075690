/* Attributes of kernels: what cudaFunc* asks and sets, for the calling thread's device. */
#include "handle.h"

/* Begin a call about `func`. */
static cudaError_t begin(const void *func, struct crt_callable *callable)
{
    cudaError_t error = crt_begin();

    return error != cudaSuccess ? error : crt_return(crt_resolve(func, callable));
}

static CUresult get_attribute(const struct crt_callable *callable, CUfunction_attribute attribute, int *value)
{
    if (callable->kernel != NULL) {
        return cuKernelGetAttribute(value, attribute, callable->kernel, crt_device());
    }
    return cuFuncGetAttribute(value, attribute, callable->function);
}

static CUresult set_attribute(const struct crt_callable *callable, CUfunction_attribute attribute, int value)
{
    if (callable->kernel != NULL) {
        return cuKernelSetAttribute(attribute, value, callable->kernel, crt_device());
    }
    return cuFuncSetAttribute(callable->function, attribute, value);
}

static void fill_attributes(struct cudaFuncAttributes *attributes, const int *values)
{
    *attributes = (struct cudaFuncAttributes){
        .sharedSizeBytes = (size_t)values[CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES],
        .constSizeBytes = (size_t)values[CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES],
        .localSizeBytes = (size_t)values[CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES],
        .maxThreadsPerBlock = values[CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK],
        .numRegs = values[CU_FUNC_ATTRIBUTE_NUM_REGS],
        .ptxVersion = values[CU_FUNC_ATTRIBUTE_PTX_VERSION],
        .binaryVersion = values[CU_FUNC_ATTRIBUTE_BINARY_VERSION],
        .cacheModeCA = values[CU_FUNC_ATTRIBUTE_CACHE_MODE_CA],
        .maxDynamicSharedSizeBytes = values[CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES],
        .preferredShmemCarveout = values[CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT],
        .clusterDimMustBeSet = values[CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET],
        .requiredClusterWidth = values[CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH],
        .requiredClusterHeight = values[CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT],
        .requiredClusterDepth = values[CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH],
        .clusterSchedulingPolicyPreference = values[CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE],
        .nonPortableClusterSizeAllowed = values[CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED],
    };
}

cudaError_t CUDARTAPI cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *func)
{
    enum { COUNT = CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE + 1 };
    struct crt_callable callable;
    int values[COUNT] = {0};
    CUresult result = CUDA_SUCCESS;
    cudaError_t error = begin(func, &callable);

    if (error != cudaSuccess) {
        return error;
    }
    if (attributes == NULL) {
        return crt_return(cudaErrorInvalidValue);
    }
    for (int i = 0; i < COUNT && result == CUDA_SUCCESS; i++) {
        result = get_attribute(&callable, (CUfunction_attribute)i, &values[i]);
    }
    if (result == CUDA_SUCCESS) {
        fill_attributes(attributes, values);
    }
    return crt_end(result);
}

cudaError_t CUDARTAPI cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attribute, int value)
{
    struct crt_callable callable;
    cudaError_t error = cudaSuccess;

    if (attribute < cudaFuncAttributeMaxDynamicSharedMemorySize || attribute >= cudaFuncAttributeMax) {
        return crt_return(cudaErrorInvalidValue); /* whatever the function is */
    }
    error = begin(func, &callable);
    if (error != cudaSuccess) {
        return error;
    }
    return crt_end(set_attribute(&callable, (CUfunction_attribute)attribute, value));
}

cudaError_t CUDARTAPI cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value,
                                                      int device)
{
    cudaError_t error = crt_begin_without_context();

    if (error != cudaSuccess) {
        return error;
    }
    return crt_end(cuKernelSetAttribute((CUfunction_attribute)attribute, value, (CUkernel)kernel, device));
}

cudaError_t CUDARTAPI cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config)
{
    struct crt_callable callable;
    cudaError_t error = begin(func, &callable);

    if (error != cudaSuccess) {
        return error;
    }
    if (callable.kernel != NULL) {
        return crt_end(cuKernelSetCacheConfig(callable.kernel, (CUfunc_cache)config, crt_device()));
    }
    return crt_end(cuFuncSetCacheConfig(callable.function, (CUfunc_cache)config));
}

/* Banks of shared memory have had one width since Maxwell: the call checks its arguments and changes nothing. */
cudaError_t CUDARTAPI cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)
{
    struct crt_callable callable;
    cudaError_t error = begin(func, &callable);

    if (error != cudaSuccess) {
        return error;
    }
    return crt_return((unsigned)config <= cudaSharedMemBankSizeEightByte ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t CUDARTAPI cudaFuncGetName(const char **name, const void *func)
{
    struct crt_callable callable;
    cudaError_t error = begin(func, &callable);

    if (error != cudaSuccess) {
        return error;
    }
    return crt_end(callable.kernel != NULL ? cuKernelGetName(name, callable.kernel)
                                           : cuFuncGetName(name, callable.function));
}

cudaError_t CUDARTAPI cudaFuncGetParamInfo(const void *func, size_t index, size_t *offset, size_t *size)
{
    struct crt_callable callable;
    cudaError_t error = begin(func, &callable);

    if (error != cudaSuccess) {
        return error;
    }
    return crt_end(callable.kernel != NULL ? cuKernelGetParamInfo(callable.kernel, index, offset, size)
                                           : cuFuncGetParamInfo(callable.function, index, offset, size));
}
