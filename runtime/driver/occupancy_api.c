/*
 * Occupancy: how many CTAs of a function are resident, by the rules of emu/occupancy.c.
 */
#include "emu/emu.h"
#include "runtime/driver/module.h"

static CUresult enter(CUfunction handle, struct drv_function **function)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    return result != CUDA_SUCCESS ? result : drv_function_of(handle, context, function);
}

static int resident(const struct drv_function *f, int threads, uint64_t dynamic_shared)
{
    struct emu_occupancy o;

    if (threads <= 0 || (int64_t)dynamic_shared > drv_function_dynamic_shared_limit(f)) {
        return 0;
    }
    emu_occupancy(&f->module->context->device->gpu->spec, (unsigned)threads, rt_registers(f->kernel, (unsigned)threads),
                  f->kernel->func->shared_bytes + dynamic_shared, &o);
    return (int)o.ctas_per_sm;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, CUfunction func, int blockSize,
                                                              size_t dynamicSMemSize, unsigned int flags)
{
    struct drv_function *f;
    const CUresult result = enter(func, &f);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (numBlocks == NULL || blockSize <= 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *numBlocks = resident(f, blockSize, dynamicSMemSize);
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func, int blockSize,
                                                     size_t dynamicSMemSize)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize, dynamicSMemSize, 0);
}

/* The block size, in whole warps, that makes the most threads resident; of equals the largest (cuda_occupancy.h). */
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, CUfunction func,
                                                   CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                   size_t dynamicSMemSize, int blockSizeLimit, unsigned int flags)
{
    struct drv_function *f;
    CUresult result = enter(func, &f);
    int most = 0, best_threads = 0, best_size = 0;

    if (result == CUDA_SUCCESS &&
        (minGridSize == NULL || blockSize == NULL || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        result = cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f->handle);
    }
    if (result != CUDA_SUCCESS) {
        return result;
    }
    const struct emu_spec *s = &f->module->context->device->gpu->spec;
    const int warp = (int)s->warp_lanes, per_sm = (int)s->max_threads_per_sm;

    most = blockSizeLimit > 0 && blockSizeLimit < most ? blockSizeLimit : most;
    for (int size = (most + warp - 1) / warp * warp; size > 0; size -= warp) {
        const int threads = size < most ? size : most;
        const uint64_t shared =
            blockSizeToDynamicSMemSize != NULL ? blockSizeToDynamicSMemSize(threads) : dynamicSMemSize;
        const int resident_threads = resident(f, threads, shared) * threads;

        if (resident_threads > best_threads) {
            best_threads = resident_threads;
            best_size = threads;
        }
        if (best_threads == per_sm) {
            break;
        }
    }
    *blockSize = best_size;
    *minGridSize = best_size == 0 ? 0 : best_threads / best_size * (int)s->sm_count;
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction func,
                                          CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize,
                                          int blockSizeLimit)
{
    return cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, blockSizeToDynamicSMemSize,
                                                     dynamicSMemSize, blockSizeLimit, 0);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, CUfunction func, int numBlocks, int blockSize)
{
    struct drv_function *f;
    const CUresult result = enter(func, &f);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (dynamicSmemSize == NULL || numBlocks <= 0 || blockSize <= 0 || resident(f, blockSize, 0) < numBlocks) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const struct emu_spec *s = &f->module->context->device->gpu->spec;
    const uint64_t used = f->kernel->func->shared_bytes;
    const uint64_t limit = (uint64_t)drv_function_dynamic_shared_limit(f);
    uint64_t each = s->shared_per_sm / (unsigned)numBlocks / s->shared_alloc_unit * s->shared_alloc_unit;

    /* What CUDA itself takes of each CTA is not counted; as on H200. */
    each = each > s->shared_per_cta_optin ? s->shared_per_cta_optin : each;
    each = each > used ? each - used : 0;
    *dynamicSmemSize = each > limit ? limit : each;
    return CUDA_SUCCESS;
}

/* --- clusters --------------------------------------------------------------------------------- */
static CUresult cluster_enter(CUfunction func, const CUlaunchConfig *config, struct drv_function **f)
{
    const CUresult result = config == NULL ? CUDA_ERROR_INVALID_VALUE : enter(func, f);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    return (*f)->module->context->device->gpu->spec.cc_major < 9 ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialClusterSize(int *clusterSize, CUfunction func, const CUlaunchConfig *config)
{
    struct drv_function *f;
    const CUresult result = drv_check_out(cluster_enter(func, config, &f), clusterSize);

    if (result == CUDA_SUCCESS) {
        *clusterSize = (int)drv_function_cluster_most(f);
    }
    return result;
}

CUresult cuOccupancyMaxActiveClusters(int *numClusters, CUfunction func, const CUlaunchConfig *config)
{
    struct drv_function *f;
    const CUresult result = drv_check_out(cluster_enter(func, config, &f), numClusters);
    unsigned ctas = 1;

    if (result != CUDA_SUCCESS) {
        return result;
    }
    for (unsigned i = 0; i < config->numAttrs && config->attrs != NULL; i++) {
        if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
            ctas = config->attrs[i].value.clusterDim.x * config->attrs[i].value.clusterDim.y *
                   config->attrs[i].value.clusterDim.z;
        }
    }
    if (ctas > drv_function_cluster_most(f)) { /* as on H200 */
        *numClusters = 0;
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    }
    const int threads = (int)(config->blockDimX * config->blockDimY * config->blockDimZ);
    const int per_sm = resident(f, threads, config->sharedMemBytes);

    *numClusters = ctas == 0 ? 0 : per_sm * (int)f->module->context->device->gpu->spec.sm_count / (int)ctas;
    return CUDA_SUCCESS;
}
