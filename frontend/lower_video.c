/*
 * Video instructions.  What they say about their operands (selectors, minus signs, signs of types) becomes modifiers,
 * and the selectors of the SIMD ones constants, as ir.h lays down.
 */
#include "frontend/lower_inst.h"

#include "ir/forms.h"

#include <string.h>

static enum ir_video video_of(const struct ptx_match *m)
{
    const char *mnemonic = ir_form_info[m->form].mnemonic;

    for (unsigned v = 0; v < IR_VIDEO_COUNT; v++) {
        if (strcmp(ir_video_name[v], mnemonic) == 0) {
            return (enum ir_video)v;
        }
    }
    return IR_VADD;
}

/* vset names the types of a and b only; the others name d's first.  c is of d's type. */
static struct ir_inst video(const struct ptx_lower *l)
{
    const struct ptx_match *m = l->match;
    struct ir_inst in = lower_written(l);
    unsigned a = m->n_types > 2 ? 1 : 0;

    in.type = a == 1 ? m->types[0] : IR_U32;
    in.mods.video = video_of(m);
    in.mods.vtype_a = m->types[a] == IR_S32;
    in.mods.vtype_b = m->types[a + 1] == IR_S32;
    in.mods.vtype_c = in.type == IR_S32;
    return in;
}

static unsigned selection(const struct ptx_operand *o)
{
    switch (o->selector.kind) {
    case 'b':
        return IR_SEL_B0 + (o->selector.digit[0] & 3u);
    case 'h':
        return IR_SEL_H0 + (o->selector.digit[0] & 1u);
    default:
        return IR_SEL_ALL;
    }
}

void lower_video(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    const struct ptx_operand *c = lower_operand(l, 3);
    struct ir_inst in = video(l);
    struct lower_refs dsts = {.at = {lower_target(&o[0])}, .count = 1}, srcs = {0};

    in.mods.dsel = selection(&o[0]) & 15;
    in.mods.asel = selection(&o[1]) & 15;
    in.mods.bsel = selection(&o[2]) & 15;
    in.mods.negate = (unsigned)o[1].minus | (unsigned)o[2].minus << 1 | (c == NULL ? 0u : (unsigned)c->minus << 2);
    if (in.mods.dsel != IR_SEL_ALL) {
        in.mods.video2 = IR_V2_MERGE;
    }
    lower_push(&srcs, lower_value(l, &o[1], IR_U32));
    lower_push(&srcs, lower_value(l, &o[2], IR_U32));
    lower_push(&srcs, c == NULL ? IR_REF_NONE : lower_value(l, c, IR_U32));
    lower_emit(l, &in, &dsts, &srcs);
}

/* --- SIMD -------------------------------------------------------------------------------------------------- */
/* Four bits per part of the result: `first`, `first` + 1, ... unless a selector says which parts of the pair to take.
 */
static uint64_t choice(const struct ptx_selector *s, unsigned parts, unsigned first)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < parts; i++) {
        unsigned part = s->kind != 0 && i < s->count ? s->digit[s->count - 1 - i] : first + i;

        bits |= (uint64_t)(part & 7) << (4 * i);
    }
    return bits;
}

static unsigned written_parts(const struct ptx_selector *s, unsigned parts)
{
    unsigned mask = 0;

    for (unsigned i = 0; i < s->count && s->kind != 0; i++) {
        mask |= 1u << (s->digit[i] & 3);
    }
    return s->kind == 0 ? (1u << parts) - 1 : mask;
}

void lower_video_simd(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    struct ir_inst in = video(l);
    unsigned parts = in.mods.video >= IR_VADD4 ? 4 : 2;
    struct lower_refs dsts = {.at = {lower_target(&o[0])}, .count = 1}, srcs = {0};

    in.mods.dsel = written_parts(&o[0].selector, parts) & 15;
    for (unsigned i = 1; i <= 3; i++) {
        lower_push(&srcs, lower_value(l, &o[i], IR_U32));
    }
    lower_push(&srcs, lower_const(l, choice(&o[1].selector, parts, 0), IR_U32));
    lower_push(&srcs, lower_const(l, choice(&o[2].selector, parts, parts), IR_U32));
    lower_emit(l, &in, &dsts, &srcs);
}
