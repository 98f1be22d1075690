/* Asynchronous notifications and logs. */
#ifndef PTXEMU_CUDA_RUNTIME_TYPES_SYSTEM_H
#define PTXEMU_CUDA_RUNTIME_TYPES_SYSTEM_H

#include "types_handles.h"

#include "../api_common/begin.h"

typedef enum cudaAsyncNotificationType_enum { cudaAsyncNotificationTypeOverBudget = 1 } cudaAsyncNotificationType;

typedef enum CUDAlogLevel_enum { cudaLogLevelError = 0, cudaLogLevelWarning = 1 } cudaLogLevel;

struct cudaAsyncNotificationInfo {
    cudaAsyncNotificationType type;
    union {
        struct {
            unsigned long long bytesOverBudget;
        } overBudget;
    } info;
};
typedef struct cudaAsyncNotificationInfo cudaAsyncNotificationInfo_t;

typedef void (*cudaAsyncCallback)(cudaAsyncNotificationInfo_t *, void *, cudaAsyncCallbackHandle_t);

typedef void (*cudaLogsCallback_t)(void *, cudaLogLevel, char *, size_t);

#include "../api_common/end.h"

#endif
