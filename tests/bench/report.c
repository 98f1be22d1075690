/* The table for people and the same figures as JSON.  A figure that was not measured is "-" in one and null in the
 * other. */
#include "bench.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

/* PTX thread-instructions per CPU-second, in 10^9: ptxemu's count of them, whatever engine took the time. */
static double giga_instructions(const struct bench_row *row, const struct bench_time *time)
{
    return time->valid && row->ptxemu.valid ? (double)row->ptxemu.instructions * 1e-9 / time->cpu_s : NAN;
}

static double mega_elements(const struct bench_row *row, const struct bench_time *time)
{
    return time->valid ? (double)row->c->elements * 1e-6 / time->cpu_s : NAN;
}

/* How many times longer `time` is than `base`. */
static double ratio(const struct bench_time *time, const struct bench_time *base)
{
    return time->valid && base->valid ? time->cpu_s / base->cpu_s : NAN;
}

static void print_figure(double value, int width, int digits)
{
    if (isnan(value)) {
        printf("%*s", width, "-");
    } else {
        printf("%*.*f", width, digits, value);
    }
}

/* Geometric mean, kept as a sum of logarithms. */
struct mean {
    double logs;
    size_t count;
};

static void mean_add(struct mean *m, double value)
{
    if (!isnan(value)) {
        m->logs += log(value);
        m->count++;
    }
}

static double mean_of(const struct mean *m)
{
    return m->count == 0 ? NAN : exp(m->logs / (double)m->count);
}

enum { NATIVE, PTXEMU, OPENCL, ENGINES };

/* The columns of a row that have a mean. */
struct figures {
    double giga[ENGINES];
    double by_native, by_opencl; /* ptxemu's time over theirs */
};

static struct figures figures_of(const struct bench_row *row)
{
    return (struct figures){
        .giga = {giga_instructions(row, &row->native), giga_instructions(row, &row->ptxemu),
                 giga_instructions(row, &row->opencl)},
        .by_native = ratio(&row->ptxemu, &row->native),
        .by_opencl = ratio(&row->ptxemu, &row->opencl),
    };
}

static void print_figures(const struct figures *f)
{
    printf(" |");
    for (int e = 0; e < ENGINES; e++) {
        print_figure(f->giga[e], 8, 2);
    }
    printf(" |");
    print_figure(f->by_native, 8, 2);
    print_figure(f->by_opencl, 8, 2);
    printf("\n");
}

static struct figures mean_figures(const struct bench_row *rows, size_t count)
{
    struct mean giga[ENGINES] = {{0}}, by_native = {0}, by_opencl = {0};

    for (size_t i = 0; i < count; i++) {
        const struct figures f = figures_of(&rows[i]);

        for (int e = 0; e < ENGINES; e++) {
            mean_add(&giga[e], f.giga[e]);
        }
        mean_add(&by_native, f.by_native);
        mean_add(&by_opencl, f.by_opencl);
    }
    return (struct figures){.giga = {mean_of(&giga[NATIVE]), mean_of(&giga[PTXEMU]), mean_of(&giga[OPENCL])},
                            .by_native = mean_of(&by_native),
                            .by_opencl = mean_of(&by_opencl)};
}

static void print_extras(const struct bench_extras *x)
{
    printf("\n");
    for (size_t i = 0; i < x->thread_count; i++) {
        printf("two host threads, %-11s %6.2f x one\n", x->threads[i].name, x->threads[i].speedup);
    }
    if (x->startup_s > 0) {
        printf("start, parse 100 lines, exit  %6.2f ms\n", x->startup_s * 1e3);
    }
    if (x->empty_ctas > 0) {
        printf("%u empty CTAs of 32      %6.3f s\n", x->empty_ctas, x->empty_s);
    }
    if (x->parse_size > 0) {
        printf("parse %.1f MB of nvcc's PTX   %6.1f MB/s, %.1f bytes of memory per byte\n",
               (double)x->parse_size * 1e-6, x->parse_mb_per_s, x->parse_bytes);
    }
    for (size_t i = 0; i < x->matrix_count; i++) {
        printf("mma on %-22s %6.2f 10^6 warp instructions / CPU-s\n", x->matrix[i].name, x->matrix[i].per_s * 1e-6);
    }
}

void bench_print_table(const struct bench_row *rows, size_t count, const struct bench_extras *extras)
{
    printf("%-14s  %-26s | %-23s | %s\n", "", "10^6 elements / CPU-s", "10^9 PTX instr. / CPU-s", "ptxemu's time over");
    printf("%-14s%9s%9s%9s |%8s%8s%8s |%8s%8s\n", "kernel", "native", "ptxemu", "PoCL", "native", "ptxemu", "PoCL",
           "native", "PoCL");
    for (size_t i = 0; i < count; i++) {
        const struct figures f = figures_of(&rows[i]);

        printf("%-14s", rows[i].c->name);
        print_figure(mega_elements(&rows[i], &rows[i].native), 9, 1);
        print_figure(mega_elements(&rows[i], &rows[i].ptxemu), 9, 1);
        print_figure(mega_elements(&rows[i], &rows[i].opencl), 9, 1);
        print_figures(&f);
    }
    const struct figures mean = mean_figures(rows, count);

    printf("%-14s%27s", "geometric mean", "");
    print_figures(&mean);
    print_extras(extras);
}

static json_t *number_or_null(double value)
{
    return isnan(value) ? json_null() : json_real(value);
}

static json_t *time_as_json(const struct bench_row *row, const struct bench_time *time)
{
    if (!time->valid) {
        return json_null();
    }
    return json_pack("{s:f, s:f, s:o, s:o}", "cpu_s", time->cpu_s, "wall_s", time->wall_s, "elements_per_cpu_s",
                     number_or_null(mega_elements(row, time) * 1e6), "thread_instructions_per_cpu_s",
                     number_or_null(giga_instructions(row, time) * 1e9));
}

static json_t *figures_as_json(const struct figures *f)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "native_ginstr_per_cpu_s", number_or_null(f->giga[NATIVE]),
                     "ptxemu_ginstr_per_cpu_s", number_or_null(f->giga[PTXEMU]), "pocl_ginstr_per_cpu_s",
                     number_or_null(f->giga[OPENCL]), "ptxemu_over_native", number_or_null(f->by_native),
                     "ptxemu_over_pocl", number_or_null(f->by_opencl));
}

static json_t *row_as_json(const struct bench_row *row)
{
    const struct figures f = figures_of(row);

    return json_pack("{s:s, s:I, s:I, s:o, s:o, s:o, s:o}", "kernel", row->c->name, "elements",
                     (json_int_t)row->c->elements, "thread_instructions", (json_int_t)row->ptxemu.instructions,
                     "native", time_as_json(row, &row->native), "ptxemu", time_as_json(row, &row->ptxemu), "pocl",
                     time_as_json(row, &row->opencl), "figures", figures_as_json(&f));
}

static json_t *extras_as_json(const struct bench_extras *x)
{
    json_t *threads = json_object(), *matrix = json_object();

    for (size_t i = 0; i < x->thread_count; i++) {
        json_object_set_new(threads, x->threads[i].name, json_real(x->threads[i].speedup));
    }
    for (size_t i = 0; i < x->matrix_count; i++) {
        json_object_set_new(matrix, x->matrix[i].name, json_real(x->matrix[i].per_s));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "two_thread_speedup", threads, "matrix_per_s", matrix,
                     "startup_s", number_or_null(x->startup_s > 0 ? x->startup_s : NAN), "empty_ctas",
                     json_integer((json_int_t)x->empty_ctas), "empty_ctas_s",
                     number_or_null(x->empty_ctas > 0 ? x->empty_s : NAN), "parse_mb_per_s",
                     number_or_null(x->parse_size > 0 ? x->parse_mb_per_s : NAN), "parse_bytes_per_byte",
                     number_or_null(x->parse_size > 0 ? x->parse_bytes : NAN));
}

bool bench_write_json(const char *path, const struct bench_row *rows, size_t count, const struct bench_extras *extras)
{
    json_t *list = json_array();
    const struct figures mean = mean_figures(rows, count);

    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, row_as_json(&rows[i]));
    }
    json_t *all = json_pack("{s:o, s:o, s:o}", "kernels", list, "geometric_mean", figures_as_json(&mean), "extras",
                            extras_as_json(extras));
    const bool ok = all != NULL && json_dump_file(all, path, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) == 0;

    json_decref(all);
    return ok;
}
