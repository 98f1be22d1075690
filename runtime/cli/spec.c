/*
 * Specifications.  Invariant: count * type->bytes of a parsed specification fits 64 bits.
 */
#include "runtime/cli/spec.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool parse_reuse(struct cli_span text, struct cli_spec *spec, struct cli_error *error)
{
    uint64_t index;

    spec->kind = CLI_REUSE;
    if (!cli_size_parse(text, &index, error) || index > UINT16_MAX) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "expected '=N', N an argument of the first launch");
    }
    spec->reused = (unsigned)index;
    return true;
}

static bool parse_type(struct cli_span word, struct cli_spec *spec, struct cli_error *error)
{
    spec->type = cli_type_find(word.at, word.length);
    if (spec->type == NULL) {
        return cli_fail(error, PTXEMU_BAD_INPUT,
                        "'%.*s' is not a type: expected u8..u64, s8..s64, b8..b64, f16, bf16, f32 or f64",
                        cli_span_shown(word), word.at);
    }
    return true;
}

/* `[COUNT]` or nothing, up to the end of `text`. */
static bool parse_count(struct cli_span text, struct cli_spec *spec, struct cli_error *error)
{
    uint64_t bytes;

    if (text.length == 0) {
        return true;
    }
    if (text.length < 2 || text.at[0] != '[' || text.at[text.length - 1] != ']') {
        return cli_fail(error, PTXEMU_BAD_INPUT, "expected '[COUNT]' after the type, found '%.*s'",
                        cli_span_shown(text), text.at);
    }
    spec->kind = CLI_BUFFER;
    if (text.length == 2) {
        return true; /* f32[]: as many as the data has */
    }
    struct cli_span count = {text.at + 1, text.length - 2};

    if (!cli_size_parse(count, &spec->count, error)) {
        return false;
    }
    if (spec->count == 0) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "a buffer needs at least one element");
    }
    if (__builtin_mul_overflow(spec->count, (uint64_t)spec->type->bytes, &bytes) || bytes > INT64_MAX) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "%" PRIu64 " elements of %s are more than any memory holds",
                        spec->count, spec->type->name);
    }
    return true;
}

/* TYPE or TYPE[COUNT] */
static bool parse_shape(struct cli_span text, struct cli_spec *spec, struct cli_error *error)
{
    size_t word = 0;

    text = cli_span_trim(text);
    while (word < text.length && isalnum((unsigned char)text.at[word])) {
        word++;
    }
    return parse_type((struct cli_span){text.at, word}, spec, error) &&
           parse_count((struct cli_span){text.at + word, text.length - word}, spec, error);
}

/* The colon that ends the shape stands before any parenthesis: paths may have colons of their own. */
static const char *find_colon(struct cli_span text)
{
    struct cli_span head = text;
    struct cli_span before = cli_span_cut(&head, '(');

    return before.length == 0 ? NULL : memchr(before.at, ':', before.length);
}

/* What the shape leaves open must be known from the pattern. */
static bool settle_kind(struct cli_spec *spec, struct cli_error *error)
{
    if (cli_pattern_is_data(&spec->pattern)) {
        spec->kind = CLI_BUFFER;
        return true;
    }
    if (spec->kind == CLI_BUFFER && spec->count == 0) {
        return cli_fail(error, PTXEMU_BAD_INPUT,
                        "a buffer that is not made of data needs a count, as in u32[1024]:iota");
    }
    if (spec->kind == CLI_SCALAR && spec->pattern.kind != CLI_CONST) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "only buffers have patterns; write %s[COUNT]:...", spec->type->name);
    }
    return true;
}

static bool parse_pattern(struct cli_span text, const char *folder, struct cli_spec *spec, struct cli_error *error)
{
    return cli_pattern_parse(text.at, text.length, folder, &spec->pattern, error) &&
           (spec->type == NULL || cli_pattern_check(&spec->pattern, spec->type, error));
}

static bool parse_shaped(struct cli_span text, const char *colon, const char *folder, struct cli_spec *spec,
                         struct cli_error *error)
{
    struct cli_span shape = {text.at, (size_t)(colon - text.at)};
    struct cli_span rest = {colon + 1, text.length - shape.length - 1};

    return parse_shape(shape, spec, error) && parse_pattern(rest, folder, spec, error) && settle_kind(spec, error);
}

static bool starts_with(struct cli_span text, const char *word)
{
    size_t length = strlen(word);

    return text.length >= length && memcmp(text.at, word, length) == 0;
}

static bool parse_argument(struct cli_span text, const char *folder, struct cli_spec *spec, struct cli_error *error)
{
    const char *colon = find_colon(text);

    if (text.at[0] == '=') {
        return parse_reuse((struct cli_span){text.at + 1, text.length - 1}, spec, error);
    }
    if (colon != NULL) {
        return parse_shaped(text, colon, folder, spec, error);
    }
    if (starts_with(text, "npy(")) {
        spec->kind = CLI_BUFFER;
        return parse_pattern(text, folder, spec, error);
    }
    if (text.at[text.length - 1] == ']') { /* TYPE[COUNT]: zeros */
        return parse_shape(text, spec, error) && settle_kind(spec, error);
    }
    return cli_fail(error, PTXEMU_BAD_INPUT,
                    "expected TYPE:VALUE or TYPE[COUNT]:PATTERN, as in u32:5 or f32[1024]:iota");
}

static bool parse_expected(struct cli_span text, const char *folder, struct cli_spec *spec, struct cli_error *error)
{
    const char *colon = find_colon(text);

    spec->kind = CLI_BUFFER;
    if (colon == NULL) {
        return parse_pattern(text, folder, spec, error);
    }
    struct cli_span shape = {text.at, (size_t)(colon - text.at)};
    struct cli_span rest = {colon + 1, text.length - shape.length - 1};

    return parse_shape(shape, spec, error) && parse_pattern(rest, folder, spec, error);
}

typedef bool parser(struct cli_span text, const char *folder, struct cli_spec *spec, struct cli_error *error);

static bool parse_with(parser *parse, struct cli_span text, const char *folder, struct cli_spec *spec,
                       struct cli_error *error)
{
    text = cli_span_trim(text);
    *spec = (struct cli_spec){.kind = CLI_SCALAR, .pattern.a.integral = true};
    if (text.length == 0) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "nothing given: expected TYPE:VALUE or TYPE[COUNT]:PATTERN");
    }
    if (!parse(text, folder, spec, error)) {
        cli_spec_release(spec);
        return cli_fail_at(error, "'%.*s': ", cli_span_shown(text), text.at);
    }
    spec->written = cli_span_copy(text);
    if (spec->written == NULL) {
        cli_spec_release(spec);
        return cli_fail_memory(error);
    }
    return true;
}

bool cli_spec_parse(struct cli_span text, const char *folder, struct cli_spec *spec, struct cli_error *error)
{
    return parse_with(parse_argument, text, folder, spec, error);
}

bool cli_spec_parse_expected(struct cli_span text, const char *folder, struct cli_spec *spec, struct cli_error *error)
{
    return parse_with(parse_expected, text, folder, spec, error);
}

void cli_spec_release(struct cli_spec *spec)
{
    cli_pattern_release(&spec->pattern);
    free(spec->written);
    spec->written = NULL;
}
