/*
 * Launches.  Compiled twice, see stream.h.
 */
#include "runtime/driver/capture.h"
#include "runtime/driver/event.h"
#include "runtime/driver/module.h"
#include "runtime/driver/stream.h"

static CUresult launch(CUfunction f, const struct drv_launch *l, CUstream handle)
{
    struct drv_stream *stream;
    struct drv_context *context;
    struct drv_work *work;
    CUresult result = drv_stream_enter(handle, &stream, &context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    drv_printf_flush(context);
    result = drv_launch_work(context, f, l, &work);
    if (result == CUDA_ERROR_INVALID_CLUSTER_SIZE && stream->capture != NULL) { /* as on H200 */
        drv_capture_refuse(stream);
    }
    if (result == CUDA_SUCCESS) {
        result = drv_submit(stream, work);
    }
    /* Meant for when it has begun, or its programmatic dependents may; here when it has ended. */
    return result == CUDA_SUCCESS && l->event != NULL ? drv_event_record(stream, l->event, 0) : result;
}

CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                        unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                        unsigned int sharedMemBytes, CUstream hStream, void **kernelParams, void **extra)
{
    const struct drv_launch l = {.grid = {gridDimX, gridDimY, gridDimZ},
                                 .block = {blockDimX, blockDimY, blockDimZ},
                                 .shared_bytes = sharedMemBytes,
                                 .params = kernelParams,
                                 .extra = extra};

    return launch(f, &l, drv_stream_given(hStream));
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                                   unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                                   unsigned int sharedMemBytes, CUstream hStream, void **kernelParams)
{
    const struct drv_launch l = {.grid = {gridDimX, gridDimY, gridDimZ},
                                 .block = {blockDimX, blockDimY, blockDimZ},
                                 .shared_bytes = sharedMemBytes,
                                 .cooperative = true,
                                 .params = kernelParams};

    return launch(f, &l, drv_stream_given(hStream));
}

/* What the attributes of a launch ask for; those that only tune are taken. */
static CUresult read_attributes(const CUlaunchConfig *config, struct drv_launch *l)
{
    if (config->numAttrs > 0 && config->attrs == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const CUlaunchAttribute *a = &config->attrs[i];

        switch (a->id) {
        case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
            l->cooperative = a->value.cooperative != 0;
            break;
        case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
            l->cluster[0] = a->value.clusterDim.x;
            l->cluster[1] = a->value.clusterDim.y;
            l->cluster[2] = a->value.clusterDim.z;
            if ((l->cluster[0] == 0 || l->cluster[1] == 0 || l->cluster[2] == 0) &&
                (l->cluster[0] | l->cluster[1] | l->cluster[2]) != 0) { /* three zeros: no cluster, as on H200 */
                return CUDA_ERROR_INVALID_CLUSTER_SIZE;
            }
            break;
        case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
            l->event = a->value.launchCompletionEvent.event;
            break;
        case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
            l->event = a->value.programmaticEvent.event;
            break;
        case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
            return drv_unsupported("a kernel node that device code may update");
        default:
            if ((unsigned)a->id >= 32) {
                return CUDA_ERROR_INVALID_VALUE;
            }
            break;
        }
    }
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra)
{
    struct drv_launch l;

    if (config == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    l = (struct drv_launch){.grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
                            .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
                            .shared_bytes = config->sharedMemBytes,
                            .params = kernelParams,
                            .extra = extra};
    const CUresult result = read_attributes(config, &l);

    return result != CUDA_SUCCESS ? result : launch(f, &l, drv_stream_given(config->hStream));
}
