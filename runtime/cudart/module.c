/*
 * Loading registered device code.  Constructors of programs only register; the driver sees a module when something of
 * it is first used, so that errors of loading come back from the call that needed it.
 *
 * Invariant: a module whose library is set has given all its managed variables to the program.
 */
#include "module.h"

#include <stdlib.h>

struct crt_module *crt_module_new(const void *wrapper)
{
    struct crt_module *module = calloc(1, sizeof(*module));

    if (module != NULL) {
        module->wrapper = wrapper;
        pthread_mutex_init(&module->lock, NULL);
    }
    return module;
}

void crt_module_free(struct crt_module *module)
{
    CUlibrary library = atomic_load(&module->library);

    if (library != NULL) {
        cuLibraryUnload(library);
    }
    pthread_mutex_destroy(&module->lock);
    free(module);
}

/* What is wrong with an image stays wrong; other failures (memory, a context in ruins) may pass. */
static bool is_image_error(CUresult result)
{
    switch (result) {
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_PTX:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case CUDA_ERROR_INVALID_SOURCE:
    case CUDA_ERROR_NOT_SUPPORTED:
        return true;
    default:
        return false;
    }
}

/* The wrapper lies in the program and stays there as long as the module is registered. */
static CUresult load_image(const void *wrapper, CUlibrary *library)
{
    CUlibraryOption option = CU_LIBRARY_BINARY_IS_PRESERVED;
    void *value = (void *)1;

    return cuLibraryLoadData(library, wrapper, NULL, NULL, 0, &option, &value, 1);
}

static CUresult bind_managed(const struct crt_module *module, CUlibrary library)
{
    for (const struct crt_entry *entry = module->entries; entry != NULL; entry = entry->next_in_module) {
        CUdeviceptr address = 0;
        CUresult result = CUDA_SUCCESS;

        if (entry->kind != CRT_MANAGED) {
            continue;
        }
        result = cuLibraryGetManaged(&address, NULL, library, entry->name);
        if (result != CUDA_SUCCESS) {
            return result;
        }
        *(void **)entry->key = (void *)address;
    }
    return CUDA_SUCCESS;
}

static CUresult load_locked(struct crt_module *module)
{
    CUlibrary library = NULL;
    CUresult result = module->image_error;

    if (result == CUDA_SUCCESS) {
        result = load_image(module->wrapper, &library);
    }
    if (result == CUDA_SUCCESS) {
        result = bind_managed(module, library);
        if (result != CUDA_SUCCESS) {
            cuLibraryUnload(library);
        }
    }
    if (result == CUDA_SUCCESS) {
        atomic_store_explicit(&module->library, library, memory_order_release);
    } else if (is_image_error(result)) {
        module->image_error = result;
    }
    return result;
}

CUresult crt_module_load(struct crt_module *module, CUlibrary *library)
{
    CUresult result = CUDA_SUCCESS;

    *library = atomic_load_explicit(&module->library, memory_order_acquire);
    if (*library != NULL) {
        return CUDA_SUCCESS;
    }
    pthread_mutex_lock(&module->lock);
    if (atomic_load_explicit(&module->library, memory_order_relaxed) == NULL) {
        result = load_locked(module);
    }
    pthread_mutex_unlock(&module->lock);
    *library = atomic_load_explicit(&module->library, memory_order_acquire);
    return result;
}
