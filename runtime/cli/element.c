/*
 * Scalar types and single values.  Invariant: storing a value and reading it back never touches more than the type's
 * bytes, and only little-endian hosts are supported (as everywhere in the project).
 */
#include "runtime/cli/element.h"
#include "runtime/cli/smallfloat.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct cli_type TYPES[] = {
    {"u8", CLI_UNSIGNED, 1}, {"u16", CLI_UNSIGNED, 2}, {"u32", CLI_UNSIGNED, 4}, {"u64", CLI_UNSIGNED, 8},
    {"s8", CLI_SIGNED, 1},   {"s16", CLI_SIGNED, 2},   {"s32", CLI_SIGNED, 4},   {"s64", CLI_SIGNED, 8},
    {"b8", CLI_BITS, 1},     {"b16", CLI_BITS, 2},     {"b32", CLI_BITS, 4},     {"b64", CLI_BITS, 8},
    {"f16", CLI_FLOAT, 2},   {"bf16", CLI_FLOAT, 2},   {"f32", CLI_FLOAT, 4},    {"f64", CLI_FLOAT, 8},
};

const struct cli_type *cli_type_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof TYPES / sizeof TYPES[0]; i++) {
        if (strlen(TYPES[i].name) == length && memcmp(TYPES[i].name, name, length) == 0) {
            return &TYPES[i];
        }
    }
    return NULL;
}

const struct cli_type *cli_type_named(const char *name)
{
    return name == NULL ? NULL : cli_type_find(name, strlen(name));
}

/* The two 16-bit formats have the same size; the exponent width tells them apart. */
static const struct cli_small_float *small_float(const struct cli_type *type)
{
    return type->name[0] == 'b' ? &CLI_BFLOAT16 : &CLI_FLOAT16;
}

static uint64_t largest(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static bool fits(const struct cli_type *type, const struct cli_number *number)
{
    unsigned bits = type->bytes * 8;

    if (!number->integral) {
        return false;
    }
    if (number->negative) {
        return type->kind != CLI_UNSIGNED && number->magnitude <= UINT64_C(1) << (bits - 1);
    }
    return number->magnitude <= largest(type->kind == CLI_SIGNED ? bits - 1 : bits);
}

uint64_t cli_number_wrapped(const struct cli_number *number)
{
    return number->negative ? -number->magnitude : number->magnitude;
}

bool cli_element_store(const struct cli_type *type, const struct cli_number *number, void *to, struct cli_error *error)
{
    if (type->kind == CLI_FLOAT) {
        cli_element_store_real(type, number->real, to);
        return true;
    }
    if (!number->integral) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "%.9g is not an integer of 64 bits; %s holds integers", number->real,
                        type->name);
    }
    if (!fits(type, number)) {
        return cli_fail(error, PTXEMU_BAD_INPUT, "%s%" PRIu64 " does not fit in %s", number->negative ? "-" : "",
                        number->magnitude, type->name);
    }
    cli_element_store_wrapped(type, cli_number_wrapped(number), to);
    return true;
}

void cli_element_store_wrapped(const struct cli_type *type, uint64_t value, void *to)
{
    /* Sizes the compiler knows: large buffers are filled through here. */
    switch (type->bytes) {
    case 1:
        memcpy(to, &value, 1);
        break;
    case 2:
        memcpy(to, &value, 2);
        break;
    case 4:
        memcpy(to, &value, 4);
        break;
    default:
        memcpy(to, &value, 8);
    }
}

void cli_element_store_real(const struct cli_type *type, double value, void *to)
{
    float single = (float)value;

    switch (type->bytes) {
    case 8:
        memcpy(to, &value, sizeof value);
        break;
    case 4:
        memcpy(to, &single, sizeof single);
        break;
    default:
        cli_element_store_wrapped(type, cli_small_float_encode(small_float(type), value), to);
    }
}

uint64_t cli_element_bits(const struct cli_type *type, const void *from)
{
    uint64_t value = 0;

    memcpy(&value, from, type->bytes);
    if (type->kind == CLI_SIGNED) {
        uint64_t sign = UINT64_C(1) << (type->bytes * 8 - 1);

        value = (value ^ sign) - sign;
    }
    return value;
}

static double float_value(const struct cli_type *type, const void *from)
{
    double value;
    float single;

    switch (type->bytes) {
    case 8:
        memcpy(&value, from, sizeof value);
        return value;
    case 4:
        memcpy(&single, from, sizeof single);
        return (double)single;
    default:
        return cli_small_float_decode(small_float(type), (uint16_t)cli_element_bits(type, from));
    }
}

double cli_element_real(const struct cli_type *type, const void *from)
{
    switch (type->kind) {
    case CLI_FLOAT:
        return float_value(type, from);
    case CLI_SIGNED:
        return (double)(int64_t)cli_element_bits(type, from);
    default:
        return (double)cli_element_bits(type, from);
    }
}

static int significant_digits(const struct cli_type *type)
{
    switch (type->bytes) {
    case 8:
        return 17;
    case 4:
        return 9;
    default:
        return 5;
    }
}

void cli_element_format(const struct cli_type *type, const void *from, char text[CLI_ELEMENT_TEXT])
{
    double value;

    switch (type->kind) {
    case CLI_FLOAT:
        value = float_value(type, from);
        /* The sign of a NaN says nothing and differs between hosts. */
        snprintf(text, CLI_ELEMENT_TEXT, "%.*g", significant_digits(type), isnan(value) ? (double)NAN : value);
        break;
    case CLI_SIGNED:
        snprintf(text, CLI_ELEMENT_TEXT, "%" PRId64, (int64_t)cli_element_bits(type, from));
        break;
    default:
        snprintf(text, CLI_ELEMENT_TEXT, "%" PRIu64, cli_element_bits(type, from));
    }
}
