/*
 * Meanings of the video instructions: scalar (vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vset, vmad) and SIMD
 * (vadd2 ... vset4).
 *
 * All follow one pipeline; struct sem_video says what each stage does, and a handler passes the same struct for all
 * lanes:
 *
 *   a, b --select parts, extend--> operation --saturate--> t --+--> secondary operation with c
 *                                                              +--> merge into the parts of c
 *
 * Values between the stages are exact (64 bits).  GPUs since Maxwell run the scalar instructions as sequences that
 * deviate from the manual; what they compute is reproduced here, at the places marked "measured".
 */
#ifndef EMU_SEM_VIDEO_H
#define EMU_SEM_VIDEO_H

#include "sem_cmp.h"
#include "sem_bits.h"

enum sem_video_op {
    VIDEO_ADD,
    VIDEO_SUB,
    VIDEO_ABSDIFF,
    VIDEO_MIN,
    VIDEO_MAX,
    VIDEO_AVRG,
    VIDEO_SHL,
    VIDEO_SHR,
    VIDEO_SET,
    VIDEO_MAD
};

enum sem_video_part { PART_B0, PART_B1, PART_B2, PART_B3, PART_H0, PART_H1, PART_WORD };

enum sem_video_second { SECOND_NONE, SECOND_ADD, SECOND_MIN, SECOND_MAX };

struct sem_video {
    uint8_t op;                        /* enum sem_video_op */
    uint8_t cmp;                       /* enum sem_cmp of vset */
    uint8_t second;                    /* enum sem_video_second */
    bool a_signed, b_signed, d_signed; /* operand and destination types are s32; vset has no destination type: as a */
    bool sat;                          /* clamp to the destination type, of the size of the destination part */
    bool wrap;                         /* vshl, vshr: amount modulo 32; otherwise clamped at 32 */
    bool negate_product, negate_c;     /* vmad: one of a, b negated; c negated */
    bool plus_one;                     /* vmad.po */
    uint8_t shift;                     /* vmad: 0, 7 or 15 */
    uint8_t a_part, b_part, d_part;    /* scalar: enum sem_video_part; d_part other than PART_WORD merges into c */
    uint8_t elements;                  /* SIMD: 2 or 4 */
    uint8_t mask;                      /* SIMD: bit i set: element i is written (or added) */
    uint16_t a_select, b_select;       /* SIMD: nibble i: which part of b:a (0 is the lowest of a) is element i */
};

SEM unsigned sem_part_bits(unsigned part)
{
    return part == PART_WORD ? 32 : part >= PART_H0 ? 16 : 8;
}

SEM unsigned sem_part_position(unsigned part)
{
    return part == PART_WORD ? 0 : part >= PART_H0 ? 16 * (part - PART_H0) : 8 * part;
}

/* The low `bits` of x, sign- or zero-extended. */
SEM int64_t sem_extend(uint64_t x, unsigned bits, bool is_signed)
{
    uint64_t unused = 64 - bits;

    return is_signed ? (int64_t)(x << unused) >> unused : (int64_t)(x << unused >> unused);
}

SEM int64_t sem_video_select(uint32_t x, unsigned part, bool is_signed)
{
    return sem_extend(x >> sem_part_position(part), sem_part_bits(part), is_signed);
}

/* Clamp to a signed or unsigned integer of `bits` bits. */
SEM int64_t sem_clamp_width(int64_t x, unsigned bits, bool is_signed)
{
    int64_t high = is_signed ? ((int64_t)1 << (bits - 1)) - 1 : ((int64_t)1 << bits) - 1;
    int64_t low = is_signed ? -high - 1 : 0;

    return x < low ? low : x > high ? high : x;
}

SEM bool sem_video_is_shift(const struct sem_video *v)
{
    return v->op == VIDEO_SHL || v->op == VIDEO_SHR;
}

SEM bool sem_video_is_sum(const struct sem_video *v)
{
    return v->op == VIDEO_ADD || v->op == VIDEO_SUB;
}

SEM int64_t sem_video_shift(const struct sem_video *v, int64_t a, int64_t b)
{
    uint32_t amount = (uint32_t)b;

    amount = v->wrap ? amount & 31 : amount > 32 ? 32 : amount;
    return v->op == VIDEO_SHL ? (int64_t)((uint64_t)a << amount) : a >> amount;
}

SEM int64_t sem_video_operate(const struct sem_video *v, int64_t a, int64_t b)
{
    switch (v->op) {
    case VIDEO_ADD:
        return a + b;
    case VIDEO_SUB:
        return a - b;
    case VIDEO_ABSDIFF:
        return a < b ? b - a : a - b;
    case VIDEO_MIN:
        return a < b ? a : b;
    case VIDEO_MAX:
        return a > b ? a : b;
    case VIDEO_AVRG:
        return (a + b + (a + b >= 0)) >> 1;
    case VIDEO_SET:
        return sem_cmp_s64(a, b, v->cmp);
    default:
        return sem_video_shift(v, a, b);
    }
}

/*
 * .sat.  Measured: a shift saturates to 32 bits whatever it is merged into, and what it saturates is 34 bits wide with
 * the top bit as a sign, whatever the types.  Otherwise a part of the destination takes its greatest value for a
 * negative result, too; a whole unsigned word is only clamped at 0 and wraps above.
 */
SEM int64_t sem_video_saturate(const struct sem_video *v, int64_t t)
{
    if (sem_video_is_shift(v)) {
        return sem_clamp_width(sem_extend((uint64_t)t, 34, true), 32, v->d_signed);
    }
    if (v->d_part != PART_WORD) {
        return sem_clamp_width(t < 0 ? INT64_MAX : t, sem_part_bits(v->d_part), v->d_signed);
    }
    return v->d_signed ? sem_clamp_width(t, 32, true) : t < 0 ? 0 : t;
}

/*
 * Is x less than y, both numbers of 64 bits?  Measured: where the destination is unsigned, so are they, which makes a
 * negative x greater than every c.
 */
SEM bool sem_video_less(const struct sem_video *v, int64_t x, int64_t y)
{
    return v->d_signed ? x < y : (uint64_t)x < (uint64_t)y;
}

/*
 * The secondary operation compares the result with c, which has the destination's type, and takes the low word of one.
 * Measured: it compares all bits of the result; but a sum, a difference and a saturated shift have become words, and
 * signed ones whatever the destination.
 */
SEM uint32_t sem_video_second(const struct sem_video *v, int64_t t, uint32_t c)
{
    bool word = sem_video_is_sum(v) || (sem_video_is_shift(v) && v->sat);
    int64_t x = word ? (int32_t)t : t, y = sem_extend(c, 32, v->d_signed);

    switch (v->second) {
    case SECOND_ADD:
        return (uint32_t)t + c;
    case SECOND_MIN:
        return sem_video_less(v, x, y) ? (uint32_t)t : c;
    case SECOND_MAX:
        return sem_video_less(v, y, x) ? (uint32_t)t : c;
    default:
        return (uint32_t)t;
    }
}

SEM uint32_t sem_video_scalar(const struct sem_video *v, uint32_t a, uint32_t b, uint32_t c)
{
    int64_t t =
        sem_video_operate(v, sem_video_select(a, v->a_part, v->a_signed), sem_video_select(b, v->b_part, v->b_signed));

    t = v->sat ? sem_video_saturate(v, t) : t;
    if (v->d_part != PART_WORD) {
        /* measured: the upper half receives the upper half of the result */
        return sem_bfi_b32((uint32_t)(v->d_part == PART_H1 ? t >> 16 : t), c, sem_part_position(v->d_part),
                           sem_part_bits(v->d_part));
    }
    return sem_video_second(v, t, c);
}

/* An operand of vmad.  Measured: a whole word is signed, whatever its type; parts follow their type. */
SEM int64_t sem_video_factor(uint32_t x, unsigned part, bool is_signed)
{
    return sem_video_select(x, part, is_signed || part == PART_WORD);
}

/*
 * a*b + c in 64 bits, scaled.  The result is signed if any operand is, or is negated; an unsigned one is shifted
 * without its sign, but clamped with it.  Measured: c is signed in any case.
 */
SEM uint32_t sem_video_mad(const struct sem_video *v, uint32_t a, uint32_t b, uint32_t c)
{
    bool is_signed = v->a_signed || v->b_signed || v->negate_product || v->negate_c;
    uint64_t product =
        (uint64_t)sem_video_factor(a, v->a_part, v->a_signed) * (uint64_t)sem_video_factor(b, v->b_part, v->b_signed);
    uint64_t addend = (uint64_t)(int64_t)(int32_t)c;
    uint64_t sum = (v->negate_product ? 0 - product : product) + (v->negate_c ? 0 - addend : addend) + v->plus_one;
    int64_t scaled = is_signed ? (int64_t)sum >> v->shift : (int64_t)(sum >> v->shift);

    return (uint32_t)(v->sat ? sem_clamp_width(scaled, 32, is_signed) : scaled);
}

/* Each element by itself; then masked elements replace those of c, or are summed with it. */
SEM uint32_t sem_video_simd(const struct sem_video *v, uint32_t a, uint32_t b, uint32_t c)
{
    const uint64_t pair = (uint64_t)b << 32 | a;
    const unsigned bits = v->elements == 2 ? 16 : 8;
    uint32_t result = c;

    for (unsigned i = 0; i < v->elements; i++) {
        int64_t x = sem_extend(pair >> (bits * (v->a_select >> (4 * i) & 7)), bits, v->a_signed);
        int64_t y = sem_extend(pair >> (bits * (v->b_select >> (4 * i) & 7)), bits, v->b_signed);
        int64_t t = sem_video_operate(v, x, y);

        t = v->sat ? sem_clamp_width(t, bits, v->d_signed) : t;
        if (v->mask >> i & 1) {
            result = v->second == SECOND_ADD ? result + (uint32_t)t : sem_bfi_b32((uint32_t)t, result, bits * i, bits);
        }
    }
    return result;
}

SEM uint32_t sem_video(const struct sem_video *v, uint32_t a, uint32_t b, uint32_t c)
{
    return v->op == VIDEO_MAD ? sem_video_mad(v, a, b, c)
           : v->elements > 1  ? sem_video_simd(v, a, b, c)
                              : sem_video_scalar(v, a, b, c);
}

#endif
