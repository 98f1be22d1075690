/*
 * What the steps of linking share: the parts, the names that they have in common, and where everything goes.
 *
 * Private to ir/link*.c, which are the steps in this order:
 *
 *   link_names.c      each public name gets the item that defines it; disagreements are reported
 *   link_undefined.c  what is needed, but defined nowhere, is reported
 *   link_merge.c      items are numbered anew and moved into one module
 */
#ifndef IR_LINK_PARTS_H
#define IR_LINK_PARTS_H

#include "ir/base/names.h"
#include "ir/link.h"

/* A symbol or a function of a part. */
struct link_item {
    uint32_t part;
    uint32_t index; /* into the part's symbols or funcs */
    bool is_func;
};

/* Which of several items of one name counts: the one of the highest rank. */
enum link_rank { LINK_DECLARED, LINK_COMMON, LINK_WEAK, LINK_STRONG };

/* A name that parts share. */
struct link_name {
    struct link_item best; /* what the name stands for as far as is known */
    uint8_t rank;          /* enum link_rank of `best` */
    bool reported;         /* it is undefined, and that was said */
    uint32_t align;        /* variables: the largest alignment that any part asks for */
};

#define LINK_NONE UINT32_MAX

struct link_part {
    struct ir_module *m;
    uint32_t *symbol_name; /* per symbol: number of its public name; LINK_NONE: it is private */
    uint32_t *func_name;
    bool *symbol_stays; /* per symbol: it is part of the result; else another one is in its place, or none */
    bool *func_stays;
    uint32_t *symbol_to; /* per symbol: index in the result; LINK_NONE for those of functions that do not stay */
    uint32_t *func_to;
    uint16_t *file_to;   /* per source file */
    uint32_t line_shift; /* what to add to the number of a line */
};

struct link {
    struct link_part *parts;
    uint32_t count;
    struct diag *dg;
    struct name_table table;     /* public names first, then private ones */
    VEC(struct link_name) names; /* by number: the public ones */
    bool no_memory;
};

static inline struct ir_symbol *link_symbol(const struct link *l, struct link_item item)
{
    return &l->parts[item.part].m->symbols.at[item.index];
}

static inline struct ir_func *link_func(const struct link *l, struct link_item item)
{
    return l->parts[item.part].m->funcs.at[item.index];
}

/* The public name of an item, or NULL. */
struct link_name *link_name_of(const struct link *l, struct link_item item);
/* What `item`, seen from its part, stands for: itself, the definition of its name, or what that is an alias of. */
struct link_item link_resolve(const struct link *l, struct link_item item);

/* Messages about a place in a part; a note belongs to the error before it. */
__attribute__((format(printf, 4, 5))) void link_error(struct link *l, uint32_t part, struct diag_loc loc,
                                                      const char *format, ...);
__attribute__((format(printf, 3, 4))) void link_note(struct link *l, struct link_item about, const char *format, ...);

void link_settle_names(struct link *l);
void link_report_undefined(struct link *l);
struct ir_module *link_merge(struct link *l); /* NULL: no memory, as `no_memory` says */

#endif
