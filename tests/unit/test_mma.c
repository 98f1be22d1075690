/*
 * Sums of matrix products: the fast path for whole tiles against the sum of each element by the definition, on factors
 * of every size the fast path takes, and what leaves it.  Recorded results are in tests/conformance/data/matrix.
 */
#include "emu/sem.h"

#include <criterion/criterion.h>

/* --- random tiles ------------------------------------------------------------------------------------------------- */
struct numbers {
    uint64_t state;
};

static uint32_t next(struct numbers *n)
{
    n->state = n->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(n->state >> 32);
}

/* A value with the precision of the format and an exponent from `low` to `low` + `span` - 1; sometimes zero. */
static float pick(struct numbers *n, unsigned format, int low, unsigned span)
{
    static const uint32_t kept[] = {[MMA_F16] = 0x7fe000, [MMA_BF16] = 0x7f0000, [MMA_TF32] = 0x7fe000};
    const uint32_t exponent = (uint32_t)(127 + low + (int)(next(n) % span));
    const uint32_t bits = (next(n) & 0x80000000u) | exponent << 23 | (next(n) & kept[format]);
    const float value = sem_as_f32(next(n) % 8 == 0 ? bits & 0x80000000u : bits);

    return format == MMA_F16 ? sem_f16_to_f32(sem_f32_to_f16(value)) : value;
}

struct range {
    int low;
    unsigned span;
};

static const struct {
    unsigned format;
    struct range a, b, c;
    bool half;
} cases[] = {
    {MMA_F16, {-3, 6}, {-3, 6}, {-6, 12}, false},           {MMA_F16, {-24, 40}, {-24, 40}, {-60, 120}, false},
    {MMA_F16, {-24, 12}, {-24, 12}, {-126, 120}, false},    {MMA_F16, {-3, 6}, {-3, 6}, {-6, 12}, true},
    {MMA_F16, {-24, 40}, {-24, 40}, {-24, 40}, true},       {MMA_F16, {-24, 12}, {-24, 12}, {-24, 12}, true},
    {MMA_F16, {10, 6}, {10, 6}, {100, 28}, false},          {MMA_BF16, {-3, 6}, {-3, 6}, {-6, 12}, false},
    {MMA_BF16, {-50, 113}, {-50, 113}, {-126, 254}, false}, {MMA_BF16, {-50, 3}, {-50, 3}, {-126, 30}, false},
    {MMA_BF16, {60, 3}, {60, 3}, {100, 28}, false},         {MMA_TF32, {-50, 113}, {-50, 113}, {-126, 254}, false},
    {MMA_TF32, {-3, 6}, {-3, 6}, {-6, 12}, false},
};
enum { CASES = sizeof cases / sizeof cases[0], ROUNDS = 60 };

struct setting {
    struct sem_mma m;
    struct mma_tile t;
    struct mma_exponents x;
    _Alignas(64) float c[4][WARP_LANES];
};

static void fill(struct setting *s, struct numbers *n, size_t i)
{
    const unsigned format = cases[i].format, pairs = 2;

    s->m =
        (struct sem_mma){.a = (uint8_t)format, .b = (uint8_t)format, .rows = 16, .a_regs = 2 * pairs, .b_regs = pairs};
    mma_number_slots(&s->t, &s->m);
    memset(s->t.kept, 0xff, sizeof s->t.kept);
    for (unsigned h = 0; h < 2; h++) {
        for (unsigned slot = 0; slot < s->t.slots; slot++) {
            for (int l = 0; l < WARP_LANES; l++) {
                s->t.a[h][slot][l] = pick(n, format, cases[i].a.low, cases[i].a.span);
            }
        }
    }
    for (unsigned k = 0; k < s->t.slots * 4; k++) {
        for (unsigned j = 0; j < 8; j++) {
            s->t.b[k][j / 4][j % 4] = pick(n, format, cases[i].b.low, cases[i].b.span);
        }
    }
    for (unsigned e = 0; e < 4; e++) {
        for (int l = 0; l < WARP_LANES; l++) {
            s->c[e][l] = pick(n, cases[i].half ? MMA_F16 : MMA_TF32, cases[i].c.low, cases[i].c.span);
        }
    }
    mma_take_exponents(&s->x, &s->t, &s->m);
}

/* Opposite products in the second half of k: what is left is what the cuts make of it. */
static void cancel(struct setting *s)
{
    const unsigned half = s->t.slots / 2;

    for (unsigned h = 0; h < 2; h++) {
        memcpy(s->t.a[h][half], s->t.a[h][0], half * sizeof s->t.a[h][0]);
    }
    for (unsigned k = 0; k < half * 4; k++) {
        for (unsigned j = 0; j < 8; j++) {
            s->t.b[half * 4 + k][j / 4][j % 4] = -s->t.b[k][j / 4][j % 4];
        }
    }
    mma_take_exponents(&s->x, &s->t, &s->m);
}

static void compare(struct setting *s, size_t i)
{
    _Alignas(64) float fast[4][WARP_LANES];

    cr_assert(s->x.fast, "case %zu leaves the fast path", i);
    memcpy(fast, s->c, sizeof fast);
    mma_step(&s->m, &s->t, &s->x, 0, fast, cases[i].half);
    for (unsigned e = 0; e < 4; e++) {
        for (int l = 0; l < WARP_LANES; l++) {
            const float exact = mma_exact(&s->m, &s->t, &s->x, 0, e / 2, e % 2, l, s->c[e][l], cases[i].half);
            /* Sums below f16 keep no more than that they are tiny. */
            const bool same = cases[i].half ? mma_round_f16(exact) == mma_round_f16(fast[e][l])
                                            : sem_bits_f32(exact) == sem_bits_f32(fast[e][l]);

            cr_assert(same, "case %zu element %u lane %d: fast %a, exact %a", i, e, l, (double)fast[e][l],
                      (double)exact);
        }
    }
}

Test(mma, fast_path_equals_the_definition)
{
    static struct setting s;
    struct numbers n = {1};

    for (size_t i = 0; i < CASES; i++) {
        for (int round = 0; round < ROUNDS; round++) {
            fill(&s, &n, i);
            compare(&s, i);
            cancel(&s);
            compare(&s, i);
        }
    }
}

Test(mma, extreme_factors_leave_the_fast_path)
{
    static const float extremes[] = {0x1p-51f, 0x1p63f, __builtin_inff(), 0x1p-130f};
    static struct setting s;
    struct numbers n = {2};

    for (size_t i = 0; i < sizeof extremes / sizeof extremes[0]; i++) {
        fill(&s, &n, 7);
        s.t.a[1][2][5] = extremes[i];
        mma_take_exponents(&s.x, &s.t, &s.m);
        cr_assert_not(s.x.fast, "%a", (double)extremes[i]);
        fill(&s, &n, 7);
        s.t.b[15][1][3] = -extremes[i];
        mma_take_exponents(&s.x, &s.t, &s.m);
        cr_assert_not(s.x.fast, "%a", (double)extremes[i]);
    }
}

/* --- one element -------------------------------------------------------------------------------------------------- */
/* The sum of two products and c. */
static uint32_t sum2(float a0, float b0, float a1, float b1, float c, unsigned format)
{
    static struct setting s;

    s.m = (struct sem_mma){.a = (uint8_t)format, .b = (uint8_t)format, .rows = 16, .a_regs = 2, .b_regs = 1};
    memset(&s.t, 0, sizeof s.t);
    mma_number_slots(&s.t, &s.m);
    memset(s.t.kept, 0xff, sizeof s.t.kept);
    s.t.a[0][0][0] = a0;
    s.t.a[0][0][1] = a1;
    s.t.b[s.t.k[0]][0][0] = b0;
    s.t.b[s.t.k[0] + s.t.elements][0][0] = b1;
    mma_take_exponents(&s.x, &s.t, &s.m);
    memset(s.c, 0, sizeof s.c);
    s.c[0][0] = c;
    mma_step(&s.m, &s.t, &s.x, 0, s.c, false);
    return sem_bits_f32(s.c[0][0]);
}

Test(mma, sums_are_cut_not_rounded)
{
    /* 1 + 2^-25 + 2^-25: each small term is cut away. */
    cr_assert_eq(sum2(1, 1, 0x1p-13f, 0x1p-13f, 0, MMA_F16), sem_bits_f32(1));
    /* 1 - 2^-24 is kept: 25 bits below the largest exponent are. */
    cr_assert_eq(sum2(1, 1, -0x1p-12f, 0x1p-12f, 0, MMA_F16), sem_bits_f32(1 - 0x1p-24f));
    /* 2^24 + 1 does not fit and is cut, 2^24 + 3 too: nearest even would be 2^24 + 4. */
    cr_assert_eq(sum2(0x1p12f, 0x1p12f, 3, 1, 0, MMA_F16), sem_bits_f32(0x1p24f + 2));
}

Test(mma, special_values)
{
    const float infinity = __builtin_inff(), nan = __builtin_nanf("");

    cr_assert_eq(sum2(infinity, 1, 1, 1, 0, MMA_BF16), 0x7f800000);
    cr_assert_eq(sum2(infinity, -1, 1, 1, 0, MMA_BF16), 0xff800000);
    cr_assert_eq(sum2(infinity, 0, 1, 1, 0, MMA_BF16), 0x7fffffff);
    cr_assert_eq(sum2(infinity, 1, infinity, -1, 0, MMA_BF16), 0x7fffffff);
    cr_assert_eq(sum2(1, 1, 1, 1, -infinity, MMA_BF16), 0xff800000);
    cr_assert_eq(sum2(1, nan, 1, 1, 0, MMA_BF16), 0x7fffffff);
    cr_assert_eq(sum2(0x1p100f, 0x1p100f, 0, 0, 0, MMA_BF16), 0x7f800000);
    cr_assert_eq(sum2(-0.0f, 1, 0, 0, -0.0f, MMA_BF16), 0);
    cr_assert_eq(sum2(0x1p-100f, 0x1p-100f, 0, 0, 0, MMA_BF16), 0);
    cr_assert_eq(sum2(0x1p-100f, 0x1p-100f, 0, 0, 0x1p-149f, MMA_BF16), 1);
    /* A tiny infinity's partner keeps its sign although the f32 product would vanish. */
    cr_assert_eq(sum2(infinity, -0x1p-133f, 1, 1, 0, MMA_BF16), 0xff800000);
}

/* --- metadata ----------------------------------------------------------------------------------------------------- */
Test(mma, metadata_places)
{
    const struct sem_mma halves = {.a = MMA_F16, .meta = MMA_META_HALVES, .selector = 1};
    const struct sem_mma pairs = {.a = MMA_S4, .meta = MMA_META_BYTES, .selector = 0};
    const struct sem_mma singles = {.a = MMA_TF32, .meta = MMA_META_HALVES, .selector = 0};
    uint32_t meta[WARP_LANES] = {0};

    /* Lane 6 (g = 1, q = 2), upper half: group 2 of lane 5's word. */
    meta[5] = 0xdu << (4 * 2 + 16);
    cr_assert_eq(mma_kept_place(&halves, meta, 6, 1, 0, 0), 1);
    cr_assert_eq(mma_kept_place(&halves, meta, 6, 1, 0, 1), 3);
    /* 4-bit elements are kept in pairs: positions 0 and 2 of group 5, which is the second of lane 2's register. */
    meta[0] = 0x8u << (4 * 5);
    cr_assert_eq(mma_kept_place(&pairs, meta, 2, 0, 0, 4), 8);
    cr_assert_eq(mma_kept_place(&pairs, meta, 2, 0, 0, 5), 9);
    cr_assert_eq(mma_kept_place(&pairs, meta, 2, 0, 0, 6), 12);
    /* tf32: 0x4 keeps the first of two, 0xe the second. */
    meta[0] = 0xe4;
    cr_assert_eq(mma_kept_place(&singles, meta, 0, 0, 0, 0), 0);
    cr_assert_eq(mma_kept_place(&singles, meta, 1, 0, 0, 0), 1);
}
