/*
 * Managed memory on its way to where it is used, and contents that do not matter any more.  Compiled twice, see
 * stream.h.  All of it is one memory here: what remains is the order of the stream and what is remembered.
 */
#include "runtime/driver/advice.h"
#include "runtime/driver/stream.h"

/* Ranges, and locations each of which is for the ranges from an index on. */
struct batch {
    const CUdeviceptr *addresses;
    const size_t *sizes;
    size_t count;
    const CUmemLocation *locations; /* NULL: the memory stays where it is */
    const size_t *firsts;
    size_t n_locations;
};

static bool is_sound(const struct batch *b)
{
    bool good = b->addresses != NULL && b->sizes != NULL && b->count != 0;

    if (b->locations == NULL || !good) {
        return good && b->n_locations == 0;
    }
    good = b->firsts != NULL && b->n_locations != 0 && b->n_locations <= b->count && b->firsts[0] == 0;
    for (size_t i = 1; i < b->n_locations && good; i++) {
        good = b->firsts[i] > b->firsts[i - 1] && b->firsts[i] < b->count;
    }
    return good;
}

static CUresult check(const struct batch *b)
{
    CUresult result = is_sound(b) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;

    for (size_t i = 0; result == CUDA_SUCCESS && i < b->n_locations; i++) {
        CUmemLocation location = b->locations[i];

        result = drv_location_check(&location);
    }
    for (size_t i = 0; result == CUDA_SUCCESS && i < b->count; i++) {
        result = drv_advice_check_range(b->addresses[i], b->sizes[i]);
    }
    return result;
}

static CUresult remember(const struct batch *b)
{
    CUresult result = CUDA_SUCCESS;

    for (size_t i = 0, at = 0; result == CUDA_SUCCESS && b->locations != NULL && i < b->count; i++) {
        at += at + 1 < b->n_locations && b->firsts[at + 1] == i;
        CUmemLocation location = b->locations[at];

        drv_location_check(&location);
        result = drv_advice_prefetched(b->addresses[i], b->sizes[i], location);
    }
    return result;
}

static CUresult run(const struct batch *batch, unsigned long long flags, CUstream handle)
{
    struct drv_stream *stream;
    struct drv_context *context;
    CUresult result = drv_stream_enter(handle, &stream, &context);

    if (result == CUDA_SUCCESS) {
        result = flags != 0 ? CUDA_ERROR_INVALID_VALUE : check(batch);
    }
    if (result == CUDA_SUCCESS) {
        result = remember(batch);
    }
    return result != CUDA_SUCCESS ? result : drv_submit(stream, drv_empty_work());
}

CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags,
                            CUstream hStream)
{
    return run(&(struct batch){&devPtr, &count, 1, &location, &(size_t){0}, 1}, flags, drv_stream_given(hStream));
}

CUresult cuMemPrefetchBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, CUmemLocation *prefetchLocs,
                                 size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                 CUstream hStream)
{
    return prefetchLocs == NULL
               ? CUDA_ERROR_INVALID_VALUE
               : run(&(struct batch){dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs}, flags,
                     drv_stream_given(hStream));
}

CUresult cuMemDiscardBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, unsigned long long flags,
                                CUstream hStream)
{
    return run(&(struct batch){.addresses = dptrs, .sizes = sizes, .count = count}, flags, drv_stream_given(hStream));
}

CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, CUmemLocation *prefetchLocs,
                                           size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                           CUstream hStream)
{
    return cuMemPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, hStream);
}

/* --- before 12.2: devices for locations ------------------------------------------------------- */
#undef cuMemPrefetchAsync
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cuMemPrefetchAsync cuMemPrefetchAsync_ptsz
#endif

CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream)
{
    const CUmemLocation location = drv_location_of(dstDevice);

    return run(&(struct batch){&devPtr, &count, 1, &location, &(size_t){0}, 1}, 0, drv_stream_given(hStream));
}
