/*
 * Functions of the driver by name.  Compiled twice: see cudart.h.  The default stream that a program was compiled for
 * decides which variant of a function it gets unless it says so itself.
 */
#include "cudart.h"

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define DEFAULT_FLAG CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM
#else
#define DEFAULT_FLAG CU_GET_PROC_ADDRESS_LEGACY_STREAM
#endif

/* A name that the driver lacks is no error: the answer is NULL, and the status says so. */
static cudaError_t find(const char *name, void **function, unsigned version, unsigned long long flags,
                        enum cudaDriverEntryPointQueryResult *status)
{
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SUCCESS;
    CUresult result = CUDA_SUCCESS;

    if (name == NULL || function == NULL) {
        return crt_return(cudaErrorInvalidValue);
    }
    *function = NULL;
    result = cuGetProcAddress(name, function, (int)version, flags == cudaEnableDefault ? DEFAULT_FLAG : flags, &found);
    if (result == CUDA_ERROR_NOT_FOUND) {
        result = CUDA_SUCCESS;
    }
    if (status != NULL) {
        *status = (enum cudaDriverEntryPointQueryResult)found;
    }
    return crt_end(result);
}

cudaError_t CUDARTAPI cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                              enum cudaDriverEntryPointQueryResult *status)
{
    return find(name, function, PTXEMU_CUDA_VERSION, flags, status);
}

cudaError_t CUDARTAPI cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                                       unsigned long long flags,
                                                       enum cudaDriverEntryPointQueryResult *status)
{
    return find(name, function, version, flags, status);
}
