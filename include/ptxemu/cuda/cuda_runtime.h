/*
 * What a source of CUDA sees without including anything: the runtime API, the constructors of its types, in C++ the
 * typed forms of its functions, and, when clang compiles CUDA, what device code may use.
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

/* Both compilers of CUDA define it; clang leaves that to the header it is told not to include (-nocudainc). */
#if defined(__CUDA__) && !defined(__CUDACC__)
#define __CUDACC__
#endif

#include "host_defines.h"
#include "builtin_types.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "library_types.h"
#include "vector_functions.h"

#ifdef __cplusplus
#include "channel_descriptor.h"
#include "runtime_api/typed_memory.h"
#include "runtime_api/typed_launch.h"
#include "runtime_api/typed_occupancy.h"
#endif

#if defined(__CUDACC__)
#include "runtime_api/typed_symbols.h"
#endif

#if defined(__CUDA__) && defined(__clang__)
#include "device/device.h"
#endif

#endif
