/*
 * Pieces of JSON.  Invariant: whatever the input, the output is valid JSON.
 */
#include "runtime/cli/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* jansson refuses bytes that are no UTF-8; then only ASCII is kept. */
json_t *cli_json_bytes(const char *text, size_t length)
{
    json_t *value = json_stringn(text, length);

    if (value != NULL) {
        return value;
    }
    char *ascii = malloc(length + 1);

    if (ascii == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < length; i++) {
        ascii[i] = (unsigned char)text[i] < 0x80 ? text[i] : (char)'?';
    }
    value = json_stringn(ascii, length);
    free(ascii);
    return value;
}

json_t *cli_json_text(const char *text)
{
    return text == NULL ? json_null() : cli_json_bytes(text, strlen(text));
}

json_t *cli_json_texts(const char *const *texts, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, cli_json_text(texts[i]));
    }
    return list;
}

json_t *cli_json_uint(uint64_t value)
{
    char text[24];

    if (value <= INT64_MAX) {
        return json_integer((json_int_t)value);
    }
    snprintf(text, sizeof text, "%ju", (uintmax_t)value);
    return json_string(text);
}

json_t *cli_json_real(double value)
{
    if (isfinite(value)) {
        return json_real(value);
    }
    return json_string(isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

json_t *cli_json_element(const struct cli_type *type, const void *element)
{
    switch (type->kind) {
    case CLI_FLOAT:
        return cli_json_real(cli_element_real(type, element));
    case CLI_SIGNED:
        return json_integer((json_int_t)cli_element_bits(type, element));
    default:
        return cli_json_uint(cli_element_bits(type, element));
    }
}

json_t *cli_json_dimensions(const unsigned size[3])
{
    return json_pack("[I,I,I]", (json_int_t)size[0], (json_int_t)size[1], (json_int_t)size[2]);
}

static const char *level_name(ptxemu_level level)
{
    return level == PTXEMU_ERROR ? "error" : level == PTXEMU_WARNING ? "warning" : "note";
}

json_t *cli_json_diagnostics(const ptxemu_device *device)
{
    json_t *list = json_array();
    ptxemu_diagnostic d;

    for (size_t i = 0; ptxemu_diagnostic_at(device, i, &d); i++) {
        json_array_append_new(list, json_pack("{s:s,s:o,s:I,s:I,s:o}", "level", level_name(d.level), "file",
                                              cli_json_text(d.file), "line", (json_int_t)d.line, "column",
                                              (json_int_t)d.column, "message", cli_json_text(d.message)));
    }
    return list;
}

bool cli_json_put(json_t *value)
{
    bool ok = value != NULL && json_dumpf(value, stdout, JSON_INDENT(2)) == 0;

    json_decref(value);
    return ok && putchar('\n') != EOF && fflush(stdout) == 0;
}
