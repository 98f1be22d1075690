/*
 * Translation of copies to the driver's descriptions.
 *
 * Both APIs name the two ends of a copy alike but for types, so `struct end` holds one of them.  Only pure translation:
 * whether ranges exist and are large enough is the driver's to say.
 */
#include "copy.h"

#include "format.h"
#include "forward.h"

/* --- directions ------------------------------------------------------------------------------- */
bool crt_copy_sides(enum cudaMemcpyKind kind, CUmemorytype *source, CUmemorytype *destination)
{
    static const CUmemorytype SIDES[][2] = {
        [cudaMemcpyHostToHost] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_HOST},
        [cudaMemcpyHostToDevice] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE},
        [cudaMemcpyDeviceToHost] = {CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_HOST},
        [cudaMemcpyDeviceToDevice] = {CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_DEVICE},
        [cudaMemcpyDefault] = {CU_MEMORYTYPE_UNIFIED, CU_MEMORYTYPE_UNIFIED},
    };

    if ((unsigned)kind >= sizeof SIDES / sizeof SIDES[0]) {
        return false;
    }
    *source = SIDES[kind][0];
    *destination = SIDES[kind][1];
    return true;
}

bool crt_side_may_be_array(CUmemorytype side)
{
    return side == CU_MEMORYTYPE_DEVICE || side == CU_MEMORYTYPE_UNIFIED;
}

static enum cudaMemcpyKind kind_of_sides(CUmemorytype source, CUmemorytype destination)
{
    if (source == CU_MEMORYTYPE_UNIFIED || destination == CU_MEMORYTYPE_UNIFIED) {
        return cudaMemcpyDefault;
    }
    if (source == CU_MEMORYTYPE_HOST) {
        return destination == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
    }
    return destination == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

/* --- rows ------------------------------------------------------------------------------------- */
cudaError_t crt_copy_rows(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width_bytes, size_t height,
                          enum cudaMemcpyKind kind, CUDA_MEMCPY2D *copy)
{
    *copy = (CUDA_MEMCPY2D){
        .srcHost = src,
        .srcDevice = crt_address(src),
        .srcPitch = spitch,
        .dstHost = dst,
        .dstDevice = crt_address(dst),
        .dstPitch = dpitch,
        .WidthInBytes = width_bytes,
        .Height = height,
    };
    if (!crt_copy_sides(kind, &copy->srcMemoryType, &copy->dstMemoryType)) {
        return cudaErrorInvalidMemcpyDirection;
    }
    return width_bytes > spitch || width_bytes > dpitch ? cudaErrorInvalidPitchValue : cudaSuccess;
}

/* --- one end of a three-dimensional copy -------------------------------------------------------- */
struct end {
    CUmemorytype type;
    CUarray array; /* or */
    void *pointer;
    size_t element_bytes; /* in which x, and the extent, count */
    size_t x_bytes, y, z;
    size_t pitch_bytes, height;
};

static cudaError_t describe_end(cudaArray_t array, struct cudaPitchedPtr pointer, struct cudaPos position,
                                CUmemorytype side, struct end *end)
{
    CUresult result = CUDA_SUCCESS;

    if ((array != NULL) == (pointer.ptr != NULL)) {
        return cudaErrorInvalidValue;
    }
    *end = (struct end){.type = side, .element_bytes = 1, .y = position.y, .z = position.z};
    if (array == NULL) {
        end->pointer = pointer.ptr;
        end->pitch_bytes = pointer.pitch;
        end->height = pointer.ysize;
    } else {
        end->type = CU_MEMORYTYPE_ARRAY;
        end->array = crt_array(array);
        result = crt_array_element_bytes(array, &end->element_bytes);
    }
    end->x_bytes = position.x * end->element_bytes;
    return crt_error(result);
}

/* Rows that do not fit their pitch would overlap. */
static bool pitch_is_too_small(const struct end *end, size_t width_bytes)
{
    return end->type != CU_MEMORYTYPE_ARRAY && end->pitch_bytes != 0 && end->x_bytes + width_bytes > end->pitch_bytes;
}

/* Bytes of a row; both ends must count in the same elements if both are arrays. */
static cudaError_t row_bytes(const struct end *source, const struct end *destination, size_t elements, size_t *bytes)
{
    const bool both = source->type == CU_MEMORYTYPE_ARRAY && destination->type == CU_MEMORYTYPE_ARRAY;
    const size_t size = source->type == CU_MEMORYTYPE_ARRAY ? source->element_bytes : destination->element_bytes;

    if (both && source->element_bytes != destination->element_bytes) {
        return cudaErrorInvalidValue;
    }
    if (__builtin_mul_overflow(elements, size, bytes)) {
        return cudaErrorInvalidValue;
    }
    return pitch_is_too_small(source, *bytes) || pitch_is_too_small(destination, *bytes) ? cudaErrorInvalidPitchValue
                                                                                         : cudaSuccess;
}

/* Fill the members that CUDA_MEMCPY3D and CUDA_MEMCPY3D_PEER share. */
#define FILL_COPY(copy, source, destination, extent, width_bytes) \
    do {                                                          \
        (copy)->srcXInBytes = (source)->x_bytes;                  \
        (copy)->srcY = (source)->y;                               \
        (copy)->srcZ = (source)->z;                               \
        (copy)->srcMemoryType = (source)->type;                   \
        (copy)->srcHost = (source)->pointer;                      \
        (copy)->srcDevice = crt_address((source)->pointer);       \
        (copy)->srcArray = (source)->array;                       \
        (copy)->srcPitch = (source)->pitch_bytes;                 \
        (copy)->srcHeight = (source)->height;                     \
        (copy)->dstXInBytes = (destination)->x_bytes;             \
        (copy)->dstY = (destination)->y;                          \
        (copy)->dstZ = (destination)->z;                          \
        (copy)->dstMemoryType = (destination)->type;              \
        (copy)->dstHost = (destination)->pointer;                 \
        (copy)->dstDevice = crt_address((destination)->pointer);  \
        (copy)->dstArray = (destination)->array;                  \
        (copy)->dstPitch = (destination)->pitch_bytes;            \
        (copy)->dstHeight = (destination)->height;                \
        (copy)->WidthInBytes = (width_bytes);                     \
        (copy)->Height = (extent).height;                         \
        (copy)->Depth = (extent).depth;                           \
    } while (0)

cudaError_t crt_copy_3d(const struct cudaMemcpy3DParms *parms, CUDA_MEMCPY3D *copy)
{
    CUmemorytype from, to;
    struct end source, destination;
    size_t width_bytes = 0;
    cudaError_t error;

    if (parms == NULL) {
        return cudaErrorInvalidValue;
    }
    if (!crt_copy_sides(parms->kind, &from, &to)) {
        return cudaErrorInvalidMemcpyDirection;
    }
    if (parms->srcArray != NULL && !crt_side_may_be_array(from)) {
        return cudaErrorInvalidValue; /* an array that is written to may be said to be the host's, as on an H200 */
    }
    error = describe_end(parms->srcArray, parms->srcPtr, parms->srcPos, from, &source);
    if (error == cudaSuccess) {
        error = describe_end(parms->dstArray, parms->dstPtr, parms->dstPos, to, &destination);
    }
    if (error == cudaSuccess) {
        error = row_bytes(&source, &destination, parms->extent.width, &width_bytes);
    }
    if (error == cudaSuccess) {
        *copy = (CUDA_MEMCPY3D){0};
        FILL_COPY(copy, &source, &destination, parms->extent, width_bytes);
    }
    return error;
}

cudaError_t crt_copy_3d_peer(const struct cudaMemcpy3DPeerParms *parms, CUDA_MEMCPY3D_PEER *copy)
{
    struct end source, destination;
    size_t width_bytes = 0;
    cudaError_t error;

    if (parms == NULL) {
        return cudaErrorInvalidValue;
    }
    error = describe_end(parms->srcArray, parms->srcPtr, parms->srcPos, CU_MEMORYTYPE_DEVICE, &source);
    if (error == cudaSuccess) {
        error = describe_end(parms->dstArray, parms->dstPtr, parms->dstPos, CU_MEMORYTYPE_DEVICE, &destination);
    }
    if (error == cudaSuccess) {
        error = row_bytes(&source, &destination, parms->extent.width, &width_bytes);
    }
    if (error == cudaSuccess) {
        *copy = (CUDA_MEMCPY3D_PEER){0};
        FILL_COPY(copy, &source, &destination, parms->extent, width_bytes);
    }
    return error;
}

cudaError_t crt_copy_1d(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, CUDA_MEMCPY3D *copy)
{
    const struct cudaMemcpy3DParms parms = {
        .srcPtr = {.ptr = (void *)(uintptr_t)src, .pitch = count, .xsize = count, .ysize = 1},
        .dstPtr = {.ptr = dst, .pitch = count, .xsize = count, .ysize = 1},
        .extent = {.width = count, .height = 1, .depth = 1},
        .kind = kind,
    };

    return crt_copy_3d(&parms, copy);
}

/* --- back ------------------------------------------------------------------------------------- */
static size_t element_bytes_of(CUmemorytype type, CUarray array)
{
    size_t bytes = 1;

    if (type == CU_MEMORYTYPE_ARRAY && crt_array_element_bytes((cudaArray_const_t)array, &bytes) != CUDA_SUCCESS) {
        bytes = 1;
    }
    return bytes;
}

static struct cudaPitchedPtr pitched_pointer(CUmemorytype type, const void *host, CUdeviceptr device, size_t pitch,
                                             size_t width, size_t height)
{
    void *pointer = type == CU_MEMORYTYPE_HOST ? (void *)(uintptr_t)host : crt_pointer(device);

    if (type == CU_MEMORYTYPE_ARRAY) {
        return (struct cudaPitchedPtr){0};
    }
    return (struct cudaPitchedPtr){.ptr = pointer, .pitch = pitch, .xsize = width, .ysize = height};
}

void crt_parms_from_copy_3d(const CUDA_MEMCPY3D *copy, struct cudaMemcpy3DParms *parms)
{
    const size_t source_bytes = element_bytes_of(copy->srcMemoryType, copy->srcArray);
    const size_t destination_bytes = element_bytes_of(copy->dstMemoryType, copy->dstArray);
    const bool source_is_array = copy->srcMemoryType == CU_MEMORYTYPE_ARRAY;
    const bool destination_is_array = copy->dstMemoryType == CU_MEMORYTYPE_ARRAY;
    const size_t width_unit = source_is_array ? source_bytes : destination_bytes;

    *parms = (struct cudaMemcpy3DParms){
        .srcArray = source_is_array ? (cudaArray_t)copy->srcArray : NULL,
        .srcPos = {.x = copy->srcXInBytes / source_bytes, .y = copy->srcY, .z = copy->srcZ},
        .srcPtr = pitched_pointer(copy->srcMemoryType, copy->srcHost, copy->srcDevice, copy->srcPitch,
                                  copy->WidthInBytes, copy->srcHeight),
        .dstArray = destination_is_array ? (cudaArray_t)copy->dstArray : NULL,
        .dstPos = {.x = copy->dstXInBytes / destination_bytes, .y = copy->dstY, .z = copy->dstZ},
        .dstPtr = pitched_pointer(copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstPitch,
                                  copy->WidthInBytes, copy->dstHeight),
        .extent = {.width = copy->WidthInBytes / width_unit, .height = copy->Height, .depth = copy->Depth},
        .kind = kind_of_sides(copy->srcMemoryType, copy->dstMemoryType),
    };
}
