/*
 * Launching kernels.  Compiled twice: see cudart.h.
 *
 * The driver checks a launch, and its errors are the runtime's: a bad configuration is an invalid value, as on an H200
 * with CUDA 13.
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

static cudaError_t launch(const struct launch *l, bool cooperative)
{
    CUfunction function = NULL;
    cudaError_t error = crt_begin();

    if (error != cudaSuccess) {
        return error;
    }
    error = crt_kernel(l->func, &function);
    if (error == cudaSuccess) {
        error = crt_error(call_driver(function, l, cooperative));
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
        error = crt_error(cuLaunchKernelEx(&translated, function, arguments, NULL));
    }
    return crt_return(error);
}
