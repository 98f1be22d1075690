/*
 * Pieces of JSON that several reports share.  All return new references; NULL, which jansson passes on, means that
 * memory is exhausted.
 */
#ifndef RUNTIME_CLI_JSON_H
#define RUNTIME_CLI_JSON_H

#include "runtime/cli/element.h"

#include <jansson.h>

/* Text of any bytes; what is not UTF-8 becomes '?'.  NULL text gives null. */
json_t *cli_json_text(const char *text);
json_t *cli_json_texts(const char *const *texts, size_t count);
json_t *cli_json_bytes(const char *text, size_t length);
/* Integers beyond 2^63 - 1 do not fit JSON's numbers here and become strings. */
json_t *cli_json_uint(uint64_t value);
/* Infinities and NaN become strings. */
json_t *cli_json_real(double value);
json_t *cli_json_element(const struct cli_type *type, const void *element);
json_t *cli_json_dimensions(const unsigned size[3]);
/* All diagnostics of the device's last load. */
json_t *cli_json_diagnostics(const ptxemu_device *device);

/* Write `value`, indented, and a newline to standard output; false when that failed.  Takes the reference. */
bool cli_json_put(json_t *value);

#endif
