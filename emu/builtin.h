/*
 * Functions that the CUDA runtime supplies to kernels (ir/builtins.def): which there are, and what their
 * implementations share.  All run for the active lanes of a call and return false after a fault.
 */
#ifndef EMU_BUILTIN_H
#define EMU_BUILTIN_H

#include <stdbool.h>
#include <stdint.h>

struct lanes;
struct uop;

enum builtin {
#define BUILTIN(id, name) BUILTIN_##id,
#define SYSTEM(name)
#define FAMILY(prefix)
#include "ir/builtins.def"
};

/* -1: not one of them. */
int emu_builtin_find(const char *name);
bool emu_builtin_uses_heap(int which);
/* Does it launch, or belong to those that do? */
bool emu_builtin_uses_children(int which);
bool emu_builtin_call(struct lanes *x, const struct uop *u, int which);

/* The i-th argument of one lane, zero-extended; 0 when it is none of up to 8 bytes. */
uint64_t emu_argument(const struct lanes *x, const struct uop *u, int lane, unsigned i);
/* The i-th argument, `size` bytes of it; zeros behind what there is. */
void emu_argument_bytes(const struct lanes *x, const struct uop *u, int lane, unsigned i, void *out, unsigned size);
void emu_give_result(const struct lanes *x, const struct uop *u, int lane, uint64_t value);

/* children_call.c */
bool emu_children_call(struct lanes *x, const struct uop *u, int which);

#endif
