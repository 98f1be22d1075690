/*
 * Specifications: one argument or one expectation as written, `TYPE:VALUE`, `TYPE[COUNT]:PATTERN` or `=N`.  Knows the
 * grammar, not the kernel it is for.
 */
#ifndef RUNTIME_CLI_SPEC_H
#define RUNTIME_CLI_SPEC_H

#include "runtime/cli/pattern.h"
#include "runtime/cli/text.h"

enum cli_spec_kind {
    CLI_SCALAR, /* TYPE:VALUE */
    CLI_BUFFER, /* TYPE[COUNT]:PATTERN; COUNT may be left to data */
    CLI_REUSE,  /* =N: the buffer of argument N of the first launch */
};

struct cli_spec {
    enum cli_spec_kind kind;
    const struct cli_type *type; /* NULL: as the data or the argument compared with says */
    uint64_t count;              /* elements; 0: as many as the data has, or the argument compared with */
    struct cli_pattern pattern;
    unsigned reused; /* N of CLI_REUSE */
    char *written;   /* the text, for output; owned */
};

/* An argument: the type is required, except where the data names it. */
bool cli_spec_parse(struct cli_span text, const char *folder, struct cli_spec *spec, struct cli_error *error);
/* An expectation: `PATTERN` alone is enough, `=N` is not allowed. */
bool cli_spec_parse_expected(struct cli_span text, const char *folder, struct cli_spec *spec, struct cli_error *error);
void cli_spec_release(struct cli_spec *spec);

#endif
