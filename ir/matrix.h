/*
 * The shapes of matrix instructions: what matrix.def says, as an array, and questions about it.
 */
#ifndef IR_MATRIX_H
#define IR_MATRIX_H

#include "ir/ir.h"

enum ir_matrix_family { IR_MATRIX_MMA, IR_MATRIX_SP, IR_MATRIX_WMMA };

/* Classes of element types: members of one class have the same layout. */
enum ir_matrix_elements {
    IR_MATRIX_HALVES, /* f16 */
    IR_MATRIX_BF16,
    IR_MATRIX_TF32,
    IR_MATRIX_FP8, /* e4m3, e5m2 */
    IR_MATRIX_F64,
    IR_MATRIX_INT8, /* s8, u8 */
    IR_MATRIX_INT4, /* s4, u4 */
    IR_MATRIX_BITS, /* b1 */
    IR_MATRIX_OTHER /* of no a or b */
};

struct ir_matrix {
    uint8_t family;   /* enum ir_matrix_family */
    uint8_t elements; /* enum ir_matrix_elements */
    uint16_t m, n, k;
    uint8_t a_regs, b_regs; /* registers of a thread */
    uint8_t acc;            /* elements of c and d of a thread */
};

/* Index 0 is no matrix; ir_mods.matrix is an index. */
extern const struct ir_matrix ir_matrix_info[];
extern const unsigned ir_matrix_count;

enum ir_matrix_elements ir_matrix_class(enum ir_type type);
/* The row of a shape; elements OTHER: the first of that shape, for accumulators, which are alike.  0: no such row. */
unsigned ir_matrix_find(enum ir_matrix_family family, unsigned m, unsigned n, unsigned k,
                        enum ir_matrix_elements elements);
/* Registers that hold one operand of an instruction with these modifiers; `type` of its elements matters for c, d. */
unsigned ir_matrix_regs(const struct ir_mods *mods, enum ir_matrix_part part, enum ir_type type);
/* Bits of each of them. */
unsigned ir_matrix_reg_bits(const struct ir_mods *mods);
/* The elements' type of a part of an instruction: type, type2 and mods hold those of d, a, b and c. */
enum ir_type ir_matrix_type(const struct ir_inst *in, enum ir_matrix_part part);

/* Letters of shapes.def that stand for fragments, and the registers of one. */
bool ir_matrix_is_letter(char letter);
unsigned ir_matrix_letter_regs(const struct ir_inst *in, char letter);

#endif
