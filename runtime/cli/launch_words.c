/*
 * The words of a launch description.  Invariant: a word that fails leaves the launch releasable, and the message quotes
 * what was written.
 */
#include "runtime/cli/plan.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool take_kernel(struct cli_launch *launch, struct cli_span value, const char *folder, struct cli_error *error)
{
    (void)folder;
    if (value.length == 0) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "expected the name of a kernel");
    }
    free(launch->kernel);
    launch->kernel = cli_span_copy(value);
    return launch->kernel != NULL || cli_fail_memory(error);
}

/* X[,Y[,Z]], each at least 1; what is left out is 1. */
static bool read_dimensions(struct cli_span value, unsigned to[3], struct cli_error *error)
{
    struct cli_span rest = value;

    to[0] = to[1] = to[2] = 1;
    for (unsigned axis = 0; axis == 0 || rest.length > 0; axis++) {
        struct cli_span item = cli_span_trim(cli_span_cut(&rest, ','));
        uint64_t size;

        if (axis == 3 || !cli_size_parse(item, &size, error) || size == 0 || size > UINT32_MAX) {
            return cli_fail(error, PTXEMU_BAD_INPUT,
                            "'%.*s': expected X[,Y[,Z]], three whole numbers from 1 to 4294967295",
                            cli_span_shown(value), value.at);
        }
        to[axis] = (unsigned)size;
    }
    return true;
}

static bool take_grid(struct cli_launch *launch, struct cli_span value, const char *folder, struct cli_error *error)
{
    (void)folder;
    launch->has_grid = read_dimensions(value, launch->grid, error);
    return launch->has_grid;
}

static bool take_block(struct cli_launch *launch, struct cli_span value, const char *folder, struct cli_error *error)
{
    (void)folder;
    launch->has_block = read_dimensions(value, launch->block, error);
    return launch->has_block;
}

static bool take_shared(struct cli_launch *launch, struct cli_span value, const char *folder, struct cli_error *error)
{
    (void)folder;
    launch->has_shared = cli_size_parse(value, &launch->shared_bytes, error);
    return launch->has_shared;
}

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

static size_t name_length(struct cli_span text)
{
    size_t length = 0;

    while (length < text.length && is_name_character(text.at[length])) {
        length++;
    }
    return length;
}

static bool all_digits(struct cli_span text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (!isdigit((unsigned char)text.at[i])) {
            return false;
        }
    }
    return text.length > 0;
}

static bool read_target(struct cli_span text, struct cli_target *target, struct cli_error *error)
{
    uint64_t index;

    if (all_digits(text)) {
        if (!cli_size_parse(text, &index, error) || index > UINT16_MAX) {
            return cli_fail(error, PTXEMU_BAD_INPUT, "there is no argument %.*s", cli_span_shown(text), text.at);
        }
        target->index = (unsigned)index;
        return true;
    }
    if (text.length == 0 || name_length(text) != text.length) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%.*s': expected an argument, by position or by the parameter's name",
                        cli_span_shown(text), text.at);
    }
    target->name = cli_span_copy(text);
    return target->name != NULL || cli_fail_memory(error);
}

/* SPEC, or NAME=SPEC */
static bool take_arg(struct cli_launch *launch, struct cli_span value, const char *folder, struct cli_error *error)
{
    struct cli_arg *arg = cli_append(&launch->args, &launch->arg_count, sizeof *arg);
    size_t name = name_length(value);
    struct cli_span spec = value;

    if (arg == NULL) {
        return cli_fail_memory(error);
    }
    if (name > 0 && name < value.length && value.at[name] == '=') {
        struct cli_span written = {value.at, name};

        arg->target.name = cli_span_copy(written);
        if (arg->target.name == NULL) {
            return cli_fail_memory(error);
        }
        spec = (struct cli_span){value.at + name + 1, value.length - name - 1};
    }
    return cli_spec_parse(spec, folder, &arg->spec, error);
}

static bool take_print(struct cli_launch *launch, struct cli_span value, const char *folder, struct cli_error *error)
{
    struct cli_print *print = cli_append(&launch->prints, &launch->print_count, sizeof *print);
    struct cli_span count = value;
    struct cli_span target = cli_span_cut(&count, ':');

    (void)folder;
    if (print == NULL) {
        return cli_fail_memory(error);
    }
    if (!read_target(cli_span_trim(target), &print->target, error)) {
        return false;
    }
    if (target.length == value.length) {
        return true;
    }
    if (!cli_size_parse(cli_span_trim(count), &print->count, error)) {
        return false;
    }
    return print->count > 0 || cli_fail(error, PTXEMU_BAD_INPUT, "there is nothing to print in 0 elements");
}

/* Cut `~TOLERANCE` off the end; a tilde inside parentheses belongs to a path. */
static bool cut_tolerance(struct cli_span *spec, struct cli_expect *expect, struct cli_error *error)
{
    const char *tilde = cli_span_last(*spec, '~');
    const char *closing = cli_span_last(*spec, ')');
    struct cli_number number;

    if (tilde == NULL || (closing != NULL && closing > tilde)) {
        return true;
    }
    struct cli_span text = cli_span_trim((struct cli_span){tilde + 1, spec->length - (size_t)(tilde + 1 - spec->at)});

    if (!cli_number_parse(text.at, text.length, &number, error) || !(number.real >= 0) || isinf(number.real)) {
        return cli_fail(error, PTXEMU_BAD_INPUT,
                        "'%.*s' is not a tolerance: expected a number of at least 0, as in ~1e-5", cli_span_shown(text),
                        text.at);
    }
    expect->close = true;
    expect->tolerance = number.real;
    *spec = cli_span_trim((struct cli_span){spec->at, (size_t)(tilde - spec->at)});
    return true;
}

/* N SPEC, or N=SPEC */
static bool take_expect(struct cli_launch *launch, struct cli_span value, const char *folder, struct cli_error *error)
{
    struct cli_expect *expect = cli_append(&launch->expects, &launch->expect_count, sizeof *expect);
    size_t name = name_length(value);
    struct cli_span target = {value.at, name};
    struct cli_span spec = {value.at + name, value.length - name};

    if (expect == NULL) {
        return cli_fail_memory(error);
    }
    if (!read_target(target, &expect->target, error)) {
        return false;
    }
    if (spec.length > 0 && spec.at[0] == '=') {
        spec = (struct cli_span){spec.at + 1, spec.length - 1};
    }
    spec = cli_span_trim(spec);
    return cut_tolerance(&spec, expect, error) && cli_spec_parse_expected(spec, folder, &expect->spec, error);
}

static bool take_dump(struct cli_launch *launch, struct cli_span value, const char *folder, struct cli_error *error)
{
    struct cli_dump *dump = cli_append(&launch->dumps, &launch->dump_count, sizeof *dump);
    struct cli_span path = value;
    struct cli_span target = cli_span_cut(&path, '=');

    if (dump == NULL) {
        return cli_fail_memory(error);
    }
    if (path.length == 0) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%.*s': expected N=FILE", cli_span_shown(value), value.at);
    }
    if (!read_target(target, &dump->target, error)) {
        return false;
    }
    dump->path = cli_path_join(folder, path);
    return dump->path != NULL || cli_fail_memory(error);
}

static const struct {
    const char *word;
    bool (*take)(struct cli_launch *launch, struct cli_span value, const char *folder, struct cli_error *error);
} WORDS[] = {
    {"kernel", take_kernel}, {"grid", take_grid},   {"block", take_block},   {"shared", take_shared},
    {"arg", take_arg},       {"print", take_print}, {"expect", take_expect}, {"dump-arg", take_dump},
};

bool cli_launch_word(struct cli_launch *launch, struct cli_span word, struct cli_span value, const char *folder,
                     struct cli_error *error)
{
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if (cli_span_is(word, WORDS[i].word)) {
            return WORDS[i].take(launch, cli_span_trim(value), folder, error) ||
                   cli_fail_at(error, "%s: ", WORDS[i].word);
        }
    }
    return cli_fail(error, PTXEMU_BAD_INPUT,
                    "'%.*s' is not a directive: expected kernel, grid, block, shared, arg, print, expect or then",
                    cli_span_shown(word), word.at);
}

static void release_results(struct cli_launch *launch)
{
    for (size_t i = 0; i < launch->print_count; i++) {
        free(launch->prints[i].target.name);
    }
    for (size_t i = 0; i < launch->expect_count; i++) {
        free(launch->expects[i].target.name);
        cli_spec_release(&launch->expects[i].spec);
    }
    for (size_t i = 0; i < launch->dump_count; i++) {
        free(launch->dumps[i].target.name);
        free(launch->dumps[i].path);
    }
    free(launch->prints);
    free(launch->expects);
    free(launch->dumps);
}

void cli_launch_release(struct cli_launch *launch)
{
    for (size_t i = 0; i < launch->arg_count; i++) {
        free(launch->args[i].target.name);
        cli_spec_release(&launch->args[i].spec);
    }
    free(launch->args);
    free(launch->kernel);
    release_results(launch);
    *launch = (struct cli_launch){0};
}
