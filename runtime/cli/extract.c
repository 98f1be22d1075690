/*
 * `ptxemu extract FILE`: the PTX inside a program or fat binary, one file for each text.
 */
#include "runtime/cli/commands.h"
#include "runtime/cli/console.h"
#include "runtime/cli/files.h"
#include "runtime/cli/images.h"
#include "runtime/cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool make_folder(const char *path, struct cli_error *error)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST) {
        return true;
    }
    return cli_fail(error, PTXEMU_BAD_INPUT, "cannot make folder '%s': %s", path, strerror(errno));
}

/* FOLDER/NAME.IMAGE.sm_XX.ptx; NULL when memory is exhausted. */
static char *path_of(const struct cli_images *images, size_t index, const char *folder)
{
    const char *slash = strrchr(images->path, '/');
    char target[CLI_TARGET_TEXT], *path;

    cli_image_target(&images->at[index].image, target);
    return asprintf(&path, "%s/%s.%zu.%s.ptx", folder, slash != NULL ? slash + 1 : images->path, index + 1, target) < 0
               ? NULL
               : path;
}

static bool extract_image(const struct cli_images *images, size_t index, const char *folder, struct cli_error *error)
{
    struct rt_ptx ptx;

    if (!cli_image_text(images, index, &ptx, error)) {
        return false;
    }
    char *path = path_of(images, index, folder);
    bool ok = path != NULL ? cli_file_write(path, "", 0, ptx.text, ptx.length, error) : cli_fail_memory(error);

    if (ok) {
        puts(path);
    }
    free(path);
    free(ptx.text);
    return ok;
}

/* What to say when there is nothing to write. */
static bool fail_empty(const struct cli_images *images, struct cli_error *error)
{
    if (images->count == 0) {
        return cli_fail(error, PTXEMU_UNSUPPORTED, "'%s' carries no device code", images->path);
    }
    return cli_fail(error, PTXEMU_UNSUPPORTED,
                    "'%s' carries no PTX, only images of other kinds (see 'ptxemu info'); compile with -gencode "
                    "arch=compute_80,code=compute_80",
                    images->path);
}

static bool extract_all(const struct cli_images *images, const char *folder, struct cli_error *error)
{
    size_t written = 0;

    for (size_t i = 0; i < images->count; i++) {
        if (images->at[i].image.kind != RT_IMAGE_PTX) {
            continue;
        }
        if ((written == 0 && !make_folder(folder, error)) || !extract_image(images, i, folder, error)) {
            return false;
        }
        written++;
    }
    return written > 0 || fail_empty(images, error);
}

static bool extract(const struct cli_extract_options *options, struct cli_error *error)
{
    struct cli_images images;

    if (!cli_images_open(options->file, &images, error)) {
        return false;
    }
    bool ok = extract_all(&images, options->folder, error);

    cli_images_close(&images);
    if (ok && fflush(stdout) != 0) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "cannot write to standard output");
    }
    return ok;
}

int cli_extract_command(int argc, char **argv)
{
    struct cli_extract_options options;
    struct cli_error error;

    if (!cli_extract_options_parse(argc, argv, &options, &error)) {
        cli_console_error(&error);
        return (int)error.status;
    }
    if (options.help) {
        cli_extract_help();
        return PTXEMU_OK;
    }
    if (!extract(&options, &error)) {
        cli_console_error(&error);
        return (int)error.status;
    }
    return PTXEMU_OK;
}
