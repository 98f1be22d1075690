/*
 * The handful of driver functions that loading, launching and copying take.  A failure leaves the name of the call and
 * the driver's own words in the message.
 */
#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JIT_ERROR_LOG = 5, JIT_ERROR_LOG_BYTES = 6, JIT_LEVEL = 7 }; /* enum CUjit_option */
enum { MESSAGE_BYTES = 2000, LOG_BYTES = 1500, NAME_BYTES = 128 };

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

struct driver {
    void *library;
    int device;
    char name[NAME_BYTES], message[MESSAGE_BYTES];
#define MEMBER(member, exported, parameters) status(*member) parameters;
    DRIVER_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* Whether a call succeeded; the message says which did not. */
static bool good(struct driver *d, const char *call, status code)
{
    const char *name = "unknown error";

    if (code != 0) {
        d->error_name(code, &name);
        snprintf(d->message, sizeof d->message, "%s: %s (%d)", call, name, code);
    }
    return code == 0;
}

static bool find_functions(struct driver *d)
{
    bool found = true;

#define FIND(member, exported, parameters)                                        \
    *(void **)&d->member = dlsym(d->library, exported);                           \
    if (d->member == NULL) {                                                      \
        snprintf(d->message, sizeof d->message, "libcuda.so.1 has no " exported); \
        found = false;                                                            \
    }
    DRIVER_FUNCTIONS(FIND)
#undef FIND
    return found;
}

static bool start(struct driver *d, bool *missing)
{
    void *context = NULL;

    *missing = !good(d, "cuInit", d->init(0)) || !good(d, "cuDeviceGet", d->device_get(&d->device, 0));
    return !*missing && good(d, "cuDeviceGetName", d->device_name(d->name, NAME_BYTES, d->device)) &&
           good(d, "cuDevicePrimaryCtxRetain", d->retain(&context, d->device)) &&
           good(d, "cuCtxSetCurrent", d->set_current(context));
}

struct driver *driver_open(bool *missing)
{
    struct driver *d = calloc(1, sizeof *d);

    *missing = false;
    if (d == NULL) {
        return NULL;
    }
    d->library = dlopen("libcuda.so.1", RTLD_NOW);
    if (d->library == NULL) {
        *missing = true;
        snprintf(d->message, sizeof d->message, "%s", dlerror());
    } else if (find_functions(d) && start(d, missing)) {
        return d;
    } else {
        dlclose(d->library);
    }
    fprintf(stderr, "no GPU: %s\n", d->message);
    free(d);
    return NULL;
}

void driver_close(struct driver *d)
{
    d->release(d->device);
    dlclose(d->library);
    free(d);
}

const char *driver_gpu_name(const struct driver *d)
{
    return d->name;
}

const char *driver_message(const struct driver *d)
{
    return d->message;
}

uint64_t driver_alloc(struct driver *d, size_t bytes)
{
    uint64_t address = 0;

    return good(d, "cuMemAlloc", d->mem_alloc(&address, bytes)) ? address : 0;
}

void driver_free(struct driver *d, uint64_t address)
{
    good(d, "cuMemFree", d->mem_free(address));
}

bool driver_write(struct driver *d, uint64_t address, const void *from, size_t bytes)
{
    return good(d, "cuMemcpyHtoD", d->to_device(address, from, bytes));
}

bool driver_read(struct driver *d, void *to, uint64_t address, size_t bytes)
{
    return good(d, "cuMemcpyDtoH", d->to_host(to, address, bytes));
}

void *driver_load(struct driver *d, const char *text, unsigned level)
{
    char log[LOG_BYTES] = "";
    int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES, JIT_LEVEL};
    /* Numbers are passed as the pointers themselves. */
    void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1), (void *)(uintptr_t)level};
    void *module = NULL;

    if (!good(d, "cuModuleLoadDataEx", d->module_load(&module, text, 3, options, values))) {
        const size_t used = strlen(d->message);

        snprintf(d->message + used, sizeof d->message - used, "\n%s", log);
        return NULL;
    }
    return module;
}

void driver_unload(struct driver *d, void *module)
{
    good(d, "cuModuleUnload", d->module_unload(module));
}

void *driver_kernel(struct driver *d, void *module, const char *name)
{
    void *kernel = NULL;

    return good(d, "cuModuleGetFunction", d->get_function(&kernel, module, name)) ? kernel : NULL;
}

bool driver_run(struct driver *d, void *kernel, unsigned ctas, unsigned threads, void **args)
{
    return good(d, "cuLaunchKernel", d->launch(kernel, ctas, 1, 1, threads, 1, 1, 0, NULL, args, NULL)) &&
           good(d, "cuCtxSynchronize", d->synchronize());
}
