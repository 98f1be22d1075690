/*
 * Values of a GPU description: whole numbers with units, lists, versions and names.
 *
 * Invariant: nothing is stored unless all of the text was understood and every number is in range.
 */
#include "emu/spec_value.h"

#include <ctype.h>
#include <string.h>

struct unit {
    const char *name;
    uint64_t factor; /* in the unit the member is kept in */
};

static const struct unit byte_units[] = {{"", 1}, {"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {0}};
static const struct unit clock_units[] = {{"kHz", 1}, {"MHz", 1000}, {"GHz", 1000000}, {0}};
static const struct unit no_units[] = {{"", 1}, {0}};

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t') {
        at++;
    }
    return at;
}

/* A whole number in decimal; NULL when there is none or it does not fit, else what follows it. */
static const char *read_number(const char *at, uint64_t *number)
{
    uint64_t value = 0;

    if (!isdigit((unsigned char)*at)) {
        return NULL;
    }
    for (; isdigit((unsigned char)*at); at++) {
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value)) {
            return NULL;
        }
    }
    *number = value;
    return at;
}

/* A number with one of the units, and nothing after it. */
static bool read_quantity(const char *text, const struct unit *units, uint64_t *value)
{
    uint64_t number;
    const char *at = read_number(text, &number);

    if (!at) {
        return false;
    }
    at = skip_blanks(at);
    for (const struct unit *u = units; u->name; u++) {
        if (strcmp(at, u->name) == 0) {
            return !__builtin_mul_overflow(number, u->factor, value);
        }
    }
    return false;
}

/* `count` numbers with `separator` between them, and nothing after them. */
static bool read_list(const char *text, char separator, size_t count, uint64_t *values)
{
    const char *at = text;

    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            at = skip_blanks(at);
            if (*at++ != separator) {
                return false;
            }
        }
        at = read_number(skip_blanks(at), &values[i]);
        if (!at) {
            return false;
        }
    }
    return *at == '\0';
}

/* Read the numbers of a value; *count is how many of them must be in range, and how many are stored when all are. */
static bool read_numbers(enum spec_kind kind, const char *text, uint64_t values[3], size_t *count)
{
    *count = kind == SPEC_COUNT3 || kind == SPEC_LARGE3 ? 3 : 1;
    switch (kind) {
    case SPEC_COUNT:
        return read_quantity(text, no_units, values);
    case SPEC_BYTES:
        return read_quantity(text, byte_units, values);
    case SPEC_CLOCK:
        return read_quantity(text, clock_units, values);
    case SPEC_VERSION:
        return read_list(text, '.', 2, values) && values[1] < 10;
    case SPEC_COUNT3:
    case SPEC_LARGE3:
        return read_list(text, ',', 3, values);
    case SPEC_TEXT:
        break;
    }
    return false;
}

static void store_numbers(enum spec_kind kind, const uint64_t values[3], void *member)
{
    unsigned narrow[3] = {(unsigned)values[0], (unsigned)values[1], (unsigned)values[2]};

    switch (kind) {
    case SPEC_COUNT:
    case SPEC_CLOCK:
        memcpy(member, narrow, sizeof(unsigned));
        break;
    case SPEC_VERSION:
        memcpy(member, narrow, 2 * sizeof(unsigned));
        break;
    case SPEC_COUNT3:
        memcpy(member, narrow, 3 * sizeof(unsigned));
        break;
    case SPEC_BYTES:
        memcpy(member, values, sizeof(uint64_t));
        break;
    case SPEC_LARGE3:
        memcpy(member, values, 3 * sizeof(uint64_t));
        break;
    case SPEC_TEXT:
        break;
    }
}

/* Printable ASCII that needs no escape in C or in a terminal. */
static bool is_plain_text(const char *text)
{
    for (; *text; text++) {
        if (*text < ' ' || *text > '~' || *text == '"' || *text == '\\') {
            return false;
        }
    }
    return true;
}

static enum spec_value_status store_text(const struct spec_field *field, const char *text, char *member)
{
    size_t length = strlen(text);

    if (length == 0 || !is_plain_text(text)) {
        return SPEC_VALUE_MALFORMED;
    }
    if (length >= field->size) {
        return SPEC_VALUE_OUT_OF_RANGE;
    }
    memset(member, 0, field->size);
    memcpy(member, text, length);
    return SPEC_VALUE_OK;
}

enum spec_value_status spec_value_store(const struct spec_field *field, const char *text, struct emu_spec *out)
{
    char *member = (char *)out + field->offset;
    uint64_t values[3] = {0};
    size_t count;

    if (field->kind == SPEC_TEXT) {
        return store_text(field, text, member);
    }
    if (!read_numbers(field->kind, text, values, &count)) {
        return SPEC_VALUE_MALFORMED;
    }
    for (size_t i = 0; i < count; i++) {
        if (values[i] < field->least || values[i] > field->most) {
            return SPEC_VALUE_OUT_OF_RANGE;
        }
    }
    store_numbers(field->kind, values, member);
    return SPEC_VALUE_OK;
}

const char *spec_value_form(enum spec_kind kind)
{
    switch (kind) {
    case SPEC_TEXT:
        return "a text in plain ASCII";
    case SPEC_VERSION:
        return "a version such as '9.0'";
    case SPEC_COUNT:
        return "a whole number";
    case SPEC_COUNT3:
    case SPEC_LARGE3:
        return "three whole numbers such as '1024, 1024, 64'";
    case SPEC_BYTES:
        return "a size such as '228 KiB'";
    case SPEC_CLOCK:
        return "a frequency such as '1980 MHz'";
    }
    return "";
}
