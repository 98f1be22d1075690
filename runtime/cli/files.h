/*
 * Files and the host's memory: reading whole files with a limit, writing them, how much memory may be used.
 */
#ifndef RUNTIME_CLI_FILES_H
#define RUNTIME_CLI_FILES_H

#include "runtime/cli/error.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Read a regular file of at most `limit` bytes into malloc'd memory; one terminating 0 is added and not counted.
 * Directories, devices and pipes are refused.
 */
bool cli_file_read(const char *path, uint64_t limit, unsigned char **bytes, size_t *length, struct cli_error *error);

/* The first `size` bytes of a regular file; false when it is shorter or cannot be read. */
bool cli_file_head(const char *path, unsigned char *bytes, size_t size);

/* Create or replace a file out of a head (may be empty) and a body. */
bool cli_file_write(const char *path, const void *head, size_t head_length, const void *body, size_t body_length,
                    struct cli_error *error);

/* Bytes of host memory that can be had without swapping: what the system has available, or the control group allows. */
uint64_t cli_host_memory(void);

#endif
