/*
 * Failures of the command line.  Invariant: `text` is always terminated; a message that is too long is cut, never lost.
 */
#include "runtime/cli/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool cli_fail(struct cli_error *error, ptxemu_status status, const char *format, ...)
{
    va_list values;

    error->status = status;
    va_start(values, format);
    vsnprintf(error->text, sizeof error->text, format, values);
    va_end(values);
    return false;
}

bool cli_fail_at(struct cli_error *error, const char *format, ...)
{
    char whole[CLI_ERROR_TEXT];
    va_list values;

    va_start(values, format);
    int written = vsnprintf(whole, sizeof whole, format, values);
    va_end(values);

    size_t used = written < 0 ? 0 : (size_t)written;
    if (used >= sizeof whole) {
        used = sizeof whole - 1;
    }
    size_t kept = strnlen(error->text, sizeof whole - 1 - used);
    memcpy(whole + used, error->text, kept);
    whole[used + kept] = '\0';
    memcpy(error->text, whole, used + kept + 1);
    return false;
}

bool cli_fail_memory(struct cli_error *error)
{
    return cli_fail(error, PTXEMU_NO_MEMORY, "out of memory");
}
