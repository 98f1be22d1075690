/*
 * 16-bit floating point on hosts whose compiler has no type for it: one conversion routine for both formats.
 */
#ifndef RUNTIME_CLI_SMALLFLOAT_H
#define RUNTIME_CLI_SMALLFLOAT_H

#include <stdint.h>

struct cli_small_float {
    int exponent_bits;
    int fraction_bits; /* sign, exponent and fraction make 16 bits */
};

extern const struct cli_small_float CLI_FLOAT16, CLI_BFLOAT16;

/* Round to nearest even; overflow gives infinity, every NaN the quiet one. */
uint16_t cli_small_float_encode(const struct cli_small_float *format, double value);
double cli_small_float_decode(const struct cli_small_float *format, uint16_t bits);

#endif
