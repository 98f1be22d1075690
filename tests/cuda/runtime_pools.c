/* Allocation in stream order: pools, their attributes, reuse, and what a pool is worth when it is gone. */
#include "check.h"

#include <stdint.h>

static uint64_t attribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr)
{
    uint64_t value = UINT64_MAX;

    CHECK_OK(cudaMemPoolGetAttribute(pool, attr, &value));
    return value;
}

static cudaMemPool_t new_pool(void)
{
    struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned,
                                          .location = {.type = cudaMemLocationTypeDevice, .id = 0}};
    cudaMemPool_t pool = NULL;

    CHECK_OK(cudaMemPoolCreate(&pool, &properties));
    return pool;
}

static void memory_is_usable_in_stream_order(cudaStream_t stream)
{
    enum { COUNT = 3000 };
    unsigned char out[COUNT];
    unsigned char *memory = NULL;

    CHECK_OK(cudaMallocAsync((void **)&memory, COUNT, stream));
    CHECK(memory != NULL);
    CHECK_OK(cudaMemsetAsync(memory, 0x7b, COUNT, stream));
    CHECK_OK(cudaMemcpyAsync(out, memory, COUNT, cudaMemcpyDeviceToHost, stream));
    CHECK_OK(cudaFreeAsync(memory, stream));
    CHECK_OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < COUNT; i++) {
        CHECK_EQUAL(out[i], 0x7b);
    }
    CHECK_CODE(cudaMallocAsync(NULL, 4, stream), cudaErrorInvalidValue);
    CHECK_CODE(cudaFreeAsync(out, stream), cudaErrorInvalidValue);
    cudaGetLastError();
}

/* What was freed in a stream is there for the stream's next allocation, and memory of a pool may be freed by cudaFree.
 */
static void freed_memory_is_used_again(cudaStream_t stream)
{
    cudaMemPool_t pool = new_pool();
    void *first = NULL, *second = NULL;
    uint64_t keep_all = UINT64_MAX, reserved = 0;

    CHECK_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep_all));
    CHECK_OK(cudaMallocFromPoolAsync(&first, 1 << 20, pool, stream));
    CHECK_OK(cudaFreeAsync(first, stream));
    CHECK_OK(cudaMallocFromPoolAsync(&second, 1 << 20, pool, stream));
    CHECK(second == first);
    CHECK(attribute(pool, cudaMemPoolAttrUsedMemCurrent) >= 1 << 20);
    reserved = attribute(pool, cudaMemPoolAttrReservedMemCurrent);
    CHECK(reserved >= 1 << 20);
    CHECK_OK(cudaFreeAsync(second, stream));
    CHECK_OK(cudaStreamSynchronize(stream));
    CHECK_EQUAL(attribute(pool, cudaMemPoolAttrUsedMemCurrent), 0);
    CHECK(attribute(pool, cudaMemPoolAttrUsedMemHigh) >= 1 << 20);
    CHECK_OK(cudaMallocFromPoolAsync(&first, 1000, pool, stream));
    CHECK_EQUAL(attribute(pool, cudaMemPoolAttrUsedMemCurrent), 1000); /* what was asked for */
    CHECK_OK(cudaFree(first));
    CHECK_OK(cudaMemPoolTrimTo(pool, 0));
    CHECK_EQUAL(attribute(pool, cudaMemPoolAttrReservedMemCurrent), 0);
    CHECK_OK(cudaMemPoolDestroy(pool));
}

static void a_device_has_a_default_pool(cudaStream_t stream)
{
    cudaMemPool_t standard = NULL, current = NULL, own = new_pool();
    void *memory = NULL;

    CHECK_OK(cudaDeviceGetDefaultMemPool(&standard, 0));
    CHECK_OK(cudaDeviceGetMemPool(&current, 0));
    CHECK(standard != NULL && current == standard);
    CHECK_EQUAL(attribute(standard, cudaMemPoolAttrReleaseThreshold), 0);
    CHECK_OK(cudaDeviceSetMemPool(0, own));
    CHECK_OK(cudaDeviceGetMemPool(&current, 0));
    CHECK(current == own);
    CHECK_OK(cudaMallocAsync(&memory, 4096, stream));
    CHECK(attribute(own, cudaMemPoolAttrUsedMemCurrent) >= 4096);
    CHECK_OK(cudaFreeAsync(memory, stream));
    CHECK_OK(cudaStreamSynchronize(stream));
    CHECK_OK(cudaDeviceSetMemPool(0, standard));
    CHECK_OK(cudaMemPoolDestroy(own));
    CHECK_CODE(cudaMemPoolDestroy(standard), cudaErrorInvalidValue);
    CHECK_CODE(cudaDeviceGetDefaultMemPool(&standard, 1000), cudaErrorInvalidDevice);
    cudaGetLastError();
}

static void pools_say_who_may_reach_them(void)
{
    cudaMemPool_t pool = new_pool();
    struct cudaMemLocation here = {.type = cudaMemLocationTypeDevice, .id = 0};
    enum cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    int descriptor = -1;

    CHECK_OK(cudaMemPoolGetAccess(&flags, pool, &here));
    CHECK_EQUAL(flags, cudaMemAccessFlagsProtReadWrite);
    /* Made without a type of handle, so it cannot be shared. */
    CHECK(cudaMemPoolExportToShareableHandle(&descriptor, pool, cudaMemHandleTypePosixFileDescriptor, 0) !=
          cudaSuccess);
    CHECK_OK(cudaMemPoolDestroy(pool));
    CHECK_CODE(cudaMemPoolCreate(NULL, NULL), cudaErrorInvalidValue);
    cudaGetLastError();
}

int main(void)
{
    cudaStream_t stream = NULL;

    CHECK_OK(cudaStreamCreate(&stream));
    memory_is_usable_in_stream_order(stream);
    memory_is_usable_in_stream_order(NULL);
    memory_is_usable_in_stream_order(cudaStreamPerThread);
    freed_memory_is_used_again(stream);
    a_device_has_a_default_pool(stream);
    pools_say_who_may_reach_them();
    CHECK_OK(cudaStreamDestroy(stream));
    CHECK_OK(cudaGetLastError());
    return 0;
}
