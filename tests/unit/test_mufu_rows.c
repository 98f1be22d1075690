/*
 * Handlers that take a row in steps (exec_mufu.inc, exec_half.inc), of every instruction set that this host has,
 * against the scalar meanings: full warps, some lanes, with and without ftz; rows of usual operands and rows with
 * special ones among them; for halves and one source, every operand there is.
 */
#include "emu/code.h"
#include "emu/sem.h"
#include "emu/simd.h"
#include "emu/warp.h"

#include <criterion/criterion.h>

enum { ROWS_PER_CASE = 3000, ROW_BYTES = 8 * WARP_LANES, SOURCES = 3 };

/* Operands that are special to some function of f32, or next to one that is. */
static const uint32_t corners_32[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff,
    0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x7e800000, 0x7e800001, 0xfe800001,
    0x7e7fffff, 0x3f800000, 0x3f7fffff, 0x3f800001, 0xbf800000, 0x40000000, 0x40800000, 0x43000000, 0x42ffffff,
    0xc2fc0000, 0xc2fc0001, 0xc3150000, 0xc3160000, 0x43800000, 0xc3800000, 0x3fc90fdb, 0x40490fdb, 0x4b800000,
    0xcb800000, 0x4f000000, 0x5f000000, 0x33000000, 0xb3000000,
};

/* Likewise, high words of f64; the low word is random. */
static const uint32_t corners_64[] = {
    0x00000000, 0x80000000, 0x00000001, 0x000fffff, 0x800fffff, 0x00100000, 0x80100000, 0x001fffff, 0x00200000,
    0x7ff00000, 0xfff00000, 0x7ff00001, 0x7ff80000, 0xfff80001, 0x7fefffff, 0x7fe00000, 0x7fd00000, 0x7fd00001,
    0x7fdfffff, 0x7fcfffff, 0x3ff00000, 0x3fefffff, 0x40000000, 0x40100000, 0xbff00000,
};

/* Of f16 and of bf16: zeros, subnormals, one, largest numbers, infinities, NaNs. */
static const uint16_t corners_16[] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
    0x7c01, 0xffff, 0x007f, 0x807f, 0x0080, 0x8080, 0x3f80, 0xbf80, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7f81, 0x7fff,
};

/* A source or result of any type, in its low bytes. */
typedef uint64_t value;

static value of_f32(float x)
{
    return sem_bits_f32(x);
}
static float as_f32(value x)
{
    return sem_as_f32((uint32_t)x);
}
static value of_f64(double x)
{
    return sem_bits_f64(x);
}
static double as_f64(value x)
{
    return sem_as_f64(x);
}

/* Host's rounding and environment are the default ones in all of these. */
#define LANE(name, result)                                            \
    static value name##_lane(value a, value b, value c, unsigned env) \
    {                                                                 \
        (void)b, (void)c, (void)env;                                  \
        return (result);                                              \
    }
#define LANE_F32(fn)   LANE(fn##_f32, of_f32(sem_##fn##_f32(as_f32(a), env)))
#define LANE_F32_2(fn) LANE(fn##_f32, of_f32(sem_##fn##_f32(as_f32(a), as_f32(b), env)))
#define LANE_F64(fn)   LANE(fn##_f64, of_f64(sem_##fn##_f64(as_f64(a), env)))
#define LANE_1(fn, t)  LANE(fn##_##t, sem_##fn##_##t((sem_t_##t)a, env))
#define LANE_2(fn, t)  LANE(fn##_##t, sem_##fn##_##t((sem_t_##t)a, (sem_t_##t)b, env))
#define LANE_3(fn, t)  LANE(fn##_##t, sem_##fn##_##t((sem_t_##t)a, (sem_t_##t)b, (sem_t_##t)c, env))
#define LANES_HALF(t)      \
    LANE_1(fex2_approx, t) \
    LANE_1(ftanh_approx, t) LANE_2(fadd, t) LANE_2(fsub, t) LANE_2(fmul, t) LANE_3(fma, t)
LANE_F32(frcp_approx)
LANE_F32(fsqrt_approx)
LANE_F32(frsqrt_approx)
LANE_F32(fex2_approx)
LANE_F32(flg2_approx)
LANE_F32(fsin_approx)
LANE_F32(fcos_approx)
LANE_F32(ftanh_approx)
LANE_F32_2(fdiv_approx)
LANE_F32_2(fdiv_full)
LANE_F64(frcp_approx)
LANE_F64(frsqrt_approx)
LANES_HALF(f16)
LANES_HALF(bf16)
LANES_HALF(f16x2)
LANES_HALF(bf16x2)
LANE(cvt_f32_f16, of_f32(sem_cvt_f32_f16((uint16_t)a, SEM_RN, env)))
LANE(cvt_f16_f32, sem_cvt_f16_f32(as_f32(a), SEM_RN, env))

static const struct operation {
    const char *name;
    unsigned op, type, type2;
    unsigned from, to; /* bytes of an operand and of the result */
    unsigned sources;
    value (*lane)(value a, value b, value c, unsigned env);
} operations[] = {
#define ROW_32(op, fn, sources)                          \
    {                                                    \
#fn, op, IR_F32, 0, 4, 4, sources, fn##_f32_lane \
    }
#define ROW_64(op, fn)                                    \
    {                                                     \
#fn ".f64", op, IR_F64, 0, 8, 8, 1, fn##_f64_lane \
    }
#define ROW_OF(op, fn, t, T, bytes, sources)                         \
    {                                                                \
#fn "." #t, op, T, 0, bytes, bytes, sources, fn##_##t##_lane \
    }
#define ROWS_HALF(t, T, bytes)                                                                    \
    ROW_OF(IR_FEX2, fex2_approx, t, T, bytes, 1), ROW_OF(IR_FTANH, ftanh_approx, t, T, bytes, 1), \
        ROW_OF(IR_FADD, fadd, t, T, bytes, 2), ROW_OF(IR_FSUB, fsub, t, T, bytes, 2),             \
        ROW_OF(IR_FMUL, fmul, t, T, bytes, 2), ROW_OF(IR_FMA, fma, t, T, bytes, 3)
    ROW_32(IR_FRCP_APPROX, frcp_approx, 1),
    ROW_32(IR_FSQRT_APPROX, fsqrt_approx, 1),
    ROW_32(IR_FRSQRT_APPROX, frsqrt_approx, 1),
    ROW_32(IR_FEX2, fex2_approx, 1),
    ROW_32(IR_FLG2, flg2_approx, 1),
    ROW_32(IR_FSIN, fsin_approx, 1),
    ROW_32(IR_FCOS, fcos_approx, 1),
    ROW_32(IR_FTANH, ftanh_approx, 1),
    ROW_32(IR_FDIV_APPROX, fdiv_approx, 2),
    ROW_32(IR_FDIV_FULL, fdiv_full, 2),
    ROW_64(IR_FRCP_APPROX, frcp_approx),
    ROW_64(IR_FRSQRT_APPROX, frsqrt_approx),
    ROWS_HALF(f16, IR_F16, 2),
    ROWS_HALF(bf16, IR_BF16, 2),
    ROWS_HALF(f16x2, IR_F16X2, 4),
    ROWS_HALF(bf16x2, IR_BF16X2, 4),
    {"cvt.f32.f16", IR_CVT, IR_F32, IR_F16, 2, 4, 1, cvt_f32_f16_lane},
    {"cvt.f16.f32", IR_CVT, IR_F16, IR_F32, 4, 2, 1, cvt_f16_f32_lane},
};

/* xorshift32 */
static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

#define PICK_OF(list, x) list[(x) % (sizeof list / sizeof list[0])]

/* Kinds of rows: all bit patterns; normal positive numbers near 1; numbers near 1 with one corner among them. */
static uint32_t operand_32(unsigned kind, int lane, uint32_t *state)
{
    const uint32_t x = next_random(state);

    if (kind == 0) {
        return x;
    }
    if (kind == 2 && lane == (int)(x >> 3 & 31)) {
        return PICK_OF(corners_32, x >> 8);
    }
    return 0x3b000000 + x % 0x09000000;
}

static value operand_64(unsigned kind, uint32_t *state)
{
    const uint32_t low = next_random(state), x = next_random(state);
    const uint32_t high = kind == 0                 ? x
                          : kind == 2 && x % 8 == 0 ? PICK_OF(corners_64, x >> 8)
                                                    : 0x3f000000 + x % 0x01f00000;

    return (value)high << 32 | low;
}

static uint32_t operand_16(unsigned kind, uint32_t *state)
{
    const uint32_t x = next_random(state);

    return kind == 2 && x % 4 == 0 ? PICK_OF(corners_16, x >> 8) : x >> 16;
}

static value operand(const struct operation *o, unsigned kind, int lane, uint32_t *state)
{
    const bool is_pair = o->type == IR_F16X2 || o->type == IR_BF16X2;

    if (o->from == 8) {
        return operand_64(kind, state);
    }
    if (o->from == 4 && !is_pair) {
        return operand_32(kind, lane, state);
    }
    return operand_16(kind, state) | (is_pair ? operand_16(kind, state) << 16 : 0);
}

static emu_handler find(const struct handler_set *set, const struct operation *o, unsigned form)
{
    for (size_t i = 0; i < set->n_rows; i++) {
        const struct handler_row *r = &set->rows[i];
        if (r->op == o->op && r->type == o->type && r->type2 == o->type2 && r->form == form) {
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

static void put(uint8_t *row, unsigned bytes, int lane, value v)
{
    memcpy(row + (size_t)lane * bytes, &v, bytes); /* little-endian, as all hosts with several handler sets */
}

static value get(const uint8_t *row, unsigned bytes, int lane)
{
    value v = 0;

    memcpy(&v, row + (size_t)lane * bytes, bytes);
    return v;
}

/* One row: a at 0, b and c after it, d after that; d holds `old` before. */
static void check_row(const struct handler_set *set, const struct operation *o, unsigned form, unsigned env,
                      const value sources[SOURCES][WARP_LANES], lane_mask mask)
{
    static _Alignas(64) uint8_t rows[(SOURCES + 1) * ROW_BYTES], scalars[64];
    uint8_t *const d = rows + SOURCES * ROW_BYTES;
    const value old = 0x1234567812345678u;
    struct lanes x = {.mask = mask};
    _Alignas(64) struct uop code[2] = {
        {.full = stop,
         .part = stop,
         .a = 0,
         .b = ROW_BYTES,
         .c = 2 * ROW_BYTES,
         .d = SOURCES * ROW_BYTES,
         .env = (uint8_t)env},
        {.full = stop, .part = stop},
    };

    for (int l = 0; l < WARP_LANES; l++) {
        for (int i = 0; i < SOURCES; i++) {
            put(rows + i * ROW_BYTES, o->from, l, sources[i][l]);
        }
        put(d, o->to, l, old);
    }
    find(set, o, form)(&x, code, rows, scalars);
    for (int l = 0; l < WARP_LANES; l++) {
        const value a = sources[0][l], b = sources[1][l], c = sources[2][l], got = get(d, o->to, l);
        const value kept = old & (~(value)0 >> (64 - 8 * o->to));
        const value want = mask >> l & 1 ? o->lane(a, b, c, env) : kept;
        cr_assert(got == want, "%s of %llx, %llx, %llx is %llx instead of %llx (%s, env %u)", o->name,
                  (unsigned long long)a, (unsigned long long)b, (unsigned long long)c, (unsigned long long)got,
                  (unsigned long long)want, set->isa, env);
    }
}

static void check_random(const struct handler_set *set, const struct operation *o, uint32_t *state)
{
    for (unsigned n = 0; n < ROWS_PER_CASE; n++) {
        /* conversions' full handlers are for no modifiers */
        const unsigned env = n & 1 && o->op != IR_CVT ? FP_FTZ : 0;
        value sources[SOURCES][WARP_LANES];

        for (int l = 0; l < WARP_LANES; l++) {
            for (int i = 0; i < SOURCES; i++) {
                sources[i][l] = operand(o, n / 2 % 3, l, state);
            }
        }
        check_row(set, o, FORM_FULL, env, sources, ALL_LANES);
        check_row(set, o, FORM_ANY, env, sources, next_random(state));
    }
}

/* All f16 or bf16, twice in a pair. */
static void check_all_halves(const struct handler_set *set, const struct operation *o)
{
    for (unsigned first = 0; first < 0x10000; first += WARP_LANES) {
        value sources[SOURCES][WARP_LANES] = {{0}};

        for (unsigned l = 0; l < WARP_LANES; l++) {
            sources[0][l] = o->from == 2 ? first + l : (first + l) * 0x10001u;
        }
        check_row(set, o, FORM_FULL, 0, sources, ALL_LANES);
    }
}

static void check_set(const struct handler_set *set)
{
    uint32_t state = 1;

    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        const struct operation *o = &operations[i];

        check_random(set, o, &state);
        if (o->sources == 1 && (o->from == 2 || o->type == IR_F16X2 || o->type == IR_BF16X2)) {
            check_all_halves(set, o);
        }
    }
}

Test(mufu_rows, equal_the_scalar_meanings)
{
    check_set(emu_handlers_pick("base"));
    check_set(emu_handlers_pick("v3"));
    check_set(emu_handlers_pick("v4"));
}
