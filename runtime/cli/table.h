/*
 * Tables of text: cells row by row, printed with aligned columns or as CSV.  The first row holds the headings.
 */
#ifndef RUNTIME_CLI_TABLE_H
#define RUNTIME_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct cli_table {
    size_t columns;
    char **cells; /* owned */
    size_t count;
    bool failed; /* memory ran out; the table is not complete */
};

/* Append the next cell.  After a failure nothing more is kept. */
__attribute__((format(printf, 2, 3))) void cli_table_add(struct cli_table *table, const char *format, ...);
/* Columns of numbers are aligned to the right, as are their headings.  False when memory is exhausted. */
bool cli_table_print(const struct cli_table *table);
/* The same, with an empty line above; a table of headings alone is left out. */
bool cli_table_print_below(const struct cli_table *table);
void cli_table_print_csv(const struct cli_table *table);
void cli_table_release(struct cli_table *table);

#endif
