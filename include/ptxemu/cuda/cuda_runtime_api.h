/*
 * The runtime API of CUDA: names, values, layouts and signatures, as any program built against it relies on them.
 *
 * The guard is the one that NVIDIA's header uses, so that one program never sees both.
 */
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#include "api_common/version.h"
#include "host_defines.h"
#include "builtin_types.h"

#define CUDART_VERSION       PTXEMU_CUDA_VERSION
#define __CUDART_API_VERSION CUDART_VERSION

#include "runtime_api/device.h"
#include "runtime_api/error.h"
#include "runtime_api/memory.h"
#include "runtime_api/array.h"
#include "runtime_api/launch.h"
#include "runtime_api/stream.h"
#include "runtime_api/graph.h"
#include "runtime_api/interop.h"
#include "runtime_api/system.h"

#endif
