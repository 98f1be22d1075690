/*
 * The handful of driver functions that loading, launching and copying take.  Every failure is printed with the name of
 * the call and the driver's own words.
 */
#include "gpu.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    JIT_ERROR_LOG = 5,
    JIT_ERROR_LOG_BYTES = 6,
    LOG_BYTES = 8192,
    NAME_BYTES = 128
}; /* options: enum CUjit_option */

typedef int status; /* CUresult; 0: success */

/* X(member, exported name, parameters).  Names with _v2 have 64-bit addresses and sizes. */
#define DRIVER_FUNCTIONS(X)                                                                                           \
    X(init, "cuInit", (unsigned flags))                                                                               \
    X(device_get, "cuDeviceGet", (int *device, int ordinal))                                                          \
    X(device_name, "cuDeviceGetName", (char *name, int length, int device))                                           \
    X(retain, "cuDevicePrimaryCtxRetain", (void **context, int device))                                               \
    X(release, "cuDevicePrimaryCtxRelease_v2", (int device))                                                          \
    X(set_current, "cuCtxSetCurrent", (void *context))                                                                \
    X(synchronize, "cuCtxSynchronize", (void))                                                                        \
    X(mem_alloc, "cuMemAlloc_v2", (uint64_t * address, size_t bytes))                                                 \
    X(mem_free, "cuMemFree_v2", (uint64_t address))                                                                   \
    X(to_device, "cuMemcpyHtoD_v2", (uint64_t to, const void *from, size_t bytes))                                    \
    X(to_host, "cuMemcpyDtoH_v2", (void *to, uint64_t from, size_t bytes))                                            \
    X(module_load, "cuModuleLoadDataEx", (void **module, const void *image, unsigned n, int *options, void **values)) \
    X(module_unload, "cuModuleUnload", (void *module))                                                                \
    X(get_function, "cuModuleGetFunction", (void **function, void *module, const char *name))                         \
    X(launch, "cuLaunchKernel",                                                                                       \
      (void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,                  \
       unsigned shared_bytes, void *stream, void **args, void **extra))                                               \
    X(error_name, "cuGetErrorName", (status code, const char **name))

struct gpu {
    void *library;
    int device;
    char name[NAME_BYTES];
#define MEMBER(member, exported, parameters) status(*member) parameters;
    DRIVER_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* Whether a call succeeded; says which did not. */
static bool good(const struct gpu *g, const char *call, status code)
{
    const char *name = "unknown error";

    if (code != 0) {
        g->error_name(code, &name);
        fprintf(stderr, "%s: %s (%d)\n", call, name, code);
    }
    return code == 0;
}

static bool find_functions(struct gpu *g)
{
    bool found = true;

#define FIND(member, exported, parameters)                     \
    *(void **)&g->member = dlsym(g->library, exported);        \
    if (g->member == NULL) {                                   \
        fprintf(stderr, "libcuda.so.1 has no " exported "\n"); \
        found = false;                                         \
    }
    DRIVER_FUNCTIONS(FIND)
#undef FIND
    return found;
}

struct gpu *gpu_open(void)
{
    struct gpu *g = calloc(1, sizeof *g);
    void *context = NULL;

    if (g == NULL || (g->library = dlopen("libcuda.so.1", RTLD_NOW)) == NULL) {
        fprintf(stderr, "no GPU driver: %s\n", g != NULL ? dlerror() : "out of memory");
        free(g);
        return NULL;
    }
    if (find_functions(g) && good(g, "cuInit", g->init(0)) && good(g, "cuDeviceGet", g->device_get(&g->device, 0)) &&
        good(g, "cuDeviceGetName", g->device_name(g->name, NAME_BYTES, g->device)) &&
        good(g, "cuDevicePrimaryCtxRetain", g->retain(&context, g->device)) &&
        good(g, "cuCtxSetCurrent", g->set_current(context))) {
        return g;
    }
    dlclose(g->library);
    free(g);
    return NULL;
}

void gpu_close(struct gpu *g)
{
    g->release(g->device);
    dlclose(g->library);
    free(g);
}

const char *gpu_name(const struct gpu *g)
{
    return g->name;
}

uint64_t gpu_alloc(struct gpu *g, size_t bytes)
{
    uint64_t address = 0;

    return good(g, "cuMemAlloc", g->mem_alloc(&address, bytes)) ? address : 0;
}

void gpu_free(struct gpu *g, uint64_t address)
{
    good(g, "cuMemFree", g->mem_free(address));
}

bool gpu_write(struct gpu *g, uint64_t address, const void *from, size_t bytes)
{
    return good(g, "cuMemcpyHtoD", g->to_device(address, from, bytes));
}

bool gpu_read(struct gpu *g, void *to, uint64_t address, size_t bytes)
{
    return good(g, "cuMemcpyDtoH", g->to_host(to, address, bytes));
}

void *gpu_load(struct gpu *g, const char *name, const char *text)
{
    char log[LOG_BYTES] = "";
    int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log}; /* a number is passed as the pointer itself */
    void *module = NULL;

    if (!good(g, "cuModuleLoadDataEx", g->module_load(&module, text, 2, options, values))) {
        fprintf(stderr, "%s: %s\n", name, log);
        return NULL;
    }
    return module;
}

void gpu_unload(struct gpu *g, void *module)
{
    good(g, "cuModuleUnload", g->module_unload(module));
}

bool gpu_run(struct gpu *g, void *module, const char *kernel, unsigned ctas, unsigned threads, void **args)
{
    void *function = NULL;

    return good(g, "cuModuleGetFunction", g->get_function(&function, module, kernel)) &&
           good(g, "cuLaunchKernel", g->launch(function, ctas, 1, 1, threads, 1, 1, 0, NULL, args, NULL)) &&
           good(g, "cuCtxSynchronize", g->synchronize());
}
