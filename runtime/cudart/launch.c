/*
 * Launching kernels.  Compiled twice: see cudart.h.
 *
 * The driver checks a launch; what is left to the runtime is to name some of its errors otherwise, as programs know
 * them.
 */
#include "registration.h"

#include "handle.h"

#include <limits.h>

/* What a launch comes with. */
struct launch {
    const void *func;
    dim3 grid;
    dim3 block;
    size_t shared_bytes;
    CUstream stream;
    void **arguments;
};

static bool is_within(unsigned value, CUdevice_attribute limit, int device)
{
    int most = 0;

    return value >= 1 && cuDeviceGetAttribute(&most, limit, device) == CUDA_SUCCESS && value <= (unsigned)most;
}

/* Every extent of the grid and of the CTA is within the device's limits, whatever the kernel's are. */
static bool fits_device(dim3 grid, dim3 block)
{
    int device = crt_device();
    unsigned long long threads = (unsigned long long)block.x * block.y * block.z;

    return is_within(grid.x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, device) &&
           is_within(grid.y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, device) &&
           is_within(grid.z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, device) &&
           is_within(block.x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, device) &&
           is_within(block.y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, device) &&
           is_within(block.z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, device) && threads <= UINT_MAX &&
           is_within((unsigned)threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device);
}

/* The runtime tells a bad configuration of a kernel from other bad values; of functions it says what the driver says
 * (as measured on H200). */
static cudaError_t launch_error(CUresult result, const void *func, dim3 grid, dim3 block)
{
    switch (result) {
    case CUDA_ERROR_INVALID_VALUE:
        return fits_device(grid, block) || crt_is_function(func) ? cudaErrorInvalidValue
                                                                 : cudaErrorInvalidConfiguration;
    case CUDA_ERROR_NOT_FOUND:
        return cudaErrorInvalidDeviceFunction;
    default:
        return crt_error(result);
    }
}

/* cuLaunchKernel and cuLaunchCooperativeKernel differ in their trailing parameter only. */
static CUresult call_driver(CUfunction function, const struct launch *l, bool cooperative)
{
    unsigned shared = (unsigned)l->shared_bytes;

    if (cooperative) {
        return cuLaunchCooperativeKernel(function, l->grid.x, l->grid.y, l->grid.z, l->block.x, l->block.y, l->block.z,
                                         shared, l->stream, l->arguments);
    }
    return cuLaunchKernel(function, l->grid.x, l->grid.y, l->grid.z, l->block.x, l->block.y, l->block.z, shared,
                          l->stream, l->arguments, NULL);
}

static cudaError_t launch(const struct launch *l, bool cooperative)
{
    CUfunction function = NULL;
    cudaError_t error = crt_begin();

    if (error != cudaSuccess) {
        return error;
    }
    error = crt_kernel(l->func, &function);
    if (error == cudaSuccess && l->shared_bytes > UINT_MAX) {
        error = cudaErrorInvalidValue;
    }
    if (error == cudaSuccess) {
        error = launch_error(call_driver(function, l, cooperative), l->func, l->grid, l->block);
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
        CUresult result = cuLaunchKernelEx(&translated, function, arguments, NULL);

        error = launch_error(result, func, config->gridDim, config->blockDim);
    }
    return crt_return(error);
}
