/*
 * Devices: how many, what they are called, what they have.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/driver/context.h"

CUresult cuInit(unsigned int Flags)
{
    return Flags != 0 ? CUDA_ERROR_INVALID_VALUE : drv_initialize();
}

CUresult cuDriverGetVersion(int *driverVersion)
{
    if (driverVersion == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *driverVersion = CUDA_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    const CUresult ready = drv_check_out(drv_ready(), count);

    if (ready == CUDA_SUCCESS) {
        *count = drv_process()->device_count;
    }
    return ready;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    struct drv_device *d;
    const CUresult result = drv_device_enter(ordinal, device, &d);

    if (result == CUDA_SUCCESS) {
        *device = ordinal;
    }
    return result;
}

CUresult cuDeviceGetName(char *name, int len, CUdevice dev)
{
    struct drv_device *d;
    const CUresult result = drv_device_enter(dev, name, &d);

    if (result == CUDA_SUCCESS && len > 0) {
        snprintf(name, (size_t)len, "%s", d->gpu->spec.product);
    }
    return result == CUDA_SUCCESS && len <= 0 ? CUDA_ERROR_INVALID_VALUE : result;
}

/* Made from the name and the number of the device: the same in every run. */
CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev)
{
    struct drv_device *d;
    const CUresult result = drv_device_enter(dev, uuid, &d);
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */

    if (result != CUDA_SUCCESS) {
        return result;
    }
    for (const char *c = d->gpu->spec.name; *c != '\0'; c++) {
        hash = (hash ^ (uint8_t)*c) * 0x100000001b3u;
    }
    memcpy(uuid->bytes, "ptxemu\0", 7);
    uuid->bytes[7] = (char)dev;
    memcpy(uuid->bytes + 8, &hash, sizeof hash);
    return CUDA_SUCCESS;
}

#undef cuDeviceGetUuid
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev)
{
    return cuDeviceGetUuid_v2(uuid, dev);
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice dev)
{
    struct drv_device *d;
    const CUresult result = drv_device_enter(dev, bytes, &d);

    if (result == CUDA_SUCCESS) {
        *bytes = d->gpu->spec.global_bytes;
    }
    return result;
}

#undef cuDeviceTotalMem
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev)
{
    return cuDeviceTotalMem_v2(bytes, dev);
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)
{
    struct drv_device *d;
    const CUresult result = drv_device_enter(dev, major == NULL ? NULL : minor, &d);

    if (result == CUDA_SUCCESS) {
        *major = (int)d->gpu->spec.cc_major;
        *minor = (int)d->gpu->spec.cc_minor;
    }
    return result;
}

static int clamped(uint64_t value)
{
    return value > INT_MAX ? INT_MAX : (int)value;
}

CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev)
{
    struct drv_device *d;
    const CUresult result = drv_device_enter(dev, pi, &d);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    const struct emu_spec *s = &d->gpu->spec;

    switch (attrib) {
#define ATTRIBUTE(name, value)                                         \
    case CU_DEVICE_ATTRIBUTE_##name:                                   \
        *pi = (value) < 0 ? (int)(value) : clamped((uint64_t)(value)); \
        return CUDA_SUCCESS;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
#include "runtime/driver/attributes.def"
#pragma GCC diagnostic pop
#undef ATTRIBUTE
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice dev)
{
    struct drv_device *d;
    const CUresult result = drv_device_enter(dev, prop, &d);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    const struct emu_spec *s = &d->gpu->spec;

    *prop = (CUdevprop){.maxThreadsPerBlock = (int)s->max_threads_per_cta,
                        .sharedMemPerBlock = clamped(s->shared_per_cta),
                        .totalConstantMemory = clamped(s->const_bytes),
                        .SIMDWidth = (int)s->warp_lanes,
                        .memPitch = INT_MAX,
                        .regsPerBlock = (int)s->registers_per_cta,
                        .clockRate = (int)s->core_clock_khz,
                        .textureAlign = 512};
    for (int i = 0; i < 3; i++) {
        prop->maxThreadsDim[i] = (int)s->max_block[i];
        prop->maxGridSize[i] = clamped(s->max_grid[i]);
    }
    return CUDA_SUCCESS;
}

/* --- where they are on the bus ---------------------------------------------------------------- */
CUresult cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev)
{
    struct drv_device *d;
    const CUresult result = drv_device_enter(dev, pciBusId, &d);

    if (result == CUDA_SUCCESS && len > 0) {
        snprintf(pciBusId, (size_t)len, "0000:00:%02X.0", (unsigned)d->ordinal + 1);
    }
    return result == CUDA_SUCCESS && len <= 0 ? CUDA_ERROR_INVALID_VALUE : result;
}

/* [domain:]bus:device[.function], in hexadecimal digits. */
CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId)
{
    const CUresult ready = drv_ready();
    unsigned domain = 0, bus = 0, device = 0, function = 0;

    if (ready != CUDA_SUCCESS) {
        return ready;
    }
    if (dev == NULL || pciBusId == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (sscanf(pciBusId, "%x:%x:%x.%x", &domain, &bus, &device, &function) < 3) {
        domain = function = 0;
        if (sscanf(pciBusId, "%x:%x.%x", &bus, &device, &function) < 2) {
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    if (domain != 0 || bus != 0 || function != 0 || device == 0 || drv_device((int)device - 1) == NULL) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    *dev = (int)device - 1;
    return CUDA_SUCCESS;
}

/* Identifiers of Windows' adapters. */
CUresult cuDeviceGetLuid(char *luid, unsigned int *deviceNodeMask, CUdevice dev)
{
    struct drv_device *d;
    const CUresult result = drv_device_enter(dev, luid == NULL ? NULL : deviceNodeMask, &d);

    return result == CUDA_SUCCESS ? CUDA_ERROR_NOT_SUPPORTED : result;
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements, CUarray_format format, unsigned numChannels,
                                            CUdevice dev)
{
    struct drv_device *d;
    const CUresult result = drv_device_enter(dev, maxWidthInElements, &d);

    (void)format;
    if (result == CUDA_SUCCESS && (numChannels == 1 || numChannels == 2 || numChannels == 4)) {
        *maxWidthInElements = 268435456; /* CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH */
        return CUDA_SUCCESS;
    }
    return result == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : result;
}

CUresult cuDeviceGetExecAffinitySupport(int *pi, CUexecAffinityType type, CUdevice dev)
{
    struct drv_device *d;
    const CUresult result = drv_device_enter(dev, pi, &d);

    (void)type;
    if (result == CUDA_SUCCESS) {
        *pi = 0;
    }
    return result;
}

/* --- profiling: the calls mark a range, and nobody measures it -------------------------------- */
CUresult cuProfilerStart(void)
{
    struct drv_context *context;

    return drv_enter(&context);
}

CUresult cuProfilerStop(void)
{
    struct drv_context *context;

    return drv_enter(&context);
}
