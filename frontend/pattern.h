/*
 * The pattern strings of forms.def, taken apart.  A pattern is compiled when its mnemonic is first met and lives as
 * long as the parse.
 */
#ifndef FRONTEND_PATTERN_H
#define FRONTEND_PATTERN_H

#include "frontend/parse.h"
#include "ir/forms.h"

enum { PTX_MAX_ELEMENTS = 24, PTX_MAX_FORM_OPERANDS = 16 };

/* One alternative of an element: one word, or several that come together. */
struct ptx_alternative {
    struct ptx_text text; /* without the first dot */
    uint8_t n_words;
    struct ptx_text words[6]; /* without dots */
};

struct ptx_element {
    bool optional;
    struct ptx_text role; /* empty for literals and choices nothing refers to */
    uint16_t n_alternatives;
    struct ptx_alternative *alternatives;
};

enum ptx_operand_pattern_kind {
    PTX_PAT_REG,      /* reg T */
    PTX_PAT_PAIR,     /* X|Y: `type` and `second`; the first may be a vector */
    PTX_PAT_VECTOR,   /* {n x T} */
    PTX_PAT_FRAGMENT, /* {acc D} ... */
    PTX_PAT_ADDRESS,  /* [addr] */
    PTX_PAT_TMEM,     /* [tmem] */
    PTX_PAT_MAP,      /* [map,{coords}] */
    PTX_PAT_TEXTURE,  /* [tx, {coords}], [tx, smp, {coords}], [srf, {coords}] */
    PTX_PAT_HANDLE,   /* [tx], [smp], [srf] */
    PTX_PAT_COORDS,   /* {gradient}, {offsets} */
    PTX_PAT_CONST,
    PTX_PAT_FRACTION,
    PTX_PAT_VIDEO, /* vsrc, vsrcN, vaddend, vdst, vmask */
    PTX_PAT_LABEL,
    PTX_PAT_LABELS,
    PTX_PAT_CALL,
    PTX_PAT_ADDRESS_OF, /* address: of a variable, as a value */
    PTX_PAT_FUNCTION,
    PTX_PAT_KERNEL,
    PTX_PAT_REG_OFFSET,
    PTX_PAT_VARIABLE,
    PTX_PAT_SREG,
    PTX_PAT_SREG4,
    PTX_PAT_SINK,
};

enum ptx_video_kind { PTX_VIDEO_SRC, PTX_VIDEO_SRC_NEG, PTX_VIDEO_ADDEND, PTX_VIDEO_DST, PTX_VIDEO_MASK };
enum ptx_fragment_kind {
    PTX_FRAG_ACC,
    PTX_FRAG_WMMA_A,
    PTX_FRAG_WMMA_B,
    PTX_FRAG_WMMA_C,
    PTX_FRAG_WGMMA,
    PTX_FRAG_TMEM
};

/* A type written literally, or the letter of the choice that says it. */
struct ptx_type_ref {
    char role; /* 0: literal */
    uint8_t type;
    bool wide;
};

struct ptx_operand_pattern {
    struct ptx_text role;
    uint8_t kind;
    uint8_t sub; /* enum ptx_video_kind, enum ptx_fragment_kind */
    bool optional, immediate, reg_ok, sink, wider, special, unified, has_sampler;
    struct ptx_type_ref type, second;
    /* elements of a vector: scale * (value of the choice) - minus, or just `scale` */
    char count_role;
    uint8_t scale, minus;
    bool pair_of_vector; /* PAIR: the first is {n x T} */
    /* CONST: a list, or low..high in steps; neither: any */
    bool power_of_two, listed, ranged;
    int64_t low, high, step;
    int64_t list[4];
    uint8_t n_list;
};

struct ptx_pattern {
    const struct ir_form *form;
    uint16_t index; /* row of forms.def */
    uint8_t n_elements;
    uint8_t n_operands;
    uint8_t n_required; /* operands that must be there */
    struct ptx_element elements[PTX_MAX_ELEMENTS];
    struct ptx_operand_pattern operands[PTX_MAX_FORM_OPERANDS];
};

/* Row `index` taken apart; NULL when memory is exhausted. */
struct ptx_pattern *ptx_pattern_new(struct arena *a, unsigned index);

#endif
