/*
 * The JIT linker: PTX texts, and images that hold PTX, put together to one image.
 *
 * The image is a wrapper with a list of containers, as nvcc makes one for programs of several objects, so whatever
 * loads code takes it; linking proper is done when it is loaded, but also tried at cuLinkComplete, which is where its
 * errors belong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/cuda/linked.h"
#include "runtime/driver/handle.h"
#include "runtime/driver/module.h"

enum { ERROR_TEXT = 16384 };

struct link {
    CUcontext context; /* may be gone: a handle */
    struct drv_device *device;
    struct drv_jit_logs logs;
    struct rt_ptx_set set;
    void *image; /* after cuLinkComplete */
    size_t image_bytes;
    char error[ERROR_TEXT];
};

CUresult cuLinkCreate_v2(unsigned int numOptions, CUjit_option *options, void **optionValues, CUlinkState *stateOut)
{
    struct drv_context *context;
    CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct link *l = stateOut == NULL ? NULL : calloc(1, sizeof *l);

    if (l == NULL) {
        return stateOut == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_OUT_OF_MEMORY;
    }
    result = drv_jit_options(numOptions, options, optionValues, &l->logs);
    l->context = context->handle;
    l->device = context->device;
    l->set.relocatable = true;
    void *handle = result == CUDA_SUCCESS ? drv_handle_new(DRV_LINK, l) : NULL;

    if (handle == NULL) {
        free(l);
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_OUT_OF_MEMORY;
    }
    *stateOut = handle;
    return CUDA_SUCCESS;
}

/* Take over the parts of another set. */
static CUresult add_set(struct link *l, struct rt_ptx_set *more)
{
    struct rt_ptx *grown = reallocarray(l->set.parts, l->set.count + more->count + 1, sizeof *grown);

    if (grown == NULL) {
        rt_ptx_set_release(more);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    memcpy(grown + l->set.count, more->parts, more->count * sizeof *grown);
    l->set.parts = grown;
    l->set.count += more->count;
    free(more->parts);
    return CUDA_SUCCESS;
}

static CUresult add(struct link *l, CUjitInputType type, const void *data, size_t size)
{
    const unsigned sm = l->device->gpu->spec.cc_major * 10 + l->device->gpu->spec.cc_minor;
    struct rt_ptx_set set = {0};
    struct rt_image_error why = {.status = RT_IMAGE_OK};
    char *copy = malloc(size + 1);

    if (copy == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    memcpy(copy, data, size);
    copy[size] = '\0';
    (void)type;
    const enum rt_image_status status = rt_ptx_load(copy, size + 1, sm, &set, &why);

    free(copy);
    if (status != RT_IMAGE_OK) {
        snprintf(l->error, sizeof l->error, "%s", why.text);
        drv_jit_finish(&l->logs, l->error);
        return status == RT_IMAGE_OUT_OF_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY
               : status == RT_IMAGE_NO_PTX      ? CUDA_ERROR_NO_BINARY_FOR_GPU
                                                : CUDA_ERROR_INVALID_IMAGE;
    }
    return add_set(l, &set);
}

static CUresult enter(CUlinkState state, struct link **link)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    *link = drv_handle_get(state, DRV_LINK);
    return result != CUDA_SUCCESS ? result : *link == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                          unsigned int numOptions, CUjit_option *options, void **optionValues)
{
    struct drv_jit_logs logs;
    struct link *l;
    CUresult result = enter(state, &l);

    (void)name;
    if (result == CUDA_SUCCESS &&
        (data == NULL || size == 0 || l->image != NULL || (unsigned)type >= CU_JIT_NUM_INPUT_TYPES)) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        result = drv_jit_options(numOptions, options, optionValues, &logs);
    }
    return result != CUDA_SUCCESS ? result : add(l, type, data, size);
}

CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions,
                          CUjit_option *options, void **optionValues)
{
    struct link *l;
    void *data;
    size_t size;
    CUresult result = enter(state, &l);

    if (result == CUDA_SUCCESS) {
        result = drv_file_read(path, &data, &size);
    }
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = size == 0 ? CUDA_ERROR_INVALID_IMAGE
                       : cuLinkAddData_v2(state, type, data, size, path, numOptions, options, optionValues);
    free(data);
    return result;
}

/* Link once, to see that it can be done. */
static CUresult try(struct link *l)
{
    struct drv_context *context = drv_context_of(l->context);
    struct drv_module *module;

    if (context == NULL) {
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    }
    const CUresult result = drv_module_load(context, &l->set, &module, l->error, sizeof l->error);

    if (result == CUDA_SUCCESS) {
        drv_module_unload(module);
    }
    return result;
}

CUresult cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut)
{
    struct link *l;
    CUresult result = drv_check_out(enter(state, &l), cubinOut);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (l->image == NULL) {
        result = l->set.count == 0 ? CUDA_SUCCESS : try(l);
        drv_jit_finish(&l->logs, l->error);
        l->image = result == CUDA_SUCCESS ? rt_linked_write(&l->set, &l->image_bytes) : NULL;
        if (l->image == NULL) {
            return result != CUDA_SUCCESS ? result : CUDA_ERROR_OUT_OF_MEMORY;
        }
    }
    *cubinOut = l->image;
    if (sizeOut != NULL) {
        *sizeOut = l->image_bytes;
    }
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state)
{
    struct link *l;
    const CUresult result = enter(state, &l);

    if (result == CUDA_SUCCESS) {
        drv_handle_drop(state);
        rt_ptx_set_release(&l->set);
        free(l->image);
        free(l);
    }
    return result;
}

/* --- before CUDA 6.5 the options' values were the same ---------------------------------------- */
#undef cuLinkCreate
#undef cuLinkAddData
#undef cuLinkAddFile

CUresult cuLinkCreate(unsigned int numOptions, CUjit_option *options, void **optionValues, CUlinkState *stateOut)
{
    return cuLinkCreate_v2(numOptions, options, optionValues, stateOut);
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                       unsigned int numOptions, CUjit_option *options, void **optionValues)
{
    return cuLinkAddData_v2(state, type, data, size, name, numOptions, options, optionValues);
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions,
                       CUjit_option *options, void **optionValues)
{
    return cuLinkAddFile_v2(state, type, path, numOptions, options, optionValues);
}
