/*
 * Modules: loading from memory and files, and finding what is in them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/driver/capture.h"
#include "runtime/driver/handle.h"
#include "runtime/driver/module.h"

enum { ERROR_TEXT = 16384 };

static CUresult load(const void *image, struct drv_jit_logs *logs, CUmodule *out)
{
    struct drv_context *context;
    struct rt_ptx_set texts = {0};
    struct drv_module *module = NULL;
    char error[ERROR_TEXT] = "";
    CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (out == NULL || image == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    result = drv_image_texts(image, context->device, &texts, error, sizeof error);
    if (result == CUDA_SUCCESS) {
        result = drv_module_load(context, &texts, &module, error, sizeof error);
        rt_ptx_set_release(&texts);
    }
    drv_jit_finish(logs, error);
    if (result == CUDA_SUCCESS) {
        const CUmodule handle = drv_module_handle(module);

        if (handle == NULL) {
            drv_module_unload(module);
            return CUDA_ERROR_OUT_OF_MEMORY;
        }
        *out = handle;
    }
    return result;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    struct drv_jit_logs none = {0};

    return load(image, &none, module);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions, CUjit_option *options,
                            void **optionValues)
{
    struct drv_jit_logs logs;
    const CUresult result = drv_jit_options(numOptions, options, optionValues, &logs);

    return result != CUDA_SUCCESS ? result : load(image, &logs, module);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin)
{
    return cuModuleLoadData(module, fatCubin);
}

/* The whole file and a zero behind it. */
CUresult drv_file_read(const char *path, void **bytes, size_t *length)
{
    FILE *in = path == NULL ? NULL : fopen(path, "rb");
    char *at = NULL;
    size_t size = 0, room = 0;

    *bytes = NULL;
    if (in == NULL) {
        return path == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_FILE_NOT_FOUND;
    }
    for (;;) {
        if (size + 1 >= room) {
            room = room * 2 + 65536;
            char *grown = realloc(at, room);

            if (grown == NULL) {
                break;
            }
            at = grown;
        }
        const size_t got = fread(at + size, 1, room - size - 1, in);

        size += got;
        if (got == 0) {
            const bool failed = ferror(in) != 0;

            fclose(in);
            if (failed) {
                free(at);
                return CUDA_ERROR_INVALID_SOURCE;
            }
            at[size] = '\0';
            *bytes = at;
            if (length != NULL) {
                *length = size;
            }
            return CUDA_SUCCESS;
        }
    }
    fclose(in);
    free(at);
    return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuModuleLoad(CUmodule *module, const char *fname)
{
    struct drv_context *context;
    void *image;
    CUresult result = drv_enter(&context);

    if (result == CUDA_SUCCESS) {
        result = drv_file_read(fname, &image, NULL);
    }
    if (result == CUDA_SUCCESS) {
        result = cuModuleLoadData(module, image);
        free(image);
    }
    return result;
}

static CUresult module_of(CUmodule handle, struct drv_module **module)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    *module = drv_handle_get(handle, DRV_MODULE);
    return result != CUDA_SUCCESS ? result : *module == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule hmod)
{
    struct drv_module *module;
    CUresult result = module_of(hmod, &module);

    if (result == CUDA_SUCCESS) {
        drv_module_unload(module);
    }
    return result;
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
    const CUresult ready = drv_check_out(drv_ready(), mode);

    if (ready == CUDA_SUCCESS) {
        *mode = CU_MODULE_LAZY_LOADING;
    }
    return ready;
}

CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name)
{
    struct drv_module *module;
    const CUresult result = module_of(hmod, &module);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (hfunc == NULL || name == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct drv_function *function = drv_module_function(module, name);

    if (function == NULL) {
        return CUDA_ERROR_NOT_FOUND;
    }
    *hfunc = function->handle;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule mod)
{
    struct drv_module *module;
    const CUresult result = drv_check_out(module_of(mod, &module), count);

    if (result == CUDA_SUCCESS) {
        *count = (unsigned)module->n_functions;
    }
    return result;
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int numFunctions, CUmodule mod)
{
    struct drv_module *module;
    const CUresult result = module_of(mod, &module);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (functions == NULL || numFunctions == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned i = 0; i < numFunctions && i < module->n_functions; i++) {
        functions[i] = module->functions[i].handle;
    }
    return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name)
{
    struct drv_module *module;
    CUdeviceptr address;
    size_t size;
    CUresult result = module_of(hmod, &module);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (name == NULL || (dptr == NULL && bytes == NULL)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    result = drv_module_variable(module, name, &address, &size);
    if (result == CUDA_SUCCESS && dptr != NULL) {
        *dptr = address;
    }
    if (result == CUDA_SUCCESS && bytes != NULL) {
        *bytes = size;
    }
    return result;
}

#undef cuModuleGetGlobal
CUresult cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name)
{
    return cuModuleGetGlobal_v2(dptr, bytes, hmod, name);
}

/* --- options of the compiler ------------------------------------------------------------------ */
CUresult drv_jit_options(unsigned count, const CUjit_option *options, void **values, struct drv_jit_logs *logs)
{
    *logs = (struct drv_jit_logs){0};
    if (count > 0 && (options == NULL || values == NULL)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned i = 0; i < count; i++) {
        switch (options[i]) {
        case CU_JIT_INFO_LOG_BUFFER:
            logs->info = values[i];
            break;
        case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
            logs->info_size = (unsigned)(uintptr_t)values[i];
            logs->info_slot = &values[i];
            break;
        case CU_JIT_ERROR_LOG_BUFFER:
            logs->error = values[i];
            break;
        case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
            logs->error_size = (unsigned)(uintptr_t)values[i];
            logs->error_slot = &values[i];
            break;
        case CU_JIT_WALL_TIME:
            *(float *)(void *)&values[i] = 0;
            break;
        default: /* what to optimise, and for what: nothing changes here */
            if ((unsigned)options[i] >= CU_JIT_NUM_OPTIONS) {
                return CUDA_ERROR_INVALID_VALUE;
            }
            break;
        }
    }
    return CUDA_SUCCESS;
}

static void write_log(char *to, unsigned size, void **slot, const char *text)
{
    size_t used = 0;

    if (to != NULL && size > 0) {
        used = strlen(text) < size - 1 ? strlen(text) : size - 1;
        memcpy(to, text, used);
        to[used] = '\0';
    }
    if (slot != NULL) {
        *slot = (void *)(uintptr_t)used;
    }
}

void drv_jit_finish(struct drv_jit_logs *logs, const char *error)
{
    write_log(logs->info, logs->info_size, logs->info_slot, "");
    write_log(logs->error, logs->error_size, logs->error_slot, error);
}
