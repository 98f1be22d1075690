/*
 * Comparing what a kernel left behind with what was expected, or with what was there before.
 */
#ifndef RUNTIME_CLI_COMPARE_H
#define RUNTIME_CLI_COMPARE_H

#include "runtime/cli/values.h"

struct cli_difference {
    uint64_t compared;                                      /* elements */
    uint64_t mismatches;                                    /* of them; the rest is meaningful only if there are any */
    uint64_t first;                                         /* index of the first mismatch */
    char expected[CLI_ELEMENT_TEXT], got[CLI_ELEMENT_TEXT]; /* there */
};

/*
 * Compare expected->count elements.  A tolerance below 0 asks for the same values, any NaN being equal to any other and
 * -0 to 0; with one of 0 or more, |got - expected| <= tolerance * max(1, |expected|) is enough.
 */
void cli_compare(const struct cli_values *expected, const unsigned char *got, double tolerance,
                 struct cli_difference *difference);

/* How many elements differ in a bit from `before`. */
uint64_t cli_count_changed(const struct cli_values *before, const unsigned char *now);

#endif
