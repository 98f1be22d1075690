/*
 * Many copies in one call.  Compiled twice, see stream.h.  Copies of a batch may be done in any order; here it is
 * theirs. CUDA 12's versions also tell which copy could not be made: SIZE_MAX when it is none in particular.
 */
#include "runtime/driver/array.h"
#include "runtime/driver/copy.h"
#include "runtime/driver/memory.h"
#include "runtime/driver/stream.h"

/* Everything but the legacy stream. */
static CUresult enter(CUstream handle, struct drv_stream **stream)
{
    struct drv_context *context;
    const CUresult result = drv_stream_enter(handle, stream, &context);

    return result == CUDA_SUCCESS && (*stream)->role == DRV_STREAM_LEGACY ? CUDA_ERROR_INVALID_VALUE : result;
}

static bool is_order(CUmemcpySrcAccessOrder order)
{
    return order == CU_MEMCPY_SRC_ACCESS_ORDER_STREAM || order == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL ||
           order == CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
}

/* A source that must have been read when the call is back is waited for. */
static CUresult copy_one(struct drv_stream *stream, CUDA_MEMCPY3D_PEER *copy, CUmemcpySrcAccessOrder order)
{
    return order == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL && stream->capture == NULL
               ? drv_copy_blocking(stream, copy)
               : drv_copy_async(stream, copy);
}

/* --- between addresses ------------------------------------------------------------------------ */
/* Each set of attributes is for the copies from an index on. */
static bool is_sound(const CUmemcpyAttributes *attrs, const size_t *firsts, size_t n, size_t count)
{
    bool good = attrs != NULL && firsts != NULL && n != 0 && n <= count && firsts[0] == 0;

    for (size_t i = 0; i < n && good; i++) {
        good = is_order(attrs[i].srcAccessOrder) && attrs[i].flags <= CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE &&
               firsts[i] < count && (i == 0 || firsts[i] > firsts[i - 1]);
    }
    return good;
}

static CUresult batch(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count, CUmemcpyAttributes *attrs,
                      size_t *firsts, size_t n_attrs, size_t *failed, CUstream handle)
{
    struct drv_stream *stream;
    CUresult result = enter(handle, &stream);

    *failed = SIZE_MAX;
    if (result == CUDA_SUCCESS &&
        (dsts == NULL || srcs == NULL || sizes == NULL || count == 0 || !is_sound(attrs, firsts, n_attrs, count))) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        CUDA_MEMCPY3D_PEER copy = drv_copy_linear(dsts[i], srcs[i], sizes[i]);

        result = drv_copy_check(&copy);
        *failed = result == CUDA_SUCCESS ? SIZE_MAX : i;
    }
    for (size_t i = 0, at = 0; i < count && result == CUDA_SUCCESS; i++) {
        CUDA_MEMCPY3D_PEER copy = drv_copy_linear(dsts[i], srcs[i], sizes[i]);

        at += at + 1 < n_attrs && firsts[at + 1] == i;
        result = copy_one(stream, &copy, attrs[at].srcAccessOrder);
        *failed = result == CUDA_SUCCESS ? SIZE_MAX : i;
    }
    return result;
}

CUresult cuMemcpyBatchAsync(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                            CUmemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, CUstream hStream)
{
    size_t failed;

    return batch(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, &failed, drv_stream_given(hStream));
}

/* --- boxes ------------------------------------------------------------------------------------ */
/* Extents count elements: of the array that takes part, else bytes.  0: the operand has none, or they differ. */
static size_t element_bytes(const CUDA_MEMCPY3D_BATCH_OP *op)
{
    const CUmemcpy3DOperand *sides[] = {&op->src, &op->dst};
    size_t bytes = 0;

    for (int i = 0; i < 2; i++) {
        if (sides[i]->type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
            const struct drv_array *a = drv_array_of(sides[i]->op.array.array);
            const size_t own = a == NULL ? 0 : emu_texel_bytes(emu_array_shape(a->texels)->format);

            if (own == 0 || (bytes != 0 && own != bytes)) {
                return 0;
            }
            bytes = own;
        } else if (sides[i]->type != CU_MEMCPY_OPERAND_TYPE_POINTER) {
            return 0;
        }
    }
    return bytes == 0 ? 1 : bytes;
}

static bool describe(const CUDA_MEMCPY3D_BATCH_OP *op, CUDA_MEMCPY3D_PEER *c)
{
    const size_t bytes = element_bytes(op);

    if (bytes == 0 || op->extent.width == 0 || op->extent.height == 0 || op->extent.depth == 0 ||
        op->extent.width > SIZE_MAX / bytes || !is_order(op->srcAccessOrder) ||
        op->flags > CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE) {
        return false;
    }
    *c = (CUDA_MEMCPY3D_PEER){
        .WidthInBytes = op->extent.width * bytes, .Height = op->extent.height, .Depth = op->extent.depth};
    if (op->src.type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
        c->srcMemoryType = CU_MEMORYTYPE_ARRAY;
        c->srcArray = op->src.op.array.array;
        c->srcXInBytes = op->src.op.array.offset.x * bytes;
        c->srcY = op->src.op.array.offset.y;
        c->srcZ = op->src.op.array.offset.z;
    } else {
        c->srcMemoryType = CU_MEMORYTYPE_UNIFIED;
        c->srcDevice = op->src.op.ptr.ptr;
        c->srcPitch = op->src.op.ptr.rowLength * bytes;
        c->srcHeight = op->src.op.ptr.layerHeight;
    }
    if (op->dst.type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
        c->dstMemoryType = CU_MEMORYTYPE_ARRAY;
        c->dstArray = op->dst.op.array.array;
        c->dstXInBytes = op->dst.op.array.offset.x * bytes;
        c->dstY = op->dst.op.array.offset.y;
        c->dstZ = op->dst.op.array.offset.z;
    } else {
        c->dstMemoryType = CU_MEMORYTYPE_UNIFIED;
        c->dstDevice = op->dst.op.ptr.ptr;
        c->dstPitch = op->dst.op.ptr.rowLength * bytes;
        c->dstHeight = op->dst.op.ptr.layerHeight;
    }
    return true;
}

static CUresult boxes(size_t count, const CUDA_MEMCPY3D_BATCH_OP *ops, size_t *failed, unsigned long long flags,
                      CUstream handle)
{
    struct drv_stream *stream;
    CUDA_MEMCPY3D_PEER copy;
    CUresult result = enter(handle, &stream);

    *failed = SIZE_MAX;
    if (result == CUDA_SUCCESS && (ops == NULL || count == 0 || flags != 0)) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        result = describe(&ops[i], &copy) ? drv_copy_check(&copy) : CUDA_ERROR_INVALID_VALUE;
        *failed = result == CUDA_SUCCESS ? SIZE_MAX : i;
    }
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        describe(&ops[i], &copy);
        result = copy_one(stream, &copy, ops[i].srcAccessOrder);
        *failed = result == CUDA_SUCCESS ? SIZE_MAX : i;
    }
    return result;
}

CUresult cuMemcpy3DBatchAsync(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, unsigned long long flags, CUstream hStream)
{
    size_t failed;

    return boxes(numOps, opList, &failed, flags, drv_stream_given(hStream));
}

/* --- CUDA 12's -------------------------------------------------------------------------------- */
#undef cuMemcpyBatchAsync
#undef cuMemcpy3DBatchAsync
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cuMemcpyBatchAsync   cuMemcpyBatchAsync_ptsz
#define cuMemcpy3DBatchAsync cuMemcpy3DBatchAsync_ptsz
#endif

CUresult cuMemcpyBatchAsync(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                            CUmemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, size_t *failIdx,
                            CUstream hStream)
{
    return failIdx == NULL
               ? CUDA_ERROR_INVALID_VALUE
               : batch(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, failIdx, drv_stream_given(hStream));
}

CUresult cuMemcpy3DBatchAsync(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, size_t *failIdx, unsigned long long flags,
                              CUstream hStream)
{
    return failIdx == NULL ? CUDA_ERROR_INVALID_VALUE
                           : boxes(numOps, opList, failIdx, flags, drv_stream_given(hStream));
}
