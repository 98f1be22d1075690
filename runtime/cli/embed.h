/*
 * `ptxemu embed`: PTX becomes something that a C program is linked with.  What is embedded, and the three forms that it
 * is written in: an object file, C source for other compilers and processors, and a header for either.
 */
#ifndef RUNTIME_CLI_EMBED_H
#define RUNTIME_CLI_EMBED_H

#include "runtime/cli/session.h"
#include "runtime/cuda/fatbin_write.h"

#include <stdio.h>

/* One text. */
struct cli_embed_text {
    const char *path;
    char *name;                    /* C identifier made from the file's name: NAME_ptx is the text; owned */
    struct rt_container container; /* owned */
};

struct cli_embed_kernel {
    ptxemu_kernel_info info;
    ptxemu_param_info *params; /* owned */
};

struct cli_embed {
    const char *name; /* of the whole: the first text's */
    struct cli_embed_text *texts;
    size_t text_count;
    struct cli_embed_kernel *kernels;
    size_t kernel_count;
};

/* --- embed_types.c: parameters as C sees them ------------------------------------------------- */
enum { CLI_C_NAME = 160 };

/* The C type of a scalar parameter; NULL for an array, which is passed as a structure of its bytes. */
const char *cli_embed_scalar(const ptxemu_param_info *param);
bool cli_embed_is_floating(const ptxemu_param_info *param);
/* The name of parameter `index` in C: "p_" and what the PTX calls it, without the kernel's name in front of it. */
void cli_embed_param_name(const struct cli_embed_kernel *kernel, size_t index, char name[CLI_C_NAME]);
/* Print "TYPE NAME, ..." for all parameters, behind others if `follows`. */
void cli_embed_print_params(FILE *out, const struct cli_embed_kernel *kernel, bool follows);
/* Whether the kernel's name and parameters can be had in C. */
bool cli_embed_check_kernel(const struct cli_embed_kernel *kernel, struct cli_error *error);

/* --- the forms -------------------------------------------------------------------------------- */
/* An object file for x86-64, malloc'd (embed_object.c). */
bool cli_embed_object(const struct cli_embed *embed, unsigned char **file, size_t *size, struct cli_error *error);
/* Source and header (embed_source.c). */
void cli_embed_print_source(FILE *out, const struct cli_embed *embed);
void cli_embed_print_header(FILE *out, const struct cli_embed *embed);

#endif
