/*
 * Options: the command line, parsed.  The grammar of each command is one argp table in its own file.
 */
#ifndef RUNTIME_CLI_OPTIONS_H
#define RUNTIME_CLI_OPTIONS_H

#include "runtime/cli/plan.h"
#include "runtime/cli/session.h"

enum cli_format { CLI_FORMAT_TEXT, CLI_FORMAT_JSON, CLI_FORMAT_CSV };

struct cli_run_options {
    struct cli_files files;
    const char *gpu;          /* NULL: the default */
    struct cli_launch launch; /* what flags say of the launch; owned */
    unsigned threads;         /* 0: all of the host's */
    ptxemu_policy policy;
    uint64_t seed;
    double timeout_s; /* 0: none */
    enum cli_format format;
    const char *dump; /* what to dump instead of running; NULL: run */
    bool stats, quiet;
    bool list_gpus, help, version; /* answered without a file */
};

struct cli_info_options {
    struct cli_files files;
    const char *gpu;
    enum cli_format format;
    bool has_block, help;
    enum cli_scope scope;
    unsigned block[3];     /* for the occupancy */
    uint64_t shared_bytes; /* dynamic, for the occupancy */
};

struct cli_extract_options {
    const char *file;
    const char *folder; /* where the texts go; "." by default */
    bool help;
};

/*
 * Parse; argv[0] is the command's name.  Mistakes are reported through `error`, nothing is printed.  The options are
 * initialised and must be released in any case.
 */
bool cli_run_options_parse(int argc, char **argv, struct cli_run_options *options, struct cli_error *error);
void cli_run_options_release(struct cli_run_options *options);
bool cli_info_options_parse(int argc, char **argv, struct cli_info_options *options, struct cli_error *error);
bool cli_extract_options_parse(int argc, char **argv, struct cli_extract_options *options, struct cli_error *error);
void cli_info_options_release(struct cli_info_options *options);

struct argp;
struct argp_option;
struct argp_state;
/* What all commands do with argp's own events: true if `key` is one, and *answer is what the parser returns for it. */
bool cli_options_event(int key, const struct argp_state *state, const struct argp_option *table,
                       struct cli_error *error, int *answer);
/* Parse a command line: argp prints nothing and does not exit.  False with a message. */
bool cli_options_parse(const struct argp *argp, int argc, char **argv, void *input, struct cli_error *error);

void cli_run_help(void);
void cli_info_help(void);
void cli_extract_help(void);

/* Values that several commands take. */
bool cli_format_parse(const char *text, enum cli_format *format, struct cli_error *error);
bool cli_policy_parse(const char *text, ptxemu_policy *policy, struct cli_error *error);
const char *cli_policy_name(ptxemu_policy policy);

#endif
