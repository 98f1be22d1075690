/*
 * PTX text to IR: the whole front end behind two calls.  Every problem is reported to `dg` with its place; none is
 * fatal to the caller, whatever the bytes.  `text` and the text of `dg` must outlive the diagnostics, not the module.
 */
#ifndef FRONTEND_FRONTEND_H
#define FRONTEND_FRONTEND_H

#include <stdbool.h>
#include <stddef.h>

#include "ir/ir.h"

struct ptx_sink;

/* What the text is: all of a program, in which every function that is called is defined, or a part to be linked. */
enum ptx_scope { PTX_WHOLE_PROGRAM, PTX_RELOCATABLE };

/* The module `text` describes, lowered and laid out; NULL if there were errors. */
struct ir_module *ptx_parse(const char *name, const char *text, size_t len, enum ptx_scope scope, struct diag *dg);

/* Only check; true when there were no errors. */
bool ptx_check_only(const char *name, const char *text, size_t len, enum ptx_scope scope, struct diag *dg);

/* As ptx_parse, with somebody else in lowering's place.  The module holds declarations and whatever the sink adds. */
struct ir_module *ptx_parse_into(const char *name, const char *text, size_t len, enum ptx_scope scope, struct diag *dg,
                                 const struct ptx_sink *sink);

#endif
