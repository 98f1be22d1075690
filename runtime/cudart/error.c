/*
 * Errors of the runtime API: their names and texts, translation from the driver's, and the last error of a thread.
 *
 * Invariant: the last error is forgotten when cudaGetLastError tells it, and never otherwise.  That holds also for
 * errors that ruin the context, which calls go on to return: they come from the driver each time.
 */
#include "cudart.h"

#include "state.h"

/* That work is under way is an answer and no error. */
cudaError_t crt_return(cudaError_t error)
{
    if (error != cudaSuccess && error != cudaErrorNotReady) {
        crt_thread()->last_error = error;
    }
    return error;
}

cudaError_t crt_end(CUresult result)
{
    return crt_return(crt_error(result));
}

/* The two enumerations share their numbers; what only the driver has is unknown to the runtime. */
cudaError_t crt_error(CUresult result)
{
    switch ((int)result) {
#define CRT_ERROR(name, number, text) case number:
#include "errors.def"
#undef CRT_ERROR
        return (cudaError_t)result;
    default:
        return cudaErrorUnknown;
    }
}

cudaError_t CUDARTAPI cudaPeekAtLastError(void)
{
    return crt_thread()->last_error;
}

cudaError_t CUDARTAPI cudaGetLastError(void)
{
    cudaError_t error = cudaPeekAtLastError();

    crt_thread()->last_error = cudaSuccess;
    return error;
}

const char *CUDARTAPI cudaGetErrorName(cudaError_t error)
{
    switch ((int)error) {
#define CRT_ERROR(name, number, text) \
    case number:                      \
        return #name;
#include "errors.def"
#undef CRT_ERROR
    default:
        return "unrecognized error code";
    }
}

const char *CUDARTAPI cudaGetErrorString(cudaError_t error)
{
    switch ((int)error) {
#define CRT_ERROR(name, number, text) \
    case number:                      \
        return text;
#include "errors.def"
#undef CRT_ERROR
    default:
        return "unrecognized error code";
    }
}

#define CRT_ERROR(name, number, text) _Static_assert(name == number, #name);
#include "errors.def"
#undef CRT_ERROR
