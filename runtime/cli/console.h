/*
 * The console: messages for people, on standard error, coloured on terminals unless NO_COLOR is set.
 */
#ifndef RUNTIME_CLI_CONSOLE_H
#define RUNTIME_CLI_CONSOLE_H

#include "runtime/cli/session.h"

/* "ptxemu: error: ..." */
void cli_console_error(const struct cli_error *error);
/* Errors of the last load, and unless `errors_only` its warnings and notes. */
void cli_console_diagnostics(const ptxemu_device *device, bool errors_only);
/* A kernel fault and the line of PTX it happened on. */
void cli_console_fault(const struct cli_session *session, const ptxemu_fault_info *fault);

#endif
