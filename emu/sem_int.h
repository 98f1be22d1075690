/*
 * Meanings of integer arithmetic.  One expression per operation, expanded for every type of its row in ir/ops.def.
 *
 * In an expression, T is the type, M the unsigned type to compute in modulo its size, W a type that holds any
 * product, and BITS the width of T.  Results are truncated to T.  Nothing here is undefined: wrapping happens in M.
 */
#ifndef EMU_SEM_INT_H
#define EMU_SEM_INT_H

#include "sem_env.h"

#define SEM_INT_TYPES(t)                         \
    typedef sem_t_##t T __attribute__((unused)); \
    typedef sem_m_##t M __attribute__((unused)); \
    typedef sem_w_##t W __attribute__((unused)); \
    enum { BITS = 8 * sizeof(T) };

/* SEM_INTn(op, type, expression): n operands of one type, result of that type. */
#define SEM_INT1(op, t, expr)                 \
    SEM sem_t_##t sem_##op##_##t(sem_t_##t a) \
    {                                         \
        SEM_INT_TYPES(t)                      \
        return (T)(expr);                     \
    }
#define SEM_INT2(op, t, expr)                              \
    SEM sem_t_##t sem_##op##_##t(sem_t_##t a, sem_t_##t b) \
    {                                                      \
        SEM_INT_TYPES(t)                                   \
        return (T)(expr);                                  \
    }
#define SEM_INT3(op, t, expr)                                           \
    SEM sem_t_##t sem_##op##_##t(sem_t_##t a, sem_t_##t b, sem_t_##t c) \
    {                                                                   \
        SEM_INT_TYPES(t)                                                \
        return (T)(expr);                                               \
    }
/* The same expression for a list of types. */
#define SEM_SIGNED(make, op, expr)   make(op, s16, expr) make(op, s32, expr) make(op, s64, expr)
#define SEM_UNSIGNED(make, op, expr) make(op, u16, expr) make(op, u32, expr) make(op, u64, expr)
#define SEM_INT32(make, op, expr)    make(op, u32, expr) make(op, s32, expr)
#define SEM_INT(make, op, expr)      SEM_UNSIGNED(make, op, expr) SEM_SIGNED(make, op, expr)

SEM int32_t sem_clamp_s32(int64_t x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x;
}

SEM int32_t sem_relu_s32(int32_t x)
{
    return x > 0 ? x : 0;
}

/* clang-format off */
SEM_INT(SEM_INT2, add, (M)a + (M)b)
SEM_INT(SEM_INT2, sub, (M)a - (M)b)
SEM_INT(SEM_INT2, mul_lo, (M)a * (M)b)
SEM_INT(SEM_INT2, mul_hi, (W)a * (W)b >> BITS)
SEM_INT(SEM_INT3, mad_lo, (M)a * (M)b + (M)c)
SEM_INT(SEM_INT3, mad_hi, (M)((W)a * (W)b >> BITS) + (M)c)
SEM_INT(SEM_INT3, sad, (M)c + (a < b ? (M)b - (M)a : (M)a - (M)b))
SEM_INT(SEM_INT2, min, a < b ? a : b)
SEM_INT(SEM_INT2, max, a > b ? a : b)
SEM_SIGNED(SEM_INT1, abs, a < 0 ? 0 - (M)a : (M)a)
SEM_SIGNED(SEM_INT1, neg, 0 - (M)a)

SEM_INT2(add_sat, s32, sem_clamp_s32((W)a + b))
SEM_INT2(sub_sat, s32, sem_clamp_s32((W)a - b))
SEM_INT3(mad_hi_sat, s32, sem_clamp_s32(((W)a * b >> BITS) + c))
SEM_INT2(min_relu, s16, sem_relu_s32(sem_min_s16(a, b)))
SEM_INT2(max_relu, s16, sem_relu_s32(sem_max_s16(a, b)))
SEM_INT2(min_relu, s32, sem_relu_s32(sem_min_s32(a, b)))
SEM_INT2(max_relu, s32, sem_relu_s32(sem_max_s32(a, b)))
/* clang-format on */

/* Products twice as wide as their operands. */
#define SEM_WIDE(t, wide)                                                       \
    SEM sem_t_##wide sem_mul_wide_##t(sem_t_##t a, sem_t_##t b)                 \
    {                                                                           \
        return (sem_t_##wide)((sem_t_##wide)a * (sem_t_##wide)b);               \
    }                                                                           \
    SEM sem_t_##wide sem_mad_wide_##t(sem_t_##t a, sem_t_##t b, sem_t_##wide c) \
    {                                                                           \
        return sem_add_##wide(sem_mul_wide_##t(a, b), c);                       \
    }
SEM_WIDE(u16, u32)
SEM_WIDE(s16, s32)
SEM_WIDE(u32, u64)
SEM_WIDE(s32, s64)

/* The product of the low 24 bits of each operand, 48 bits wide. */
SEM uint64_t sem_product24_u32(uint32_t a, uint32_t b)
{
    return (uint64_t)(a & 0xffffff) * (b & 0xffffff);
}

SEM int64_t sem_product24_s32(int32_t a, int32_t b)
{
    return (int64_t)((int32_t)((uint32_t)a << 8) >> 8) * ((int32_t)((uint32_t)b << 8) >> 8);
}

/* clang-format off */
#define SEM_MUL24(t)                                                                                                   \
    SEM_INT2(mul24_lo, t, sem_product24_##t(a, b))                                                                     \
    SEM_INT2(mul24_hi, t, sem_product24_##t(a, b) >> 16)                                                               \
    SEM_INT3(mad24_lo, t, (M)sem_product24_##t(a, b) + (M)c)                                                           \
    SEM_INT3(mad24_hi, t, (M)(sem_product24_##t(a, b) >> 16) + (M)c)
SEM_MUL24(u32)
SEM_MUL24(s32)
SEM_INT3(mad24_hi_sat, s32, sem_clamp_s32((int64_t)(T)(sem_product24_s32(a, b) >> 16) + c))
/* clang-format on */

/*
 * Quotients.  x / 0 and x % 0 are all ones; MIN / -1 wraps to MIN, with remainder 0.
 *
 * Narrow types divide in floating point, which vectorises.  It is exact in every rounding mode: a quotient q of
 * integers below 2^n that is no integer lies at least q * 2^-n away from the nearest one, far more than the
 * rounding error of a format with at least n + 2 significant bits (float for 16, double for 32).
 */
#define SEM_DIVIDE(t, divisor_is_special, special_quotient, quotient)             \
    SEM sem_t_##t sem_div_##t(sem_t_##t a, sem_t_##t b)                           \
    {                                                                             \
        SEM_INT_TYPES(t)                                                          \
        T safe = (divisor_is_special) ? (T)1 : b;                                 \
        T q = (T)(quotient);                                                      \
        return b == 0 ? (T)-1 : (divisor_is_special) ? (T)(special_quotient) : q; \
    }                                                                             \
    SEM sem_t_##t sem_rem_##t(sem_t_##t a, sem_t_##t b)                           \
    {                                                                             \
        SEM_INT_TYPES(t)                                                          \
        T r = (T)((M)a - (M)sem_div_##t(a, b) * (M)b);                            \
        return b == 0 ? (T)-1 : r;                                                \
    }
SEM_DIVIDE(u16, b == 0, 0, (uint32_t)(int32_t)((float)a / (float)safe))
SEM_DIVIDE(s16, b == 0 || b == -1, 0 - (M)a, (int32_t)((float)a / (float)safe))
SEM_DIVIDE(u32, b == 0, 0, (double)a / (double)safe)
SEM_DIVIDE(s32, b == 0 || b == -1, 0 - (M)a, (double)a / (double)safe)
SEM_DIVIDE(u64, b == 0, 0, a / safe)
SEM_DIVIDE(s64, b == 0 || b == -1, 0 - (M)a, a / safe)

SEM_X2_2(add, u16x2, u16)
SEM_X2_2(add, s16x2, s16)
SEM_X2_2(min, u16x2, u16)
SEM_X2_2(min, s16x2, s16)
SEM_X2_2(max, u16x2, u16)
SEM_X2_2(max, s16x2, s16)
SEM_X2_2(min_relu, s16x2, s16)
SEM_X2_2(max_relu, s16x2, s16)

/*
 * Dot products.  The signedness of a and b is independent of the result's, which wraps either way: bit 0 of
 * `is_signed` is set if the parts of a are signed, bit 1 if those of b are.
 */
SEM uint32_t sem_part8(uint32_t x, unsigned index, unsigned is_signed)
{
    uint32_t byte = x >> (8 * index) & 0xff;

    return is_signed ? (byte ^ 0x80) - 0x80 : byte;
}

SEM uint32_t sem_part16(uint32_t x, unsigned index, unsigned is_signed)
{
    uint32_t half = x >> (16 * index) & 0xffff;

    return is_signed ? (half ^ 0x8000) - 0x8000 : half;
}

SEM uint32_t sem_dp4a_u32(uint32_t a, uint32_t b, uint32_t c, unsigned is_signed)
{
    for (unsigned i = 0; i < 4; i++) {
        c += sem_part8(a, i, is_signed & 1) * sem_part8(b, i, is_signed & 2);
    }
    return c;
}

/* Two halves of a with two bytes of b, starting at byte `first`. */
SEM uint32_t sem_dp2a(uint32_t a, uint32_t b, uint32_t c, unsigned is_signed, unsigned first)
{
    for (unsigned i = 0; i < 2; i++) {
        c += sem_part16(a, i, is_signed & 1) * sem_part8(b, first + i, is_signed & 2);
    }
    return c;
}

SEM uint32_t sem_dp2a_lo_u32(uint32_t a, uint32_t b, uint32_t c, unsigned is_signed)
{
    return sem_dp2a(a, b, c, is_signed, 0);
}

SEM uint32_t sem_dp2a_hi_u32(uint32_t a, uint32_t b, uint32_t c, unsigned is_signed)
{
    return sem_dp2a(a, b, c, is_signed, 2);
}

#define SEM_DOT_SIGNED(op)                                                                \
    SEM int32_t sem_##op##_s32(int32_t a, int32_t b, int32_t c, unsigned is_signed)       \
    {                                                                                     \
        return (int32_t)sem_##op##_u32((uint32_t)a, (uint32_t)b, (uint32_t)c, is_signed); \
    }
SEM_DOT_SIGNED(dp4a)
SEM_DOT_SIGNED(dp2a_lo)
SEM_DOT_SIGNED(dp2a_hi)

#endif
