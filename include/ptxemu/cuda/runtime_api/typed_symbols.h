/*
 * CUDA C++: functions that take a device variable or a kernel by its name in the source. Only where a compiler of CUDA
 * gives every device variable its shadow on the host: elsewhere the address of a plain variable would be taken instead.
 */
#ifndef PTXEMU_CUDA_RUNTIME_TYPED_SYMBOLS_H
#define PTXEMU_CUDA_RUNTIME_TYPED_SYMBOLS_H

#include "../cuda_runtime_api.h"

/* --- variables --- */

template <class T> static __inline__ __host__ cudaError_t cudaGetSymbolAddress(void **devPtr, const T &symbol)
{
    return ::cudaGetSymbolAddress(devPtr, (const void *)&symbol);
}

template <class T> static __inline__ __host__ cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{
    return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

template <class T>
static __inline__ __host__ cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count,
                                                          size_t offset = 0,
                                                          enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}

template <class T>
static __inline__ __host__ cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count,
                                                               size_t offset = 0,
                                                               enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                               cudaStream_t stream = 0)
{
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind, stream);
}

template <class T>
static __inline__ __host__ cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                                            enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}

template <class T>
static __inline__ __host__ cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count,
                                                                 size_t offset = 0,
                                                                 enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                                 cudaStream_t stream = 0)
{
    return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind, stream);
}

/* --- variables in graphs --- */

template <class T>
static __inline__ __host__ cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                                      const cudaGraphNode_t *pDependencies,
                                                                      size_t numDependencies, const T &symbol,
                                                                      const void *src, size_t count, size_t offset,
                                                                      enum cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNodeToSymbol(pGraphNode, graph, pDependencies, numDependencies, (const void *)&symbol,
                                            src, count, offset, kind);
}

template <class T>
static __inline__ __host__ cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                                        const cudaGraphNode_t *pDependencies,
                                                                        size_t numDependencies, void *dst,
                                                                        const T &symbol, size_t count, size_t offset,
                                                                        enum cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNodeFromSymbol(pGraphNode, graph, pDependencies, numDependencies, dst,
                                              (const void *)&symbol, count, offset, kind);
}

template <class T>
static __inline__ __host__ cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T &symbol,
                                                                            const void *src, size_t count,
                                                                            size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, (const void *)&symbol, src, count, offset, kind);
}

template <class T>
static __inline__ __host__ cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst,
                                                                              const T &symbol, size_t count,
                                                                              size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, (const void *)&symbol, count, offset, kind);
}

template <class T>
static __inline__ __host__ cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec,
                                                                                cudaGraphNode_t node, const T &symbol,
                                                                                const void *src, size_t count,
                                                                                size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(hGraphExec, node, (const void *)&symbol, src, count, offset,
                                                      kind);
}

template <class T>
static __inline__ __host__ cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec,
                                                                                  cudaGraphNode_t node, void *dst,
                                                                                  const T &symbol, size_t count,
                                                                                  size_t offset,
                                                                                  enum cudaMemcpyKind kind)
{
    return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(hGraphExec, node, dst, (const void *)&symbol, count, offset,
                                                        kind);
}

/* --- kernels --- */

template <class T>
static __inline__ __host__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, T *entry)
{
    return ::cudaFuncGetAttributes(attr, (const void *)entry);
}

template <class T>
static __inline__ __host__ cudaError_t cudaFuncSetAttribute(T *func, enum cudaFuncAttribute attr, int value)
{
    return ::cudaFuncSetAttribute((const void *)func, attr, value);
}

template <class T>
static __inline__ __host__ cudaError_t cudaFuncSetCacheConfig(T *func, enum cudaFuncCache cacheConfig)
{
    return ::cudaFuncSetCacheConfig((const void *)func, cacheConfig);
}

template <class T>
static __inline__ __host__ cudaError_t cudaFuncSetSharedMemConfig(T *func, enum cudaSharedMemConfig config)
{
    return ::cudaFuncSetSharedMemConfig((const void *)func, config);
}

template <class T> static __inline__ __host__ cudaError_t cudaFuncGetName(const char **name, T *func)
{
    return ::cudaFuncGetName(name, (const void *)func);
}

template <class T> static __inline__ __host__ cudaError_t cudaGetKernel(cudaKernel_t *kernelPtr, T *func)
{
    return ::cudaGetKernel(kernelPtr, (const void *)func);
}

/* --- libraries --- */

template <class T>
static __inline__ __host__ cudaError_t cudaLibraryGetGlobal(T **dptr, size_t *bytes, cudaLibrary_t library,
                                                            const char *name)
{
    return ::cudaLibraryGetGlobal((void **)(void *)dptr, bytes, library, name);
}

template <class T>
static __inline__ __host__ cudaError_t cudaLibraryGetManaged(T **dptr, size_t *bytes, cudaLibrary_t library,
                                                             const char *name)
{
    return ::cudaLibraryGetManaged((void **)(void *)dptr, bytes, library, name);
}

template <class T>
static __inline__ __host__ cudaError_t cudaLibraryGetUnifiedFunction(T **fptr, cudaLibrary_t library,
                                                                     const char *symbol)
{
    return ::cudaLibraryGetUnifiedFunction((void **)(void *)fptr, library, symbol);
}

#endif
