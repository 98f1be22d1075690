/*
 * Loaded code: modules of a context, functions in them, and libraries, which are loaded into each context that asks.
 */
#ifndef RUNTIME_DRIVER_MODULE_H
#define RUNTIME_DRIVER_MODULE_H

#include "runtime/cuda/fatbin.h"
#include "runtime/driver/context.h"

/* What programs may set of a function. */
struct drv_function_settings {
    int max_dynamic_shared; /* bytes; -1: not set */
    int carveout;           /* percent; -1: the default */
    int cluster[3];         /* required, 0: none */
    int cluster_non_portable;
    int cluster_scheduling;
    CUfunc_cache cache;
};

struct drv_function {
    CUfunction handle;
    struct drv_module *module;
    struct ptxemu_kernel *kernel;
    struct drv_function_settings settings;
    unsigned refusals_shown; /* messages about launches that are not supported */
    struct drv_earlier_launch
        *earlier_launch; /* what cuParamSet* and the like set (launch_earlier_api.c); NULL: nothing */
};

struct drv_module {
    struct drv_module *next;     /* in the context */
    struct drv_context *context; /* NULL: gone, and only work is left that will not run */
    CUmodule handle;             /* NULL for a library's */
    bool unloaded;               /* the owner's reference is gone; lock */
    unsigned references;         /* the owner's and those of work that launches its functions; lock */
    struct ptxemu_module *code;
    struct drv_function *functions; /* one for each kernel, in the code's order */
    size_t n_functions;
    struct drv_library *library; /* NULL: none; lock */
    struct drv_module *next_of_library;
    struct drv_reference *texture_references; /* those that were asked for (texture_reference.h) */
};

struct drv_kernel {
    CUkernel handle;
    struct drv_library *library;
    const char *name;
    struct drv_function_settings settings; /* for contexts to come */
    struct drv_kernel *next;
};

struct drv_library {
    CUlibrary handle;
    struct rt_ptx_set texts;
    struct drv_module *modules; /* one for each context that asked, linked; the process's lock */
    struct drv_kernel *kernels; /* those that were asked for */
    pthread_mutex_t lock;       /* guards the loading, and the kernels */
};

/* Options of the JIT compiler that concern the caller: where to write what. */
struct drv_jit_logs {
    char *info, *error;
    unsigned info_size, error_size;
    unsigned *info_used, *error_used; /* where the caller wants to know how much was written; may be NULL */
    void **info_slot, **error_slot;
};

/* Read cuModuleLoadDataEx's and cuLinkCreate's options.  CUDA_ERROR_INVALID_VALUE when they are malformed. */
CUresult drv_jit_options(unsigned count, const CUjit_option *options, void **values, struct drv_jit_logs *logs);
void drv_jit_finish(struct drv_jit_logs *logs, const char *error);

/* The texts that are in an image: see runtime/cuda/fatbin.h.  A failure is said on standard error. */
CUresult drv_image_texts(const void *image, struct drv_device *device, struct rt_ptx_set *texts, char *error,
                         size_t error_size);
/* Compile and place in the context's device memory.  `error` gets what is wrong, in words. */
CUresult drv_module_load(struct drv_context *context, const struct rt_ptx_set *texts, struct drv_module **module,
                         char *error, size_t error_size);
void drv_module_retain(struct drv_module *module); /* lock held */
void drv_module_drop(struct drv_module *module);   /* lock not held */
/* A context ends. */
void drv_modules_end(struct drv_context *context);
/* Its handle, made when it has none yet; NULL when memory is exhausted. */
CUmodule drv_module_handle(struct drv_module *module);
/* The program unloads it: its handles end now, the code when no work needs it. */
void drv_module_unload(struct drv_module *module);

struct drv_function *drv_module_function(struct drv_module *module, const char *name);
/* Address and size of a variable; CUDA_ERROR_NOT_FOUND. */
CUresult drv_module_variable(struct drv_module *module, const char *name, CUdeviceptr *address, size_t *bytes);

/* The library's module in a context, loaded when it is not yet. */
CUresult drv_library_module(struct drv_library *library, struct drv_context *context, struct drv_module **module);
/* Lock held: a module leaves its library, if it is of one. */
void drv_library_forget(struct drv_module *module);
CUresult drv_kernel_function(struct drv_kernel *kernel, struct drv_context *context, struct drv_function **function);

/* A whole file with a zero behind it, malloc'd; `size`, if wanted, is without the zero. */
CUresult drv_file_read(const char *path, void **bytes, size_t *size);

/* What a program launches or asks about: a CUfunction, or a CUkernel, which means its function in the current context.
 */
CUresult drv_function_of(CUfunction handle, struct drv_context *context, struct drv_function **function);

/* Bytes of dynamic shared memory that a launch may ask for. */
int drv_function_dynamic_shared_limit(const struct drv_function *function);
/* CTAs that a cluster of the function's may have. */
unsigned drv_function_cluster_most(const struct drv_function *function);

/* Launch parameters, checked as cuLaunchKernel checks them; see kernel_work.c. */
struct drv_launch {
    unsigned grid[3], block[3], cluster[3];
    unsigned shared_bytes;
    bool cooperative;
    CUevent event; /* to be recorded behind it; NULL: none */
    void **params;
    void **extra;
};
struct drv_work;
CUresult drv_launch_work(struct drv_context *context, CUfunction handle, const struct drv_launch *launch,
                         struct drv_work **work);
/* The same from a graph node's parameters. */
CUresult drv_kernel_work(const CUDA_KERNEL_NODE_PARAMS *params, struct drv_work **work);

#endif
