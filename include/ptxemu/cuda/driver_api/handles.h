/* Handles: what programs hold instead of pointers to the objects of the driver, and the scalar types of the API. */
#ifndef PTXEMU_CUDA_DRIVER_HANDLES_H
#define PTXEMU_CUDA_DRIVER_HANDLES_H

#include "base.h"
#include "../api_common/uuid.h"

#include "../api_common/begin.h"

#define CU_STREAM_LEGACY     ((CUstream)0x1) /* stream 0 as it always was */
#define CU_STREAM_PER_THREAD ((CUstream)0x2) /* stream 0 of the calling thread */
#define CU_DEVICE_CPU        ((CUdevice)-1)  /* the host, as a place for managed memory */
#define CU_DEVICE_INVALID    ((CUdevice)-2)

typedef struct CUarray_st *CUarray;
typedef struct CUasyncCallbackEntry_st *CUasyncCallbackHandle;
typedef struct CUctx_st *CUcontext;
typedef int CUdevice_v1;
typedef CUdevice_v1 CUdevice;
typedef unsigned long long CUdeviceptr_v2;
typedef CUdeviceptr_v2 CUdeviceptr;
typedef struct CUevent_st *CUevent;
typedef struct CUextMemory_st *CUexternalMemory;
typedef struct CUextSemaphore_st *CUexternalSemaphore;
typedef struct CUfunc_st *CUfunction;
typedef struct CUgraph_st *CUgraph;
typedef uint64_t cuuint64_t;
typedef cuuint64_t CUgraphConditionalHandle;
typedef struct CUgraphDeviceUpdatableNode_st *CUgraphDeviceNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUgraphicsResource_st *CUgraphicsResource;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgreenCtx_st *CUgreenCtx;
typedef struct CUkern_st *CUkernel;
typedef struct CUlib_st *CUlibrary;
typedef struct CUlinkState_st *CUlinkState;
typedef unsigned long long CUmemGenericAllocationHandle_v1;
typedef CUmemGenericAllocationHandle_v1 CUmemGenericAllocationHandle;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef struct CUmipmappedArray_st *CUmipmappedArray;
typedef struct CUmod_st *CUmodule;
typedef struct CUstream_st *CUstream;
typedef unsigned long long CUsurfObject_v1;
typedef CUsurfObject_v1 CUsurfObject;
typedef struct CUsurfref_st *CUsurfref;
typedef unsigned long long CUtexObject_v1;
typedef CUtexObject_v1 CUtexObject;
typedef struct CUtexref_st *CUtexref;
typedef uint32_t cuuint32_t;
typedef struct CUuserObject_st *CUuserObject;

#include "../api_common/end.h"

#endif
