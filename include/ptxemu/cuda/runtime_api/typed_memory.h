/*
 * C++: functions that return memory through a pointer to any pointer, and older forms of functions whose parameters
 * changed.
 */
#ifndef PTXEMU_CUDA_RUNTIME_TYPED_MEMORY_H
#define PTXEMU_CUDA_RUNTIME_TYPED_MEMORY_H

#include "../cuda_runtime_api.h"

/* The address of a pointer as the functions of C want it. */
template <class T> static __inline__ __host__ void **ptxemu_untyped(T **pointer)
{
    return (void **)(void *)pointer;
}

template <class T> static __inline__ __host__ cudaError_t cudaMalloc(T **devPtr, size_t size)
{
    return ::cudaMalloc(ptxemu_untyped(devPtr), size);
}

template <class T>
static __inline__ __host__ cudaError_t cudaMallocPitch(T **devPtr, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch(ptxemu_untyped(devPtr), pitch, width, height);
}

template <class T>
static __inline__ __host__ cudaError_t cudaMallocManaged(T **devPtr, size_t size,
                                                         unsigned int flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged(ptxemu_untyped(devPtr), size, flags);
}

template <class T>
static __inline__ __host__ cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *devPtr, size_t length = 0,
                                                                unsigned int flags = cudaMemAttachSingle)
{
    return ::cudaStreamAttachMemAsync(stream, (void *)devPtr, length, flags);
}

/* --- pinned memory --- */

static __inline__ __host__ cudaError_t cudaMallocHost(void **ptr, size_t size, unsigned int flags)
{
    return ::cudaHostAlloc(ptr, size, flags);
}

template <class T>
static __inline__ __host__ cudaError_t cudaMallocHost(T **ptr, size_t size, unsigned int flags = cudaHostAllocDefault)
{
    return ::cudaHostAlloc(ptxemu_untyped(ptr), size, flags);
}

template <class T> static __inline__ __host__ cudaError_t cudaHostAlloc(T **ptr, size_t size, unsigned int flags)
{
    return ::cudaHostAlloc(ptxemu_untyped(ptr), size, flags);
}

template <class T>
static __inline__ __host__ cudaError_t cudaHostGetDevicePointer(T **pDevice, void *pHost, unsigned int flags)
{
    return ::cudaHostGetDevicePointer(ptxemu_untyped(pDevice), pHost, flags);
}

/* --- stream-ordered memory --- */

template <class T> static __inline__ __host__ cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaStream_t stream)
{
    return ::cudaMallocAsync(ptxemu_untyped(ptr), size, stream);
}

static __inline__ __host__ cudaError_t cudaMallocAsync(void **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync(ptr, size, pool, stream);
}

template <class T>
static __inline__ __host__ cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync(ptxemu_untyped(ptr), size, pool, stream);
}

template <class T>
static __inline__ __host__ cudaError_t cudaMallocFromPoolAsync(T **ptr, size_t size, cudaMemPool_t pool,
                                                               cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync(ptxemu_untyped(ptr), size, pool, stream);
}

/* --- batches: the forms that take one location or one set of attributes for all --- */

#if PTXEMU_CUDA_VERSION >= 13000
template <class T>
static __inline__ __host__ cudaError_t cudaMemPrefetchBatchAsync(T **dptrs, size_t *sizes, size_t count,
                                                                 struct cudaMemLocation *locations, size_t *first,
                                                                 size_t locationCount, unsigned long long flags,
                                                                 cudaStream_t stream)
{
    return ::cudaMemPrefetchBatchAsync((void **)dptrs, sizes, count, locations, first, locationCount, flags, stream);
}

template <class T>
static __inline__ __host__ cudaError_t cudaMemPrefetchBatchAsync(T **dptrs, size_t *sizes, size_t count,
                                                                 struct cudaMemLocation location,
                                                                 unsigned long long flags, cudaStream_t stream)
{
    size_t first = 0;

    return ::cudaMemPrefetchBatchAsync((void **)dptrs, sizes, count, &location, &first, 1, flags, stream);
}

template <class T>
static __inline__ __host__ cudaError_t cudaMemDiscardAndPrefetchBatchAsync(T **dptrs, size_t *sizes, size_t count,
                                                                           struct cudaMemLocation *locations,
                                                                           size_t *first, size_t locationCount,
                                                                           unsigned long long flags,
                                                                           cudaStream_t stream)
{
    return ::cudaMemDiscardAndPrefetchBatchAsync((void **)dptrs, sizes, count, locations, first, locationCount, flags,
                                                 stream);
}

template <class T>
static __inline__ __host__ cudaError_t cudaMemDiscardAndPrefetchBatchAsync(T **dptrs, size_t *sizes, size_t count,
                                                                           struct cudaMemLocation location,
                                                                           unsigned long long flags,
                                                                           cudaStream_t stream)
{
    size_t first = 0;

    return ::cudaMemDiscardAndPrefetchBatchAsync((void **)dptrs, sizes, count, &location, &first, 1, flags, stream);
}

template <class T, class U>
static __inline__ __host__ cudaError_t cudaMemcpyBatchAsync(T *const *dsts, U *const *srcs, const size_t *sizes,
                                                            size_t count, struct cudaMemcpyAttributes *attributes,
                                                            size_t *first, size_t attributeCount, cudaStream_t stream)
{
    return ::cudaMemcpyBatchAsync((void *const *)dsts, (const void *const *)srcs, sizes, count, attributes, first,
                                  attributeCount, stream);
}

template <class T, class U>
static __inline__ __host__ cudaError_t cudaMemcpyBatchAsync(T *const *dsts, U *const *srcs, const size_t *sizes,
                                                            size_t count, struct cudaMemcpyAttributes attributes,
                                                            cudaStream_t stream)
{
    size_t first = 0;

    return ::cudaMemcpyBatchAsync((void *const *)dsts, (const void *const *)srcs, sizes, count, &attributes, &first, 1,
                                  stream);
}
#endif

/* --- older forms --- */

static __inline__ __host__ cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}

static __inline__ __host__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                                            cudaGraphNode_t *, char *, size_t)
{
    return ::cudaGraphInstantiate(pGraphExec, graph, 0);
}

static __inline__ __host__ cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                                           cudaGraphNode_t *hErrorNode_out,
                                                           enum cudaGraphExecUpdateResult *updateResult_out)
{
    cudaGraphExecUpdateResultInfo info;
    cudaError_t status = ::cudaGraphExecUpdate(hGraphExec, hGraph, &info);

    if (hErrorNode_out) {
        *hErrorNode_out = info.errorNode;
    }
    if (updateResult_out) {
        *updateResult_out = info.result;
    }
    return status;
}

/* --- objects that a graph keeps alive --- */

#if __cplusplus >= 201103L
template <class T>
static __inline__ __host__ cudaError_t cudaUserObjectCreate(cudaUserObject_t *object_out, T *object,
                                                            unsigned int initialRefcount, unsigned int flags)
{
    return ::cudaUserObjectCreate(
        object_out, object, [](void *last) { delete (T *)last; }, initialRefcount, flags);
}

template <class T>
static __inline__ __host__ cudaError_t cudaUserObjectCreate(cudaUserObject_t *object_out, T *object,
                                                            unsigned int initialRefcount, cudaUserObjectFlags flags)
{
    return cudaUserObjectCreate(object_out, object, initialRefcount, (unsigned int)flags);
}
#endif

#endif
