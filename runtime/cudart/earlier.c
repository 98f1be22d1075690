/* What only libcudart.so.12 has: names that went away with CUDA 13, and names that still have their meaning of CUDA 11.
 */
#include "cudart.h"

#pragma GCC visibility push(default)
#include <runtime_api/earlier.h>
#pragma GCC visibility pop

#include <string.h>

/* Programs of CUDA 11 have a structure that ends earlier. */
cudaError_t CUDARTAPI cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    struct cudaDeviceProp all;
    cudaError_t error = cudaGetDeviceProperties_v2(properties != NULL ? &all : NULL, device);

    if (error == cudaSuccess) {
        memcpy(properties, &all, offsetof(struct cudaDeviceProp, hostRegisterSupported));
    }
    return error;
}

/* --- the functions about threads are those about devices -------------------------------------- */

cudaError_t CUDARTAPI cudaThreadExit(void)
{
    return cudaDeviceReset();
}

cudaError_t CUDARTAPI cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}

cudaError_t CUDARTAPI cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

cudaError_t CUDARTAPI cudaThreadGetLimit(size_t *value, enum cudaLimit limit)
{
    return cudaDeviceGetLimit(value, limit);
}

cudaError_t CUDARTAPI cudaThreadGetCacheConfig(enum cudaFuncCache *config)
{
    return cudaDeviceGetCacheConfig(config);
}

cudaError_t CUDARTAPI cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}

/* --- doubles: every GPU that runs today's PTX has them, nothing is converted ------------------ */

cudaError_t CUDARTAPI cudaSetDoubleForDevice(double *value)
{
    return crt_return(value != NULL ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t CUDARTAPI cudaSetDoubleForHost(double *value)
{
    return crt_return(value != NULL ? cudaSuccess : cudaErrorInvalidValue);
}
