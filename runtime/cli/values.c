/*
 * Values.  Invariant: data, if there is any, holds exactly `count` elements of `type` from `data_offset` on.
 */
#include "runtime/cli/values.h"
#include "runtime/cli/files.h"
#include "runtime/cli/npy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_separator(char c)
{
    return c == ' ' || c == ',' || c == '\t' || c == '\n' || c == '\r' || c == ';';
}

/* The next number's text; empty at the end. */
static struct cli_span next_item(struct cli_span *rest)
{
    struct cli_span item;

    while (rest->length > 0 && is_separator(rest->at[0])) {
        rest->at++;
        rest->length--;
    }
    item = (struct cli_span){rest->at, 0};
    while (item.length < rest->length && !is_separator(item.at[item.length])) {
        item.length++;
    }
    rest->at += item.length;
    rest->length -= item.length;
    return item;
}

static size_t count_items(struct cli_span text)
{
    size_t count = 0;

    while (next_item(&text).length > 0) {
        count++;
    }
    return count;
}

static bool load_text(struct cli_values *values, uint64_t *count, struct cli_error *error)
{
    struct cli_span rest = cli_span_of(values->pattern->source);
    struct cli_number number;

    *count = count_items(rest);
    values->data = malloc(*count * values->type->bytes + 1);
    if (values->data == NULL) {
        return cli_fail_memory(error);
    }
    for (unsigned char *to = values->data; *count > 0; to += values->type->bytes) {
        struct cli_span item = next_item(&rest);

        if (item.length == 0) {
            return true;
        }
        if (!cli_number_parse(item.at, item.length, &number, error) ||
            !cli_element_store(values->type, &number, to, error)) {
            return false;
        }
    }
    return true;
}

static bool load_raw(struct cli_values *values, uint64_t limit, uint64_t *count, struct cli_error *error)
{
    size_t length;
    const char *path = values->pattern->source;

    if (!cli_file_read(path, limit, &values->data, &length, error)) {
        return false;
    }
    *count = length / values->type->bytes;
    if (length % values->type->bytes != 0) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%s' has %zu bytes, which is no whole number of %s elements", path,
                        length, values->type->name);
    }
    return true;
}

static bool load_npy(struct cli_values *values, uint64_t limit, uint64_t *count, struct cli_error *error)
{
    const char *path = values->pattern->source;
    struct cli_npy npy;
    size_t length;

    if (!cli_file_read(path, limit, &values->data, &length, error)) {
        return false;
    }
    if (!cli_npy_parse(values->data, length, &npy, error)) {
        return cli_fail_at(error, "'%s': ", path);
    }
    if (values->type == NULL) {
        values->type = npy.type;
    }
    if (!cli_npy_matches(npy.type, values->type)) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%s' holds %s elements, not %s", path, npy.type->name,
                        values->type->name);
    }
    values->data_offset = npy.data_offset;
    *count = npy.count;
    return true;
}

static bool load_data(struct cli_values *values, uint64_t limit, uint64_t *count, struct cli_error *error)
{
    if (values->type == NULL && values->pattern->kind != CLI_NPY) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "the element type is missing");
    }
    switch (values->pattern->kind) {
    case CLI_TEXT:
        return load_text(values, count, error);
    case CLI_FILE:
        return load_raw(values, limit, count, error);
    default:
        return load_npy(values, limit, count, error);
    }
}

static bool check_data_count(const struct cli_values *values, uint64_t present, struct cli_error *error)
{
    if (present == 0) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "there are no elements in it");
    }
    if (values->count != 0 && values->count != present) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "%" PRIu64 " elements are wanted, but there are %" PRIu64,
                        values->count, present);
    }
    return true;
}

static bool check_formula(const struct cli_values *values, uint64_t limit, struct cli_error *error)
{
    uint64_t bytes;

    if (values->type == NULL || values->count == 0) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "the element type or count is missing");
    }
    if (__builtin_mul_overflow(values->count, (uint64_t)values->type->bytes, &bytes) || bytes > limit) {
        return cli_fail(error, PTXEMU_BAD_INPUT,
                        "%" PRIu64 " elements of %s do not fit: at most %" PRIu64 " bytes are left", values->count,
                        values->type->name, limit);
    }
    return cli_pattern_check(values->pattern, values->type, error);
}

bool cli_values_load(const struct cli_spec *spec, const struct cli_type *type, uint64_t count, uint64_t limit,
                     struct cli_values *values, struct cli_error *error)
{
    uint64_t present = 0;

    *values = (struct cli_values){
        .type = spec->type != NULL ? spec->type : type,
        .count = spec->count != 0 ? spec->count : count,
        .pattern = &spec->pattern,
    };
    if (!cli_pattern_is_data(&spec->pattern)) {
        if (spec->kind == CLI_SCALAR) {
            values->count = 1;
        }
        return check_formula(values, limit, error) || cli_fail_at(error, "'%s': ", spec->written);
    }
    if (!load_data(values, limit, &present, error) || !check_data_count(values, present, error)) {
        cli_values_release(values);
        return cli_fail_at(error, "'%s': ", spec->written);
    }
    values->count = present;
    return true;
}

void cli_values_release(struct cli_values *values)
{
    free(values->data);
    values->data = NULL;
}

void cli_values_fill(const struct cli_values *values, uint64_t first, uint64_t count, void *to)
{
    size_t size = values->type->bytes;

    if (values->data != NULL) {
        memcpy(to, values->data + values->data_offset + first * size, count * size);
    } else {
        cli_pattern_fill(values->pattern, values->type, first, count, to);
    }
}
