/*
 * PoCL as an engine: the same kernel source compiled by an OpenCL CPU device, on one thread.  PoCL reads how many
 * threads to use from the environment before its first call.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include "bench.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opencl_state {
    const struct bench_case *c;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem buffers[BENCH_MAX_BUFFERS];
};

static bool find_cpu(cl_device_id *device)
{
    cl_platform_id platforms[8];
    cl_uint count = 0;

    setenv("POCL_MAX_PTHREAD_COUNT", "1", 1);
    setenv("POCL_DEVICES", "pthread", 0);
    if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS) {
        return false;
    }
    for (cl_uint i = 0; i < count && i < 8; i++) {
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, device, NULL) == CL_SUCCESS) {
            return true;
        }
    }
    return false;
}

static void opencl_close(void *state)
{
    struct opencl_state *s = state;

    for (size_t i = 0; i < BENCH_MAX_BUFFERS; i++) {
        if (s->buffers[i] != NULL) {
            clReleaseMemObject(s->buffers[i]);
        }
    }
    if (s->kernel != NULL) {
        clReleaseKernel(s->kernel);
    }
    if (s->program != NULL) {
        clReleaseProgram(s->program);
    }
    if (s->queue != NULL) {
        clReleaseCommandQueue(s->queue);
    }
    if (s->context != NULL) {
        clReleaseContext(s->context);
    }
    free(s);
}

static bool build(struct opencl_state *s, cl_device_id device)
{
    size_t length;
    char *text = bench_read_kernel(s->c->name, ".cu", &length);
    cl_int error;

    if (text == NULL) {
        return false;
    }
    s->program = clCreateProgramWithSource(s->context, 1, (const char *[]){text}, &length, &error);
    free(text);
    if (error != CL_SUCCESS ||
        clBuildProgram(s->program, 1, &device, "-I " BENCH_KERNEL_DIR, NULL, NULL) != CL_SUCCESS) {
        return false;
    }
    s->kernel = clCreateKernel(s->program, s->c->name, &error);
    return error == CL_SUCCESS;
}

static bool set_arguments(struct opencl_state *s)
{
    const cl_uint count = (cl_uint)bench_buffer_count(s->c);
    cl_int error = CL_SUCCESS;

    for (cl_uint i = 0; i < count && error == CL_SUCCESS; i++) {
        s->buffers[i] = clCreateBuffer(s->context, CL_MEM_READ_WRITE, s->c->buffers[i].count * 4, NULL, &error);
        if (error == CL_SUCCESS) {
            error = clSetKernelArg(s->kernel, i, sizeof s->buffers[i], &s->buffers[i]);
        }
    }
    for (cl_uint i = 0; i < s->c->scalar_count && error == CL_SUCCESS; i++) {
        error = clSetKernelArg(s->kernel, count + i, 4, &s->c->scalars[i]);
    }
    return error == CL_SUCCESS;
}

static bool opencl_open(const struct bench_case *c, unsigned host_threads, void **state)
{
    struct opencl_state *s = calloc(1, sizeof *s);
    cl_device_id device;
    cl_int error;

    (void)host_threads;
    if (s == NULL) {
        return false;
    }
    s->c = c;
    if (find_cpu(&device)) {
        s->context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
        s->queue = clCreateCommandQueue(s->context, device, 0, &error);
        if (error == CL_SUCCESS && build(s, device) && set_arguments(s)) {
            *state = s;
            return true;
        }
    }
    fprintf(stderr, "%s: OpenCL cannot build or start this kernel\n", c->name);
    opencl_close(s);
    return false;
}

static bool opencl_upload(void *state, void *const *host)
{
    struct opencl_state *s = state;
    cl_int error = CL_SUCCESS;

    for (size_t i = 0; i < bench_buffer_count(s->c) && error == CL_SUCCESS; i++) {
        error = clEnqueueWriteBuffer(s->queue, s->buffers[i], CL_TRUE, 0, s->c->buffers[i].count * 4, host[i], 0, NULL,
                                     NULL);
    }
    return error == CL_SUCCESS;
}

static bool opencl_run(void *state)
{
    struct opencl_state *s = state;
    size_t global[3], local[3];

    for (int d = 0; d < 3; d++) {
        local[d] = s->c->block[d];
        global[d] = (size_t)s->c->grid[d] * s->c->block[d];
    }
    return clEnqueueNDRangeKernel(s->queue, s->kernel, 3, NULL, global, local, 0, NULL, NULL) == CL_SUCCESS &&
           clFinish(s->queue) == CL_SUCCESS;
}

static bool opencl_download(void *state, void *const *host)
{
    struct opencl_state *s = state;
    cl_int error = CL_SUCCESS;

    for (size_t i = 0; i < bench_buffer_count(s->c) && error == CL_SUCCESS; i++) {
        error = clEnqueueReadBuffer(s->queue, s->buffers[i], CL_TRUE, 0, s->c->buffers[i].count * 4, host[i], 0, NULL,
                                    NULL);
    }
    return error == CL_SUCCESS;
}

static const struct bench_engine opencl = {
    .name = "PoCL",
    .open = opencl_open,
    .upload = opencl_upload,
    .run = opencl_run,
    .download = opencl_download,
    .close = opencl_close,
};

const struct bench_engine *bench_opencl(void)
{
    cl_device_id device;

    return find_cpu(&device) ? &opencl : NULL;
}
