/* CUDA arrays: formats, copies of every shape, mipmaps; texture and surface objects, and a kernel that reads one. */
#include "check.h"

#include <stdint.h>

static struct cudaChannelFormatDesc float_elements(void)
{
    return cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
}

/* --- formats ---------------------------------------------------------------------------------- */
static void formats_are_remembered(void)
{
    const struct cudaChannelFormatDesc formats[] = {
        {32, 0, 0, 0, cudaChannelFormatKindFloat},   {32, 32, 32, 32, cudaChannelFormatKindFloat},
        {16, 16, 0, 0, cudaChannelFormatKindFloat},  {8, 8, 8, 8, cudaChannelFormatKindUnsigned},
        {16, 0, 0, 0, cudaChannelFormatKindSigned},  {32, 32, 0, 0, cudaChannelFormatKindSigned},
        {8, 0, 0, 0, cudaChannelFormatKindUnsigned},
    };
    const struct cudaChannelFormatDesc wrong[] = {
        {32, 32, 32, 0, cudaChannelFormatKindFloat}, {8, 0, 0, 0, cudaChannelFormatKindFloat},
        {32, 16, 0, 0, cudaChannelFormatKindFloat},  {64, 0, 0, 0, cudaChannelFormatKindUnsigned},
        {8, 0, 8, 0, cudaChannelFormatKindUnsigned}, {0, 0, 0, 0, cudaChannelFormatKindNone},
    };
    cudaArray_t array = NULL;

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct cudaChannelFormatDesc desc = {0};
        struct cudaExtent size = {0};
        unsigned flags = 99;

        CHECK_OK(cudaMallocArray(&array, &formats[i], 10, i % 2 == 0 ? 0 : 4, cudaArraySurfaceLoadStore));
        CHECK_OK(cudaArrayGetInfo(&desc, &size, &flags, array));
        CHECK(memcmp(&desc, &formats[i], sizeof desc) == 0);
        CHECK_EQUAL(size.width, 10);
        CHECK_EQUAL(size.height, i % 2 == 0 ? 0 : 4);
        CHECK_EQUAL(size.depth, 0);
        CHECK_EQUAL(flags, cudaArraySurfaceLoadStore);
        CHECK_OK(cudaGetChannelDesc(&desc, array));
        CHECK(memcmp(&desc, &formats[i], sizeof desc) == 0);
        CHECK_OK(cudaFreeArray(array));
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK_CODE(cudaMallocArray(&array, &wrong[i], 10, 4, 0), cudaErrorInvalidChannelDescriptor);
    }
    CHECK_CODE(cudaMallocArray(&array, NULL, 10, 4, 0), cudaErrorInvalidValue);
    CHECK_OK(cudaFreeArray(NULL));
    CHECK_OK(cudaFreeMipmappedArray(NULL));
    cudaGetLastError();
}

/* --- copies ----------------------------------------------------------------------------------- */
enum { WIDTH = 9, HEIGHT = 5, CELLS = WIDTH * HEIGHT };

static void fill(float *cells)
{
    for (int i = 0; i < CELLS; i++) {
        cells[i] = (float)(i + 1);
    }
}

static void rectangles_go_in_and_out(void)
{
    const struct cudaChannelFormatDesc desc = float_elements();
    const size_t row = WIDTH * sizeof(float);
    cudaArray_t a = NULL, b = NULL;
    float in[CELLS], out[CELLS];

    fill(in);
    memset(out, 0, sizeof out);
    CHECK_OK(cudaMallocArray(&a, &desc, WIDTH, HEIGHT, 0));
    CHECK_OK(cudaMallocArray(&b, &desc, WIDTH, HEIGHT, 0));
    CHECK_OK(cudaMemcpy2DToArray(a, 0, 0, in, row, row, HEIGHT, cudaMemcpyHostToDevice));
    CHECK_OK(cudaMemcpy2DToArray(b, 0, 0, in, row, row, HEIGHT, cudaMemcpyDefault));
    /* Columns 2-4 of rows 1-2 of a to columns 5-7 of rows 3-4 of b. */
    CHECK_OK(cudaMemcpy2DArrayToArray(b, 5 * sizeof(float), 3, a, 2 * sizeof(float), 1, 3 * sizeof(float), 2,
                                      cudaMemcpyDeviceToDevice));
    CHECK_OK(cudaMemcpy2DFromArray(out, row, b, 0, 0, row, HEIGHT, cudaMemcpyDeviceToHost));
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const int moved = x >= 5 && x < 8 && y >= 3;

            CHECK(out[y * WIDTH + x] == in[moved ? (y - 2) * WIDTH + x - 3 : y * WIDTH + x]);
        }
    }
    CHECK_CODE(cudaMemcpy2DToArray(a, 0, 0, in, row, row, HEIGHT, cudaMemcpyDeviceToHost),
               cudaErrorInvalidMemcpyDirection);
    CHECK_CODE(cudaMemcpy2DFromArray(out, row, a, 0, 0, row, HEIGHT, cudaMemcpyHostToDevice),
               cudaErrorInvalidMemcpyDirection);
    CHECK_CODE(cudaMemcpy2DToArray(a, 0, 0, in, 8, row, HEIGHT, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    CHECK_CODE(cudaMemcpy2DToArray(a, 4, 0, in, row, row, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    CHECK_CODE(cudaMemcpy2DToArray(a, 0, 1, in, row, row, HEIGHT, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK_OK(cudaFreeArray(a));
    CHECK_OK(cudaFreeArray(b));
}

/* A run of bytes that begins and ends inside of rows goes on from row to row. */
static void runs_wrap_at_the_end_of_rows(void)
{
    const struct cudaChannelFormatDesc desc = float_elements();
    const size_t row = WIDTH * sizeof(float);
    cudaArray_t a = NULL, wide = NULL;
    float in[CELLS], out[CELLS], zero[2 * CELLS] = {0};

    fill(in);
    CHECK_OK(cudaMallocArray(&a, &desc, WIDTH, HEIGHT, 0));
    for (int start = 0; start < CELLS; start += 4) {
        for (int count = 1; start + count <= CELLS; count += 5) {
            const size_t x = (size_t)(start % WIDTH) * sizeof(float), y = (size_t)(start / WIDTH);

            CHECK_OK(cudaMemcpyToArray(a, 0, 0, zero, sizeof in, cudaMemcpyHostToDevice));
            CHECK_OK(cudaMemcpyToArray(a, x, y, in, (size_t)count * sizeof(float), cudaMemcpyHostToDevice));
            CHECK_OK(cudaMemcpy2DFromArray(out, row, a, 0, 0, row, HEIGHT, cudaMemcpyDeviceToHost));
            for (int i = 0; i < CELLS; i++) {
                CHECK(out[i] == (i >= start && i < start + count ? in[i - start] : 0));
            }
            memset(out, 0, sizeof out);
            CHECK_OK(cudaMemcpyFromArray(out, a, x, y, (size_t)count * sizeof(float), cudaMemcpyDeviceToHost));
            CHECK(memcmp(out, in, (size_t)count * sizeof(float)) == 0 && (count == CELLS || out[count] == 0));
        }
    }
    /* Between arrays with rows of other lengths. */
    CHECK_OK(cudaMallocArray(&wide, &desc, 2 * WIDTH - 1, HEIGHT, 0));
    CHECK_OK(cudaMemcpyToArray(a, 0, 0, in, sizeof in, cudaMemcpyHostToDevice));
    CHECK_OK(cudaMemcpyArrayToArray(wide, 3 * sizeof(float), 1, a, sizeof(float), 0, (CELLS - 1) * sizeof(float),
                                    cudaMemcpyDeviceToDevice));
    CHECK_OK(cudaMemcpyFromArray(out, wide, 3 * sizeof(float), 1, (CELLS - 1) * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(memcmp(out, in + 1, (CELLS - 1) * sizeof(float)) == 0);
    /* As on an H200: the end of a row is the beginning of the next one. */
    CHECK_OK(cudaMemcpyToArray(a, row, 0, in + 3, 4, cudaMemcpyHostToDevice));
    CHECK_OK(cudaMemcpyFromArray(out, a, 0, 1, 4, cudaMemcpyDeviceToHost));
    CHECK(out[0] == in[3]);
    CHECK_CODE(cudaMemcpyToArray(a, 0, HEIGHT - 1, in, row + 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    CHECK_CODE(cudaMemcpyArrayToArray(wide, 0, 0, a, 0, 0, 4, cudaMemcpyHostToDevice), cudaErrorInvalidMemcpyDirection);
    cudaGetLastError();
    CHECK_OK(cudaFreeArray(a));
    CHECK_OK(cudaFreeArray(wide));
}

/* Positions and extents count elements as soon as an array takes part. */
static void boxes_count_elements(void)
{
    enum { W = 6, H = 4, D = 3 };
    const struct cudaChannelFormatDesc desc = cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindUnsigned);
    struct cudaExtent volume = {.width = W, .height = H, .depth = D}, size;
    struct cudaMemcpy3DParms copy = {0};
    uint32_t in[W * H * D], out[W * H * D];
    cudaArray_t array = NULL;

    for (uint32_t i = 0; i < W * H * D; i++) {
        in[i] = i * 65537u + 1;
    }
    memset(out, 0, sizeof out);
    CHECK_OK(cudaMalloc3DArray(&array, &desc, volume, 0));
    CHECK_OK(cudaArrayGetInfo(NULL, &size, NULL, array));
    CHECK_EQUAL(size.depth, D);
    copy.srcPtr = (struct cudaPitchedPtr){.ptr = in, .pitch = W * 4, .xsize = W, .ysize = H};
    copy.dstArray = array;
    copy.extent = volume;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK_OK(cudaMemcpy3D(&copy));
    copy = (struct cudaMemcpy3DParms){.srcArray = array, .kind = cudaMemcpyDeviceToHost};
    copy.srcPos = (struct cudaPos){.x = 2, .y = 1, .z = 1};
    copy.dstPtr = (struct cudaPitchedPtr){.ptr = out, .pitch = W * 4, .xsize = W, .ysize = H};
    copy.extent = (struct cudaExtent){.width = 3, .height = 2, .depth = 2};
    CHECK_OK(cudaMemcpy3D(&copy));
    for (int z = 0; z < D; z++) {
        for (int y = 0; y < H; y++) {
            for (int x = 0; x < W; x++) {
                const int is_in = x < 3 && y < 2 && z < 2;

                CHECK_EQUAL(out[(z * H + y) * W + x], is_in ? in[((z + 1) * H + y + 1) * W + x + 2] : 0);
            }
        }
    }
    copy.kind = cudaMemcpyHostToHost;
    CHECK_CODE(cudaMemcpy3D(&copy), cudaErrorInvalidValue); /* as on an H200 */

    /* From slice to slice inside of the array. */
    copy = (struct cudaMemcpy3DParms){.srcArray = array, .dstArray = array, .kind = cudaMemcpyDeviceToDevice};
    copy.srcPos = (struct cudaPos){.x = 1, .z = 2};
    copy.extent = (struct cudaExtent){.width = 4, .height = H, .depth = 1};
    CHECK_OK(cudaMemcpy3DAsync(&copy, cudaStreamPerThread));
    CHECK_OK(cudaStreamSynchronize(cudaStreamPerThread));
    copy = (struct cudaMemcpy3DParms){.srcArray = array, .extent = volume, .kind = cudaMemcpyDefault};
    copy.dstPtr = (struct cudaPitchedPtr){.ptr = out, .pitch = W * 4, .xsize = W, .ysize = H};
    CHECK_OK(cudaMemcpy3D(&copy));
    for (int i = 0; i < W * H; i++) {
        CHECK_EQUAL(out[i], i % W < 4 ? in[2 * W * H + i + 1] : in[i]);
    }
    cudaGetLastError();
    CHECK_OK(cudaFreeArray(array));
}

static void mipmaps_have_levels(void)
{
    const struct cudaChannelFormatDesc desc = float_elements();
    struct cudaExtent size = {.width = 16, .height = 8};
    cudaMipmappedArray_t mipmaps = NULL;
    cudaArray_t level = NULL;

    CHECK_OK(cudaMallocMipmappedArray(&mipmaps, &desc, size, 4, 0));
    CHECK_OK(cudaGetMipmappedArrayLevel(&level, mipmaps, 2));
    CHECK_OK(cudaArrayGetInfo(NULL, &size, NULL, level));
    CHECK_EQUAL(size.width, 4);
    CHECK_EQUAL(size.height, 2);
    CHECK_CODE(cudaGetMipmappedArrayLevel(&level, mipmaps, 4), cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK_OK(cudaFreeMipmappedArray(mipmaps));
}

/* --- textures --------------------------------------------------------------------------------- */
/* out[y * 9 + x] = texture(x, y) for one CTA of 9 x 5 threads. */
static const char fetch_ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry fetch(.param .u64 out, .param .u64 texture)\n"
    "{\n"
    "    .reg .b32 %r<5>;\n    .reg .b64 %rd<5>;\n    .reg .f32 %f<7>;\n"
    "    ld.param.u64 %rd1, [out];\n    ld.param.u64 %rd2, [texture];\n"
    "    mov.u32 %r1, %tid.x;\n    mov.u32 %r2, %tid.y;\n"
    "    cvt.rn.f32.u32 %f5, %r1;\n    cvt.rn.f32.u32 %f6, %r2;\n"
    "    add.f32 %f5, %f5, 0f3F000000;\n    add.f32 %f6, %f6, 0f3F000000;\n"
    "    tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, {%f5, %f6}];\n"
    "    mad.lo.s32 %r3, %r2, 9, %r1;\n    mul.wide.u32 %rd3, %r3, 4;\n    add.s64 %rd4, %rd1, %rd3;\n"
    "    st.global.f32 [%rd4], %f1;\n    ret;\n"
    "}\n";

static void a_kernel_reads_a_texture(void)
{
    const struct cudaChannelFormatDesc desc = float_elements();
    const size_t row = WIDTH * sizeof(float);
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
    struct cudaTextureDesc texture = {.readMode = cudaReadModeElementType, .filterMode = cudaFilterModePoint};
    cudaTextureObject_t object = 0;
    cudaLibrary_t library = NULL;
    float in[CELLS], out[CELLS];
    float *device = NULL;

    fill(in);
    texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
    CHECK_OK(cudaMallocArray(&resource.res.array.array, &desc, WIDTH, HEIGHT, 0));
    CHECK_OK(cudaMemcpy2DToArray(resource.res.array.array, 0, 0, in, row, row, HEIGHT, cudaMemcpyHostToDevice));
    CHECK_OK(cudaCreateTextureObject(&object, &resource, &texture, NULL));
    CHECK_OK(cudaMalloc((void **)&device, sizeof out));
    CHECK_OK(cudaLibraryLoadData(&library, fetch_ptx, NULL, NULL, 0, NULL, NULL, 0));
    CHECK_OK(cudaLaunchKernel(kernel_of(library, "fetch"), extent(1, 1, 1), extent(WIDTH, HEIGHT, 1),
                              (void *[]){&device, &object}, 0, NULL));
    CHECK_OK(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(memcmp(in, out, sizeof out) == 0);
    CHECK_OK(cudaDestroyTextureObject(object));
    CHECK_OK(cudaFreeArray(resource.res.array.array));
    CHECK_OK(cudaFree(device));
    CHECK_OK(cudaLibraryUnload(library));
}

static void texture_objects_know_their_descriptions(void)
{
    struct cudaResourceDesc resource = {.resType = cudaResourceTypePitch2D}, resource_back;
    struct cudaTextureDesc texture = {.readMode = cudaReadModeNormalizedFloat, .filterMode = cudaFilterModeLinear},
                           texture_back;
    cudaTextureObject_t object = 0;
    void *device = NULL;
    size_t pitch = 0;

    CHECK_OK(cudaMallocPitch(&device, &pitch, 64, 16));
    resource.res.pitch2D.devPtr = device;
    resource.res.pitch2D.desc = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
    resource.res.pitch2D.width = 16;
    resource.res.pitch2D.height = 16;
    resource.res.pitch2D.pitchInBytes = pitch;
    texture.addressMode[0] = texture.addressMode[1] = texture.addressMode[2] = cudaAddressModeMirror;
    texture.normalizedCoords = 1;
    texture.sRGB = 1;
    texture.borderColor[2] = 0.25f;
    texture.maxAnisotropy = 4;
    CHECK_OK(cudaCreateTextureObject(&object, &resource, &texture, NULL));
    CHECK_OK(cudaGetTextureObjectResourceDesc(&resource_back, object));
    CHECK_EQUAL(resource_back.resType, cudaResourceTypePitch2D);
    CHECK(resource_back.res.pitch2D.devPtr == device);
    CHECK_EQUAL(resource_back.res.pitch2D.pitchInBytes, pitch);
    CHECK(memcmp(&resource_back.res.pitch2D.desc, &resource.res.pitch2D.desc, sizeof resource.res.pitch2D.desc) == 0);
    CHECK_OK(cudaGetTextureObjectTextureDesc(&texture_back, object));
    memcpy(texture_back.borderColor, texture.borderColor, sizeof texture.borderColor); /* an H200 leaves it out */
    CHECK(memcmp(&texture_back, &texture, sizeof texture) == 0);
    CHECK_OK(cudaDestroyTextureObject(object));

    texture.readMode = cudaReadModeElementType; /* integers are not filtered */
    CHECK_CODE(cudaCreateTextureObject(&object, &resource, &texture, NULL), cudaErrorInvalidFilterSetting);
    texture.readMode = cudaReadModeNormalizedFloat; /* nor wide ones, which are no fractions either */
    resource.res.pitch2D.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
    CHECK_CODE(cudaCreateTextureObject(&object, &resource, &texture, NULL), cudaErrorInvalidFilterSetting);
    texture.filterMode = cudaFilterModePoint;
    CHECK_CODE(cudaCreateTextureObject(&object, &resource, &texture, NULL), cudaErrorInvalidNormSetting);
    texture.readMode = cudaReadModeElementType;
    CHECK_CODE(cudaCreateTextureObject(NULL, &resource, &texture, NULL), cudaErrorInvalidValue);
    CHECK_CODE(cudaCreateTextureObject(&object, NULL, &texture, NULL), cudaErrorInvalidValue);
    resource.resType = (enum cudaResourceType)77;
    CHECK_CODE(cudaCreateTextureObject(&object, &resource, &texture, NULL), cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK_OK(cudaFree(device));
}

static void surface_objects_belong_to_arrays(void)
{
    const struct cudaChannelFormatDesc desc = float_elements();
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray}, back;
    cudaSurfaceObject_t object = 0;

    CHECK_OK(cudaMallocArray(&resource.res.array.array, &desc, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
    CHECK_OK(cudaCreateSurfaceObject(&object, &resource));
    CHECK_OK(cudaGetSurfaceObjectResourceDesc(&back, object));
    CHECK(back.resType == cudaResourceTypeArray && back.res.array.array == resource.res.array.array);
    CHECK_OK(cudaDestroySurfaceObject(object));
    CHECK_OK(cudaFreeArray(resource.res.array.array));
}

int main(void)
{
    formats_are_remembered();
    rectangles_go_in_and_out();
    runs_wrap_at_the_end_of_rows();
    boxes_count_elements();
    mipmaps_have_levels();
    a_kernel_reads_a_texture();
    texture_objects_know_their_descriptions();
    surface_objects_belong_to_arrays();
    CHECK_OK(cudaGetLastError());
    return 0;
}
