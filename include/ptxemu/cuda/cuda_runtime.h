/* What a source of CUDA sees without including anything: the runtime API, the constructors of its types. */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "host_defines.h"
#include "builtin_types.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "library_types.h"
#include "vector_functions.h"

#endif
