/* Devices: numbers, properties and attributes that agree, choosing, limits, flags, peers, versions. */
#include "check.h"

#include <pthread.h>

static int attribute(enum cudaDeviceAttr which)
{
    int value = -1;

    CHECK_OK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

static void properties_are_the_attributes(void)
{
    struct cudaDeviceProp p;

    memset(&p, 0xa5, sizeof(p));
    CHECK_OK(cudaGetDeviceProperties(&p, 0));
    CHECK(strncmp(p.name, "NVIDIA ", 7) == 0);
    CHECK_EQUAL(p.warpSize, 32);
    CHECK_EQUAL(p.major, attribute(cudaDevAttrComputeCapabilityMajor));
    CHECK_EQUAL(p.minor, attribute(cudaDevAttrComputeCapabilityMinor));
    CHECK_EQUAL(p.multiProcessorCount, attribute(cudaDevAttrMultiProcessorCount));
    CHECK_EQUAL(p.sharedMemPerBlock, attribute(cudaDevAttrMaxSharedMemoryPerBlock));
    CHECK_EQUAL(p.sharedMemPerBlockOptin, attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    CHECK_EQUAL(p.sharedMemPerMultiprocessor, attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
    CHECK_EQUAL(p.reservedSharedMemPerBlock, attribute(cudaDevAttrReservedSharedMemoryPerBlock));
    CHECK_EQUAL(p.regsPerMultiprocessor, attribute(cudaDevAttrMaxRegistersPerMultiprocessor));
    CHECK_EQUAL(p.maxThreadsDim[2], attribute(cudaDevAttrMaxBlockDimZ));
    CHECK_EQUAL(p.maxGridSize[0], attribute(cudaDevAttrMaxGridDimX));
    CHECK_EQUAL(p.l2CacheSize, attribute(cudaDevAttrL2CacheSize));
    CHECK_EQUAL(p.clusterLaunch, attribute(cudaDevAttrClusterLaunch));
    CHECK_EQUAL(p.clusterLaunch, p.major >= 9);
    CHECK_EQUAL(p.unifiedAddressing, 1);
    CHECK_EQUAL(p.managedMemory, 1);
    CHECK_EQUAL(p.totalConstMem, 65536);
#if CUDART_VERSION >= 13000
    CHECK_EQUAL(sizeof(p), 1008);
#else
    CHECK_EQUAL(p.clockRate, attribute(cudaDevAttrClockRate));
    CHECK_EQUAL(p.memoryClockRate, attribute(cudaDevAttrMemoryClockRate));
#endif
    CHECK_CODE(cudaGetDeviceProperties(&p, 1000), cudaErrorInvalidDevice);
    CHECK_CODE(cudaGetDeviceProperties(NULL, 0), cudaErrorInvalidValue);
}

/* What is known of two GPUs. */
static void properties_are_the_hardware_s(void)
{
    struct cudaDeviceProp p;

    CHECK_OK(cudaGetDeviceProperties(&p, 0));
    if (strstr(p.name, "H200") != NULL) {
        CHECK_EQUAL(p.major * 10 + p.minor, 90);
        CHECK_EQUAL(p.multiProcessorCount, 132);
        CHECK_EQUAL(p.sharedMemPerMultiprocessor, 233472);
        CHECK_EQUAL(p.sharedMemPerBlockOptin, 232448);
        CHECK_EQUAL(p.maxBlocksPerMultiProcessor, 32);
        CHECK_EQUAL(p.maxThreadsPerMultiProcessor, 2048);
    } else if (strstr(p.name, "A100") != NULL) {
        CHECK_EQUAL(p.major * 10 + p.minor, 80);
        CHECK_EQUAL(p.multiProcessorCount, 108);
        CHECK_EQUAL(p.sharedMemPerMultiprocessor, 167936);
        CHECK_EQUAL(p.sharedMemPerBlockOptin, 166912);
        CHECK_EQUAL(p.maxBlocksPerMultiProcessor, 32);
    }
}

static void *chooses_for_itself(void *count)
{
    int device = -1;

    CHECK_OK(cudaGetDevice(&device));
    CHECK_EQUAL(device, 0); /* whatever the other thread chose */
    CHECK_OK(cudaSetDevice(*(int *)count - 1));
    CHECK_OK(cudaGetDevice(&device));
    CHECK_EQUAL(device, *(int *)count - 1);
    return NULL;
}

static void devices_are_chosen_by_thread(void)
{
    struct cudaDeviceProp wanted;
    pthread_t thread;
    int count = 0, device = -1;

    CHECK_OK(cudaGetDeviceCount(&count));
    CHECK(count >= 1);
    CHECK_OK(cudaSetDevice(count - 1));
    CHECK_OK(cudaGetDevice(&device));
    CHECK_EQUAL(device, count - 1);
    CHECK(pthread_create(&thread, NULL, chooses_for_itself, &count) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK_OK(cudaSetDevice(0));
    memset(&wanted, 0, sizeof(wanted));
    CHECK_OK(cudaChooseDevice(&device, &wanted));
    CHECK_EQUAL(device, 0);
    CHECK_CODE(cudaSetDevice(count), cudaErrorInvalidDevice);
    CHECK_OK(cudaGetDevice(&device));
    CHECK_EQUAL(device, 0);
    CHECK_OK(cudaInitDevice(0, 0, 2)); /* as on an H200: flags that nobody knows are ignored */
    CHECK_OK(cudaInitDevice(0, 0, 0));
}

static void limits_and_flags(void)
{
    size_t value = 0;
    unsigned flags = 0;
    int least = -1, greatest = 1;
    enum cudaFuncCache cache;

    CHECK_OK(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
    CHECK_OK(cudaDeviceGetLimit(&value, cudaLimitStackSize));
    CHECK(value >= 2048);
    CHECK_OK(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
    CHECK_EQUAL(value, 8 << 20);
    CHECK_OK(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize));
    CHECK_OK(cudaGetDeviceFlags(&flags));
    CHECK(flags & cudaDeviceMapHost);
    CHECK_CODE(cudaSetDeviceFlags(0x10000), cudaErrorInvalidValue);
    CHECK_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK_EQUAL(least, 0);
    CHECK(greatest < 0);
    CHECK_OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    CHECK_OK(cudaDeviceGetCacheConfig(&cache));
    CHECK_EQUAL(cache, cudaFuncCachePreferShared);
}

static void identity(void)
{
    char id[32] = "";
    int device = -1, version = 0, driver = 0;

    CHECK_OK(cudaDeviceGetPCIBusId(id, (int)sizeof(id), 0));
    CHECK_OK(cudaDeviceGetByPCIBusId(&device, id));
    CHECK_CODE(cudaDeviceGetPCIBusId(id, 5, 0), cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK_EQUAL(device, 0);
    CHECK_OK(cudaRuntimeGetVersion(&version));
    CHECK_EQUAL(version, CUDART_VERSION);
    CHECK_OK(cudaDriverGetVersion(&driver));
    CHECK(driver >= version);
}

static void entry_points(void)
{
    enum cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
    void *function = NULL;

    CHECK_OK(cudaGetDriverEntryPointByVersion("cuInit", &function, 12000, cudaEnableDefault, &status));
    CHECK(function != NULL);
    CHECK_EQUAL(status, cudaDriverEntryPointSuccess);
    CHECK_OK(cudaGetDriverEntryPointByVersion("cuNothing", &function, 12000, cudaEnableDefault, &status));
    CHECK(function == NULL);
    CHECK_EQUAL(status, cudaDriverEntryPointSymbolNotFound);
}

static void peers(void)
{
    int count = 0, can = 1;

    CHECK_OK(cudaGetDeviceCount(&count));
    CHECK_OK(cudaDeviceCanAccessPeer(&can, 0, 0));
    CHECK_EQUAL(can, 0);
    CHECK_CODE(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
    CHECK_CODE(cudaDeviceEnablePeerAccess(0, 1), cudaErrorInvalidValue);
    if (count < 2) {
        return;
    }
    CHECK_OK(cudaDeviceCanAccessPeer(&can, 0, 1));
    CHECK_EQUAL(can, 1);
    CHECK_CODE(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
    CHECK_OK(cudaDeviceEnablePeerAccess(1, 0));
    CHECK_CODE(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
    CHECK_OK(cudaDeviceDisablePeerAccess(1));
}

/* A reset frees what the context had; the next call makes a new context. */
static void reset(void)
{
    void *memory = NULL;

    CHECK_OK(cudaMalloc(&memory, 64));
    CHECK_OK(cudaDeviceReset());
    CHECK_CODE(cudaFree(memory), cudaErrorInvalidValue);
    CHECK_OK(cudaMalloc(&memory, 64));
    CHECK_OK(cudaFree(memory));
}

int main(void)
{
    properties_are_the_attributes();
    properties_are_the_hardware_s();
    devices_are_chosen_by_thread();
    limits_and_flags();
    identity();
    entry_points();
    peers();
    reset();
    return 0;
}
