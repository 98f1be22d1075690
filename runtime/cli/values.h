/*
 * Values: a specification made concrete.  Type and count are known, data is loaded; any range of elements can be made.
 */
#ifndef RUNTIME_CLI_VALUES_H
#define RUNTIME_CLI_VALUES_H

#include "runtime/cli/spec.h"

struct cli_values {
    const struct cli_type *type;
    uint64_t count;
    const struct cli_pattern *pattern; /* of the specification, which must outlive the values */
    unsigned char *data;               /* elements that came from text or a file; owned */
    size_t data_offset;                /* of the first element in `data` */
};

/*
 * Load what `spec` names.  `type` and `count` stand in where the specification leaves them open (NULL and 0: it must
 * not).  At most `limit` bytes are used.
 */
bool cli_values_load(const struct cli_spec *spec, const struct cli_type *type, uint64_t count, uint64_t limit,
                     struct cli_values *values, struct cli_error *error);
void cli_values_release(struct cli_values *values);

/* Elements first .. first + count - 1, which must exist. */
void cli_values_fill(const struct cli_values *values, uint64_t first, uint64_t count, void *to);

#endif
