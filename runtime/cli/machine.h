/*
 * The emulated machine: what can be said of it on the command line and in variables of the environment.  Both use the
 * same words, hence the same code; the command line counts more.
 */
#ifndef RUNTIME_CLI_MACHINE_H
#define RUNTIME_CLI_MACHINE_H

#include "runtime/cli/error.h"

#include <stdint.h>

enum cli_setting {
    CLI_GPU,
    CLI_GPUS,
    CLI_THREADS,
    CLI_POLICY,
    CLI_SEED,
    CLI_SLACK,
    CLI_TIMEOUT,
    CLI_VERBOSE,
    CLI_SETTING_COUNT,
};

struct cli_machine {
    const char *given[CLI_SETTING_COUNT]; /* as the command line has it; NULL: it has not */
    const char *gpu;                      /* NULL: the default */
    unsigned gpus;                        /* how many a program sees; 0: one */
    unsigned threads;                     /* 0: all of the host's */
    ptxemu_policy policy;
    uint64_t seed;
    uint64_t slack;   /* bytes behind buffers that kernels may touch */
    double timeout_s; /* 0: none */
    bool verbose;
};

/* Take a setting of the command line; `value` must live as long as the machine does. */
bool cli_machine_take(struct cli_machine *machine, enum cli_setting setting, const char *value,
                      struct cli_error *error);
/* Take all of PTXEMU_GPU, PTXEMU_GPUS and so on that are set and not empty.  To be called before cli_machine_take. */
bool cli_machine_read_environment(struct cli_machine *machine, struct cli_error *error);
/* Hand what the command line said to programs that are started, in the same variables. */
bool cli_machine_export(const struct cli_machine *machine, struct cli_error *error);

const char *cli_policy_name(ptxemu_policy policy);

#endif
