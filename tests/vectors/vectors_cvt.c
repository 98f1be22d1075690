/* Comparison of the cvt family. */
#include "vectors_adapt.h"

#define CVT(s, d) VEC_RUN(cvt_##d##_##s, d, sem_cvt_##d##_##s(vec_get_##s(v[0]), m->mode, m->env))
/* clang-format off */
#define EACH_INT(X, d)   X(u8, d) X(u16, d) X(u32, d) X(u64, d) X(s8, d) X(s16, d) X(s32, d) X(s64, d)
#define EACH_FLOAT(X, d) X(f32, d) X(f64, d) X(f16, d) X(bf16, d)
#define EACH(X, d)       EACH_INT(X, d) EACH_FLOAT(X, d)
#define PAIRS(X)                                                                                                       \
    EACH(X, u8) EACH(X, u16) EACH(X, u32) EACH(X, u64)                                                                 \
    EACH(X, s8) EACH(X, s16) EACH(X, s32) EACH(X, s64)                                                                 \
    EACH(X, f32) EACH(X, f64) EACH(X, f16) EACH(X, bf16)
/* clang-format on */
PAIRS(CVT)

#define RINT(t) VEC_RUN(rint_##t, t, sem_cvt_rint_##t(vec_get_##t(v[0]), m->mode, m->env))
RINT(f32)
RINT(f64)
RINT(f16)
RINT(bf16)

#define CVT_PAIR(d) VEC_RUN(pair_##d, u32, sem_cvt_##d##_f32(vec_get_f32(v[0]), vec_get_f32(v[1]), m->mode, m->env))
CVT_PAIR(f16x2)
CVT_PAIR(bf16x2)
CVT_PAIR(e4m3x2)
CVT_PAIR(e5m2x2)
#define HALVES(d, s) VEC_RUN(one_##d##_##s, u32, sem_cvt_##d##_##s((uint32_t)v[0], m->mode, m->env))
#define BYTES(d, s)  VEC_RUN(one_##d##_##s, u32, sem_cvt_##d##_##s((uint16_t)v[0], m->mode, m->env))
HALVES(e4m3x2, f16x2)
HALVES(e5m2x2, f16x2)
BYTES(f16x2, e4m3x2)
BYTES(f16x2, e5m2x2)
VEC_RUN(tf32, u32, sem_cvt_tf32_f32(vec_get_f32(v[0]), m->mode, m->env))
#define PACK(t) VEC_RUN(pack_##t, u32, sem_cvt_pack_sat_##t((int32_t)v[0], (int32_t)v[1], (uint32_t)v[2]))
PACK(u16)
PACK(s16)
PACK(u8)
PACK(s8)
PACK(u4)
PACK(s4)
PACK(u2)
PACK(s2)

/* clang-format off */
#define ROW(s, d)   {"cvt", #d "." #s, cvt_##d##_##s},
#define PACK_ROW(t) {"cvt_pack", #t ".s32", pack_##t}, {"cvt_pack", #t ".s32.b32", pack_##t},
static const struct vec_entry table[] = {
    PAIRS(ROW)
    {"cvt", "f16x2.f32", pair_f16x2},
    {"cvt", "bf16x2.f32", pair_bf16x2},
    {"cvt", "e4m3x2.f32", pair_e4m3x2},
    {"cvt", "e5m2x2.f32", pair_e5m2x2},
    {"cvt", "e4m3x2.f16x2", one_e4m3x2_f16x2},
    {"cvt", "e5m2x2.f16x2", one_e5m2x2_f16x2},
    {"cvt", "f16x2.e4m3x2", one_f16x2_e4m3x2},
    {"cvt", "f16x2.e5m2x2", one_f16x2_e5m2x2},
    {"cvt", "tf32.f32", tf32},
    PACK_ROW(u16) PACK_ROW(s16) PACK_ROW(u8) PACK_ROW(s8) PACK_ROW(u4) PACK_ROW(s4) PACK_ROW(u2) PACK_ROW(s2)
};
/* clang-format on */

static const struct vec_entry rint_table[] = {
    {"cvt", "f32.f32", rint_f32},
    {"cvt", "f64.f64", rint_f64},
    {"cvt", "f16.f16", rint_f16},
    {"cvt", "bf16.bf16", rint_bf16},
};

/* The kernels for 8-bit registers store their result in both bytes of a half. */
static void twice(const uint64_t *v, uint64_t *o, const struct vec_inst *m)
{
    vec_lookup(table, VEC_COUNT(table), m)(v, o, m);
    o[0] = (o[0] & 0xff) * 0x101;
}

vec_function *vec_find_cvt(const struct vec_inst *inst)
{
    vec_function *rint = inst->integral ? vec_lookup(rint_table, VEC_COUNT(rint_table), inst) : NULL;

    if (strstr(inst->text, "stored twice") != NULL) {
        return twice;
    }
    return rint != NULL ? rint : vec_lookup(table, VEC_COUNT(table), inst);
}
