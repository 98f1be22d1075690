/* Comparison of the half family: f16, bf16 and their packed forms. */
#include "vectors_adapt.h"

#define F_A(op, t)  VEC_RUN(op##_##t, t, sem_##op##_##t(vec_get_##t(v[0]), m->env))
#define F_AB(op, t) VEC_RUN(op##_##t, t, sem_##op##_##t(vec_get_##t(v[0]), vec_get_##t(v[1]), m->env))
#define F_ABC(op, t) \
    VEC_RUN(op##_##t, t, sem_##op##_##t(vec_get_##t(v[0]), vec_get_##t(v[1]), vec_get_##t(v[2]), m->env))

/* clang-format off */
#define EACH(X, shape, op, word)                                                                                       \
    X(shape, op, word, f16) X(shape, op, word, bf16) X(shape, op, word, f16x2) X(shape, op, word, bf16x2)
#define ALL(X)                                                                                                         \
    EACH(X, F_AB, fadd, "add")                                                                                         \
    EACH(X, F_AB, fsub, "sub")                                                                                         \
    EACH(X, F_AB, fmul, "mul")                                                                                         \
    EACH(X, F_ABC, fma, "fma")                                                                                         \
    EACH(X, F_ABC, fma_oob, "fma_oob")                                                                                 \
    EACH(X, F_A, fabs, "abs")                                                                                          \
    EACH(X, F_A, fneg, "neg")                                                                                          \
    EACH(X, F_AB, fmin, "min")                                                                                         \
    EACH(X, F_AB, fmax, "max")
/* clang-format on */

#define DEFINE(shape, op, word, t) shape(op, t)
ALL(DEFINE)

#define ROW(shape, op, word, t) {word, #t, op##_##t},
static const struct vec_entry table[] = {ALL(ROW)};

vec_function *vec_find_half(const struct vec_inst *inst)
{
    return vec_lookup(table, VEC_COUNT(table), inst);
}
