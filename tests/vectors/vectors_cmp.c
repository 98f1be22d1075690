/* Comparison of the setp family: setp, set, selp, slct. */
#include "vectors_adapt.h"

static bool compare(const char *type, uint64_t a, uint64_t b, const struct vec_inst *m)
{
#define INTEGER(t)                                                  \
    if (strcmp(type, #t) == 0) {                                    \
        return sem_cmp_##t(vec_get_##t(a), vec_get_##t(b), m->cmp); \
    }
#define FLOAT(t)                                                            \
    if (strcmp(type, #t) == 0) {                                            \
        return sem_cmp_##t(vec_get_##t(a), vec_get_##t(b), m->cmp, m->env); \
    }
    INTEGER(u16)
    INTEGER(u32)
    INTEGER(u64)
    INTEGER(s16)
    INTEGER(s32)
    INTEGER(s64)
    INTEGER(b16)
    INTEGER(b32)
    INTEGER(b64)
    FLOAT(f16)
    FLOAT(bf16)
    FLOAT(f32)
    FLOAT(f64)
    return false;
}

static bool combine(bool result, uint64_t predicate, const struct vec_inst *m)
{
    bool p = (predicate != 0) != m->negated;

    return strcmp(m->combine, "and") == 0   ? result && p
           : strcmp(m->combine, "or") == 0  ? result || p
           : strcmp(m->combine, "xor") == 0 ? result != p
                                            : result;
}

static void setp(const uint64_t *v, uint64_t *o, const struct vec_inst *m)
{
    bool result = compare(m->types[0], v[0], v[1], m);

    o[0] = combine(result, v[2], m);
    /* the second destination, where the kernel has one */
    o[1] = combine(!result, v[2], m);
    if (strcmp(m->types[0], "f16") == 0 || strcmp(m->types[0], "bf16") == 0) {
        o[1] = 0;
    }
}

static void setp_x2(const uint64_t *v, uint64_t *o, const struct vec_inst *m)
{
    const char *half = strcmp(m->types[0], "f16x2") == 0 ? "f16" : "bf16";

    o[0] = combine(compare(half, v[0] & 0xffff, v[1] & 0xffff, m), v[2], m);
    o[1] = combine(compare(half, v[0] >> 16, v[1] >> 16, m), v[2], m);
}

/* set writes all ones for integers, 1.0 for floats. */
static uint64_t truth(const char *type, bool result)
{
    static const struct {
        const char *type;
        uint64_t one;
    } ones[] = {{"u32", 0xffffffff}, {"s32", 0xffffffff}, {"u16", 0xffff}, {"s16", 0xffff},
                {"f32", 0x3f800000}, {"f16", 0x3c00},     {"bf16", 0x3f80}};

    for (size_t i = 0; i < VEC_COUNT(ones); i++) {
        if (strcmp(type, ones[i].type) == 0) {
            return result ? ones[i].one : 0;
        }
    }
    return ~(uint64_t)0;
}

static void set(const uint64_t *v, uint64_t *o, const struct vec_inst *m)
{
    o[0] = truth(m->types[0], combine(compare(m->types[1], v[0], v[1], m), v[2], m));
}

static void set_x2(const uint64_t *v, uint64_t *o, const struct vec_inst *m)
{
    const char *source = strcmp(m->types[1], "f16x2") == 0 ? "f16" : "bf16";
    const char *half = strcmp(m->types[0], "f16x2") == 0 ? "f16" : strcmp(m->types[0], "bf16x2") == 0 ? "bf16" : "u16";

    o[0] = truth(half, compare(source, v[0] & 0xffff, v[1] & 0xffff, m)) |
           truth(half, compare(source, v[0] >> 16, v[1] >> 16, m)) << 16;
}

static void selp(const uint64_t *v, uint64_t *o, const struct vec_inst *m)
{
    (void)m;
    o[0] = v[2] ? v[0] : v[1];
}

static void slct(const uint64_t *v, uint64_t *o, const struct vec_inst *m)
{
    bool first =
        strcmp(m->types[1], "f32") == 0 ? sem_cmp_f32(vec_get_f32(v[2]), 0.0f, CMP_GE, m->env) : (int32_t)v[2] >= 0;

    o[0] = first ? v[0] : v[1];
}

vec_function *vec_find_cmp(const struct vec_inst *inst)
{
    bool packed = strstr(inst->type_list, "x2") != NULL;

    if (strcmp(inst->op, "selp") == 0) {
        return selp;
    }
    if (strcmp(inst->op, "slct") == 0) {
        return slct;
    }
    if (strcmp(inst->op, "setp") == 0) {
        return packed ? setp_x2 : setp;
    }
    return packed ? set_x2 : set;
}
