/*
 * The command line of `ptxemu [run]`.  Invariant: argp never prints or exits by itself; mistakes become one message, so
 * that tests can look at them.
 */
#include "runtime/cli/options.h"
#include "runtime/cli/exec.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keys of options without a letter of their own. */
enum {
    KEY_KERNEL = 0x100,
    KEY_GRID,
    KEY_BLOCK,
    KEY_SHARED,
    KEY_ARG,
    KEY_PRINT,
    KEY_DUMP_ARG,
    KEY_EXPECT,
    KEY_GPU,
    KEY_GPUS,
    KEY_THREADS,
    KEY_POLICY,
    KEY_SEED,
    KEY_STATS,
    KEY_FORMAT,
    KEY_SLACK,
    KEY_TIMEOUT,
    KEY_DUMP,
    KEY_LIST_GPUS,
};

static const struct argp_option OPTIONS[] = {
    {NULL, 0, NULL, 0, "Launch (what is not given comes from '//!' lines of the file, else is inferred):", 1},
    {"kernel", KEY_KERNEL, "NAME", 0, "the kernel to launch", 1},
    {"grid", KEY_GRID, "X[,Y[,Z]]", 0, "CTAs of the grid", 1},
    {"block", KEY_BLOCK, "X[,Y[,Z]]", 0, "threads of a CTA", 1},
    {"shared", KEY_SHARED, "BYTES", 0, "dynamic shared memory; 16K is 16384", 1},
    {"arg", KEY_ARG, "[NAME=]SPEC", 0, "the next argument, or the one of that name", 1},
    {NULL, 0, NULL, 0, "Results:", 2},
    {"print", KEY_PRINT, "N[:COUNT]", 0, "print (the first COUNT elements of) argument N", 2},
    {"expect", KEY_EXPECT, "N=SPEC[~TOL]", 0, "compare argument N; a difference is exit code 1", 2},
    {"dump-arg", KEY_DUMP_ARG, "N=FILE", 0, "write argument N to a raw file, or a NumPy file if FILE ends in .npy", 2},
    {"stats", KEY_STATS, NULL, 0, "print instruction counts and times", 2},
    {"format", KEY_FORMAT, "text|json", 0, "how to print the results", 2},
    {"quiet", 'q', NULL, 0, "only printed arguments, differences and errors", 2},
    {NULL, 0, NULL, 0, "Machine:", 3},
    {"gpu", KEY_GPU, "NAME", 0, "the emulated GPU, or an INI file that describes one (default: h200)", 3},
    {"gpus", KEY_GPUS, "N", 0, "how many GPUs a program sees (default: 1)", 3},
    {"list-gpus", KEY_LIST_GPUS, NULL, 0, "list the GPUs and exit", 3},
    {"threads", KEY_THREADS, "N", 0, "host threads (default: all)", 3},
    {"policy", KEY_POLICY, "NAME", 0, "how lanes of a warp take turns: converge, minpc, serial or random", 3},
    {"seed", KEY_SEED, "N", 0, "seed of --policy random", 3},
    {"slack", KEY_SLACK, "BYTES", 0, "bytes behind each buffer that kernels may touch (default: 0)", 3},
    {"timeout", KEY_TIMEOUT, "SECONDS", 0, "stop a launch that takes longer", 3},
    {NULL, 0, NULL, 0, "Other:", 4},
    {"verbose", 'v', NULL, 0, "say what runs on what, and what a program asks for that is not there", 4},
    {"dump", KEY_DUMP, "ir", 0, "print the intermediate representation instead of running", 4},
    {"help", '?', NULL, 0, "give this help", 4},
    {NULL, 'h', NULL, OPTION_HIDDEN, "the same", 4},
    {"version", 'V', NULL, 0, "print the version", 4},
    {0},
};

static const char DOC[] =
    "Run PTX kernels, or a program that uses CUDA, on an emulated NVIDIA GPU.  Several PTX files are linked: they are "
    "the parts of one program.  What follows a program's name is the program's.\v"
    "SPEC is TYPE:VALUE, TYPE[COUNT]:PATTERN, or =N for the buffer of argument N of the first launch.  Types: u8..u64 "
    "s8..s64 b8..b64 f16 bf16 f32 f64.  Patterns: a number, const(V), iota, iota(START,STEP), linear(A,B), mod(M), "
    "rand(SEED), rand(SEED,LO,HI), text(1 2 3), file(PATH), npy(PATH).\n"
    "\n"
    "Examples:\n"
    "  ptxemu kernel.ptx\n"
    "  ptxemu saxpy.ptx --grid 16 --block 256 --arg u32:4096 --arg f32:2 \\\n"
    "      --arg 'f32[4096]:iota' --arg 'f32[4096]:1' --expect '3=linear(2,1)'\n"
    "  ptxemu k.ptx --arg 'npy(in.npy)' --arg 'f32[99]' --dump-arg 1=out.npy\n"
    "  ptxemu kernel.ptx --policy random --seed 7 --stats --format json\n"
    "  ptxemu main.ptx library.ptx --kernel main\n"
    "  ptxemu ./program ARGUMENT...\n"
    "  ptxemu --gpu a100 --gpus 2 ./program\n"
    "\n"
    "Options of the machine, and -v, can also be given as PTXEMU_GPU, PTXEMU_GPUS, PTXEMU_THREADS, PTXEMU_POLICY, "
    "PTXEMU_SEED, PTXEMU_SLACK, PTXEMU_TIMEOUT and PTXEMU_VERBOSE.\n"
    "\n"
    "Other commands: ptxemu info FILE... describes kernels and programs, ptxemu extract FILE takes PTX out of "
    "programs; "
    "see ptxemu info --help, ptxemu extract --help.\n"
    "\n"
    "Exit status: 0 done; 1 a kernel fault or an expectation that failed; 2 bad input; 3 unsupported; 4 out of memory; "
    "of a program its own.";

/* What argp's callbacks work on. */
struct parsing {
    struct cli_run_options *options;
    struct cli_error *error;
};

static bool take_format(struct parsing *p, const char *text)
{
    if (!cli_format_parse(text, &p->options->format, p->error)) {
        return false;
    }
    return p->options->format != CLI_FORMAT_CSV ||
           cli_fail(p->error, PTXEMU_BAD_INPUT, "--format: results of a run have no csv form: expected text or json");
}

/* A word of the launch description; paths in flags are relative to where we are. */
static bool take_word(struct parsing *p, const char *word, const char *value)
{
    return cli_launch_word(&p->options->launch, cli_span_of(word), cli_span_of(value), NULL, p->error) ||
           cli_fail_at(p->error, "--");
}

/* Whether the next word of the command line belongs to an --expect that was written in several words. */
static bool next_is_tolerance(const struct argp_state *state)
{
    return state->next < state->argc && state->argv[state->next][0] == '~';
}

/* --expect N=SPEC~TOL, --expect N SPEC~TOL and --expect N SPEC ~TOL. */
static bool take_expect(struct parsing *p, struct argp_state *state, const char *value)
{
    const char *spec = "", *tolerance = "";
    char *joined;

    if (strpbrk(value, "= ") == NULL) {
        if (state->next >= state->argc) {
            return cli_fail(p->error, PTXEMU_BAD_INPUT, "--expect: '%s': expected N=SPEC or N SPEC", value);
        }
        spec = state->argv[state->next++];
    }
    if (next_is_tolerance(state)) {
        tolerance = state->argv[state->next++];
    }
    if (asprintf(&joined, "%s %s %s", value, spec, tolerance) < 0) {
        return cli_fail_memory(p->error);
    }
    bool ok = take_word(p, "expect", joined);

    free(joined);
    return ok;
}

/* The option's long name, for those that are words of the launch description; NULL otherwise. */
static const char *launch_word(int key)
{
    switch (key) {
    case KEY_KERNEL:
        return "kernel";
    case KEY_GRID:
        return "grid";
    case KEY_BLOCK:
        return "block";
    case KEY_SHARED:
        return "shared";
    case KEY_ARG:
        return "arg";
    case KEY_PRINT:
        return "print";
    case KEY_DUMP_ARG:
        return "dump-arg";
    default:
        return NULL;
    }
}

/* A file: PTX, or the program to run, to which all words behind it belong. */
static bool take_file(struct parsing *p, const char *word, struct argp_state *state)
{
    struct cli_run_options *o = p->options;

    if (o->files.count > 0 || !cli_program_find(word, &o->program.path)) {
        return cli_files_add(&o->files, word, p->error);
    }
    o->program.argv = state->argv + state->next - 1;
    state->next = state->argc;
    return true;
}

static bool take_switch(struct parsing *p, int key, const char *value)
{
    switch (key) {
    case KEY_DUMP:
        p->options->dump = value;
        return true;
    case KEY_STATS:
        return p->options->stats = true;
    case KEY_LIST_GPUS:
        return p->options->list_gpus = true;
    case 'q':
        return p->options->quiet = true;
    case '?':
    case 'h':
        return p->options->help = true;
    default:
        return p->options->version = true;
    }
}

/* The setting of the machine that an option gives; CLI_SETTING_COUNT: none. */
static enum cli_setting setting_of(int key)
{
    switch (key) {
    case KEY_GPU:
        return CLI_GPU;
    case KEY_GPUS:
        return CLI_GPUS;
    case KEY_THREADS:
        return CLI_THREADS;
    case KEY_POLICY:
        return CLI_POLICY;
    case KEY_SEED:
        return CLI_SEED;
    case KEY_SLACK:
        return CLI_SLACK;
    case KEY_TIMEOUT:
        return CLI_TIMEOUT;
    case 'v':
        return CLI_VERBOSE;
    default:
        return CLI_SETTING_COUNT;
    }
}

static bool take_value(struct parsing *p, int key, char *value, struct argp_state *state)
{
    switch (key) {
    case KEY_EXPECT:
        return take_expect(p, state, value);
    case KEY_FORMAT:
        return take_format(p, value);
    case ARGP_KEY_ARG:
        return take_file(p, value, state);
    default:
        return take_switch(p, key, value);
    }
}

/* Remember the first option that makes no sense with a program. */
static void note_ptx_option(struct cli_run_options *options, int key)
{
    const bool general = key == ARGP_KEY_ARG || key == 'q' || key == '?' || key == 'h' || key == 'V' ||
                         key == KEY_LIST_GPUS || setting_of(key) != CLI_SETTING_COUNT;

    for (size_t i = 0; !general && options->ptx_option == NULL && i < sizeof OPTIONS / sizeof OPTIONS[0]; i++) {
        options->ptx_option = OPTIONS[i].key == key ? OPTIONS[i].name : NULL;
    }
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct parsing *p = state->input;
    int answer;

    if (cli_options_event(key, state, OPTIONS, p->error, &answer)) {
        return answer;
    }
    const char *word = launch_word(key);
    const enum cli_setting setting = setting_of(key);
    bool ok;

    note_ptx_option(p->options, key);
    if (setting != CLI_SETTING_COUNT) {
        ok = cli_machine_take(&p->options->machine, setting, value != NULL ? value : "1", p->error);
    } else {
        ok = word != NULL ? take_word(p, word, value) : take_value(p, key, value, state);
    }
    return ok ? 0 : EINVAL;
}

static const struct argp ARGP = {OPTIONS, parse_option, "FILE.ptx...\nPROGRAM [ARGUMENT...]", DOC, NULL, NULL, NULL};

/* What was given must go together. */
static bool check_together(const struct cli_run_options *options, struct cli_error *error)
{
    const bool has_program = options->program.path != NULL;

    if (options->help || options->version || options->list_gpus) {
        return true;
    }
    if (has_program && options->ptx_option != NULL) {
        return cli_fail(error, PTXEMU_BAD_INPUT,
                        "--%s is for PTX files; '%s' is a program, which launches kernels itself", options->ptx_option,
                        options->program.argv[0]);
    }
    if (!has_program && options->machine.given[CLI_GPUS] != NULL) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "--gpus is for programs; a PTX file runs on one GPU");
    }
    return has_program || options->files.count > 0 ||
           cli_fail(error, PTXEMU_BAD_INPUT, "no file given; try 'ptxemu --help'");
}

bool cli_run_options_parse(int argc, char **argv, struct cli_run_options *options, struct cli_error *error)
{
    struct parsing p = {options, error};

    *options = (struct cli_run_options){0};
    return cli_machine_read_environment(&options->machine, error) &&
           cli_options_parse(&ARGP, ARGP_IN_ORDER, argc, argv, &p, error) && check_together(options, error);
}

void cli_run_options_release(struct cli_run_options *options)
{
    cli_launch_release(&options->launch);
    cli_files_release(&options->files);
    free(options->program.path);
}

void cli_run_help(void)
{
    cli_options_help(&ARGP, "ptxemu");
}
