/*
 * Reading numbers as people write them.  Invariant: a number is accepted only if all of its text was understood.
 */
#include "runtime/cli/element.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 400 }; /* more digits than any double has; longer text is refused */

/* Digits of `base` up to the end of the text; false when another character or overflow is met. */
static bool read_digits(const char *text, unsigned base, uint64_t *value)
{
    uint64_t total = 0;

    if (*text == '\0') {
        return false;
    }
    for (; *text != '\0'; text++) {
        unsigned digit = isdigit((unsigned char)*text)    ? (unsigned)(*text - '0')
                         : isxdigit((unsigned char)*text) ? (unsigned)(tolower((unsigned char)*text) - 'a' + 10)
                                                          : base;

        if (digit >= base || __builtin_mul_overflow(total, (uint64_t)base, &total) ||
            __builtin_add_overflow(total, (uint64_t)digit, &total)) {
            return false;
        }
    }
    *value = total;
    return true;
}

static bool read_integer(const char *text, uint64_t *value)
{
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        return read_digits(text + 2, 16, value);
    }
    if (text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
        return read_digits(text + 2, 2, value);
    }
    return read_digits(text, 10, value);
}

/* PTX spells floats by their bits: 0f3F800000 is 1.0. */
static bool read_float_bits(const char *text, double *value)
{
    bool single = text[0] == '0' && (text[1] == 'f' || text[1] == 'F') && strlen(text) == 10;
    bool twice = text[0] == '0' && (text[1] == 'd' || text[1] == 'D') && strlen(text) == 18;
    uint64_t bits;

    if ((!single && !twice) || !read_digits(text + 2, 16, &bits)) {
        return false;
    }
    if (twice) {
        memcpy(value, &bits, sizeof *value);
        return true;
    }
    uint32_t low = (uint32_t)bits;
    float narrow;

    memcpy(&narrow, &low, sizeof narrow);
    *value = (double)narrow;
    return true;
}

static bool read_real(const char *text, double *value)
{
    char *end;

    /* strtod would also take spaces, a second sign and nan(...). */
    if (!isdigit((unsigned char)*text) && *text != '.' && strcasecmp(text, "inf") != 0 &&
        strcasecmp(text, "infinity") != 0 && strcasecmp(text, "nan") != 0) {
        return false;
    }
    *value = strtod(text, &end);
    return *end == '\0';
}

static void set_integer(struct cli_number *number, uint64_t magnitude)
{
    number->integral = true;
    number->magnitude = magnitude;
    number->real = (double)magnitude;
}

/* 1e3 and 4.0 are integers, too. */
static void set_real(struct cli_number *number, double magnitude)
{
    number->real = magnitude;
    number->integral = magnitude >= 0 && magnitude < 0x1p64 && floor(magnitude) == magnitude;
    number->magnitude = number->integral ? (uint64_t)magnitude : 0;
}

bool cli_number_parse(const char *text, size_t length, struct cli_number *number, struct cli_error *error)
{
    char copy[LONGEST_NUMBER + 1];
    const char *digits = copy;
    uint64_t magnitude;
    double real;

    if (length > LONGEST_NUMBER || memchr(text, '\0', length) != NULL) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%.20s...' is not a number", text);
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    *number = (struct cli_number){.negative = copy[0] == '-'};
    digits += copy[0] == '-' || copy[0] == '+';
    if (read_integer(digits, &magnitude)) {
        set_integer(number, magnitude);
    } else if (read_float_bits(digits, &real) || read_real(digits, &real)) {
        number->negative ^= signbit(real) != 0;
        set_real(number, fabs(real));
    } else {
        return cli_fail(error, PTXEMU_BAD_INPUT, "'%s' is not a number", copy);
    }
    if (number->negative) {
        number->real = -number->real;
    }
    return true;
}
