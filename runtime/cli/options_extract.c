/*
 * The command line of `ptxemu extract`.
 */
#include "runtime/cli/options.h"

#include <argp.h>

static const struct argp_option OPTIONS[] = {
    {"output", 'o', "DIR", 0, "where to write the files; made when it does not exist (default: the current folder)", 0},
    {"help", '?', NULL, 0, "give this help", 0},
    {NULL, 'h', NULL, OPTION_HIDDEN, "the same", 0},
    {0},
};

static const char DOC[] = "Write the PTX texts that a CUDA program, library, object or fat binary carries to files.\v"
                          "The files are called NAME.IMAGE.sm_XX.ptx, after the file and the images that\n"
                          "'ptxemu info' lists.\n\n"
                          "Examples:\n"
                          "  ptxemu extract ./program\n"
                          "  ptxemu extract kernels.fatbin -o ptx";

struct parsing {
    struct cli_extract_options *options;
    struct cli_error *error;
};

static bool take_file(struct parsing *p, const char *value)
{
    if (p->options->file != NULL) {
        return cli_fail(p->error, PTXEMU_BAD_INPUT, "one file at a time: '%s' and '%s' were given", p->options->file,
                        value);
    }
    p->options->file = value;
    return true;
}

static bool take(struct parsing *p, int key, const char *value)
{
    switch (key) {
    case 'o':
        p->options->folder = value;
        return true;
    case ARGP_KEY_ARG:
        return take_file(p, value);
    default:
        return p->options->help = true;
    }
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct parsing *p = state->input;
    int answer;

    if (cli_options_event(key, state, OPTIONS, p->error, &answer)) {
        return answer;
    }
    return take(p, key, value) ? 0 : EINVAL;
}

static const struct argp ARGP = {OPTIONS, parse_option, "FILE", DOC, NULL, NULL, NULL};

bool cli_extract_options_parse(int argc, char **argv, struct cli_extract_options *options, struct cli_error *error)
{
    struct parsing p = {options, error};

    *options = (struct cli_extract_options){.folder = "."};
    if (!cli_options_parse(&ARGP, 0, argc, argv, &p, error)) {
        return false;
    }
    if (options->file == NULL && !options->help) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "no file given; try 'ptxemu extract --help'");
    }
    return true;
}

void cli_extract_help(void)
{
    cli_options_help(&ARGP, "ptxemu extract");
}
