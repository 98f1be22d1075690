/*
 * Tables.  Invariant: the number of cells is a multiple of the columns whenever a table is printed.
 */
#include "runtime/cli/table.h"
#include "runtime/cli/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_table_add(struct cli_table *table, const char *format, ...)
{
    char **cell = table->failed ? NULL : cli_append(&table->cells, &table->count, sizeof *cell);
    va_list values;

    if (cell == NULL) {
        table->failed = true;
        return;
    }
    va_start(values, format);
    if (vasprintf(cell, format, values) < 0) {
        *cell = NULL;
        table->failed = true;
    }
    va_end(values);
}

static size_t column_width(const struct cli_table *table, size_t column)
{
    size_t width = 0;

    for (size_t i = column; i < table->count; i += table->columns) {
        size_t length = strlen(table->cells[i]);

        width = length > width ? length : width;
    }
    return width;
}

/* Every cell below the heading starts with a digit or is a dash: "-" stands for nothing. */
static bool column_is_numeric(const struct cli_table *table, size_t column)
{
    bool digits = false;

    for (size_t i = column + table->columns; i < table->count; i += table->columns) {
        const char *cell = table->cells[i];

        if (!isdigit((unsigned char)cell[0]) && strcmp(cell, "-") != 0) {
            return false;
        }
        digits |= isdigit((unsigned char)cell[0]) != 0;
    }
    return digits;
}

struct column {
    int width;
    bool numeric;
};

static void print_cell(const char *cell, const struct column *column, bool last)
{
    if (column->numeric) {
        printf("%*s", column->width, cell);
    } else if (last) {
        fputs(cell, stdout); /* no spaces at the end of a line */
    } else {
        printf("%-*s", column->width, cell);
    }
    fputs(last ? "\n" : "  ", stdout);
}

/* Columns are measured once: measuring for every cell would take the square of the rows. */
bool cli_table_print(const struct cli_table *table)
{
    struct column *columns = table->failed ? NULL : calloc(table->columns, sizeof *columns);

    if (columns == NULL) {
        return false;
    }
    for (size_t i = 0; i < table->columns; i++) {
        columns[i] = (struct column){.width = (int)column_width(table, i), .numeric = column_is_numeric(table, i)};
    }
    for (size_t i = 0; i < table->count; i++) {
        print_cell(table->cells[i], &columns[i % table->columns], (i + 1) % table->columns == 0);
    }
    free(columns);
    return true;
}

bool cli_table_print_below(const struct cli_table *table)
{
    if (!table->failed && table->count > table->columns) {
        putchar('\n');
        return cli_table_print(table);
    }
    return !table->failed;
}

static void print_quoted(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            putchar('"');
        }
        putchar(*text);
    }
    putchar('"');
}

void cli_table_print_csv(const struct cli_table *table)
{
    for (size_t i = 0; !table->failed && i < table->count; i++) {
        const char *cell = table->cells[i];

        if (strpbrk(cell, ",\"\n\r") != NULL) {
            print_quoted(cell);
        } else {
            fputs(cell, stdout);
        }
        fputs((i + 1) % table->columns == 0 ? "\n" : ",", stdout);
    }
}

void cli_table_release(struct cli_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->cells[i]);
    }
    free(table->cells);
    *table = (struct cli_table){.columns = table->columns};
}
