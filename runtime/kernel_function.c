/*
 * A kernel as a function: code that libffi makes, which hands its arguments over, and a launch that waits for it.
 */
#include "runtime/kernel_function.h"
#include "runtime/c_types.h"
#include "runtime/objects.h"

#include <stdlib.h>
#include <string.h>

struct rt_kernel_function {
    struct rt_kernel_function *next; /* of the same module */
    struct ptxemu_kernel *kernel;
    ptxemu_launch launch; /* but for the parameters */
    struct arena *arena;  /* has the types */
    ffi_cif cif;
    ffi_closure *closure;
    void *code; /* where the closure is called */
};

static void free_function(struct rt_kernel_function *f)
{
    if (f->closure != NULL) {
        ffi_closure_free(f->closure);
    }
    arena_free(f->arena);
    free(f);
}

void rt_kernel_functions_free(struct rt_kernel_function *functions)
{
    while (functions != NULL) {
        struct rt_kernel_function *next = functions->next;

        free_function(functions);
        functions = next;
    }
}

/* libffi calls this with where the arguments are. */
static void call_kernel(ffi_cif *cif, void *result, void **arguments, void *user)
{
    const struct rt_kernel_function *f = user;
    const struct ir_func *func = f->kernel->func;
    uint8_t *params = calloc(1, func->param_bytes + 1);
    ptxemu_launch launch = f->launch;
    ptxemu_status status = PTXEMU_NO_MEMORY;

    (void)cif;
    if (params != NULL) {
        for (uint32_t i = 0; i < func->n_params; i++) {
            memcpy(params + func->params[i].offset, arguments[i], func->params[i].size_bytes);
        }
        launch.params = params;
        launch.params_bytes = func->param_bytes;
        status = ptxemu_run(f->kernel, &launch);
    } else {
        rt_fail(&f->kernel->module->device->last, status, "the host's memory is exhausted");
    }
    free(params);
    *(ffi_arg *)result = (ffi_arg)status;
}

static ffi_type **types_of(const struct ir_func *func, struct arena *arena)
{
    ffi_type **types = ARENA_ARRAY(arena, ffi_type *, func->n_params + 1u);

    for (uint32_t i = 0; types != NULL && i < func->n_params; i++) {
        types[i] = rt_c_type(arena, &func->params[i]);
        if (types[i] == NULL) {
            return NULL;
        }
    }
    return types;
}

static bool prepare(struct rt_kernel_function *f)
{
    const struct ir_func *func = f->kernel->func;

    f->arena = arena_new(0);
    ffi_type **types = f->arena != NULL ? types_of(func, f->arena) : NULL;

    if (types == NULL || ffi_prep_cif(&f->cif, FFI_DEFAULT_ABI, func->n_params, &ffi_type_sint, types) != FFI_OK) {
        return false;
    }
    f->closure = ffi_closure_alloc(sizeof *f->closure, &f->code);
    return f->closure != NULL && ffi_prep_closure_loc(f->closure, &f->cif, call_kernel, f, f->code) == FFI_OK;
}

void *ptxemu_kernel_function(ptxemu_kernel *kernel, const ptxemu_launch *launch)
{
    struct ptxemu_module *m = kernel->module;

    if (launch->size != sizeof *launch) {
        rt_fail(&m->device->last, PTXEMU_BAD_INPUT, "ptxemu_launch.size is %zu, this library expects %zu", launch->size,
                sizeof *launch);
        return NULL;
    }
    struct rt_kernel_function *f = calloc(1, sizeof *f);

    if (f == NULL) {
        rt_fail(&m->device->last, PTXEMU_NO_MEMORY, "the host's memory is exhausted");
        return NULL;
    }
    f->kernel = kernel;
    f->launch = *launch;
    if (!prepare(f)) {
        free_function(f);
        rt_fail(&m->device->last, PTXEMU_UNSUPPORTED, "kernel '%s' cannot be made a function of C", kernel->func->name);
        return NULL;
    }
    f->next = m->functions;
    m->functions = f;
    return f->code;
}
