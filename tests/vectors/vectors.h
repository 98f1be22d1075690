/*
 * Recorded results of a GPU, and their comparison with the meanings in emu/sem_*.h.  A recorded kernel executes one
 * instruction; its text says which function to compare.
 */
#ifndef TESTS_VECTORS_H
#define TESTS_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VEC_FIELDS = 36, VEC_WORDS = 6, VEC_NAME = 32 };

/* An instruction taken apart: modifiers that change the arithmetic, and the words that are left. */
struct vec_inst {
    char op[VEC_NAME];               /* mnemonic with the words that select an operation: "shf_l_wrap" */
    char types[VEC_WORDS][VEC_NAME]; /* type words in order */
    size_t n_types;
    char type_list[VEC_NAME * 2]; /* the same joined by dots */
    unsigned mode;                /* enum sem_round */
    bool has_mode;                /* a rounding was written */
    bool integral;                /* ... as .rni, .rzi, .rmi, .rpi */
    unsigned env;                 /* enum sem_env bits */
    unsigned cmp;                 /* enum sem_cmp */
    char combine[8];  /* Boolean operator of setp and set, or the secondary operation of a video instruction */
    bool negated;     /* the predicate operand is negated */
    const char *text; /* as recorded */
    char line[128];   /* video instructions: the line of PTX, without leading space */
};

/* Compute one record: field values in, field values out, zero-extended. */
typedef void vec_function(const uint64_t *in, uint64_t *out, const struct vec_inst *inst);

struct vec_entry {
    const char *op, *types;
    vec_function *run;
};

/* Each family looks its function up; NULL if it knows none. */
vec_function *vec_find_int(const struct vec_inst *inst);
vec_function *vec_find_float(const struct vec_inst *inst);
vec_function *vec_find_half(const struct vec_inst *inst);
vec_function *vec_find_cvt(const struct vec_inst *inst);
vec_function *vec_find_cmp(const struct vec_inst *inst);
vec_function *vec_find_mufu(const struct vec_inst *inst);
vec_function *vec_find_video(const struct vec_inst *inst);

/* Compare every step-th block of a file of hashes; the exit status. */
int vec_check_hashes(const char *path, unsigned step);

vec_function *vec_lookup(const struct vec_entry *table, size_t n, const struct vec_inst *inst);

#define VEC_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
