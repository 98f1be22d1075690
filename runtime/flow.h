/*
 * Where the values of a kernel's parameters go: through registers, through local memory, into the functions it calls
 * and back.  Answers say "may": paths and the order of instructions do not count.
 */
#ifndef RUNTIME_FLOW_H
#define RUNTIME_FLOW_H

#include "ir/ir.h"

enum { FLOW_PARAMS = 64 }; /* parameters that are followed, from the first: what people launch by hand has fewer */

struct flow;

/* Follow the parameters of `kernel`; NULL when memory is exhausted. */
struct flow *flow_new(const struct ir_func *kernel);
void flow_free(struct flow *f);

/*
 * An activation is a function as one call reaches it; number 0 is the kernel.  Every call has one of its own, up to
 * limits of depth and size beyond which calls are not followed.
 */
uint32_t flow_activations(const struct flow *f);
const struct ir_func *flow_function(const struct flow *f, uint32_t activation);
/* Parameters, as a set of bits, from which an operand of that activation may be computed. */
uint64_t flow_params(const struct flow *f, uint32_t activation, ir_ref r);

#endif
