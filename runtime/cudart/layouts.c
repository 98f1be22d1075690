/*
 * Checks that structs which the runtime hands to the driver as they are have one layout in both APIs, and that the
 * enumerations which are handed on as numbers agree where they could differ.
 *
 * Invariant: a struct pointer is cast from a runtime type to a driver type only for the pairs listed here.
 */
#include "cudart.h"

#define SAME_SIZE(runtime_type, driver_type) \
    _Static_assert(sizeof(runtime_type) == sizeof(driver_type), #runtime_type " and " #driver_type)
#define SAME_MEMBER(runtime_type, runtime_member, driver_type, driver_member)                                    \
    _Static_assert(offsetof(runtime_type, runtime_member) == offsetof(driver_type, driver_member) &&             \
                       sizeof(((runtime_type *)0)->runtime_member) == sizeof(((driver_type *)0)->driver_member), \
                   #runtime_type "." #runtime_member)
#define SAME_NUMBER(runtime_name, driver_name) \
    _Static_assert((int)(runtime_name) == (int)(driver_name), #runtime_name " and " #driver_name)

/* --- memory ----------------------------------------------------------------------------------- */
SAME_SIZE(struct cudaMemLocation, CUmemLocation);
SAME_MEMBER(struct cudaMemLocation, id, CUmemLocation, id);

SAME_SIZE(struct cudaMemPoolProps, CUmemPoolProps);
SAME_MEMBER(struct cudaMemPoolProps, handleTypes, CUmemPoolProps, handleTypes);
SAME_MEMBER(struct cudaMemPoolProps, location, CUmemPoolProps, location);
SAME_MEMBER(struct cudaMemPoolProps, maxSize, CUmemPoolProps, maxSize);

SAME_SIZE(struct cudaMemAccessDesc, CUmemAccessDesc);
SAME_MEMBER(struct cudaMemAccessDesc, flags, CUmemAccessDesc, flags);

SAME_SIZE(struct cudaMemPoolPtrExportData, CUmemPoolPtrExportData);

SAME_SIZE(struct cudaMemcpyAttributes, CUmemcpyAttributes);
SAME_MEMBER(struct cudaMemcpyAttributes, srcLocHint, CUmemcpyAttributes, srcLocHint);
SAME_MEMBER(struct cudaMemcpyAttributes, flags, CUmemcpyAttributes, flags);

SAME_SIZE(struct cudaMemcpy3DBatchOp, CUDA_MEMCPY3D_BATCH_OP);
SAME_MEMBER(struct cudaMemcpy3DBatchOp, dst, CUDA_MEMCPY3D_BATCH_OP, dst);
SAME_MEMBER(struct cudaMemcpy3DBatchOp, extent, CUDA_MEMCPY3D_BATCH_OP, extent);
SAME_MEMBER(struct cudaMemcpy3DBatchOp, flags, CUDA_MEMCPY3D_BATCH_OP, flags);
SAME_MEMBER(struct cudaMemcpy3DOperand, op, CUmemcpy3DOperand, op);

SAME_NUMBER(cudaMemAdviseUnsetAccessedBy, CU_MEM_ADVISE_UNSET_ACCESSED_BY);
SAME_NUMBER(cudaMemRangeAttributeLastPrefetchLocation, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION);
SAME_NUMBER(cudaMemPoolAttrReleaseThreshold, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
SAME_NUMBER(cudaMemPoolAttrUsedMemHigh, CU_MEMPOOL_ATTR_USED_MEM_HIGH);
SAME_NUMBER(cudaMemAttachSingle, CU_MEM_ATTACH_SINGLE);
SAME_NUMBER(cudaHostAllocWriteCombined, CU_MEMHOSTALLOC_WRITECOMBINED);
SAME_NUMBER(cudaHostRegisterReadOnly, CU_MEMHOSTREGISTER_READ_ONLY);

/* --- arrays and textures ---------------------------------------------------------------------- */
SAME_SIZE(struct cudaArraySparseProperties, CUDA_ARRAY_SPARSE_PROPERTIES);
SAME_MEMBER(struct cudaArraySparseProperties, miptailSize, CUDA_ARRAY_SPARSE_PROPERTIES, miptailSize);
SAME_SIZE(struct cudaArrayMemoryRequirements, CUDA_ARRAY_MEMORY_REQUIREMENTS);
SAME_MEMBER(struct cudaArrayMemoryRequirements, alignment, CUDA_ARRAY_MEMORY_REQUIREMENTS, alignment);

SAME_NUMBER(cudaArraySparse, CUDA_ARRAY3D_SPARSE);
SAME_NUMBER(cudaArrayTextureGather, CUDA_ARRAY3D_TEXTURE_GATHER);
SAME_NUMBER(cudaArraySurfaceLoadStore, CUDA_ARRAY3D_SURFACE_LDST);
SAME_NUMBER(cudaAddressModeBorder, CU_TR_ADDRESS_MODE_BORDER);
SAME_NUMBER(cudaFilterModeLinear, CU_TR_FILTER_MODE_LINEAR);
SAME_NUMBER(cudaResourceTypePitch2D, CU_RESOURCE_TYPE_PITCH2D);
SAME_NUMBER(cudaResViewFormatUnsignedBlockCompressed7, CU_RES_VIEW_FORMAT_UNSIGNED_BC7);

/* --- streams, events, graphs ------------------------------------------------------------------ */
SAME_SIZE(cudaLaunchAttributeValue, CUlaunchAttributeValue);
SAME_NUMBER(cudaLaunchAttributePriority, CU_LAUNCH_ATTRIBUTE_PRIORITY);
SAME_NUMBER(cudaEventInterprocess, CU_EVENT_INTERPROCESS);
SAME_NUMBER(cudaStreamNonBlocking, CU_STREAM_NON_BLOCKING);
SAME_NUMBER(cudaStreamCaptureModeRelaxed, CU_STREAM_CAPTURE_MODE_RELAXED);
SAME_NUMBER(cudaStreamCaptureStatusInvalidated, CU_STREAM_CAPTURE_STATUS_INVALIDATED);

SAME_SIZE(cudaGraphEdgeData, CUgraphEdgeData);
SAME_MEMBER(cudaGraphEdgeData, type, CUgraphEdgeData, type);

SAME_SIZE(cudaGraphInstantiateParams, CUDA_GRAPH_INSTANTIATE_PARAMS);
SAME_MEMBER(cudaGraphInstantiateParams, uploadStream, CUDA_GRAPH_INSTANTIATE_PARAMS, hUploadStream);
SAME_MEMBER(cudaGraphInstantiateParams, result_out, CUDA_GRAPH_INSTANTIATE_PARAMS, result_out);

SAME_SIZE(cudaGraphExecUpdateResultInfo, CUgraphExecUpdateResultInfo);
SAME_MEMBER(cudaGraphExecUpdateResultInfo, errorFromNode, CUgraphExecUpdateResultInfo, errorFromNode);

SAME_SIZE(struct cudaMemAllocNodeParams, CUDA_MEM_ALLOC_NODE_PARAMS);
SAME_MEMBER(struct cudaMemAllocNodeParams, accessDescs, CUDA_MEM_ALLOC_NODE_PARAMS, accessDescs);
SAME_MEMBER(struct cudaMemAllocNodeParams, dptr, CUDA_MEM_ALLOC_NODE_PARAMS, dptr);

SAME_SIZE(struct cudaHostNodeParams, CUDA_HOST_NODE_PARAMS);
SAME_SIZE(struct cudaMemsetParams, CUDA_MEMSET_NODE_PARAMS_v1);
SAME_MEMBER(struct cudaMemsetParams, elementSize, CUDA_MEMSET_NODE_PARAMS_v1, elementSize);
SAME_MEMBER(struct cudaMemsetParams, height, CUDA_MEMSET_NODE_PARAMS_v1, height);

SAME_NUMBER(cudaGraphNodeTypeConditional, CU_GRAPH_NODE_TYPE_CONDITIONAL);
SAME_NUMBER(cudaGraphExecUpdateErrorAttributesChanged, CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED);
SAME_NUMBER(cudaGraphMemAttrReservedMemHigh, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH);
SAME_NUMBER(cudaGraphInstantiateFlagUseNodePriority, CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY);
