/*
 * Where a call's arguments and results are, in the caller and in the callee.
 */
#ifndef EMU_VALUES_H
#define EMU_VALUES_H

#include <stdint.h>

enum value_kind {
    VALUE_NONE,        /* thrown away */
    VALUE_ROW,         /* row of the activation: bytes 2, 4, 8 or 16 per lane */
    VALUE_SCALAR,      /* scalar of the activation */
    VALUE_MASK,        /* varying predicate */
    VALUE_SCALAR_MASK, /* uniform predicate */
    VALUE_FRAME,       /* local memory of the activation: any size */
};
struct emu_value {
    uint32_t kind;   /* enum value_kind */
    uint32_t offset; /* in the activation's rows, scalars or local memory */
    uint32_t bytes;
};

/* One call instruction: its arguments, then its results. */
struct emu_site {
    uint32_t n_args, n_rets;
    const struct emu_value *values;
};

enum call_mode { CALL_DIRECT, CALL_INDIRECT, CALL_BUILTIN, CALL_HOST };
enum stack_mode { STACK_ALLOCA, STACK_SAVE, STACK_RESTORE };

/* Function i of a module has address EMU_FUNC_STEP * (i + 1). */
enum { EMU_FUNC_STEP = 16 };

struct lanes;
struct frame;

/* `n` bytes of a value from byte `first`, for one lane. */
void emu_value_read(const struct lanes *x, const struct frame *f, const struct emu_value *v, int lane, unsigned first,
                    void *out, unsigned n);
void emu_value_write(const struct lanes *x, const struct frame *f, const struct emu_value *v, int lane, unsigned first,
                     const void *value, unsigned n);

#endif
