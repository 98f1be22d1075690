/*
 * Texture and surface instructions to uops: see texture_exec.h.  Results are always rows, because they depend on
 * memory; sources are taken as they are, scalars included.
 */
#include "emu/decode.h"

#include "emu/texture_exec.h"

/* Constants are kept with eight bytes, so every scalar can be read as one. */
static enum ir_type source_type(char letter, const struct ir_inst *in)
{
    return letter == 'H' ? IR_U64 : letter == 'V' ? (enum ir_type)in->type : IR_U32;
}

static void push_sources(struct decoder *d, const struct ir_inst *in)
{
    const char *letter = ir_shape_info[ir_op_info[in->op].shape].srcs;

    for (unsigned i = 0; i < in->n_src; i++) {
        dec_list(d, dec_operand(d, ir_srcs(d->f, in)[i], source_type(*letter, in)));
        letter += *letter == 'V' ? 0 : 1;
    }
}

static bool by_integer(const struct ir_inst *in)
{
    return ir_type_info[in->type2].kind == IR_KIND_SINT;
}

static enum texture_mode mode_of(const struct ir_inst *in)
{
    switch (in->op) {
    case IR_TEX:
        return by_integer(in) ? TEXTURE_FETCH : TEXTURE_SAMPLE;
    case IR_TEX_LEVEL:
        return by_integer(in) ? TEXTURE_FETCH_LEVEL : TEXTURE_LEVEL;
    case IR_TEX_OFFSET:
        return TEXTURE_OFFSET;
    case IR_TEX_GRAD:
        return TEXTURE_GRADIENT;
    case IR_TLD4:
        return TEXTURE_GATHER;
    case IR_TXQ:
        return TEXTURE_QUERY;
    case IR_TXQ_LEVEL:
        return TEXTURE_QUERY_LEVEL;
    case IR_SUQ:
        return SURFACE_QUERY;
    case IR_SULD:
        return SURFACE_LOAD;
    case IR_SUST:
        return SURFACE_STORE;
    case IR_SUST_P:
        return SURFACE_STORE_TEXEL;
    case IR_SURED:
        return SURFACE_REDUCE;
    case IR_SURED_P:
        return SURFACE_REDUCE_TEXEL;
    default:
        return TEXTURE_TYPE;
    }
}

/* What the handler finds in uop.env. */
static uint8_t detail_of(const struct ir_inst *in)
{
    switch (in->op) {
    case IR_TLD4:
        return in->mods.component;
    case IR_TXQ:
    case IR_TXQ_LEVEL:
    case IR_SUQ:
        return in->mods.query;
    default:
        return in->mods.atom;
    }
}

void dec_texture(struct decoder *d, const struct ir_inst *in)
{
    const bool has_predicate = in->op == IR_ISTYPEP || (in->n_dst != 0 && in->n_dst > in->mods.vec);
    const unsigned values = in->n_dst - has_predicate;
    struct operand predicate = {.offset = NO_OPERAND};
    const uint32_t list = d->extra.count;

    for (unsigned i = 0; i < values; i++) {
        dec_list(d, dec_destination(d, in, i));
    }
    if (has_predicate) {
        predicate = dec_destination(d, in, values);
    }
    push_sources(d, in);
    dec_guard(d, in);
    struct uop *u = dec_named(d, H_TEXTURE);

    if (u == NULL) {
        return;
    }
    u->mode = (uint8_t)mode_of(in);
    u->space = in->mods.geometry;
    u->env = detail_of(in);
    u->flag = in->mods.bounds;
    u->vec = in->mods.vec;
    u->c = in->type;
    u->d = predicate.offset;
    u->extra = list;
}
