/*
 * Bit patterns of doubles: immediates travel as bits, constant expressions compute with values.
 */
#ifndef FRONTEND_BITS_H
#define FRONTEND_BITS_H

#include <stdint.h>
#include <string.h>

static inline double ptx_double_of_bits(uint64_t bits)
{
    double d;

    memcpy(&d, &bits, sizeof d);
    return d;
}

static inline uint64_t ptx_bits_of_double(double d)
{
    uint64_t bits;

    memcpy(&bits, &d, sizeof bits);
    return bits;
}

#endif
