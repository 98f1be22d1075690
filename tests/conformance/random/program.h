/*
 * A random program: one PTX entry (in, out), written as text from a seed.
 *
 * Every register is loaded before the first random statement and stored after the last, so any statement may be left
 * out and the rest is still a complete program: that is what shrinking does.  Statements are counted in the order in
 * which they are made; the draws do not depend on which are kept.
 */
#ifndef RANDOM_PROGRAM_H
#define RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rng.h"
#include "text.h"

/* Kinds of registers.  A value changes its kind by conversions and by statements that say so, never by accident: the
 * kinds of floating-point values may hold NaNs whose bits differ between assemblers. */
enum pool { POOL_PRED, POOL_B16, POOL_B32, POOL_B64, POOL_F32, POOL_F64, POOL_F16, POOL_BF16, POOL_F16X2, POOL_BF16X2 };
enum { POOLS = POOL_BF16X2 + 1, MOST_REGISTERS = 8 };

struct pool_info {
    const char *prefix;   /* register 1 is prefix "1" */
    const char *declared; /* type of the register */
    const char *type;     /* for loads, stores and moves */
    uint8_t bytes;        /* 0: predicates, one bit each in one word */
    uint8_t count;
    uint8_t offset; /* in a thread's record of input and output */
};
extern const struct pool_info pool_info[POOLS];

/* Layout of the buffers; all programs have it. */
enum {
    HEADER_BYTES = 64,  /* of the input: words that all threads read */
    HEADER_WORDS = 4,   /* of them that programs use */
    RECORD_BYTES = 176, /* of each thread, input and output */
    ATOMIC_BYTES = 128, /* of the output, behind the records: targets of atomics on global memory */
    ATOMIC_WORDS = 8,   /* 32-bit targets; 64-bit ones follow */
    ATOMIC_LONGS = 6,
    SLOT_BYTES = 32,  /* of shared memory, for each thread */
    LOCAL_BYTES = 64, /* of local memory */
    CONST_BYTES = 64, /* of constant memory */
    MOST_THREADS = 96 * 3,
    MOST_OUT_BYTES = MOST_THREADS * RECORD_BYTES + ATOMIC_BYTES + 3 * ATOMIC_WORDS * 4,
    MOST_IN_BYTES = HEADER_BYTES + MOST_THREADS * RECORD_BYTES,
};

/* How to launch a program. */
struct shape {
    uint64_t seed;
    unsigned block, grid;
};
size_t shape_in_bytes(const struct shape *shape);
size_t shape_out_bytes(const struct shape *shape);
/* Fill buffers of MOST_IN_BYTES and MOST_OUT_BYTES with what the program finds there. */
void shape_fill(const struct shape *shape, uint8_t *in, uint8_t *out);
struct shape shape_of(uint64_t seed);

/* --- making ---------------------------------------------------------------------------------------------------------
 */
/* Statements to leave out: bit i of kept[i / 64] is 0.  NULL: none. */
struct selection {
    const uint64_t *kept;
    unsigned count; /* statements beyond are kept */
};

/* Append the functions and the entry k<seed> of the program; returns the number of its statements. */
unsigned program_write(uint64_t seed, const struct selection *selection, struct text *out);
/* What stands before the programs of a module. */
void program_header(struct text *out);

/* --- between the files that make programs ---------------------------------------------------------------------------
 */
struct generator {
    struct rng rng;
    struct text *out;
    struct shape shape;
    const struct selection *selection;
    unsigned statements; /* made so far */
    unsigned labels;
    unsigned depth;      /* nested control flow */
    unsigned loops;      /* nested loops: each has a counter */
    unsigned exit_label; /* of the innermost divergent loop, 0: none */
    unsigned functions;
    bool in_function, uniform; /* uniform: all threads of the CTA are here */
};

/* A statement is text that can be cut away again. */
struct statement {
    size_t start;
    bool kept;
};
struct statement begin_statement(struct generator *g);
void end_statement(struct generator *g, struct statement s);

/* Draw registers and write them into `name`. */
enum { NAME_BYTES = 40 };
void draw_register(struct generator *g, enum pool pool, char name[NAME_BYTES]);
/* `count` different registers as a list without braces. */
void draw_different(struct generator *g, enum pool pool, unsigned count, char list[4 * NAME_BYTES]);
void draw_immediate(struct generator *g, enum pool pool, char text[NAME_BYTES]);
/* A copy of the float `name` whose NaNs are canonical, in temporary `slot` (0 or 1); for other kinds `name` itself. */
void make_clean(struct generator *g, enum pool pool, char name[NAME_BYTES], unsigned slot);
/*
 * Hide the value of a register from the assembler, by an exclusive or with a zero of the launch: what it makes of two
 * instructions together is not always what they mean (rows.def).  Predicates, temporaries and lists stay as they are.
 */
void hide_value(struct generator *g, const char *name);

/* One instruction of rows.def. */
void write_instruction(struct generator *g, const char *guard);
/* Statements up to about `budget` instructions. */
void write_block(struct generator *g, unsigned budget);
void write_memory(struct generator *g);
void write_exchange(struct generator *g);
void write_atomic(struct generator *g);
void write_warp(struct generator *g);
void write_call(struct generator *g);
void write_functions(struct generator *g);
void write_table(struct generator *g);
void write_registers(struct generator *g);

#endif
