/*
 * The table of matrix.def, and questions about it.  Invariant: ir_matrix_info[0] is empty, the rest are the rows in
 * order.
 */
#include "ir/matrix.h"

const struct ir_matrix ir_matrix_info[] = {
    {.family = 0},
#define MATRIX(fam, rows, columns, depth, class, a, b, accumulators) \
    {.family = IR_MATRIX_##fam,                                      \
     .elements = IR_MATRIX_##class,                                  \
     .m = rows,                                                      \
     .n = columns,                                                   \
     .k = depth,                                                     \
     .a_regs = a,                                                    \
     .b_regs = b,                                                    \
     .acc = accumulators},
#include "ir/matrix.def"
#undef MATRIX
};
const unsigned ir_matrix_count = sizeof ir_matrix_info / sizeof ir_matrix_info[0];

enum ir_matrix_elements ir_matrix_class(enum ir_type type)
{
    switch (type) {
    case IR_F16:
        return IR_MATRIX_HALVES;
    case IR_BF16:
        return IR_MATRIX_BF16;
    case IR_TF32:
        return IR_MATRIX_TF32;
    case IR_E4M3:
    case IR_E5M2:
        return IR_MATRIX_FP8;
    case IR_F64:
        return IR_MATRIX_F64;
    case IR_S8:
    case IR_U8:
        return IR_MATRIX_INT8;
    case IR_S4:
    case IR_U4:
        return IR_MATRIX_INT4;
    case IR_B1:
        return IR_MATRIX_BITS;
    default:
        return IR_MATRIX_OTHER;
    }
}

unsigned ir_matrix_find(enum ir_matrix_family family, unsigned m, unsigned n, unsigned k,
                        enum ir_matrix_elements elements)
{
    for (unsigned i = 1; i < ir_matrix_count; i++) {
        const struct ir_matrix *x = &ir_matrix_info[i];

        if (x->family == family && x->m == m && x->n == n && x->k == k &&
            (elements == IR_MATRIX_OTHER || x->elements == elements)) {
            return i;
        }
    }
    return 0;
}

unsigned ir_matrix_regs(const struct ir_mods *mods, enum ir_matrix_part part, enum ir_type type)
{
    const struct ir_matrix *x = &ir_matrix_info[mods->matrix < ir_matrix_count ? mods->matrix : 0];

    switch (part) {
    case IR_PART_A:
        return x->a_regs;
    case IR_PART_B:
        return x->b_regs;
    default:
        return type == IR_F16 ? x->acc / 2u : x->acc;
    }
}

unsigned ir_matrix_reg_bits(const struct ir_mods *mods)
{
    return mods->matrix < ir_matrix_count && ir_matrix_info[mods->matrix].elements == IR_MATRIX_F64 ? 64 : 32;
}

bool ir_matrix_is_letter(char letter)
{
    return (letter >= 'A' && letter <= 'D') || letter == 'X';
}

unsigned ir_matrix_letter_regs(const struct ir_inst *in, char letter)
{
    const enum ir_matrix_part part =
        letter == 'X' ? (enum ir_matrix_part)in->mods.part : (enum ir_matrix_part)(letter - 'A' + IR_PART_A);

    return ir_matrix_regs(&in->mods, part, ir_matrix_type(in, part));
}

enum ir_type ir_matrix_type(const struct ir_inst *in, enum ir_matrix_part part)
{
    /* Loads and stores have one part and one type. */
    if (in->type2 == IR_TYPE_NONE) {
        return (enum ir_type)in->type;
    }
    switch (part) {
    case IR_PART_A:
        return (enum ir_type)in->type2;
    case IR_PART_B:
        return (enum ir_type)in->mods.btype;
    case IR_PART_C:
        return (enum ir_type)in->mods.ctype;
    default:
        return (enum ir_type)in->type;
    }
}
