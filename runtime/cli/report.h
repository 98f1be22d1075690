/*
 * Reports: what a run tells, as it happens.  One table of functions per output format; who runs the launches does not
 * know which one is in use.
 */
#ifndef RUNTIME_CLI_REPORT_H
#define RUNTIME_CLI_REPORT_H

#include "runtime/cli/bind.h"
#include "runtime/cli/compare.h"
#include "runtime/cli/options.h"

struct cli_report;

struct cli_report_format {
    void (*launching)(struct cli_report *report, const struct cli_job *job);
    /* Text that the kernel prints; may come from several host threads, one at a time. */
    void (*kernel_output)(struct cli_report *report, const char *text, size_t length);
    void (*finished)(struct cli_report *report, const struct cli_job *job, const ptxemu_stats *stats);
    void (*faulted)(struct cli_report *report, const ptxemu_fault_info *fault);
    /* `count` elements of an argument, because the user asked. */
    void (*printed)(struct cli_report *report, const struct cli_job *job, unsigned index, uint64_t count);
    /* A buffer that the kernel wrote, because nobody asked for anything. */
    void (*changed)(struct cli_report *report, const struct cli_job *job, unsigned index, uint64_t changed);
    void (*expected)(struct cli_report *report, const struct cli_job *job, unsigned index,
                     const struct cli_difference *difference);
    void (*failed)(struct cli_report *report, const struct cli_error *error);
    void (*diagnosed)(struct cli_report *report, const ptxemu_device *device);
    /* Nothing follows; false when the output could not be written. */
    bool (*close)(struct cli_report *report, int exit_code);
};

struct cli_report {
    const struct cli_report_format *format;
    const struct cli_run_options *options;
    const struct cli_jobs *jobs; /* NULL until they are bound */
    void *state;                 /* the format's own */
};

/* Choose the format the options ask for; false when memory is exhausted. */
bool cli_report_open(struct cli_report *report, const struct cli_run_options *options);

extern const struct cli_report_format CLI_REPORT_TEXT, CLI_REPORT_JSON;
/* The JSON format's state; NULL when memory is exhausted. */
void *cli_report_json_new(const struct cli_run_options *options);

#endif
