/*
 * NumPy's .npy files, versions 1 to 3: an array's header and its data in C order.  Structured types, big-endian data
 * and Fortran order are refused by name.
 */
#ifndef RUNTIME_CLI_NPY_H
#define RUNTIME_CLI_NPY_H

#include "runtime/cli/element.h"

struct cli_npy {
    const struct cli_type *type;
    uint64_t count;     /* elements, all dimensions multiplied */
    size_t data_offset; /* in the file */
};

enum { CLI_NPY_HEADER = 128 };

/* Understand a whole file; fails unless the data is exactly as long as the header says. */
bool cli_npy_parse(const unsigned char *bytes, size_t length, struct cli_npy *npy, struct cli_error *error);

/* Whether data of a file's type may fill a buffer of `wanted`: the same, or as many raw bits. */
bool cli_npy_matches(const struct cli_type *in_file, const struct cli_type *wanted);

/* The header of a one-dimensional array; false for types NumPy does not have (bf16). */
bool cli_npy_header(const struct cli_type *type, uint64_t count, unsigned char header[CLI_NPY_HEADER],
                    struct cli_error *error);

#endif
