/* What every header of the driver API needs first: the release, the calling convention, the names. */
#ifndef PTXEMU_CUDA_DRIVER_BASE_H
#define PTXEMU_CUDA_DRIVER_BASE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "../api_common/version.h"
#include "rename.h"

#define CUDA_VERSION PTXEMU_CUDA_VERSION

/* Calling conventions differ on Windows only. */
#define CUDAAPI
#define CUDA_CB

#endif
