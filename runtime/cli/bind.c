/*
 * Binding launches to kernels.  Invariant: each parameter gets exactly one argument of its size, and the buffers
 * together never exceed the device's memory or what the host has available.
 */
#include "runtime/cli/bind.h"
#include "runtime/cli/files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What stands for a parameter in messages and in the engine's fault reports. */
static const char *describe(const struct cli_job *job, unsigned index, char text[128])
{
    snprintf(text, 128, "argument %u (%s)", index, job->args[index].param.name);
    return text;
}

static bool fail_arg(const struct cli_job *job, unsigned index, struct cli_error *error)
{
    char what[128];

    return cli_fail_at(error, "%s of kernel '%s': ", describe(job, index, what), job->info.name);
}

/* --- buffers --------------------------------------------------------------------------------------------------------
 */

static bool is_zero(const struct cli_pattern *pattern)
{
    return pattern->kind == CLI_CONST && pattern->a.integral && pattern->a.magnitude == 0 && !pattern->a.negative;
}

static bool allocate(struct cli_jobs *jobs, const char *label, struct cli_buffer *buffer, struct cli_error *error)
{
    ptxemu_device *device = jobs->session->device;
    ptxemu_status status = ptxemu_alloc(device, buffer->bytes, label, &buffer->address);

    if (status != PTXEMU_OK) {
        return cli_fail_device(device, status, error);
    }
    void *view = ptxemu_view(device, buffer->address, buffer->bytes);

    if (view == NULL) {
        return cli_fail(error, PTXEMU_NO_MEMORY, "device memory cannot be reached");
    }
    if (!is_zero(buffer->initial.pattern)) { /* fresh memory is zero; leaving it alone keeps huge buffers cheap */
        cli_values_fill(&buffer->initial, 0, buffer->initial.count, view);
    }
    jobs->bytes_left -= buffer->initial.data != NULL ? 2 * buffer->bytes : buffer->bytes;
    return true;
}

static bool bind_new_buffer(struct cli_jobs *jobs, struct cli_job *job, unsigned index, const struct cli_spec *spec,
                            struct cli_error *error)
{
    struct cli_bound *arg = &job->args[index];
    struct cli_buffer *buffer = cli_append(&jobs->buffers, &jobs->buffer_count, sizeof *buffer);
    char label[128];

    if (buffer == NULL) {
        return cli_fail_memory(error);
    }
    /* Data is held twice: as it was read, for comparing, and on the device. */
    uint64_t limit = cli_pattern_is_data(&spec->pattern) ? jobs->bytes_left / 2 : jobs->bytes_left;

    if (!cli_values_load(spec, NULL, 0, limit, &buffer->initial, error)) {
        return false;
    }
    buffer->bytes = buffer->initial.count * buffer->initial.type->bytes;
    arg->buffer = jobs->buffer_count - 1;
    arg->type = buffer->initial.type;
    arg->count = buffer->initial.count;
    return allocate(jobs, describe(job, index, label), buffer, error);
}

/* =N: the first launch has bound its arguments in order, or as a whole if this is a later launch. */
static bool bind_reused(struct cli_jobs *jobs, struct cli_job *job, unsigned index, const struct cli_spec *spec,
                        struct cli_error *error)
{
    const struct cli_job *first = &jobs->jobs[0];
    bool known = spec->reused < first->info.param_count && (job != first || spec->reused < index);

    if (!known || !first->args[spec->reused].is_buffer) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'=%u': the first launch has no buffer as argument %u%s", spec->reused,
                        spec->reused, job == first ? " before this one" : "");
    }
    const struct cli_bound *source = &first->args[spec->reused];

    job->args[index].type = source->type;
    job->args[index].count = source->count;
    job->args[index].buffer = source->buffer;
    return true;
}

static bool bind_buffer(struct cli_jobs *jobs, struct cli_job *job, unsigned index, const struct cli_spec *spec,
                        struct cli_error *error)
{
    struct cli_bound *arg = &job->args[index];

    if (arg->param.bytes != sizeof(ptxemu_ptr)) {
        return cli_fail(error, PTXEMU_BAD_INPUT,
                        "a buffer is passed as a 64-bit address, but the parameter is .%s of %" PRIu64 " bytes",
                        arg->param.type, arg->param.bytes);
    }
    if (!(spec->kind == CLI_REUSE ? bind_reused(jobs, job, index, spec, error)
                                  : bind_new_buffer(jobs, job, index, spec, error))) {
        return false;
    }
    arg->is_buffer = true;
    memcpy(job->params + arg->param.offset, &jobs->buffers[arg->buffer].address, sizeof(ptxemu_ptr));
    return true;
}

/* --- values ----------------------------------------------------------------------------------- */

static bool is_array(const ptxemu_param_info *param)
{
    const struct cli_type *type = cli_type_named(param->type);

    return type == NULL || type->bytes != param->bytes;
}

/* Bits go everywhere; floats and integers are not taken for each other. */
static bool kinds_agree(const struct cli_type *given, const struct cli_type *wanted)
{
    return wanted == NULL || given->kind == CLI_BITS || wanted->kind == CLI_BITS ||
           (given->kind == CLI_FLOAT) == (wanted->kind == CLI_FLOAT);
}

static bool check_value(const struct cli_bound *arg, struct cli_error *error)
{
    const ptxemu_param_info *param = &arg->param;
    uint64_t bytes = arg->count * arg->type->bytes;

    if (bytes != param->bytes) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%s' has %" PRIu64 " bytes, the parameter has %" PRIu64 " (.%s%s)",
                        arg->written, bytes, param->bytes, param->type, is_array(param) ? " array" : "");
    }
    if (!is_array(param) && !kinds_agree(arg->type, cli_type_named(param->type))) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%s' is %s, the parameter is .%s; write b%u to pass raw bits",
                        arg->written, arg->type->name, param->type, arg->type->bytes * 8);
    }
    return true;
}

static bool bind_value(struct cli_jobs *jobs, struct cli_job *job, unsigned index, const struct cli_spec *spec,
                       struct cli_error *error)
{
    struct cli_bound *arg = &job->args[index];
    struct cli_values values;

    if (!cli_values_load(spec, NULL, 0, jobs->bytes_left, &values, error)) {
        return false;
    }
    arg->type = values.type;
    arg->count = values.count;
    bool ok = check_value(arg, error);

    if (ok) {
        cli_values_fill(&values, 0, values.count, job->params + arg->param.offset);
    }
    cli_values_release(&values);
    return ok;
}

/* --- arguments to parameters ------------------------------------------------------------------ */

static bool bind_arg(struct cli_jobs *jobs, struct cli_job *job, unsigned index, const struct cli_spec *spec,
                     struct cli_error *error)
{
    struct cli_bound *arg = &job->args[index];
    bool by_value = spec->kind == CLI_SCALAR || (spec->kind == CLI_BUFFER && is_array(&arg->param));

    arg->written = spec->written;
    return (by_value ? bind_value(jobs, job, index, spec, error) : bind_buffer(jobs, job, index, spec, error)) ||
           fail_arg(job, index, error);
}

bool cli_job_target(const struct cli_job *job, const struct cli_target *target, unsigned *index,
                    struct cli_error *error)
{
    if (target->name == NULL) {
        *index = target->index;
        return *index < job->info.param_count ||
               cli_fail(error, PTXEMU_BAD_INPUT, "kernel '%s' has no argument %u: it takes %zu", job->info.name,
                        target->index, job->info.param_count);
    }
    for (*index = 0; *index < job->info.param_count; ++*index) {
        if (strcmp(job->args[*index].param.name, target->name) == 0) {
            return true;
        }
    }
    return cli_fail(error, PTXEMU_BAD_INPUT, "kernel '%s' has no parameter '%s'", job->info.name, target->name);
}

static bool assign_named(const struct cli_job *job, const struct cli_spec **given, struct cli_error *error)
{
    for (size_t i = 0; i < job->launch->arg_count; i++) {
        const struct cli_arg *arg = &job->launch->args[i];
        unsigned index;

        if (arg->target.name == NULL) {
            continue;
        }
        if (!cli_job_target(job, &arg->target, &index, error)) {
            return false;
        }
        if (given[index] != NULL) {
            return cli_fail(error, PTXEMU_BAD_INPUT, "parameter '%s' is given twice", arg->target.name);
        }
        given[index] = &arg->spec;
    }
    return true;
}

static bool fail_too_many(const struct cli_job *job, struct cli_error *error)
{
    return cli_fail(error, PTXEMU_BAD_INPUT, "kernel '%s' takes %zu argument%s, but %zu are given", job->info.name,
                    job->info.param_count, job->info.param_count == 1 ? "" : "s", job->launch->arg_count);
}

static bool assign_in_order(const struct cli_job *job, const struct cli_spec **given, struct cli_error *error)
{
    size_t next = 0;

    for (size_t i = 0; i < job->launch->arg_count; i++) {
        if (job->launch->args[i].target.name != NULL) {
            continue;
        }
        while (next < job->info.param_count && given[next] != NULL) {
            next++;
        }
        if (next == job->info.param_count) {
            return fail_too_many(job, error);
        }
        given[next] = &job->launch->args[i].spec;
    }
    return true;
}

static bool check_complete(const struct cli_job *job, const struct cli_spec **given, struct cli_error *error)
{
    for (unsigned i = 0; i < job->info.param_count; i++) {
        if (given[i] == NULL) {
            return cli_fail(error, PTXEMU_BAD_INPUT,
                            "kernel '%s' takes %zu argument%s, but %zu %s given: argument %u (%s, .%s) is missing",
                            job->info.name, job->info.param_count, job->info.param_count == 1 ? "" : "s",
                            job->launch->arg_count, job->launch->arg_count == 1 ? "is" : "are", i,
                            job->args[i].param.name, job->args[i].param.type);
        }
    }
    return true;
}

static bool bind_args(struct cli_jobs *jobs, struct cli_job *job, const struct cli_spec **given,
                      struct cli_error *error)
{
    if (!assign_named(job, given, error) || !assign_in_order(job, given, error) || !check_complete(job, given, error)) {
        return false;
    }
    for (unsigned i = 0; i < job->info.param_count; i++) {
        if (!bind_arg(jobs, job, i, given[i], error)) {
            return false;
        }
    }
    return true;
}

/* --- jobs ------------------------------------------------------------------------------------- */

static bool find_kernel(const struct cli_session *session, struct cli_job *job, struct cli_error *error)
{
    job->kernel = ptxemu_kernel_find(session->module, job->launch->kernel);
    ptxemu_kernel_get_info(job->kernel, &job->info);

    const char *unsupported = ptxemu_kernel_unsupported(job->kernel);

    return unsupported == NULL || cli_fail(error, PTXEMU_UNSUPPORTED, "%s", unsupported);
}

static bool check_targets(const struct cli_job *job, struct cli_error *error)
{
    const struct cli_launch *launch = job->launch;
    bool ok = true;
    unsigned index;

    for (size_t i = 0; ok && i < launch->print_count; i++) {
        ok = cli_job_target(job, &launch->prints[i].target, &index, error) || cli_fail_at(error, "print: ");
    }
    for (size_t i = 0; ok && i < launch->expect_count; i++) {
        ok = cli_job_target(job, &launch->expects[i].target, &index, error) || cli_fail_at(error, "expect: ");
    }
    for (size_t i = 0; ok && i < launch->dump_count; i++) {
        ok = cli_job_target(job, &launch->dumps[i].target, &index, error) || cli_fail_at(error, "dump-arg: ");
    }
    return ok;
}

static bool bind_job(struct cli_jobs *jobs, struct cli_launch *launch, struct cli_job *job, struct cli_error *error)
{
    if (!cli_infer(jobs->session, launch, &job->inferred, error)) {
        return false;
    }
    job->launch = launch;
    if (!find_kernel(jobs->session, job, error)) {
        return false;
    }
    size_t count = job->info.param_count;
    const struct cli_spec **given = calloc(count + 1, sizeof *given);

    job->args = calloc(count + 1, sizeof *job->args);
    job->params = calloc(job->info.param_bytes + 1, 1);
    if (given == NULL || job->args == NULL || job->params == NULL) {
        free(given);
        return cli_fail_memory(error);
    }
    for (size_t i = 0; i < count; i++) {
        ptxemu_kernel_param(job->kernel, i, &job->args[i].param);
    }
    bool ok = bind_args(jobs, job, given, error) && check_targets(job, error);

    free(given);
    return ok;
}

static uint64_t usable_memory(const struct cli_session *session)
{
    uint64_t host = cli_host_memory();

    host -= host / 16; /* the engine and the rest of the machine need some */
    return session->gpu.global_bytes < host ? session->gpu.global_bytes : host;
}

bool cli_jobs_bind(const struct cli_session *session, struct cli_plan *plan, struct cli_jobs *jobs,
                   struct cli_error *error)
{
    *jobs = (struct cli_jobs){.session = session, .bytes_left = usable_memory(session)};
    jobs->jobs = calloc(plan->count, sizeof *jobs->jobs);
    if (jobs->jobs == NULL) {
        return cli_fail_memory(error);
    }
    for (jobs->count = 0; jobs->count < plan->count; jobs->count++) {
        if (!bind_job(jobs, &plan->launches[jobs->count], &jobs->jobs[jobs->count], error)) {
            jobs->count++; /* half bound; still to be released */
            cli_jobs_release(jobs);
            return false;
        }
    }
    return true;
}

void cli_jobs_release(struct cli_jobs *jobs)
{
    for (size_t i = 0; i < jobs->count; i++) {
        free(jobs->jobs[i].args);
        free(jobs->jobs[i].params);
    }
    for (size_t i = 0; i < jobs->buffer_count; i++) {
        cli_values_release(&jobs->buffers[i].initial);
    }
    free(jobs->jobs);
    free(jobs->buffers);
    *jobs = (struct cli_jobs){0};
}

const unsigned char *cli_job_bytes(const struct cli_jobs *jobs, const struct cli_job *job, unsigned index)
{
    const struct cli_bound *arg = &job->args[index];

    if (!arg->is_buffer) {
        return job->params + arg->param.offset;
    }
    const struct cli_buffer *buffer = &jobs->buffers[arg->buffer];

    return ptxemu_view(jobs->session->device, buffer->address, buffer->bytes);
}
