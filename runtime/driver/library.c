/*
 * Libraries: code that belongs to no context.  A context gets a module of it when it first needs one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/driver/handle.h"
#include "runtime/driver/memory.h"
#include "runtime/driver/module.h"

enum { ERROR_TEXT = 16384 };

static CUresult load_in(struct drv_library *library, struct drv_context *context, struct drv_module **module)
{
    char error[ERROR_TEXT] = "";
    const CUresult result = drv_module_load(context, &library->texts, module, error, sizeof error);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    for (struct drv_kernel *k = library->kernels; k != NULL; k = k->next) {
        struct drv_function *f = drv_module_function(*module, k->name);

        if (f != NULL) {
            f->settings = k->settings;
        }
    }
    pthread_mutex_lock(&drv_process()->lock);
    (*module)->library = library;
    (*module)->next_of_library = library->modules;
    library->modules = *module;
    pthread_mutex_unlock(&drv_process()->lock);
    return CUDA_SUCCESS;
}

static struct drv_module *find_module(const struct drv_library *library, const struct drv_context *context)
{
    pthread_mutex_lock(&drv_process()->lock);
    struct drv_module *m = library->modules;

    while (m != NULL && m->context != context) {
        m = m->next_of_library;
    }
    pthread_mutex_unlock(&drv_process()->lock);
    return m;
}

CUresult drv_library_module(struct drv_library *library, struct drv_context *context, struct drv_module **module)
{
    CUresult result = CUDA_SUCCESS;

    *module = find_module(library, context);
    if (*module == NULL) {
        pthread_mutex_lock(&library->lock);
        *module = find_module(library, context); /* another thread may have been first */
        if (*module == NULL) {
            result = load_in(library, context, module);
        }
        pthread_mutex_unlock(&library->lock);
    }
    return result;
}

void drv_library_forget(struct drv_module *module)
{
    if (module->library != NULL) {
        struct drv_module **link = &module->library->modules;

        while (*link != module) {
            link = &(*link)->next_of_library;
        }
        *link = module->next_of_library;
        module->library = NULL;
    }
}

/* --- loading and unloading -------------------------------------------------------------------- */
/* The device whose code is chosen: the current context's, or the first one. */
static struct drv_device *device_for_code(void)
{
    struct drv_context *context = drv_current();

    return context != NULL ? context->device : drv_device(0);
}

static void library_free(struct drv_library *library)
{
    for (struct drv_kernel *k = library->kernels; k != NULL;) {
        struct drv_kernel *next = k->next;

        drv_handle_drop(k->handle);
        free(k);
        k = next;
    }
    rt_ptx_set_release(&library->texts);
    pthread_mutex_destroy(&library->lock);
    free(library);
}

static CUresult load(const void *image, struct drv_jit_logs *logs, CUlibrary *out)
{
    struct drv_library *library = calloc(1, sizeof *library);
    char error[ERROR_TEXT] = "";

    if (library == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_init(&library->lock, NULL);
    CUresult result = drv_image_texts(image, device_for_code(), &library->texts, error, sizeof error);

    if (result == CUDA_SUCCESS) {
        library->handle = drv_handle_new(DRV_LIBRARY, library);
        result = library->handle == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    }
    drv_jit_finish(logs, error);
    if (result != CUDA_SUCCESS) {
        library_free(library);
        return result;
    }
    *out = library->handle;
    return CUDA_SUCCESS;
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions, void **jitOptionsValues,
                           unsigned int numJitOptions, CUlibraryOption *libraryOptions, void **libraryOptionValues,
                           unsigned int numLibraryOptions)
{
    struct drv_jit_logs logs;
    CUresult result = drv_ready();

    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (library == NULL || code == NULL ||
        (numLibraryOptions > 0 && (libraryOptions == NULL || libraryOptionValues == NULL))) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    result = drv_jit_options(numJitOptions, jitOptions, jitOptionsValues, &logs);
    return result != CUDA_SUCCESS ? result : load(code, &logs, library);
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *fileName, CUjit_option *jitOptions,
                               void **jitOptionsValues, unsigned int numJitOptions, CUlibraryOption *libraryOptions,
                               void **libraryOptionValues, unsigned int numLibraryOptions)
{
    void *image;
    CUresult result = drv_ready();

    if (result == CUDA_SUCCESS) {
        result = drv_file_read(fileName, &image, NULL);
    }
    if (result == CUDA_SUCCESS) {
        result = cuLibraryLoadData(library, image, jitOptions, jitOptionsValues, numJitOptions, libraryOptions,
                                   libraryOptionValues, numLibraryOptions);
        free(image);
    }
    return result;
}

static CUresult library_of(CUlibrary handle, struct drv_library **library)
{
    const CUresult ready = drv_ready();

    *library = drv_handle_get(handle, DRV_LIBRARY);
    return ready != CUDA_SUCCESS ? ready : *library == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

CUresult cuLibraryUnload(CUlibrary handle)
{
    struct drv_library *library;
    const CUresult result = library_of(handle, &library);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    drv_handle_drop(handle);
    for (;;) {
        pthread_mutex_lock(&drv_process()->lock);
        struct drv_module *m = library->modules;

        if (m != NULL) {
            drv_library_forget(m);
            drv_module_retain(m); /* its context may end in another thread */
        }
        pthread_mutex_unlock(&drv_process()->lock);
        if (m == NULL) {
            break;
        }
        drv_module_unload(m);
        drv_module_drop(m);
    }
    library_free(library);
    return CUDA_SUCCESS;
}

/* --- what is in a library --------------------------------------------------------------------- */
/* Some context in which the library can be looked at: the current one, or the primary one of the first device. */
static CUresult any_context(struct drv_context **context)
{
    *context = drv_current();
    return *context != NULL ? CUDA_SUCCESS : drv_primary(drv_device(0), context);
}

static CUresult any_module(struct drv_library *library, struct drv_module **module)
{
    struct drv_context *context;
    const CUresult result = any_context(&context);

    return result != CUDA_SUCCESS ? result : drv_library_module(library, context, module);
}

/* The kernel of a name; NULL when memory is exhausted.  `name` belongs to the code, which goes with its module: kept.
 */
static struct drv_kernel *kernel_for(struct drv_library *library, const char *name)
{
    struct drv_kernel *k;

    pthread_mutex_lock(&library->lock);
    for (k = library->kernels; k != NULL && strcmp(k->name, name) != 0;) {
        k = k->next;
    }
    if (k == NULL) {
        k = calloc(1, sizeof *k + strlen(name) + 1);
        if (k != NULL) {
            k->name = strcpy((char *)(k + 1), name);
            k->library = library;
            k->settings = (struct drv_function_settings){.max_dynamic_shared = -1, .carveout = -1};
            k->handle = drv_handle_new(DRV_KERNEL, k);
            k->next = library->kernels;
            library->kernels = k;
        }
    }
    pthread_mutex_unlock(&library->lock);
    return k == NULL || k->handle == NULL ? NULL : k;
}

CUresult cuLibraryGetKernel(CUkernel *pKernel, CUlibrary handle, const char *name)
{
    struct drv_library *library;
    struct drv_module *module;
    CUresult result = library_of(handle, &library);

    if (result == CUDA_SUCCESS && (pKernel == NULL || name == NULL)) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        result = any_module(library, &module);
    }
    if (result == CUDA_SUCCESS && drv_module_function(module, name) == NULL) {
        result = CUDA_ERROR_NOT_FOUND;
    }
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct drv_kernel *kernel = kernel_for(library, name);

    if (kernel == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *pKernel = kernel->handle;
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib)
{
    struct drv_library *library;
    struct drv_module *module;
    CUresult result = drv_check_out(library_of(lib, &library), count);

    if (result == CUDA_SUCCESS) {
        result = any_module(library, &module);
    }
    if (result == CUDA_SUCCESS) {
        *count = (unsigned)module->n_functions;
    }
    return result;
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels, CUlibrary lib)
{
    struct drv_library *library;
    struct drv_module *module;
    CUresult result = library_of(lib, &library);

    if (result == CUDA_SUCCESS && (kernels == NULL || numKernels == 0)) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        result = any_module(library, &module);
    }
    for (unsigned i = 0; result == CUDA_SUCCESS && i < numKernels && i < module->n_functions; i++) {
        struct drv_kernel *kernel = kernel_for(library, module->functions[i].kernel->func->name);

        if (kernel == NULL) {
            return CUDA_ERROR_OUT_OF_MEMORY;
        }
        kernels[i] = kernel->handle;
    }
    return result;
}

CUresult cuLibraryGetModule(CUmodule *pMod, CUlibrary handle)
{
    struct drv_context *context;
    struct drv_library *library;
    struct drv_module *module;
    CUresult result = drv_enter(&context);

    if (result == CUDA_SUCCESS) {
        result = drv_check_out(library_of(handle, &library), pMod);
    }
    if (result == CUDA_SUCCESS) {
        result = drv_library_module(library, context, &module);
    }
    if (result == CUDA_SUCCESS) {
        *pMod = drv_module_handle(module);
        result = *pMod == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    }
    return result;
}

static CUresult variable(CUlibrary handle, const char *name, bool managed, CUdeviceptr *dptr, size_t *bytes)
{
    struct drv_context *context;
    struct drv_library *library;
    struct drv_module *module;
    CUdeviceptr address = 0;
    size_t size = 0;
    CUresult result = drv_enter(&context);

    if (result == CUDA_SUCCESS) {
        result = library_of(handle, &library);
    }
    if (result == CUDA_SUCCESS && (name == NULL || (dptr == NULL && bytes == NULL))) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        result = drv_library_module(library, context, &module);
    }
    if (result == CUDA_SUCCESS) {
        result = drv_module_variable(module, name, &address, &size);
    }
    (void)managed;
    if (result == CUDA_SUCCESS && dptr != NULL) {
        *dptr = address;
    }
    if (result == CUDA_SUCCESS && bytes != NULL) {
        *bytes = size;
    }
    return result;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name)
{
    return variable(library, name, false, dptr, bytes);
}

/* Managed variables are memory of the host's address space like all others; which of them is managed is the program's
 * affair. */
CUresult cuLibraryGetManaged(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name)
{
    return variable(library, name, true, dptr, bytes);
}

/* Pointers to functions of a module that many modules share: no compiler writes them for PTX. */
CUresult cuLibraryGetUnifiedFunction(void **fptr, CUlibrary handle, const char *symbol)
{
    struct drv_library *library;
    const CUresult result = library_of(handle, &library);

    return result != CUDA_SUCCESS           ? result
           : fptr == NULL || symbol == NULL ? CUDA_ERROR_INVALID_VALUE
                                            : CUDA_ERROR_NOT_FOUND;
}

/* --- kernels ---------------------------------------------------------------------------------- */
static CUresult kernel_of(CUkernel handle, struct drv_kernel **kernel)
{
    const CUresult ready = drv_ready();

    *kernel = drv_handle_get(handle, DRV_KERNEL);
    return ready != CUDA_SUCCESS ? ready : *kernel == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

CUresult drv_kernel_function(struct drv_kernel *kernel, struct drv_context *context, struct drv_function **function)
{
    struct drv_module *module;
    const CUresult result = drv_library_module(kernel->library, context, &module);

    if (result != CUDA_SUCCESS) {
        return result;
    }
    *function = drv_module_function(module, kernel->name);
    return *function == NULL ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

CUresult cuKernelGetFunction(CUfunction *pFunc, CUkernel handle)
{
    struct drv_context *context;
    struct drv_kernel *kernel;
    struct drv_function *function;
    CUresult result = drv_enter(&context);

    if (result == CUDA_SUCCESS) {
        result = drv_check_out(kernel_of(handle, &kernel), pFunc);
    }
    if (result == CUDA_SUCCESS) {
        result = drv_kernel_function(kernel, context, &function);
    }
    if (result == CUDA_SUCCESS) {
        *pFunc = function->handle;
    }
    return result;
}

CUresult cuKernelGetLibrary(CUlibrary *pLib, CUkernel handle)
{
    struct drv_kernel *kernel;
    const CUresult result = drv_check_out(kernel_of(handle, &kernel), pLib);

    if (result == CUDA_SUCCESS) {
        *pLib = kernel->library->handle;
    }
    return result;
}

CUresult cuKernelGetName(const char **name, CUkernel handle)
{
    struct drv_kernel *kernel;
    const CUresult result = drv_check_out(kernel_of(handle, &kernel), name);

    if (result == CUDA_SUCCESS) {
        *name = kernel->name;
    }
    return result;
}
