/*
 * Comparison over all inputs: functions of one f32 (or of two halves) against hashes recorded over all 2^32
 * operands, and divisions against hashes over 2^24 pairs.  A hash is the sum, modulo 2^64, of mix64(operand << 32 |
 * result).
 *
 * hash32.tsv: instruction, then one hash for each top byte of the operand.  hashpair.tsv: instruction, then one
 * hash for each 2^18 pairs, whose operands are pseudorandom.
 */
#include "vectors_adapt.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE_BYTES = 16384, BLOCKS = 256, PAIR_BLOCKS = 64 };

static uint64_t mix64(uint64_t z)
{
    z ^= z >> 30;
    z *= 0xbf58476d1ce4e5b9u;
    z ^= z >> 27;
    z *= 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* The operands of the pairs. */
static float pseudorandom(uint64_t k)
{
    return sem_as_f32((uint32_t)(mix64(1 + 0x9e3779b97f4a7c15u * (k + 1)) >> 32));
}

/* NAME(top byte): the hash of `result`, an expression of the operand x. */
#define HASH(name, result)                                         \
    static uint64_t name(uint32_t top)                             \
    {                                                              \
        uint64_t hash = 0;                                         \
        for (uint32_t i = 0; i < 1u << 24; i++) {                  \
            uint32_t x = top << 24 | i;                            \
            hash += mix64((uint64_t)x << 32 | (uint32_t)(result)); \
        }                                                          \
        return hash;                                               \
    }
#define F32(function, ...) sem_bits_f32(sem_##function(sem_as_f32(x), __VA_ARGS__))
/* Only the high word of an f64 operand takes part. */
#define HIGH(function) sem_high_xor_low(sem_##function(sem_as_f64((uint64_t)x << 32), FP_FTZ))

static inline uint32_t sem_high_xor_low(double result)
{
    return (uint32_t)(sem_bits_f64(result) >> 32) ^ (uint32_t)sem_bits_f64(result);
}

HASH(rcp_approx, F32(frcp_approx_f32, 0))
HASH(rcp_approx_ftz, F32(frcp_approx_f32, FP_FTZ))
HASH(sqrt_approx, F32(fsqrt_approx_f32, 0))
HASH(sqrt_approx_ftz, F32(fsqrt_approx_f32, FP_FTZ))
HASH(rsqrt_approx, F32(frsqrt_approx_f32, 0))
HASH(rsqrt_approx_ftz, F32(frsqrt_approx_f32, FP_FTZ))
HASH(ex2_approx, F32(fex2_approx_f32, 0))
HASH(ex2_approx_ftz, F32(fex2_approx_f32, FP_FTZ))
HASH(lg2_approx, F32(flg2_approx_f32, 0))
HASH(lg2_approx_ftz, F32(flg2_approx_f32, FP_FTZ))
HASH(sin_approx, F32(fsin_approx_f32, 0))
HASH(cos_approx, F32(fcos_approx_f32, 0))
HASH(tanh_approx, F32(ftanh_approx_f32, 0))
HASH(ex2_f16x2, sem_fex2_approx_f16x2(x, 0))
HASH(tanh_f16x2, sem_ftanh_approx_f16x2(x, 0))
HASH(ex2_bf16x2, sem_fex2_approx_bf16x2(x, FP_FTZ))
HASH(tanh_bf16x2, sem_ftanh_approx_bf16x2(x, 0))
HASH(rcp_f64, HIGH(frcp_approx_f64))
HASH(rsqrt_f64, HIGH(frsqrt_approx_f64))
HASH(rcp, F32(frcp_f32, 0))
HASH(rcp_ftz, F32(frcp_f32, FP_FTZ))
HASH(sqrt_plain, F32(fsqrt_f32, 0))
HASH(sqrt_ftz, F32(fsqrt_f32, FP_FTZ))
#define FROM_F32(function, mode, env) sem_##function(sem_as_f32(x), mode, env)
HASH(s32_rn, FROM_F32(cvt_s32_f32, SEM_RN, 0))
HASH(s32_rz, FROM_F32(cvt_s32_f32, SEM_RZ, 0))
HASH(s32_rm, FROM_F32(cvt_s32_f32, SEM_RM, 0))
HASH(s32_rp, FROM_F32(cvt_s32_f32, SEM_RP, 0))
HASH(u32_rn, FROM_F32(cvt_u32_f32, SEM_RN, 0))
HASH(u32_rz, FROM_F32(cvt_u32_f32, SEM_RZ, 0))
HASH(tf32_rna, FROM_F32(cvt_tf32_f32, SEM_RNA, 0))
HASH(tf32_rn, FROM_F32(cvt_tf32_f32, SEM_RN, 0))
HASH(tf32_rz, FROM_F32(cvt_tf32_f32, SEM_RZ, 0))
HASH(f16_rn, FROM_F32(cvt_f16_f32, SEM_RN, 0))
HASH(f16_rz, FROM_F32(cvt_f16_f32, SEM_RZ, 0))
HASH(f16_sat, FROM_F32(cvt_f16_f32, SEM_RN, FP_SAT))
HASH(bf16_rn, FROM_F32(cvt_bf16_f32, SEM_RN, 0))
HASH(bf16_rz, FROM_F32(cvt_bf16_f32, SEM_RZ, 0))
HASH(bf16_relu, FROM_F32(cvt_bf16_f32, SEM_RN, FP_RELU))
HASH(f32_s32, sem_bits_f32(sem_cvt_f32_s32((int32_t)x, SEM_RN, 0)))
HASH(f32_u32, sem_bits_f32(sem_cvt_f32_u32(x, SEM_RN, 0)))
HASH(e4m3, sem_cvt_e4m3x2_f32(sem_as_f32(x), 0.0f, SEM_RN, FP_SATFINITE))
HASH(e5m2, sem_cvt_e5m2x2_f32(sem_as_f32(x), 0.0f, SEM_RN, FP_SATFINITE))

/* `host` is the host's rounding mode, where the meaning rounds as the host does. */
static const struct hashed {
    const char *instruction;
    uint64_t (*hash)(uint32_t top);
    int host;
} functions[] = {
    {"rcp.approx.f32", rcp_approx, FE_TONEAREST},
    {"rcp.approx.ftz.f32", rcp_approx_ftz, FE_TONEAREST},
    {"sqrt.approx.f32", sqrt_approx, FE_TONEAREST},
    {"sqrt.approx.ftz.f32", sqrt_approx_ftz, FE_TONEAREST},
    {"rsqrt.approx.f32", rsqrt_approx, FE_TONEAREST},
    {"rsqrt.approx.ftz.f32", rsqrt_approx_ftz, FE_TONEAREST},
    {"ex2.approx.f32", ex2_approx, FE_TONEAREST},
    {"ex2.approx.ftz.f32", ex2_approx_ftz, FE_TONEAREST},
    {"lg2.approx.f32", lg2_approx, FE_TONEAREST},
    {"lg2.approx.ftz.f32", lg2_approx_ftz, FE_TONEAREST},
    {"sin.approx.f32", sin_approx, FE_TONEAREST},
    {"sin.approx.ftz.f32", sin_approx, FE_TONEAREST},
    {"cos.approx.f32", cos_approx, FE_TONEAREST},
    {"cos.approx.ftz.f32", cos_approx, FE_TONEAREST},
    {"tanh.approx.f32", tanh_approx, FE_TONEAREST},
    {"ex2.approx.f16x2", ex2_f16x2, FE_TONEAREST},
    {"tanh.approx.f16x2", tanh_f16x2, FE_TONEAREST},
    {"ex2.approx.ftz.bf16x2", ex2_bf16x2, FE_TONEAREST},
    {"tanh.approx.bf16x2", tanh_bf16x2, FE_TONEAREST},
    {"rcp.approx.ftz.f64", rcp_f64, FE_TONEAREST},
    {"rsqrt.approx.ftz.f64", rsqrt_f64, FE_TONEAREST},
    {"rcp.rn.f32", rcp, FE_TONEAREST},
    {"rcp.rz.f32", rcp, FE_TOWARDZERO},
    {"rcp.rm.f32", rcp, FE_DOWNWARD},
    {"rcp.rp.f32", rcp, FE_UPWARD},
    {"rcp.rn.ftz.f32", rcp_ftz, FE_TONEAREST},
    {"sqrt.rn.f32", sqrt_plain, FE_TONEAREST},
    {"sqrt.rz.f32", sqrt_plain, FE_TOWARDZERO},
    {"sqrt.rm.f32", sqrt_plain, FE_DOWNWARD},
    {"sqrt.rp.f32", sqrt_plain, FE_UPWARD},
    {"sqrt.rn.ftz.f32", sqrt_ftz, FE_TONEAREST},
    {"cvt.rni.s32.f32", s32_rn, FE_TONEAREST},
    {"cvt.rzi.s32.f32", s32_rz, FE_TONEAREST},
    {"cvt.rmi.s32.f32", s32_rm, FE_TONEAREST},
    {"cvt.rpi.s32.f32", s32_rp, FE_TONEAREST},
    {"cvt.rni.u32.f32", u32_rn, FE_TONEAREST},
    {"cvt.rzi.u32.f32", u32_rz, FE_TONEAREST},
    {"cvt.rna.tf32.f32", tf32_rna, FE_TONEAREST},
    {"cvt.rn.tf32.f32", tf32_rn, FE_TONEAREST},
    {"cvt.rz.tf32.f32", tf32_rz, FE_TONEAREST},
    {"cvt.rn.f16.f32", f16_rn, FE_TONEAREST},
    {"cvt.rz.f16.f32", f16_rz, FE_TONEAREST},
    {"cvt.rn.sat.f16.f32", f16_sat, FE_TONEAREST},
    {"cvt.rn.bf16.f32", bf16_rn, FE_TONEAREST},
    {"cvt.rz.bf16.f32", bf16_rz, FE_TONEAREST},
    {"cvt.rn.relu.bf16.f32", bf16_relu, FE_TONEAREST},
    {"cvt.rn.f32.s32", f32_s32, FE_TONEAREST},
    {"cvt.rz.f32.s32", f32_s32, FE_TOWARDZERO},
    {"cvt.rm.f32.s32", f32_s32, FE_DOWNWARD},
    {"cvt.rn.f32.u32", f32_u32, FE_TONEAREST},
    {"cvt.rp.f32.u32", f32_u32, FE_UPWARD},
    {"cvt.rn.satfinite.e4m3x2.f32", e4m3, FE_TONEAREST},
    {"cvt.rn.satfinite.e5m2x2.f32", e5m2, FE_TONEAREST},
};

#define HASH_PAIRS(name, function, env)                                                               \
    static uint64_t name(uint32_t block)                                                              \
    {                                                                                                 \
        uint64_t hash = 0;                                                                            \
        for (uint64_t i = (uint64_t)block << 18; i < (uint64_t)(block + 1) << 18; i++) {              \
            float quotient = sem_##function##_f32(pseudorandom(2 * i), pseudorandom(2 * i + 1), env); \
            hash += mix64(i << 32 | sem_bits_f32(quotient));                                          \
        }                                                                                             \
        return hash;                                                                                  \
    }
HASH_PAIRS(div_approx, fdiv_approx, 0)
HASH_PAIRS(div_approx_ftz, fdiv_approx, FP_FTZ)
HASH_PAIRS(div_full, fdiv_full, 0)
HASH_PAIRS(div_full_ftz, fdiv_full, FP_FTZ)
HASH_PAIRS(div_exact, fdiv, 0)
HASH_PAIRS(div_exact_ftz, fdiv, FP_FTZ)

static const struct hashed pairs[] = {
    {"div.approx.f32", div_approx, FE_TONEAREST},    {"div.approx.ftz.f32", div_approx_ftz, FE_TONEAREST},
    {"div.full.f32", div_full, FE_TONEAREST},        {"div.full.ftz.f32", div_full_ftz, FE_TONEAREST},
    {"div.rn.f32", div_exact, FE_TONEAREST},         {"div.rz.f32", div_exact, FE_TOWARDZERO},
    {"div.rm.f32", div_exact, FE_DOWNWARD},          {"div.rp.f32", div_exact, FE_UPWARD},
    {"div.rn.ftz.f32", div_exact_ftz, FE_TONEAREST},
};

/* The instruction of a line ends at a tab or before a remark in parentheses. */
static const struct hashed *find(const char *line, const struct hashed *table, size_t n)
{
    size_t length = strcspn(line, " \t");

    for (size_t i = 0; i < n; i++) {
        if (strlen(table[i].instruction) == length && strncmp(table[i].instruction, line, length) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

/* Every `step`-th block of one line; returns whether all agree. */
static bool check_line(char *line, const struct hashed *h, uint32_t blocks, uint32_t step)
{
    char *next = strchr(line, '\t');
    uint32_t tried = 0, equal = 0;

    for (uint32_t block = 0; block < blocks; block++) {
        uint64_t want = strtoull(next, &next, 16);
        if (block % step == 0) {
            fesetround(h->host);
            equal += h->hash(block) == want;
            fesetround(FE_TONEAREST);
            tried++;
        }
    }
    printf("%.*s: %u of %u blocks equal\n", (int)strcspn(line, "\t"), line, equal, tried);
    fflush(stdout);
    return equal == tried;
}

int vec_check_hashes(const char *path, unsigned step)
{
    static char line[LINE_BYTES];
    FILE *file = fopen(path, "r");
    bool good = true;

    if (file == NULL || step == 0) {
        perror(path);
        return 2;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        const struct hashed *single = find(line, functions, VEC_COUNT(functions));
        const struct hashed *pair = find(line, pairs, VEC_COUNT(pairs));

        if (single != NULL) {
            good &= check_line(line, single, BLOCKS, step);
        } else if (pair != NULL) {
            good &= check_line(line, pair, PAIR_BLOCKS, step);
        } else if (line[0] != '#' && strchr(line, '\t') != NULL) {
            printf("no function: %.*s\n", (int)strcspn(line, "\t"), line);
        }
    }
    fclose(file);
    return good ? 0 : 1;
}
