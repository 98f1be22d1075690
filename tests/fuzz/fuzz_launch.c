/*
 * Everything from text to results, through the public API: load, then launch the first kernels with one CTA of 48
 * threads (a full warp and a partial one), 8-byte parameters pointing to a small buffer.  A kernel may fault, deadlock
 * or run out of time; the emulator must report it and go on.
 */
#include "fuzz.h"

#include "include/ptxemu.h"

#include <string.h>

enum {
    KERNELS = 2,
    THREADS = 48,
    BUFFER_BYTES = 4096,
    PARAM_BYTES = 256, /* kernels with more parameters are only loaded */
};

static void ignore_output(void *user, const char *text, size_t length)
{
    (void)user;
    (void)text;
    (void)length;
}

/* Buffers for parameters of pointer size, small numbers for the others. */
static void fill_params(const ptxemu_kernel *kernel, ptxemu_ptr buffer, unsigned char *params)
{
    ptxemu_param_info info;

    memset(params, 0, PARAM_BYTES);
    for (size_t i = 0; ptxemu_kernel_param(kernel, i, &info); i++) {
        if (info.bytes == sizeof buffer) {
            memcpy(params + info.offset, &buffer, sizeof buffer);
        } else {
            params[info.offset] = THREADS;
        }
    }
}

static void launch_kernel(ptxemu_device *device, ptxemu_kernel *kernel, ptxemu_ptr buffer)
{
    unsigned char params[PARAM_BYTES];
    ptxemu_kernel_info info;
    ptxemu_fault_info fault;

    ptxemu_kernel_get_info(kernel, &info);
    if (info.param_bytes > PARAM_BYTES || ptxemu_kernel_unsupported(kernel) != NULL) {
        return;
    }
    fill_params(kernel, buffer, params);
    const ptxemu_launch launch = {.size = sizeof launch,
                                  .grid = {1, 1, 1},
                                  .block = {THREADS, 1, 1},
                                  .dynamic_shared = 1024,
                                  .params = params,
                                  .params_bytes = info.param_bytes,
                                  .host_threads = 1,
                                  .timeout_s = 0.1,
                                  .print = ignore_output};

    ptxemu_run(kernel, &launch);
    ptxemu_get_fault(device, &fault);
}

static void load_and_launch(ptxemu_device *device, const char *text, size_t length)
{
    ptxemu_module *module;
    ptxemu_ptr buffer;

    if (ptxemu_module_load(device, "fuzz.ptx", text, length, &module) != PTXEMU_OK) {
        return;
    }
    if (ptxemu_alloc(device, BUFFER_BYTES, "buffer", &buffer) == PTXEMU_OK) {
        for (size_t i = 0; i < KERNELS && i < ptxemu_kernel_count(module); i++) {
            launch_kernel(device, ptxemu_kernel_at(module, i), buffer);
        }
    }
    ptxemu_module_unload(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ptxemu_device_options options = {.size = sizeof options, .gpu = FUZZ_GPU, .host_threads = 1};
    ptxemu_device *device;

    if (ptxemu_device_open(&options, &device, NULL) != PTXEMU_OK) {
        __builtin_trap(); /* the description of the small GPU is part of this harness */
    }
    load_and_launch(device, (const char *)data, size);
    ptxemu_device_close(device);
    return 0;
}
