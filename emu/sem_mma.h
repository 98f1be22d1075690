/*
 * Matrix products over a warp: what they are made of, and where the elements lie.
 *
 * Every product but the old m8n8k4 of f16 is a number of tiles of 16 or 8 rows and 8 columns.  With g = lane / 4, q =
 * lane % 4 and e elements per 32-bit register (1 for tf32 and f64), a lane holds of one tile
 *
 *     a, 16 rows   register r, element i: row g + 8 * (r & 1), k = (r >> 1) * 4e + q * e + i
 *     a, 8 rows    register r, element i: row g,               k = r * 4e + q * e + i
 *     b            register r, element i: column g,            k = r * 4e + q * e + i
 *     c, d         element i: row g + 8 * (i >> 1), column 2q + (i & 1)
 *
 * So all that rows of lanes need to compute element i of every lane is, for each k, the value of a that one lane of
 * their group of four holds, and four values of b, the same for all groups.  Element i = 2h + j is called that of half
 * h and column j.  A slot is a place in a's registers of one half: slot s of lane q holds k = k(s) + q * E, where E is
 * the number of elements that a register stands for (twice e if a is sparse).
 *
 * Unlike other meanings these work on whole rows: the lanes' values belong together.
 */
#ifndef EMU_SEM_MMA_H
#define EMU_SEM_MMA_H

#include "simd.h"
#include "sem_env.h"
#include "sem_narrow.h"
#include "sem_cvt_packed.h"

enum mma_kind { MMA_KIND_FLOAT, MMA_KIND_INT, MMA_KIND_BITS, MMA_KIND_DOUBLE, MMA_KIND_QUADS };
enum mma_format {
    MMA_F16,
    MMA_BF16,
    MMA_TF32,
    MMA_E4M3,
    MMA_E5M2,
    MMA_F32,
    MMA_F64,
    MMA_S8,
    MMA_U8,
    MMA_S4,
    MMA_U4,
    MMA_B1,
    MMA_S32
};
/* How the products of a float instruction are divided into sums that are rounded one after the other. */
enum mma_steps {
    MMA_ONE_STEP,
    MMA_STEP_PAIRS,   /* fp8: first k % 4 in {0, 1}, then {2, 3} */
    MMA_STEP_QUADS,   /* sparse fp8: first k / 4 even, then odd */
    MMA_STEP_REGISTER /* wmma on tf32: register after register */
};
/* Where the metadata of a sparse a lies: see mma_metadata. */
enum mma_meta { MMA_DENSE, MMA_META_HALVES, MMA_META_HALVES_WIDE, MMA_META_BYTES, MMA_META_BYTES_WIDE };

struct sem_mma {
    uint8_t kind;           /* enum mma_kind */
    uint8_t a, b, c, d;     /* enum mma_format */
    uint8_t rows;           /* of a tile: 16 or 8 */
    uint8_t a_regs, b_regs; /* of a tile */
    uint8_t tiles;
    uint8_t a_step, b_step;     /* registers from one tile's a (b) to the next one's */
    uint8_t steps;              /* enum mma_steps */
    uint8_t meta;               /* enum mma_meta */
    uint8_t selector;           /* which lanes of a group give the metadata */
    uint8_t round;              /* enum sem_round: f64 */
    uint8_t saturate;           /* clamp the sum to s32 */
    uint8_t conjunction;        /* b1: and, else exclusive or */
    uint8_t a_column, b_column; /* MMA_KIND_QUADS: order in memory */
};

enum { MMA_MOST_REGS = 8, MMA_MOST_SLOTS = 32, MMA_MOST_K = 128 };

/* The rows of an instruction: 32-bit lanes, or 64-bit ones for f64. */
struct mma_rows {
    const void *a[MMA_MOST_REGS], *b[MMA_MOST_REGS], *c[MMA_MOST_REGS];
    const uint32_t *meta;
};
/* Results: registers of 32 lanes. */
union mma_result {
    _Alignas(64) uint32_t words[MMA_MOST_REGS][WARP_LANES];
    double doubles[MMA_MOST_REGS / 2][WARP_LANES];
};

/* --- half a row: 16 lanes ----------------------------------------------------------------------------------------- */
typedef float mma_f32s __attribute__((vector_size(64), may_alias));
typedef int32_t mma_s32s __attribute__((vector_size(64), may_alias));
typedef float mma_f32x4 __attribute__((vector_size(16), may_alias));
typedef int32_t mma_s32x4 __attribute__((vector_size(16), may_alias));
/* A quarter of a row. */
typedef int32_t mma_s32q __attribute__((vector_size(32), may_alias));
typedef float mma_f32q __attribute__((vector_size(32), may_alias));
typedef int64_t mma_s64q __attribute__((vector_size(64), may_alias));
typedef double mma_f64q __attribute__((vector_size(64), may_alias));

/* `yes` where a comparison gave true, else `no`; all of integer vectors. */
#define MMA_SELECT(truth, yes, no) (((truth) & (yes)) | (~(truth) & (no)))
#if defined(__clang__)
#define MMA_MAX(a, b) __builtin_elementwise_max(a, b)
#else
#define MMA_MAX(a, b) MMA_SELECT((a) > (b), a, b)
#endif

/* In every group of four lanes, the value of its lane q. */
#define MMA_OF_QUAD(v, q)                                                                                             \
    __builtin_shufflevector(v, v, q, q, q, q, 4 + (q), 4 + (q), 4 + (q), 4 + (q), 8 + (q), 8 + (q), 8 + (q), 8 + (q), \
                            12 + (q), 12 + (q), 12 + (q), 12 + (q))
/* Four values, the same for all groups. */
#define MMA_FOR_ALL(four) __builtin_shufflevector(four, four, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3)

/* --- elements ----------------------------------------------------------------------------------------------------- */
static inline unsigned mma_bits(unsigned format)
{
    static const uint8_t bits[] = {[MMA_F16] = 16, [MMA_BF16] = 16, [MMA_TF32] = 32, [MMA_E4M3] = 8, [MMA_E5M2] = 8,
                                   [MMA_F32] = 32, [MMA_F64] = 64,  [MMA_S8] = 8,    [MMA_U8] = 8,   [MMA_S4] = 4,
                                   [MMA_U4] = 4,   [MMA_B1] = 1,    [MMA_S32] = 32};

    return bits[format];
}

/* Elements that a register holds; elements of a that it stands for. */
static inline unsigned mma_per_register(unsigned format)
{
    const unsigned bits = mma_bits(format);

    return bits >= 32 ? 1 : 32 / bits;
}

static inline unsigned mma_a_elements(const struct sem_mma *m)
{
    return mma_per_register(m->a) << (m->meta != MMA_DENSE);
}

/* Element i of every lane's register, exactly, as f32. */
#define MMA_UNPACK(value)                   \
    for_each_lane (l) {                     \
        const uint32_t x = reg[l] >> shift; \
        out[l] = (value);                   \
    }                                       \
    break;
static inline void mma_unpack(float out[WARP_LANES], const uint32_t *reg, unsigned format, unsigned i)
{
    const unsigned shift = i * (mma_bits(format) & 31);

    switch (format) {
    case MMA_F16:
        MMA_UNPACK(sem_f16_to_f32((uint16_t)x))
    case MMA_BF16:
        MMA_UNPACK(sem_bf16_to_f32((uint16_t)x))
    case MMA_TF32: /* the low 13 bits are not looked at */
        MMA_UNPACK(sem_as_f32(x & ~0x1fffu))
    case MMA_E4M3:
        MMA_UNPACK(sem_f16_to_f32((uint16_t)sem_cvt_f16x2_e4m3x2((uint16_t)(x & 0xff), SEM_RN, 0)))
    case MMA_E5M2:
        MMA_UNPACK(sem_f16_to_f32((uint16_t)(x << 8)))
    case MMA_S8:
        MMA_UNPACK((float)(int8_t)x)
    case MMA_U8:
        MMA_UNPACK((float)(uint8_t)x)
    case MMA_S4:
        MMA_UNPACK((float)((int32_t)(x << 28) >> 28))
    case MMA_U4:
        MMA_UNPACK((float)(x & 15))
    default:
        MMA_UNPACK(sem_as_f32(x))
    }
}
#undef MMA_UNPACK

/* --- metadata of a sparse a --------------------------------------------------------------------------------------- */
/* The 4-bit field that says which elements of one group of k are kept in the lane's row of half h. */
static inline unsigned mma_metadata(const struct sem_mma *m, const uint32_t *meta, int lane, unsigned h, unsigned group)
{
    const unsigned first = (unsigned)lane & ~3u, sel = m->selector;

    switch (m->meta) {
    case MMA_META_HALVES: /* four groups */
        return meta[first + (sel & 3)] >> (4 * group + 16 * h) & 15;
    case MMA_META_HALVES_WIDE: /* eight */
        return meta[first + 2 * (sel & 1) + group / 4] >> (4 * (group % 4) + 16 * h) & 15;
    case MMA_META_BYTES: /* eight */
        return meta[first + 2 * (sel & 1) + h] >> (4 * group) & 15;
    default: /* sixteen */
        return meta[first + 2 * (group / 8) + h] >> (4 * (group % 8)) & 15;
    }
}

/*
 * Where the i-th kept element of a register stands among the elements the register stands for.  A field has two 2-bit
 * positions, the lower one first; they count elements, for 4-bit types pairs of elements, for tf32 halves of them.
 */
static inline unsigned mma_kept_place(const struct sem_mma *m, const uint32_t *meta, int lane, unsigned h,
                                      unsigned pair, unsigned i)
{
    const unsigned bits = mma_bits(m->a), fields = bits <= 8 ? 2 : 1, unit = bits == 4 ? 2 : 1;
    const unsigned field = bits == 32 ? 0 : i / (2 * unit), second = bits == 32 ? 0 : i / unit % 2;
    const unsigned group = (4 * pair + ((unsigned)lane & 3)) * fields + field;
    const unsigned place = mma_metadata(m, meta, lane, h, group) >> (2 * second) & 3;

    return bits == 32 ? place >> 1 : (4 * field + place) * unit + i % unit;
}

/* --- a and b of a tile, unpacked ---------------------------------------------------------------------------------- */
struct mma_tile {
    _Alignas(64) float a[2][MMA_MOST_SLOTS][WARP_LANES]; /* by half and slot */
    _Alignas(64) float b[MMA_MOST_K][2][4];              /* by k and column: of column 2q + j the q-th */
    lane_mask kept[2][MMA_MOST_SLOTS];                   /* lanes whose element is not left out */
    uint16_t k[MMA_MOST_SLOTS]; /* of a slot in the lanes with q = 0; the next lane's is `elements` further */
    unsigned slots, halves;
    unsigned elements; /* of a that a register stands for */
};

static inline void mma_take_sparse(struct mma_tile *t, const struct sem_mma *m, const uint32_t *meta, unsigned h,
                                   unsigned pair, unsigned i, const float value[WARP_LANES])
{
    for (int l = 0; l < WARP_LANES; l++) {
        const unsigned s = pair * t->elements + mma_kept_place(m, meta, l, h, pair, i);

        t->a[h][s][l] = value[l];
        t->kept[h][s] |= lane_bit(l);
    }
}

static inline void mma_number_slots(struct mma_tile *t, const struct sem_mma *m)
{
    t->halves = m->rows / 8u;
    t->elements = mma_a_elements(m);
    t->slots = m->a_regs / t->halves * t->elements;
    for (unsigned s = 0, first = 0; s < t->slots; first += 4 * t->elements) {
        for (unsigned i = 0; i < t->elements; i++) {
            t->k[s++] = (uint16_t)(first + i);
        }
    }
}

static inline void mma_take_a(struct mma_tile *t, const struct sem_mma *m, const void *const *a, const uint32_t *meta)
{
    const unsigned halves = m->rows / 8u, e = mma_per_register(m->a);
    const bool sparse = m->meta != MMA_DENSE;

    mma_number_slots(t, m);
    if (sparse) {
        memset(t->a, 0, sizeof t->a);
    }
    memset(t->kept, sparse ? 0 : 0xff, sizeof t->kept);
    for (unsigned r = 0; r < m->a_regs; r++) {
        const unsigned h = halves == 2 ? r & 1 : 0, pair = r / halves;

        for (unsigned i = 0; i < e; i++) {
            _Alignas(64) float value[WARP_LANES];

            mma_unpack(sparse ? value : t->a[h][pair * e + i], a[r], m->a, i);
            if (sparse) {
                mma_take_sparse(t, m, meta, h, pair, i, value);
            }
        }
    }
}

static inline void mma_take_b(struct mma_tile *t, const struct sem_mma *m, const void *const *b)
{
    const unsigned e = mma_per_register(m->b);

    for (unsigned r = 0; r < m->b_regs; r++) {
        for (unsigned i = 0; i < e; i++) {
            _Alignas(64) float value[WARP_LANES];

            mma_unpack(value, b[r], m->b, i);
            for (unsigned l = 0; l < WARP_LANES; l++) {
                t->b[r * 4 * e + (l & 3) * e + i][l >> 2 & 1][l >> 3] = value[l];
            }
        }
    }
}

#endif
