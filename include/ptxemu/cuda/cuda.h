/*
 * The driver API of CUDA: names, values, layouts and signatures, as any program built against it relies on them.
 *
 * The guard is the one that NVIDIA's header uses, so that one program never sees both.
 */
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include "driver_api/handles.h"
#include "driver_api/result.h"
#include "driver_api/process.h"
#include "driver_api/device.h"
#include "driver_api/context.h"
#include "driver_api/module.h"
#include "driver_api/launch.h"
#include "driver_api/memory.h"
#include "driver_api/virtual.h"
#include "driver_api/pool.h"
#include "driver_api/array.h"
#include "driver_api/tensor.h"
#include "driver_api/stream.h"
#include "driver_api/event.h"
#include "driver_api/interop.h"
#include "driver_api/graph.h"
#include "driver_api/system.h"

#if defined(__CUDA_API_VERSION_INTERNAL)
#if PTXEMU_CUDA_VERSION < 13000
#error "functions of earlier releases are declared beside those of 13.0 only"
#endif
#include "driver_api/earlier.h"
#elif defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#include "driver_api/per_thread.h"
#endif

#endif
