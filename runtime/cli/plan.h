/*
 * Plans: what to launch and what to do with the results, as written by the user, in flags or in directives.  Both use
 * the same words, hence the same code.  Nothing here knows the module; binding a plan to kernels is bind.h's work.
 */
#ifndef RUNTIME_CLI_PLAN_H
#define RUNTIME_CLI_PLAN_H

#include "runtime/cli/spec.h"

/* Which argument is meant: by position, or by the parameter's name. */
struct cli_target {
    char *name;     /* owned; NULL: by position */
    unsigned index; /* unless named */
};

struct cli_arg {
    struct cli_target target; /* `named` arguments only; others take the next free position */
    struct cli_spec spec;
};

struct cli_print {
    struct cli_target target;
    uint64_t count; /* elements to show at most; 0: all */
};

struct cli_expect {
    struct cli_target target;
    struct cli_spec spec;
    bool close;       /* compare with the tolerance instead of exactly */
    double tolerance; /* |got - expected| <= tolerance * max(1, |expected|) */
};

struct cli_dump {
    struct cli_target target;
    char *path; /* owned */
};

/* One launch.  What is not given is inferred. */
struct cli_launch {
    char *kernel; /* owned; NULL: not given */
    bool has_grid, has_block, has_shared;
    unsigned grid[3], block[3];
    uint64_t shared_bytes;
    struct cli_arg *args;
    size_t arg_count;
    struct cli_print *prints;
    size_t print_count;
    struct cli_expect *expects;
    size_t expect_count;
    struct cli_dump *dumps;
    size_t dump_count;
};

struct cli_plan {
    struct cli_launch *launches; /* at least one after cli_plan_merge */
    size_t count;
};

/*
 * Apply one word of a launch description: kernel NAME, grid X[,Y[,Z]], block X[,Y[,Z]], shared BYTES, arg SPEC,
 * print N[:COUNT], expect N SPEC [~TOLERANCE] (also N=SPEC~TOLERANCE), dump-arg N=FILE (never in a file).  `folder`:
 * what paths are relative to.  Fails also for words that do not exist.
 */
bool cli_launch_word(struct cli_launch *launch, struct cli_span word, struct cli_span value, const char *folder,
                     struct cli_error *error);
void cli_launch_release(struct cli_launch *launch);

/*
 * Read the `//!` lines at the top of PTX text: comments and blank lines up to the first line of code.  `name` stands in
 * messages, paths are relative to `folder`.
 */
bool cli_plan_read(const char *name, struct cli_span text, const char *folder, struct cli_plan *plan,
                   struct cli_error *error);

/*
 * Let flags override directives; everything in `flags` moves to the plan.  --kernel keeps only the launch of that
 * kernel;
 * --grid, --block, --shared and --arg change the first launch; a list of --arg replaces the directives' arguments and
 * what they say of results; --print and --expect replace those of all launches and, like --dump-arg, speak of the last.
 */
bool cli_plan_merge(struct cli_plan *plan, struct cli_launch *flags, struct cli_error *error);
void cli_plan_release(struct cli_plan *plan);

#endif
