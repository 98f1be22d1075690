/*
 * Lowering: a checked program becomes the intermediate representation, one statement at a time.  What PTX writes
 * differently from what the machine does is resolved here; everything else goes through by the tables.
 */
#ifndef FRONTEND_LOWER_H
#define FRONTEND_LOWER_H

#include "frontend/ast.h"

struct ptx_lower;

/* NULL when memory is exhausted.  Serves one module at a time. */
struct ptx_lower *ptx_lower_new(void);
void ptx_lower_free(struct ptx_lower *l);

/* The receiving end for the checker; valid as long as `l`. */
struct ptx_sink ptx_lower_sink(struct ptx_lower *l);

#endif
