/*
 * Jumps, for each kind of processor.  Invariant: a jump depends on nothing but its target, so it may stand anywhere.
 */
#include "runtime/preload/jump.h"

#include <string.h>

#if defined __x86_64__
/* endbr64 */
static const uint8_t LANDING[] = {0xF3, 0x0F, 0x1E, 0xFA};
/* jmp *0(%rip), and behind it the address */
static const uint8_t JUMP[] = {0xFF, 0x25, 0x00, 0x00, 0x00, 0x00};
#elif defined __aarch64__
/* bti c */
static const uint8_t LANDING[] = {0x5F, 0x24, 0x03, 0xD5};
/* ldr x16, .+8; br x16, which a "bti c" takes for a call; and behind them the address */
static const uint8_t JUMP[] = {0x50, 0x00, 0x00, 0x58, 0x00, 0x02, 0x1F, 0xD6};
#else
#error "jumps are known for x86-64 and aarch64"
#endif

_Static_assert(sizeof LANDING + sizeof JUMP + sizeof(void *) <= PRE_JUMP_LIMIT, "a jump fits");

bool pre_has_landing(const uint8_t *code, size_t size)
{
    return size >= sizeof LANDING && memcmp(code, LANDING, sizeof LANDING) == 0;
}

size_t pre_jump_write(uint8_t code[PRE_JUMP_LIMIT], const void *target, bool landing)
{
    size_t length = landing ? sizeof LANDING : 0;

    memcpy(code, LANDING, length);
    memcpy(code + length, JUMP, sizeof JUMP);
    length += sizeof JUMP;
    memcpy(code + length, &target, sizeof target);
    return length + sizeof target;
}
