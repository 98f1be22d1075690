/* The samples of fatbin/, made by its regenerate.sh, each in exactly as much memory as it has. */
#ifndef UNIT_FATBIN_SAMPLES_H
#define UNIT_FATBIN_SAMPLES_H

#include "runtime/cuda/bytes.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

/* A copy, so that a sanitizer sees every read past the end of `size`. */
static inline struct rt_bytes sample_copy(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size + (size == 0));

    cr_assert_not_null(copy);
    memcpy(copy, bytes, size);
    return (struct rt_bytes){copy, size};
}

static inline struct rt_bytes sample_read(const char *name)
{
    char path[1024];
    long size;

    snprintf(path, sizeof path, "%s/tests/unit/fatbin/%s", PTXEMU_SOURCE_DIR, name);
    FILE *in = fopen(path, "rb");

    cr_assert_not_null(in, "%s", path);
    cr_assert(fseek(in, 0, SEEK_END) == 0 && (size = ftell(in)) > 0);
    rewind(in);
    uint8_t *bytes = malloc((size_t)size);

    cr_assert_not_null(bytes);
    cr_assert_eq(fread(bytes, 1, (size_t)size, in), (size_t)size);
    fclose(in);
    return (struct rt_bytes){bytes, (uint64_t)size};
}

static inline void sample_free(struct rt_bytes bytes)
{
    free((void *)bytes.at);
}

#endif
