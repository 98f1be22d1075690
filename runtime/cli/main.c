/*
 * The entry of `ptxemu`: a table of commands.  Anything that is not the name of one is a command line of `run`.
 */
#include "runtime/cli/commands.h"

#include <locale.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} COMMANDS[] = {
    {"run", cli_run_command},
    {"info", cli_info_command},
    {"extract", cli_extract_command},
    {"embed", cli_embed_command},
};

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "C"); /* numbers are written with points, in files as on the command line */
    for (size_t i = 0; argc > 1 && i < sizeof COMMANDS / sizeof COMMANDS[0]; i++) {
        if (strcmp(argv[1], COMMANDS[i].name) == 0) {
            return COMMANDS[i].run(argc - 1, argv + 1);
        }
    }
    return cli_run_command(argc, argv);
}
