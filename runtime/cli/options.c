/*
 * What the command lines of several commands share: option values that are words of a table, and the dealings with
 * argp.
 */
#include "runtime/cli/options.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>

static const char *const FORMATS[] = {[CLI_FORMAT_TEXT] = "text", [CLI_FORMAT_JSON] = "json", [CLI_FORMAT_CSV] = "csv"};

enum { FORMAT_COUNT = sizeof FORMATS / sizeof FORMATS[0] };

bool cli_format_parse(const char *text, enum cli_format *format, struct cli_error *error)
{
    for (unsigned i = 0; i < FORMAT_COUNT; i++) {
        if (strcmp(text, FORMATS[i]) == 0) {
            *format = (enum cli_format)i;
            return true;
        }
    }
    return cli_fail(error, PTXEMU_BAD_INPUT, "--format: '%s' is not a format: expected text, json or csv", text);
}

/* The word that getopt stopped at: the last one it took, or the next one when it stopped inside a group of letters. */
static const char *offending_word(const struct argp_state *state)
{
    const char *taken = state->argv[state->next - 1];

    return taken[0] != '-' && state->next < state->argc ? state->argv[state->next] : taken;
}

static const struct argp_option *find_option(const struct argp_option *table, struct cli_span name)
{
    for (; table->name != NULL || table->doc != NULL; table++) {
        if (table->name != NULL && cli_span_is(name, table->name)) {
            return table;
        }
    }
    return NULL;
}

/* Explain what getopt did not understand, unless there is a message already; `table` is the command's. */
static void explain(const struct argp_state *state, const struct argp_option *table, struct cli_error *error)
{
    const char *word = offending_word(state);
    struct cli_span rest = cli_span_of(word), name;
    const struct argp_option *option;

    if (error->text[0] != '\0') {
        return;
    }
    name = cli_span_cut(&rest, '=');
    option = name.length > 2 ? find_option(table, (struct cli_span){name.at + 2, name.length - 2}) : NULL;
    if (option == NULL) {
        cli_fail(error, PTXEMU_BAD_INPUT, "there is no option '%.*s'; try --help", cli_span_shown(name), name.at);
    } else if (option->arg != NULL) {
        cli_fail(error, PTXEMU_BAD_INPUT, "--%s needs a value: --%s %s", option->name, option->name, option->arg);
    } else {
        cli_fail(error, PTXEMU_BAD_INPUT, "--%s takes no value", option->name);
    }
}

bool cli_options_event(int key, const struct argp_state *state, const struct argp_option *table,
                       struct cli_error *error, int *answer)
{
    enum { FIRST_EVENT = 0x1000000 };

    if (key == ARGP_KEY_ERROR) {
        explain(state, table, error);
    }
    *answer = ARGP_ERR_UNKNOWN;
    return key >= FIRST_EVENT;
}

bool cli_options_parse(const struct argp *argp, unsigned flags, int argc, char **argv, void *input,
                       struct cli_error *error)
{
    error->text[0] = '\0';
    return argp_parse(argp, argc, argv, flags | ARGP_NO_HELP | ARGP_NO_EXIT | ARGP_NO_ERRS, NULL, input) == 0;
}

void cli_options_help(const struct argp *argp, const char *command)
{
    /* argp leaves the name as it is, whatever it asks for. */
    argp_help(argp, stdout, ARGP_HELP_LONG | ARGP_HELP_USAGE | ARGP_HELP_DOC, (char *)command);
}
