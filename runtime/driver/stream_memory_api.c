/*
 * Memory operations of streams.  Compiled twice, see stream.h.  The first versions of these functions differ from the
 * second in nothing that shows here.
 */
#include "runtime/driver/memory.h"
#include "runtime/driver/stream.h"
#include "runtime/driver/stream_memory.h"

enum { BATCH_MOST = 256 };

static bool is_place(const struct drv_memory_op *op)
{
    const unsigned bytes = op->wide ? 8 : 4;

    return op->address % bytes == 0 && drv_memory_covers(op->address, bytes);
}

/* --- one operation ---------------------------------------------------------------------------- */
static struct drv_memory_op wait_op(const CUstreamBatchMemOpParams *p)
{
    const bool wide = p->operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;

    return (struct drv_memory_op){.address = p->waitValue.address,
                                  .value = wide ? p->waitValue.value64 : p->waitValue.value,
                                  .wide = wide,
                                  .condition = p->waitValue.flags};
}

static struct drv_memory_op write_op(const CUstreamBatchMemOpParams *p)
{
    const bool wide = p->operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;

    return (struct drv_memory_op){
        .address = p->writeValue.address, .value = wide ? p->writeValue.value64 : p->writeValue.value, .wide = wide};
}

static CUresult check_wait(const CUstreamBatchMemOpParams *p)
{
    const struct drv_memory_op op = wait_op(p);

    if ((p->waitValue.flags & CU_STREAM_WAIT_VALUE_FLUSH) != 0) { /* CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES is 0 */
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    return p->waitValue.flags <= CU_STREAM_WAIT_VALUE_NOR && is_place(&op) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult check_write(const CUstreamBatchMemOpParams *p)
{
    const struct drv_memory_op op = write_op(p);

    return (p->writeValue.flags & ~(unsigned)CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) == 0 && is_place(&op)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

static CUresult check(const CUstreamBatchMemOpParams *p)
{
    switch ((int)p->operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        return check_wait(p);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        return check_write(p);
    case CU_STREAM_MEM_OP_BARRIER:
        return p->memoryBarrier.flags <= CU_STREAM_MEMORY_BARRIER_TYPE_GPU ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

static CUresult submit(struct drv_stream *stream, const CUstreamBatchMemOpParams *p)
{
    struct drv_memory_op op;

    switch ((int)p->operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        op = wait_op(p);
        return drv_submit(stream, drv_wait_value_work(&op));
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        op = write_op(p);
        return drv_submit(stream, drv_write_value_work(&op));
    default: /* a barrier: the queue has them in order anyway */
        return CUDA_SUCCESS;
    }
}

/* All are checked before the first is done. */
static CUresult operate(CUstream handle, unsigned count, const CUstreamBatchMemOpParams *ops)
{
    struct drv_stream *stream;
    struct drv_context *context;
    CUresult result = drv_stream_enter(handle, &stream, &context);

    for (unsigned i = 0; i < count && result == CUDA_SUCCESS; i++) {
        result = check(&ops[i]);
    }
    for (unsigned i = 0; i < count && result == CUDA_SUCCESS; i++) {
        result = submit(stream, &ops[i]);
    }
    return result;
}

/* --- the API ---------------------------------------------------------------------------------- */
CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *paramArray,
                            unsigned int flags)
{
    return (paramArray == NULL && count != 0) || count > BATCH_MOST || flags != 0
               ? CUDA_ERROR_INVALID_VALUE
               : operate(drv_stream_given(stream), count, paramArray);
}

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags)
{
    const CUstreamBatchMemOpParams op = {
        .waitValue = {CU_STREAM_MEM_OP_WAIT_VALUE_32, addr, {.value = value}, flags, 0}};

    return operate(drv_stream_given(stream), 1, &op);
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags)
{
    const CUstreamBatchMemOpParams op = {
        .waitValue = {CU_STREAM_MEM_OP_WAIT_VALUE_64, addr, {.value64 = value}, flags, 0}};

    return operate(drv_stream_given(stream), 1, &op);
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags)
{
    const CUstreamBatchMemOpParams op = {
        .writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, addr, {.value = value}, flags, 0}};

    return operate(drv_stream_given(stream), 1, &op);
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags)
{
    const CUstreamBatchMemOpParams op = {
        .writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_64, addr, {.value64 = value}, flags, 0}};

    return operate(drv_stream_given(stream), 1, &op);
}

/* --- the first versions ----------------------------------------------------------------------- */
#undef cuStreamBatchMemOp
#undef cuStreamWaitValue32
#undef cuStreamWaitValue64
#undef cuStreamWriteValue32
#undef cuStreamWriteValue64
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define VERSION_1(name) name##_ptsz
#define VERSION_2(name) name##_v2_ptsz
#else
#define VERSION_1(name) name
#define VERSION_2(name) name##_v2
#endif

CUresult VERSION_1(cuStreamBatchMemOp)(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *paramArray,
                                       unsigned int flags)
{
    return VERSION_2(cuStreamBatchMemOp)(stream, count, paramArray, flags);
}

CUresult VERSION_1(cuStreamWaitValue32)(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags)
{
    return VERSION_2(cuStreamWaitValue32)(stream, addr, value, flags);
}

CUresult VERSION_1(cuStreamWaitValue64)(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags)
{
    return VERSION_2(cuStreamWaitValue64)(stream, addr, value, flags);
}

CUresult VERSION_1(cuStreamWriteValue32)(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags)
{
    return VERSION_2(cuStreamWriteValue32)(stream, addr, value, flags);
}

CUresult VERSION_1(cuStreamWriteValue64)(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags)
{
    return VERSION_2(cuStreamWriteValue64)(stream, addr, value, flags);
}
