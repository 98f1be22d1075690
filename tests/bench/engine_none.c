/* Stands for engine_opencl.c where OpenCL is not installed. */
#include "bench.h"

const struct bench_engine *bench_opencl(void)
{
    return NULL;
}
