/*
 * A program that uses a CUDA runtime, before main() as programs of nvcc do, and in it.  Its arguments follow in the
 * output, its exit code is how many there are.
 */
#include <stdio.h>
#include <stdlib.h>

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaUnregisterFatBinary(void **handle);
int cudaMalloc(void **address, size_t bytes);
int cudaGetLastError(void);
int cudaOfMine(void);

static void **handle;

static void unregister(void)
{
    __cudaUnregisterFatBinary(handle);
}

__attribute__((constructor)) static void start(void)
{
    handle = __cudaRegisterFatBinary(NULL);
    atexit(unregister);
}

#ifdef PLUGIN
int plugin(void)
#else
#ifdef USES_PLUGIN
int plugin(void);
#endif
int main(int argc, char **argv)
#endif
{
    void *address = NULL;

    cudaMalloc(&address, 48);
    cudaGetLastError();
#ifdef LINKED
    cudaOfMine();
#endif
#ifdef USES_PLUGIN
    plugin();
#endif
#ifdef PLUGIN
    return address == NULL;
#else
    for (int i = 1; i < argc; i++) {
        printf("argument %s\n", argv[i]);
    }
    printf("PTXEMU_GPU %s\n", getenv("PTXEMU_GPU") != NULL ? getenv("PTXEMU_GPU") : "not set");
    return argc - 1;
#endif
}
