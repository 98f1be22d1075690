/*
 * `ptxemu info ./program`: the device code that a program or fat binary carries, and what the program needs.
 */
#ifndef RUNTIME_CLI_INFO_PROGRAM_H
#define RUNTIME_CLI_INFO_PROGRAM_H

#include "runtime/cli/options.h"

bool cli_info_program(const struct cli_info_options *options, struct cli_error *error);

#endif
