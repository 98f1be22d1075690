/*
 * Jumps: machine code that goes to any address and changes no register that a call could need.
 */
#ifndef RUNTIME_PRELOAD_JUMP_H
#define RUNTIME_PRELOAD_JUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PRE_JUMP_LIMIT = 20 }; /* bytes of the longest */

/* Whether the code starts with a mark without which indirect calls of it may be faults (ENDBR64, BTI). */
bool pre_has_landing(const uint8_t *code, size_t size);
/* Write a jump to `target` into `code`, behind such a mark if `landing`; how long it is. */
size_t pre_jump_write(uint8_t code[PRE_JUMP_LIMIT], const void *target, bool landing);

#endif
