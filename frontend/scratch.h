/*
 * Memory of one statement: handed out piece by piece, given back all at once when the statement is done.  Blocks are
 * kept for the next statement, so a file of any length needs as much as its longest statement.
 */
#ifndef FRONTEND_SCRATCH_H
#define FRONTEND_SCRATCH_H

#include <stddef.h>

struct ptx_scratch_block;

struct ptx_scratch {
    struct ptx_scratch_block *first;
    struct ptx_scratch_block *current;
};

/* `size` zeroed bytes aligned for any type; NULL when memory is exhausted. */
void *ptx_scratch_alloc(struct ptx_scratch *s, size_t size);
/* Everything handed out is dead now. */
void ptx_scratch_reset(struct ptx_scratch *s);
void ptx_scratch_free(struct ptx_scratch *s);

#endif
