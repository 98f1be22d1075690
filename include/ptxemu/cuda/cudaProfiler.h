/* Profiler control of the driver API. */
#ifndef cuda_profiler_H
#define cuda_profiler_H

#include "cuda.h"
#include "api_common/begin.h"

typedef enum CUoutput_mode_enum { CU_OUT_KEY_VALUE_PAIR = 0, CU_OUT_CSV = 1 } CUoutput_mode;

CUresult cuProfilerInitialize(const char *configFile, const char *outputFile, CUoutput_mode outputMode);
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

#include "api_common/end.h"

#endif
