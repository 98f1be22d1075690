/*
 * Numbered names: a hash table that gives every different string a number, 0, 1, 2 ... in the order of arrival.  The
 * strings are not copied and must outlive the table.
 */
#ifndef IR_BASE_NAMES_H
#define IR_BASE_NAMES_H

#include "ir/base/vec.h"

struct name_table {
    VEC(const char *) names;
    uint32_t *slots;  /* number plus one, 0 for free; at most half of them are taken */
    uint32_t n_slots; /* a power of two, or 0 */
};

/* The number of `name`, which is entered if it is new: then the number is the count before.  UINT32_MAX: no memory. */
uint32_t name_table_add(struct name_table *t, const char *name);
void name_table_free(struct name_table *t);

#endif
