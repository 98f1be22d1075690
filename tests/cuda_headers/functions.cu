//! kernel math
//! grid 8
//! block 64
//! arg f64:file(in.bin)
//! arg f64[30208]
// Every row of functions.def for every argument: column by column, both as written by functions.c.
#include <cuda_runtime.h>

enum { values = 512 }; // of each row, as in functions.c

extern "C" __global__ void math(const double *in, double *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

#define ONE(function, low, high, units) \
    out[i] = function(in[2 * i]); \
    in += 2 * values; \
    out += values;
#define TWO(function, low, high, low2, high2, units) \
    out[i] = function(in[2 * i], in[2 * i + 1]); \
    in += 2 * values; \
    out += values;
#define FLOAT(function, host, low, high, units) \
    out[i] = function((float)in[2 * i]); \
    in += 2 * values; \
    out += values;
#include "functions.def"
}
