/*
 * Launching kernels.  Compiled twice: see cudart.h.
 *
 * The driver checks a launch, and its errors are the runtime's: a bad configuration is an invalid value, as on an H200
 * with CUDA 13.  The runtime of CUDA 12 has an error of its own for configurations that no kernel can have
 * (cudaErrorInvalidConfiguration in its documentation).
 */
#include "registration.h"

#include "handle.h"

/* What a launch comes with. */
struct launch {
    const void *func;
    dim3 grid;
    dim3 block;
    size_t shared_bytes;
    CUstream stream;
    void **arguments;
};

/* cuLaunchKernel and cuLaunchCooperativeKernel differ in their trailing parameter only. */
static CUresult call_driver(CUfunction function, const struct launch *l, bool cooperative)
{
    unsigned shared = (unsigned)l->shared_bytes; /* what is above 4 GiB is lost, as on an H200 */

    if (cooperative) {
        return cuLaunchCooperativeKernel(function, l->grid.x, l->grid.y, l->grid.z, l->block.x, l->block.y, l->block.z,
                                         shared, l->stream, l->arguments);
    }
    return cuLaunchKernel(function, l->grid.x, l->grid.y, l->grid.z, l->block.x, l->block.y, l->block.z, shared,
                          l->stream, l->arguments, NULL);
}

#if PTXEMU_CUDA_VERSION < 13000
/* Whether no kernel can have these sizes on the current device. */
static bool is_impossible(const unsigned grid[3], const unsigned block[3], size_t shared_bytes)
{
    uint64_t threads = 1;
    int most = 0;
    CUdevice device;

    if (cuCtxGetDevice(&device) != CUDA_SUCCESS) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        threads *= block[i];
        if (grid[i] == 0 || block[i] == 0 ||
            cuDeviceGetAttribute(&most, (CUdevice_attribute)(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + i), device) !=
                CUDA_SUCCESS ||
            grid[i] > (unsigned)most ||
            cuDeviceGetAttribute(&most, (CUdevice_attribute)(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i), device) !=
                CUDA_SUCCESS ||
            block[i] > (unsigned)most) {
            return true;
        }
    }
    return (cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device) == CUDA_SUCCESS &&
            threads > (unsigned)most) ||
           (cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device) ==
                CUDA_SUCCESS &&
            shared_bytes > (unsigned)most);
}
#endif

static cudaError_t launch_error(CUresult result, dim3 grid, dim3 block, size_t shared_bytes)
{
#if PTXEMU_CUDA_VERSION < 13000
    if (result == CUDA_ERROR_INVALID_VALUE &&
        is_impossible((unsigned[]){grid.x, grid.y, grid.z}, (unsigned[]){block.x, block.y, block.z}, shared_bytes)) {
        return cudaErrorInvalidConfiguration;
    }
#else
    (void)grid;
    (void)block;
    (void)shared_bytes;
#endif
    return crt_error(result);
}

static cudaError_t launch(const struct launch *l, bool cooperative)
{
    CUfunction function = NULL;
    cudaError_t error = crt_begin();

    if (error != cudaSuccess) {
        return error;
    }
    error = crt_kernel(l->func, &function);
    if (error == cudaSuccess) {
        error = launch_error(call_driver(function, l, cooperative), l->grid, l->block, l->shared_bytes);
    }
    return crt_return(error);
}

static struct launch describe(const void *func, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                              cudaStream_t stream)
{
    return (struct launch){
        .func = func,
        .grid = grid,
        .block = block,
        .shared_bytes = shared_bytes,
        .stream = crt_stream(stream),
        .arguments = arguments,
    };
}

cudaError_t CUDARTAPI cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                                       cudaStream_t stream)
{
    struct launch l = describe(func, grid, block, arguments, shared_bytes, stream);

    return launch(&l, false);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                               cudaStream_t stream)
{
    struct launch l = describe((const void *)kernel, grid, block, arguments, shared_bytes, stream);

    return launch(&l, false);
}

cudaError_t CUDARTAPI cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **arguments,
                                                  size_t shared_bytes, cudaStream_t stream)
{
    struct launch l = describe(func, grid, block, arguments, shared_bytes, stream);

    return launch(&l, true);
}

cudaError_t CUDARTAPI cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **arguments)
{
    CUfunction function = NULL;
    CUlaunchConfig translated;
    cudaError_t error = crt_begin();

    if (error != cudaSuccess) {
        return error;
    }
    error = crt_launch_config(config, CRT_DEFAULT_STREAM, &translated);
    if (error == cudaSuccess) {
        error = crt_kernel(func, &function);
    }
    if (error == cudaSuccess) {
        error = launch_error(cuLaunchKernelEx(&translated, function, arguments, NULL), config->gridDim,
                             config->blockDim, config->dynamicSmemBytes);
    }
    return crt_return(error);
}
