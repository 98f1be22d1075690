/*
 * Output helpers: the progress line's words, tables, pieces of text.
 */
#include "runtime/cli/progress.h"
#include "runtime/cli/table.h"
#include "runtime/cli/text.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <stdlib.h>

Test(cli_progress, says_what_is_done_and_how_long_it_takes)
{
    static const struct {
        double elapsed_s;
        uint64_t done, total;
        const char *text;
    } rows[] = {
        {1, 0, 10, "0% 0/10 CTAs"},
        {2, 1, 4, "25% 1/4 CTAs, 6 s left"},
        {100, 1, 4, "25% 1/4 CTAs, 5 min left"},
        {3600, 1, 4, "25% 1/4 CTAs, 3 h 0 min left"},
        {5, 4, 4, "100% 4/4 CTAs, 0 s left"},
        {1e9, 1, UINT64_MAX, "0% 1/18446744073709551615 CTAs, 277777 h 46 min left"},
    };
    char text[128];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cli_progress_text(rows[i].elapsed_s, rows[i].done, rows[i].total, text, sizeof text);
        cr_assert_str_eq(text, rows[i].text);
    }
}

static void fill(struct cli_table *table)
{
    static const char *const cells[] = {"name", "size", "what", "a", "5", "x", "longer", "-", "y,\"z\""};

    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        cli_table_add(table, "%s", cells[i]);
    }
}

Test(cli_table, columns_are_aligned, .init = cr_redirect_stdout)
{
    struct cli_table table = {.columns = 3};

    fill(&table);
    cli_table_print(&table);
    cli_table_release(&table);
    fflush(stdout);
    cr_assert_stdout_eq_str("name    size  what\na          5  x\nlonger     -  y,\"z\"\n");
}

Test(cli_table, csv_quotes_what_needs_it, .init = cr_redirect_stdout)
{
    struct cli_table table = {.columns = 3};

    fill(&table);
    cli_table_print_csv(&table);
    cli_table_release(&table);
    fflush(stdout);
    cr_assert_stdout_eq_str("name,size,what\na,5,x\nlonger,-,\"y,\"\"z\"\"\"\n");
}

Test(cli_text, folders_of_paths)
{
    static const char *const rows[][2] = {{"a.ptx", "."}, {"x/a.ptx", "x"}, {"/a.ptx", "/"}, {"x/y/a", "x/y"}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *folder = cli_path_folder(rows[i][0]);

        cr_assert_str_eq(folder, rows[i][1]);
        free(folder);
    }
}

Test(cli_text, sizes)
{
    static const struct {
        const char *text;
        uint64_t value;
    } rows[] = {{"0", 0}, {"16K", 16384}, {"2m", 2 << 20}, {"1G", 1 << 30}, {"0x10", 16}};
    static const char *const bad[] = {"", "K", "-1", "1.5", "1KB", "18446744073709551615K"};
    struct cli_error error;
    uint64_t value;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert(cli_size_parse(cli_span_of(rows[i].text), &value, &error) && value == rows[i].value, "%s",
                  rows[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_assert_not(cli_size_parse(cli_span_of(bad[i]), &value, &error), "%s", bad[i]);
    }
}
