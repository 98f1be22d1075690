/*
 * The approximate functions and half arithmetic in units of add.f32: how long a warp's instruction takes, loop overhead
 * taken off.
 */
#include "bench.h"

#include "ptxemu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNROLLED = 16, THREADS = 256 };

static const struct bench_function {
    const char *instruction;
    char operands; /* f: f32; d: f64; h: two halves; 2: two f32; p, q: two and three times two halves */
} functions[] = {
    {"rcp.approx.f32", 'f'},        {"rcp.approx.ftz.f32", 'f'}, {"sqrt.approx.f32", 'f'},
    {"sqrt.approx.ftz.f32", 'f'},   {"rsqrt.approx.f32", 'f'},   {"rsqrt.approx.ftz.f32", 'f'},
    {"ex2.approx.f32", 'f'},        {"ex2.approx.ftz.f32", 'f'}, {"lg2.approx.f32", 'f'},
    {"lg2.approx.ftz.f32", 'f'},    {"sin.approx.f32", 'f'},     {"cos.approx.f32", 'f'},
    {"tanh.approx.f32", 'f'},       {"ex2.approx.f16x2", 'h'},   {"tanh.approx.f16x2", 'h'},
    {"ex2.approx.ftz.bf16x2", 'h'}, {"tanh.approx.bf16x2", 'h'}, {"rcp.approx.ftz.f64", 'd'},
    {"rsqrt.approx.ftz.f64", 'd'},  {"div.approx.f32", '2'},     {"div.approx.ftz.f32", '2'},
    {"div.full.f32", '2'},          {"div.full.ftz.f32", '2'},   {"rcp.rn.f32", 'f'},
    {"sqrt.rn.f32", 'f'},           {"div.rn.f32", '2'},         {"add.rn.f16x2", 'p'},
    {"mul.rn.f16x2", 'p'},          {"fma.rn.f16x2", 'q'},       {"add.rn.bf16x2", 'p'},
    {"mul.rn.bf16x2", 'p'},         {"fma.rn.bf16x2", 'q'},
};

static bool takes_halves(char operands)
{
    return strchr("hpq", operands) != NULL;
}

static int source_count(char operands)
{
    return operands == 'q' ? 3 : strchr("2p", operands) != NULL ? 2 : 1;
}

/* A loop of `loops` turns with the instruction on registers that differ in every lane; NULL: an empty loop. */
static char *make_kernel(const char *instruction, char operands, unsigned loops)
{
    const char *reg = operands == 'd' ? "d" : "f";
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL) {
        return NULL;
    }
    fprintf(out,
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
            "    .reg .pred %%p;\n    .reg .b32 %%r<4>, %%f<40>;\n    .reg .b64 %%d<40>, %%at;\n"
            "    mov.u32 %%r1, %%tid.x;\n    cvt.rn.f32.u32 %%f32, %%r1;\n    mov.u32 %%r2, %u;\n",
            loops);
    for (int i = 0; i < UNROLLED; i++) { /* between 0.5 and 9 */
        fprintf(out, "    fma.rn.f32 %%f%d, %%f32, 0f3CCCCCCD, 0f3F%02d0000;\n", i, i + 10);
        if (takes_halves(operands)) {
            fprintf(out, "    cvt.rn.f16x2.f32 %%f%d, %%f%d, %%f%d;\n", i, i, i);
        }
        fprintf(out, "    cvt.f64.f32 %%d%d, %%f%d;\n", i, takes_halves(operands) ? 32 : i);
    }
    fprintf(out, "LOOP:\n");
    for (int i = 0; i < UNROLLED && instruction != NULL; i++) {
        fprintf(out, "    %s %%%s%d", instruction, reg, i + UNROLLED);
        for (int source = 0; source < source_count(operands); source++) {
            fprintf(out, ", %%%s%d", reg, (i + source) % UNROLLED);
        }
        fprintf(out, ";\n");
    }
    fprintf(
        out,
        "    sub.u32 %%r2, %%r2, 1;\n    setp.ne.u32 %%p, %%r2, 0;\n    @%%p bra LOOP;\n    ld.param.u64 %%at, [out];\n"
        "    mad.wide.u32 %%at, %%r1, 8, %%at;\n");
    for (int i = 0; i < UNROLLED; i++) {
        fprintf(out, "    st.global.b32 [%%at], %%f%d;\n    st.global.b64 [%%at], %%d%d;\n", i + UNROLLED,
                i + UNROLLED);
    }
    fprintf(out, "    ret;\n}\n");
    fclose(out);
    return text;
}

/* CPU time of the loop, the best of some runs; negative when it does not run. */
static double time_kernel(ptxemu_device *device, uint64_t out, const char *instruction, char operands, unsigned loops)
{
    enum { RUNS = 5 };
    const ptxemu_launch launch = {.size = sizeof launch,
                                  .grid = {1, 1, 1},
                                  .block = {THREADS, 1, 1},
                                  .params = &out,
                                  .params_bytes = sizeof out,
                                  .host_threads = 1};
    char *text = make_kernel(instruction, operands, loops);
    ptxemu_module *module = NULL;
    double best = INFINITY;

    if (text == NULL || ptxemu_module_load(device, "function", text, strlen(text), &module) != PTXEMU_OK) {
        best = -1;
    }
    for (int i = 0; i < RUNS && best > 0; i++) {
        const double start = bench_cpu_now();

        if (ptxemu_run(ptxemu_kernel_at(module, 0), &launch) != PTXEMU_OK) {
            best = -1;
        } else {
            best = fmin(best, bench_cpu_now() - start);
        }
    }
    if (best < 0) {
        fprintf(stderr, "%s: %s\n", instruction, ptxemu_last_error(device));
    }
    ptxemu_module_unload(module);
    free(text);
    return best;
}

bool bench_print_functions(bool quick)
{
    const unsigned loops = quick ? 100 : 20000;
    ptxemu_device *device;
    uint64_t out = 0;
    bool good = true;

    if (ptxemu_device_open(NULL, &device, NULL) != PTXEMU_OK ||
        ptxemu_alloc(device, THREADS * sizeof(double), "out", &out) != PTXEMU_OK) {
        return false;
    }
    const double empty = time_kernel(device, out, NULL, 'f', loops);
    const double add = time_kernel(device, out, "add.f32", '2', loops) - empty;
    const double warps = (double)loops * UNROLLED * THREADS / 32;

    printf("%-24s %8.2f ns for a warp\n", "add.f32", add / warps * 1e9);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        const struct bench_function *f = &functions[i];
        const double time = time_kernel(device, out, f->instruction, f->operands, loops);

        good = good && time > 0;
        printf("%-24s %8.2f ns %8.1f x add.f32\n", f->instruction, (time - empty) / warps * 1e9, (time - empty) / add);
    }
    ptxemu_device_close(device);
    return good;
}
