/* The types of the runtime API. */
#ifndef __DRIVER_TYPES_H__
#define __DRIVER_TYPES_H__

#include <limits.h>
#include <stddef.h>

#include "host_defines.h"
#include "vector_types.h"
#include "runtime_api/types_handles.h"
#include "runtime_api/types_error.h"
#include "runtime_api/types_device.h"
#include "runtime_api/types_memory.h"
#include "runtime_api/types_array.h"
#include "runtime_api/types_launch.h"
#include "runtime_api/types_stream.h"
#include "runtime_api/types_interop.h"
#include "runtime_api/types_graph.h"
#include "runtime_api/types_system.h"

#endif
