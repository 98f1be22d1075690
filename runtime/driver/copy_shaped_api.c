/*
 * Copies of rectangles and boxes, and to and from arrays.  Compiled twice, see stream.h.
 */
#include "runtime/driver/array.h"
#include "runtime/driver/copy.h"
#include "runtime/driver/memory.h"
#include "runtime/driver/stream.h"

/* --- descriptions ----------------------------------------------------------------------------- */
static CUDA_MEMCPY3D_PEER from_2d(const CUDA_MEMCPY2D *p)
{
    return (CUDA_MEMCPY3D_PEER){.srcXInBytes = p->srcXInBytes,
                                .srcY = p->srcY,
                                .srcMemoryType = p->srcMemoryType,
                                .srcHost = p->srcHost,
                                .srcDevice = p->srcDevice,
                                .srcArray = p->srcArray,
                                .srcPitch = p->srcPitch,
                                .dstXInBytes = p->dstXInBytes,
                                .dstY = p->dstY,
                                .dstMemoryType = p->dstMemoryType,
                                .dstHost = p->dstHost,
                                .dstDevice = p->dstDevice,
                                .dstArray = p->dstArray,
                                .dstPitch = p->dstPitch,
                                .WidthInBytes = p->WidthInBytes,
                                .Height = p->Height,
                                .Depth = 1};
}

static CUresult run(CUDA_MEMCPY3D_PEER copy, CUstream handle, bool blocking)
{
    struct drv_stream *stream;
    struct drv_context *context;
    const CUresult result = drv_stream_enter(handle, &stream, &context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    return blocking ? drv_copy_blocking(stream, &copy) : drv_copy_async(stream, &copy);
}

#define DEFAULT_STREAM drv_stream_given(NULL)

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *pCopy)
{
    return pCopy == NULL ? CUDA_ERROR_INVALID_VALUE : run(from_2d(pCopy), DEFAULT_STREAM, true);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy)
{
    return pCopy == NULL ? CUDA_ERROR_INVALID_VALUE : run(from_2d(pCopy), DEFAULT_STREAM, true);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream hStream)
{
    return pCopy == NULL ? CUDA_ERROR_INVALID_VALUE : run(from_2d(pCopy), drv_stream_given(hStream), false);
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *pCopy)
{
    return pCopy == NULL ? CUDA_ERROR_INVALID_VALUE : run(drv_copy_of_box(pCopy), DEFAULT_STREAM, true);
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *pCopy, CUstream hStream)
{
    return pCopy == NULL ? CUDA_ERROR_INVALID_VALUE : run(drv_copy_of_box(pCopy), drv_stream_given(hStream), false);
}

static CUresult check_peers(const CUDA_MEMCPY3D_PEER *p)
{
    if (p == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return (p->srcContext != NULL && drv_context_of(p->srcContext) == NULL) ||
                   (p->dstContext != NULL && drv_context_of(p->dstContext) == NULL)
               ? CUDA_ERROR_INVALID_CONTEXT
               : CUDA_SUCCESS;
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy)
{
    const CUresult result = check_peers(pCopy);

    return result != CUDA_SUCCESS ? result : run(*pCopy, DEFAULT_STREAM, true);
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream)
{
    const CUresult result = check_peers(pCopy);

    return result != CUDA_SUCCESS ? result : run(*pCopy, drv_stream_given(hStream), false);
}

/* --- one-dimensional copies to and from arrays ------------------------------------------------ */
/* Bytes of an array from an offset on: of one row, or whole rows from the beginning of one. */
static CUDA_MEMCPY3D_PEER of_array(CUarray array, size_t offset, size_t bytes)
{
    CUDA_MEMCPY3D_PEER c = {.WidthInBytes = bytes, .Height = 1, .Depth = 1};
    struct drv_array_layout l;

    if (drv_array_layout(array, &l) && l.row_bytes > 0) {
        c.srcXInBytes = offset % l.row_bytes;
        c.srcY = offset / l.row_bytes;
        if (c.srcXInBytes == 0 && bytes > l.row_bytes && bytes % l.row_bytes == 0) {
            c.WidthInBytes = l.row_bytes;
            c.Height = bytes / l.row_bytes;
        }
    }
    return c;
}

static CUresult to_array(CUarray array, size_t offset, CUmemorytype kind, const void *host, CUdeviceptr device,
                         size_t bytes, CUstream stream, bool blocking)
{
    CUDA_MEMCPY3D_PEER c = of_array(array, offset, bytes);

    c.dstXInBytes = c.srcXInBytes;
    c.dstY = c.srcY;
    c.srcXInBytes = c.srcY = 0;
    c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    c.dstArray = array;
    c.srcMemoryType = kind;
    c.srcHost = host;
    c.srcDevice = device;
    return run(c, stream, blocking);
}

static CUresult from_array(CUmemorytype kind, void *host, CUdeviceptr device, CUarray array, size_t offset,
                           size_t bytes, CUstream stream, bool blocking)
{
    CUDA_MEMCPY3D_PEER c = of_array(array, offset, bytes);

    c.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    c.srcArray = array;
    c.dstMemoryType = kind;
    c.dstHost = host;
    c.dstDevice = device;
    return run(c, stream, blocking);
}

CUresult cuMemcpyDtoA(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount)
{
    return to_array(dstArray, dstOffset, CU_MEMORYTYPE_DEVICE, NULL, srcDevice, ByteCount, DEFAULT_STREAM, true);
}

CUresult cuMemcpyAtoD(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount)
{
    return from_array(CU_MEMORYTYPE_DEVICE, NULL, dstDevice, srcArray, srcOffset, ByteCount, DEFAULT_STREAM, true);
}

CUresult cuMemcpyHtoA(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount)
{
    return to_array(dstArray, dstOffset, CU_MEMORYTYPE_HOST, srcHost, 0, ByteCount, DEFAULT_STREAM, true);
}

CUresult cuMemcpyAtoH(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount)
{
    return from_array(CU_MEMORYTYPE_HOST, dstHost, 0, srcArray, srcOffset, ByteCount, DEFAULT_STREAM, true);
}

CUresult cuMemcpyHtoAAsync(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount, CUstream hStream)
{
    return to_array(dstArray, dstOffset, CU_MEMORYTYPE_HOST, srcHost, 0, ByteCount, drv_stream_given(hStream), false);
}

CUresult cuMemcpyAtoHAsync(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount, CUstream hStream)
{
    return from_array(CU_MEMORYTYPE_HOST, dstHost, 0, srcArray, srcOffset, ByteCount, drv_stream_given(hStream), false);
}

CUresult cuMemcpyAtoA(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t ByteCount)
{
    CUDA_MEMCPY3D_PEER c = of_array(srcArray, srcOffset, ByteCount);
    const CUDA_MEMCPY3D_PEER to = of_array(dstArray, dstOffset, ByteCount);

    if (c.WidthInBytes != to.WidthInBytes) {
        c.WidthInBytes = ByteCount;
        c.Height = 1;
    }
    c.dstXInBytes = to.srcXInBytes;
    c.dstY = to.srcY;
    c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    c.srcArray = srcArray;
    c.dstArray = dstArray;
    return run(c, DEFAULT_STREAM, true);
}
