/* Linear memory: allocations of every kind and their edge cases, copies in every direction and shape, fills, queries.
 */
#include "newest.h"

#include <stdint.h>

enum { COUNT = 5000 };

static unsigned char pattern(size_t i)
{
    return (unsigned char)(i * 7 + i / 256 + 3);
}

static void fill(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bytes[i] = pattern(i);
    }
}

/* --- allocation ------------------------------------------------------------------------------- */
static void nothing_may_be_allocated_and_freed(void)
{
    void *pointer = &pointer;
    size_t pitch = 1;

    CHECK_OK(cudaFree(NULL));
    CHECK_OK(cudaFreeHost(NULL));
    CHECK_OK(cudaMalloc(&pointer, 0));
    CHECK(pointer == NULL);
    pointer = &pointer;
    CHECK_OK(cudaMallocHost(&pointer, 0));
    CHECK(pointer == NULL);
    CHECK_OK(cudaMallocPitch(&pointer, &pitch, 0, 4));
    pointer = &pointer;
    CHECK_OK(cudaMallocManaged(&pointer, 0, cudaMemAttachGlobal)); /* the manual says it is an error; a GPU does not */
    CHECK(pointer == NULL);
    CHECK_CODE(cudaMalloc(NULL, 4), cudaErrorInvalidValue);
    CHECK_CODE(cudaMalloc(&pointer, (size_t)1 << 60), cudaErrorMemoryAllocation);
    CHECK_CODE(cudaGetLastError(), cudaErrorMemoryAllocation);
    CHECK_OK(cudaGetLastError());
}

static void wrong_pointers_are_not_freed(void)
{
    char *device = NULL, *host = NULL;
    int local = 0;

    CHECK_OK(cudaMalloc((void **)&device, 1000));
    CHECK_OK(cudaMallocHost((void **)&host, 1000));
    CHECK_CODE(cudaFree(device + 8), cudaErrorInvalidValue);
    CHECK_CODE(cudaFree(&local), cudaErrorInvalidValue);
    CHECK_CODE(cudaFreeHost(&local), cudaErrorInvalidValue);
    CHECK_OK(cudaFree(device));
    CHECK_CODE(cudaFree(device), cudaErrorInvalidValue);
    CHECK_OK(cudaFreeHost(host));
    cudaGetLastError();
}

static void free_memory_is_counted(void)
{
    size_t before = 0, during = 0, after = 0, total = 0;
    void *device = NULL;
    const size_t size = 64u << 20;

    CHECK_OK(cudaMemGetInfo(&before, &total));
    CHECK(before > 0 && before <= total);
    CHECK_OK(cudaMalloc(&device, size));
    CHECK_OK(cudaMemGetInfo(&during, NULL));
    CHECK(before - during >= size);
    CHECK_OK(cudaFree(device));
    CHECK_OK(cudaMemGetInfo(&after, &total));
    CHECK_EQUAL(after, before);
}

/* --- copies ----------------------------------------------------------------------------------- */
static void copies_in_every_direction(void)
{
    unsigned char in[COUNT], out[COUNT];
    unsigned char *a = NULL, *b = NULL, *pinned = NULL;

    fill(in, COUNT);
    CHECK_OK(cudaMalloc((void **)&a, COUNT));
    CHECK_OK(cudaMalloc((void **)&b, COUNT));
    CHECK_OK(cudaHostAlloc((void **)&pinned, COUNT, cudaHostAllocDefault));
    CHECK_OK(cudaMemcpy(a, in, COUNT, cudaMemcpyHostToDevice));
    CHECK_OK(cudaMemcpy(b, a, COUNT, cudaMemcpyDeviceToDevice));
    CHECK_OK(cudaMemcpy(pinned, b, COUNT, cudaMemcpyDeviceToHost));
    CHECK_OK(cudaMemcpy(out, pinned, COUNT, cudaMemcpyHostToHost));
    CHECK(memcmp(in, out, COUNT) == 0);

    memset(out, 0, COUNT);
    CHECK_OK(cudaMemset(a, 0x5a, COUNT));
    CHECK_OK(cudaMemcpy(a + 1, in, COUNT - 1, cudaMemcpyDefault));
    CHECK_OK(cudaMemcpy(b, a, COUNT, cudaMemcpyDefault));
    CHECK_OK(cudaMemcpy(out, b, COUNT, cudaMemcpyDefault));
    CHECK_EQUAL(out[0], 0x5a);
    CHECK(memcmp(out + 1, in, COUNT - 1) == 0);

    CHECK_OK(cudaMemcpy(a, in, 0, cudaMemcpyHostToDevice));
    CHECK_CODE(cudaMemcpy(a, in, 4, (enum cudaMemcpyKind)5), cudaErrorInvalidMemcpyDirection);
    CHECK_CODE(cudaMemcpy(a, in, 4, (enum cudaMemcpyKind) - 1), cudaErrorInvalidMemcpyDirection);
    CHECK_CODE(cudaMemcpy(in, out, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    CHECK_CODE(cudaMemcpy(in, out, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    CHECK_CODE(cudaMemcpy(a, in, COUNT + 4096, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK_OK(cudaFree(a));
    CHECK_OK(cudaFree(b));
    CHECK_OK(cudaFreeHost(pinned));
}

/* A window of a host matrix to pitched device memory and back to another place. */
static void copies_of_rows(void)
{
    enum { WIDTH = 37, HEIGHT = 11, HOST_PITCH = 64 };
    unsigned char in[HOST_PITCH * HEIGHT], out[HOST_PITCH * HEIGHT];
    unsigned char *device = NULL;
    size_t pitch = 0;

    fill(in, sizeof in);
    memset(out, 0xee, sizeof out);
    CHECK_OK(cudaMallocPitch((void **)&device, &pitch, WIDTH, HEIGHT));
    CHECK(pitch >= WIDTH && pitch % 32 == 0);
    CHECK_OK(cudaMemset2D(device, pitch, 1, WIDTH, HEIGHT));
    CHECK_OK(cudaMemcpy2D(device, pitch, in, HOST_PITCH, WIDTH - 1, HEIGHT - 1, cudaMemcpyHostToDevice));
    CHECK_OK(cudaMemcpy2DAsync(out, HOST_PITCH, device, pitch, WIDTH, HEIGHT, cudaMemcpyDeviceToHost, NULL));
    CHECK_OK(cudaStreamSynchronize(NULL));
    for (size_t y = 0; y < HEIGHT; y++) {
        for (size_t x = 0; x < HOST_PITCH; x++) {
            const size_t i = y * HOST_PITCH + x;
            const int was_copied = x < WIDTH - 1 && y < HEIGHT - 1;

            CHECK_EQUAL(out[i], x >= WIDTH ? 0xee : was_copied ? pattern(i) : 1);
        }
    }
    CHECK_CODE(cudaMemcpy2D(device, pitch, in, 8, WIDTH, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    CHECK_CODE(cudaMemcpy2D(device, 8, in, HOST_PITCH, WIDTH, 2, cudaMemcpyDefault), cudaErrorInvalidPitchValue);
    CHECK_CODE(cudaMemcpy2D(device, pitch, in, HOST_PITCH, 1, 1, (enum cudaMemcpyKind)9),
               cudaErrorInvalidMemcpyDirection);
    cudaGetLastError();
    CHECK_OK(cudaFree(device));
}

/* A box inside of a padded volume: positions, pitches and slices that are not adjacent. */
static void copies_and_fills_of_boxes(void)
{
    enum { WIDTH = 20, HEIGHT = 6, DEPTH = 4 };
    unsigned char in[WIDTH * HEIGHT * DEPTH], out[WIDTH * HEIGHT * DEPTH];
    struct cudaExtent volume = {.width = WIDTH, .height = HEIGHT, .depth = DEPTH};
    struct cudaMemcpy3DParms copy = {0};
    struct cudaPitchedPtr device;

    fill(in, sizeof in);
    memset(out, 0xee, sizeof out);
    CHECK_OK(cudaMalloc3D(&device, volume));
    CHECK_EQUAL(device.xsize, WIDTH);
    CHECK_EQUAL(device.ysize, HEIGHT);
    CHECK_OK(cudaMemset3D(device, 0x11, volume));
    CHECK_OK(cudaMemset3D(device, 0x22, (struct cudaExtent){.width = 5, .height = 2, .depth = 3}));

    copy.srcPtr = (struct cudaPitchedPtr){.ptr = in, .pitch = WIDTH, .xsize = WIDTH, .ysize = HEIGHT};
    copy.srcPos = (struct cudaPos){.x = 1, .y = 1, .z = 1};
    copy.dstPtr = device;
    copy.dstPos = (struct cudaPos){.x = 3, .y = 2, .z = 1};
    copy.extent = (struct cudaExtent){.width = 7, .height = 3, .depth = 2};
    copy.kind = cudaMemcpyHostToDevice;
    CHECK_OK(cudaMemcpy3D(&copy));

    copy = (struct cudaMemcpy3DParms){.srcPtr = device, .extent = volume, .kind = cudaMemcpyDeviceToHost};
    copy.dstPtr = (struct cudaPitchedPtr){.ptr = out, .pitch = WIDTH, .xsize = WIDTH, .ysize = HEIGHT};
    CHECK_OK(cudaMemcpy3DAsync(&copy, NULL));
    CHECK_OK(cudaDeviceSynchronize());
    for (int z = 0; z < DEPTH; z++) {
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                const int is_copied = x >= 3 && x < 10 && y >= 2 && y < 5 && z >= 1 && z < 3;
                const int is_filled = x < 5 && y < 2 && z < 3;
                const int source = (z * HEIGHT + y - 1) * WIDTH + x - 2;

                CHECK_EQUAL(out[(z * HEIGHT + y) * WIDTH + x], is_copied   ? pattern((size_t)source)
                                                               : is_filled ? 0x22
                                                                           : 0x11);
            }
        }
    }
    copy.dstPtr.ptr = NULL;
    CHECK_CODE(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
    CHECK_CODE(cudaMemcpy3D(NULL), cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK_OK(cudaFree(device.ptr));
}

/* The memory that an asynchronous copy reads may be changed once the call is back, unless it is pinned. */
static void pageable_memory_may_be_reused_after_the_call(void)
{
    unsigned char *host = malloc(COUNT), *out = malloc(COUNT);
    unsigned char *device = NULL;
    cudaStream_t stream = NULL;

    fill(host, COUNT);
    CHECK_OK(cudaStreamCreate(&stream));
    CHECK_OK(cudaMalloc((void **)&device, COUNT));
    CHECK_OK(cudaMemcpyAsync(device, host, COUNT, cudaMemcpyHostToDevice, stream));
    memset(host, 0, COUNT);
    CHECK_OK(cudaMemcpyAsync(out, device, COUNT, cudaMemcpyDeviceToHost, stream));
    CHECK_OK(cudaStreamSynchronize(stream));
    for (size_t i = 0; i < COUNT; i++) {
        CHECK_EQUAL(out[i], pattern(i));
    }
    CHECK_OK(cudaStreamDestroy(stream));
    CHECK_OK(cudaFree(device));
    free(host);
    free(out);
}

static void copies_between_devices_by_number(void)
{
    unsigned char in[100], out[100];
    unsigned char *a = NULL, *b = NULL;

    fill(in, sizeof in);
    CHECK_OK(cudaMalloc((void **)&a, sizeof in));
    CHECK_OK(cudaMalloc((void **)&b, sizeof in));
    CHECK_OK(cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice));
    CHECK_OK(cudaMemcpyPeer(b, 0, a, 0, sizeof in));
    CHECK_OK(cudaMemcpy(out, b, sizeof in, cudaMemcpyDeviceToHost));
    CHECK(memcmp(in, out, sizeof in) == 0);
    CHECK_CODE(cudaMemcpyPeer(b, 1000, a, 0, 4), cudaErrorInvalidDevice);
    CHECK_CODE(cudaMemcpyPeerAsync(b, 0, a, -1, 4, NULL), cudaErrorInvalidDevice);
    cudaGetLastError();
    CHECK_OK(cudaFree(a));
    CHECK_OK(cudaFree(b));
}

static void copies_between_two_devices(void)
{
    unsigned char in[12 * 5], out[12 * 5] = {0};
    unsigned char *there = NULL, *here = NULL;
    struct cudaMemcpy3DPeerParms copy = {0};
    int count = 0;

    CHECK_OK(cudaGetDeviceCount(&count));
    if (count < 2) {
        return;
    }
    fill(in, sizeof in);
    CHECK_OK(cudaMalloc((void **)&here, sizeof in));
    CHECK_OK(cudaSetDevice(1));
    CHECK_OK(cudaMalloc((void **)&there, sizeof in));
    CHECK_OK(cudaSetDevice(0));
    CHECK_OK(cudaMemcpy(here, in, sizeof in, cudaMemcpyHostToDevice));
    copy.srcPtr = (struct cudaPitchedPtr){.ptr = here, .pitch = 12, .xsize = 12, .ysize = 5};
    copy.dstPtr = (struct cudaPitchedPtr){.ptr = there, .pitch = 12, .xsize = 12, .ysize = 5};
    copy.extent = (struct cudaExtent){.width = 12, .height = 5, .depth = 1};
    copy.dstDevice = 1;
    CHECK_OK(cudaMemcpy3DPeer(&copy));
    CHECK_OK(cudaMemset(here, 0, sizeof in));
    CHECK_OK(cudaMemcpyPeerAsync(here, 0, there, 1, sizeof in, NULL));
    CHECK_OK(cudaMemcpy(out, here, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(memcmp(in, out, sizeof in) == 0);
    CHECK_OK(cudaFree(here));
    CHECK_OK(cudaFree(there));
}

/* --- queries ---------------------------------------------------------------------------------- */
static void pointers_know_what_they_are(void)
{
    struct cudaPointerAttributes attributes;
    char *device = NULL, *pinned = NULL, *managed = NULL;
    int local = 0;

    CHECK_OK(cudaMalloc((void **)&device, 256));
    CHECK_OK(cudaPointerGetAttributes(&attributes, device + 10));
    CHECK_EQUAL(attributes.type, cudaMemoryTypeDevice);
    CHECK_EQUAL(attributes.device, 0);
    CHECK(attributes.devicePointer == device + 10 && attributes.hostPointer == NULL);

    CHECK_OK(cudaHostAlloc((void **)&pinned, 256, cudaHostAllocMapped));
    CHECK_OK(cudaPointerGetAttributes(&attributes, pinned));
    CHECK_EQUAL(attributes.type, cudaMemoryTypeHost);
    CHECK(attributes.hostPointer == pinned && attributes.devicePointer != NULL);

    CHECK_OK(cudaMallocManaged((void **)&managed, 256, cudaMemAttachGlobal));
    CHECK_OK(cudaPointerGetAttributes(&attributes, managed));
    CHECK_EQUAL(attributes.type, cudaMemoryTypeManaged);
    CHECK(attributes.hostPointer == managed && attributes.devicePointer == managed);

    CHECK_OK(cudaPointerGetAttributes(&attributes, &local));
    CHECK_EQUAL(attributes.type, cudaMemoryTypeUnregistered);
    CHECK_EQUAL(attributes.device, cudaInvalidDeviceId);
    CHECK(attributes.devicePointer == NULL && attributes.hostPointer == &local);
    CHECK_CODE(cudaPointerGetAttributes(NULL, &local), cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK_OK(cudaFree(device));
    CHECK_OK(cudaFree(managed));
    CHECK_OK(cudaFreeHost(pinned));
}

static void host_memory_is_registered_and_mapped(cudaLibrary_t library)
{
    enum { N = 1024 };
    float *x = aligned_alloc(4096, N * sizeof *x);
    float *mapped = NULL, *out = NULL, *out_mapped = NULL;
    float a = 2;
    unsigned n = N, flags = 99;
    void *arguments[] = {&out_mapped, &mapped, &a, &n};

    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
    }
    CHECK_CODE(cudaHostUnregister(x), cudaErrorHostMemoryNotRegistered);
    CHECK_OK(cudaHostRegister(x, N * sizeof *x, cudaHostRegisterMapped));
    CHECK_CODE(cudaHostRegister(x, N * sizeof *x, cudaHostRegisterMapped), cudaErrorHostMemoryAlreadyRegistered);
    CHECK_OK(cudaHostGetDevicePointer((void **)&mapped, x, 0));
    CHECK_OK(cudaHostAlloc((void **)&out, N * sizeof *out, cudaHostAllocMapped | cudaHostAllocPortable));
    CHECK_OK(cudaHostGetFlags(&flags, out));
    CHECK((flags & cudaHostAllocMapped) != 0);
    CHECK_OK(cudaHostGetDevicePointer((void **)&out_mapped, out, 0));
    CHECK_OK(
        cudaLaunchKernel(kernel_of(library, "scale"), extent(N / 128, 1, 1), extent(128, 1, 1), arguments, 0, NULL));
    CHECK_OK(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++) {
        CHECK(out[i] == 2 * (float)i);
    }
    CHECK_OK(cudaHostUnregister(x));
    CHECK_OK(cudaFreeHost(out));
    free(x);
    cudaGetLastError();
}

static void managed_memory_is_seen_by_both_sides(cudaLibrary_t library)
{
    enum { N = 300 };
    struct cudaMemLocation device = {.type = cudaMemLocationTypeDevice, .id = 0};
    float *x = NULL;
    float a = 0.5f;
    unsigned n = N;
    int last = 7;

    CHECK_OK(cudaMallocManaged((void **)&x, N * sizeof *x, cudaMemAttachGlobal));
    for (int i = 0; i < N; i++) {
        x[i] = (float)(2 * i);
    }
    CHECK_OK(cudaMemAdvise(x, N * sizeof *x, cudaMemAdviseSetPreferredLocation, device));
    CHECK_OK(cudaMemPrefetchAsync(x, N * sizeof *x, device, 0, NULL));
    CHECK_OK(cudaLaunchKernel(kernel_of(library, "scale"), extent(3, 1, 1), extent(128, 1, 1),
                              (void *[]){&x, &x, &a, &n}, 0, NULL));
    CHECK_OK(cudaDeviceSynchronize());
    CHECK_OK(cudaMemRangeGetAttribute(&last, sizeof last, cudaMemRangeAttributeLastPrefetchLocation, x, N * sizeof *x));
    CHECK_EQUAL(last, 0);
    for (int i = 0; i < N; i++) {
        CHECK(x[i] == (float)i);
    }
    CHECK_OK(cudaFree(x));
}

/* CUDA 12 has a parameter more. */
#if PTXEMU_CUDA_VERSION < 13000
#define COPY_BATCH(to, from, sizes, count, attributes, firsts, attribute_count, stream) \
    cudaMemcpyBatchAsync(to, from, sizes, count, attributes, firsts, attribute_count, &(size_t){0}, stream)
#else
#define COPY_BATCH cudaMemcpyBatchAsync
#endif

static void batches_of_copies(void)
{
    unsigned char in[64], out[64];
    unsigned char *device = NULL;
    cudaStream_t stream = NULL;
    struct cudaMemcpyAttributes attributes = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    size_t first = 0, sizes[2] = {16, 48};
    void *to[2], *from[2] = {in, in + 16};

    fill(in, sizeof in);
    CHECK_OK(cudaStreamCreate(&stream));
    CHECK_OK(cudaMalloc((void **)&device, sizeof in));
    to[0] = device;
    to[1] = device + 16;
    CHECK_OK(COPY_BATCH(to, (void *)from, sizes, 2, &attributes, &first, 1, stream));
    CHECK_OK(cudaMemcpyAsync(out, device, sizeof in, cudaMemcpyDeviceToHost, stream));
    CHECK_OK(cudaStreamSynchronize(stream));
    CHECK(memcmp(in, out, sizeof in) == 0);
    CHECK_OK(cudaFree(device));
    CHECK_OK(cudaStreamDestroy(stream));
}

int main(void)
{
    cudaLibrary_t library = load_kernels();

    nothing_may_be_allocated_and_freed();
    wrong_pointers_are_not_freed();
    free_memory_is_counted();
    copies_in_every_direction();
    copies_of_rows();
    copies_and_fills_of_boxes();
    pageable_memory_may_be_reused_after_the_call();
    copies_between_devices_by_number();
    copies_between_two_devices();
    pointers_know_what_they_are();
    host_memory_is_registered_and_mapped(library);
    managed_memory_is_seen_by_both_sides(library);
    batches_of_copies();
    CHECK_OK(cudaGetLastError());
    return 0;
}
