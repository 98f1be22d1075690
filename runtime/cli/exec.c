/*
 * Starting programs.  Invariant: the process is replaced or a message says why not; nothing of the program's words,
 * files or signals is touched.
 */
#include "runtime/cli/exec.h"
#include "runtime/cli/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- finding ---------------------------------------------------------------------------------- */
static bool is_program(const char *path)
{
    unsigned char head[4];

    return cli_file_head(path, head, sizeof head) && (memcmp(head, "\177ELF", 4) == 0 || memcmp(head, "#!", 2) == 0);
}

/* The first executable program of that name in the folders of PATH, malloc'd; NULL: none. */
static char *search_path(const char *name)
{
    const char *path = getenv("PATH");
    struct cli_span rest = cli_span_of(path != NULL ? path : "");

    while (rest.length > 0) {
        struct cli_span folder = cli_span_cut(&rest, ':');
        char *found;

        if (asprintf(&found, "%.*s/%s", (int)folder.length, folder.length > 0 ? folder.at : ".", name) < 0) {
            return NULL;
        }
        if (access(found, X_OK) == 0 && is_program(found)) {
            return found;
        }
        free(found);
    }
    return NULL;
}

bool cli_program_find(const char *word, char **path)
{
    const bool here = strchr(word, '/') != NULL || access(word, F_OK) == 0;

    *path = NULL;
    if (!here) {
        *path = search_path(word);
    } else if (is_program(word)) {
        *path = strdup(word);
    }
    return *path != NULL;
}

/* --- starting --------------------------------------------------------------------------------- */
/* What the program is and gets; on which GPU it runs the libraries say when they are asked for one. */
static void print_banner(const struct cli_subject *s, const char *libraries)
{
    const struct rt_program *program = &s->images.program;
    const char *library = s->readable ? program->library : NULL;

    fprintf(stderr, "ptxemu: '%s' %s%s%s%s; libraries in %s\n", s->name,
            s->readable ? rt_cuda_link_words(program->link)
            : s->is_elf ? "cannot be looked into"
                        : "is a script",
            library != NULL ? " (" : "", library != NULL ? library : "", library != NULL ? ")" : "", libraries);
}

static bool fail_start(const struct cli_subject *s, struct cli_error *error)
{
    const int why = errno;

    if (why == ENOENT) { /* the file is there, so what is missing is what the kernel runs it with */
        return cli_fail(error, PTXEMU_BAD_INPUT, "cannot start '%s': the %s that it names does not exist", s->name,
                        s->is_elf ? "program interpreter (ld.so)" : "interpreter behind '#!'");
    }
    return cli_fail(error, why == ENOMEM ? PTXEMU_NO_MEMORY : PTXEMU_BAD_INPUT, "cannot start '%s': %s", s->name,
                    strerror(why));
}

static bool start(const struct cli_run_options *options, const struct cli_subject *s, struct cli_error *error)
{
    char *libraries = cli_libraries_find(error);
    bool ok =
        libraries != NULL && cli_libraries_export(libraries, s, error) && cli_machine_export(&options->machine, error);

    if (ok) {
        if (options->machine.verbose) {
            print_banner(s, libraries);
        }
        execv(s->path, options->program.argv);
        ok = fail_start(s, error);
    }
    free(libraries);
    return ok;
}

/* The GPU is opened so that a wrong name or description is found here, with words, and not by the program. */
bool cli_program_run(const struct cli_run_options *options, struct cli_error *error)
{
    struct cli_subject subject = {0};
    struct cli_session session;
    bool ok = cli_session_open_gpu(&options->machine, &session, error) &&
              cli_subject_open(options->program.path, options->program.argv[0], &session.gpu, &subject, error) &&
              start(options, &subject, error);

    cli_subject_close(&subject);
    cli_session_close(&session);
    return ok;
}
