/*
 * What a kernel does with its parameters as addresses: an access through a register marks the parameters that the
 * register may be computed from (flow.h), in the kernel and in the functions that it calls.
 */
#include "runtime/objects.h"

#include <stdlib.h>

#include "runtime/flow.h"

/* Integer registers that take part in an address without being one: an index is no pointer.  A 64-bit parameter is. */
static bool may_point(const struct ir_param *p)
{
    return p->size_bytes == 8 && ir_type_bytes((enum ir_type)p->type) == 8 &&
           ir_type_info[p->type].kind != IR_KIND_FLOAT;
}

static void mark(const struct ir_func *f, uint64_t set, unsigned use, enum ir_type type, struct rt_pointer *out)
{
    for (uint32_t i = 0; i < f->n_params && i < FLOW_PARAMS; i++) {
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

/* Mark what one instruction of an activation accesses. */
static void mark_access(const struct flow *flow, uint32_t activation, const struct ir_inst *in,
                        const struct ir_func *kernel, struct rt_pointer *out)
{
    const struct ir_func *f = flow_function(flow, activation);
    const uint32_t effects = ir_op_info[in->op].effects;
    const unsigned use =
        (effects & IR_E_LOAD ? 1u : 0) | (effects & IR_E_STORE ? 2u : 0) | (effects & IR_E_ATOMIC ? 4u : 0);
    const bool far =
        in->mods.space == IR_SPACE_GLOBAL || in->mods.space == IR_SPACE_GENERIC || in->mods.space == IR_SPACE_CONST;

    if (use != 0 && far) {
        mark(kernel, flow_params(flow, activation, ir_srcs(f, in)[0]), use, element_type(f, in), out);
    }
}

struct rt_pointer *rt_find_pointers(const struct ir_func *kernel)
{
    struct rt_pointer *out = calloc(kernel->n_params + 1u, sizeof *out);
    struct flow *flow = flow_new(kernel);

    if (out == NULL || flow == NULL) {
        free(out);
        flow_free(flow);
        return NULL;
    }
    for (uint32_t a = 0; a < flow_activations(flow); a++) {
        const struct ir_func *f = flow_function(flow, a);

        for (uint32_t i = 0; i < f->insts.count; i++) {
            mark_access(flow, a, &f->insts.at[i], kernel, out);
        }
    }
    flow_free(flow);
    return out;
}
