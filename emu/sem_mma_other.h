/*
 * Matrix products of integers, bits and doubles, and the old product of f16 that has another layout.
 *
 * Sums of 8- and 4-bit products are formed in f32: exact, for at most 64 products below 2^16 stay far below 2^24.
 */
#ifndef EMU_SEM_MMA_OTHER_H
#define EMU_SEM_MMA_OTHER_H

#include "fpenv.h"
#include "sem_mma_float.h"

/* --- integers ----------------------------------------------------------------------------------------------------- */
/* The sums of the products of half h, 16 lanes from `l` on, for both columns. */
static inline void mma_int_sums(const struct mma_tile *t, unsigned h, int l, float out[2][WARP_LANES])
{
    const unsigned elements = t->elements;
    mma_f32s left = {0}, right = {0};

#define MMA_STEP(q)                                                      \
    {                                                                    \
        const mma_f32s va = MMA_OF_QUAD(mine, q);                        \
        const mma_f32x4 *vb = (const mma_f32x4 *)t->b[k + (q)*elements]; \
        left += va * MMA_FOR_ALL(vb[0]);                                 \
        right += va * MMA_FOR_ALL(vb[1]);                                \
    }
    for (unsigned s = 0; s < t->slots; s++) {
        const mma_f32s mine = *(const mma_f32s *)&t->a[h][s][l];
        const unsigned k = t->k[s];

        MMA_STEP(0)
        MMA_STEP(1)
        MMA_STEP(2)
        MMA_STEP(3)
    }
#undef MMA_STEP
    *(mma_f32s *)&out[0][l] = left;
    *(mma_f32s *)&out[1][l] = right;
}

/* c plus a small sum, wrapping or clamped. */
static inline void mma_int_finish(uint32_t d[WARP_LANES], const uint32_t *c, const int32_t sum[WARP_LANES],
                                  bool saturate)
{
    if (!saturate) {
        for_each_lane (l)
            d[l] = c[l] + (uint32_t)sum[l];
        return;
    }
    for_each_lane (l) {
        const int64_t exact = (int64_t)(int32_t)c[l] + sum[l];
        const int64_t low = exact < INT32_MIN ? INT32_MIN : exact;

        d[l] = (uint32_t)(int32_t)(low > INT32_MAX ? INT32_MAX : low);
    }
}

static inline void sem_mma_int(const struct sem_mma *m, const struct mma_rows *r, uint32_t (*d)[WARP_LANES])
{
    const unsigned acc = m->rows / 4u;
    struct mma_tile t;

    for (unsigned tile = 0; tile < m->tiles; tile++) {
        mma_take_a(&t, m, r->a + tile * m->a_step, r->meta);
        mma_take_b(&t, m, r->b + tile * m->b_step);
        for (unsigned h = 0; h < t.halves; h++) {
            _Alignas(64) float sum[2][WARP_LANES];

            mma_int_sums(&t, h, 0, sum);
            mma_int_sums(&t, h, WARP_LANES / 2, sum);
            for (unsigned j = 0; j < 2; j++) {
                const unsigned i = tile * acc + 2 * h + j;
                _Alignas(64) int32_t whole[WARP_LANES];

                for_each_lane (l)
                    whole[l] = (int32_t)sum[j][l];
                mma_int_finish(d[i], r->c[i], whole, m->saturate);
            }
        }
    }
}

/* --- bits --------------------------------------------------------------------------------------------------------- */
SEM uint32_t mma_ones(uint32_t x)
{
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f;
    return x * 0x01010101 >> 24;
}

/* The number of ones of one word of every lane's row of a combined with the word of its column of b. */
static inline void mma_bits_add(int32_t sum[WARP_LANES], const struct sem_mma *m, const uint32_t *a, const uint32_t *b,
                                unsigned j, unsigned q)
{
    _Alignas(64) uint32_t mine[WARP_LANES], theirs[WARP_LANES];

    for (unsigned l = 0; l < WARP_LANES; l++) {
        mine[l] = a[(l & ~3u) + q];
        theirs[l] = b[4 * (2 * (l & 3) + j) + q];
    }
    for_each_lane (l) {
        const uint32_t both = mine[l] & theirs[l], one = mine[l] ^ theirs[l];

        sum[l] += (int32_t)mma_ones(m->conjunction ? both : one);
    }
}

static inline void sem_mma_bits(const struct sem_mma *m, const struct mma_rows *r, uint32_t (*d)[WARP_LANES])
{
    const unsigned halves = m->rows / 8u;

    for (unsigned i = 0; i < 2 * halves; i++) {
        _Alignas(64) int32_t sum[WARP_LANES] = {0};

        for (unsigned pair = 0; pair < m->b_regs; pair++) {
            for (unsigned q = 0; q < 4; q++) {
                mma_bits_add(sum, m, r->a[pair * halves + i / 2], r->b[pair], i & 1, q);
            }
        }
        mma_int_finish(d[i], r->c[i], sum, false);
    }
}

/* --- f64: a chain of fused multiply-adds over ascending k, starting at c ------------------------------------------ */
static inline void mma_double_add(double sum[WARP_LANES], const double *a, const double *b, unsigned j, unsigned q)
{
    _Alignas(64) double mine[WARP_LANES], theirs[WARP_LANES];

    for (unsigned l = 0; l < WARP_LANES; l++) {
        mine[l] = a[(l & ~3u) + q];
        theirs[l] = b[4 * (2 * (l & 3) + j) + q];
    }
    for_each_lane (l)
        sum[l] = sem_fma_f64(mine[l], theirs[l], sum[l], 0);
}

static inline void sem_mma_double(const struct sem_mma *m, const struct mma_rows *r, double (*d)[WARP_LANES])
{
    const unsigned halves = m->rows / 8u, saved = fp_enter(m->round);

    for (unsigned i = 0; i < 2 * halves; i++) {
        memcpy(d[i], r->c[i], sizeof d[i]);
        for (unsigned pair = 0; pair < m->b_regs; pair++) {
            for (unsigned q = 0; q < 4; q++) {
                mma_double_add(d[i], r->a[pair * halves + i / 2], r->b[pair], i & 1, q);
            }
        }
    }
    fp_leave(saved);
}

/* --- m8n8k4 of f16 ------------------------------------------------------------------------------------------------ */
/*
 * Four independent products.  The lanes 4p to 4p + 3 and 16 + 4p to 16 + 4p + 3 form one; of its 8 rows of a, columns
 * of b and rows of an f16 c each of these lanes holds one, or, in the other memory order, the same k of four of them.
 */
static inline float mma_quad_element(const void *const *regs, int lane, unsigned outer, unsigned k, bool spread)
{
    const unsigned first = ((unsigned)lane & 12) + (outer >= 4 ? 16 : 0);
    const unsigned from = first + (spread ? k : outer & 3), i = spread ? outer & 3 : k;
    const uint32_t *reg = regs[i / 2];

    return sem_f16_to_f32((uint16_t)(reg[from] >> 16 * (i & 1)));
}

/* The row and column of element i of an accumulator. */
static inline void mma_quad_place(unsigned format, int lane, unsigned i, unsigned *row, unsigned *column)
{
    const unsigned l = (unsigned)lane, upper = l >= 16 ? 4 : 0;

    if (format == MMA_F16) {
        *row = (l & 3) + upper;
        *column = i;
    } else {
        *row = (l & 1) + upper + (i & 2);
        *column = (l & 2) + (i & 1) + (i & 4);
    }
}

/* c of a row and column: wherever its layout has it. */
static inline float mma_quad_c(const struct sem_mma *m, const void *const *c, int lane, unsigned row, unsigned column)
{
    const unsigned first = ((unsigned)lane & 12) + (row >= 4 ? 16 : 0);
    const uint32_t *reg;

    if (m->c == MMA_F16) {
        reg = c[column / 2];
        return sem_f16_to_f32((uint16_t)(reg[first + (row & 3)] >> 16 * (column & 1)));
    }
    reg = c[(column & 1) + (row & 2) + (column & 4)];
    return sem_as_f32(reg[first + (row & 1) + (column & 2)]);
}

static inline float mma_quad_sum(const struct sem_mma *m, const float a[4], const float b[4], float c)
{
    if (m->d == MMA_F16) {
        const float low = sem_fma_f32(a[1], b[1], sem_fmul_f32(a[0], b[0], 0), 0);
        const float high = sem_fma_f32(a[3], b[3], sem_fmul_f32(a[2], b[2], 0), 0);

        return sem_fadd_f32(sem_fadd_f32(low, high, 0), c, 0);
    }
    float sum = 0;

    for (int k = 0; k < 4; k++) {
        sum = sem_fma_f32(a[k], b[k], sum, 0);
    }
    return sem_fadd_f32(c, sum, 0);
}

static inline void sem_mma_quads(const struct sem_mma *m, const struct mma_rows *r, uint32_t (*d)[WARP_LANES])
{
    for (unsigned i = 0; i < 8; i++) {
        _Alignas(64) float out[WARP_LANES];

        for (int l = 0; l < WARP_LANES; l++) {
            unsigned row, column;
            float a[4], b[4];

            mma_quad_place(m->d, l, i, &row, &column);
            for (unsigned k = 0; k < 4; k++) {
                a[k] = mma_quad_element(r->a, l, row, k, m->a_column);
                b[k] = mma_quad_element(r->b, l, column, k, !m->b_column);
            }
            out[l] = mma_quad_sum(m, a, b, mma_quad_c(m, r->c, l, row, column));
        }
        mma_put_d(d, m->d, i, out, true);
    }
}

/* --- all ---------------------------------------------------------------------------------------------------------- */
static inline void sem_mma(const struct sem_mma *m, const struct mma_rows *r, union mma_result *d)
{
    switch (m->kind) {
    case MMA_KIND_FLOAT:
        sem_mma_float(m, r, d->words);
        break;
    case MMA_KIND_INT:
        sem_mma_int(m, r, d->words);
        break;
    case MMA_KIND_BITS:
        sem_mma_bits(m, r, d->words);
        break;
    case MMA_KIND_DOUBLE:
        sem_mma_double(m, r, d->doubles);
        break;
    default:
        sem_mma_quads(m, r, d->words);
        break;
    }
}

#endif
