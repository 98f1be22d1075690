/* Comparison of the mufu family: approximate functions. */
#include "vectors_adapt.h"

#define F_A(op, t)  VEC_RUN(op##_##t, t, sem_##op##_approx_##t(vec_get_##t(v[0]), m->env))
#define F_AB(op, t) VEC_RUN(op##_##t, t, sem_##op##_##t(vec_get_##t(v[0]), vec_get_##t(v[1]), m->env))
#define ALL(X)                              \
    X(F_A, frcp, "rcp_approx", f32)         \
    X(F_A, frcp, "rcp_approx", f64)         \
    X(F_A, fsqrt, "sqrt_approx", f32)       \
    X(F_A, frsqrt, "rsqrt_approx", f32)     \
    X(F_A, frsqrt, "rsqrt_approx", f64)     \
    X(F_A, fsin, "sin_approx", f32)         \
    X(F_A, fcos, "cos_approx", f32)         \
    X(F_A, flg2, "lg2_approx", f32)         \
    X(F_A, fex2, "ex2_approx", f32)         \
    X(F_A, fex2, "ex2_approx", f16)         \
    X(F_A, fex2, "ex2_approx", bf16)        \
    X(F_A, fex2, "ex2_approx", f16x2)       \
    X(F_A, fex2, "ex2_approx", bf16x2)      \
    X(F_A, ftanh, "tanh_approx", f32)       \
    X(F_A, ftanh, "tanh_approx", f16)       \
    X(F_A, ftanh, "tanh_approx", bf16)      \
    X(F_A, ftanh, "tanh_approx", f16x2)     \
    X(F_A, ftanh, "tanh_approx", bf16x2)    \
    X(F_AB, fdiv_approx, "div_approx", f32) \
    X(F_AB, fdiv_full, "div_full", f32)

#define DEFINE(shape, op, word, t) shape(op, t)
ALL(DEFINE)

#define ROW(shape, op, word, t) {word, #t, op##_##t},
static const struct vec_entry table[] = {ALL(ROW)};

vec_function *vec_find_mufu(const struct vec_inst *inst)
{
    return vec_lookup(table, VEC_COUNT(table), inst);
}
