/*
 * What was written: one statement at a time, from the parser through the checker to whoever consumes it (a struct
 * ptx_sink; lowering is one).  An instruction and everything it points to lives until the sink's call returns.
 *
 * Names are resolved before a sink sees them: operands carry ir_refs into the module and function under construction,
 * vector registers and vector special registers are expanded into their elements, and immediates are bits of the
 * operand's type.
 */
#ifndef FRONTEND_AST_H
#define FRONTEND_AST_H

#include "ir/ir.h"

enum ptx_operand_kind {
    PTX_OPND_NONE,    /* absent: an optional operand that was not written */
    PTX_OPND_SINK,    /* _ */
    PTX_OPND_REG,     /* ref: register; type: as declared */
    PTX_OPND_SREG,    /* ref: special register with its component */
    PTX_OPND_IMM,     /* bits: value converted to the operand's type, zero-extended; literal: how it was written */
    PTX_OPND_SYMBOL,  /* ref: variable, plus offset; its address as a value (mov, cvta), or a .param of a call */
    PTX_OPND_FUNC,    /* ref: function */
    PTX_OPND_LABEL,   /* ref: IR_REF_BLOCK with the label's number in its function (see ptx_sink.label) */
    PTX_OPND_TABLE,   /* ref: .branchtargets or .calltargets list; its blocks are label numbers too */
    PTX_OPND_PROTO,   /* a .callprototype: says nothing but the signature */
    PTX_OPND_ADDRESS, /* [base + offset]: ref is a register, a symbol or IR_REF_NONE; type: of the base register */
    PTX_OPND_VECTOR,  /* {a, b, ...}: elements, each REG, SREG, IMM or SINK */
    PTX_OPND_PAIR,    /* d|p: two elements */
    PTX_OPND_LIST,    /* parenthesised results or arguments of a call */
    PTX_OPND_TUPLE,   /* [a, {b, c}]: texture and tensor operands */
    PTX_OPND_NAME,    /* parser and checker only: a name that is not resolved yet */
};

enum ptx_literal {
    PTX_LIT_INT,     /* signed 64-bit integer */
    PTX_LIT_UINT,    /* unsigned 64-bit integer */
    PTX_LIT_F32BITS, /* 0f3F800000 */
    PTX_LIT_F64BITS, /* 0d3FF0000000000000 */
    PTX_LIT_DECIMAL, /* 1.0 and expressions of doubles */
};

/* Selectors of video operands: .b0 .. .b3, .h0, .h1, or a permutation such as .h10 and .b3210. */
struct ptx_selector {
    char kind;        /* 'b', 'h' or 0 for none */
    uint8_t count;    /* digits written: 1 for .b0, 4 for .b3210 */
    uint8_t digit[4]; /* as written, the most significant first */
};

struct ptx_operand {
    uint8_t kind;       /* enum ptx_operand_kind */
    uint8_t type;       /* enum ir_type as declared: registers, symbols, base of an address */
    uint8_t literal;    /* enum ptx_literal: IMM */
    uint8_t space;      /* enum ir_space: SYMBOL, and ADDRESS based on one */
    bool negated;       /* !p */
    bool minus;         /* -r, vmad only */
    bool parenthesised; /* (5): one constant, or the only argument of a call */
    bool subscript;  /* variable[n]: until resolved the offset counts elements; variable[r] has r as its only element */
    bool is_unified; /* [a].unified */
    bool generic;    /* generic(variable), in initialisers only */
    uint8_t mask;    /* initialisers only: 0, or which byte of the address 0xFF..(address) picks, counted from 1 */
    struct ptx_selector selector;
    uint32_t count;               /* elements: VECTOR, PAIR, LIST, TUPLE */
    ir_ref ref;                   /* see the kinds */
    uint64_t bits;                /* IMM */
    int64_t offset;               /* SYMBOL, ADDRESS: bytes */
    struct ptx_operand *elements; /* VECTOR, PAIR, LIST, TUPLE */
    struct diag_loc loc;
    const char *name; /* text as written (not terminated), NULL where there was no name */
    uint32_t name_len;
};

/* One word of the opcode as written, without its dot. */
struct ptx_word {
    const char *text; /* not terminated */
    uint32_t len;
    struct diag_loc loc;
};

enum { PTX_MAX_WORDS = 32, PTX_MAX_OPERANDS = 32 };

/*
 * One instruction.  Operands stand in the order of the text, with one exception: `call` always has four operands, a
 * LIST of results, the target (FUNC or REG), a LIST of arguments, and TABLE, PROTO or NONE.
 */
struct ptx_inst {
    struct diag_loc loc; /* of the mnemonic */
    struct ir_line line; /* complete entry for ir_module.lines, .loc included */
    ir_ref guard;        /* predicate register or IR_REF_NONE */
    bool guard_not;
    struct ptx_word mnemonic;
    uint32_t n_words;
    struct ptx_word words[PTX_MAX_WORDS];
    uint32_t n_operands;
    struct ptx_operand operands[PTX_MAX_OPERANDS];
};

/* Words lowering may ask for: modifiers.def lists all of them. */
enum ptx_modifier {
    PTX_MOD_NONE,
#define MODIFIER(id, word, slot) PTX_MOD_##id,
#define MEANING(role, word, field, value)
#include "frontend/modifiers.def"
#undef MODIFIER
#undef MEANING
    PTX_MOD_COUNT
};

enum ptx_boolop { PTX_BOOL_NONE, PTX_BOOL_AND, PTX_BOOL_OR, PTX_BOOL_XOR };

enum { PTX_MAX_TYPES = 6 };

/* What the opcode means once a form has been chosen. */
struct ptx_match {
    uint16_t form; /* row of forms.def */
    uint16_t op;   /* enum ir_op */
    uint8_t n_types;
    uint8_t types[PTX_MAX_TYPES]; /* enum ir_type, in the order of the text: destination first */
    uint16_t shape[3];            /* m, n, k of .m16n8k16; zeros where none was written */
    uint8_t boolop;               /* enum ptx_boolop: set, setp, and lop3 with a predicate */
    uint8_t n_words;
    uint16_t words[PTX_MAX_WORDS]; /* enum ptx_modifier, in the order of the text */
    struct ir_mods mods;           /* vec is 1 where no vector was written */
};

static inline bool ptx_match_has(const struct ptx_match *m, enum ptx_modifier word)
{
    for (unsigned i = 0; i < m->n_words; i++) {
        if (m->words[i] == word) {
            return true;
        }
    }
    return false;
}

/*
 * Who consumes a checked program.  Functions, registers, symbols, parameters and tables are already in the module when
 * something that mentions them is passed on.  After the first error nothing more is passed on.  All return false only
 * when memory is exhausted.
 */
struct ptx_sink {
    void *context;
    /* A body begins: parameters are declared.  Registers and symbols of `f` appear as they are met. */
    bool (*function_begin)(void *context, struct ir_func *f);
    /* `n_labels` labels were numbered; all are placed.  Block references in operands and tables must be patched now. */
    bool (*function_end)(void *context, struct ir_func *f, uint32_t n_labels);
    /* Label `number` of the function stands here.  Labels are numbered in the order they are first mentioned. */
    bool (*label)(void *context, uint32_t number, const char *name);
    bool (*instruction)(void *context, const struct ptx_inst *inst, const struct ptx_match *match);
};

#endif
