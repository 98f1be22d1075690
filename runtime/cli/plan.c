/*
 * Plans: reading them from directives, and letting flags override them.  Invariant: every string and list has one
 * owner; merging moves, it never copies.
 */
#include "runtime/cli/plan.h"

#include <stdlib.h>
#include <string.h>

/* --- directives ------------------------------------------------------------------------------- */

/* Where the reader stands at the top of a PTX file. */
struct reader {
    struct cli_plan *plan;
    const char *folder;
    bool in_comment; /* inside a block comment */
};

static bool starts_with(struct cli_span text, const char *word)
{
    size_t length = strlen(word);

    return text.length >= length && memcmp(text.at, word, length) == 0;
}

/* `then` opens another launch; any other word belongs to the last one. */
static bool read_directive(struct reader *r, struct cli_span line, struct cli_error *error)
{
    struct cli_span word = cli_span_word(&line);
    bool then = cli_span_is(word, "then");

    if (word.length == 0) {
        return true;
    }
    if (cli_span_is(word, "dump-arg")) { /* a PTX file from somewhere must not write to its user's disk */
        return cli_fail(error, PTXEMU_BAD_INPUT, "a file cannot say where to write; use --dump-arg");
    }
    if (then && line.length > 0) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'then' stands alone on its line");
    }
    if (then && r->plan->count == 0) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'then' needs a launch before it");
    }
    if (then || r->plan->count == 0) {
        if (cli_append(&r->plan->launches, &r->plan->count, sizeof *r->plan->launches) == NULL) {
            return cli_fail_memory(error);
        }
    }
    return then || cli_launch_word(&r->plan->launches[r->plan->count - 1], word, line, r->folder, error);
}

/* What is left of a line once block comments are taken out of its start. */
static struct cli_span skip_comments(struct reader *r, struct cli_span line)
{
    for (line = cli_span_trim(line);; line = cli_span_trim(line)) {
        if (!r->in_comment && !starts_with(line, "/*")) {
            return line;
        }
        size_t opening = r->in_comment ? 0 : 2;
        const char *end = line.length < opening ? NULL : memmem(line.at + opening, line.length - opening, "*/", 2);

        r->in_comment = end == NULL;
        if (end == NULL) {
            return (struct cli_span){line.at, 0};
        }
        line = (struct cli_span){end + 2, line.length - (size_t)(end + 2 - line.at)};
    }
}

static bool read_lines(struct reader *r, const char *name, struct cli_span text, struct cli_error *error)
{
    for (unsigned number = 1; text.length > 0; number++) {
        struct cli_span line = skip_comments(r, cli_span_cut(&text, '\n'));

        if (starts_with(line, "//!")) {
            if (!read_directive(r, (struct cli_span){line.at + 3, line.length - 3}, error)) {
                return cli_fail_at(error, "%s:%u: ", name, number);
            }
        } else if (line.length > 0 && !starts_with(line, "//")) {
            return true;
        }
    }
    return true;
}

bool cli_plan_read(const char *name, struct cli_span text, const char *folder, struct cli_plan *plan,
                   struct cli_error *error)
{
    struct reader r = {.plan = plan, .folder = folder};

    *plan = (struct cli_plan){0};
    if (!read_lines(&r, name, text, error)) {
        cli_plan_release(plan);
        return false;
    }
    return true;
}

/* --- flags over directives -------------------------------------------------------------------------------------------
 */

/* Keep the first launch of `kernel` only, or start afresh when the directives do not mention it. */
static void keep_kernel(struct cli_plan *plan, const char *kernel)
{
    size_t kept = plan->count;

    for (size_t i = 0; i < plan->count && kept == plan->count; i++) {
        if (plan->launches[i].kernel != NULL && strcmp(plan->launches[i].kernel, kernel) == 0) {
            kept = i;
        }
    }
    for (size_t i = 0; i < plan->count; i++) {
        if (i != kept) {
            cli_launch_release(&plan->launches[i]);
        }
    }
    if (kept < plan->count) {
        plan->launches[0] = plan->launches[kept];
        plan->count = 1;
    } else {
        plan->count = 0;
    }
}

static bool ensure_launch(struct cli_plan *plan, struct cli_error *error)
{
    if (plan->count > 0) {
        return true;
    }
    free(plan->launches);
    plan->launches = NULL;
    return cli_append(&plan->launches, &plan->count, sizeof *plan->launches) != NULL || cli_fail_memory(error);
}

static void move_shape(struct cli_launch *to, struct cli_launch *flags)
{
    if (flags->kernel != NULL) {
        free(to->kernel);
        to->kernel = flags->kernel;
        flags->kernel = NULL;
    }
    if (flags->has_grid) {
        to->has_grid = true;
        memcpy(to->grid, flags->grid, sizeof to->grid);
    }
    if (flags->has_block) {
        to->has_block = true;
        memcpy(to->block, flags->block, sizeof to->block);
    }
    if (flags->has_shared) {
        to->has_shared = true;
        to->shared_bytes = flags->shared_bytes;
    }
}

/* Exchange two lists; what the flags replaced is released with them. */
#define SWAP_LIST(a, b, list, length)     \
    do {                                  \
        void *list_kept = (a)->list;      \
        size_t length_kept = (a)->length; \
        (a)->list = (b)->list;            \
        (a)->length = (b)->length;        \
        (b)->list = list_kept;            \
        (b)->length = length_kept;        \
    } while (0)

/* Other arguments make the directives' prints and expectations meaningless. */
static void drop_results(struct cli_launch *launch)
{
    struct cli_launch dropped = {0};

    SWAP_LIST(launch, &dropped, prints, print_count);
    SWAP_LIST(launch, &dropped, expects, expect_count);
    cli_launch_release(&dropped);
}

static void drop_prints(struct cli_launch *launch)
{
    struct cli_launch dropped = {0};

    SWAP_LIST(launch, &dropped, prints, print_count);
    cli_launch_release(&dropped);
}

static void drop_expects(struct cli_launch *launch)
{
    struct cli_launch dropped = {0};

    SWAP_LIST(launch, &dropped, expects, expect_count);
    cli_launch_release(&dropped);
}

static void for_all(struct cli_plan *plan, void (*change)(struct cli_launch *launch))
{
    for (size_t i = 0; i < plan->count; i++) {
        change(&plan->launches[i]);
    }
}

static void move_results(struct cli_plan *plan, struct cli_launch *flags)
{
    struct cli_launch *last = &plan->launches[plan->count - 1];

    if (flags->arg_count > 0) {
        SWAP_LIST(&plan->launches[0], flags, args, arg_count);
        for_all(plan, drop_results);
    }
    if (flags->print_count > 0) {
        for_all(plan, drop_prints);
        SWAP_LIST(last, flags, prints, print_count);
    }
    if (flags->expect_count > 0) {
        for_all(plan, drop_expects);
        SWAP_LIST(last, flags, expects, expect_count);
    }
    if (flags->dump_count > 0) {
        SWAP_LIST(last, flags, dumps, dump_count);
    }
}

bool cli_plan_merge(struct cli_plan *plan, struct cli_launch *flags, struct cli_error *error)
{
    if (flags->kernel != NULL) {
        keep_kernel(plan, flags->kernel);
    }
    if (!ensure_launch(plan, error)) {
        return false;
    }
    move_shape(&plan->launches[0], flags);
    move_results(plan, flags);
    cli_launch_release(flags);
    return true;
}

void cli_plan_release(struct cli_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        cli_launch_release(&plan->launches[i]);
    }
    free(plan->launches);
    *plan = (struct cli_plan){0};
}
