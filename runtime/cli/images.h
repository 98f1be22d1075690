/*
 * Images: the device code inside a file that is a CUDA program or a fat binary, listed and unpacked.
 */
#ifndef RUNTIME_CLI_IMAGES_H
#define RUNTIME_CLI_IMAGES_H

#include "runtime/cli/error.h"
#include "runtime/cuda/program.h"

struct cli_image {
    struct rt_image image;
    size_t container; /* which one of the file, from 1 */
    bool relocatable; /* of an object that is linked with others, whatever its kind */
    bool used;        /* what the GPU of cli_images_choose runs of its container */
};

struct cli_images {
    const char *path;
    unsigned char *file; /* owned; images point into it */
    size_t length;
    bool is_program;           /* else a fat binary alone */
    struct rt_program program; /* of a program */
    struct cli_image *at;      /* owned */
    size_t count, containers;
};

/* Whether a file starts like a program or a fat binary; false also when it cannot be read, which others will say. */
bool cli_images_recognise(const char *path);
/* Read a program or fat binary.  Damaged ones, and cubins, are refused. */
bool cli_images_open(const char *path, struct cli_images *images, struct cli_error *error);
void cli_images_close(struct cli_images *images);

/* Mark what a GPU of compute capability `sm` (90: 9.0) runs. */
void cli_images_choose(struct cli_images *images, unsigned sm);
/* The text of an image that is PTX; the caller frees it. */
bool cli_image_text(const struct cli_images *images, size_t index, struct rt_ptx *ptx, struct cli_error *error);

/* "PTX"; "sm_90a", at most CLI_TARGET_TEXT bytes; "zstd". */
enum { CLI_TARGET_TEXT = 24 };
const char *cli_image_kind(const struct rt_image *image);
void cli_image_target(const struct rt_image *image, char text[CLI_TARGET_TEXT]);
const char *cli_image_compression(const struct rt_image *image);

#endif
