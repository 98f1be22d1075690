/*
 * Images.  Invariant: an image lies in the file it was found in, which lives as long as the list.
 */
#include "runtime/cli/images.h"
#include "runtime/cli/files.h"
#include "runtime/cli/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The largest libraries with device code have about a gigabyte. */
static const uint64_t LARGEST_PROGRAM_BYTES = UINT64_C(4) << 30;

bool cli_images_recognise(const char *path)
{
    uint8_t head[4];

    if (!cli_file_head(path, head, sizeof head)) {
        return false;
    }
    const enum rt_code_format format = rt_code_format((struct rt_bytes){head, sizeof head});

    return format == RT_CODE_ELF || format == RT_CODE_CONTAINER;
}

/* What was found wrong with the file, or the index-th image of it (from 1; 0: the file). */
static bool fail_image(const struct cli_images *images, size_t index, const struct rt_image_error *why,
                       struct cli_error *error)
{
    const ptxemu_status status = why->status == RT_IMAGE_MALFORMED       ? PTXEMU_BAD_INPUT
                                 : why->status == RT_IMAGE_OUT_OF_MEMORY ? PTXEMU_NO_MEMORY
                                                                         : PTXEMU_UNSUPPORTED;

    return index == 0 ? cli_fail(error, status, "'%s': %s", images->path, why->text)
                      : cli_fail(error, status, "'%s', image %zu: %s", images->path, index, why->text);
}

static bool add_container(struct cli_images *images, struct rt_bytes container, bool relocatable,
                          struct cli_error *error)
{
    struct rt_image_cursor cursor;
    struct rt_image_error why;
    struct rt_image found;

    if (rt_container_open(container, &cursor, NULL, &why) != RT_IMAGE_OK) {
        return fail_image(images, 0, &why, error);
    }
    images->containers++;
    while (rt_container_next(&cursor, &found, &why)) {
        struct cli_image *image = cli_append(&images->at, &images->count, sizeof *image);

        if (image == NULL) {
            return cli_fail_memory(error);
        }
        *image = (struct cli_image){
            .image = found, .container = images->containers, .relocatable = relocatable || found.relocatable};
    }
    return why.status == RT_IMAGE_OK || fail_image(images, 0, &why, error);
}

static bool read_program(struct cli_images *images, struct rt_bytes file, struct cli_error *error)
{
    struct rt_program_cursor cursor = {0};
    struct rt_image_error why;
    struct rt_bytes container;

    images->is_program = true;
    if (rt_program_open(file, &images->program, &why) != RT_IMAGE_OK) {
        return fail_image(images, 0, &why, error);
    }
    while (rt_program_next(&images->program, &cursor, &container, &why)) {
        if (!add_container(images, container, cursor.relocatable, error)) {
            return false;
        }
    }
    return why.status == RT_IMAGE_OK || fail_image(images, 0, &why, error);
}

static bool read_images(struct cli_images *images, struct cli_error *error)
{
    if (!cli_file_read(images->path, LARGEST_PROGRAM_BYTES, &images->file, &images->length, error)) {
        return false;
    }
    const struct rt_bytes file = {images->file, images->length};

    switch (rt_code_format(file)) {
    case RT_CODE_ELF:
        return read_program(images, file, error);
    case RT_CODE_CONTAINER:
        return add_container(images, file, false, error);
    case RT_CODE_TEXT:
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%s' is PTX text already", images->path);
    default:
        return cli_fail(error, PTXEMU_UNSUPPORTED, "'%s' is neither a program nor a fat binary", images->path);
    }
}

bool cli_images_open(const char *path, struct cli_images *images, struct cli_error *error)
{
    *images = (struct cli_images){.path = path};
    if (read_images(images, error)) {
        return true;
    }
    cli_images_close(images);
    return false;
}

void cli_images_close(struct cli_images *images)
{
    free(images->at);
    free(images->file);
    *images = (struct cli_images){0};
}

/* The images of a container stand together. */
void cli_images_choose(struct cli_images *images, unsigned sm)
{
    struct cli_image *best = NULL;

    for (size_t i = 0; i < images->count; i++) {
        struct cli_image *image = &images->at[i];

        image->used = false;
        if (best != NULL && best->container != image->container) {
            best = NULL;
        }
        if (rt_image_is_better(&image->image, best != NULL ? &best->image : NULL, sm)) {
            if (best != NULL) {
                best->used = false;
            }
            image->used = true;
            best = image;
        }
    }
}

bool cli_image_text(const struct cli_images *images, size_t index, struct rt_ptx *ptx, struct cli_error *error)
{
    struct rt_image_error why;

    return rt_image_unpack(&images->at[index].image, ptx, &why) == RT_IMAGE_OK ||
           fail_image(images, index + 1, &why, error);
}

const char *cli_image_kind(const struct rt_image *image)
{
    switch (image->kind) {
    case RT_IMAGE_PTX:
        return "PTX";
    case RT_IMAGE_CUBIN:
        return "SASS";
    case RT_IMAGE_LTO:
        return "LTO IR";
    default:
        return "unknown";
    }
}

void cli_image_target(const struct rt_image *image, char text[CLI_TARGET_TEXT])
{
    const char suffix[2] = {image->suffix, '\0'};

    snprintf(text, CLI_TARGET_TEXT, "sm_%u%s", image->sm, suffix);
}

const char *cli_image_compression(const struct rt_image *image)
{
    static const char *const names[] = {
        [RT_RAW] = "none", [RT_LZ4] = "LZ4", [RT_ZSTD] = "zstd", [RT_COMPRESSION_UNKNOWN] = "unknown"};

    return names[image->compression];
}
