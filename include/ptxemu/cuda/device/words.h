/* How the functions of device code are declared. All are inline: a program's PTX holds just those that it uses. */
#ifndef PTXEMU_CUDA_DEVICE_WORDS_H
#define PTXEMU_CUDA_DEVICE_WORDS_H

#include "../host_defines.h"

#define PTXEMU_DEVICE static __inline__ __attribute__((always_inline)) __device__
/* Functions too long to be repeated at every call. */
#define PTXEMU_DEVICE_CALL static __attribute__((noinline, unused)) __device__

#endif
