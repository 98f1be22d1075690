/*
 * Texture and surface objects.  The engine makes the handles that kernels use; here is kept what programs may ask back.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/driver/stream.h"
#include "runtime/driver/texture.h"

/* One object; all are in one list, which programs rarely search. */
struct object {
    struct object *next;
    uint64_t handle;
    struct drv_context *context;
    bool surface, has_view;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;
    CUDA_RESOURCE_VIEW_DESC view;
};

static struct object *objects; /* guarded by the process's lock */

static void lock(void)
{
    pthread_mutex_lock(&drv_process()->lock);
}

static void unlock(void)
{
    pthread_mutex_unlock(&drv_process()->lock);
}

static CUresult made(enum emu_texture_status status)
{
    return status == EMU_TEXTURE_OK          ? CUDA_SUCCESS
           : status == EMU_TEXTURE_NO_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY
                                             : CUDA_ERROR_INVALID_VALUE;
}

static void keep(struct object *o, struct drv_context *context, uint64_t handle)
{
    o->context = context;
    o->handle = handle;
    lock();
    o->next = objects;
    objects = o;
    unlock();
}

/* A copy of the object's description; false when there is none. */
static bool look_up(uint64_t handle, bool surface, struct object *out)
{
    bool found = false;

    lock();
    for (const struct object *o = objects; o != NULL && !found; o = o->next) {
        if (o->handle == handle && o->surface == surface) {
            *out = *o;
            found = true;
        }
    }
    unlock();
    return found;
}

/* Kernels that were launched may still use the object: it goes when they are done. */
static CUresult destroy(uint64_t handle, bool surface)
{
    struct drv_context *context;
    struct object *found = NULL;
    const CUresult result = drv_enter(&context);

    if (result != CUDA_SUCCESS || handle == 0) {
        return result;
    }
    lock();
    for (struct object **link = &objects; *link != NULL; link = &(*link)->next) {
        if ((*link)->handle == handle && (*link)->surface == surface) {
            found = *link;
            *link = found->next;
            break;
        }
    }
    unlock();
    if (found == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const CUresult waited = drv_context_wait(context);

    emu_handle_destroy(found->context->device->gpu->bindings, handle);
    free(found);
    return waited;
}

/* Nobody knows the context any more. */
void drv_textures_end(struct drv_context *context)
{
    lock();
    for (struct object **link = &objects; *link != NULL;) {
        struct object *o = *link;

        if (o->context == context) {
            *link = o->next;
            emu_handle_destroy(context->device->gpu->bindings, o->handle);
            free(o);
        } else {
            link = &o->next;
        }
    }
    unlock();
}

/* --- textures --------------------------------------------------------------------------------- */
CUresult cuTexObjectCreate(CUtexObject *pTexObject, const CUDA_RESOURCE_DESC *pResDesc,
                           const CUDA_TEXTURE_DESC *pTexDesc, const CUDA_RESOURCE_VIEW_DESC *pResViewDesc)
{
    struct drv_context *context;
    struct emu_texture texture;
    uint64_t handle;
    CUresult result = drv_enter(&context);

    if (result == CUDA_SUCCESS && (pTexObject == NULL || pResDesc == NULL || pTexDesc == NULL)) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        result = drv_texture_describe(pResDesc, pTexDesc, pResViewDesc, &texture);
    }
    struct object *o = result == CUDA_SUCCESS ? calloc(1, sizeof *o) : NULL;

    if (o == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_OUT_OF_MEMORY;
    }
    result = made(emu_texture_create(context->device->gpu->bindings, &texture, &handle));
    if (result != CUDA_SUCCESS) {
        free(o);
        return result;
    }
    o->resource = *pResDesc;
    o->texture = *pTexDesc;
    o->has_view = pResViewDesc != NULL;
    if (o->has_view) {
        o->view = *pResViewDesc;
    }
    keep(o, context, handle);
    *pTexObject = handle;
    return CUDA_SUCCESS;
}

CUresult cuTexObjectDestroy(CUtexObject texObject)
{
    return destroy(texObject, false);
}

static CUresult ask(uint64_t handle, bool surface, const void *to, struct object *o)
{
    struct drv_context *context;
    const CUresult result = drv_enter(&context);

    return result != CUDA_SUCCESS                       ? result
           : to == NULL || !look_up(handle, surface, o) ? CUDA_ERROR_INVALID_VALUE
                                                        : CUDA_SUCCESS;
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUtexObject texObject)
{
    struct object o;
    const CUresult result = ask(texObject, false, pResDesc, &o);

    if (result == CUDA_SUCCESS) {
        *pResDesc = o.resource;
    }
    return result;
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *pTexDesc, CUtexObject texObject)
{
    struct object o;
    const CUresult result = ask(texObject, false, pTexDesc, &o);

    if (result == CUDA_SUCCESS) {
        *pTexDesc = o.texture;
    }
    return result;
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *pResViewDesc, CUtexObject texObject)
{
    struct object o;
    const CUresult result = ask(texObject, false, pResViewDesc, &o);

    if (result == CUDA_SUCCESS && !o.has_view) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        *pResViewDesc = o.view;
    }
    return result;
}

/* --- surfaces --------------------------------------------------------------------------------- */
CUresult cuSurfObjectCreate(CUsurfObject *pSurfObject, const CUDA_RESOURCE_DESC *pResDesc)
{
    struct drv_context *context;
    struct emu_array *array;
    uint32_t level;
    uint64_t handle;
    CUresult result = drv_enter(&context);

    if (result == CUDA_SUCCESS && (pSurfObject == NULL || pResDesc == NULL)) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        result = drv_surface_describe(pResDesc, &array, &level);
    }
    struct object *o = result == CUDA_SUCCESS ? calloc(1, sizeof *o) : NULL;

    if (o == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_OUT_OF_MEMORY;
    }
    result = made(emu_surface_create(context->device->gpu->bindings, array, level, &handle));
    if (result != CUDA_SUCCESS) {
        free(o);
        return result;
    }
    o->surface = true;
    o->resource = *pResDesc;
    keep(o, context, handle);
    *pSurfObject = handle;
    return CUDA_SUCCESS;
}

CUresult cuSurfObjectDestroy(CUsurfObject surfObject)
{
    return destroy(surfObject, true);
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUsurfObject surfObject)
{
    struct object o;
    const CUresult result = ask(surfObject, true, pResDesc, &o);

    if (result == CUDA_SUCCESS) {
        *pResDesc = o.resource;
    }
    return result;
}
