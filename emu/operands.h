/*
 * Operands of an instruction that has more of them than a uop can name, or takes them in any shape: code->extra from
 * uop.extra on lists them, results first, then sources.  Two words each: the operand's offset, and the bytes of a lane
 * in its row, or 0 for a scalar.  Private to emu/.
 */
#ifndef EMU_OPERANDS_H
#define EMU_OPERANDS_H

#include "emu/code.h"

enum { OPERAND_WORDS = 2 };

/* The operands of one instruction for the activation that runs it. */
struct emu_operands {
    const uint32_t *results, *sources; /* pairs of words */
    uint8_t *rows;
    const uint8_t *scalars;
};

static inline struct emu_operands emu_operands(const struct lanes *x, const struct uop *u, unsigned results,
                                               uint8_t *rows, const uint8_t *scalars)
{
    const uint32_t *list = x->split->frame->code->extra + u->extra;

    return (struct emu_operands){list, list + (size_t)results * OPERAND_WORDS, rows, scalars};
}

/* Bytes of a lane in the row of a source, 0 for a scalar. */
static inline uint32_t emu_source_bytes(const struct emu_operands *o, unsigned index)
{
    return o->sources[index * OPERAND_WORDS + 1];
}

/* A source of one lane; rows narrower than 8 bytes are extended with zeros. */
static inline uint64_t emu_source(const struct emu_operands *o, unsigned index, int lane)
{
    const uint32_t offset = o->sources[index * OPERAND_WORDS], bytes = emu_source_bytes(o, index);
    const uint8_t *row = o->rows + offset;

    switch (bytes) {
    case 0:
        return *(const uint64_t *)(o->scalars + offset);
    case 2:
        return ((const uint16_t *)row)[lane];
    case 4:
        return ((const uint32_t *)row)[lane];
    default:
        return ((const uint64_t *)row)[lane];
    }
}

static inline void emu_result(const struct emu_operands *o, unsigned index, int lane, uint64_t value)
{
    const uint32_t offset = o->results[index * OPERAND_WORDS], bytes = o->results[index * OPERAND_WORDS + 1];
    uint8_t *row = o->rows + offset;

    if (offset == NO_OPERAND) {
        return;
    }
    switch (bytes) {
    case 2:
        ((uint16_t *)row)[lane] = (uint16_t)value;
        break;
    case 4:
        ((uint32_t *)row)[lane] = (uint32_t)value;
        break;
    default:
        ((uint64_t *)row)[lane] = value;
        break;
    }
}

#endif
