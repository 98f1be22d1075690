/*
 * Binding: a plan meets the module.  Every launch of the plan becomes a job with its kernel, its buffers on the device
 * and its parameter bytes; whatever is wrong is found before the first launch.
 */
#ifndef RUNTIME_CLI_BIND_H
#define RUNTIME_CLI_BIND_H

#include "runtime/cli/infer.h"
#include "runtime/cli/values.h"

/* A buffer on the device, shared by all arguments that name it. */
struct cli_buffer {
    ptxemu_ptr address;
    uint64_t bytes;
    struct cli_values initial; /* what it was filled with */
};

struct cli_bound {
    ptxemu_param_info param;
    const struct cli_type *type; /* of its elements */
    uint64_t count;              /* elements; 1 for scalars */
    bool is_buffer;
    size_t buffer;       /* index in cli_jobs.buffers, if it is one */
    const char *written; /* the specification's text */
};

struct cli_job {
    const struct cli_launch *launch; /* complete */
    struct cli_inferred inferred;
    ptxemu_kernel *kernel;
    ptxemu_kernel_info info;
    struct cli_bound *args; /* info.param_count of them */
    unsigned char *params;  /* info.param_bytes of them */
};

struct cli_jobs {
    const struct cli_session *session;
    struct cli_job *jobs;
    size_t count;
    struct cli_buffer *buffers;
    size_t buffer_count;
    uint64_t bytes_left; /* that further buffers may use, of the device's memory and the host's */
};

/* Complete the launches of `plan` and bind them; the plan must outlive the jobs. */
bool cli_jobs_bind(const struct cli_session *session, struct cli_plan *plan, struct cli_jobs *jobs,
                   struct cli_error *error);
void cli_jobs_release(struct cli_jobs *jobs);

/* The argument a print, expectation or dump speaks of. */
bool cli_job_target(const struct cli_job *job, const struct cli_target *target, unsigned *index,
                    struct cli_error *error);
/* The argument's bytes as they are now: device memory, or the parameter itself. */
const unsigned char *cli_job_bytes(const struct cli_jobs *jobs, const struct cli_job *job, unsigned index);

#endif
