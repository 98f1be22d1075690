/* Profiler control of the runtime API. */
#ifndef __CUDA_PROFILER_API_H__
#define __CUDA_PROFILER_API_H__

#include "driver_types.h"
#include "api_common/begin.h"

cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

#include "api_common/end.h"

#endif
