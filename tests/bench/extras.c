/*
 * Figures beside the table: what a second host thread brings, the time of a whole process, of CTAs that do nothing, and
 * of the parser.
 */
#include "bench.h"

#include "ptxemu.h"

#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void bench_measure_threads(bool quick, double seconds, struct bench_extras *out)
{
    struct bench_case cases[BENCH_MAX_CASES];
    const size_t count = bench_make_cases(quick, cases);

    for (size_t i = 0; i < count && out->thread_count < BENCH_MAX_CASES; i++) {
        struct bench_time one, two;

        if (!cases[i].many_ctas || !bench_measure(&bench_ptxemu, &cases[i], 1, seconds, NULL, &one) ||
            !bench_measure(&bench_ptxemu, &cases[i], 2, seconds, NULL, &two)) {
            continue;
        }
        out->threads[out->thread_count].name = cases[i].name;
        out->threads[out->thread_count].speedup = one.wall_s / two.wall_s;
        out->thread_count++;
    }
}

/* Wall time of one process from spawn to exit; negative when it fails. */
static double time_process(char *const *argv)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const double start = bench_wall_now();

    if (posix_spawnp(&child, argv[0], &actions, NULL, argv, environ) == 0) {
        waitpid(child, &status, 0);
    }
    const double elapsed = bench_wall_now() - start;

    posix_spawn_file_actions_destroy(&actions);
    return status == 0 ? elapsed : -1;
}

void bench_measure_startup(const char *ptxemu, struct bench_extras *out)
{
    enum { RUNS = 20 };
    double best = INFINITY;

    if (ptxemu == NULL) {
        return;
    }
    for (int i = 0; i < RUNS; i++) {
        char *const argv[] = {(char *)ptxemu, "-q", BENCH_STARTUP_FILE, NULL};
        const double elapsed = time_process(argv);

        if (elapsed < 0) {
            fprintf(stderr, "%s -q %s fails\n", ptxemu, BENCH_STARTUP_FILE);
            return;
        }
        best = fmin(best, elapsed);
    }
    out->startup_s = best;
}

static const char empty_kernel[] = ".version 7.0\n"
                                   ".target sm_70\n"
                                   ".address_size 64\n"
                                   ".visible .entry empty()\n"
                                   "{\n"
                                   "    ret;\n"
                                   "}\n";

void bench_measure_empty(bool quick, struct bench_extras *out)
{
    const ptxemu_device_options options = {.size = sizeof options, .host_threads = 1};
    const unsigned ctas = quick ? 100000 : 1000000;
    ptxemu_launch launch = {.size = sizeof launch, .grid = {ctas, 1, 1}, .block = {32, 1, 1}, .host_threads = 1};
    ptxemu_device *device;
    ptxemu_module *module;

    if (ptxemu_device_open(&options, &device, NULL) != PTXEMU_OK) {
        return;
    }
    if (ptxemu_module_load(device, "empty.ptx", empty_kernel, strlen(empty_kernel), &module) == PTXEMU_OK) {
        const double wall = bench_wall_now(), cpu = bench_cpu_now();

        if (ptxemu_run(ptxemu_kernel_at(module, 0), &launch) == PTXEMU_OK) {
            out->empty_ctas = ctas;
            out->empty_cpu_s = bench_cpu_now() - cpu;
            out->empty_s = bench_wall_now() - wall;
        }
    }
    ptxemu_device_close(device);
}

/* What a child process tells of one load. */
struct parse_report {
    double cpu_s;
    double grown_bytes; /* of the peak resident set */
};

static double peak_bytes(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024;
}

static bool load_once(const char *text, size_t length, struct parse_report *report)
{
    ptxemu_device *device;
    ptxemu_module *module;

    if (ptxemu_device_open(NULL, &device, NULL) != PTXEMU_OK) {
        return false;
    }
    const double peak = peak_bytes(), start = bench_cpu_now();
    const bool ok = ptxemu_module_load(device, "nvcc.ptx", text, length, &module) == PTXEMU_OK;

    report->cpu_s = bench_cpu_now() - start;
    report->grown_bytes = peak_bytes() - peak;
    if (!ok) {
        fprintf(stderr, "parse: %s\n", ptxemu_last_error(device));
    }
    ptxemu_device_close(device);
    return ok;
}

/* Load in a process of its own, whose peak of memory is then this load's and no other's. */
static bool load_in_child(const char *text, size_t length, struct parse_report *report)
{
    int ends[2];

    if (pipe(ends) != 0) {
        return false;
    }
    const pid_t child = fork();

    if (child == 0) {
        const bool ok = load_once(text, length, report) && write(ends[1], report, sizeof *report) == sizeof *report;

        _exit(ok ? 0 : 1);
    }
    close(ends[1]);
    const bool ok = child > 0 && read(ends[0], report, sizeof *report) == sizeof *report;

    close(ends[0]);
    if (child > 0) {
        waitpid(child, NULL, 0);
    }
    return ok;
}

void bench_measure_parse(bool quick, struct bench_extras *out)
{
    enum { RUNS = 3 };
    size_t length;
    char *text = bench_nvcc_text(quick ? 1000000 : 16000000, &length);
    struct parse_report best = {.cpu_s = INFINITY};

    for (int i = 0; text != NULL && i < RUNS; i++) {
        struct parse_report one;

        if (!load_in_child(text, length, &one)) {
            free(text);
            return;
        }
        if (one.cpu_s < best.cpu_s) {
            best = one;
        }
    }
    if (text != NULL) {
        out->parse_size = length;
        out->parse_mb_per_s = (double)length * 1e-6 / best.cpu_s;
        out->parse_bytes = best.grown_bytes / (double)length;
    }
    free(text);
}
