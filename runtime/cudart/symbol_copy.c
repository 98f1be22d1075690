/*
 * Copies to and from device variables.  Compiled twice: see cudart.h.
 *
 * Invariant: no copy leaves the variable, whatever the driver would allow.
 */
#include "cudart.h"

/* --- to variables ------------------------------------------------------------------------------------------------- */

static CUresult copy_to(CUdeviceptr to, const void *from, size_t count, enum cudaMemcpyKind kind)
{
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return cuMemcpyHtoD(to, from, count);
    case cudaMemcpyDeviceToDevice:
        return cuMemcpyDtoD(to, (CUdeviceptr)from, count);
    default:
        return cuMemcpy(to, (CUdeviceptr)from, count);
    }
}

static CUresult copy_to_async(CUdeviceptr to, const void *from, size_t count, enum cudaMemcpyKind kind, CUstream stream)
{
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return cuMemcpyHtoDAsync(to, from, count, stream);
    case cudaMemcpyDeviceToDevice:
        return cuMemcpyDtoDAsync(to, (CUdeviceptr)from, count, stream);
    default:
        return cuMemcpyAsync(to, (CUdeviceptr)from, count, stream);
    }
}

/* Begin a copy to a variable: its place, or why not. */
static cudaError_t begin_to(const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind, CUdeviceptr *to)
{
    cudaError_t error = crt_begin();

    if (error != cudaSuccess) {
        return error;
    }
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) {
        return crt_return(cudaErrorInvalidMemcpyDirection);
    }
    return crt_return(crt_symbol_range(symbol, offset, count, to));
}

cudaError_t CUDARTAPI cudaMemcpyToSymbol(const void *symbol, const void *from, size_t count, size_t offset,
                                         enum cudaMemcpyKind kind)
{
    CUdeviceptr to = 0;
    cudaError_t error = begin_to(symbol, count, offset, kind, &to);

    return error != cudaSuccess ? error : crt_end(copy_to(to, from, count, kind));
}

cudaError_t CUDARTAPI cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t count, size_t offset,
                                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CUdeviceptr to = 0;
    cudaError_t error = begin_to(symbol, count, offset, kind, &to);

    return error != cudaSuccess ? error : crt_end(copy_to_async(to, from, count, kind, crt_stream(stream)));
}

/* --- from variables ----------------------------------------------------------------------------------------------- */

static CUresult copy_from(void *to, CUdeviceptr from, size_t count, enum cudaMemcpyKind kind)
{
    switch (kind) {
    case cudaMemcpyDeviceToHost:
        return cuMemcpyDtoH(to, from, count);
    case cudaMemcpyDeviceToDevice:
        return cuMemcpyDtoD((CUdeviceptr)to, from, count);
    default:
        return cuMemcpy((CUdeviceptr)to, from, count);
    }
}

static CUresult copy_from_async(void *to, CUdeviceptr from, size_t count, enum cudaMemcpyKind kind, CUstream stream)
{
    switch (kind) {
    case cudaMemcpyDeviceToHost:
        return cuMemcpyDtoHAsync(to, from, count, stream);
    case cudaMemcpyDeviceToDevice:
        return cuMemcpyDtoDAsync((CUdeviceptr)to, from, count, stream);
    default:
        return cuMemcpyAsync((CUdeviceptr)to, from, count, stream);
    }
}

static cudaError_t begin_from(const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind,
                              CUdeviceptr *from)
{
    cudaError_t error = crt_begin();

    if (error != cudaSuccess) {
        return error;
    }
    if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) {
        return crt_return(cudaErrorInvalidMemcpyDirection);
    }
    return crt_return(crt_symbol_range(symbol, offset, count, from));
}

cudaError_t CUDARTAPI cudaMemcpyFromSymbol(void *to, const void *symbol, size_t count, size_t offset,
                                           enum cudaMemcpyKind kind)
{
    CUdeviceptr from = 0;
    cudaError_t error = begin_from(symbol, count, offset, kind, &from);

    return error != cudaSuccess ? error : crt_end(copy_from(to, from, count, kind));
}

cudaError_t CUDARTAPI cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t count, size_t offset,
                                                enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CUdeviceptr from = 0;
    cudaError_t error = begin_from(symbol, count, offset, kind, &from);

    return error != cudaSuccess ? error : crt_end(copy_from_async(to, from, count, kind, crt_stream(stream)));
}
