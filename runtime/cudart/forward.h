/*
 * Runtime functions that are a call of the driver: how they forward to it, and what runtime types are to the driver.
 *
 * Handles (streams, events, graphs, nodes, pools, user objects) are the same pointers in both APIs.  Arrays are too,
 * but under types of other names.  Structs that have one layout under two names are handed on as they are; layouts.c
 * checks that they do.
 */
#ifndef PTXEMU_CUDART_FORWARD_H
#define PTXEMU_CUDART_FORWARD_H

#include "cudart.h"

#include <stdint.h>

/*
 * Evaluate a driver call in the calling thread's context; the value is the runtime's error, noted as the thread's last.
 * The call is not made, nor its arguments evaluated, if there is no context to be had.
 */
#define CRT_CALL(driver_call)                                  \
    ({                                                         \
        cudaError_t begun_ = crt_begin();                      \
        begun_ == cudaSuccess ? crt_end(driver_call) : begun_; \
    })

/*
 * The newest form of a function that CUDA 12 exports under a name of its own, beside the older one: `name` from 13.0
 * on. For functions of either API.
 */
#if CUDART_VERSION >= 13000
#define CRT_V2(name) name
#define CRT_V3(name) name
#else
#define CRT_V2(name) name##_v2
#define CRT_V3(name) name##_v3
#endif

static inline CUdeviceptr crt_address(const void *pointer)
{
    return (CUdeviceptr)(uintptr_t)pointer;
}

static inline void *crt_pointer(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

static inline CUarray crt_array(cudaArray_const_t array)
{
    return (CUarray)(uintptr_t)array;
}

static inline CUmipmappedArray crt_mipmapped_array(cudaMipmappedArray_const_t array)
{
    return (CUmipmappedArray)(uintptr_t)array;
}

/* The driver's location of the same layout. */
static inline CUmemLocation crt_location(struct cudaMemLocation location)
{
    return (CUmemLocation){.type = (CUmemLocationType)location.type, .id = location.id};
}

/* A device number as earlier releases named a location. */
static inline struct cudaMemLocation crt_device_location(int device)
{
    return device == cudaCpuDeviceId ? (struct cudaMemLocation){.type = cudaMemLocationTypeHost}
                                     : (struct cudaMemLocation){.type = cudaMemLocationTypeDevice, .id = device};
}

#endif
