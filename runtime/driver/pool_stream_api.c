/*
 * Allocating and freeing in the order of a stream's work.  Compiled twice, see stream.h.
 */
#include "runtime/driver/capture.h"
#include "runtime/driver/graph_memory.h"
#include "runtime/driver/handle.h"
#include "runtime/driver/pool.h"

static CUresult allocate(CUdeviceptr *dptr, size_t size, struct drv_pool *pool, struct drv_stream *stream)
{
    uint64_t address = 0;

    if (pool == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (stream->capture != NULL) {
        CUDA_MEM_ALLOC_NODE_PARAMS params = {.poolProps = pool->props, .bytesize = size};
        const CUresult result = drv_capture_alloc(stream, &params);

        *dptr = params.dptr;
        return result;
    }
    const CUresult result = drv_pool_allocate(pool, stream, size, &address);

    if (result == CUDA_SUCCESS) {
        *dptr = address;
    }
    return result;
}

CUresult cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_check_out(drv_stream_enter(drv_stream_given(hStream), &stream, &context), dptr);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (bytesize == 0) { /* as on H200 */
        *dptr = 0;
        return CUDA_SUCCESS;
    }
    return allocate(dptr, bytesize, drv_pool_current(context->device), stream);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream)
{
    struct drv_stream *stream;
    struct drv_context *context;
    struct drv_pool *p = drv_handle_get(pool, DRV_POOL);
    const CUresult result = drv_stream_enter(drv_stream_given(hStream), &stream, &context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (dptr == NULL || p == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (bytesize == 0) {
        *dptr = 0;
        return CUDA_SUCCESS;
    }
    return allocate(dptr, bytesize, p, stream);
}

CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream)
{
    struct drv_stream *stream;
    struct drv_context *context;
    struct drv_work *work;
    CUresult result = drv_stream_enter(drv_stream_given(hStream), &stream, &context);

    if (result != CUDA_SUCCESS || dptr == 0) {
        return result;
    }
    if (stream->capture != NULL) {
        return drv_capture_free(stream, dptr);
    }
    if (drv_graph_memory_free(dptr, stream, &result)) {
        return result;
    }
    result = drv_pool_free_work(dptr, stream, &work);
    return result != CUDA_SUCCESS ? result : drv_submit(stream, work);
}
