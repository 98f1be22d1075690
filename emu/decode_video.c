/*
 * Decoding of what an instruction says beyond operands, type and environment: the description of a video instruction.
 * It is made once, here; handlers read it from code->extra.
 */
#include "emu/decode.h"

#include <string.h>

#include "emu/sem_video.h"

/* Words of code->extra that hold a struct sem_video. */
enum { VIDEO_WORDS = (sizeof(struct sem_video) + 3) / 4 };

/* What the mnemonic says: the operation, and how many elements a word has. */
static const struct {
    uint8_t op, elements;
} mnemonics[IR_VIDEO_COUNT] = {
    [IR_VADD] = {VIDEO_ADD, 1},          [IR_VSUB] = {VIDEO_SUB, 1},          [IR_VABSDIFF] = {VIDEO_ABSDIFF, 1},
    [IR_VMIN] = {VIDEO_MIN, 1},          [IR_VMAX] = {VIDEO_MAX, 1},          [IR_VSHL] = {VIDEO_SHL, 1},
    [IR_VSHR] = {VIDEO_SHR, 1},          [IR_VMAD] = {VIDEO_MAD, 1},          [IR_VSET] = {VIDEO_SET, 1},
    [IR_VADD2] = {VIDEO_ADD, 2},         [IR_VSUB2] = {VIDEO_SUB, 2},         [IR_VAVRG2] = {VIDEO_AVRG, 2},
    [IR_VABSDIFF2] = {VIDEO_ABSDIFF, 2}, [IR_VMIN2] = {VIDEO_MIN, 2},         [IR_VMAX2] = {VIDEO_MAX, 2},
    [IR_VSET2] = {VIDEO_SET, 2},         [IR_VADD4] = {VIDEO_ADD, 4},         [IR_VSUB4] = {VIDEO_SUB, 4},
    [IR_VAVRG4] = {VIDEO_AVRG, 4},       [IR_VABSDIFF4] = {VIDEO_ABSDIFF, 4}, [IR_VMIN4] = {VIDEO_MIN, 4},
    [IR_VMAX4] = {VIDEO_MAX, 4},         [IR_VSET4] = {VIDEO_SET, 4},
};

static uint8_t part_of(unsigned select)
{
    static const uint8_t parts[] = {
        [IR_SEL_ALL] = PART_WORD, [IR_SEL_B0] = PART_B0, [IR_SEL_B1] = PART_B1, [IR_SEL_B2] = PART_B2,
        [IR_SEL_B3] = PART_B3,    [IR_SEL_H0] = PART_H0, [IR_SEL_H1] = PART_H1};

    return select <= IR_SEL_H1 ? parts[select] : PART_WORD;
}

static uint8_t second_of(unsigned second)
{
    return second == IR_V2_ADD   ? SECOND_ADD
           : second == IR_V2_MIN ? SECOND_MIN
           : second == IR_V2_MAX ? SECOND_MAX
                                 : SECOND_NONE;
}

static struct sem_video describe(const struct decoder *d, const struct ir_inst *in)
{
    static const uint8_t shifts[4] = {0, 7, 15};
    const struct ir_mods *m = &in->mods;
    struct sem_video v = {.op = mnemonics[m->video].op, .elements = mnemonics[m->video].elements, .cmp = m->cmp};

    v.second = second_of(m->video2);
    v.a_signed = m->vtype_a;
    v.b_signed = m->vtype_b;
    v.d_signed = v.op == VIDEO_SET ? m->vtype_a : m->vtype_c;
    v.sat = m->sat;
    v.wrap = m->wrap;
    v.negate_product = (m->negate & 1) != (m->negate >> 1 & 1);
    v.negate_c = m->negate >> 2 & 1;
    v.plus_one = m->po;
    v.shift = shifts[m->scale];
    if (in->op == IR_VIDEO_SIMD) {
        v.mask = m->dsel;
        v.a_select = (uint16_t)ir_const_bits(d->f, ir_srcs(d->f, in)[3]);
        v.b_select = (uint16_t)ir_const_bits(d->f, ir_srcs(d->f, in)[4]);
        return v;
    }
    v.a_part = part_of(m->asel);
    v.b_part = part_of(m->bsel);
    v.d_part = part_of(m->dsel);
    return v;
}

uint32_t dec_video_words(struct decoder *d, const struct ir_inst *in)
{
    const struct sem_video v = describe(d, in);
    const uint32_t at = d->extra.count;
    uint32_t words[VIDEO_WORDS] = {0};

    memcpy(words, &v, sizeof v);
    for (unsigned i = 0; i < VIDEO_WORDS; i++) {
        d->ok = d->ok && vec_push(&d->extra, words[i]);
    }
    return at;
}
