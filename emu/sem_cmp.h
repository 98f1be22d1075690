/*
 * Meanings of comparisons and classifications: sem_cmp_<type>(a, b, cmp) of setp and set, sem_testp_<type>(a,
 * class).
 *
 * Invariant: `cmp` is constant where speed matters, so each switch folds to one comparison.  Comparisons that a
 * type does not have are never asked for (the frontend refuses them); they answer false.
 */
#ifndef EMU_SEM_CMP_H
#define EMU_SEM_CMP_H

#include "sem_narrow.h"

#define SEM_CMP_INT(t, u)                                        \
    SEM bool sem_cmp_##t(sem_t_##t a, sem_t_##t b, unsigned cmp) \
    {                                                            \
        switch (cmp) {                                           \
        case CMP_EQ:                                             \
            return a == b;                                       \
        case CMP_NE:                                             \
            return a != b;                                       \
        case CMP_LT:                                             \
            return a < b;                                        \
        case CMP_LE:                                             \
            return a <= b;                                       \
        case CMP_GT:                                             \
            return a > b;                                        \
        case CMP_GE:                                             \
            return a >= b;                                       \
        case CMP_LO:                                             \
            return (sem_t_##u)a < (sem_t_##u)b;                  \
        case CMP_LS:                                             \
            return (sem_t_##u)a <= (sem_t_##u)b;                 \
        case CMP_HI:                                             \
            return (sem_t_##u)a > (sem_t_##u)b;                  \
        case CMP_HS:                                             \
            return (sem_t_##u)a >= (sem_t_##u)b;                 \
        default:                                                 \
            return false;                                        \
        }                                                        \
    }
SEM_CMP_INT(u16, u16)
SEM_CMP_INT(u32, u32)
SEM_CMP_INT(u64, u64)
SEM_CMP_INT(s16, u16)
SEM_CMP_INT(s32, u32)
SEM_CMP_INT(s64, u64)
SEM_CMP_INT(b16, u16)
SEM_CMP_INT(b32, u32)
SEM_CMP_INT(b64, u64)

/* The ordered comparisons are false and the ...u ones true for NaN, as C's operators and their negations are. */
#define SEM_CMP_FLOAT(t)                                              \
    SEM bool sem_ordering_##t(sem_t_##t a, sem_t_##t b, unsigned cmp) \
    {                                                                 \
        switch (cmp) {                                                \
        case CMP_EQ:                                                  \
            return a == b;                                            \
        case CMP_NE:                                                  \
            return __builtin_islessgreater(a, b);                     \
        case CMP_LT:                                                  \
            return a < b;                                             \
        case CMP_LE:                                                  \
            return a <= b;                                            \
        case CMP_GT:                                                  \
            return a > b;                                             \
        case CMP_GE:                                                  \
            return a >= b;                                            \
        case CMP_EQU:                                                 \
            return !__builtin_islessgreater(a, b);                    \
        case CMP_NEU:                                                 \
            return a != b;                                            \
        case CMP_LTU:                                                 \
            return !(a >= b);                                         \
        case CMP_LEU:                                                 \
            return !(a > b);                                          \
        case CMP_GTU:                                                 \
            return !(a <= b);                                         \
        case CMP_GEU:                                                 \
            return !(a < b);                                          \
        case CMP_NUM:                                                 \
            return !__builtin_isunordered(a, b);                      \
        case CMP_NAN_:                                                \
            return __builtin_isunordered(a, b);                       \
        default:                                                      \
            return false;                                             \
        }                                                             \
    }
SEM_CMP_FLOAT(f32)
SEM_CMP_FLOAT(f64)

SEM bool sem_cmp_f32(float a, float b, unsigned cmp, unsigned env)
{
    return sem_ordering_f32(sem_input_f32(a, env), sem_input_f32(b, env), cmp);
}

SEM bool sem_cmp_f64(double a, double b, unsigned cmp, unsigned env)
{
    (void)env;
    return sem_ordering_f64(a, b, cmp);
}

/* Widening is exact, NaN included. */
SEM bool sem_cmp_f16(uint16_t a, uint16_t b, unsigned cmp, unsigned env)
{
    return sem_ordering_f32(sem_f16_to_f32(sem_input_f16(a, env)), sem_f16_to_f32(sem_input_f16(b, env)), cmp);
}

SEM bool sem_cmp_bf16(uint16_t a, uint16_t b, unsigned cmp, unsigned env)
{
    (void)env;
    return sem_ordering_f32(sem_bf16_to_f32(a), sem_bf16_to_f32(b), cmp);
}

/* testp.  As on the GPU, zero is normal. */
SEM bool sem_class_bits(uint64_t magnitude, uint64_t normal, uint64_t infinity, unsigned class)
{
    switch (class) {
    case CLASS_FINITE:
        return magnitude < infinity;
    case CLASS_INFINITE:
        return magnitude == infinity;
    case CLASS_NUMBER:
        return magnitude <= infinity;
    case CLASS_NOTANUMBER:
        return magnitude > infinity;
    case CLASS_NORMAL:
        return magnitude == 0 || (magnitude >= normal && magnitude < infinity);
    default:
        return magnitude != 0 && magnitude < normal;
    }
}

SEM bool sem_testp_f32(float a, unsigned class)
{
    return sem_class_bits(sem_bits_f32(a) & ~SEM_SIGN_F32, 0x00800000, SEM_INF_F32, class);
}

SEM bool sem_testp_f64(double a, unsigned class)
{
    return sem_class_bits(sem_bits_f64(a) & ~SEM_SIGN_F64, 0x0010000000000000, SEM_INF_F64, class);
}

#endif
