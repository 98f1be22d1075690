/*
 * Addresses of functions, for a program whose stream 0 is a stream of the calling thread: unless it asks for one kind
 * of stream 0, it gets the functions that agree with its own calls.
 */
#ifndef PTXEMU_CUDA_DRIVER_PER_THREAD_H
#define PTXEMU_CUDA_DRIVER_PER_THREAD_H

#include "process.h"

static __inline__ CUresult cuGetProcAddress_v2_ptsz(const char *symbol, void **funcPtr, int driverVersion,
                                                    cuuint64_t flags, CUdriverProcAddressQueryResult *symbolStatus)
{
    if ((flags & (CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)) == 0) {
        flags |= CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    }
    return cuGetProcAddress_v2(symbol, funcPtr, driverVersion, flags, symbolStatus);
}
#define cuGetProcAddress_v2 cuGetProcAddress_v2_ptsz

#endif
