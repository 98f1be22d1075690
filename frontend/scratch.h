/*
 * Memory of one statement: handed out piece by piece, given back all at once when the statement is done.  Blocks are
 * kept for the next statement, so a file of any length needs as much as its longest statement.
 */
#ifndef FRONTEND_SCRATCH_H
#define FRONTEND_SCRATCH_H

#include <stddef.h>

struct scratch_block;

struct scratch {
    struct scratch_block *first;
    struct scratch_block *current;
};

/* `size` zeroed bytes aligned for any type; NULL when memory is exhausted. */
void *scratch_alloc(struct scratch *s, size_t size);
/* Everything handed out is dead now. */
void scratch_reset(struct scratch *s);
void scratch_free(struct scratch *s);

#endif
