/*
 * Patterns: how the elements of a buffer come about.  A pattern is a function of the element's index, so any range of
 * it can be made at any time, and comparing a buffer with it needs no second copy.  Patterns that name data (text,
 * file, npy) only keep what was written; values.h loads them.
 */
#ifndef RUNTIME_CLI_PATTERN_H
#define RUNTIME_CLI_PATTERN_H

#include "runtime/cli/element.h"

enum cli_pattern_kind {
    CLI_CONST,      /* a */
    CLI_LINEAR,     /* a * i + b; iota is a = 1, b = 0 */
    CLI_MOD,        /* i modulo a */
    CLI_RAND,       /* splitmix64(seed, i): all values of an integer type, [0, 1) of a float type */
    CLI_RAND_RANGE, /* the same, scaled: a <= v <= b of an integer type, a <= v < b of a float type */
    CLI_TEXT,       /* source: numbers */
    CLI_FILE,       /* source: path of raw little-endian elements */
    CLI_NPY,        /* source: path of a NumPy file */
};

struct cli_pattern {
    enum cli_pattern_kind kind;
    struct cli_number a, b;
    uint64_t seed;
    char *source; /* of CLI_TEXT, CLI_FILE and CLI_NPY; owned */
};

/* Parse `length` bytes of text; paths that are not absolute are taken relative to `folder` (NULL: as they are). */
bool cli_pattern_parse(const char *text, size_t length, const char *folder, struct cli_pattern *pattern,
                       struct cli_error *error);
void cli_pattern_release(struct cli_pattern *pattern);

/* Whether elements come from data, which also knows how many there are. */
bool cli_pattern_is_data(const struct cli_pattern *pattern);

/* Whether `type` can hold what the pattern makes; to be asked before cli_pattern_fill. */
bool cli_pattern_check(const struct cli_pattern *pattern, const struct cli_type *type, struct cli_error *error);
/* Elements first .. first + count - 1 of a pattern that is no data.  Integers wrap. */
void cli_pattern_fill(const struct cli_pattern *pattern, const struct cli_type *type, uint64_t first, uint64_t count,
                      void *to);

/* The index-th output of the splitmix64 generator. */
uint64_t cli_splitmix64(uint64_t seed, uint64_t index);

#endif
