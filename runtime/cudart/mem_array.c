/*
 * Copies into, out of and between CUDA arrays.  (Compiled once for each meaning of stream 0.)
 *
 * Offsets and widths are bytes.  The forms without a height copy a run of bytes that goes on at the next row of the
 * array when it reaches the end of one; they are done as at most three rectangles: the rest of the first row, whole
 * rows, the beginning of the last.
 */
#include "copy.h"
#include "format.h"
#include "forward.h"

/* --- rectangles ------------------------------------------------------------------------------- */
/* An array and where in it the rectangle begins, for either end of a copy. */
static void set_array_source(CUDA_MEMCPY2D *copy, cudaArray_const_t array, size_t x_bytes, size_t y)
{
    copy->srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy->srcArray = crt_array(array);
    copy->srcXInBytes = x_bytes;
    copy->srcY = y;
}

static void set_array_destination(CUDA_MEMCPY2D *copy, cudaArray_t array, size_t x_bytes, size_t y)
{
    copy->dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy->dstArray = crt_array(array);
    copy->dstXInBytes = x_bytes;
    copy->dstY = y;
}

static cudaError_t rectangle_to_array(CUDA_MEMCPY2D *copy, cudaArray_t dst, size_t x_bytes, size_t y, const void *src,
                                      size_t spitch, enum cudaMemcpyKind kind)
{
    CUmemorytype array_side;

    *copy = (CUDA_MEMCPY2D){.srcHost = src, .srcDevice = crt_address(src), .srcPitch = spitch};
    if (!crt_copy_sides(kind, &copy->srcMemoryType, &array_side) || !crt_side_may_be_array(array_side)) {
        return cudaErrorInvalidMemcpyDirection;
    }
    set_array_destination(copy, dst, x_bytes, y);
    return cudaSuccess;
}

static cudaError_t rectangle_from_array(CUDA_MEMCPY2D *copy, void *dst, size_t dpitch, cudaArray_const_t src,
                                        size_t x_bytes, size_t y, enum cudaMemcpyKind kind)
{
    CUmemorytype array_side;

    *copy = (CUDA_MEMCPY2D){.dstHost = dst, .dstDevice = crt_address(dst), .dstPitch = dpitch};
    if (!crt_copy_sides(kind, &array_side, &copy->dstMemoryType) || !crt_side_may_be_array(array_side)) {
        return cudaErrorInvalidMemcpyDirection;
    }
    set_array_source(copy, src, x_bytes, y);
    return cudaSuccess;
}

static cudaError_t rectangle_between_arrays(CUDA_MEMCPY2D *copy, cudaArray_t dst, size_t dst_x_bytes, size_t dst_y,
                                            cudaArray_const_t src, size_t src_x_bytes, size_t src_y,
                                            enum cudaMemcpyKind kind)
{
    *copy = (CUDA_MEMCPY2D){0};
    set_array_source(copy, src, src_x_bytes, src_y);
    set_array_destination(copy, dst, dst_x_bytes, dst_y);
    return kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault ? cudaSuccess
                                                                         : cudaErrorInvalidMemcpyDirection;
}

static void set_size(CUDA_MEMCPY2D *copy, size_t width_bytes, size_t height)
{
    copy->WidthInBytes = width_bytes;
    copy->Height = height;
}

/* Streams that a blocking copy and an asynchronous one are made in. */
struct order {
    bool is_async;
    CUstream stream;
};

static CUresult copy_rectangle(const CUDA_MEMCPY2D *copy, struct order order)
{
    return order.is_async ? cuMemcpy2DAsync(copy, order.stream) : cuMemcpy2DUnaligned(copy);
}

static const struct order BLOCKING = {.is_async = false};

/* Rows in memory that do not fit their pitch would overlap. */
static cudaError_t copy_rows(CUDA_MEMCPY2D *copy, size_t pitch, size_t width_bytes, size_t height, struct order order)
{
    set_size(copy, width_bytes, height);
    return width_bytes > pitch ? crt_return(cudaErrorInvalidPitchValue) : CRT_CALL(copy_rectangle(copy, order));
}

cudaError_t CUDARTAPI cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                          size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY2D copy;
    cudaError_t error = rectangle_to_array(&copy, dst, wOffset, hOffset, src, spitch, kind);

    return error == cudaSuccess ? copy_rows(&copy, spitch, width, height, BLOCKING) : crt_return(error);
}

cudaError_t CUDARTAPI cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                               size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                                               cudaStream_t stream)
{
    const struct order order = {true, crt_stream(stream)};
    CUDA_MEMCPY2D copy;
    cudaError_t error = rectangle_to_array(&copy, dst, wOffset, hOffset, src, spitch, kind);

    return error == cudaSuccess ? copy_rows(&copy, spitch, width, height, order) : crt_return(error);
}

cudaError_t CUDARTAPI cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                            size_t hOffset, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY2D copy;
    cudaError_t error = rectangle_from_array(&copy, dst, dpitch, src, wOffset, hOffset, kind);

    return error == cudaSuccess ? copy_rows(&copy, dpitch, width, height, BLOCKING) : crt_return(error);
}

cudaError_t CUDARTAPI cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                                 size_t hOffset, size_t width, size_t height, enum cudaMemcpyKind kind,
                                                 cudaStream_t stream)
{
    const struct order order = {true, crt_stream(stream)};
    CUDA_MEMCPY2D copy;
    cudaError_t error = rectangle_from_array(&copy, dst, dpitch, src, wOffset, hOffset, kind);

    return error == cudaSuccess ? copy_rows(&copy, dpitch, width, height, order) : crt_return(error);
}

cudaError_t CUDARTAPI cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                               cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                               size_t width, size_t height, enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY2D copy;
    cudaError_t error = rectangle_between_arrays(&copy, dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, kind);

    set_size(&copy, width, height);
    return error == cudaSuccess ? CRT_CALL(cuMemcpy2DUnaligned(&copy)) : crt_return(error);
}

/* --- runs of bytes ---------------------------------------------------------------------------- */
/* Where a run stands in one array; only x and y move. */
struct place {
    size_t row_bytes; /* of the array; SIZE_MAX for memory that has no rows */
    size_t x_bytes, y;
};

/* The end of a row is the beginning of the next one. */
static void wrap(struct place *place)
{
    if (place->x_bytes == place->row_bytes) {
        place->x_bytes = 0;
        place->y++;
    }
}

static CUresult array_place(cudaArray_const_t array, size_t x_bytes, size_t y, struct place *place)
{
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    size_t element_bytes = 0;
    CUresult result = crt_array_descriptor(array, &descriptor);

    if (result == CUDA_SUCCESS) {
        result = crt_array_element_bytes(array, &element_bytes);
    }
    if (result == CUDA_SUCCESS) {
        *place = (struct place){descriptor.Width * element_bytes, x_bytes, y};
        result = x_bytes <= place->row_bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
        wrap(place);
    }
    return result;
}

static const struct place NO_ROWS = {.row_bytes = SIZE_MAX};

static void advance(struct place *place, size_t width_bytes, size_t height)
{
    if (place->row_bytes == SIZE_MAX) {
        return;
    }
    place->x_bytes += width_bytes;
    place->y += height - 1;
    wrap(place);
}

static size_t left_in_row(const struct place *place)
{
    return place->row_bytes - place->x_bytes;
}

/* Whole rows can go at once where both ends begin a row, and have rows of one length or none. */
static size_t whole_rows(const struct place *source, const struct place *destination, size_t width, size_t count)
{
    const bool aligned = source->x_bytes == 0 && destination->x_bytes == 0;
    const bool alike = source->row_bytes == SIZE_MAX || destination->row_bytes == SIZE_MAX ||
                       source->row_bytes == destination->row_bytes;

    return aligned && alike && count > width ? count / width : 1;
}

/*
 * Copy `count` bytes.  `copy` names both ends; what is not an array lies without gaps, so its address advances and its
 * pitch is the width.
 */
static CUresult copy_run(CUDA_MEMCPY2D copy, struct place source, struct place destination, size_t count,
                         struct order order)
{
    CUresult result = CUDA_SUCCESS;

    while (count > 0 && result == CUDA_SUCCESS) {
        size_t width =
            left_in_row(&source) < left_in_row(&destination) ? left_in_row(&source) : left_in_row(&destination);

        width = width < count ? width : count;
        const size_t height = whole_rows(&source, &destination, width, count);

        set_size(&copy, width, height);
        copy.srcXInBytes = source.x_bytes;
        copy.srcY = source.y;
        copy.dstXInBytes = destination.x_bytes;
        copy.dstY = destination.y;
        copy.srcPitch = copy.dstPitch = width;
        result = copy_rectangle(&copy, order);
        advance(&source, width, height);
        advance(&destination, width, height);
        copy.srcDevice += width * height;
        copy.srcHost = crt_pointer(copy.srcDevice);
        copy.dstDevice += width * height;
        copy.dstHost = crt_pointer(copy.dstDevice);
        count -= width * height;
    }
    return result;
}

static cudaError_t run_to_array(cudaArray_t dst, size_t x_bytes, size_t y, const void *src, size_t count,
                                enum cudaMemcpyKind kind, struct order order)
{
    CUDA_MEMCPY2D copy;
    struct place place;
    cudaError_t error = crt_begin();

    if (error != cudaSuccess) {
        return error;
    }
    error = rectangle_to_array(&copy, dst, x_bytes, y, src, 0, kind);
    if (error != cudaSuccess || count == 0) {
        return crt_return(error);
    }
    error = crt_error(array_place(dst, x_bytes, y, &place));
    return error == cudaSuccess ? crt_end(copy_run(copy, NO_ROWS, place, count, order)) : crt_return(error);
}

static cudaError_t run_from_array(void *dst, cudaArray_const_t src, size_t x_bytes, size_t y, size_t count,
                                  enum cudaMemcpyKind kind, struct order order)
{
    CUDA_MEMCPY2D copy;
    struct place place;
    cudaError_t error = crt_begin();

    if (error != cudaSuccess) {
        return error;
    }
    error = rectangle_from_array(&copy, dst, 0, src, x_bytes, y, kind);
    if (error != cudaSuccess || count == 0) {
        return crt_return(error);
    }
    error = crt_error(array_place(src, x_bytes, y, &place));
    return error == cudaSuccess ? crt_end(copy_run(copy, place, NO_ROWS, count, order)) : crt_return(error);
}

cudaError_t CUDARTAPI cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                                        enum cudaMemcpyKind kind)
{
    return run_to_array(dst, wOffset, hOffset, src, count, kind, BLOCKING);
}

cudaError_t CUDARTAPI cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                             size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return run_to_array(dst, wOffset, hOffset, src, count, kind, (struct order){true, crt_stream(stream)});
}

cudaError_t CUDARTAPI cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                          size_t count, enum cudaMemcpyKind kind)
{
    return run_from_array(dst, src, wOffset, hOffset, count, kind, BLOCKING);
}

cudaError_t CUDARTAPI cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                               size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return run_from_array(dst, src, wOffset, hOffset, count, kind, (struct order){true, crt_stream(stream)});
}

cudaError_t CUDARTAPI cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                             cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc, size_t count,
                                             enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY2D copy;
    struct place source, destination;
    cudaError_t error = crt_begin();

    if (error != cudaSuccess) {
        return error;
    }
    error = rectangle_between_arrays(&copy, dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, kind);
    if (error == cudaSuccess) {
        error = crt_error(array_place(src, wOffsetSrc, hOffsetSrc, &source));
    }
    if (error == cudaSuccess) {
        error = crt_error(array_place(dst, wOffsetDst, hOffsetDst, &destination));
    }
    return error == cudaSuccess ? crt_end(copy_run(copy, source, destination, count, BLOCKING)) : crt_return(error);
}
