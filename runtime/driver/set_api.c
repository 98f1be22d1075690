/*
 * Fills.  Compiled twice, see stream.h.  The blocking calls are asynchronous on hardware, too, as long as device memory
 * is filled; they use the default stream.
 */
#include "runtime/driver/copy.h"
#include "runtime/driver/memory.h"
#include "runtime/driver/stream.h"

/* Memory of a device that the context has no access to. */
static bool is_out_of_reach(const struct drv_context *context, CUdeviceptr address)
{
    struct drv_memory m;

    return drv_memory_find(address, &m) && (m.kind == DRV_MEMORY_DEVICE || m.kind == DRV_MEMORY_VARIABLE) &&
           m.context != NULL && m.context->device != context->device && !context->peers[m.context->device->ordinal];
}

static CUresult fill(CUDA_MEMSET_NODE_PARAMS set, CUstream handle, bool blocking)
{
    struct drv_stream *stream;
    struct drv_context *context;
    struct drv_memory memory;
    CUresult result = drv_stream_enter(handle, &stream, &context);

    if (result == CUDA_SUCCESS) {
        result = drv_set_check(&set);
    }
    if (result == CUDA_SUCCESS && set.width != 0 && set.height != 0 && is_out_of_reach(context, set.dst)) {
        result = CUDA_ERROR_INVALID_VALUE; /* as on H200 */
    }
    if (result != CUDA_SUCCESS || set.width == 0 || set.height == 0) {
        return result;
    }
    if (blocking && drv_memory_find(set.dst, &memory) && memory.kind == DRV_MEMORY_PINNED) {
        return drv_submit_and_wait(stream, drv_set_work(&set));
    }
    return drv_submit(stream, drv_set_work(&set));
}

static CUDA_MEMSET_NODE_PARAMS row(CUdeviceptr dst, unsigned value, unsigned element, size_t count)
{
    return (CUDA_MEMSET_NODE_PARAMS){.dst = dst, .value = value, .elementSize = element, .width = count, .height = 1};
}

static CUDA_MEMSET_NODE_PARAMS rows(CUdeviceptr dst, size_t pitch, unsigned value, unsigned element, size_t width,
                                    size_t height)
{
    return (CUDA_MEMSET_NODE_PARAMS){
        .dst = dst, .pitch = pitch, .value = value, .elementSize = element, .width = width, .height = height};
}

#define DEFAULT_STREAM drv_stream_given(NULL)

CUresult cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N)
{
    return fill(row(dstDevice, uc, 1, N), DEFAULT_STREAM, true);
}

CUresult cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N)
{
    return fill(row(dstDevice, us, 2, N), DEFAULT_STREAM, true);
}

CUresult cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N)
{
    return fill(row(dstDevice, ui, 4, N), DEFAULT_STREAM, true);
}

CUresult cuMemsetD2D8(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height)
{
    return fill(rows(dstDevice, dstPitch, uc, 1, Width, Height), DEFAULT_STREAM, true);
}

CUresult cuMemsetD2D16(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height)
{
    return fill(rows(dstDevice, dstPitch, us, 2, Width, Height), DEFAULT_STREAM, true);
}

CUresult cuMemsetD2D32(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height)
{
    return fill(rows(dstDevice, dstPitch, ui, 4, Width, Height), DEFAULT_STREAM, true);
}

CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream)
{
    return fill(row(dstDevice, uc, 1, N), drv_stream_given(hStream), false);
}

CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream)
{
    return fill(row(dstDevice, us, 2, N), drv_stream_given(hStream), false);
}

CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream)
{
    return fill(row(dstDevice, ui, 4, N), drv_stream_given(hStream), false);
}

CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height,
                           CUstream hStream)
{
    return fill(rows(dstDevice, dstPitch, uc, 1, Width, Height), drv_stream_given(hStream), false);
}

CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height,
                            CUstream hStream)
{
    return fill(rows(dstDevice, dstPitch, us, 2, Width, Height), drv_stream_given(hStream), false);
}

CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height,
                            CUstream hStream)
{
    return fill(rows(dstDevice, dstPitch, ui, 4, Width, Height), drv_stream_given(hStream), false);
}
