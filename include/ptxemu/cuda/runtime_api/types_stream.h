/* Streams and events: flags, capture, callbacks. */
#ifndef PTXEMU_CUDA_RUNTIME_TYPES_STREAM_H
#define PTXEMU_CUDA_RUNTIME_TYPES_STREAM_H

#include "types_handles.h"
#include "types_error.h"

#include "../api_common/begin.h"

#define cudaStreamDefault                        0x00
#define cudaStreamNonBlocking                    0x01
#define cudaStreamLegacy                         ((cudaStream_t)0x1) /* stream 0 as it always was */
#define cudaStreamPerThread                      ((cudaStream_t)0x2) /* stream 0 of the calling thread */
#define cudaEventDefault                         0x00
#define cudaEventBlockingSync                    0x01
#define cudaEventDisableTiming                   0x02
#define cudaEventInterprocess                    0x04
#define cudaEventRecordDefault                   0x00
#define cudaEventRecordExternal                  0x01
#define cudaEventWaitDefault                     0x00
#define cudaEventWaitExternal                    0x01
#define cudaStreamAttrID                         cudaLaunchAttributeID
#define cudaStreamAttributeAccessPolicyWindow    cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributeMemSyncDomainMap      cudaLaunchAttributeMemSyncDomainMap
#define cudaStreamAttributeMemSyncDomain         cudaLaunchAttributeMemSyncDomain
#define cudaStreamAttributePriority              cudaLaunchAttributePriority
#define cudaStreamAttrValue                      cudaLaunchAttributeValue
#define cudaStreamAttrID                         cudaLaunchAttributeID
#define cudaStreamAttributeAccessPolicyWindow    cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributeMemSyncDomainMap      cudaLaunchAttributeMemSyncDomainMap
#define cudaStreamAttributeMemSyncDomain         cudaLaunchAttributeMemSyncDomain
#define cudaStreamAttributePriority              cudaLaunchAttributePriority
#define cudaStreamAttrValue                      cudaLaunchAttributeValue

/* Which threads may make unsafe calls while a capture is going on. */
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
};

enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2
};

enum cudaStreamUpdateCaptureDependenciesFlags {
    cudaStreamAddCaptureDependencies = 0,
    cudaStreamSetCaptureDependencies = 1
};

typedef void (*cudaHostFn_t)(void *);

typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);

#include "../api_common/end.h"

#endif
