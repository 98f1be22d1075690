/*
 * Functions both ways: a kernel that C calls like any function, and a function of C that the kernel calls, here to ask
 * for the values of a curve that only the host knows.
 */
#include <math.h>
#include <ptxemu.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 64 };

static double curve(double x, uint32_t thread)
{
    return sqrt(x) + thread;
}

static void check(ptxemu_device *device, ptxemu_status status)
{
    if (status != PTXEMU_OK) {
        fprintf(stderr, "%s: %s\n", ptxemu_status_name(status), ptxemu_last_error(device));
        exit((int)status);
    }
}

int main(int argc, char **argv)
{
    const ptxemu_launch launch = {.size = sizeof launch, .grid = {COUNT / 32, 1, 1}, .block = {32, 1, 1}};
    ptxemu_device *device;
    ptxemu_module *module;
    ptxemu_ptr memory;

    if (argc != 2) {
        fprintf(stderr, "usage: %s sample.ptx\n", argv[0]);
        return 2;
    }
    if (ptxemu_device_open(NULL, &device, NULL) != PTXEMU_OK) {
        return 1;
    }
    check(device, ptxemu_host_function(device, "curve", (void (*)(void))curve, NULL));
    check(device, ptxemu_module_load_file(device, argv[1], &module));
    check(device, ptxemu_alloc(device, COUNT * sizeof(double), "values", &memory));

    double *values = ptxemu_view(device, memory, COUNT * sizeof(double));
    ptxemu_status (*sample)(double *, double) =
        (ptxemu_status(*)(double *, double))ptxemu_kernel_function(ptxemu_kernel_find(module, "sample"), &launch);

    if (sample == NULL) {
        fprintf(stderr, "%s\n", ptxemu_last_error(device));
        return 1;
    }
    check(device, sample(values, 0.25));
    for (int i = 0; i < COUNT; i++) {
        if (values[i] != curve(0.25 * i, (uint32_t)i)) {
            fprintf(stderr, "values[%d] is %g\n", i, values[i]);
            return 1;
        }
    }
    printf("values[%d] = %g\n", COUNT - 1, values[COUNT - 1]);
    ptxemu_device_close(device);
    return 0;
}
