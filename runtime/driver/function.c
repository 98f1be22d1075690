/*
 * Functions and kernels: what they need of an SM, what programs may set of them.
 */
#include <string.h>

#include "emu/emu.h"
#include "runtime/driver/handle.h"
#include "runtime/driver/module.h"

CUresult drv_function_of(CUfunction handle, struct drv_context *context, struct drv_function **function)
{
    struct drv_kernel *kernel = drv_handle_get(handle, DRV_KERNEL);

    if (kernel != NULL) {
        return drv_kernel_function(kernel, context, function);
    }
    *function = drv_handle_get(handle, DRV_FUNCTION);
    return *function == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

/* --- what a function is ----------------------------------------------------------------------- */
static const struct ir_func *code_of(const struct drv_function *f)
{
    return f->kernel->func;
}

/* The largest block that can be launched: registers, which are estimated, do not count. */
static int most_threads(const struct drv_function *f)
{
    const struct emu_spec *s = &f->module->context->device->gpu->spec;
    const struct ir_func *code = code_of(f);
    uint64_t directive = 1;

    for (int i = 0; i < 3; i++) {
        const uint32_t n = code->reqntid[0] != 0 ? code->reqntid[i] : code->maxntid[i];

        directive *= n == 0 ? 1 : n;
    }
    const bool directed = code->reqntid[0] != 0 || code->maxntid[0] != 0;

    return (int)(directed && directive < s->max_threads_per_cta ? directive : s->max_threads_per_cta);
}

/* Constant variables that the module has: of which a kernel uses which is not counted. */
static int const_bytes(const struct drv_function *f)
{
    const struct ir_module *ir = f->module->code->ir;
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < ir->symbols.count; i++) {
        bytes += ir->symbols.at[i].space == IR_SPACE_CONST ? ir->symbols.at[i].size_bytes : 0;
    }
    return (int)bytes;
}

int drv_function_dynamic_shared_limit(const struct drv_function *f)
{
    const struct emu_spec *s = &f->module->context->device->gpu->spec;

    if (f->settings.max_dynamic_shared >= 0) {
        return f->settings.max_dynamic_shared;
    }
    return code_of(f)->shared_bytes >= s->shared_per_cta ? 0 : (int)(s->shared_per_cta - code_of(f)->shared_bytes);
}

unsigned drv_function_cluster_most(const struct drv_function *f)
{
    enum { PORTABLE_MOST = 8, MOST = 16 }; /* CUDA Programming Guide, "Thread Block Clusters" */

    return f->settings.cluster_non_portable ? MOST : PORTABLE_MOST;
}

static CUresult attribute(const struct drv_function *f, CUfunction_attribute attribute, int *value)
{
    const struct emu_spec *s = &f->module->context->device->gpu->spec;
    const struct ir_func *code = code_of(f);

    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = most_threads(f);
        break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = (int)code->shared_bytes;
        break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        *value = const_bytes(f);
        break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = (int)code->frame_bytes;
        break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = (int)rt_registers(f->kernel, 0);
        break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        *value = code->module->sm;
        break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = (int)(s->cc_major * 10 + s->cc_minor);
        break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        *value = 0;
        break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = drv_function_dynamic_shared_limit(f);
        break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = f->settings.carveout;
        break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
        *value = code->reqnctapercluster[0] != 0;
        break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: {
        const int axis = (int)attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH;

        *value = f->settings.cluster[0] != 0 ? f->settings.cluster[axis] : (int)code->reqnctapercluster[axis];
        break;
    }
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        *value = f->settings.cluster_non_portable;
        break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        *value = f->settings.cluster_scheduling;
        break;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

/* --- what may be set -------------------------------------------------------------------------- */
static CUresult set(struct drv_function_settings *t, const struct ir_func *code, const struct emu_spec *s,
                    CUfunction_attribute attribute, int value)
{
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        if (value < 0 || (uint64_t)value + code->shared_bytes > s->shared_per_cta_optin) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        t->max_dynamic_shared = value;
        break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        if (value < -1 || value > 100) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        t->carveout = value;
        break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        if (value < 0 || code->reqnctapercluster[0] != 0) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        t->cluster[(int)attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH] = value;
        break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        if (value != 0 && value != 1) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        t->cluster_non_portable = value;
        break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        t->cluster_scheduling = value;
        break;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

/* --- functions -------------------------------------------------------------------------------- */
static CUresult enter(CUfunction handle, struct drv_function **function)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    return result != CUDA_SUCCESS ? result : drv_function_of(handle, context, function);
}

CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc)
{
    struct drv_function *f;
    const CUresult result = enter(hfunc, &f);

    return result != CUDA_SUCCESS ? result : pi == NULL ? CUDA_ERROR_INVALID_VALUE : attribute(f, attrib, pi);
}

CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value)
{
    struct drv_function *f;
    const CUresult result = enter(hfunc, &f);

    return result != CUDA_SUCCESS
               ? result
               : set(&f->settings, code_of(f), &f->module->context->device->gpu->spec, attrib, value);
}

CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config)
{
    struct drv_function *f;
    const CUresult result = enter(hfunc, &f);

    if (result == CUDA_SUCCESS && (unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        f->settings.cache = config;
    }
    return result;
}

CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config)
{
    struct drv_function *f;
    const CUresult result = enter(hfunc, &f);

    return result == CUDA_SUCCESS && (unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE
               ? CUDA_ERROR_INVALID_VALUE
               : result;
}

CUresult cuFuncGetModule(CUmodule *hmod, CUfunction hfunc)
{
    struct drv_function *f;
    const CUresult result = drv_check_out(enter(hfunc, &f), hmod);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    *hmod = drv_module_handle(f->module);
    return *hmod == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction hfunc)
{
    struct drv_function *f;
    const CUresult result = drv_check_out(enter(hfunc, &f), name);

    if (result == CUDA_SUCCESS) {
        *name = code_of(f)->name;
    }
    return result;
}

static CUresult param_info(const struct drv_function *f, size_t index, size_t *offset, size_t *size)
{
    const struct ir_func *code = code_of(f);

    if (offset == NULL || index >= code->n_params) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *offset = code->params[index].offset;
    if (size != NULL) {
        *size = code->params[index].size_bytes;
    }
    return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t *paramOffset, size_t *paramSize)
{
    struct drv_function *f;
    const CUresult result = enter(func, &f);

    return result != CUDA_SUCCESS ? result : param_info(f, paramIndex, paramOffset, paramSize);
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function)
{
    struct drv_function *f;
    const CUresult result = drv_check_out(enter(function, &f), state);

    if (result == CUDA_SUCCESS) {
        *state = f->kernel->decoded ? CU_FUNCTION_LOADING_STATE_LOADED : CU_FUNCTION_LOADING_STATE_UNLOADED;
    }
    return result;
}

CUresult cuFuncLoad(CUfunction function)
{
    struct drv_function *f;
    const CUresult result = enter(function, &f);

    return result != CUDA_SUCCESS ? result : rt_decode(f->kernel) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* --- kernels of libraries --------------------------------------------------------------------- */
/* A kernel in the primary context of a device, or in the current context when that is the device's. */
static CUresult kernel_on(CUkernel handle, CUdevice dev, struct drv_kernel **kernel, struct drv_function **function)
{
    struct drv_context *context = drv_current();
    CUresult result = drv_ready();

    *kernel = drv_handle_get(handle, DRV_KERNEL);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (*kernel == NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    if (drv_device(dev) == NULL) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    if (context == NULL || context->device->ordinal != dev) {
        result = drv_primary(drv_device(dev), &context);
    }
    return result != CUDA_SUCCESS ? result : drv_kernel_function(*kernel, context, function);
}

CUresult cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev)
{
    struct drv_kernel *k;
    struct drv_function *f;
    const CUresult result = kernel_on(kernel, dev, &k, &f);

    return result != CUDA_SUCCESS ? result : pi == NULL ? CUDA_ERROR_INVALID_VALUE : attribute(f, attrib, pi);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev)
{
    struct drv_kernel *k;
    struct drv_function *f;
    CUresult result = kernel_on(kernel, dev, &k, &f);

    if (result == CUDA_SUCCESS) {
        result = set(&f->settings, code_of(f), &drv_device(dev)->gpu->spec, attrib, val);
    }
    if (result == CUDA_SUCCESS) {
        k->settings = f->settings;
    }
    return result;
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev)
{
    struct drv_kernel *k;
    struct drv_function *f;
    const CUresult result = kernel_on(kernel, dev, &k, &f);

    if (result == CUDA_SUCCESS && (unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        k->settings.cache = f->settings.cache = config;
    }
    return result;
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t *paramOffset, size_t *paramSize)
{
    struct drv_context *context = drv_current();
    struct drv_kernel *k;
    struct drv_function *f;
    const CUresult result = kernel_on(kernel, context == NULL ? 0 : context->device->ordinal, &k, &f);

    return result != CUDA_SUCCESS ? result : param_info(f, paramIndex, paramOffset, paramSize);
}
