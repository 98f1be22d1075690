/*
 * Launches of before CUDA 4: the shape of CTAs and the parameters are set in the function, one by one, and stay for
 * launches to come.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/driver/module.h"

enum { PARAMETERS_MOST = 4096 }; /* bytes; newer kernels may have more, which these calls do not know */

/* What was set. */
struct drv_earlier_launch {
    unsigned block[3];
    unsigned shared_bytes;
    size_t params_bytes;
    uint8_t params[PARAMETERS_MOST];
};

static CUresult enter(CUfunction handle, struct drv_earlier_launch **launch)
{
    struct drv_context *context;
    struct drv_function *function;
    CUresult result = drv_enter(&context);

    if (result == CUDA_SUCCESS) {
        result = drv_function_of(handle, context, &function);
    }
    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (function->earlier_launch == NULL) {
        function->earlier_launch = calloc(1, sizeof **launch);
    }
    *launch = function->earlier_launch;
    return *launch == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z)
{
    struct drv_earlier_launch *launch;
    const CUresult result = enter(hfunc, &launch);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (x <= 0 || y <= 0 || z <= 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    launch->block[0] = (unsigned)x;
    launch->block[1] = (unsigned)y;
    launch->block[2] = (unsigned)z;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes)
{
    struct drv_earlier_launch *launch;
    const CUresult result = enter(hfunc, &launch);

    if (result == CUDA_SUCCESS) {
        launch->shared_bytes = bytes;
    }
    return result;
}

CUresult cuParamSetSize(CUfunction hfunc, unsigned int numbytes)
{
    struct drv_earlier_launch *launch;
    const CUresult result = enter(hfunc, &launch);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (numbytes > PARAMETERS_MOST) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    launch->params_bytes = numbytes;
    return CUDA_SUCCESS;
}

CUresult cuParamSetv(CUfunction hfunc, int offset, void *ptr, unsigned int numbytes)
{
    struct drv_earlier_launch *launch;
    const CUresult result = enter(hfunc, &launch);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (ptr == NULL || offset < 0 || offset > PARAMETERS_MOST || numbytes > (unsigned)(PARAMETERS_MOST - offset)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    memcpy(launch->params + offset, ptr, numbytes);
    return CUDA_SUCCESS;
}

CUresult cuParamSeti(CUfunction hfunc, int offset, unsigned int value)
{
    return cuParamSetv(hfunc, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction hfunc, int offset, float value)
{
    return cuParamSetv(hfunc, offset, &value, sizeof value);
}

CUresult cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream)
{
    struct drv_earlier_launch *launch;
    const CUresult result = enter(f, &launch);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (grid_width <= 0 || grid_height <= 0 || launch->block[0] == 0) { /* the shape was never set */
        return CUDA_ERROR_INVALID_VALUE;
    }
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, launch->params, CU_LAUNCH_PARAM_BUFFER_SIZE, &launch->params_bytes,
                     CU_LAUNCH_PARAM_END};

    return cuLaunchKernel(f, (unsigned)grid_width, (unsigned)grid_height, 1, launch->block[0], launch->block[1],
                          launch->block[2], launch->shared_bytes, hStream, NULL, extra);
}

CUresult cuLaunchGrid(CUfunction f, int grid_width, int grid_height)
{
    return cuLaunchGridAsync(f, grid_width, grid_height, NULL);
}

CUresult cuLaunch(CUfunction f)
{
    return cuLaunchGrid(f, 1, 1);
}
