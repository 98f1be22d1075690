/*
 * The command line of `ptxemu info`.
 */
#include "runtime/cli/options.h"

#include <argp.h>
#include <string.h>

enum { KEY_GPU = 0x100, KEY_FORMAT, KEY_BLOCK, KEY_SHARED };

static const struct argp_option OPTIONS[] = {
    {"gpu", KEY_GPU, "NAME", 0, "the GPU that occupancy is computed, or device code chosen, for (default: h200)", 0},
    {"block", KEY_BLOCK, "X[,Y[,Z]]", 0, "threads of a CTA for the occupancy (default: the kernel's own, else 256)", 0},
    {"shared", KEY_SHARED, "BYTES", 0, "dynamic shared memory for the occupancy", 0},
    {"relocatable", 'c', NULL, 0, "the files are a part of a program: what they call may be defined elsewhere", 0},
    {"format", KEY_FORMAT, "text|json|csv", 0, "how to print the tables", 0},
    {"help", '?', NULL, 0, "give this help", 0},
    {NULL, 'h', NULL, OPTION_HIDDEN, "the same", 0},
    {0},
};

static const char DOC[] =
    "Describe the kernels of a PTX file, or of several that are linked: parameters, registers, memory, occupancy.\n"
    "Of a CUDA program or fat binary, list the device code that it carries.\v"
    "Examples:\n"
    "  ptxemu info kernel.ptx\n"
    "  ptxemu info main.ptx library.ptx\n"
    "  ptxemu info kernel.ptx --gpu a100 --block 128 --format csv\n"
    "  ptxemu info ./program";

struct parsing {
    struct cli_info_options *options;
    struct cli_error *error;
};

static bool take_word(struct parsing *p, const char *word, const char *value)
{
    struct cli_launch launch = {0};
    bool ok =
        cli_launch_word(&launch, cli_span_of(word), cli_span_of(value), NULL, p->error) || cli_fail_at(p->error, "--");

    if (launch.has_block) {
        p->options->has_block = true;
        memcpy(p->options->block, launch.block, sizeof launch.block);
    }
    if (launch.has_shared) {
        p->options->shared_bytes = launch.shared_bytes;
    }
    cli_launch_release(&launch);
    return ok;
}

static bool take(struct parsing *p, int key, const char *value)
{
    switch (key) {
    case KEY_GPU:
        p->options->gpu = value;
        return true;
    case KEY_FORMAT:
        return cli_format_parse(value, &p->options->format, p->error);
    case KEY_BLOCK:
        return take_word(p, "block", value);
    case KEY_SHARED:
        return take_word(p, "shared", value);
    case 'c':
        p->options->scope = CLI_RELOCATABLE;
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

static const struct argp ARGP = {OPTIONS, parse_option, "FILE...", DOC, NULL, NULL, NULL};

bool cli_info_options_parse(int argc, char **argv, struct cli_info_options *options, struct cli_error *error)
{
    struct parsing p = {options, error};

    struct cli_machine machine = {0};

    *options = (struct cli_info_options){0};
    if (!cli_machine_read_environment(&machine, error)) {
        return false;
    }
    options->gpu = machine.gpu;
    if (!cli_options_parse(&ARGP, 0, argc, argv, &p, error)) {
        return false;
    }
    if (options->files.count == 0 && !options->help) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "no file given; try 'ptxemu info --help'");
    }
    return true;
}

void cli_info_options_release(struct cli_info_options *options)
{
    cli_files_release(&options->files);
}

void cli_info_help(void)
{
    cli_options_help(&ARGP, "ptxemu info");
}
