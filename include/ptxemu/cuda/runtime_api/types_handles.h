/* Handles: what programs hold instead of pointers to the objects of the runtime. */
#ifndef PTXEMU_CUDA_RUNTIME_TYPES_HANDLES_H
#define PTXEMU_CUDA_RUNTIME_TYPES_HANDLES_H

#include <stddef.h>

#include "../api_common/version.h"
#include "../api_common/uuid.h"
#include "../vector_types.h"

#include "../api_common/begin.h"

typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaArray *cudaArray_t;
typedef struct cudaAsyncCallbackEntry *cudaAsyncCallbackHandle_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUexternalMemory_st *cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;
typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef unsigned long long cudaGraphConditionalHandle;
typedef struct CUgraphDeviceUpdatableNode_st *cudaGraphDeviceNode_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUkern_st *cudaKernel_t;
typedef struct CUlib_st *cudaLibrary_t;
typedef unsigned int cudaLogIterator;
typedef struct CUlogsCallbackEntry_st *cudaLogsCallbackHandle;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUuserObject_st *cudaUserObject_t;

typedef CUuuid cudaUUID_t;

#include "../api_common/end.h"

#endif
