/*
 * How many matrix instructions a warp executes per second: one warp, four instructions in a loop, each adding to its
 * own accumulators.
 */
#include "bench.h"

#include "ptxemu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNROLLED = 4, MOST_REGS = 8 };

static const struct {
    const char *name, *instruction;
    const char *type;    /* of the accumulators' registers */
    unsigned a, b, c;    /* registers */
    const char *further; /* operands behind the matrices */
} kinds[] = {
    {"f16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "f32", 4, 2, 4, ""},
    {"bf16", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "f32", 4, 2, 4, ""},
    {"tf32", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "f32", 4, 2, 4, ""},
    {"e4m3", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "f32", 4, 2, 4, ""},
    {"s8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "b32", 4, 2, 4, ""},
    {"sparse f16", "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "f32", 4, 4, 4, ", %m, 0"},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };
_Static_assert((int)KINDS <= (int)BENCH_MAX_MATRIX, "room for every kind");

static void write_fragment(FILE *out, char letter, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        fprintf(out, "%s%%%c%u", i == 0 ? ", {" : ", ", letter, i);
    }
    fputc('}', out);
}

static void write_kernel(FILE *out, size_t kind)
{
    fprintf(out,
            ".version 8.5\n.target sm_90\n.address_size 64\n"
            ".visible .entry k(.param .u32 rounds)\n{\n"
            ".reg .b32 %%a<%d>, %%b<%d>, %%m, %%i, %%n;\n.reg .%s %%c<%d>;\n.reg .pred %%p;\n"
            "ld.param.u32 %%n, [rounds];\nmov.u32 %%i, %%tid.x;\nmov.u32 %%m, 0x44444444;\n",
            MOST_REGS, MOST_REGS, kinds[kind].type, MOST_REGS);
    for (unsigned r = 0; r < MOST_REGS; r++) {
        fprintf(out, "add.u32 %%a%u, %%i, 0x3c003c00;\nadd.u32 %%b%u, %%i, 0x3c013c00;\nmov.b32 %%c%u, %%i;\n", r, r,
                r);
    }
    fprintf(out, "mov.u32 %%i, 0;\nagain:\n");
    for (unsigned i = 0; i < UNROLLED; i++) {
        fprintf(out, "%s {%%c0", kinds[kind].instruction);
        for (unsigned r = 1; r < kinds[kind].c; r++) {
            fprintf(out, ", %%c%u", r);
        }
        fputc('}', out);
        write_fragment(out, 'a', kinds[kind].a);
        write_fragment(out, 'b', kinds[kind].b);
        write_fragment(out, 'c', kinds[kind].c);
        fprintf(out, "%s;\n", kinds[kind].further);
    }
    fprintf(out, "add.u32 %%i, %%i, 1;\nsetp.lt.u32 %%p, %%i, %%n;\n@%%p bra again;\nret;\n}\n");
}

/* Instructions per CPU-second; 0 when it does not run. */
static double measure(ptxemu_device *device, const char *text, size_t length, uint32_t rounds)
{
    const ptxemu_launch launch = {.size = sizeof launch,
                                  .grid = {1, 1, 1},
                                  .block = {32, 1, 1},
                                  .params = &rounds,
                                  .params_bytes = sizeof rounds,
                                  .host_threads = 1};
    ptxemu_module *module;
    double best = INFINITY;

    if (ptxemu_module_load(device, "matrix.ptx", text, length, &module) != PTXEMU_OK) {
        fprintf(stderr, "matrix: %s\n", ptxemu_last_error(device));
        return 0;
    }
    for (int run = 0; run < 3; run++) {
        const double start = bench_cpu_now();

        if (ptxemu_run(ptxemu_kernel_at(module, 0), &launch) != PTXEMU_OK) {
            fprintf(stderr, "matrix: %s\n", ptxemu_last_error(device));
            best = INFINITY;
            break;
        }
        best = fmin(best, bench_cpu_now() - start);
    }
    ptxemu_module_unload(module);
    return UNROLLED * (double)rounds / best;
}

void bench_measure_matrix(bool quick, struct bench_extras *out)
{
    ptxemu_device *device;

    if (ptxemu_device_open(NULL, &device, NULL) != PTXEMU_OK) {
        return;
    }
    for (size_t i = 0; i < KINDS; i++) {
        char *text = NULL;
        size_t length = 0;
        FILE *stream = open_memstream(&text, &length);

        if (stream != NULL) {
            write_kernel(stream, i);
            fclose(stream);
            out->matrix[i].name = kinds[i].name;
            out->matrix[i].per_s = measure(device, text, length, quick ? 5000 : 50000);
            out->matrix_count = i + 1;
        }
        free(text);
    }
    ptxemu_device_close(device);
}
