/* Device and host memory, copies and fills, pools and arrays. */
#include "answers.h"

#include <stdio.h>
#include <stdlib.h>

static CUdeviceptr thousand_bytes(void)
{
    CUdeviceptr memory = 0;

    use_primary_context();
    must(cuMemAlloc(&memory, 1000));
    return memory;
}

void device_memory(void)
{
    CUdeviceptr memory = 0, base = 0;
    size_t size = 0, pitch = 0;
    int host = 0;

    use_primary_context();
    ANSWER(cuMemAlloc(&memory, 0));
    ANSWER(cuMemAlloc(NULL, 4));
    ANSWER(cuMemAlloc(&memory, (size_t)1 << 50));
    ANSWER(cuMemAlloc(&memory, 1000));
    ANSWER(cuMemGetAddressRange(&base, &size, memory + 10));
    answer("base of the range", base == memory);
    answer("size of the range", (long long)size);
    ANSWER(cuMemGetAddressRange(&base, &size, memory + 1000));
    ANSWER(cuMemGetAddressRange(&base, &size, memory + 5000000));
    ANSWER(cuMemGetAddressRange(NULL, NULL, memory));
    ANSWER(cuMemGetAddressRange(&base, &size, address_of(&host)));
    ANSWER(cuMemFree(memory + 4));
    ANSWER(cuMemFree(0));
    ANSWER(cuMemFree(address_of(&host)));
    ANSWER(cuMemAllocPitch(&base, &pitch, 100, 10, 4));
    answer("pitch", (long long)pitch);
    ANSWER(cuMemFree(base));
    ANSWER(cuMemAllocPitch(&base, &pitch, 513, 10, 16));
    answer("pitch", (long long)pitch);
    ANSWER(cuMemAllocPitch(&base, &pitch, 100, 0, 4));
    ANSWER(cuMemAllocPitch(&base, &pitch, 100, 10, 3));
    ANSWER(cuMemAllocPitch(&base, &pitch, 0, 10, 4));
}

void copies_and_fills(void)
{
    const CUdeviceptr memory = thousand_bytes();
    int host = 0, other = 0;

    ANSWER(cuMemcpyHtoD(memory, &host, 4));
    ANSWER(cuMemcpyHtoD(memory + 998, &host, 4));
    ANSWER(cuMemcpyHtoD(memory, &host, 0));
    ANSWER(cuMemcpyHtoD(0, &host, 4));
    ANSWER(cuMemcpyHtoD(memory, NULL, 4));
    ANSWER(cuMemcpyHtoD(address_of(&other), &host, 4));
    ANSWER(cuMemcpyDtoH(&host, address_of(&other), 4));
    ANSWER(cuMemcpy(address_of(&other), address_of(&host), 4));
    ANSWER(cuMemcpyDtoD(memory, memory + 8, 4));
    ANSWER(cuMemcpyHtoD(memory, (const void *)(uintptr_t)memory, 4));
    ANSWER(cuMemsetD8(memory, 1, 1000));
    ANSWER(cuMemsetD8(memory, 1, 1001));
    ANSWER(cuMemsetD8(memory, 1, 4096));
    ANSWER(cuMemsetD8(memory, 1, 0));
    ANSWER(cuMemsetD32(memory + 1, 1, 1));
    ANSWER(cuMemsetD16(memory + 1, 1, 1));
    ANSWER(cuMemsetD8(0, 1, 1));
    ANSWER(cuMemsetD2D8(memory, 10, 1, 20, 2));
    ANSWER(cuMemsetD2D8(memory, 10, 1, 10, 0));
}

void host_memory(void)
{
    const CUdeviceptr memory = thousand_bytes();
    CUdeviceptr device = 0;
    unsigned flags = 0;
    void *host = NULL;
    int other = 0;

    ANSWER(cuMemHostAlloc(&host, 0, 0));
    ANSWER(cuMemHostAlloc(&host, 16, 0x100));
    ANSWER(cuMemHostAlloc(&host, 100, 0));
    ANSWER(cuMemHostGetFlags(&flags, host));
    answer("flags of host memory", flags);
    ANSWER(cuMemHostGetDevicePointer(&device, host, 0));
    answer("the same address", device == address_of(host));
    ANSWER(cuMemHostGetDevicePointer(&device, &other, 0));
    ANSWER(cuMemHostGetDevicePointer(&device, (char *)host + 4, 0));
    ANSWER(cuMemHostGetFlags(&flags, &other));
    ANSWER(cuMemFreeHost((char *)host + 4));
    ANSWER(cuMemFreeHost(&other));
    ANSWER(cuMemFreeHost(NULL));
    ANSWER(cuMemFree(address_of(host)));
    ANSWER(cuMemFreeHost((void *)(uintptr_t)memory));
}

void registered_memory(void)
{
    enum { BYTES = 16384 };
    const CUdeviceptr memory = thousand_bytes();
    char *host = aligned_alloc(4096, BYTES);
    CUdeviceptr device = 0;
    void *pinned = NULL;

    must(host == NULL);
    must(cuMemHostAlloc(&pinned, 100, 0));
    ANSWER(cuMemHostRegister(host, BYTES, 0));
    ANSWER(cuMemHostRegister(host, BYTES, 0));
    ANSWER(cuMemHostRegister(host + 4096, 100, 0));
    ANSWER(cuMemHostRegister(NULL, 4, 0));
    ANSWER(cuMemHostRegister(host, 0, 0));
    ANSWER(cuMemHostUnregister(host + 8));
    ANSWER(cuMemHostUnregister(NULL));
    ANSWER(cuMemHostUnregister(host));
    ANSWER(cuMemHostUnregister(host));
    ANSWER(cuMemHostRegister((void *)(uintptr_t)memory, 16, 0));
    ANSWER(cuMemHostRegister(pinned, 16, 0));
    ANSWER(cuMemHostRegister(host, BYTES, 0x100));
    ANSWER(cuMemHostRegister(host + 100, 1000, 0));
    ANSWER(cuMemHostGetDevicePointer(&device, host + 100, 0));
    ANSWER(cuMemHostGetDevicePointer(&device, host + 50, 0));
    ANSWER(cuMemHostUnregister(host + 100));
    free(host);
}

/* Several attributes at once: of memory that nobody knows they are zero, and no error. */
static void several_attributes(CUdeviceptr device, const void *unknown)
{
    CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                        CU_POINTER_ATTRIBUTE_CONTEXT, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                        CU_POINTER_ATTRIBUTE_HOST_POINTER};
    int ordinal = -99;
    unsigned type = 99;
    CUcontext context = NULL, current = NULL;
    CUdeviceptr address = 1;
    void *host = NULL;
    void *values[] = {&ordinal, &type, &context, &address, &host};

    must(cuCtxGetCurrent(&current));
    ANSWER(cuPointerGetAttributes(5, attributes, values, address_of(unknown)));
    answer("ordinal", ordinal);
    answer("type", type);
    answer("a context", context != NULL);
    answer("device address", (long long)address);
    answer("host address is the address", host == unknown);
    ANSWER(cuPointerGetAttributes(5, attributes, values, device + 4));
    answer("ordinal", ordinal);
    answer("type", type);
    answer("the current context", context == current);
    answer("device address is the address", address == device + 4);
    answer("a host address", host != NULL);
}

static void attributes_of_the_runtime(CUdeviceptr device, const void *unknown)
{
    struct cudaPointerAttributes attributes;

    ANSWER(cudaPointerGetAttributes(&attributes, unknown));
    answer("type", attributes.type);
    answer("device", attributes.device);
    answer("a device address", attributes.devicePointer != NULL);
    answer("host address is the address", attributes.hostPointer == unknown);
    ANSWER(cudaPointerGetAttributes(&attributes, (const void *)(uintptr_t)device));
    answer("type", attributes.type);
    answer("device", attributes.device);
}

void pointers(void)
{
    const CUdeviceptr memory = thousand_bytes();
    CUdeviceptr managed = 0;
    unsigned value = 0;
    void *pointer = NULL;
    int host = 0;

    ANSWER(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address_of(&host)));
    ANSWER(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
    answer("type", value);
    ANSWER(cuPointerGetAttribute(&pointer, CU_POINTER_ATTRIBUTE_HOST_POINTER, memory));
    ANSWER(cuPointerGetAttribute(&value, (CUpointer_attribute)77, memory));
    ANSWER(cuMemAllocManaged(&managed, 100, CU_MEM_ATTACH_GLOBAL));
    ANSWER(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, managed));
    answer("type", value);
    ANSWER(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
    answer("is managed", value);
    ANSWER(cuMemAllocManaged(&managed, 100, 0));
    ANSWER(cuMemAllocManaged(&managed, 0, CU_MEM_ATTACH_GLOBAL));
    several_attributes(memory, &host);
    attributes_of_the_runtime(memory, &host);
}

void pools(void)
{
    const CUdeviceptr plain = thousand_bytes();
    const CUstream stream = new_stream();
    CUdeviceptr memory = 0;
    CUmemoryPool pool = NULL;
    cuuint64_t threshold = 1;

    ANSWER(cuMemAllocAsync(&memory, 100, stream));
    ANSWER(cuMemFreeAsync(memory, stream));
    ANSWER(cuMemFreeAsync(memory, stream));
    ANSWER(cuMemFreeAsync(plain, stream));
    ANSWER(cuMemAllocAsync(&memory, 0, stream));
    ANSWER(cuMemAllocAsync(&memory, 100, stream));
    ANSWER(cuMemFree(memory));
    ANSWER(cuDeviceGetDefaultMemPool(&pool, 0));
    ANSWER(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    answer("threshold", (long long)threshold);
    ANSWER(cuMemPoolDestroy(pool));
}

void arrays(void)
{
    CUDA_ARRAY_DESCRIPTOR shape = {16, 16, CU_AD_FORMAT_FLOAT, 1};
    CUarray array = NULL;

    use_primary_context();
    ANSWER(cuArrayCreate(&array, &shape));
    ANSWER(cuArrayDestroy(array));
    ANSWER(cuArrayDestroy(array));
    shape.NumChannels = 3;
    answer("an array of three channels", cuArrayCreate(&array, &shape));
    shape.NumChannels = 1;
    shape.Width = 0;
    answer("an array of no width", cuArrayCreate(&array, &shape));
    shape.Width = 1 << 20;
    answer("an array that is too wide", cuArrayCreate(&array, &shape));
    ANSWER(cuArrayCreate(&array, NULL));
    ANSWER(cuArrayDestroy(NULL));
}
