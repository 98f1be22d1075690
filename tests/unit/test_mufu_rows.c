/*
 * Handlers of the approximate functions (exec_mufu.inc), of every instruction set that this host has, against the
 * scalar meanings: full warps, some lanes, with and without ftz; rows of usual operands and rows with special ones
 * among them.
 */
#include "emu/code.h"
#include "emu/sem.h"
#include "emu/simd.h"
#include "emu/warp.h"

#include <criterion/criterion.h>

enum { ROWS_PER_CASE = 4000, ROW_BYTES = 4 * WARP_LANES };

/* Operands that are special to some function, or next to one that is. */
static const uint32_t corners[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff,
    0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x7e800000, 0x7e800001, 0xfe800001,
    0x7e7fffff, 0x3f800000, 0x3f7fffff, 0x3f800001, 0xbf800000, 0x40000000, 0x40800000, 0x43000000, 0x42ffffff,
    0xc2fc0000, 0xc2fc0001, 0xc3150000, 0xc3160000, 0x43800000, 0xc3800000, 0x3fc90fdb, 0x40490fdb, 0x4b800000,
    0xcb800000, 0x4f000000, 0x5f000000, 0x33000000, 0xb3000000,
};

/* Host's rounding and environment are the default ones in all of these. */
#define CALL_A(fn)                                         \
    static float fn##_lane(float a, float b, unsigned env) \
    {                                                      \
        (void)b;                                           \
        return sem_##fn##_f32(a, env);                     \
    }
#define CALL_AB(fn)                                        \
    static float fn##_lane(float a, float b, unsigned env) \
    {                                                      \
        return sem_##fn##_f32(a, b, env);                  \
    }
CALL_A(frcp_approx)
CALL_A(fsqrt_approx)
CALL_A(frsqrt_approx)
CALL_A(fex2_approx)
CALL_A(flg2_approx)
CALL_A(fsin_approx)
CALL_A(fcos_approx)
CALL_A(ftanh_approx)
CALL_AB(fdiv_approx)
CALL_AB(fdiv_full)

static const struct operation {
    const char *name;
    unsigned op;
    float (*lane)(float a, float b, unsigned env);
} operations[] = {
    {"rcp", IR_FRCP_APPROX, frcp_approx_lane},
    {"sqrt", IR_FSQRT_APPROX, fsqrt_approx_lane},
    {"rsqrt", IR_FRSQRT_APPROX, frsqrt_approx_lane},
    {"ex2", IR_FEX2, fex2_approx_lane},
    {"lg2", IR_FLG2, flg2_approx_lane},
    {"sin", IR_FSIN, fsin_approx_lane},
    {"cos", IR_FCOS, fcos_approx_lane},
    {"tanh", IR_FTANH, ftanh_approx_lane},
    {"div.approx", IR_FDIV_APPROX, fdiv_approx_lane},
    {"div.full", IR_FDIV_FULL, fdiv_full_lane},
};

/* xorshift32 */
static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Kinds of rows: all bit patterns; normal positive numbers near 1; numbers near 1 with one corner among them. */
static uint32_t operand(unsigned kind, int lane, uint32_t *state)
{
    const uint32_t x = next_random(state);

    if (kind == 0) {
        return x;
    }
    if (kind == 2 && lane == (int)(x >> 3 & 31)) {
        return corners[(x >> 8) % (sizeof corners / sizeof corners[0])];
    }
    return 0x3b000000 + x % 0x09000000;
}

static emu_handler find(const struct handler_set *set, unsigned op, unsigned form)
{
    for (size_t i = 0; i < set->n_rows; i++) {
        const struct handler_row *r = &set->rows[i];
        if (r->op == op && r->type == IR_F32 && r->type2 == 0 && r->form == form) {
            return r->fn;
        }
    }
    return NULL;
}

static const struct uop *stop(struct lanes *x, const struct uop *u, uint8_t *rows, uint8_t *scalars)
{
    (void)x, (void)u, (void)rows, (void)scalars;
    return NULL;
}

/* One row: a at 0, b after it, d after that; d holds `old` before. */
static void check_row(const struct handler_set *set, const struct operation *o, unsigned form, unsigned env,
                      unsigned kind, uint32_t *state)
{
    static _Alignas(64) uint32_t rows[3 * WARP_LANES], scalars[16];
    const uint32_t old = 0x12345678;
    struct lanes x = {.mask = form == FORM_FULL ? ALL_LANES : next_random(state)};
    _Alignas(64) struct uop code[2] = {
        {.full = stop, .part = stop, .a = 0, .b = ROW_BYTES, .d = 2 * ROW_BYTES, .env = (uint8_t)env},
        {.full = stop, .part = stop},
    };

    for (int l = 0; l < WARP_LANES; l++) {
        rows[l] = operand(kind, l, state);
        rows[WARP_LANES + l] = operand(kind, l, state);
        rows[2 * WARP_LANES + l] = old;
    }
    find(set, o->op, form)(&x, code, (uint8_t *)rows, (uint8_t *)scalars);
    for (int l = 0; l < WARP_LANES; l++) {
        const float a = sem_as_f32(rows[l]), b = sem_as_f32(rows[WARP_LANES + l]);
        const uint32_t want = x.mask >> l & 1 ? sem_bits_f32(o->lane(a, b, env)) : old;
        cr_assert_eq(rows[2 * WARP_LANES + l], want, "%s of %08x, %08x is %08x instead of %08x (%s, env %u)", o->name,
                     rows[l], rows[WARP_LANES + l], rows[2 * WARP_LANES + l], want, set->isa, env);
    }
}

static void check_set(const struct handler_set *set)
{
    uint32_t state = 1;

    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        for (unsigned n = 0; n < ROWS_PER_CASE; n++) {
            check_row(set, &operations[i], FORM_FULL, n & 1 ? FP_FTZ : 0, n / 2 % 3, &state);
            check_row(set, &operations[i], FORM_ANY, n & 1 ? FP_FTZ : 0, n / 2 % 3, &state);
        }
    }
}

Test(mufu_rows, equal_the_scalar_meanings)
{
    check_set(emu_handlers_pick("base"));
    check_set(emu_handlers_pick("v3"));
    check_set(emu_handlers_pick("v4"));
}
