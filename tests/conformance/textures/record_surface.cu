/* Kernels of record.cu that load and store bytes of surfaces. */
#include "record_visit.cuh"

bool launch_visit(const ts_case &c, cudaSurfaceObject_t t, const ts_sample *in, uint4 *out)
{
    TRY(TS_LOAD, TS_CLAMP) TRY(TS_LOAD, TS_ZERO) TRY(TS_STORE, TS_CLAMP) TRY(TS_STORE, TS_ZERO)
    return launch_formatted(c, t, in, out);
}
