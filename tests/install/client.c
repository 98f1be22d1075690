/*
 * The smallest useful program against an installed ptxemu: 64 threads write the squares of their indices.
 * Exits 0 when every number is right.
 */
#include <ptxemu.h>

#include <stdio.h>
#include <string.h>

static const char squares[] = ".version 7.0\n"
                              ".target sm_70\n"
                              ".address_size 64\n"
                              ".visible .entry squares(.param .u64 out)\n"
                              "{\n"
                              "    .reg .b32 %r<4>;\n"
                              "    .reg .b64 %rd<4>;\n"
                              "    ld.param.u64 %rd1, [out];\n"
                              "    mov.u32 %r1, %tid.x;\n"
                              "    mul.lo.u32 %r2, %r1, %r1;\n"
                              "    mul.wide.u32 %rd2, %r1, 4;\n"
                              "    add.s64 %rd3, %rd1, %rd2;\n"
                              "    st.global.u32 [%rd3], %r2;\n"
                              "    ret;\n"
                              "}\n";

enum { COUNT = 64 };

static int run(ptxemu_device *device)
{
    ptxemu_module *module;
    ptxemu_ptr out;

    if (ptxemu_module_load(device, "squares.ptx", squares, strlen(squares), &module) != PTXEMU_OK ||
        ptxemu_alloc(device, COUNT * sizeof(uint32_t), "out", &out) != PTXEMU_OK) {
        return 1;
    }
    ptxemu_launch launch = {
        .size = sizeof launch, .grid = {1, 1, 1}, .block = {COUNT, 1, 1}, .params = &out, .params_bytes = sizeof out};
    uint32_t result[COUNT];

    if (ptxemu_run(ptxemu_kernel_find(module, "squares"), &launch) != PTXEMU_OK ||
        ptxemu_read(device, result, out, sizeof result) != PTXEMU_OK) {
        return 1;
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        if (result[i] != i * i) {
            printf("element %u is %u\n", i, result[i]);
            return 1;
        }
    }
    return 0;
}

int main(void)
{
    ptxemu_device *device;
    char *error;

    if (ptxemu_device_open(NULL, &device, &error) != PTXEMU_OK) {
        puts(error);
        return 1;
    }
    int status = run(device);

    if (status != 0) {
        printf("%s\n", ptxemu_last_error(device));
    } else {
        printf("ptxemu %s: %d squares are right\n", ptxemu_version(), COUNT);
    }
    ptxemu_device_close(device);
    return status;
}
