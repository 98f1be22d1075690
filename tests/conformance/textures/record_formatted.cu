/* Kernels of record.cu that store texels and reduce. */
#include "record_visit.cuh"

bool launch_formatted(const ts_case &c, cudaSurfaceObject_t t, const ts_sample *in, uint4 *out)
{
    TRY(TS_STORE_P, TS_CLAMP) TRY(TS_STORE_P, TS_ZERO) TRY(TS_ADD, TS_CLAMP) TRY(TS_MIN_S, TS_ZERO) TRY(TS_MAX_U, TS_ZERO)
    TRY(TS_AND, TS_CLAMP) TRY(TS_OR, TS_CLAMP) TRY(TS_ADD_P, TS_CLAMP)
    return false;
}
