/*
 * Linking: several modules, parts of one program, become one module.
 *
 * What a part says of a name decides who sees it:
 *
 *   .visible          the definition for all parts; there is one
 *   .weak             likewise, where there is no .visible one; the first counts
 *   .common           a variable without initial value; the largest counts, unless there is a .visible or .weak one
 *   .extern           the definition of another part, of the same kind, space, size and signature
 *   no linkage word   known in its part only
 *
 * Dynamic shared memory (.extern .shared, unsized) is one place for all parts, whatever they call it.
 */
#ifndef IR_LINK_H
#define IR_LINK_H

#include "ir/ir.h"

/* Must everything be there, or is the result a part again, with names that others define? */
enum ir_link_scope { IR_LINK_PROGRAM, IR_LINK_PART };

/*
 * Link parts[0, count), count at least 1, which parsing made from relocatable text.  Part i was written in the i-th
 * text of `dg` (see diag_init_texts).  The parts' contents move into the result; the caller frees what is left of them
 * in any case.  The result is laid out; NULL after reporting errors.  Takes time and memory linear in the size of the
 * parts.
 */
struct ir_module *ir_link(struct ir_module *const *parts, uint32_t count, enum ir_link_scope scope, struct diag *dg);

#endif
