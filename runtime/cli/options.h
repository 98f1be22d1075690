/*
 * Options: the command line, parsed.  The grammar of each command is one argp table in its own file.
 */
#ifndef RUNTIME_CLI_OPTIONS_H
#define RUNTIME_CLI_OPTIONS_H

#include "runtime/cli/machine.h"
#include "runtime/cli/plan.h"
#include "runtime/cli/session.h"

enum cli_format { CLI_FORMAT_TEXT, CLI_FORMAT_JSON, CLI_FORMAT_CSV };

/* A program to run, in place of PTX files. */
struct cli_program {
    char *path;  /* where it was found; owned; NULL: there is none */
    char **argv; /* its name, as the user wrote it, and its arguments, up to a NULL */
};

struct cli_run_options {
    struct cli_files files;
    struct cli_program program;
    struct cli_machine machine;
    struct cli_launch launch; /* what flags say of the launch; owned */
    enum cli_format format;
    const char *dump;       /* what to dump instead of running; NULL: run */
    const char *ptx_option; /* the first option that only PTX files have; NULL: there was none */
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

struct cli_embed_options {
    struct cli_files files;
    const char *object, *source, *header; /* what to write; NULL: not asked for */
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
bool cli_embed_options_parse(int argc, char **argv, struct cli_embed_options *options, struct cli_error *error);
void cli_info_options_release(struct cli_info_options *options);

struct argp;
struct argp_option;
struct argp_state;
/* What all commands do with argp's own events: true if `key` is one, and *answer is what the parser returns for it. */
bool cli_options_event(int key, const struct argp_state *state, const struct argp_option *table,
                       struct cli_error *error, int *answer);
/* Parse a command line: argp prints nothing and does not exit; `flags` are more of argp's.  False with a message. */
bool cli_options_parse(const struct argp *argp, unsigned flags, int argc, char **argv, void *input,
                       struct cli_error *error);
/* What --help prints of a command. */
void cli_options_help(const struct argp *argp, const char *command);

void cli_run_help(void);
void cli_info_help(void);
void cli_extract_help(void);
void cli_embed_help(void);

/* Values that several commands take. */
bool cli_format_parse(const char *text, enum cli_format *format, struct cli_error *error);

#endif
