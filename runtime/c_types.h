/*
 * Types of C for values of PTX, in the form that libffi takes them.  PTX declares sizes, not always meanings: a
 * signature in words says the rest.
 */
#ifndef RUNTIME_C_TYPES_H
#define RUNTIME_C_TYPES_H

#include <ffi.h>
#include <stdbool.h>
#include <stddef.h>

#include "ir/base/arena.h"
#include "ir/ir.h"

/*
 * The type that a declaration says: integers by size and sign (.b and 16-bit floating point: unsigned), float, double;
 * an array of bytes is a structure of integers.  Memory is the arena's; NULL when it is exhausted, or for a type that C
 * cannot have.
 */
ffi_type *rt_c_type(struct arena *arena, const struct ir_param *param);

struct rt_signature {
    ffi_type *result; /* &ffi_type_void: none */
    ffi_type **arguments;
    unsigned count;
};

enum { RT_SIGNATURE_LIMIT = 256 }; /* arguments, or members of a structure */

/*
 * Read "RESULT (TYPE, TYPE...)": RESULT is void or a type; a type is one of PTX's (u8 to f64), ptr, or a structure by
 * value, "{TYPE, TYPE...}".  NULL, or what is wrong.
 */
const char *rt_signature_parse(struct arena *arena, const char *text, struct rt_signature *signature);

/* Whether a value of this type may be what was declared.  Compilers widen small integers to 32 bits. */
bool rt_c_type_fits(const ffi_type *type, const struct ir_param *param);

#endif
