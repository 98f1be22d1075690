/* Where device variables are.  Copies to and from them are in symbol_copy.c. */
#include "cudart.h"

cudaError_t CUDARTAPI cudaGetSymbolAddress(void **address, const void *symbol)
{
    CUdeviceptr found = 0;
    cudaError_t error = crt_begin();

    if (error != cudaSuccess) {
        return error;
    }
    if (address == NULL) {
        return crt_return(cudaErrorInvalidValue);
    }
    error = crt_symbol(symbol, &found, NULL);
    if (error == cudaSuccess) {
        *address = (void *)found;
    }
    return crt_return(error);
}

cudaError_t CUDARTAPI cudaGetSymbolSize(size_t *size, const void *symbol)
{
    size_t found = 0;
    cudaError_t error = crt_begin();

    if (error != cudaSuccess) {
        return error;
    }
    if (size == NULL) {
        return crt_return(cudaErrorInvalidValue);
    }
    error = crt_symbol(symbol, NULL, &found);
    if (error == cudaSuccess) {
        *size = found;
    }
    return crt_return(error);
}
