/*
 * The command line of `ptxemu embed`.
 */
#include "runtime/cli/options.h"

#include <argp.h>

enum { KEY_HEADER = 0x100, KEY_C };

static const struct argp_option OPTIONS[] = {
    {"output", 'o', "FILE", 0, "write an object file (default: NAME.o, after the first file, unless --c is given)", 0},
    {"c", KEY_C, "FILE", 0, "write C source, for other compilers and processors", 0},
    {"header", KEY_HEADER, "FILE", 0, "write a header for C and C++", 0},
    {"help", '?', NULL, 0, "give this help", 0},
    {NULL, 'h', NULL, OPTION_HIDDEN, "the same", 0},
    {0},
};

static const char DOC[] =
    "Make an object file of PTX that a C program can be linked with, and its kernels be called.\v"
    "Each kernel is a function of its name, known to the CUDA runtime as those of nvcc are: launch\n"
    "it with KERNEL_launch(grid, block, shared, stream, arguments...) of the header, or with\n"
    "cudaLaunchKernel((const void *)KERNEL, ...).  FILE_ptx is the text, FILE_ptx_size its length.\n\n"
    "Examples:\n"
    "  ptxemu embed saxpy.ptx -o saxpy_ptx.o --header saxpy_ptx.h\n"
    "  ptxemu embed main.ptx library.ptx --c kernels.c";

struct parsing {
    struct cli_embed_options *options;
    struct cli_error *error;
};

static bool take(struct parsing *p, int key, const char *value)
{
    switch (key) {
    case 'o':
        p->options->object = value;
        return true;
    case KEY_C:
        p->options->source = value;
        return true;
    case KEY_HEADER:
        p->options->header = value;
        return true;
    case ARGP_KEY_ARG:
        return cli_files_add(&p->options->files, value, p->error);
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

static const struct argp ARGP = {OPTIONS, parse_option, "FILE.ptx...", DOC, NULL, NULL, NULL};

bool cli_embed_options_parse(int argc, char **argv, struct cli_embed_options *options, struct cli_error *error)
{
    struct parsing p = {options, error};

    *options = (struct cli_embed_options){0};
    if (!cli_options_parse(&ARGP, 0, argc, argv, &p, error)) {
        return false;
    }
    if (options->files.count == 0 && !options->help) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "no file given; try 'ptxemu embed --help'");
    }
    return true;
}

void cli_embed_help(void)
{
    cli_options_help(&ARGP, "ptxemu embed");
}
