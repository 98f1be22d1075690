/*
 * The memory that parameters can pass through on their way: variables in local memory and parameters of functions, at
 * addresses known beforehand.  Everything is numbered, nothing is ever removed.
 */
#ifndef RUNTIME_FLOW_MEMORY_H
#define RUNTIME_FLOW_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/base/vec.h"

/* A place is a variable and an offset in it.  Values may be the address of one; two different ones make it any. */
enum { NO_PLACE = 0, ANY_PLACE = UINT32_MAX };

struct flow_value {
    uint64_t params; /* set of the parameters it may be computed from */
    uint32_t place;  /* the place whose address it is, or one of the two above */
};

/* Numbers by key, in open addressing. */
struct flow_table {
    struct flow_slot {
        uint64_t high, low;
        uint32_t number; /* 0: free */
    } * slots;
    uint32_t room, count;
};

/* The number kept for a key: 0 if none was set.  NULL only when memory is exhausted. */
uint32_t *flow_table_at(struct flow_table *t, uint64_t high, uint64_t low);

struct flow_reader {
    uint32_t activation, inst;
    uint32_t next; /* index + 1, 0 ends */
};

struct flow_place {
    uint32_t variable;
    int64_t offset;
    struct flow_value contents;
    uint32_t readers; /* list of who has to hear of changes: index + 1, 0 for none */
};

struct flow_variable {
    int64_t kernel_param; /* offset in the kernel's parameter buffer, -1 for all other variables */
};

struct flow_memory {
    struct flow_table variable_of; /* activation, symbol -> variable + 1 */
    struct flow_table place_of;    /* variable, offset -> place */
    VEC(struct flow_variable) variables;
    VEC(struct flow_place) places; /* number 0 stands for NO_PLACE */
    VEC(struct flow_reader) readers;
};

bool flow_memory_init(struct flow_memory *m);
void flow_memory_free(struct flow_memory *m);

/* The numbers of a variable and of a place, new ones on first use; 0 when memory is exhausted. */
uint32_t flow_variable_of(struct flow_memory *m, uint32_t activation, uint32_t symbol, int64_t kernel_param);
uint32_t flow_place_of(struct flow_memory *m, uint32_t variable, int64_t offset);
/* A symbol of an activation is another name of `variable`; before its first use. */
bool flow_variable_alias(struct flow_memory *m, uint32_t activation, uint32_t symbol, uint32_t variable);
/* The place `delta` bytes further on; what is no place stays so. */
uint32_t flow_place_shift(struct flow_memory *m, uint32_t place, int64_t delta);
bool flow_place_read_by(struct flow_memory *m, uint32_t place, uint32_t activation, uint32_t inst);

/* Add what `from` may be to what `to` may be; true when that was news. */
bool flow_value_merge(struct flow_value *to, struct flow_value from);

#endif
