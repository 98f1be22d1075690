/* ptxemu-bench: measure ptxemu against native C and PoCL.  Exits 1 when an engine that is there fails or gives wrong
 * results. */
#include "bench.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    bool quick, functions;
    const char *only;   /* one case; NULL: all */
    const char *json;   /* NULL: none */
    const char *ptxemu; /* the command line whose start-up is timed */
    double seconds;     /* for each case and engine */
};

static const struct argp_option option_table[] = {
    {"quick", 'q', NULL, 0, "Small problems and few runs: shows that everything works, not how fast", 0},
    {"functions", 'f', NULL, 0, "Only the cost of the approximate functions, in units of add.f32", 0},
    {"case", 'c', "NAME", 0, "Only this kernel, without the other figures", 0},
    {"seconds", 's', "S", 0, "Measure each case for S seconds (0.5)", 0},
    {"json", 'j', "FILE", 0, "Write the figures as JSON", 0},
    {"ptxemu", 'p', "PATH", 0, "The command whose start-up is timed", 0},
    {0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case 'q':
        o->quick = true;
        o->seconds = 0.02;
        break;
    case 'f':
        o->functions = true;
        break;
    case 'c':
        o->only = argument;
        break;
    case 's':
        o->seconds = strtod(argument, NULL);
        break;
    case 'j':
        o->json = argument;
        break;
    case 'p':
        o->ptxemu = argument;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* Native's results, which the others must have. */
static void **reference_of(const struct bench_case *c)
{
    void **buffers = bench_host_buffers(c);

    c->native(c, buffers);
    return buffers;
}

static bool measure_row(const struct options *o, const struct bench_engine *opencl, struct bench_row *row)
{
    void **reference = reference_of(row->c);
    bool ok = bench_measure(&bench_native, row->c, 1, o->seconds, reference, &row->native);

    fprintf(stderr, "%s ...\n", row->c->name);
    ok &= bench_measure(&bench_ptxemu, row->c, 1, o->seconds, reference, &row->ptxemu);
    if (opencl != NULL) {
        ok &= bench_measure(opencl, row->c, 1, o->seconds, reference, &row->opencl);
    }
    bench_free_buffers(row->c, reference);
    return ok;
}

static void measure_extras(const struct options *o, struct bench_extras *extras)
{
    fprintf(stderr, "other figures ...\n");
    bench_measure_startup(o->ptxemu, extras);
    bench_measure_empty(o->quick, extras);
    bench_measure_matrix(o->quick, extras);
    bench_measure_threads(o->quick, o->seconds, extras);
}

int main(int argc, char **argv)
{
    static const struct argp parser = {option_table, parse_option, NULL, "Measure ptxemu against native C and PoCL.",
                                       NULL,         NULL,         NULL};
    struct options o = {.seconds = 0.5, .ptxemu = BENCH_PTXEMU};
    struct bench_case cases[BENCH_MAX_CASES];
    struct bench_row rows[BENCH_MAX_CASES] = {{0}};
    struct bench_extras extras = {0};
    size_t count = 0;
    bool ok = true;

    argp_parse(&parser, argc, argv, 0, NULL, &o);
    if (o.functions) {
        return bench_print_functions(o.quick) ? 0 : 1;
    }
    if (o.only == NULL) {
        bench_measure_parse(o.quick, &extras); /* first, while this process is small */
    }
    const struct bench_engine *opencl = bench_opencl();
    const size_t case_count = bench_make_cases(o.quick, cases);

    for (size_t i = 0; i < case_count; i++) {
        if (o.only == NULL || strcmp(o.only, cases[i].name) == 0) {
            rows[count].c = &cases[i];
            ok &= measure_row(&o, opencl, &rows[count]);
            count++;
        }
    }
    if (count == 0) {
        fprintf(stderr, "ptxemu-bench: no kernel named '%s'\n", o.only);
        return 2;
    }
    if (o.only == NULL) {
        measure_extras(&o, &extras);
    }
    bench_print_table(rows, count, &extras);
    if (o.json != NULL && !bench_write_json(o.json, rows, count, &extras)) {
        fprintf(stderr, "ptxemu-bench: cannot write %s\n", o.json);
        return 1;
    }
    return ok ? 0 : 1;
}
