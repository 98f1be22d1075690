/*
 * Handles of the runtime to handles of the driver.  Kernels have three names in the runtime API, which all come as
 * `const void *func`: the address of the host stub that the compiler made, a cudaKernel_t, a cudaFunction_t.  The
 * registered stubs are known; of the other two the driver knows which is which.
 */
#include "handle.h"

#include "module.h"
#include "registration.h"
#include "state.h"

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static cudaError_t load_kernel(struct crt_entry *entry, CUkernel *kernel)
{
    CUlibrary library = NULL;
    CUresult result = crt_module_load(entry->module, &library);

    if (result == CUDA_SUCCESS) {
        result = cuLibraryGetKernel(kernel, library, entry->name);
    }
    if (result == CUDA_SUCCESS) {
        atomic_store_explicit(&entry->kernel, *kernel, memory_order_release);
    }
    return crt_error(result);
}

cudaError_t crt_stub_kernel(const void *func, CUkernel *kernel)
{
    struct crt_entry *entry = crt_registry_find(&crt_process()->registry, func);

    *kernel = NULL;
    if (entry == NULL || entry->kind != CRT_KERNEL) {
        return cudaSuccess;
    }
    *kernel = atomic_load_explicit(&entry->kernel, memory_order_acquire);
    return *kernel != NULL ? cudaSuccess : load_kernel(entry, kernel);
}

cudaError_t crt_kernel(const void *func, CUfunction *function)
{
    CUkernel kernel = NULL;
    cudaError_t error = func != NULL ? crt_stub_kernel(func, &kernel) : cudaErrorInvalidDeviceFunction;

    *function = kernel != NULL ? (CUfunction)kernel : (CUfunction)func;
    return error;
}

static bool is_kernel(CUkernel kernel)
{
    CUlibrary library = NULL;

    return cuKernelGetLibrary(&library, kernel) == CUDA_SUCCESS;
}

static bool is_function(CUfunction function)
{
    CUmodule module = NULL;

    return cuFuncGetModule(&module, function) == CUDA_SUCCESS;
}

cudaError_t crt_resolve(const void *func, struct crt_callable *callable)
{
    cudaError_t error = cudaErrorInvalidDeviceFunction;

    *callable = (struct crt_callable){0};
    if (func == NULL) {
        return error;
    }
    error = crt_stub_kernel(func, &callable->kernel);
    if (error != cudaSuccess || callable->kernel != NULL) {
        return error;
    }
    if (is_kernel((CUkernel)func)) {
        callable->kernel = (CUkernel)func;
    } else if (is_function((CUfunction)func)) {
        callable->function = (CUfunction)func;
    } else {
        error = cudaErrorInvalidResourceHandle; /* what is no stub is taken for a handle */
    }
    return error;
}

cudaError_t crt_function(const void *func, CUfunction *function)
{
    struct crt_callable callable;
    cudaError_t error = crt_resolve(func, &callable);

    *function = callable.function;
    if (error == cudaSuccess && callable.kernel != NULL) {
        error = crt_error(cuKernelGetFunction(function, callable.kernel));
    }
    return error;
}

/* Handles are no symbols; only a registered host stub is one. */
static cudaError_t kernel_of_stub(const void *symbol, CUkernel *kernel)
{
    cudaError_t error = crt_stub_kernel(symbol, kernel);

    return error == cudaSuccess && *kernel == NULL ? cudaErrorInvalidDeviceFunction : error;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host_stub)
{
    return cudaGetKernel(kernel, host_stub);
}

cudaError_t CUDARTAPI cudaGetKernel(cudaKernel_t *kernel, const void *host_stub)
{
    CUkernel found = NULL;
    cudaError_t error = crt_begin();

    if (error != cudaSuccess) {
        return error;
    }
    if (kernel == NULL) {
        return crt_return(cudaErrorInvalidValue);
    }
    error = kernel_of_stub(host_stub, &found);
    if (error == cudaSuccess) {
        *kernel = (cudaKernel_t)found;
    }
    return crt_return(error);
}

static cudaError_t function_of_stub(const void *symbol, CUfunction *function)
{
    CUkernel kernel = NULL;
    cudaError_t error = kernel_of_stub(symbol, &kernel);

    return error != cudaSuccess ? error : crt_error(cuKernelGetFunction(function, kernel));
}

cudaError_t CUDARTAPI cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol)
{
    cudaError_t error = crt_begin();

    if (error != cudaSuccess) {
        return error;
    }
    if (function == NULL) {
        return crt_return(cudaErrorInvalidValue);
    }
    return crt_return(function_of_stub(symbol, (CUfunction *)function));
}

/* --- variables ---------------------------------------------------------------------------------------------------- */

/* Managed variables come by the address of their value as well: a program's pointer to one has been followed already.
 */
static struct crt_entry *find_variable(const void *symbol)
{
    struct crt_registry *registry = &crt_process()->registry;
    struct crt_entry *entry = symbol != NULL ? crt_registry_find(registry, symbol) : NULL;

    if (entry == NULL && symbol != NULL) {
        entry = crt_registry_find_managed(registry, symbol);
    }
    return entry != NULL && entry->kind != CRT_KERNEL ? entry : NULL;
}

cudaError_t crt_symbol(const void *symbol, CUdeviceptr *address, size_t *size_bytes)
{
    struct crt_entry *entry = find_variable(symbol);
    CUlibrary library = NULL;
    CUresult result = CUDA_SUCCESS;

    if (entry == NULL) {
        return cudaErrorInvalidSymbol;
    }
    result = crt_module_load(entry->module, &library);
    if (result == CUDA_SUCCESS && entry->kind == CRT_MANAGED) {
        result = cuLibraryGetManaged(address, size_bytes, library, entry->name);
    } else if (result == CUDA_SUCCESS) {
        result = cuLibraryGetGlobal(address, size_bytes, library, entry->name);
    }
    return crt_error(result);
}

cudaError_t crt_symbol_range(const void *symbol, size_t offset, size_t count, CUdeviceptr *begin)
{
    CUdeviceptr address = 0;
    size_t size_bytes = 0;
    cudaError_t error = crt_symbol(symbol, &address, &size_bytes);

    if (error == cudaSuccess && (offset > size_bytes || count > size_bytes - offset)) {
        error = cudaErrorInvalidValue;
    }
    *begin = address + offset;
    return error;
}

/* --- launch configurations ---------------------------------------------------------------------------------------- */

_Static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute), "attributes are handed on as they are");
_Static_assert(offsetof(cudaLaunchAttribute, val) == offsetof(CUlaunchAttribute, value), "as above");

cudaError_t crt_launch_config(const cudaLaunchConfig_t *config, CUstream default_stream, CUlaunchConfig *translated)
{
    if (config == NULL || (config->attrs == NULL && config->numAttrs != 0)) {
        return cudaErrorInvalidValue;
    }
    *translated = (CUlaunchConfig){
        .gridDimX = config->gridDim.x,
        .gridDimY = config->gridDim.y,
        .gridDimZ = config->gridDim.z,
        .blockDimX = config->blockDim.x,
        .blockDimY = config->blockDim.y,
        .blockDimZ = config->blockDim.z,
        .sharedMemBytes = (unsigned)config->dynamicSmemBytes, /* its low half, as on an H200 */
        .hStream = config->stream != NULL ? config->stream : default_stream,
        .attrs = (CUlaunchAttribute *)config->attrs,
        .numAttrs = config->numAttrs,
    };
    return cudaSuccess;
}
