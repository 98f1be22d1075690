/* What a `func` of the runtime API is: a kernel of a library, or a function of a context. */
#ifndef PTXEMU_CUDART_HANDLE_H
#define PTXEMU_CUDART_HANDLE_H

#include "cudart.h"

/* Exactly one of the two is set. */
struct crt_callable {
    CUkernel kernel;     /* from a host stub, or a cudaKernel_t */
    CUfunction function; /* a cudaFunction_t */
};

/* Resolve `func`, loading its module if need be.  cudaErrorInvalidDeviceFunction if it is NULL,
 * cudaErrorSymbolNotFound if the device code lacks it, cudaErrorInvalidResourceHandle if it is nothing of the kind. */
cudaError_t crt_resolve(const void *func, struct crt_callable *callable);

/* The kernel behind a host stub, or NULL in `kernel` if `func` is no registered stub. */
cudaError_t crt_stub_kernel(const void *func, CUkernel *kernel);

/* A launch configuration for the driver; stream 0 is `default_stream`.  The attributes stay the caller's. */
cudaError_t crt_launch_config(const cudaLaunchConfig_t *config, CUstream default_stream, CUlaunchConfig *translated);

#endif
