/*
 * The FORM table: what PTX may write, one row per mnemonic and family of modifiers.  forms.def explains the notation of
 * the pattern strings; frontend/pattern.c reads it.
 */
#ifndef IR_FORMS_H
#define IR_FORMS_H

#include <stdint.h>

struct ir_form {
    const char *mnemonic;
    const char *modifiers; /* pattern of the opcode after the mnemonic */
    const char *operands;  /* pattern of the operands */
    const char *targets;   /* "sm_80+" or a list of names */
    const char *raised;    /* words that need a newer version or target */
    const char *words;     /* one sentence for documentation */
    uint16_t op;           /* enum ir_op */
    uint16_t ptx;          /* first language version times ten */
    uint8_t fixed;         /* leading elements of the pattern whose place is fixed */
};

extern const struct ir_form ir_form_info[];
extern const unsigned ir_form_count;

#endif
