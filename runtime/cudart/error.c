/*
 * Errors of the runtime API: their names and texts, translation from the driver's, and the last error of a thread.
 *
 * Invariant: cudaGetLastError forgets an error once it has been told, unless it is sticky.  A sticky error is one that
 * ruined the context; it goes away only with the context, that is, with the next reset of a device.
 */
#include "cudart.h"

#include "state.h"

cudaError_t crt_return(cudaError_t error)
{
    if (error != cudaSuccess) {
        struct crt_thread *thread = crt_thread();

        thread->last_error = error;
        thread->last_error_epoch = crt_reset_epoch();
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

/* Errors after which nothing works in the context any more. */
static bool is_sticky(cudaError_t error)
{
    switch (error) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorExternalDevice:
        return true;
    default:
        return false;
    }
}

cudaError_t CUDARTAPI cudaPeekAtLastError(void)
{
    struct crt_thread *thread = crt_thread();

    if (is_sticky(thread->last_error) && thread->last_error_epoch != crt_reset_epoch()) {
        thread->last_error = cudaSuccess; /* its context is gone */
    }
    return thread->last_error;
}

cudaError_t CUDARTAPI cudaGetLastError(void)
{
    cudaError_t error = cudaPeekAtLastError();

    if (!is_sticky(error)) {
        crt_thread()->last_error = cudaSuccess;
    }
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
