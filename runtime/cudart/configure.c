/*
 * Call configurations: `kernel<<<grid, block, shared, stream>>>(arguments)` pushes one, evaluates the arguments, and
 * the host stub pops it.  Arguments may launch kernels themselves, hence a stack for each thread.
 */
#include "registration.h"

#include "state.h"

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, struct CUstream_st *stream)
{
    struct crt_thread *thread = crt_thread();

    if (thread->call_depth == CRT_MAX_CALL_DEPTH) {
        return (unsigned)crt_return(cudaErrorLaunchOutOfResources);
    }
    thread->calls[thread->call_depth++] = (struct crt_call){
        .grid = grid,
        .block = block,
        .shared_bytes = shared_bytes,
        .stream = stream,
    };
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream)
{
    struct crt_thread *thread = crt_thread();
    const struct crt_call *call = NULL;

    if (thread->call_depth == 0) {
        return crt_return(cudaErrorMissingConfiguration);
    }
    call = &thread->calls[--thread->call_depth];
    *grid = call->grid;
    *block = call->block;
    *shared_bytes = call->shared_bytes;
    *(cudaStream_t *)stream = call->stream;
    return cudaSuccess;
}
