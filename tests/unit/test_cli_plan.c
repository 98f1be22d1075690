/*
 * Launch descriptions: directives, how flags override them, and the command line itself.
 */
#include "runtime/cli/options.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct cli_plan read_plan(const char *text)
{
    struct cli_plan plan;
    struct cli_error error;

    cr_assert(cli_plan_read("k.ptx", cli_span_of(text), "dir", &plan, &error), "%s", error.text);
    return plan;
}

Test(cli_plan, directives_describe_launches)
{
    struct cli_plan plan = read_plan("// made by hand\n"
                                     "//! kernel first\n"
                                     "//!grid 4,2\n"
                                     "\n"
                                     "/* a comment\n"
                                     "//! kernel not_this_one\n"
                                     "*/ //! block 32\r\n"
                                     "//! shared 16K\n"
                                     "//! arg f32[8]:file(in.bin)\n"
                                     "//! arg n=u32:8\n"
                                     "//! print 0:4\n"
                                     "//! expect 0 linear(2,0) ~1e-5\n"
                                     "//! then\n"
                                     "//! kernel second\n"
                                     "//! arg =0\n"
                                     ".version 8.0\n"
                                     "//! kernel too_late\n");
    const struct cli_launch *first = &plan.launches[0], *second = &plan.launches[1];

    cr_assert_eq(plan.count, 2);
    cr_assert_str_eq(first->kernel, "first");
    cr_assert(first->grid[0] == 4 && first->grid[1] == 2 && first->grid[2] == 1);
    cr_assert(first->has_block && first->block[0] == 32);
    cr_assert_eq(first->shared_bytes, 16384);
    cr_assert_eq(first->arg_count, 2);
    cr_assert_str_eq(first->args[0].spec.pattern.source, "dir/in.bin");
    cr_assert_str_eq(first->args[1].target.name, "n");
    cr_assert(first->print_count == 1 && first->prints[0].count == 4);
    cr_assert(first->expect_count == 1 && first->expects[0].close && first->expects[0].tolerance == 1e-5);
    cr_assert_str_eq(second->kernel, "second");
    cr_assert_eq(second->args[0].spec.kind, CLI_REUSE);
    cr_assert_not(second->has_grid);
    cli_plan_release(&plan);
}

Test(cli_plan, a_file_without_directives_has_no_launches)
{
    static const char *const texts[] = {"",   "\n\n", ".version 8.0\n//! kernel k\n", "// just a comment", "/* open",
                                        "/*", "//!"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct cli_plan plan = read_plan(texts[i]);

        cr_assert_eq(plan.count, 0, "%s", texts[i]);
        cli_plan_release(&plan);
    }
}

Test(cli_plan, messages_name_the_line)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"//! kernal k\n", "k.ptx:1: 'kernal' is not a directive: expected kernel, grid, block, shared, arg, print, "
                           "expect or then"},
        {"\n//! kernel\n", "k.ptx:2: kernel: expected the name of a kernel"},
        {"//! grid 0\n", "k.ptx:1: grid: '0': expected X[,Y[,Z]], three whole numbers from 1 to 4294967295"},
        {"//! grid 1,2,3,4\n",
         "k.ptx:1: grid: '1,2,3,4': expected X[,Y[,Z]], three whole numbers from 1 to 4294967295"},
        {"//! block 4294967296\n",
         "k.ptx:1: block: '4294967296': expected X[,Y[,Z]], three whole numbers from 1 to 4294967295"},
        {"//! shared 1T\n", "k.ptx:1: shared: '1T' is not a size: expected a whole number, also with K, M or G"},
        {"//! arg u8:300\n", "k.ptx:1: arg: 'u8:300': 300 does not fit in u8"},
        {"//! print x y\n", "k.ptx:1: print: 'x y': expected an argument, by position or by the parameter's name"},
        {"//! print 0:0\n", "k.ptx:1: print: there is nothing to print in 0 elements"},
        {"//! expect 0 u8[1]:1 ~-1\n",
         "k.ptx:1: expect: '-1' is not a tolerance: expected a number of at least 0, as in ~1e-5"},
        {"//! expect 0\n", "k.ptx:1: expect: nothing given: expected TYPE:VALUE or TYPE[COUNT]:PATTERN"},
        {"//! expect 99999999999999999999 1\n", "k.ptx:1: expect: there is no argument 99999999999999999999"},
        {"//! dump-arg 0=/tmp/x\n", "k.ptx:1: a file cannot say where to write; use --dump-arg"},
        {"//! then\n", "k.ptx:1: 'then' needs a launch before it"},
        {"//! grid 1\n//! then now\n", "k.ptx:2: 'then' stands alone on its line"},
    };
    struct cli_plan plan;
    struct cli_error error;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert_not(cli_plan_read("k.ptx", cli_span_of(rows[i].text), "dir", &plan, &error), "%s", rows[i].text);
        cr_assert_str_eq(error.text, rows[i].message);
        cr_assert_eq(error.status, PTXEMU_BAD_INPUT);
    }
}

/* --- flags over directives ------------------------------------------------------------------------------------------
 */

static const char TWO_LAUNCHES[] = "//! kernel a\n//! grid 4\n//! arg u32:1\n//! expect 0 1\n//! print 0\n//! then\n"
                                   "//! kernel b\n//! block 64\n//! arg =0\n//! expect 0 2\n";

/* TWO_LAUNCHES under one word of flags. */
static struct cli_plan merged(const char *word, const char *value)
{
    struct cli_plan plan = read_plan(TWO_LAUNCHES);
    struct cli_launch flags = {0};
    struct cli_error error;

    cr_assert(cli_launch_word(&flags, cli_span_of(word), cli_span_of(value), NULL, &error), "%s", error.text);
    cr_assert(cli_plan_merge(&plan, &flags, &error));
    return plan;
}

Test(cli_plan, grid_changes_the_first_launch)
{
    struct cli_plan plan = merged("grid", "8");

    cr_assert(plan.count == 2 && plan.launches[0].grid[0] == 8 && !plan.launches[1].has_grid);
    cr_assert_eq(plan.launches[0].expect_count, 1);
    cli_plan_release(&plan);
}

Test(cli_plan, kernel_keeps_its_launch_only)
{
    struct cli_plan plan = merged("kernel", "b");

    cr_assert(plan.count == 1 && plan.launches[0].block[0] == 64 && plan.launches[0].expect_count == 1);
    cli_plan_release(&plan);
    plan = merged("kernel", "unknown");
    cr_assert(plan.count == 1 && !plan.launches[0].has_block && plan.launches[0].arg_count == 0);
    cr_assert_str_eq(plan.launches[0].kernel, "unknown");
    cli_plan_release(&plan);
}

Test(cli_plan, args_replace_arguments_and_what_was_said_of_results)
{
    struct cli_plan plan = merged("arg", "f32:3");

    cr_assert(plan.count == 2 && plan.launches[0].arg_count == 1 && plan.launches[1].arg_count == 1);
    cr_assert_str_eq(plan.launches[0].args[0].spec.written, "f32:3");
    cr_assert(plan.launches[0].expect_count == 0 && plan.launches[0].print_count == 0);
    cr_assert_eq(plan.launches[1].expect_count, 0);
    cli_plan_release(&plan);
}

Test(cli_plan, results_speak_of_the_last_launch)
{
    struct cli_plan plan = merged("print", "0:3");

    cr_assert(plan.launches[0].print_count == 0 && plan.launches[1].print_count == 1);
    cr_assert_eq(plan.launches[0].expect_count, 1);
    cli_plan_release(&plan);
    plan = merged("expect", "0=5");
    cr_assert(plan.launches[0].expect_count == 0 && plan.launches[1].expect_count == 1);
    cr_assert_eq(plan.launches[0].print_count, 1);
    cli_plan_release(&plan);
}

/* --- the command line -----------------------------------------------------------------------------------------------
 */

enum { MOST_WORDS = 24 };

/* Parse a command line whose words are separated by single spaces. */
static bool parse_line(const char *line, struct cli_run_options *options, struct cli_error *error)
{
    static char copy[512];
    char *argv[MOST_WORDS + 1] = {copy};
    int argc = 0;

    strcpy(copy, line);
    for (char *word = strtok(copy, " "); word != NULL && argc < MOST_WORDS; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    return cli_run_options_parse(argc, argv, options, error);
}

Test(cli_options, every_flag)
{
    struct cli_run_options o;
    struct cli_error error;

    cr_assert(
        parse_line("ptxemu --grid 2 k.ptx --threads 3 --policy random --seed 0x9 --timeout 1.5 --stats -q --gpu a100 "
                   "--format=json",
                   &o, &error),
        "%s", error.text);
    cr_assert_eq(o.files.count, 1);
    cr_assert_str_eq(o.files.paths[0], "k.ptx");
    cr_assert_str_eq(o.machine.gpu, "a100");
    cr_assert(o.launch.has_grid && o.machine.threads == 3 && o.machine.policy == PTXEMU_RANDOM && o.machine.seed == 9);
    cr_assert(o.machine.timeout_s == 1.5 && o.stats && o.quiet && o.format == CLI_FORMAT_JSON);
    cli_run_options_release(&o);
}

Test(cli_options, an_expectation_is_one_two_or_three_words)
{
    static const char *const lines[] = {"ptxemu --expect 1=iota~0.5 k.ptx", "ptxemu --expect 1 iota~0.5 k.ptx",
                                        "ptxemu k.ptx --expect 1 iota ~0.5", "ptxemu --expect=1=iota ~0.5 k.ptx"};
    struct cli_run_options o;
    struct cli_error error;

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        cr_assert(parse_line(lines[i], &o, &error), "%s: %s", lines[i], error.text);
        cr_assert_str_eq(o.files.paths[0], "k.ptx");
        cr_assert(o.launch.expect_count == 1 && o.launch.expects[0].tolerance == 0.5, "%s", lines[i]);
        cr_assert_eq(o.launch.expects[0].spec.pattern.kind, CLI_LINEAR);
        cli_run_options_release(&o);
    }
}

Test(cli_options, messages)
{
    static const struct {
        const char *line, *message;
    } rows[] = {
        {"ptxemu", "no file given; try 'ptxemu --help'"},
        {"ptxemu --frob a.ptx", "there is no option '--frob'; try --help"},
        {"ptxemu a.ptx --arg", "--arg needs a value: --arg [NAME=]SPEC"},
        {"ptxemu a.ptx --stats=1", "--stats takes no value"},
        {"ptxemu a.ptx --arg u8:256", "--arg: 'u8:256': 256 does not fit in u8"},
        {"ptxemu a.ptx --threads 0", "--threads: '0': expected a whole number from 1 to 1024"},
        {"ptxemu a.ptx --seed -1", "--seed: '-1': expected a whole number from 0 to 18446744073709551615"},
        {"ptxemu a.ptx --timeout 0", "--timeout: '0': expected seconds, more than 0"},
        {"ptxemu a.ptx --policy fair", "--policy: 'fair' is not a policy: expected converge, minpc, serial or random"},
        {"ptxemu a.ptx --format xml", "--format: 'xml' is not a format: expected text, json or csv"},
        {"ptxemu a.ptx --format csv", "--format: results of a run have no csv form: expected text or json"},
        {"ptxemu a.ptx --expect 1", "--expect: '1': expected N=SPEC or N SPEC"},
        {"ptxemu a.ptx --dump-arg 1", "--dump-arg: '1': expected N=FILE"},
    };
    struct cli_run_options o;
    struct cli_error error;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert_not(parse_line(rows[i].line, &o, &error), "%s", rows[i].line);
        cr_assert_str_eq(error.text, rows[i].message);
        cr_assert_eq(error.status, PTXEMU_BAD_INPUT);
        cli_run_options_release(&o);
    }
}

Test(cli_options, questions_need_no_file)
{
    static const char *const lines[] = {"ptxemu --help", "ptxemu -?", "ptxemu --version", "ptxemu -V",
                                        "ptxemu --list-gpus"};
    struct cli_run_options o;
    struct cli_error error;

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        cr_assert(parse_line(lines[i], &o, &error), "%s", lines[i]);
        cli_run_options_release(&o);
    }
}
