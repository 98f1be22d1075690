/* Devices in pairs: what one may do with the memory of another. */
#include "state.h"

static bool exists(int device)
{
    return device >= 0 && device < crt_device_count();
}

static cudaError_t begin_pair(int device, int peer)
{
    cudaError_t error = crt_begin_without_context();

    if (error == cudaSuccess && !(exists(device) && exists(peer))) {
        error = crt_return(cudaErrorInvalidDevice);
    }
    return error;
}

cudaError_t CUDARTAPI cudaDeviceCanAccessPeer(int *can_access, int device, int peer)
{
    cudaError_t error = begin_pair(device, peer);

    return error != cudaSuccess ? error : crt_end(cuDeviceCanAccessPeer(can_access, device, peer));
}

cudaError_t CUDARTAPI cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int device, int peer)
{
    cudaError_t error = begin_pair(device, peer);

    return error != cudaSuccess
               ? error
               : crt_end(cuDeviceGetP2PAttribute(value, (CUdevice_P2PAttribute)attribute, device, peer));
}

/* Begin a change of access to the memory of `peer`: both devices have their contexts then. */
static cudaError_t begin_peer(int peer)
{
    cudaError_t error = crt_begin();

    if (error != cudaSuccess) {
        return error;
    }
    if (!exists(peer)) {
        return crt_return(cudaErrorInvalidDevice);
    }
    return crt_end(crt_retain_device(peer));
}

cudaError_t CUDARTAPI cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    cudaError_t error = begin_peer(peer);

    if (error != cudaSuccess) {
        return error;
    }
    if (flags != 0) {
        return crt_return(cudaErrorInvalidValue);
    }
    if (peer == crt_device()) {
        return crt_return(cudaErrorPeerAccessUnsupported); /* a device is no peer of its own */
    }
    return crt_end(cuCtxEnablePeerAccess(crt_process()->devices[peer].primary, flags));
}

cudaError_t CUDARTAPI cudaDeviceDisablePeerAccess(int peer)
{
    cudaError_t error = begin_peer(peer);

    return error != cudaSuccess ? error : crt_end(cuCtxDisablePeerAccess(crt_process()->devices[peer].primary));
}

#if CUDART_VERSION >= 13000
cudaError_t CUDARTAPI cudaDeviceGetHostAtomicCapabilities(unsigned *capabilities,
                                                          const enum cudaAtomicOperation *operations, unsigned count,
                                                          int device)
{
    cudaError_t error = begin_pair(device, device);

    return error != cudaSuccess ? error
                                : crt_end(cuDeviceGetHostAtomicCapabilities(
                                      capabilities, (const CUatomicOperation *)operations, count, device));
}

cudaError_t CUDARTAPI cudaDeviceGetP2PAtomicCapabilities(unsigned *capabilities,
                                                         const enum cudaAtomicOperation *operations, unsigned count,
                                                         int device, int peer)
{
    cudaError_t error = begin_pair(device, peer);

    return error != cudaSuccess ? error
                                : crt_end(cuDeviceGetP2PAtomicCapabilities(
                                      capabilities, (const CUatomicOperation *)operations, count, device, peer));
}
#endif
