/*
 * Programs: `ptxemu ./program`.  Finds a program, looks at what it is and needs, and starts it in place of this process
 * with an environment in which CUDA's libraries are ours.  Whatever the program starts inherits that.
 */
#ifndef RUNTIME_CLI_EXEC_H
#define RUNTIME_CLI_EXEC_H

#include "runtime/cli/images.h"
#include "runtime/cli/options.h"

/*
 * Whether a word of the command line names a program: a file that is in ELF's format or a script, by its path, or, for
 * a word without a slash that is no file of the current folder, found as shells do.  `*path` is where it is, malloc'd.
 */
bool cli_program_find(const char *word, char **path);

/* Become the program.  Returns only on failure. */
bool cli_program_run(const struct cli_run_options *options, struct cli_error *error);

/* --- exec_check.c ----------------------------------------------------------------------------- */
/* A program that was looked at. */
struct cli_subject {
    const char *path, *name; /* where it is, and what the user calls it */
    bool is_elf, readable;   /* a script, and a file that cannot be understood, have no images */
    struct cli_images images;
};

/* Look at a program and refuse what cannot be run here, saying what to do.  To be closed in any case. */
bool cli_subject_open(const char *path, const char *name, const ptxemu_device_info *gpu, struct cli_subject *subject,
                      struct cli_error *error);
void cli_subject_close(struct cli_subject *subject);

/* --- libraries.c ------------------------------------------------------------------------------ */
/* The folder with the libraries that stand in for CUDA's, malloc'd; NULL with a message. */
char *cli_libraries_find(struct cli_error *error);
/* Arrange that the program and what it starts use them. */
bool cli_libraries_export(const char *folder, const struct cli_subject *subject, struct cli_error *error);

#endif
