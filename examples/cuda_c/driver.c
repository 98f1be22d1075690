/*
 * The same as runtime.c on the driver API: a context, a module, a function, and PTX that the program itself has read.
 */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000, THREADS = 128, PER_THREAD = 4 };

static void check(CUresult status, const char *what)
{
    const char *text;

    if (status != CUDA_SUCCESS) {
        fprintf(stderr, "%s: %s\n", what, cuGetErrorString(status, &text) == CUDA_SUCCESS ? text : "unknown error");
        exit(1);
    }
}

/* The whole file, ended with a zero as cuModuleLoadData wants it. */
static char *file_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size;

    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    rewind(file);
    text = calloc(1, (size_t)size + 1);
    if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

static CUdeviceptr copied_to_device(const float *values, size_t bytes)
{
    CUdeviceptr there;

    check(cuMemAlloc(&there, bytes), "cuMemAlloc");
    check(cuMemcpyHtoD(there, values, bytes), "cuMemcpyHtoD");
    return there;
}

int main(int argc, char **argv)
{
    static float a[COUNT], b[COUNT], c[COUNT];
    const unsigned count = COUNT;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    char name[64];

    if (argc != 2) {
        fprintf(stderr, "usage: driver vector_add.ptx\n");
        return 2;
    }
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDeviceGetName(name, sizeof name, device), "cuDeviceGetName");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    char *text = file_text(argv[1]);

    check(cuModuleLoadData(&module, text), argv[1]);
    check(cuModuleGetFunction(&kernel, module, "vector_add"), "vector_add");
    for (int i = 0; i < COUNT; i++) {
        a[i] = (float)i;
        b[i] = 0.5f;
    }
    CUdeviceptr device_a = copied_to_device(a, sizeof a);
    CUdeviceptr device_b = copied_to_device(b, sizeof b);
    CUdeviceptr device_c = copied_to_device(c, sizeof c);
    void *arguments[] = {&device_a, &device_b, &device_c, (void *)&count};

    check(cuLaunchKernel(kernel, (COUNT + THREADS * PER_THREAD - 1) / (THREADS * PER_THREAD), 1, 1, THREADS, 1, 1, 0,
                         NULL, arguments, NULL),
          "cuLaunchKernel");
    check(cuMemcpyDtoH(c, device_c, sizeof c), "cuMemcpyDtoH");
    for (int i = 0; i < COUNT; i++) {
        if (c[i] != a[i] + b[i]) {
            fprintf(stderr, "c[%d] is %g\n", i, c[i]);
            return 1;
        }
    }
    printf("%s: c[%d] = %g\n", name, COUNT - 1, c[COUNT - 1]);
    check(cuMemFree(device_a), "cuMemFree");
    check(cuMemFree(device_b), "cuMemFree");
    check(cuMemFree(device_c), "cuMemFree");
    check(cuModuleUnload(module), "cuModuleUnload");
    check(cuDevicePrimaryCtxRelease(device), "cuDevicePrimaryCtxRelease");
    free(text);
    return 0;
}
