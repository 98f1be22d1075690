/*
 * Reports for people: results on standard output, what went wrong on standard error.
 */
#include "runtime/cli/console.h"
#include "runtime/cli/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SUMMARY_ELEMENTS = 8, LONGEST_SPEC = 60 };

/* "16", "16x2" or "16x2x3" */
static void put_dimensions(const unsigned size[3])
{
    printf("%u", size[0]);
    if (size[1] != 1 || size[2] != 1) {
        printf("x%u", size[1]);
    }
    if (size[2] != 1) {
        printf("x%u", size[2]);
    }
}

static void put_written(const struct cli_job *job)
{
    for (unsigned i = 0; i < job->info.param_count; i++) {
        const char *written = job->args[i].written;
        bool cut = strlen(written) > LONGEST_SPEC;

        printf("%s%.*s%s", i == 0 ? ": " : ", ", LONGEST_SPEC, written, cut ? "..." : "");
    }
}

/* Which parts of the launch nobody gave. */
static void put_inferred(const struct cli_inferred *inferred)
{
    const struct {
        bool inferred;
        const char *what;
    } parts[] = {{inferred->kernel, "kernel"},
                 {inferred->grid, "grid"},
                 {inferred->block, "block"},
                 {inferred->args, "arguments"}};
    const char *before = " (inferred: ";

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].inferred) {
            printf("%s%s", before, parts[i].what);
            before = ", ";
        }
    }
    if (before[0] == ',') {
        putchar(')');
    }
}

/* A choice that the user may not have meant. */
static void note_other_kernels(const struct cli_jobs *jobs, const struct cli_job *job)
{
    ptxemu_module *module = jobs->session->module;
    size_t count = ptxemu_kernel_count(module);
    ptxemu_kernel_info info;

    if (!job->inferred.kernel || count < 2) {
        return;
    }
    printf("note: the file has %zu kernels; choose another one with --kernel:", count);
    for (size_t i = 1; i < count && i <= 10; i++) {
        ptxemu_kernel_get_info(ptxemu_kernel_at(module, i), &info);
        printf(" %s", info.name);
    }
    puts(count > 11 ? " ..." : "");
}

static void text_launching(struct cli_report *report, const struct cli_job *job)
{
    if (!report->options->quiet) {
        note_other_kernels(report->jobs, job);
        printf("launch %s, grid ", job->info.name);
        put_dimensions(job->launch->grid);
        printf(", block ");
        put_dimensions(job->launch->block);
        if (job->launch->shared_bytes != 0) {
            printf(", shared %" PRIu64, job->launch->shared_bytes);
        }
        printf(", on %s", report->jobs->session->gpu.name);
        put_written(job);
        put_inferred(&job->inferred);
        putchar('\n');
    }
    fflush(stdout);
}

static void text_kernel_output(struct cli_report *report, const char *text, size_t length)
{
    (void)report;
    fwrite(text, 1, length, stdout);
}

static double ratio(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : (double)a / (double)b;
}

static void put_stats(const ptxemu_stats *s)
{
    printf("  thread instructions    %15" PRIu64 "\n", s->thread_instructions);
    printf("  warp instructions      %15" PRIu64 "\n", s->warp_instructions);
    printf("  lanes per instruction  %15.2f\n", ratio(s->thread_instructions, s->warp_instructions));
    printf("  divergent branches     %15" PRIu64 "\n", s->divergent_branches);
    printf("  barrier arrivals       %15" PRIu64 "\n", s->barriers);
    printf("  CTAs                   %15" PRIu64 "\n", s->ctas);
    printf("  warps                  %15" PRIu64 "\n", s->warps);
    printf("  threads                %15" PRIu64 "\n", s->threads);
    printf("  wall time            %15.6f s\n", s->wall_s);
    printf("  CPU time             %15.6f s\n", s->cpu_s);
    printf("  instructions per CPU second %10.4g\n", s->cpu_s > 0 ? (double)s->thread_instructions / s->cpu_s : 0);
}

static void put_time(double seconds)
{
    if (seconds < 1e-3) {
        printf("%.1f us", seconds * 1e6);
    } else if (seconds < 1) {
        printf("%.2f ms", seconds * 1e3);
    } else {
        printf("%.2f s", seconds);
    }
}

static void text_finished(struct cli_report *report, const struct cli_job *job, const ptxemu_stats *stats)
{
    (void)job;
    if (!report->options->quiet) {
        printf("done in ");
        put_time(stats->wall_s);
        printf(": %" PRIu64 " CTA%s, %" PRIu64 " threads\n", stats->ctas, stats->ctas == 1 ? "" : "s", stats->threads);
    }
    if (report->options->stats) {
        put_stats(stats);
    }
}

static void text_faulted(struct cli_report *report, const ptxemu_fault_info *fault)
{
    cli_console_fault(report->jobs->session, fault);
}

/* "arg 2 f32[4096]:" */
static void put_heading(const struct cli_job *job, unsigned index)
{
    const struct cli_bound *arg = &job->args[index];

    printf("arg %u %s", index, arg->type->name);
    if (arg->is_buffer || arg->count != 1) {
        printf("[%" PRIu64 "]", arg->count);
    }
    putchar(':');
}

static void put_elements(struct cli_report *report, const struct cli_job *job, unsigned index, uint64_t count)
{
    const struct cli_bound *arg = &job->args[index];
    const unsigned char *element = cli_job_bytes(report->jobs, job, index);
    char text[CLI_ELEMENT_TEXT];

    for (uint64_t i = 0; i < count; i++, element += arg->type->bytes) {
        cli_element_format(arg->type, element, text);
        putchar(' ');
        fputs(text, stdout);
    }
}

static void text_printed(struct cli_report *report, const struct cli_job *job, unsigned index, uint64_t count)
{
    put_heading(job, index);
    put_elements(report, job, index, count);
    putchar('\n');
}

static void text_changed(struct cli_report *report, const struct cli_job *job, unsigned index, uint64_t changed)
{
    uint64_t count = job->args[index].count;

    if (report->options->quiet) {
        return;
    }
    put_heading(job, index);
    put_elements(report, job, index, count < SUMMARY_ELEMENTS ? count : SUMMARY_ELEMENTS);
    printf("%s (%" PRIu64 " changed)\n", count > SUMMARY_ELEMENTS ? " ..." : "", changed);
}

static void text_expected(struct cli_report *report, const struct cli_job *job, unsigned index,
                          const struct cli_difference *d)
{
    if (d->mismatches > 0) {
        fflush(stdout);
        fprintf(stderr,
                "arg %u (%s): element %" PRIu64 " is %s, expected %s; %" PRIu64 " of %" PRIu64 " elements differ\n",
                index, job->args[index].param.name, d->first, d->got, d->expected, d->mismatches, d->compared);
    } else if (!report->options->quiet) {
        printf("arg %u: ok (%" PRIu64 " element%s)\n", index, d->compared, d->compared == 1 ? "" : "s");
    }
}

static void text_failed(struct cli_report *report, const struct cli_error *error)
{
    (void)report;
    cli_console_error(error);
}

static void text_diagnosed(struct cli_report *report, const ptxemu_device *device)
{
    cli_console_diagnostics(device, report->options->quiet);
}

static bool text_close(struct cli_report *report, int exit_code)
{
    (void)report;
    (void)exit_code;
    return fflush(stdout) == 0 && ferror(stdout) == 0;
}

const struct cli_report_format CLI_REPORT_TEXT = {
    .launching = text_launching,
    .kernel_output = text_kernel_output,
    .finished = text_finished,
    .faulted = text_faulted,
    .printed = text_printed,
    .changed = text_changed,
    .expected = text_expected,
    .failed = text_failed,
    .diagnosed = text_diagnosed,
    .close = text_close,
};
