/* Virtual memory: physical memory, addresses, and what is mapped where for whom. */
#include "driver_check.h"

static size_t granule;

static CUmemAllocationProp of_device(int ordinal)
{
    return (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                 .location = {CU_MEM_LOCATION_TYPE_DEVICE, ordinal}};
}

static CUmemGenericAllocationHandle physical(size_t size)
{
    const CUmemAllocationProp properties = of_device(0);
    CUmemGenericAllocationHandle handle = 0;

    OK(cuMemCreate(&handle, size, &properties, 0));
    return handle;
}

static CUdeviceptr addresses(size_t size)
{
    CUdeviceptr address = 0;

    OK(cuMemAddressReserve(&address, size, 0, 0, 0));
    return address;
}

static void grant(CUdeviceptr address, size_t size, int ordinal, CUmemAccess_flags flags)
{
    const CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, ordinal}, flags};

    OK(cuMemSetAccess(address, size, &access, 1));
}

static unsigned word(CUdeviceptr address)
{
    unsigned value = 0;

    OK(cuMemcpyDtoH(&value, address, sizeof value));
    return value;
}

static CUresult add(CUmodule module, CUdeviceptr d, unsigned n)
{
    OK(cuLaunchKernel(driver_kernel(module, "add"), 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&d, &n}, NULL));
    return cuCtxSynchronize();
}

static void sizes_are_granular(void)
{
    CUmemAllocationProp properties = of_device(0);
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr address = 0;
    size_t recommended = 0;

    OK(cuMemGetAllocationGranularity(&granule, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    OK(cuMemGetAllocationGranularity(&recommended, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    CHECK(granule == 2 << 20 && recommended == granule);
    IS(cuMemCreate(&handle, granule + 1, &properties, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemCreate(&handle, 0, &properties, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemCreate(&handle, (size_t)1 << 50, &properties, 0), CUDA_ERROR_OUT_OF_MEMORY);
    IS(cuMemAddressReserve(&address, 100, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemAddressReserve(&address, granule, 3, 0, 0), CUDA_ERROR_INVALID_VALUE);
    properties.location.id = 77;
    IS(cuMemCreate(&handle, granule, &properties, 0), CUDA_ERROR_INVALID_VALUE);
    properties = of_device(0);
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    IS(cuMemCreate(&handle, granule, &properties, 0), CUDA_ERROR_NOT_SUPPORTED);
    OK(cuMemAddressReserve(&address, granule, granule * 16, 0, 0));
    CHECK(address % (granule * 16) == 0);
    OK(cuMemAddressFree(address, granule));
}

/* A vector that grows: pieces of memory side by side, which copies and fills take for one. */
static void mappings_side_by_side_are_one(CUmodule module)
{
    const CUdeviceptr base = addresses(4 * granule);
    const CUmemGenericAllocationHandle first = physical(granule), second = physical(granule);
    CUdeviceptr start = 0;
    size_t size = 0;

    OK(cuMemMap(base, granule, 0, first, 0));
    IS(cuMemsetD32(base, 1, 1), CUDA_ERROR_INVALID_VALUE); /* nobody may */
    grant(base, granule, 0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuMemsetD32(base, 5, granule / 4));
    IS(cuMemsetD32(base, 5, granule / 4 + 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemMap(base + granule, granule, 0, second, 0));
    grant(base + granule, granule, 0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuMemsetD32(base + granule - 4, 6, 2));
    CHECK(word(base) == 5 && word(base + granule - 4) == 6 && word(base + granule) == 6);
    CHECK(word(base + granule + 4) == 0);
    OK(add(module, base + granule, 10));
    CHECK(word(base + granule) == 16);
    OK(cuMemGetAddressRange(&start, &size, base + granule + 100));
    CHECK(start == base + granule && size == granule);
    IS(cuMemUnmap(base, granule / 2), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemAddressFree(base, 4 * granule), CUDA_ERROR_INVALID_VALUE); /* still in use */
    OK(cuMemUnmap(base, 2 * granule));
    IS(cuMemcpyDtoH(&size, base, 4), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemUnmap(base, granule), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemRelease(first));
    OK(cuMemRelease(second));
    IS(cuMemRelease(second), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemAddressFree(base, granule), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemAddressFree(base, 4 * granule));
    IS(cuMemAddressFree(base, 4 * granule), CUDA_ERROR_INVALID_VALUE);
}

/* The same memory at two addresses. */
static void memory_is_seen_at_several_addresses(CUmodule module)
{
    const CUdeviceptr a = addresses(granule), b = addresses(granule);
    const CUmemGenericAllocationHandle memory = physical(granule);
    CUmemGenericAllocationHandle again = 0;

    OK(cuMemMap(a, granule, 0, memory, 0));
    OK(cuMemMap(b, granule, 0, memory, 0));
    IS(cuMemMap(b, granule, 0, memory, 0), CUDA_ERROR_INVALID_VALUE); /* taken */
    grant(a, granule, 0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    grant(b, granule, 0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuMemsetD32(a + 64, 1, 1));
    OK(add(module, b + 64, 2));
    OK(add(module, a + 64, 4));
    CHECK(word(b + 64) == 7);
    OK(cuMemRelease(memory)); /* lives while it is mapped */
    IS(cuMemMap(a, granule, 0, memory, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemUnmap(a, granule));
    OK(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(b + 100)));
    OK(cuMemMap(a, granule, 0, again, 0));
    grant(a, granule, 0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CHECK(word(a + 64) == 7);
    OK(cuMemRelease(again));
    OK(cuMemUnmap(a, granule));
    OK(cuMemUnmap(b, granule));
    IS(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)b), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemAddressFree(a, granule));
    OK(cuMemAddressFree(b, granule));
}

static void what_is_known(void)
{
    const CUdeviceptr base = addresses(granule);
    const CUmemGenericAllocationHandle memory = physical(granule);
    const CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemAllocationProp properties;
    CUmemorytype type = CU_MEMORYTYPE_HOST;
    unsigned long long flags = 9;
    size_t before = 0, after = 0, total = 0;
    int ordinal = -1;

    OK(cuMemGetAllocationPropertiesFromHandle(&properties, memory));
    CHECK(properties.location.type == CU_MEM_LOCATION_TYPE_DEVICE && properties.location.id == 0);
    OK(cuMemMap(base, granule, 0, memory, 0));
    OK(cuMemGetAccess(&flags, &device, base));
    CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE);
    grant(base, granule, 0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuMemGetAccess(&flags, &device, base + 5));
    CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, base));
    OK(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, base));
    CHECK(type == CU_MEMORYTYPE_DEVICE && ordinal == 0);
    IS(cuMemExportToShareableHandle(&ordinal, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
       CUDA_ERROR_NOT_SUPPORTED);
    IS(cuMemFree(base), CUDA_ERROR_INVALID_VALUE);
    grant(base, granule, 0, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    IS(cuMemcpyDtoH(&flags, base, 4), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemUnmap(base, granule));
    OK(cuMemGetInfo(&before, &total));
    OK(cuMemRelease(memory));
    OK(cuMemGetInfo(&after, &total));
    CHECK(after == before + granule);
    OK(cuMemAddressFree(base, granule));
}

/* Two devices, each with its own access. */
static void access_is_each_devices_own(CUmodule module)
{
    const CUdeviceptr base = addresses(granule);
    const CUmemGenericAllocationHandle memory = physical(granule);
    CUcontext first = NULL, second = NULL;
    int count = 0;

    OK(cuDeviceGetCount(&count));
    if (count < 2) {
        return;
    }
    OK(cuMemMap(base, granule, 0, memory, 0));
    grant(base, granule, 0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    grant(base, granule, 1, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuMemsetD32(base, 1, 1));
    OK(add(module, base, 1));
    OK(cuCtxGetCurrent(&first));
    OK(cuDevicePrimaryCtxRetain(&second, 1));
    OK(cuCtxSetCurrent(second));
    const CUmodule other = load_driver_ptx();

    OK(add(other, base, 1));
    CHECK(word(base) == 3);
    grant(base, granule, 1, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    IS(add(other, base, 1), CUDA_ERROR_ILLEGAL_ADDRESS);
    OK(cuCtxSetCurrent(first));
    OK(add(module, base, 1));
    CHECK(word(base) == 4);
    OK(cuMemUnmap(base, granule));
    OK(cuMemRelease(memory));
    OK(cuMemAddressFree(base, granule));
}

/* The last: a kernel that fails ends all work of its context. */
static void kernels_reach_what_is_granted(CUmodule module)
{
    const CUdeviceptr base = addresses(2 * granule);
    const CUmemGenericAllocationHandle memory = physical(granule);

    OK(cuMemMap(base, granule, 0, memory, 0));
    grant(base, granule, 0, CU_MEM_ACCESS_FLAGS_PROT_READ);
    IS(add(module, base, 1), CUDA_ERROR_ILLEGAL_ADDRESS); /* it may read, and it stores */
}

int main(void)
{
    use_device();
    const CUmodule module = load_driver_ptx();

    sizes_are_granular();
    mappings_side_by_side_are_one(module);
    memory_is_seen_at_several_addresses(module);
    what_is_known();
    access_is_each_devices_own(module);
    kernels_reach_what_is_granted(module);
    return 0;
}
