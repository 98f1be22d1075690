/* Comparison of the f32 and f64 families. */
#include "vectors_adapt.h"

#define F_A(op, t)  VEC_RUN(op##_##t, t, sem_##op##_##t(vec_get_##t(v[0]), m->env))
#define F_AB(op, t) VEC_RUN(op##_##t, t, sem_##op##_##t(vec_get_##t(v[0]), vec_get_##t(v[1]), m->env))
#define F_ABC(op, t) \
    VEC_RUN(op##_##t, t, sem_##op##_##t(vec_get_##t(v[0]), vec_get_##t(v[1]), vec_get_##t(v[2]), m->env))
#define TESTP(op, class)                                                    \
    VEC_RUN(testp_##op##_f32, u32, sem_testp_f32(vec_get_f32(v[0]), class)) \
    VEC_RUN(testp_##op##_f64, u32, sem_testp_f64(vec_get_f64(v[0]), class))

/* clang-format off */
#define BOTH(X, shape, op, word) X(shape, op, word, f32) X(shape, op, word, f64)
#define ALL(X)                                                                                                         \
    BOTH(X, F_AB, fadd, "add")                                                                                         \
    BOTH(X, F_AB, fsub, "sub")                                                                                         \
    BOTH(X, F_AB, fmul, "mul")                                                                                         \
    BOTH(X, F_ABC, fma, "fma")                                                                                         \
    BOTH(X, F_AB, fdiv, "div")                                                                                         \
    BOTH(X, F_A, frcp, "rcp")                                                                                          \
    BOTH(X, F_A, fsqrt, "sqrt")                                                                                        \
    BOTH(X, F_A, fabs, "abs")                                                                                          \
    BOTH(X, F_A, fneg, "neg")                                                                                          \
    BOTH(X, F_AB, fmin, "min")                                                                                         \
    BOTH(X, F_AB, fmax, "max")                                                                                         \
    BOTH(X, F_AB, copysign, "copysign")
/* clang-format on */

#define DEFINE(shape, op, word, t) shape(op, t)
ALL(DEFINE)
TESTP(finite, CLASS_FINITE)
TESTP(infinite, CLASS_INFINITE)
TESTP(number, CLASS_NUMBER)
TESTP(notanumber, CLASS_NOTANUMBER)
TESTP(normal, CLASS_NORMAL)
TESTP(subnormal, CLASS_SUBNORMAL)

/* clang-format off */
#define ROW(shape, op, word, t) {word, #t, op##_##t},
#define TESTP_ROWS(op)          {"testp_" #op, "f32", testp_##op##_f32}, {"testp_" #op, "f64", testp_##op##_f64},
static const struct vec_entry table[] = {
    ALL(ROW)
    {"mad", "f32", fma_f32},
    {"mad", "f64", fma_f64},
    TESTP_ROWS(finite)
    TESTP_ROWS(infinite)
    TESTP_ROWS(number)
    TESTP_ROWS(notanumber)
    TESTP_ROWS(normal)
    TESTP_ROWS(subnormal)
};
/* clang-format on */

vec_function *vec_find_float(const struct vec_inst *inst)
{
    if (strstr(inst->op, "div_") == inst->op) {
        return vec_find_mufu(inst);
    }
    return vec_lookup(table, VEC_COUNT(table), inst);
}
