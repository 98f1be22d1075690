/*
 * 16-bit floating point.  Invariant: decode is exact, and encode(decode(x)) == x for every x that is not a NaN.
 */
#include "runtime/cli/smallfloat.h"

#include <math.h>

const struct cli_small_float CLI_FLOAT16 = {.exponent_bits = 5, .fraction_bits = 10};
const struct cli_small_float CLI_BFLOAT16 = {.exponent_bits = 8, .fraction_bits = 7};

static int bias(const struct cli_small_float *format)
{
    return (1 << (format->exponent_bits - 1)) - 1;
}

static unsigned infinity_bits(const struct cli_small_float *format)
{
    return ((1u << format->exponent_bits) - 1) << format->fraction_bits;
}

uint16_t cli_small_float_encode(const struct cli_small_float *format, double value)
{
    unsigned sign = signbit(value) ? 0x8000u : 0;
    int exponent;

    if (isnan(value)) {
        return 0x7fff;
    }
    value = fabs(value);
    if (isinf(value)) {
        return (uint16_t)(sign | infinity_bits(format));
    }
    frexp(value, &exponent);
    /* The weight of the last fraction bit; denormals share the smallest normal's. */
    int unit = exponent - 1 - format->fraction_bits;
    int least = 1 - bias(format) - format->fraction_bits;

    if (unit < least || value == 0) {
        unit = least;
    }
    /*
     * nearbyint rounds half to even.  `steps` includes the hidden bit of a normal number, so adding it to the exponent
     * field below it carries into the exponent exactly when rounding does.
     */
    double steps = nearbyint(ldexp(value, -unit));
    unsigned long bits = (unsigned long)steps + ((unsigned long)(unit - least) << format->fraction_bits);

    if (bits > infinity_bits(format)) {
        bits = infinity_bits(format);
    }
    return (uint16_t)(sign | bits);
}

double cli_small_float_decode(const struct cli_small_float *format, uint16_t bits)
{
    unsigned fraction = bits & ((1u << format->fraction_bits) - 1);
    unsigned exponent = ((unsigned)bits >> format->fraction_bits) & ((1u << format->exponent_bits) - 1);
    double magnitude;

    if ((bits & 0x7fff) > infinity_bits(format)) {
        return (double)NAN;
    }
    if ((bits & 0x7fff) == infinity_bits(format)) {
        magnitude = (double)INFINITY;
    } else if (exponent == 0) {
        magnitude = ldexp(fraction, 1 - bias(format) - format->fraction_bits);
    } else {
        magnitude =
            ldexp(fraction + (1u << format->fraction_bits), (int)exponent - bias(format) - format->fraction_bits);
    }
    return bits & 0x8000 ? -magnitude : magnitude;
}
