/* C++: functions that take a kernel as the function it is, and its arguments as values. */
#ifndef PTXEMU_CUDA_RUNTIME_TYPED_LAUNCH_H
#define PTXEMU_CUDA_RUNTIME_TYPED_LAUNCH_H

#include "../cuda_runtime_api.h"

#if __cplusplus >= 201103L
#include <utility>
#endif

template <class T>
static __inline__ __host__ cudaError_t cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                                                        size_t sharedMem = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}

template <class T>
static __inline__ __host__ cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                                                                   size_t sharedMem = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}

#if __cplusplus >= 201103L
/* The arguments, converted to the kernel's parameters as a call would. */
template <typename... Parameters> struct ptxemu_converted {
    const cudaLaunchConfig_t *config;
    const void *kernel;

    __host__ cudaError_t launch(Parameters... values) const
    {
        void *addresses[] = {(void *)&values..., nullptr};

        return ::cudaLaunchKernelExC(config, kernel, addresses);
    }
};

template <typename... Parameters, typename... Arguments>
static __inline__ __host__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                                          void (*kernel)(Parameters...), Arguments &&...args)
{
    return ptxemu_converted<Parameters...>{config, (const void *)kernel}.launch(std::forward<Arguments>(args)...);
}

/* A handle says nothing of its parameters: the arguments go as they are. */
template <typename... Arguments>
static __inline__ __host__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, const cudaKernel_t kernel,
                                                          Arguments &&...args)
{
    void *addresses[] = {(void *)&args..., nullptr};

    return ::cudaLaunchKernelExC(config, (const void *)kernel, addresses);
}
#endif

#endif
