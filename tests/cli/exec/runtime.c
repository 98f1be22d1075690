/*
 * A CUDA runtime as far as tests of starting programs need one: it says who was called.  OWNER is its name; compiled as
 * a library it stands for ptxemu's, linked into a program for the runtime that nvcc links statically.  BEFORE_13 gives
 * it a function that runtimes of CUDA 12 have and later ones have not.
 */
#include <stdio.h>

static void *containers;
const char *const error_names[] = {"cudaSuccess",
                                   "cudaErrorCudartUnloading"}; /* two of the table that all runtimes have */

void **__cudaRegisterFatBinary(void *wrapper)
{
    (void)wrapper;
    puts(OWNER ": register");
    return &containers;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
    puts(OWNER ": unregister");
    fflush(stdout);
}

void __cudaRegisterFunction(void **handle, const char *stub, char *device, const char *name, int limit, void *thread,
                            void *block, void *block_size, void *grid_size, int *warp)
{
    (void)handle, (void)stub, (void)device, (void)limit, (void)thread, (void)block, (void)block_size;
    (void)grid_size, (void)warp;
    printf(OWNER ": function %s\n", name);
}

int cudaMalloc(void **address, size_t bytes)
{
    printf(OWNER ": malloc %zu\n", bytes);
    *address = (void *)bytes;
    return 0;
}

int cudaGetLastError(void)
{
    puts(OWNER ": last error");
    return 0;
}

int cudaDeviceSynchronize(void)
{
    puts(OWNER ": synchronize");
    return 0;
}

unsigned __cudaPushCallConfiguration(void)
{
    puts(OWNER ": push");
    return 1; /* no launch */
}

#ifdef BEFORE_13
int cudaGetDeviceProperties_v2(void *properties, int device)
{
    (void)properties;
    return device;
}
#endif

/* What the shared library does not have stays what it is. */
#ifdef LINKED
int cudaOfMine(void)
{
    puts(OWNER ": of mine");
    return 0;
}
#endif
