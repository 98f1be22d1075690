/*
 * Launches: what a call asks for, checked and packed, becomes work; running it is the engine's affair, and what went
 * wrong the program's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/driver/memory.h"
#include "runtime/driver/module.h"
#include "runtime/driver/work.h"

/* --- faults ----------------------------------------------------------------------------------- */
static CUresult fault_error(enum emu_fault_kind kind)
{
    switch (kind) {
    case EMU_FAULT_OUT_OF_BOUNDS:
    case EMU_FAULT_NULL:
    case EMU_FAULT_READ_ONLY:
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    case EMU_FAULT_MISALIGNED:
        return CUDA_ERROR_MISALIGNED_ADDRESS;
    case EMU_FAULT_ASSERT:
        return CUDA_ERROR_ASSERT;
    case EMU_FAULT_DEADLOCK:
    case EMU_FAULT_TIMEOUT:
    case EMU_FAULT_CANCELLED:
        return CUDA_ERROR_LAUNCH_TIMEOUT;
    case EMU_FAULT_STACK_OVERFLOW:
        return CUDA_ERROR_HARDWARE_STACK_ERROR;
    case EMU_FAULT_BAD_CALL:
        return CUDA_ERROR_INVALID_PC;
    case EMU_FAULT_ILLEGAL_INSTRUCTION:
        return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    case EMU_FAULT_NO_MEMORY:
        return CUDA_ERROR_OUT_OF_MEMORY;
    default: /* trap, barriers used wrongly */
        return CUDA_ERROR_LAUNCH_FAILED;
    }
}

/* What is refused at the launch itself; kernels that faulted are not among it. */
static CUresult refusal_error(enum rt_refusal refusal)
{
    switch (refusal) {
    case RT_REFUSED_EXTENTS:
    case RT_REFUSED_SHARED:
    case RT_REFUSED_BLOCK:
        return CUDA_ERROR_INVALID_VALUE;
    case RT_REFUSED_RESOURCES:
        return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    case RT_REFUSED_COOPERATIVE:
        return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    case RT_REFUSED_CLUSTER:
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    case RT_REFUSED_KERNEL:
        return CUDA_ERROR_NOT_SUPPORTED;
    case RT_REFUSED_NO_MEMORY:
        return CUDA_ERROR_OUT_OF_MEMORY;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

/* --- running ---------------------------------------------------------------------------------- */
static ptxemu_launch engine_launch(const struct drv_kernel_work *w, struct drv_context *context)
{
    const struct drv_options *o = &drv_process()->options;
    ptxemu_launch launch = {.size = sizeof launch,
                            .dynamic_shared = w->shared_bytes,
                            .params = w->params,
                            .params_bytes = w->params_bytes,
                            .policy = o->policy,
                            .seed = o->seed,
                            .timeout_s = o->timeout_s,
                            .print = drv_printf_collect,
                            .user = context};

    memcpy(launch.grid, w->grid, sizeof launch.grid);
    memcpy(launch.block, w->block, sizeof launch.block);
    return launch;
}

/* As NVIDIA's driver words it: scripts look for that. */
static void tell_assertion(void *context, const struct emu_assertion *a)
{
    (void)context;
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", a->file, a->line,
            a->function, a->cta[0], a->cta[1], a->cta[2], a->thread[0], a->thread[1], a->thread[2], a->expression);
}

static CUresult run_kernel(struct drv_work *work, struct drv_context *context)
{
    struct drv_kernel_work *w = (struct drv_kernel_work *)work;
    const ptxemu_launch launch = engine_launch(w, context);
    struct rt_launch_options options = {.cooperative = w->cooperative,
                                        .assertion = tell_assertion,
                                        .pending_most =
                                            (unsigned)context->limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT]};
    struct rt_outcome *out = malloc(sizeof *out);

    if (out == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    memcpy(options.cluster, w->cluster, sizeof options.cluster);
    const ptxemu_status status = rt_launch(w->function->kernel, &launch, &options, out);
    CUresult result = CUDA_SUCCESS;

    if (status != PTXEMU_OK) {
        result = out->has_fault ? fault_error(out->fault.kind) : refusal_error(out->refusal);
        drv_say("%s", out->error);
    }
    free(out);
    return result;
}

static void release_kernel(struct drv_work *work)
{
    struct drv_kernel_work *w = (struct drv_kernel_work *)work;

    drv_module_drop(w->function->module);
    free(w);
}

static const struct drv_work_class kernel_class = {
    .kind = DRV_WORK_KERNEL, .run = run_kernel, .release = release_kernel};

/* --- checks ----------------------------------------------------------------------------------- */
static CUresult check_extents(const struct drv_function *f, const struct drv_launch *l)
{
    const struct emu_spec *s = &f->module->context->device->gpu->spec;
    uint64_t threads = 1;

    for (int i = 0; i < 3; i++) {
        if (l->grid[i] == 0 || l->grid[i] > s->max_grid[i] || l->block[i] == 0 || l->block[i] > s->max_block[i]) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        threads *= l->block[i];
    }
    return threads > s->max_threads_per_cta ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult check_resources(const struct drv_function *f, const struct drv_launch *l)
{
    const struct emu_spec *s = &f->module->context->device->gpu->spec;
    const struct ir_func *code = f->kernel->func;
    const unsigned threads = l->block[0] * l->block[1] * l->block[2];
    uint64_t most = 1;
    struct emu_occupancy o;

    for (int i = 0; i < 3; i++) {
        const uint32_t required = code->reqntid[i] == 0 ? 1 : code->reqntid[i];

        if (code->reqntid[0] != 0 && l->block[i] != required) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        most *= code->maxntid[i] == 0 ? 1 : code->maxntid[i];
    }
    if (code->maxntid[0] != 0 && threads > most) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if ((int64_t)l->shared_bytes > drv_function_dynamic_shared_limit(f)) {
        return l->cooperative ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : CUDA_ERROR_INVALID_VALUE; /* as an H200 */
    }
    emu_occupancy(s, threads, rt_registers(f->kernel, threads), code->shared_bytes + l->shared_bytes, &o);
    if (o.ctas_per_sm == 0) {
        return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    }
    const uint64_t ctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];

    return l->cooperative && ctas > (uint64_t)o.ctas_per_sm * s->sm_count ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE
                                                                          : CUDA_SUCCESS;
}

/* CTAs of a cluster as the launch, or the function's settings, say; the kernel's own come into play behind. */
static void cluster_of(const struct drv_function *f, const struct drv_launch *l, unsigned cluster[3])
{
    for (int i = 0; i < 3; i++) {
        cluster[i] = l->cluster[0] != 0 ? l->cluster[i] : (unsigned)f->settings.cluster[i];
    }
}

static CUresult check_cluster(const struct drv_function *f, const struct drv_launch *l)
{
    char why[RT_WHY_BYTES];
    unsigned cluster[3];

    cluster_of(f, l, cluster);
    if (rt_cluster_ctas(f->kernel->func, cluster) > drv_function_cluster_most(f)) {
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    }
    if (!rt_cluster_fits(f->kernel, l->grid, cluster, why)) {
        drv_verbose("%s", why);
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    }
    return CUDA_SUCCESS;
}

/* Kernels that cannot run say so, by name, each time somebody tries for the first few times. */
static CUresult check_support(struct drv_function *f)
{
    enum { SHOWN_MOST = 1 };

    if (!rt_decode(f->kernel)) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (f->kernel->program->refused == NULL) {
        return CUDA_SUCCESS;
    }
    if (f->refusals_shown < SHOWN_MOST) {
        f->refusals_shown++;
        drv_say("%s%s", strstr(f->kernel->refused, "unsupported") == NULL ? "unsupported: " : "", f->kernel->refused);
    }
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* --- arguments -------------------------------------------------------------------------------- */
static CUresult pack_params(const struct ir_func *code, void *const *params, uint8_t *to)
{
    for (uint32_t i = 0; i < code->n_params; i++) {
        const struct ir_param *p = &code->params[i];

        if (params[i] == NULL) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        memcpy(to + p->offset, params[i], p->size_bytes);
    }
    return CUDA_SUCCESS;
}

/* {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END}, in any order. */
static CUresult pack_extra(const struct ir_func *code, void *const *extra, uint8_t *to)
{
    const void *buffer = NULL;
    const size_t *size = NULL;

    for (int i = 0; extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
        if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
            buffer = extra[i + 1];
        } else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE) {
            size = extra[i + 1];
        } else {
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    if (buffer == NULL || size == NULL || *size < code->param_bytes) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    memcpy(to, buffer, code->param_bytes);
    return CUDA_SUCCESS;
}

static CUresult pack(const struct ir_func *code, const struct drv_launch *l, uint8_t *to)
{
    if (l->params != NULL && l->extra != NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (l->params == NULL && l->extra == NULL) {
        return code->n_params == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    return l->params != NULL ? pack_params(code, l->params, to) : pack_extra(code, l->extra, to);
}

/* --- making work ------------------------------------------------------------------------------ */
static struct drv_kernel_work *allocate(CUfunction handle, struct drv_function *f, const struct drv_launch *l)
{
    const uint64_t bytes = f->kernel->func->param_bytes;
    struct drv_kernel_work *w = malloc(sizeof *w + bytes);

    if (w == NULL) {
        return NULL;
    }
    *w = (struct drv_kernel_work){.work = {&kernel_class, 1},
                                  .function = f,
                                  .shared_bytes = l->shared_bytes,
                                  .cooperative = l->cooperative,
                                  .handle = handle,
                                  .params_bytes = bytes};
    memset(w->params, 0, bytes);
    for (int i = 0; i < 3; i++) {
        w->grid[i] = l->grid[i];
        w->block[i] = l->block[i];
    }
    cluster_of(f, l, w->cluster);
    pthread_mutex_lock(&drv_process()->lock);
    drv_module_retain(f->module);
    pthread_mutex_unlock(&drv_process()->lock);
    return w;
}

CUresult drv_launch_work(struct drv_context *context, CUfunction handle, const struct drv_launch *launch,
                         struct drv_work **work)
{
    struct drv_function *f;
    CUresult result = drv_function_of(handle, context, &f);

    if (result == CUDA_SUCCESS && f->module->context != context) {
        result = CUDA_ERROR_INVALID_HANDLE;
    }
    if (result == CUDA_SUCCESS) {
        result = check_extents(f, launch);
    }
    if (result == CUDA_SUCCESS) {
        result = check_resources(f, launch);
    }
    if (result == CUDA_SUCCESS) {
        result = check_cluster(f, launch);
    }
    if (result == CUDA_SUCCESS) {
        result = check_support(f);
    }
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct drv_kernel_work *w = allocate(handle, f, launch);

    if (w == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    result = pack(f->kernel->func, launch, w->params);
    if (result != CUDA_SUCCESS) {
        release_kernel(&w->work);
        return result;
    }
    *work = &w->work;
    return CUDA_SUCCESS;
}

CUresult drv_kernel_work(const CUDA_KERNEL_NODE_PARAMS *p, struct drv_work **work)
{
    const CUfunction handle = p->func != NULL ? p->func : (CUfunction)p->kern;
    const struct drv_launch launch = {.grid = {p->gridDimX, p->gridDimY, p->gridDimZ},
                                      .block = {p->blockDimX, p->blockDimY, p->blockDimZ},
                                      .shared_bytes = p->sharedMemBytes,
                                      .params = p->kernelParams,
                                      .extra = p->extra};
    struct drv_context *context = drv_context_of(p->ctx);
    struct drv_function *f;

    if (context == NULL) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    const CUresult result = drv_function_of(handle, context, &f);

    return result != CUDA_SUCCESS ? result : drv_launch_work(f->module->context, handle, &launch, work);
}
