/*
 * The commands of `ptxemu`.  Each takes its own command line, argv[0] being its name, and returns the exit code.
 */
#ifndef RUNTIME_CLI_COMMANDS_H
#define RUNTIME_CLI_COMMANDS_H

int cli_run_command(int argc, char **argv);
int cli_info_command(int argc, char **argv);
int cli_extract_command(int argc, char **argv);
int cli_embed_command(int argc, char **argv);

#endif
