/*
 * Sizes and places beyond counting are refused, not wrapped around to memory that somebody else has.
 */
#include "driver_check.h"

#include <limits.h>

enum { PITCH = 64, ROWS = 4, SLICES = 4, SLICE = PITCH * ROWS };

static CUDA_MEMCPY3D box(CUdeviceptr to, CUdeviceptr from)
{
    return (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                           .srcDevice = from,
                           .srcPitch = PITCH,
                           .srcHeight = ROWS,
                           .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                           .dstDevice = to,
                           .dstPitch = PITCH,
                           .dstHeight = ROWS,
                           .WidthInBytes = 16,
                           .Height = 2,
                           .Depth = 2};
}

static void copies(CUdeviceptr a, CUdeviceptr b)
{
    CUDA_MEMCPY3D c = box(a, b);

    OK(cuMemcpy3D(&c));
    c.srcZ = SIZE_MAX; /* a slice before the first */
    IS(cuMemcpy3D(&c), CUDA_ERROR_INVALID_VALUE);
    c = box(a, b);
    c.dstZ = SIZE_MAX;
    IS(cuMemcpy3D(&c), CUDA_ERROR_INVALID_VALUE);
    c = box(a, b);
    c.srcY = SIZE_MAX;
    IS(cuMemcpy3D(&c), CUDA_ERROR_INVALID_VALUE);
    c = box(a, b);
    c.dstXInBytes = SIZE_MAX - 7;
    IS(cuMemcpy3D(&c), CUDA_ERROR_INVALID_VALUE);
    c = box(a, b);
    c.srcHeight = SIZE_MAX / PITCH;
    IS(cuMemcpy3D(&c), CUDA_ERROR_INVALID_VALUE);
}

static void fills(CUdeviceptr a)
{
    IS(cuMemsetD32(a, 0, SIZE_MAX / 4 + 2), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemsetD2D8(a, SIZE_MAX / 2 + 1, 0, 1, 3), CUDA_ERROR_INVALID_VALUE);
}

static void textures(CUdeviceptr a)
{
    const CUDA_TEXTURE_DESC sampling = {0};
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_PITCH2D,
                            .res.pitch2D = {.devPtr = a,
                                            .format = CU_AD_FORMAT_UNSIGNED_INT8,
                                            .numChannels = 1,
                                            .width = 32,
                                            .height = 3,
                                            .pitchInBytes = 512}};
    CUtexObject texture;

    OK(cuTexObjectCreate(&texture, &r, &sampling, NULL));
    OK(cuTexObjectDestroy(texture));
    r.res.pitch2D.pitchInBytes = SIZE_MAX / 2 + 1; /* twice of it is nothing */
    IS(cuTexObjectCreate(&texture, &r, &sampling, NULL), CUDA_ERROR_INVALID_VALUE);
    r.res.pitch2D.pitchInBytes = 512;
    r.res.pitch2D.width = (size_t)UINT_MAX + 33;
    IS(cuTexObjectCreate(&texture, &r, &sampling, NULL), CUDA_ERROR_INVALID_VALUE);
}

int main(void)
{
    CUdeviceptr a, b;

    use_device();
    OK(cuMemAlloc(&a, 4096));
    OK(cuMemAlloc(&b, SLICE * SLICES));
    copies(a, b);
    fills(a);
    textures(a);
    OK(cuMemFree(a));
    OK(cuMemFree(b));
    return 0;
}
