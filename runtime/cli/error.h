/*
 * Failures of the command line: one message in words and the exit code that goes with it.  The first failure is kept
 * and passed up; callers may put a place in front of it, never replace it.
 */
#ifndef RUNTIME_CLI_ERROR_H
#define RUNTIME_CLI_ERROR_H

#include "include/ptxemu.h"

#include <stdbool.h>

enum { CLI_ERROR_TEXT = 2048 };

struct cli_error {
    ptxemu_status status; /* doubles as the exit code */
    char text[CLI_ERROR_TEXT];
};

/* Record a failure; always returns false, so that `return cli_fail(...)` reads as it acts. */
__attribute__((format(printf, 3, 4))) bool cli_fail(struct cli_error *error, ptxemu_status status, const char *format,
                                                    ...);

/* Put a place in front of the message: "file:3: " or "argument 2: ".  Always returns false. */
__attribute__((format(printf, 2, 3))) bool cli_fail_at(struct cli_error *error, const char *format, ...);

/* The message of an exhausted heap, in one place. */
bool cli_fail_memory(struct cli_error *error);

#endif
