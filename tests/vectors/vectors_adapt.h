/* Adapters from records of 64-bit words to typed functions, made by macros: VEC_n(op, function, type) for n operands.
 */
#ifndef TESTS_VECTORS_ADAPT_H
#define TESTS_VECTORS_ADAPT_H

#include "sem.h"
#include "vectors.h"

/* Word to value and back, for each type word.  Signed results are extended, as in registers wider than the type. */
#define VEC_INTEGER(t)                              \
    static inline sem_t_##t vec_get_##t(uint64_t x) \
    {                                               \
        return (sem_t_##t)x;                        \
    }                                               \
    static inline uint64_t vec_put_##t(sem_t_##t x) \
    {                                               \
        return (uint64_t)x;                         \
    }
VEC_INTEGER(u8)
VEC_INTEGER(u16)
VEC_INTEGER(u32)
VEC_INTEGER(u64)
VEC_INTEGER(s8)
VEC_INTEGER(s16)
VEC_INTEGER(s32)
VEC_INTEGER(s64)
VEC_INTEGER(b16)
VEC_INTEGER(b32)
VEC_INTEGER(b64)
VEC_INTEGER(f16)
VEC_INTEGER(bf16)
VEC_INTEGER(u16x2)
VEC_INTEGER(s16x2)
VEC_INTEGER(f16x2)
VEC_INTEGER(bf16x2)

static inline float vec_get_f32(uint64_t x)
{
    return sem_as_f32((uint32_t)x);
}

static inline uint64_t vec_put_f32(float x)
{
    return sem_bits_f32(x);
}

static inline double vec_get_f64(uint64_t x)
{
    return sem_as_f64(x);
}

static inline uint64_t vec_put_f64(double x)
{
    return sem_bits_f64(x);
}

#define VEC_RUN(name, result, ...)                                             \
    static void name(const uint64_t *v, uint64_t *o, const struct vec_inst *m) \
    {                                                                          \
        (void)m;                                                               \
        (void)v;                                                               \
        o[0] = vec_put_##result(__VA_ARGS__);                                  \
    }

#endif
