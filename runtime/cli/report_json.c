/*
 * Reports for programs: one JSON object on standard output when everything is over.  Its keys are described in
 * ptxemu(1) and do not change their meaning.  What went wrong also goes to standard error, as in text reports.
 */
#include "runtime/cli/console.h"
#include "runtime/cli/json.h"
#include "runtime/cli/report.h"

#include <stdlib.h>
#include <string.h>

/* A kernel that prints without end must not exhaust the host; what exceeds this is dropped and the report says so. */
enum { MOST_OUTPUT_BYTES = 64 << 20 };

struct state {
    json_t *root;
    json_t *launch; /* borrowed: the launch that is being reported; NULL before the first */
    char *output;   /* of the running kernel; owned */
    size_t output_length, output_room;
    bool output_cut;
};

static struct state *state_of(struct cli_report *report)
{
    return report->state;
}

void *cli_report_json_new(const struct cli_run_options *options)
{
    struct state *s = calloc(1, sizeof *s);

    if (s == NULL) {
        return NULL;
    }
    s->root = json_pack("{s:s,s:o,s:o,s:s,s:n,s:[],s:[]}", "version", ptxemu_version(), "file",
                        cli_json_text(options->files.paths[0]), "files",
                        cli_json_texts(options->files.paths, options->files.count), "policy",
                        cli_policy_name(options->machine.policy), "error", "diagnostics", "launches");
    if (s->root == NULL) {
        free(s);
        return NULL;
    }
    return s;
}

static json_t *describe_args(const struct cli_job *job)
{
    json_t *list = json_array();

    for (unsigned i = 0; i < job->info.param_count; i++) {
        const struct cli_bound *arg = &job->args[i];

        json_array_append_new(list, json_pack("{s:I,s:o,s:s,s:o,s:b,s:o}", "index", (json_int_t)i, "name",
                                              cli_json_text(arg->param.name), "type", arg->type->name, "count",
                                              cli_json_uint(arg->count), "buffer", arg->is_buffer, "spec",
                                              cli_json_text(arg->written)));
    }
    return list;
}

static json_t *describe_inferred(const struct cli_inferred *inferred)
{
    return json_pack("{s:b,s:b,s:b,s:b}", "kernel", inferred->kernel, "grid", inferred->grid, "block", inferred->block,
                     "args", inferred->args);
}

static void json_launching(struct cli_report *report, const struct cli_job *job)
{
    struct state *s = state_of(report);

    json_object_set_new(s->root, "gpu", cli_json_text(report->jobs->session->gpu.name));
    s->launch = json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:n,s:n,s:[],s:[],s:[],s:s,s:b}", "kernel",
                          cli_json_text(job->info.name), "grid", cli_json_dimensions(job->launch->grid), "block",
                          cli_json_dimensions(job->launch->block), "shared", cli_json_uint(job->launch->shared_bytes),
                          "args", describe_args(job), "inferred", describe_inferred(&job->inferred), "stats", "fault",
                          "changed", "prints", "expects", "output", "", "output_truncated", 0);
    json_array_append_new(json_object_get(s->root, "launches"), s->launch);
    s->output_length = 0;
    s->output_cut = false;
}

static bool grow_output(struct state *s, size_t length)
{
    size_t wanted = s->output_length + length;

    if (wanted <= s->output_room) {
        return true;
    }
    size_t room = wanted * 2;
    char *output = realloc(s->output, room);

    if (output != NULL) {
        s->output = output;
        s->output_room = room;
    }
    return output != NULL;
}

static void json_kernel_output(struct cli_report *report, const char *text, size_t length)
{
    struct state *s = state_of(report);

    if (s->output_cut || length > MOST_OUTPUT_BYTES - s->output_length || !grow_output(s, length)) {
        s->output_cut = true;
        return;
    }
    memcpy(s->output + s->output_length, text, length);
    s->output_length += length;
}

/* What the kernel printed before it ended, whichever way. */
static void settle_output(struct state *s)
{
    if (s->output_length > 0) {
        json_object_set_new(s->launch, "output", cli_json_bytes(s->output, s->output_length));
    }
    json_object_set_new(s->launch, "output_truncated", json_boolean(s->output_cut));
}

static void json_finished(struct cli_report *report, const struct cli_job *job, const ptxemu_stats *stats)
{
    struct state *s = state_of(report);

    (void)job;
    settle_output(s);
    json_object_set_new(s->launch, "stats",
                        json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "thread_instructions",
                                  cli_json_uint(stats->thread_instructions), "warp_instructions",
                                  cli_json_uint(stats->warp_instructions), "divergent_branches",
                                  cli_json_uint(stats->divergent_branches), "barriers", cli_json_uint(stats->barriers),
                                  "ctas", cli_json_uint(stats->ctas), "warps", cli_json_uint(stats->warps), "threads",
                                  cli_json_uint(stats->threads), "wall_s", cli_json_real(stats->wall_s), "cpu_s",
                                  cli_json_real(stats->cpu_s)));
}

static const char *fault_name(ptxemu_fault_kind kind)
{
    static const char *const names[] = {
        [PTXEMU_FAULT_NONE] = "none",
        [PTXEMU_FAULT_OUT_OF_BOUNDS] = "out_of_bounds",
        [PTXEMU_FAULT_MISALIGNED] = "misaligned",
        [PTXEMU_FAULT_NULL] = "null",
        [PTXEMU_FAULT_READ_ONLY] = "read_only",
        [PTXEMU_FAULT_TRAP] = "trap",
        [PTXEMU_FAULT_ASSERT] = "assert",
        [PTXEMU_FAULT_DEADLOCK] = "deadlock",
        [PTXEMU_FAULT_TIMEOUT] = "timeout",
        [PTXEMU_FAULT_CANCELLED] = "cancelled",
        [PTXEMU_FAULT_STACK_OVERFLOW] = "stack_overflow",
        [PTXEMU_FAULT_BAD_CALL] = "bad_call",
        [PTXEMU_FAULT_BAD_BARRIER] = "bad_barrier",
        [PTXEMU_FAULT_ILLEGAL_INSTRUCTION] = "illegal_instruction",
        [PTXEMU_FAULT_BAD_HANDLE] = "bad_handle",
    };
    size_t index = (size_t)kind;

    return index < sizeof names / sizeof names[0] ? names[index] : "unknown";
}

static void json_faulted(struct cli_report *report, const ptxemu_fault_info *f)
{
    struct state *s = state_of(report);

    settle_output(s);
    json_object_set_new(s->launch, "fault",
                        json_pack("{s:s,s:o,s:o,s:I,s:I,s:o,s:I,s:o,s:I,s:o,s:o,s:o}", "kind", fault_name(f->kind),
                                  "cta", cli_json_dimensions(f->cta), "thread", cli_json_dimensions(f->thread), "warp",
                                  (json_int_t)f->warp, "lane", (json_int_t)f->lane, "file", cli_json_text(f->file),
                                  "line", (json_int_t)f->line, "source_file", cli_json_text(f->source_file),
                                  "source_line", (json_int_t)f->source_line, "address", cli_json_uint(f->address),
                                  "bytes", cli_json_uint(f->bytes), "message", cli_json_text(f->message)));
    cli_console_fault(report->jobs->session, f);
}

static void json_printed(struct cli_report *report, const struct cli_job *job, unsigned index, uint64_t count)
{
    const struct cli_bound *arg = &job->args[index];
    const unsigned char *element = cli_job_bytes(report->jobs, job, index);
    json_t *values = json_array();

    for (uint64_t i = 0; i < count; i++, element += arg->type->bytes) {
        json_array_append_new(values, cli_json_element(arg->type, element));
    }
    json_array_append_new(json_object_get(state_of(report)->launch, "prints"),
                          json_pack("{s:I,s:s,s:o,s:o}", "arg", (json_int_t)index, "type", arg->type->name, "count",
                                    cli_json_uint(arg->count), "values", values));
}

static void json_changed(struct cli_report *report, const struct cli_job *job, unsigned index, uint64_t changed)
{
    const struct cli_bound *arg = &job->args[index];

    json_array_append_new(json_object_get(state_of(report)->launch, "changed"),
                          json_pack("{s:I,s:s,s:o,s:o}", "arg", (json_int_t)index, "type", arg->type->name, "count",
                                    cli_json_uint(arg->count), "changed", cli_json_uint(changed)));
}

static void json_expected(struct cli_report *report, const struct cli_job *job, unsigned index,
                          const struct cli_difference *d)
{
    bool ok = d->mismatches == 0;
    json_t *entry = json_pack("{s:I,s:b,s:o,s:o}", "arg", (json_int_t)index, "ok", ok, "elements",
                              cli_json_uint(d->compared), "mismatches", cli_json_uint(d->mismatches));

    (void)job;
    if (!ok) {
        json_object_set_new(entry, "index", cli_json_uint(d->first));
        json_object_set_new(entry, "expected", cli_json_text(d->expected));
        json_object_set_new(entry, "got", cli_json_text(d->got));
    }
    json_array_append_new(json_object_get(state_of(report)->launch, "expects"), entry);
}

static void json_failed(struct cli_report *report, const struct cli_error *error)
{
    json_object_set_new(state_of(report)->root, "error", cli_json_text(error->text));
    cli_console_error(error);
}

static void json_diagnosed(struct cli_report *report, const ptxemu_device *device)
{
    json_object_set_new(state_of(report)->root, "diagnostics", cli_json_diagnostics(device));
    cli_console_diagnostics(device, report->options->quiet);
}

static bool json_close(struct cli_report *report, int exit_code)
{
    struct state *s = state_of(report);

    json_object_set_new(s->root, "exit_code", json_integer(exit_code));

    bool ok = cli_json_put(s->root);

    free(s->output);
    free(s);
    return ok;
}

const struct cli_report_format CLI_REPORT_JSON = {
    .launching = json_launching,
    .kernel_output = json_kernel_output,
    .finished = json_finished,
    .faulted = json_faulted,
    .printed = json_printed,
    .changed = json_changed,
    .expected = json_expected,
    .failed = json_failed,
    .diagnosed = json_diagnosed,
    .close = json_close,
};
