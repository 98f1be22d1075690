/* Comparison of the integer, logic and carry families. */
#include "vectors_adapt.h"

#include <stdlib.h>

#define D_A(op, t)      VEC_RUN(op##_##t, t, sem_##op##_##t(vec_get_##t(v[0])))
#define U_A(op, t)      VEC_RUN(op##_##t, u32, sem_##op##_##t(vec_get_##t(v[0])))
#define D_AB(op, t)     VEC_RUN(op##_##t, t, sem_##op##_##t(vec_get_##t(v[0]), vec_get_##t(v[1])))
#define D_AU(op, t)     VEC_RUN(op##_##t, t, sem_##op##_##t(vec_get_##t(v[0]), (uint32_t)v[1]))
#define D_AUU(op, t)    VEC_RUN(op##_##t, t, sem_##op##_##t(vec_get_##t(v[0]), (uint32_t)v[1], (uint32_t)v[2]))
#define W_AB(op, t, w)  VEC_RUN(op##_##t, w, sem_##op##_##t(vec_get_##t(v[0]), vec_get_##t(v[1])))
#define D_ABC(op, t)    VEC_RUN(op##_##t, t, sem_##op##_##t(vec_get_##t(v[0]), vec_get_##t(v[1]), vec_get_##t(v[2])))
#define W_ABC(op, t, w) VEC_RUN(op##_##t, w, sem_##op##_##t(vec_get_##t(v[0]), vec_get_##t(v[1]), vec_get_##w(v[2])))
#define D_ABUU(op, t) \
    VEC_RUN(op##_##t, t, sem_##op##_##t(vec_get_##t(v[0]), vec_get_##t(v[1]), (uint32_t)v[2], (uint32_t)v[3]))
#define DOT(op, a, b, is_signed) \
    VEC_RUN(op##_##a##_##b, u32, sem_##op##_u32((uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2], is_signed))

#define INT(X, shape, op)     X(shape, op, u16) X(shape, op, u32) X(shape, op, u64) SINT(X, shape, op)
#define SINT(X, shape, op)    X(shape, op, s16) X(shape, op, s32) X(shape, op, s64)
#define INT32(X, shape, op)   X(shape, op, u32) X(shape, op, s32)
#define INT3264(X, shape, op) INT32(X, shape, op) X(shape, op, u64) X(shape, op, s64)
#define BITS(X, shape, op)    X(shape, op, b16) X(shape, op, b32) X(shape, op, b64)
#define B3264(X, shape, op)   X(shape, op, b32) X(shape, op, b64)
#define S32(X, shape, op)     X(shape, op, s32)
#define B32(X, shape, op)     X(shape, op, b32)
#define X2I(X, shape, op)     X(shape, op, u16x2) X(shape, op, s16x2)
#define S16X2(X, shape, op)   X(shape, op, s16x2)

/* Operations by shape and types, as in the instruction table. */
/* clang-format off */
#define ALL(X)                                                                                                         \
    INT(X, D_AB, add) X2I(X, D_AB, add) INT(X, D_AB, sub) INT(X, D_AB, mul_lo) INT(X, D_AB, mul_hi)                    \
    INT(X, D_ABC, mad_lo) INT(X, D_ABC, mad_hi) INT(X, D_ABC, sad) INT(X, D_AB, div) INT(X, D_AB, rem)                 \
    SINT(X, D_A, abs) SINT(X, D_A, neg) INT(X, D_AB, min) INT(X, D_AB, max) X2I(X, D_AB, min) X2I(X, D_AB, max)        \
    S32(X, D_AB, add_sat) S32(X, D_AB, sub_sat) S32(X, D_ABC, mad_hi_sat) S32(X, D_ABC, mad24_hi_sat)                  \
    S32(X, D_AB, min_relu) S32(X, D_AB, max_relu) S16X2(X, D_AB, min_relu) S16X2(X, D_AB, max_relu)                    \
    INT32(X, D_AB, mul24_lo) INT32(X, D_AB, mul24_hi) INT32(X, D_ABC, mad24_lo) INT32(X, D_ABC, mad24_hi)              \
    B3264(X, U_A, popc) B3264(X, U_A, clz) INT3264(X, U_A, bfind) INT3264(X, U_A, bfind_shiftamt) B32(X, D_ABC, fns)   \
    B3264(X, D_A, brev) INT3264(X, D_AUU, bfe) B3264(X, D_ABUU, bfi) INT32(X, D_AU, szext_clamp)                       \
    INT32(X, D_AU, szext_wrap) B32(X, D_AB, bmsk_clamp) B32(X, D_AB, bmsk_wrap) BITS(X, D_AB, and) BITS(X, D_AB, or)   \
    BITS(X, D_AB, xor) BITS(X, D_A, not) BITS(X, D_A, cnot) BITS(X, D_AU, shl) BITS(X, D_AU, shr) INT(X, D_AU, shr)    \
    B32(X, D_ABC, shf_l_clamp) B32(X, D_ABC, shf_l_wrap) B32(X, D_ABC, shf_r_clamp) B32(X, D_ABC, shf_r_wrap)          \
    B32(X, D_ABC, prmt) B32(X, D_ABC, prmt_f4e) B32(X, D_ABC, prmt_b4e) B32(X, D_ABC, prmt_rc8)                        \
    B32(X, D_ABC, prmt_ecl) B32(X, D_ABC, prmt_ecr) B32(X, D_ABC, prmt_rc16)
/* clang-format on */

#define DEFINE(shape, op, t) shape(op, t)
ALL(DEFINE)
W_AB(mul_wide, u16, u32)
W_AB(mul_wide, s16, s32)
W_AB(mul_wide, u32, u64)
W_AB(mul_wide, s32, s64)
W_ABC(mad_wide, u16, u32)
W_ABC(mad_wide, s16, s32)
W_ABC(mad_wide, u32, u64)
W_ABC(mad_wide, s32, s64)
#define DOTS(op) DOT(op, u32, u32, 0) DOT(op, s32, u32, 1) DOT(op, u32, s32, 2) DOT(op, s32, s32, 3)
DOTS(dp4a)
DOTS(dp2a_lo)
DOTS(dp2a_hi)

/* lop3: 32 tables in one kernel, or one with a predicate. */
static void lop3_tables(const uint64_t *v, uint64_t *o, const struct vec_inst *m)
{
    unsigned first = (unsigned)strtoul(strstr(m->text, "0x"), NULL, 16);

    for (unsigned i = 0; i < 32; i++) {
        o[i] = sem_lop3_b32((uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2], first + i);
    }
}

static void lop3_predicate(const uint64_t *v, uint64_t *o, const struct vec_inst *m)
{
    o[0] = sem_lop3_b32((uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2],
                        (unsigned)strtoul(strstr(m->text, "lut") + 3, NULL, 16));
    o[1] = strstr(m->text, ".and.") != NULL ? o[0] != 0 && v[3] != 0 : o[0] != 0 || v[3] != 0;
}

static void predicate_logic(const uint64_t *v, uint64_t *o, const struct vec_inst *m)
{
    o[0] = m->op[0] == 'a' ? v[0] & v[1] : m->op[0] == 'o' ? v[0] | v[1] : m->op[0] == 'x' ? v[0] ^ v[1] : !v[0];
}

/* Carry chains: whole sequences, recognised by the instruction's text. */
#define PUT(i, t, x) o[i] = vec_put_##t(x)
#define CHAINS(t)                                                                                             \
    static void chain_##t(const uint64_t *v, uint64_t *o, const struct vec_inst *m)                           \
    {                                                                                                         \
        sem_t_##t a = vec_get_##t(v[0]), b = vec_get_##t(v[1]), c = vec_get_##t(v[2]), d = vec_get_##t(v[3]); \
        unsigned flag = 0;                                                                                    \
        if (strcmp(m->op, "add_cc_addc_cc_addc") == 0) {                                                      \
            PUT(0, t, sem_add_cc_##t(a, c, 0, &flag));                                                        \
            PUT(1, t, sem_add_cc_##t(b, d, flag, &flag));                                                     \
            PUT(2, t, sem_add_cc_##t(0, 0, flag, &flag));                                                     \
        } else if (strcmp(m->op, "sub_cc_subc_cc_subc") == 0) {                                               \
            PUT(0, t, sem_sub_cc_##t(a, c, 1, &flag));                                                        \
            PUT(1, t, sem_sub_cc_##t(b, d, flag, &flag));                                                     \
            PUT(2, t, sem_sub_cc_##t(0, 0, flag, &flag));                                                     \
        } else if (strcmp(m->op, "add_cc_subc") == 0) {                                                       \
            PUT(0, t, sem_add_cc_##t(a, b, 0, &flag));                                                        \
            PUT(1, t, sem_sub_cc_##t(c, d, flag, &flag));                                                     \
        } else if (strcmp(m->op, "sub_cc_addc") == 0) {                                                       \
            PUT(0, t, sem_sub_cc_##t(a, b, 1, &flag));                                                        \
            PUT(1, t, sem_add_cc_##t(c, d, flag, &flag));                                                     \
        } else if (strcmp(m->op, "mad_lo_cc_madc_hi") == 0) {                                                 \
            PUT(0, t, sem_mad_lo_cc_##t(a, b, c, 0, &flag));                                                  \
            PUT(1, t, sem_mad_hi_cc_##t(a, b, d, flag, &flag));                                               \
        } else if (strcmp(m->op, "mad_lo_cc_madc_lo_cc_madc_hi") == 0) {                                      \
            PUT(0, t, sem_mad_lo_cc_##t(a, b, c, 0, &flag));                                                  \
            PUT(1, t, sem_mad_lo_cc_##t(a, d, c, flag, &flag));                                               \
            PUT(2, t, sem_mad_hi_cc_##t(a, d, 0, flag, &flag));                                               \
        } else {                                                                                              \
            PUT(0, t, sem_mad_hi_cc_##t(a, b, c, 0, &flag));                                                  \
            PUT(1, t, sem_mad_hi_cc_##t(a, d, c, flag, &flag));                                               \
            PUT(2, t, sem_add_cc_##t(0, 0, flag, &flag));                                                     \
        }                                                                                                     \
    }
CHAINS(u32)
CHAINS(s32)
CHAINS(u64)
CHAINS(s64)

/* clang-format off */
#define CHAIN_ROWS(op)    {op, "u32", chain_u32}, {op, "s32", chain_s32}, {op, "u64", chain_u64}, {op, "s64", chain_s64},
#define ROW(shape, op, t) {#op, #t, op##_##t},
#define DOT_ROWS(op)                                                                                                   \
    {#op, "u32.u32", op##_u32_u32}, {#op, "s32.u32", op##_s32_u32}, {#op, "u32.s32", op##_u32_s32},                    \
    {#op, "s32.s32", op##_s32_s32},
static const struct vec_entry table[] = {
    ALL(ROW)
    {"mul_wide", "u16", mul_wide_u16},
    {"mul_wide", "s16", mul_wide_s16},
    {"mul_wide", "u32", mul_wide_u32},
    {"mul_wide", "s32", mul_wide_s32},
    {"mad_wide", "u16", mad_wide_u16},
    {"mad_wide", "s16", mad_wide_s16},
    {"mad_wide", "u32", mad_wide_u32},
    {"mad_wide", "s32", mad_wide_s32},
    DOT_ROWS(dp4a)
    DOT_ROWS(dp2a_lo)
    DOT_ROWS(dp2a_hi)
    {"lop3", "b32", lop3_tables},
    {"lop3_and", "b32", lop3_predicate},
    {"lop3_or", "b32", lop3_predicate},
    {"and", "pred", predicate_logic},
    {"or", "pred", predicate_logic},
    {"xor", "pred", predicate_logic},
    {"not", "pred", predicate_logic},
    CHAIN_ROWS("add_cc_addc_cc_addc")
    CHAIN_ROWS("sub_cc_subc_cc_subc")
    CHAIN_ROWS("add_cc_subc")
    CHAIN_ROWS("sub_cc_addc")
    CHAIN_ROWS("mad_lo_cc_madc_hi")
    CHAIN_ROWS("mad_lo_cc_madc_lo_cc_madc_hi")
    CHAIN_ROWS("mad_hi_cc_madc_hi_cc_addc")
};
/* clang-format on */

/* Integer .sat and .relu select operations; the table of a lop3 with predicate stays in the text. */
vec_function *vec_find_int(const struct vec_inst *inst)
{
    struct vec_inst integer = *inst;
    char *lut = strstr(integer.op, "_lut");

    if (lut != NULL) {
        *lut = '\0';
    }
    if (inst->env & FP_SAT) {
        strcat(integer.op, "_sat");
    }
    if (inst->env & FP_RELU) {
        strcat(integer.op, "_relu");
    }
    return vec_lookup(table, VEC_COUNT(table), &integer);
}
