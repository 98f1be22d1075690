/*
 * Elements: the scalar types that arguments, buffers and expectations are made of, and single values of them in memory.
 * Knows nothing of how values are generated or where they come from.
 */
#ifndef RUNTIME_CLI_ELEMENT_H
#define RUNTIME_CLI_ELEMENT_H

#include "runtime/cli/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cli_kind { CLI_UNSIGNED, CLI_SIGNED, CLI_BITS, CLI_FLOAT };

struct cli_type {
    char name[8];
    enum cli_kind kind;
    unsigned bytes;
};

enum { CLI_ELEMENT_BYTES = 8, CLI_ELEMENT_TEXT = 40 };

/* The type called `name` (`length` bytes of it): u8..u64, s8..s64, b8..b64, f16, bf16, f32, f64; NULL: none. */
const struct cli_type *cli_type_find(const char *name, size_t length);
const struct cli_type *cli_type_named(const char *name);

/* A number as written.  Integers keep all 64 bits; `real` is always usable as an approximation. */
struct cli_number {
    bool integral; /* written as, or equal to, an integer of at most 64 bits: magnitude is exact */
    bool negative;
    uint64_t magnitude; /* absolute value, 0 unless integral */
    double real;
};

/*
 * Decimal, 0x hexadecimal, 0b binary, decimal or hexadecimal floating point, inf, nan, and PTX's 0fXXXXXXXX and
 * 0dXXXXXXXXXXXXXXXX.
 */
bool cli_number_parse(const char *text, size_t length, struct cli_number *number, struct cli_error *error);
/* The value modulo 2^64, for arithmetic that wraps. */
uint64_t cli_number_wrapped(const struct cli_number *number);

/* Write `number` as one element; fails when an integer type cannot hold it.  Floats round to nearest even. */
bool cli_element_store(const struct cli_type *type, const struct cli_number *number, void *to, struct cli_error *error);
/* As the hardware would: keep the low bits. */
void cli_element_store_wrapped(const struct cli_type *type, uint64_t value, void *to);
/* Of a float type only. */
void cli_element_store_real(const struct cli_type *type, double value, void *to);

/* The element's value; 64-bit integers are rounded. */
double cli_element_real(const struct cli_type *type, const void *from);
/* The element's bits, sign-extended for signed types. */
uint64_t cli_element_bits(const struct cli_type *type, const void *from);

/* Integers in decimal, f32 with 9 significant digits, f64 with 17: enough to read the same value back. */
void cli_element_format(const struct cli_type *type, const void *from, char text[CLI_ELEMENT_TEXT]);

#endif
