/*
 * What dominance.c adds to a control-flow graph under construction; only cfg.c calls these.  Each fills one field of
 * *cfg that cfg.c has allocated and reads only successors, predecessors and reverse post-order.  False when memory is
 * exhausted.
 */
#ifndef IR_DOMINANCE_H
#define IR_DOMINANCE_H

#include "ir/passes.h"

bool ir_cfg_find_dominators(struct ir_cfg *cfg);
/* `leaves[b]`: the end of block b may leave the function. */
bool ir_cfg_find_postdominators(struct ir_cfg *cfg, const bool *leaves);
/* After the dominators. */
bool ir_cfg_find_loops(struct ir_cfg *cfg);

#endif
