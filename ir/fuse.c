/*
 * Address fusion: see ir_fuse in passes.h.
 *
 * Compilers compute an element's address as base + (u64)index * size.  Done lane by lane this costs two 64-bit vector
 * operations per access; folded into the access it costs nothing, and consecutive indices are cheaper to recognise than
 * consecutive addresses.
 *
 * One forward scan per block: `defined` says which instruction of the block wrote a register last.  An operand of a
 * fused access must not have been written since the arithmetic that is folded away; both facts are positions in the
 * block.
 */
#include "ir/passes.h"

#include <stdlib.h>
#include <string.h>

#include "ir/defuse.h"

enum { NOWHERE = UINT32_MAX, SCALE_MOST = 255 };

struct fuser {
    struct ir_func *f;
    const struct ir_uniform *u;
    uint32_t *defined; /* per register: instruction that wrote it last in this block, NOWHERE for none */
    uint32_t *uses;    /* per register: reads in the whole function */
};

/* index * scale, widened to 64 bits. */
struct product {
    ir_ref index;
    uint64_t scale;
    bool is_signed;
    uint32_t at; /* where the index was read */
};

static bool is_uniform(const struct fuser *z, ir_ref r)
{
    const uint32_t i = ir_ref_index(r);

    return ir_ref_kind(r) == IR_REF_CONST || (ir_is_reg(r) && (z->u->regs[i / 64] >> (i % 64) & 1) != 0);
}

static bool is_const(const struct fuser *z, ir_ref r, uint64_t *value)
{
    if (ir_ref_kind(r) != IR_REF_CONST) {
        return false;
    }
    *value = ir_const_bits(z->f, r);
    return true;
}

/* Has the register kept its value since instruction `at` read it? */
static bool unchanged(const struct fuser *z, ir_ref r, uint32_t at)
{
    return !ir_is_reg(r) || z->defined[ir_ref_index(r)] == NOWHERE || z->defined[ir_ref_index(r)] < at;
}

/* The unguarded instruction of this block that gave a register the value it still has and had when `reader` read it. */
static const struct ir_inst *definition(const struct fuser *z, ir_ref r, uint32_t reader, uint32_t *at)
{
    if (!ir_is_reg(r) || z->defined[ir_ref_index(r)] == NOWHERE || !unchanged(z, r, reader)) {
        return NULL;
    }
    *at = z->defined[ir_ref_index(r)];
    const struct ir_inst *in = &z->f->insts.at[*at];

    return in->n_dst == 1 && !ir_is_guarded(in) ? in : NULL;
}

static bool is_64(unsigned type)
{
    return type == IR_U64 || type == IR_S64 || type == IR_B64;
}

/* cvt.s64.s32, cvt.u64.u32 */
static bool match_widening(const struct fuser *z, ir_ref r, uint32_t reader, struct product *p)
{
    uint32_t at;
    const struct ir_inst *in = definition(z, r, reader, &at);

    if (in == NULL || in->op != IR_CVT || !is_64(in->type) || (in->type2 != IR_S32 && in->type2 != IR_U32) ||
        in->mods.sat) {
        return false;
    }
    const ir_ref index = ir_srcs(z->f, in)[0];

    /* The source of a conversion may be a wider register. */
    if (!ir_is_reg(index) || ir_type_info[z->f->regs.at[ir_ref_index(index)].type].bits != 32) {
        return false;
    }
    *p = (struct product){.index = index, .scale = 1, .is_signed = in->type2 == IR_S32, .at = at};
    return true;
}

static bool match_product(const struct fuser *z, ir_ref r, uint32_t reader, struct product *p)
{
    uint32_t at;
    const struct ir_inst *in = definition(z, r, reader, &at);
    uint64_t value;

    if (in == NULL) {
        return false;
    }
    const ir_ref *srcs = ir_srcs(z->f, in);

    if (in->op == IR_MUL_WIDE && (in->type == IR_U32 || in->type == IR_S32)) {
        const unsigned k = is_const(z, srcs[1], &value) ? 0 : 1;

        if (!is_const(z, srcs[1 - k], &value) || !ir_is_reg(srcs[k]) || value == 0 || value > SCALE_MOST) {
            return false;
        }
        *p = (struct product){.index = srcs[k], .scale = value, .is_signed = in->type == IR_S32, .at = at};
        return true;
    }
    if (in->op == IR_SHL && is_64(in->type) && is_const(z, srcs[1], &value) && value < 8) {
        if (!match_widening(z, srcs[0], at, p) || !unchanged(z, p->index, p->at)) {
            return false;
        }
        p->scale = (uint64_t)1 << value;
        return p->scale <= SCALE_MOST;
    }
    return match_widening(z, r, reader, p);
}

/* base register = uniform + product? */
static bool match_address(const struct fuser *z, ir_ref base, uint32_t reader, ir_ref *uniform, struct product *p)
{
    uint32_t at;
    const struct ir_inst *in = definition(z, base, reader, &at);

    if (in == NULL || in->op != IR_ADD || !is_64(in->type)) {
        return false;
    }
    const ir_ref *srcs = ir_srcs(z->f, in);

    for (int k = 0; k < 2; k++) {
        if (is_uniform(z, srcs[k]) && !is_uniform(z, srcs[1 - k]) && match_product(z, srcs[1 - k], at, p) &&
            unchanged(z, srcs[k], at) && unchanged(z, p->index, p->at) && !is_uniform(z, p->index)) {
            *uniform = srcs[k];
            return true;
        }
    }
    return false;
}

static bool is_candidate(const struct ir_inst *in)
{
    const bool far =
        in->mods.space == IR_SPACE_GENERIC || in->mods.space == IR_SPACE_GLOBAL || in->mods.space == IR_SPACE_CONST;

    return (in->op == IR_LD || in->op == IR_ST) && far && in->mods.index == 0 && in->n_wide == 0 &&
           in->n_src < UINT8_MAX;
}

/* Give the access its index: the operands move to the end of the pool, one longer. */
static bool rewrite(struct fuser *z, struct ir_inst *in, ir_ref uniform, const struct product *p)
{
    struct ir_func *f = z->f;
    const uint32_t n = (uint32_t)in->n_dst + in->n_src, from = in->operands;

    if (!vec_reserve(&f->operands, n + 1)) {
        return false;
    }
    const uint32_t to = f->operands.count;

    memcpy(f->operands.at + to, f->operands.at + from, n * sizeof(ir_ref));
    z->uses[ir_ref_index(f->operands.at[to + in->n_dst])]--;
    f->operands.at[to + in->n_dst] = uniform;
    f->operands.at[to + n] = p->index;
    f->operands.count += n + 1;
    if (ir_is_reg(uniform)) {
        z->uses[ir_ref_index(uniform)]++;
    }
    z->uses[ir_ref_index(p->index)]++;
    in->operands = to;
    in->n_src++;
    in->mods.index = p->is_signed ? 2 : 1;
    in->mods.index_scale = (uint32_t)p->scale & SCALE_MOST;
    return true;
}

static void count_uses(struct fuser *z)
{
    for (uint32_t i = 0; i < z->f->insts.count; i++) {
        const struct ir_inst *in = &z->f->insts.at[i];

        for (uint32_t k = 0; k < ir_n_uses(z->f, in); k++) {
            const ir_ref r = ir_use(z->f, in, k);

            if (ir_is_reg(r)) {
                z->uses[ir_ref_index(r)]++;
            }
        }
    }
}

static bool fuse_block(struct fuser *z, const struct ir_block *block)
{
    struct ir_func *f = z->f;

    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        struct ir_inst *in = &f->insts.at[i];
        struct product p;
        ir_ref uniform;

        if (is_candidate(in) && ir_is_reg(ir_srcs(f, in)[0]) && match_address(z, ir_srcs(f, in)[0], i, &uniform, &p) &&
            !rewrite(z, in, uniform, &p)) {
            return false;
        }
        for (unsigned k = 0; k < in->n_dst; k++) {
            if (ir_is_reg(ir_dsts(f, in)[k])) {
                z->defined[ir_ref_index(ir_dsts(f, in)[k])] = i;
            }
        }
    }
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const struct ir_inst *in = &f->insts.at[i];

        for (unsigned k = 0; k < in->n_dst; k++) {
            if (ir_is_reg(ir_dsts(f, in)[k])) {
                z->defined[ir_ref_index(ir_dsts(f, in)[k])] = NOWHERE;
            }
        }
    }
    return true;
}

/* Address arithmetic that nothing reads any more, users before producers. */
static void drop_unused(struct fuser *z)
{
    struct ir_func *f = z->f;

    for (uint32_t i = f->insts.count; i-- > 0;) {
        struct ir_inst *in = &f->insts.at[i];
        const bool arithmetic = in->op == IR_ADD || in->op == IR_MUL_WIDE || in->op == IR_SHL || in->op == IR_CVT;

        if (!arithmetic || in->n_dst != 1 || !ir_is_reg(ir_dsts(f, in)[0]) ||
            z->uses[ir_ref_index(ir_dsts(f, in)[0])] != 0) {
            continue;
        }
        for (uint32_t k = 0; k < ir_n_uses(f, in); k++) {
            const ir_ref r = ir_use(f, in, k);

            if (ir_is_reg(r)) {
                z->uses[ir_ref_index(r)]--;
            }
        }
        in->op = IR_NOP;
        in->n_dst = in->n_src = 0;
        in->guard = IR_REF_NONE;
    }
}

bool ir_fuse(struct ir_func *f, const struct ir_uniform *u)
{
    struct fuser z = {.f = f, .u = u};
    const size_t n = f->regs.count + 1u;
    bool ok;

    z.defined = malloc(n * sizeof *z.defined);
    z.uses = calloc(n, sizeof *z.uses);
    ok = z.defined != NULL && z.uses != NULL;
    if (ok) {
        memset(z.defined, 0xff, n * sizeof *z.defined);
        count_uses(&z);
    }
    for (uint32_t b = 0; ok && b < f->blocks.count; b++) {
        ok = fuse_block(&z, &f->blocks.at[b]);
    }
    if (ok) {
        drop_unused(&z);
    }
    free(z.defined);
    free(z.uses);
    return ok;
}
