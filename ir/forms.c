/*
 * Expansion of the FORM table.  Rows of one mnemonic need not stand together; the order among them is the order in
 * which the front end tries them.
 */
#include "ir/forms.h"

#include "ir/ir.h"

const struct ir_form ir_form_info[] = {
#define FORM(op, mnemonic, modifiers, operands, ptx, targets, raised, fixed, words) \
    {mnemonic, modifiers, operands, targets, raised, words, IR_##op, ptx, fixed},
#include "ir/forms.def"
#undef FORM
};

const unsigned ir_form_count = sizeof ir_form_info / sizeof *ir_form_info;
_Static_assert(sizeof ir_form_info / sizeof *ir_form_info <= UINT16_MAX, "ir_inst.form is 16 bits wide");
