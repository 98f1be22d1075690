/*
 * Copies between addresses.  Compiled twice, see stream.h.
 */
#include "runtime/driver/copy.h"
#include "runtime/driver/memory.h"
#include "runtime/driver/stream.h"

static uint64_t address_of(const void *host)
{
    return (uint64_t)(uintptr_t)host;
}

/* Calls that say which side is the device's refuse anything else there. */
static bool is_device(CUdeviceptr address, size_t bytes)
{
    return bytes == 0 || drv_memory_covers(address, bytes);
}

static CUresult blocking(uint64_t to, uint64_t from, size_t bytes, bool sides)
{
    CUDA_MEMCPY3D_PEER copy = drv_copy_linear(to, from, bytes);
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_stream_enter(drv_stream_given(NULL), &stream, &context);

    return result != CUDA_SUCCESS ? result : !sides ? CUDA_ERROR_INVALID_VALUE : drv_copy_blocking(stream, &copy);
}

static CUresult async(uint64_t to, uint64_t from, size_t bytes, CUstream handle, bool sides)
{
    CUDA_MEMCPY3D_PEER copy = drv_copy_linear(to, from, bytes);
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_stream_enter(handle, &stream, &context);

    return result != CUDA_SUCCESS ? result : !sides ? CUDA_ERROR_INVALID_VALUE : drv_copy_async(stream, &copy);
}

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount)
{
    return blocking(dst, src, ByteCount, true);
}

CUresult cuMemcpyHtoD(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)
{
    return blocking(dstDevice, address_of(srcHost), ByteCount, is_device(dstDevice, ByteCount));
}

CUresult cuMemcpyDtoH(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)
{
    return blocking(address_of(dstHost), srcDevice, ByteCount, is_device(srcDevice, ByteCount));
}

CUresult cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount)
{
    return blocking(dstDevice, srcDevice, ByteCount,
                    is_device(dstDevice, ByteCount) && is_device(srcDevice, ByteCount));
}

CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
                      size_t ByteCount)
{
    if (drv_context_of(dstContext) == NULL || drv_context_of(srcContext) == NULL) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    return blocking(dstDevice, srcDevice, ByteCount,
                    is_device(dstDevice, ByteCount) && is_device(srcDevice, ByteCount));
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream)
{
    return async(dst, src, ByteCount, drv_stream_given(hStream), true);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream)
{
    return async(dstDevice, address_of(srcHost), ByteCount, drv_stream_given(hStream), is_device(dstDevice, ByteCount));
}

CUresult cuMemcpyDtoHAsync(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)
{
    return async(address_of(dstHost), srcDevice, ByteCount, drv_stream_given(hStream), is_device(srcDevice, ByteCount));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)
{
    return async(dstDevice, srcDevice, ByteCount, drv_stream_given(hStream),
                 is_device(dstDevice, ByteCount) && is_device(srcDevice, ByteCount));
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
                           size_t ByteCount, CUstream hStream)
{
    if (drv_context_of(dstContext) == NULL || drv_context_of(srcContext) == NULL) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    return async(dstDevice, srcDevice, ByteCount, drv_stream_given(hStream),
                 is_device(dstDevice, ByteCount) && is_device(srcDevice, ByteCount));
}
