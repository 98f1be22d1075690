/*
 * From the words of an opcode to the forms they may be written for.  The answer is remembered per spelling, so the
 * usual instruction costs one hash lookup.
 */
#ifndef FRONTEND_OPCODE_H
#define FRONTEND_OPCODE_H

#include "frontend/pattern.h"

enum { PTX_NO_CHOICE = 255 };

/* A form whose modifiers agree with what was written. */
struct ptx_candidate {
    const struct ptx_pattern *pattern;
    struct ptx_match match;
    uint8_t chosen[PTX_MAX_ELEMENTS]; /* alternative of each element, PTX_NO_CHOICE for an absent one */
    uint8_t role_type[26];            /* type said by the choice A..Z */
    uint8_t role_number[26];          /* number in its word: 4 for .v4, .x4 and .4d */
    uint8_t n_spaces;                 /* state space words written */
    uint8_t tmem_scale;               /* registers per .xN of a tcgen05 shape */
    uint16_t tmem_count;              /* N of .xN */
};

struct ptx_opcode {
    const char *key; /* mnemonic and words as written, joined */
    uint32_t key_len;
    uint32_t hash;
    uint32_t next; /* in its bucket: index + 1 */
    uint32_t n_candidates;
    struct ptx_candidate *candidates;
};

struct ptx_opcodes *ptx_opcodes_new(struct ptx_parse *p);
void ptx_opcodes_free(struct ptx_opcodes *o);

/* The forms that agree with the words of p->inst.  NULL after reporting that there is none. */
const struct ptx_opcode *ptx_opcode_find(struct ptx_parse *p);

/* --- between opcode.c, match.c and opcode_errors.c ------------------------------------------ */
struct ptx_mnemonic {
    const char *name;
    uint32_t n_patterns;
    struct ptx_pattern **patterns;
};
enum ptx_slot { PTX_SLOT_PLAIN, PTX_SLOT_TYPE, PTX_SLOT_SPACE, PTX_SLOT_LAYOUT, PTX_SLOT_REPEAT };

/* The written words, repeated ones dropped where that is harmless. */
struct ptx_words {
    uint32_t count;
    struct ptx_word at[PTX_MAX_WORDS];
    uint8_t slot[PTX_MAX_WORDS];
};
void ptx_words_collect(const struct ptx_inst *inst, struct ptx_words *w);
/* Which alternatives of the pattern the words choose; false if they do not fit.  `used` gets the words taken on the
 * way. */
bool ptx_pattern_match(const struct ptx_pattern *pat, const struct ptx_words *w, uint8_t chosen[PTX_MAX_ELEMENTS]);
/* As far as it goes, in any order: the words that find a place, bit by bit, and the first element that needed one and
 * got none. */
uint32_t ptx_pattern_partial(const struct ptx_pattern *pat, const struct ptx_words *w, uint8_t chosen[PTX_MAX_ELEMENTS],
                             unsigned *missing);
bool ptx_candidate_init(struct ptx_candidate *c, const struct ptx_pattern *pat, const struct ptx_words *w,
                        const uint8_t chosen[PTX_MAX_ELEMENTS]);
struct ptx_mnemonic *ptx_mnemonic_find(struct ptx_parse *p, struct ptx_text name);
void ptx_unknown_mnemonic(struct ptx_parse *p);
void ptx_no_form(struct ptx_parse *p, const struct ptx_mnemonic *m, const struct ptx_words *w);
/* The spelling of the form with the chosen words in place: "add{.sat}.s32", or without what was left out: "add.s32". */
enum ptx_form_style { PTX_FORM_WHOLE, PTX_FORM_CHOSEN };
void ptx_form_text(const struct ptx_pattern *pat, const uint8_t chosen[PTX_MAX_ELEMENTS], enum ptx_form_style style,
                   char *buffer, size_t size);

/* --- operands (operands.c, operand_errors.c) ------------------------------------------------ */
/* How far an operand list agrees with a form. */
enum ptx_fault_kind {
    PTX_FAULT_NONE,
    PTX_FAULT_COUNT,
    PTX_FAULT_KIND,
    PTX_FAULT_TYPE,
    PTX_FAULT_LITERAL,
    PTX_FAULT_RANGE,
    PTX_FAULT_ELEMENTS,
    PTX_FAULT_SPACE,
    PTX_FAULT_SINK,
    PTX_FAULT_ADDRESS,
    PTX_FAULT_SELECTOR,
    PTX_FAULT_NEGATION,
    PTX_FAULT_SPECIAL,
    PTX_FAULT_SAMPLER,
};
struct ptx_fault {
    uint8_t kind;                 /* enum ptx_fault_kind */
    uint8_t operand;              /* index into the pattern's operands */
    uint8_t want;                 /* type that was wanted: TYPE, LITERAL, ADDRESS */
    uint32_t count;               /* ELEMENTS: how many were wanted */
    const struct ptx_operand *op; /* the offender, NULL for a missing one */
};
/* Do the operands fit?  Immediates are not converted yet.  `skipped`: bit per optional operand that was left out. */
bool ptx_operands_fit(const struct ptx_parse *p, const struct ptx_candidate *c, const struct ptx_inst *inst,
                      uint32_t *skipped, struct ptx_fault *fault);
/* Bring the operands into the shape lowering sees: one per operand of the form, constants converted. */
void ptx_operands_convert(const struct ptx_candidate *c, struct ptx_inst *inst, uint32_t skipped);
void ptx_report_fault(struct ptx_parse *p, const struct ptx_candidate *c, const struct ptx_inst *inst,
                      const struct ptx_fault *fault);
/* The number of registers of a fragment and the type of each. */
uint32_t ptx_fragment(const struct ptx_candidate *c, const struct ptx_operand_pattern *o, enum ir_type *type);
enum ir_type ptx_type_of(const struct ptx_candidate *c, struct ptx_type_ref ref);
/* Version and target that the form and the written words need; false after reporting. */
bool ptx_check_requirements(struct ptx_parse *p, const struct ptx_candidate *c, const struct ptx_inst *inst,
                            bool report);
/* calls.c */
bool ptx_check_call(struct ptx_parse *p, struct ptx_inst *inst);

#endif
