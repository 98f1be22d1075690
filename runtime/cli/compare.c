/*
 * Comparison in chunks, so that memory use does not depend on the size of the buffers.
 */
#include "runtime/cli/compare.h"

#include <math.h>
#include <string.h>

enum { CHUNK_ELEMENTS = 1024 };

static bool same_real(double got, double expected, double tolerance)
{
    if (isnan(got) || isnan(expected)) {
        return isnan(got) && isnan(expected);
    }
    if (got == expected) { /* infinities, too */
        return true;
    }
    return isfinite(expected) && fabs(got - expected) <= tolerance * fmax(1, fabs(expected));
}

static bool same(const struct cli_type *type, const void *got, const void *expected, double tolerance)
{
    if (memcmp(got, expected, type->bytes) == 0) {
        return true;
    }
    if (type->kind != CLI_FLOAT && tolerance < 0) {
        return false;
    }
    return same_real(cli_element_real(type, got), cli_element_real(type, expected), tolerance);
}

static void note_mismatch(const struct cli_type *type, uint64_t index, const void *got, const void *expected,
                          struct cli_difference *difference)
{
    if (difference->mismatches++ > 0) {
        return;
    }
    difference->first = index;
    cli_element_format(type, got, difference->got);
    cli_element_format(type, expected, difference->expected);
}

void cli_compare(const struct cli_values *expected, const unsigned char *got, double tolerance,
                 struct cli_difference *difference)
{
    unsigned char chunk[CHUNK_ELEMENTS * CLI_ELEMENT_BYTES];
    size_t size = expected->type->bytes;

    *difference = (struct cli_difference){.compared = expected->count};
    for (uint64_t first = 0; first < expected->count; first += CHUNK_ELEMENTS) {
        uint64_t left = expected->count - first, count = left < CHUNK_ELEMENTS ? left : CHUNK_ELEMENTS;

        cli_values_fill(expected, first, count, chunk);
        if (memcmp(got + first * size, chunk, count * size) == 0) {
            continue;
        }
        for (uint64_t i = 0; i < count; i++) {
            const unsigned char *there = got + (first + i) * size;

            if (!same(expected->type, there, chunk + i * size, tolerance)) {
                note_mismatch(expected->type, first + i, there, chunk + i * size, difference);
            }
        }
    }
}

uint64_t cli_count_changed(const struct cli_values *before, const unsigned char *now)
{
    unsigned char chunk[CHUNK_ELEMENTS * CLI_ELEMENT_BYTES];
    size_t size = before->type->bytes;
    uint64_t changed = 0;

    for (uint64_t first = 0; first < before->count; first += CHUNK_ELEMENTS) {
        uint64_t left = before->count - first, count = left < CHUNK_ELEMENTS ? left : CHUNK_ELEMENTS;

        cli_values_fill(before, first, count, chunk);
        if (memcmp(now + first * size, chunk, count * size) == 0) {
            continue;
        }
        for (uint64_t i = 0; i < count; i++) {
            changed += memcmp(now + (first + i) * size, chunk + i * size, size) != 0;
        }
    }
    return changed;
}
