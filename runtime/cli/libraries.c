/*
 * The libraries that stand in for CUDA's, and the variables that make ld.so take them.
 *
 *     LD_LIBRARY_PATH   our folder first: for libcudart.so and libcuda.so.1, needed or opened
 *     LD_PRELOAD        libptxemu-preload.so, which redirects runtimes that are linked statically; and the libraries
 *                       themselves for a program with DT_RPATH, which ld.so follows before LD_LIBRARY_PATH
 *
 * Invariant: what these variables had before stays, behind ours.
 */
#include "runtime/cli/exec.h"
#include "runtime/cli/files.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char PRELOAD[] = "libptxemu-preload.so";

/* --- where they are --------------------------------------------------------------------------- */
static bool has_file(const char *folder, const char *name)
{
    char *path;

    if (asprintf(&path, "%s/%s", folder, name) < 0) {
        return false;
    }
    bool found = access(path, R_OK) == 0;

    free(path);
    return found;
}

/* `folder`/`relative`, without the links and dots in it, if our libraries are there; else NULL. */
static char *try_folder(const char *folder, const char *relative)
{
    char *path, *real;

    if (asprintf(&path, "%s/%s", folder, relative) < 0) {
        return NULL;
    }
    real = realpath(path, NULL);
    free(path);
    if (real != NULL && !has_file(real, PRELOAD)) {
        free(real);
        real = NULL;
    }
    return real;
}

/* Beside this command: in a build tree, or as installed.  Both may be moved. */
static char *find_beside_command(struct cli_error *error)
{
    char *command = realpath("/proc/self/exe", NULL), *folder = command != NULL ? cli_path_folder(command) : NULL;
    char *found = folder != NULL ? try_folder(folder, "cuda") : NULL;

    if (found == NULL && folder != NULL) {
        found = try_folder(folder, CLI_LIBRARIES_FROM_COMMAND);
    }
    if (found == NULL) {
        cli_fail(error, PTXEMU_UNSUPPORTED,
                 "cannot find %s, neither in '%s/cuda' nor in '%s/" CLI_LIBRARIES_FROM_COMMAND
                 "': install ptxemu whole, or set PTXEMU_LIBDIR to the folder of its libraries",
                 PRELOAD, folder != NULL ? folder : "", folder != NULL ? folder : "");
    }
    free(folder);
    free(command);
    return found;
}

char *cli_libraries_find(struct cli_error *error)
{
    const char *given = getenv("PTXEMU_LIBDIR");
    char *found = given != NULL && given[0] != '\0' ? try_folder(given, ".") : NULL;

    if (given == NULL || given[0] == '\0') {
        found = find_beside_command(error);
    } else if (found == NULL) {
        cli_fail(error, PTXEMU_BAD_INPUT, "PTXEMU_LIBDIR: '%s' has no %s", given, PRELOAD);
    }
    if (found != NULL && strpbrk(found, " :;") != NULL) {
        cli_fail(error, PTXEMU_UNSUPPORTED,
                 "the libraries are in '%s', and ld.so takes no path with a blank, ':' or ';': move them", found);
        free(found);
        found = NULL;
    }
    return found;
}

/* --- variables -------------------------------------------------------------------------------- */
/* Put `first`, which is owned here, in front of a list. */
static bool put_first(const char *variable, char *first, struct cli_error *error)
{
    const char *old = getenv(variable);
    char *joined = NULL;
    bool ok = first != NULL;

    if (ok && old != NULL && old[0] != '\0') {
        ok = asprintf(&joined, "%s:%s", first, old) >= 0;
    }
    ok = ok && setenv(variable, joined != NULL ? joined : first, 1) == 0;
    free(joined);
    free(first);
    return ok || cli_fail_memory(error);
}

static char *join(const char *folder, const char *name)
{
    char *path;

    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* Whether ld.so looks where the program says before it looks where the user says. */
static bool has_old_rpath(const struct rt_elf *elf)
{
    struct rt_section dynamic;
    uint64_t rpath = 0, runpath = 0;

    return rt_elf_dynamic(elf, &dynamic) && rt_elf_dynamic_text(elf, &dynamic, DT_RPATH, &rpath) != NULL &&
           rt_elf_dynamic_text(elf, &dynamic, DT_RUNPATH, &runpath) == NULL;
}

/* A program that needs a runtime of another version than ours would get NVIDIA's, or none. */
static bool check_library(const char *folder, const struct cli_subject *s, struct cli_error *error)
{
    const struct rt_program *program = &s->images.program;

    return program->link != RT_LINK_SHARED || has_file(folder, program->library) ||
           cli_fail(error, PTXEMU_UNSUPPORTED,
                    "'%s' needs %s, which is not among the libraries in '%s': build it with CUDA 12 or 13", s->name,
                    program->library, folder);
}

static bool preload_all(const char *folder, const struct rt_program *program, struct cli_error *error)
{
    return (program->link != RT_LINK_SHARED || put_first("LD_PRELOAD", join(folder, program->library), error)) &&
           put_first("LD_PRELOAD", join(folder, "libcuda.so.1"), error);
}

bool cli_libraries_export(const char *folder, const struct cli_subject *subject, struct cli_error *error)
{
    if (subject->readable && !check_library(folder, subject, error)) {
        return false;
    }
    if (subject->readable && has_old_rpath(&subject->images.program.elf) &&
        subject->images.program.link != RT_LINK_NONE && !preload_all(folder, &subject->images.program, error)) {
        return false;
    }
    return put_first("LD_LIBRARY_PATH", strdup(folder), error) && put_first("LD_PRELOAD", join(folder, PRELOAD), error);
}
