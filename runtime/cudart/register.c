/*
 * Registration: what nvcc's and clang's constructors call for each object with device code.
 *
 * Nothing here can fail or reach the driver: constructors run before main, and a program may never use its kernels.
 */
#include "registration.h"

#include "module.h"
#include "state.h"

static struct crt_registry *registry(void)
{
    return &crt_process()->registry;
}

/* Programs hold a module by an opaque handle. */
static struct crt_module *module_of(void **handle)
{
    return (struct crt_module *)handle;
}

static void add(void **handle, enum crt_entry_kind kind, const void *key, const char *name)
{
    if (handle != NULL) { /* NULL: there was no memory for the module */
        crt_registry_add(registry(), module_of(handle), kind, key, name);
    }
}

void **__cudaRegisterFatBinary(void *wrapper)
{
    return (void **)crt_module_new(wrapper);
}

/* All of a module is registered.  Nothing waits for it: loading happens at the first use. */
void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
    if (handle != NULL) {
        crt_registry_remove(registry(), module_of(handle));
        crt_module_free(module_of(handle));
    }
}

/* Only the stub and the name say anything; the rest is of times before the PTX said it. */
void __cudaRegisterFunction(void **handle, const char *host_stub, char *device_function, const char *device_name,
                            int thread_limit, uint3 *thread_id, uint3 *block_id, dim3 *block_dim, dim3 *grid_dim,
                            int *warp_size)
{
    (void)device_function, (void)thread_limit, (void)thread_id, (void)block_id;
    (void)block_dim, (void)grid_dim, (void)warp_size;
    add(handle, CRT_KERNEL, host_stub, device_name);
}

void __cudaRegisterVar(void **handle, char *host_variable, char *device_address, const char *device_name, int external,
                       size_t size, int constant, int global)
{
    (void)device_address, (void)external, (void)size, (void)constant, (void)global;
    add(handle, CRT_VARIABLE, host_variable, device_name);
}

void __cudaRegisterManagedVar(void **handle, void **host_pointer, char *device_address, const char *device_name,
                              int external, size_t size, int constant, int global)
{
    (void)device_address, (void)external, (void)size, (void)constant, (void)global;
    add(handle, CRT_MANAGED, host_pointer, device_name);
}

/* A host variable that device code may name on machines whose GPU sees all host memory; here it only has a device side.
 */
void __cudaRegisterHostVar(void **handle, const char *device_name, char *host_variable, size_t size)
{
    (void)size;
    add(handle, CRT_VARIABLE, host_variable, device_name);
}

/* The program is about to read a managed variable: its pointer has to be there.  Asked again while the answer is 0. */
char __cudaInitModule(void **handle)
{
    CUlibrary library = NULL;

    if (handle == NULL || crt_begin() != cudaSuccess) {
        return 0;
    }
    return crt_end(crt_module_load(module_of(handle), &library)) == cudaSuccess;
}
