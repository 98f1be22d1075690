/*
 * What one divergent branch does to registers: which of them may differ between lanes that parted there and meet again.
 * Only uniform.c asks.
 */
#ifndef IR_DIVERGENCE_H
#define IR_DIVERGENCE_H

#include "ir/passes.h"

struct ir_divergence;

/* NULL when memory is exhausted.  The arguments must outlive the result. */
struct ir_divergence *ir_divergence_new(const struct ir_func *f, const struct ir_cfg *cfg, const struct ir_live *live);
void ir_divergence_free(struct ir_divergence *d);

/* Told of each register found to vary, possibly several times. */
typedef void (*ir_varies_fn)(void *context, uint32_t reg);

/* The branch that ends `block` parts lanes.  Each block need be named only once. */
void ir_divergence_branch(struct ir_divergence *d, uint32_t block, ir_varies_fn varies, void *context);

#endif
