/*
 * Patterns.  Invariant: an element depends only on the pattern, the type and the index.
 */
#include "runtime/cli/pattern.h"
#include "runtime/cli/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- parsing ---------------------------------------------------------------------------------- */

struct form {
    const char *word;
    enum cli_pattern_kind kind;
    unsigned least, most; /* numbers in parentheses; `most` 0 for the ones that keep their text */
    const char *usage;
};

static const struct form FORMS[] = {
    {"const", CLI_CONST, 1, 1, "const(VALUE)"},
    {"iota", CLI_LINEAR, 0, 2, "iota or iota(START,STEP)"},
    {"linear", CLI_LINEAR, 2, 2, "linear(A,B)"},
    {"mod", CLI_MOD, 1, 1, "mod(M)"},
    {"rand", CLI_RAND, 1, 3, "rand(SEED) or rand(SEED,LO,HI)"},
    {"text", CLI_TEXT, 1, 0, "text(1 2 3)"},
    {"file", CLI_FILE, 1, 0, "file(PATH)"},
    {"npy", CLI_NPY, 1, 0, "npy(PATH)"},
};

static const struct form *find_form(struct cli_span word)
{
    for (size_t i = 0; i < sizeof FORMS / sizeof FORMS[0]; i++) {
        if (cli_span_is(word, FORMS[i].word)) {
            return &FORMS[i];
        }
    }
    return NULL;
}

static const struct cli_number ZERO = {.integral = true}, ONE = {.integral = true, .magnitude = 1, .real = 1};

/* Up to three numbers separated by commas; `*count` says how many, and is 4 when there are more. */
static bool read_numbers(struct cli_span list, struct cli_number numbers[3], unsigned *count, struct cli_error *error)
{
    *count = 0;
    list = cli_span_trim(list);
    while (list.length > 0) {
        struct cli_span item = cli_span_trim(cli_span_cut(&list, ','));

        if (*count == 3) {
            *count = 4;
            return true;
        }
        if (!cli_number_parse(item.at, item.length, &numbers[*count], error)) {
            return false;
        }
        ++*count;
    }
    return true;
}

static bool take_seed(struct cli_pattern *pattern, const struct cli_number *number, struct cli_error *error)
{
    if (!number->integral) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "the seed of rand must be an integer");
    }
    pattern->seed = cli_number_wrapped(number);
    return true;
}

static bool take_range(struct cli_pattern *pattern, const struct cli_number *low, const struct cli_number *high,
                       struct cli_error *error)
{
    if (!(low->real <= high->real) || isinf(low->real) || isinf(high->real)) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "rand(SEED,LO,HI) needs finite LO <= HI");
    }
    pattern->kind = CLI_RAND_RANGE;
    pattern->a = *low;
    pattern->b = *high;
    return true;
}

static bool take_numbers(const struct form *form, const struct cli_number n[3], unsigned count,
                         struct cli_pattern *pattern, struct cli_error *error)
{
    bool iota = cli_span_is(cli_span_of(form->word), "iota");

    if (count < form->least || count > form->most || (count == 1 && iota) || (count == 2 && form->kind == CLI_RAND)) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "wrong number of values in %s: expected %s", form->word, form->usage);
    }
    if (form->kind == CLI_RAND) {
        return take_seed(pattern, &n[0], error) && (count == 1 || take_range(pattern, &n[1], &n[2], error));
    }
    if (form->kind == CLI_MOD && (!n[0].integral || n[0].negative || n[0].magnitude == 0)) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "mod(M) needs an integer M of at least 1");
    }
    if (iota) {
        pattern->a = count == 2 ? n[1] : ONE;
        pattern->b = count == 2 ? n[0] : ZERO;
        return true;
    }
    pattern->a = n[0];
    pattern->b = count == 2 ? n[1] : ZERO;
    return true;
}

static bool take_source(const struct form *form, struct cli_span inside, const char *folder,
                        struct cli_pattern *pattern, struct cli_error *error)
{
    inside = cli_span_trim(inside);
    if (inside.length == 0) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "nothing in %s(): expected %s", form->word, form->usage);
    }
    pattern->source = form->kind == CLI_TEXT ? cli_span_copy(inside) : cli_path_join(folder, inside);
    return pattern->source != NULL || cli_fail_memory(error);
}

/* `text` without its last character, which must be the closing parenthesis. */
static bool inside_parentheses(struct cli_span text, struct cli_span *inside, struct cli_error *error)
{
    if (text.length == 0) {
        *inside = text;
        return true;
    }
    if (text.length < 2 || text.at[0] != '(' || text.at[text.length - 1] != ')') {
        return cli_fail(error, PTXEMU_BAD_INPUT, "expected '(...)' after the name of a pattern, found '%.*s'",
                        cli_span_shown(text), text.at);
    }
    *inside = (struct cli_span){text.at + 1, text.length - 2};
    return true;
}

static size_t word_length(struct cli_span text)
{
    size_t length = 0;

    while (length < text.length && (isalnum((unsigned char)text.at[length]) || text.at[length] == '_')) {
        length++;
    }
    return length;
}

static bool parse_number_pattern(struct cli_span text, struct cli_pattern *pattern, struct cli_error *error)
{
    struct cli_error ignored;

    pattern->kind = CLI_CONST;
    if (!cli_number_parse(text.at, text.length, &pattern->a, &ignored)) {
        return cli_fail(
            error, PTXEMU_BAD_INPUT,
            "'%.*s' is neither a number nor a pattern: expected a number, const(V), iota, iota(START,STEP), "
            "linear(A,B), mod(M), rand(SEED), rand(SEED,LO,HI), text(...), file(PATH) or npy(PATH)",
            cli_span_shown(text), text.at);
    }
    return true;
}

bool cli_pattern_parse(const char *text, size_t length, const char *folder, struct cli_pattern *pattern,
                       struct cli_error *error)
{
    struct cli_span all = cli_span_trim((struct cli_span){text, length}), inside = {0};
    struct cli_number numbers[3] = {0};
    unsigned count = 0;
    size_t word = word_length(all);
    const struct form *form = find_form((struct cli_span){all.at, word});

    *pattern = (struct cli_pattern){.kind = CLI_CONST};
    if (form == NULL) {
        return parse_number_pattern(all, pattern, error);
    }
    pattern->kind = form->kind;
    if (!inside_parentheses((struct cli_span){all.at + word, all.length - word}, &inside, error)) {
        return false;
    }
    if (form->most == 0) {
        return take_source(form, inside, folder, pattern, error);
    }
    return read_numbers(inside, numbers, &count, error) && take_numbers(form, numbers, count, pattern, error);
}

void cli_pattern_release(struct cli_pattern *pattern)
{
    free(pattern->source);
    pattern->source = NULL;
}

bool cli_pattern_is_data(const struct cli_pattern *pattern)
{
    return pattern->kind >= CLI_TEXT;
}

/* --- values ---------------------------------------------------------------------------------------------------------
 */

uint64_t cli_splitmix64(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* 53 random bits as a value of [0, 1). */
static double unit_interval(uint64_t random)
{
    return (double)(random >> 11) * 0x1p-53;
}

/* The number of values is 0 here when all 2^64 are asked for. */
static uint64_t integer_between(uint64_t low, uint64_t high, uint64_t random)
{
    uint64_t values = high - low + 1;

    return values == 0 ? random : low + random % values;
}

static uint64_t integer_at(const struct cli_pattern *pattern, uint64_t index)
{
    uint64_t a = cli_number_wrapped(&pattern->a), b = cli_number_wrapped(&pattern->b);

    switch (pattern->kind) {
    case CLI_LINEAR:
        return a * index + b;
    case CLI_MOD:
        return index % a;
    case CLI_RAND:
        return cli_splitmix64(pattern->seed, index);
    case CLI_RAND_RANGE:
        return integer_between(a, b, cli_splitmix64(pattern->seed, index));
    default:
        return a;
    }
}

static double real_at(const struct cli_pattern *pattern, uint64_t index)
{
    switch (pattern->kind) {
    case CLI_LINEAR:
        return pattern->a.real * (double)index + pattern->b.real;
    case CLI_MOD:
        return (double)(index % pattern->a.magnitude);
    case CLI_RAND:
        return unit_interval(cli_splitmix64(pattern->seed, index));
    case CLI_RAND_RANGE:
        return pattern->a.real +
               unit_interval(cli_splitmix64(pattern->seed, index)) * (pattern->b.real - pattern->a.real);
    default:
        return pattern->a.real;
    }
}

bool cli_pattern_check(const struct cli_pattern *pattern, const struct cli_type *type, struct cli_error *error)
{
    unsigned char unused[CLI_ELEMENT_BYTES];

    if (type->kind == CLI_FLOAT || pattern->kind == CLI_MOD || pattern->kind == CLI_RAND) {
        return true;
    }
    if (pattern->kind == CLI_CONST) {
        return cli_element_store(type, &pattern->a, unused, error);
    }
    if (pattern->kind == CLI_RAND_RANGE) {
        return cli_element_store(type, &pattern->a, unused, error) &&
               cli_element_store(type, &pattern->b, unused, error);
    }
    if (pattern->kind == CLI_LINEAR && (!pattern->a.integral || !pattern->b.integral)) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "a pattern of %s elements needs integers", type->name);
    }
    return true;
}

void cli_pattern_fill(const struct cli_pattern *pattern, const struct cli_type *type, uint64_t first, uint64_t count,
                      void *to)
{
    unsigned char *element = to;

    for (uint64_t i = first; i < first + count; i++, element += type->bytes) {
        if (type->kind == CLI_FLOAT) {
            cli_element_store_real(type, real_at(pattern, i), element);
        } else {
            cli_element_store_wrapped(type, integer_at(pattern, i), element);
        }
    }
}
