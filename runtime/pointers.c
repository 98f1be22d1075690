/*
 * What a kernel does with its parameters as addresses: a flow analysis over registers, without paths.  A register
 * carries a set of parameters; arithmetic passes the set on, an access through a register marks the parameters in its
 * set.
 *
 * Only the first 64 parameters are followed, which covers what people launch by hand.
 */
#include "runtime/objects.h"

#include <stdlib.h>

enum { FOLLOWED = 64 };

/* The parameter that lies at a byte offset, as a set of one. */
static uint64_t param_at(const struct ir_func *f, uint64_t offset)
{
    for (uint32_t i = 0; i < f->n_params && i < FOLLOWED; i++) {
        if (offset >= f->params[i].offset && offset - f->params[i].offset < f->params[i].size_bytes) {
            return (uint64_t)1 << i;
        }
    }
    return 0;
}

static uint64_t set_of(const uint64_t *sets, ir_ref r)
{
    return ir_ref_kind(r) == IR_REF_REG ? sets[ir_ref_index(r)] : 0;
}

/* What an instruction's results carry. */
static uint64_t result_set(const struct ir_func *f, const struct ir_inst *in, const uint64_t *sets)
{
    const ir_ref *srcs = ir_srcs(f, in);
    uint64_t all = 0;

    if (in->op == IR_LD) {
        const struct ir_symbol *symbol =
            ir_ref_kind(srcs[0]) == IR_REF_SYMBOL ? &f->module->symbols.at[ir_ref_index(srcs[0])] : NULL;
        const bool param = in->mods.space == IR_SPACE_PARAM && symbol != NULL && symbol->kernel_param;

        return param ? param_at(f, symbol->offset + ir_const_bits(f, srcs[1])) : 0;
    }
    if ((ir_op_info[in->op].effects & IR_E_PURE) == 0) {
        return 0;
    }
    for (uint32_t i = 0; i < in->n_src; i++) {
        all |= set_of(sets, srcs[i]);
    }
    return all;
}

/* Pass sets on until nothing changes: sets only grow, so this ends. */
static void propagate(const struct ir_func *f, uint64_t *sets)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < f->insts.count; i++) {
            const struct ir_inst *in = &f->insts.at[i];
            const uint64_t set = result_set(f, in, sets);

            for (unsigned k = 0; set != 0 && k < in->n_dst; k++) {
                const ir_ref d = ir_dsts(f, in)[k];

                if (ir_ref_kind(d) == IR_REF_REG && (set & ~sets[ir_ref_index(d)]) != 0) {
                    sets[ir_ref_index(d)] |= set;
                    changed = true;
                }
            }
        }
    }
}

/* Integer registers that take part in an address without being one: an index is no pointer.  A 64-bit parameter is. */
static bool may_point(const struct ir_param *p)
{
    return p->size_bytes == 8 && ir_type_info[p->type].kind != IR_KIND_FLOAT;
}

static void mark(const struct ir_func *f, uint64_t set, unsigned use, enum ir_type type, struct rt_pointer *out)
{
    for (uint32_t i = 0; i < f->n_params && i < FOLLOWED; i++) {
        if ((set >> i & 1) == 0 || !may_point(&f->params[i])) {
            continue;
        }
        out[i].use |= use;
        out[i].mixed |= out[i].type != IR_TYPE_NONE && out[i].type != type;
        out[i].type = (uint8_t)type;
    }
}

/* Bits tell nothing of what they mean: the type of the register says more. */
static enum ir_type element_type(const struct ir_func *f, const struct ir_inst *in)
{
    const ir_ref value = in->op == IR_LD ? ir_dsts(f, in)[0] : in->n_src > 2 ? ir_srcs(f, in)[2] : IR_REF_NONE;
    const enum ir_type type = (enum ir_type)in->type;

    if (ir_type_info[type].kind != IR_KIND_BITS || ir_ref_kind(value) != IR_REF_REG) {
        return type;
    }
    const enum ir_type declared = (enum ir_type)f->regs.at[ir_ref_index(value)].type;

    return ir_type_info[declared].bits == ir_type_info[type].bits ? declared : type;
}

struct rt_pointer *rt_find_pointers(const struct ir_func *f)
{
    struct rt_pointer *out = calloc(f->n_params + 1u, sizeof *out);
    uint64_t *sets = calloc(f->regs.count + 1u, sizeof *sets);

    if (out == NULL || sets == NULL) {
        free(out);
        free(sets);
        return NULL;
    }
    propagate(f, sets);
    for (uint32_t i = 0; i < f->insts.count; i++) {
        const struct ir_inst *in = &f->insts.at[i];
        const uint32_t effects = ir_op_info[in->op].effects;
        const unsigned use =
            (effects & IR_E_LOAD ? 1u : 0) | (effects & IR_E_STORE ? 2u : 0) | (effects & IR_E_ATOMIC ? 4u : 0);
        const bool far =
            in->mods.space == IR_SPACE_GLOBAL || in->mods.space == IR_SPACE_GENERIC || in->mods.space == IR_SPACE_CONST;

        if (use != 0 && far) {
            mark(f, set_of(sets, ir_srcs(f, in)[0]), use, element_type(f, in), out);
        }
    }
    free(sets);
    return out;
}
