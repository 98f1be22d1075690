/*
 * Which registers an instruction reads and writes.  Every analysis asks here, so that guards, the results a RET hands
 * to its caller and operands that are no registers are treated alike everywhere.
 */
#ifndef IR_DEFUSE_H
#define IR_DEFUSE_H

#include "ir/ir.h"

static inline bool ir_is_reg(ir_ref r)
{
    return ir_ref_kind(r) == IR_REF_REG;
}

static inline bool ir_is_guarded(const struct ir_inst *in)
{
    return ir_ref_kind(in->guard) != IR_REF_NONE;
}

/* Operands read: the guard, the sources, and for RET the function's results.  Some are no registers. */
static inline uint32_t ir_n_uses(const struct ir_func *f, const struct ir_inst *in)
{
    return 1 + ir_n_srcs(in) + (in->op == IR_RET ? f->n_rets : 0);
}

static inline ir_ref ir_use(const struct ir_func *f, const struct ir_inst *in, uint32_t k)
{
    if (k == 0) {
        return in->guard;
    }
    if (k <= ir_n_srcs(in)) {
        return ir_srcs(f, in)[k - 1];
    }
    return f->rets[k - 1 - ir_n_srcs(in)].ref;
}

/* Where a definition under a guard leaves the old value to some lanes, the register stays alive before it. */
static inline bool ir_defines_all_lanes(const struct ir_inst *in)
{
    return !ir_is_guarded(in);
}

#endif
