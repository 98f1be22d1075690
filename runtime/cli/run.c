/*
 * `ptxemu [run] FILE.ptx`: load, bind, launch, look at the results.  Invariant: every way out goes through the report's
 * close, and the exit code is the first failure's.
 */
#include "runtime/cli/commands.h"
#include "runtime/cli/console.h"
#include "runtime/cli/exec.h"
#include "runtime/cli/files.h"
#include "runtime/cli/npy.h"
#include "runtime/cli/progress.h"
#include "runtime/cli/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTER_WRITTEN = 2 | 4 }; /* stores and atomics */

/* --- results ---------------------------------------------------------------------------------- */

static void print_args(struct cli_report *report, const struct cli_job *job)
{
    struct cli_error unused;
    unsigned index = 0;

    for (size_t i = 0; i < job->launch->print_count; i++) {
        const struct cli_print *print = &job->launch->prints[i];

        cli_job_target(job, &print->target, &index, &unused); /* checked when the job was bound */
        uint64_t count = job->args[index].count;

        report->format->printed(report, job, index, print->count != 0 && print->count < count ? print->count : count);
    }
}

/* Buffers the kernel writes as far as its code tells, and any other that did change. */
static void summarise_buffers(struct cli_report *report, const struct cli_job *job)
{
    for (unsigned i = 0; i < job->info.param_count; i++) {
        const struct cli_bound *arg = &job->args[i];

        if (!arg->is_buffer) {
            continue;
        }
        uint64_t changed =
            cli_count_changed(&report->jobs->buffers[arg->buffer].initial, cli_job_bytes(report->jobs, job, i));

        if (changed > 0 || (arg->param.pointer_use & POINTER_WRITTEN) != 0) {
            report->format->changed(report, job, i, changed);
        }
    }
}

/* Load what is expected of an argument; it may say less than the argument has, but not more. */
static bool load_expected(const struct cli_jobs *jobs, const struct cli_bound *arg, const struct cli_expect *expect,
                          struct cli_values *values, struct cli_error *error)
{
    const struct cli_type *type = expect->spec.type != NULL ? expect->spec.type : arg->type;
    uint64_t bytes = arg->count * arg->type->bytes;
    uint64_t all = cli_pattern_is_data(&expect->spec.pattern) ? 0 : bytes / type->bytes;

    if (!cli_values_load(&expect->spec, type, all, jobs->bytes_left, values, error)) {
        return false;
    }
    if (values->count <= bytes / values->type->bytes) {
        return true;
    }
    cli_fail(error, PTXEMU_BAD_INPUT, "%ju elements of %s are expected, but the argument has %ju bytes",
             (uintmax_t)values->count, values->type->name, (uintmax_t)bytes);
    cli_values_release(values);
    return false;
}

/* Expectations that fail make the exit code 1, but the others are still looked at. */
static bool check_expect(struct cli_report *report, const struct cli_job *job, const struct cli_expect *expect,
                         bool *met, struct cli_error *error)
{
    struct cli_difference difference;
    struct cli_values values;
    unsigned index = 0;

    if (!cli_job_target(job, &expect->target, &index, error) ||
        !load_expected(report->jobs, &job->args[index], expect, &values, error)) {
        return cli_fail_at(error, "expect: ");
    }
    cli_compare(&values, cli_job_bytes(report->jobs, job, index), expect->close ? expect->tolerance : -1, &difference);
    cli_values_release(&values);
    report->format->expected(report, job, index, &difference);
    *met &= difference.mismatches == 0;
    return true;
}

static bool is_npy_path(const char *path)
{
    size_t length = strlen(path);

    return length > 4 && strcmp(path + length - 4, ".npy") == 0;
}

static bool dump_arg(const struct cli_jobs *jobs, const struct cli_job *job, const struct cli_dump *dump,
                     struct cli_error *error)
{
    unsigned char header[CLI_NPY_HEADER];
    unsigned index = 0;
    size_t head = 0;

    if (!cli_job_target(job, &dump->target, &index, error)) {
        return cli_fail_at(error, "dump-arg: ");
    }
    const struct cli_bound *arg = &job->args[index];

    if (is_npy_path(dump->path)) {
        if (!cli_npy_header(arg->type, arg->count, header, error)) {
            return cli_fail_at(error, "dump-arg: ");
        }
        head = sizeof header;
    }
    return cli_file_write(dump->path, header, head, cli_job_bytes(jobs, job, index), arg->count * arg->type->bytes,
                          error);
}

static bool show_results(struct cli_report *report, const struct cli_job *job, bool *met, struct cli_error *error)
{
    bool ok = true;

    if (job->launch->print_count > 0) {
        print_args(report, job);
    } else if (!report->options->quiet) {
        summarise_buffers(report, job);
    }
    for (size_t i = 0; ok && i < job->launch->expect_count; i++) {
        ok = check_expect(report, job, &job->launch->expects[i], met, error);
    }
    for (size_t i = 0; ok && i < job->launch->dump_count; i++) {
        ok = dump_arg(report->jobs, job, &job->launch->dumps[i], error);
    }
    return ok;
}

/* --- launching -------------------------------------------------------------------------------- */

/* What the engine's callbacks get. */
struct callbacks {
    struct cli_report *report;
    struct cli_progress progress;
};

static bool on_progress(void *user, uint64_t done, uint64_t total)
{
    struct callbacks *c = user;

    cli_progress_update(&c->progress, done, total);
    return true;
}

static void on_print(void *user, const char *text, size_t length)
{
    struct callbacks *c = user;

    cli_progress_erase(&c->progress);
    c->report->format->kernel_output(c->report, text, length);
}

static ptxemu_status launch(struct cli_report *report, const struct cli_job *job)
{
    const struct cli_run_options *options = report->options;
    struct callbacks callbacks = {.report = report};
    ptxemu_launch l = {
        .size = sizeof l,
        .grid = {job->launch->grid[0], job->launch->grid[1], job->launch->grid[2]},
        .block = {job->launch->block[0], job->launch->block[1], job->launch->block[2]},
        .dynamic_shared = job->launch->shared_bytes,
        .params = job->params,
        .params_bytes = job->info.param_bytes,
        .host_threads = options->machine.threads,
        .policy = options->machine.policy,
        .seed = options->machine.seed,
        .timeout_s = options->machine.timeout_s,
        .progress = on_progress,
        .print = on_print,
        .user = &callbacks,
    };

    cli_progress_start(&callbacks.progress, options->quiet);
    ptxemu_status status = ptxemu_run(job->kernel, &l);

    cli_progress_erase(&callbacks.progress);
    return status;
}

/* A fault is reported as one; any other failure has words of the device's. */
static bool report_failure(struct cli_report *report, ptxemu_status status, struct cli_error *error)
{
    const ptxemu_device *device = report->jobs->session->device;
    ptxemu_fault_info fault;

    if (status != PTXEMU_FAULT || !ptxemu_get_fault(device, &fault)) {
        return cli_fail_device(device, status, error);
    }
    report->format->faulted(report, &fault);
    cli_fail(error, status, "%s", ""); /* an empty message: all has been said */
    return false;
}

static bool run_job(struct cli_report *report, const struct cli_job *job, bool *met, struct cli_error *error)
{
    ptxemu_stats stats;

    report->format->launching(report, job);
    ptxemu_status status = launch(report, job);

    if (status != PTXEMU_OK) {
        return report_failure(report, status, error);
    }
    bool ok = show_results(report, job, met, error);

    ptxemu_get_stats(report->jobs->session->device, &stats);
    report->format->finished(report, job, &stats);
    return ok;
}

static bool run_jobs(struct cli_report *report, struct cli_error *error)
{
    bool met = true;

    for (size_t i = 0; i < report->jobs->count; i++) {
        if (!run_job(report, &report->jobs->jobs[i], &met, error)) {
            return false;
        }
    }
    return met || cli_fail(error, PTXEMU_FAULT, "%s", "");
}

/* --- the command ------------------------------------------------------------------------------ */

static bool dump_module(const struct cli_session *session, const char *what, struct cli_error *error)
{
    char *text = NULL;
    ptxemu_status status = ptxemu_module_dump(session->module, what, &text);

    if (status != PTXEMU_OK) {
        return cli_fail_device(session->device, status, error);
    }
    fputs(text, stdout);
    free(text);
    return true;
}

static bool run_plan(struct cli_report *report, const struct cli_session *session, struct cli_plan *plan,
                     struct cli_error *error)
{
    struct cli_jobs jobs;

    if (!cli_jobs_bind(session, plan, &jobs, error)) {
        return false;
    }
    report->jobs = &jobs;
    bool ok = run_jobs(report, error);

    report->jobs = NULL;
    cli_jobs_release(&jobs);
    return ok;
}

static bool read_plan(const struct cli_session *session, struct cli_run_options *options, struct cli_plan *plan,
                      struct cli_error *error)
{
    const struct cli_source *first = &session->sources[0];
    char *folder = cli_path_folder(first->path);

    if (folder == NULL) {
        return cli_fail_memory(error);
    }
    struct cli_span text = {(const char *)first->text, first->length};
    bool ok = cli_plan_read(first->path, text, folder, plan, error) && cli_plan_merge(plan, &options->launch, error);

    free(folder);
    return ok;
}

static bool run_loaded(struct cli_report *report, const struct cli_session *session, struct cli_run_options *options,
                       struct cli_error *error)
{
    struct cli_plan plan = {0};
    bool ok = read_plan(session, options, &plan, error) && run_plan(report, session, &plan, error);

    cli_plan_release(&plan);
    return ok;
}

static bool run_file(struct cli_report *report, struct cli_run_options *options, struct cli_error *error)
{
    struct cli_session session;

    if (!cli_session_open(&options->files, &options->machine, &session, error)) {
        return false;
    }
    /* A dump is for looking at: what is missing for a launch does not matter. */
    bool ok = cli_session_load(&session, options->dump != NULL ? CLI_RELOCATABLE : CLI_WHOLE_PROGRAM, error);

    report->format->diagnosed(report, session.device);
    if (ok && options->dump != NULL) {
        ok = dump_module(&session, options->dump, error);
    } else if (ok) {
        ok = run_loaded(report, &session, options, error);
    }
    cli_session_close(&session);
    return ok;
}

static bool answer_question(const struct cli_run_options *options)
{
    if (options->help) {
        cli_run_help();
    } else if (options->version) {
        printf("ptxemu %s\n", ptxemu_version());
    } else if (options->list_gpus) {
        for (size_t i = 0; ptxemu_gpu_name(i) != NULL; i++) {
            puts(ptxemu_gpu_name(i));
        }
    } else {
        return false;
    }
    return true;
}

static int run_reported(struct cli_run_options *options)
{
    struct cli_report report;
    struct cli_error error = {.status = PTXEMU_OK};

    if (!cli_report_open(&report, options)) {
        cli_fail_memory(&error);
        cli_console_error(&error);
        return PTXEMU_NO_MEMORY;
    }
    if (!run_file(&report, options, &error) && error.text[0] != '\0') {
        report.format->failed(&report, &error);
    }
    if (!report.format->close(&report, (int)error.status) && error.status == PTXEMU_OK) {
        cli_fail(&error, PTXEMU_BAD_INPUT, "cannot write to standard output");
        cli_console_error(&error);
    }
    return (int)error.status;
}

/* A program takes our place; what comes back is a failure. */
static int run_program(const struct cli_run_options *options)
{
    struct cli_error error = {.status = PTXEMU_OK};

    if (!cli_program_run(options, &error)) {
        cli_console_error(&error);
    }
    return (int)error.status;
}

int cli_run_command(int argc, char **argv)
{
    struct cli_run_options options;
    struct cli_error error;
    int code = PTXEMU_OK;

    if (!cli_run_options_parse(argc, argv, &options, &error)) {
        cli_console_error(&error);
        code = (int)error.status;
    } else if (answer_question(&options)) {
        code = PTXEMU_OK;
    } else if (options.program.path != NULL) {
        code = run_program(&options);
    } else {
        code = run_reported(&options);
    }
    cli_run_options_release(&options);
    return code;
}
