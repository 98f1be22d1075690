/*
 * A GPU as an engine: the driver's API, loaded at run time and declared here, so that neither building nor running
 * needs more than the driver.
 */
#include "engine.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int cu_result; /* 0: success */
typedef int cu_device;
typedef void *cu_handle; /* contexts, modules, functions, streams */
typedef unsigned long long cu_ptr;

enum { JIT_ERROR_LOG = 5, JIT_ERROR_LOG_BYTES = 6 };

struct driver {
    cu_result (*init)(unsigned flags);
    cu_result (*device_get)(cu_device *device, int ordinal);
    cu_result (*retain)(cu_handle *context, cu_device device);
    cu_result (*set_current)(cu_handle context);
    cu_result (*load)(cu_handle *module, const void *image, unsigned n, const int *options, void **values);
    cu_result (*unload)(cu_handle module);
    cu_result (*function)(cu_handle *function, cu_handle module, const char *name);
    cu_result (*alloc)(cu_ptr *address, size_t bytes);
    cu_result (*upload)(cu_ptr to, const void *from, size_t bytes);
    cu_result (*download)(void *to, cu_ptr from, size_t bytes);
    cu_result (*launch)(cu_handle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared, cu_handle stream, void **params, void **extra);
    cu_result (*synchronize)(void);
    cu_result (*error_name)(cu_result error, const char **name);
};

struct gpu {
    struct engine base;
    struct driver cu;
    cu_handle module;
    cu_ptr in, out;
};

static bool check(struct gpu *g, cu_result result, const char *what)
{
    const char *name = NULL;

    if (result == 0) {
        return true;
    }
    g->cu.error_name(result, &name);
    snprintf(g->base.message, sizeof g->base.message, "%s: %s", what, name != NULL ? name : "unknown error");
    return false;
}

static bool load(struct engine *base, const char *text, size_t length)
{
    struct gpu *g = (struct gpu *)base;
    static char log[1500];
    static const int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
    void *values[] = {log, (void *)(sizeof log - 1)};

    (void)length; /* the text ends in a zero byte */
    memset(log, 0, sizeof log);
    if (check(g, g->cu.load(&g->module, text, 2, options, values), "load")) {
        return true;
    }
    const size_t used = strlen(base->message);

    snprintf(base->message + used, sizeof base->message - used, "\n%s", log);
    return false;
}

static void unload(struct engine *base)
{
    struct gpu *g = (struct gpu *)base;

    g->cu.unload(g->module);
}

static enum outcome run(struct engine *base, const struct shape *shape, const uint8_t *in, uint8_t *out)
{
    struct gpu *g = (struct gpu *)base;
    void *params[] = {&g->in, &g->out};
    cu_handle function = NULL;
    char name[32];

    snprintf(name, sizeof name, "k%llu", (unsigned long long)shape->seed);
    if (!check(g, g->cu.function(&function, g->module, name), "function")) {
        return REFUSED;
    }
    if (!check(g, g->cu.upload(g->in, in, shape_in_bytes(shape)), "upload") ||
        !check(g, g->cu.upload(g->out, out, shape_out_bytes(shape)), "upload") ||
        !check(g, g->cu.launch(function, shape->grid, 1, 1, shape->block, 1, 1, 0, NULL, params, NULL), "launch") ||
        !check(g, g->cu.synchronize(), "synchronize") ||
        !check(g, g->cu.download(out, g->out, shape_out_bytes(shape)), "download")) {
        return BROKEN;
    }
    return RAN;
}

static void close_gpu(struct engine *base)
{
    free(base); /* the process ends: so does the context */
}

static bool find_functions(struct driver *cu, void *library)
{
    const struct {
        void *to;
        const char *name;
    } wanted[] = {{&cu->init, "cuInit"},
                  {&cu->device_get, "cuDeviceGet"},
                  {&cu->retain, "cuDevicePrimaryCtxRetain"},
                  {&cu->set_current, "cuCtxSetCurrent"},
                  {&cu->load, "cuModuleLoadDataEx"},
                  {&cu->unload, "cuModuleUnload"},
                  {&cu->function, "cuModuleGetFunction"},
                  {&cu->alloc, "cuMemAlloc_v2"},
                  {&cu->upload, "cuMemcpyHtoD_v2"},
                  {&cu->download, "cuMemcpyDtoH_v2"},
                  {&cu->launch, "cuLaunchKernel"},
                  {&cu->synchronize, "cuCtxSynchronize"},
                  {&cu->error_name, "cuGetErrorName"}};

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *found = dlsym(library, wanted[i].name);

        if (found == NULL) {
            fprintf(stderr, "conformance_random: the driver lacks %s\n", wanted[i].name);
            return false;
        }
        memcpy(wanted[i].to, &found, sizeof found);
    }
    return true;
}

struct engine *gpu_open(bool *missing)
{
    struct gpu *g = calloc(1, sizeof *g);
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    cu_handle context = NULL;
    cu_device device = 0;

    *missing = library == NULL;
    if (g == NULL || library == NULL || !find_functions(&g->cu, library)) {
        free(g);
        return NULL;
    }
    g->base = (struct engine){"gpu", load, run, unload, close_gpu, ""};
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    *missing = !check(g, g->cu.init(0), "cuInit") || !check(g, g->cu.device_get(&device, 0), "cuDeviceGet");
    if (*missing || !check(g, g->cu.retain(&context, device), "cuDevicePrimaryCtxRetain") ||
        !check(g, g->cu.set_current(context), "cuCtxSetCurrent") ||
        !check(g, g->cu.alloc(&g->in, MOST_IN_BYTES), "cuMemAlloc") ||
        !check(g, g->cu.alloc(&g->out, MOST_OUT_BYTES), "cuMemAlloc")) {
        fprintf(stderr, "conformance_random: %s\n", g->base.message);
        free(g);
        return NULL;
    }
    return &g->base;
}
