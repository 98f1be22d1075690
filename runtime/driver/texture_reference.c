/*
 * Texture and surface references: found in modules, and bound to what they are to stand for.
 */
#include "runtime/driver/texture_reference.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/driver/handle.h"
#include "runtime/driver/stream.h"

struct drv_reference *drv_reference_new(struct drv_module *module, bool surface)
{
    struct drv_reference *r = calloc(1, sizeof *r);
    void *handle = r == NULL ? NULL : drv_handle_new(surface ? DRV_SURFACE_REFERENCE : DRV_TEXTURE_REFERENCE, r);

    if (handle == NULL) {
        free(r);
        return NULL;
    }
    *r = (struct drv_reference){.handle = handle,
                                .surface = surface,
                                .module = module,
                                .sampling = {.maxAnisotropy = 1},
                                .format = CU_AD_FORMAT_FLOAT,
                                .channels = 1};
    return r;
}

void drv_reference_free(struct drv_reference *reference)
{
    drv_handle_drop(reference->handle);
    free(reference);
}

/* Where the variable lies; 0 when the module has none of that name and type. */
static uint64_t find_variable(const struct drv_module *module, const char *name, enum ir_type type)
{
    const struct ir_module *ir = module->code->ir;

    for (uint32_t i = 0; i < ir->symbols.count; i++) {
        const struct ir_symbol *s = &ir->symbols.at[i];

        if (s->type == type && s->func < 0 && strcmp(s->name, name) == 0) {
            return module->code->symbol_address[i];
        }
    }
    return 0;
}

CUresult drv_reference_of_variable(struct drv_module *module, const char *name, bool surface,
                                   struct drv_reference **reference)
{
    const uint64_t address = find_variable(module, name, surface ? IR_SURFREF : IR_TEXREF);
    struct drv_reference *r;

    if (address == 0) {
        return CUDA_ERROR_NOT_FOUND;
    }
    pthread_mutex_lock(&drv_process()->lock);
    for (r = module->texture_references; r != NULL && r->address != address; r = r->next) {
    }
    if (r == NULL && (r = drv_reference_new(module, surface)) != NULL) {
        r->address = address;
        r->next = module->texture_references;
        module->texture_references = r;
    }
    pthread_mutex_unlock(&drv_process()->lock);
    *reference = r;
    return r == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

/* An object of the engine that the description makes. */
static CUresult make_object(const struct drv_reference *r, struct emu_bindings *bindings, uint64_t *handle)
{
    struct emu_texture texture;
    struct emu_array *array = NULL;
    uint32_t level = 0;
    enum emu_texture_status status = EMU_TEXTURE_OK;
    CUresult result = r->surface ? drv_surface_describe(&r->resource, &array, &level)
                                 : drv_texture_describe(&r->resource, &r->sampling, NULL, &texture);

    if (result == CUDA_SUCCESS) {
        status = r->surface ? emu_surface_create(bindings, array, level, handle)
                            : emu_texture_create(bindings, &texture, handle);
    }
    return result != CUDA_SUCCESS            ? result
           : status == EMU_TEXTURE_OK        ? CUDA_SUCCESS
           : status == EMU_TEXTURE_NO_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY
                                             : CUDA_ERROR_INVALID_VALUE;
}

CUresult drv_reference_bind(struct drv_reference *reference)
{
    uint64_t handle = 0;
    CUresult result;

    if (reference->module == NULL) {
        return CUDA_SUCCESS;
    }
    struct emu_bindings *bindings = reference->module->context->device->gpu->bindings;

    result = drv_context_wait(reference->module->context);
    if (result == CUDA_SUCCESS && reference->bound) {
        result = make_object(reference, bindings, &handle);
        result = result == CUDA_ERROR_OUT_OF_MEMORY || reference->surface ? result : CUDA_SUCCESS;
    }
    if (result == CUDA_SUCCESS && !emu_bindings_bind(bindings, reference->address, handle)) {
        result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (handle != 0) {
        emu_handle_destroy(bindings, handle); /* the variable keeps what it stands for */
    }
    return result;
}
