/*
 * The intermediate representation: what a PTX module means, free of how it was written and of how it will run.
 *
 * A module owns symbols, functions and a line table.  A function is an array of basic blocks in the order of the text
 * and one array of fixed-size instructions; operands live in one pool and are 32-bit references (ir_ref).  Virtual
 * registers are not in SSA form: PTX is not, and the engine wants few slots rather than many values.
 *
 * Invariants (checked by ir_verify): see the top of verify.c.
 */
#ifndef IR_IR_H
#define IR_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/base/arena.h"
#include "ir/base/diag.h"
#include "ir/base/vec.h"

/* --- enumerations generated from the tables --------------------------------------------------- */
enum ir_type {
    IR_TYPE_NONE,
#define TYPE(id, word, bits, kind) IR_##id,
#include "ir/types.def"
#undef TYPE
    IR_TYPE_COUNT
};

enum ir_type_kind {
    IR_KIND_NONE,
    IR_KIND_PRED,
    IR_KIND_BITS,
    IR_KIND_UINT,
    IR_KIND_SINT,
    IR_KIND_FLOAT,
    IR_KIND_PACKED,
    IR_KIND_OPAQUE
};

struct ir_type_info {
    const char *name; /* without the dot */
    uint8_t bits;
    uint8_t kind; /* enum ir_type_kind */
};
extern const struct ir_type_info ir_type_info[IR_TYPE_COUNT];

enum ir_shape {
#define SHAPE(id, dsts, srcs) IR_SHAPE_##id,
#include "ir/shapes.def"
#undef SHAPE
    IR_SHAPE_COUNT
};

struct ir_shape_info {
    const char *name;
    const char *dsts; /* letters as in shapes.def */
    const char *srcs;
};
extern const struct ir_shape_info ir_shape_info[IR_SHAPE_COUNT];

enum ir_op {
#define OP(id, shape, types, unit, effects, meaning, words) IR_##id,
#define FORM(...)
#include "ir/instructions.def"
#undef OP
#undef FORM
    IR_OP_COUNT
};

enum ir_unit { IR_UNIT_ALU, IR_UNIT_FMA, IR_UNIT_XU, IR_UNIT_LSU, IR_UNIT_CBU, IR_UNIT_TENSOR, IR_UNIT_TEX };

/* What an operation does besides computing its destinations. */
enum ir_effect {
    IR_E_PURE = 1 << 0,     /* result depends on the operands only */
    IR_E_COMMUTES = 1 << 1, /* the first two sources may be exchanged */
    IR_E_LOAD = 1 << 2,
    IR_E_STORE = 1 << 3,
    IR_E_ATOMIC = 1 << 4,
    IR_E_FENCE = 1 << 5,
    IR_E_CROSS = 1 << 6,   /* reads other lanes */
    IR_E_SYNC = 1 << 7,    /* waits for lanes of the warp */
    IR_E_BARRIER = 1 << 8, /* waits for threads of the CTA or cluster */
    IR_E_BRANCH = 1 << 9,
    IR_E_END = 1 << 10, /* without a guard, nothing falls through */
    IR_E_CALL = 1 << 11,
    IR_E_FAULT = 1 << 12,
    IR_E_SREG = 1 << 13, /* reads a special register */
    IR_E_HINT = 1 << 14, /* no effect on results */
    IR_E_YIELD = 1 << 15,
    IR_E_STACK = 1 << 16,
    IR_E_ASYNC = 1 << 17, /* starts, groups or awaits work that others do in the meantime */
};

struct ir_op_info {
    const char *name;  /* the id as written in ops.def; the printer writes it in lower case */
    uint64_t types;    /* bit ir_type_bit(t) for each type the op has; all ones for any */
    uint32_t effects;  /* enum ir_effect */
    uint8_t shape;     /* enum ir_shape */
    uint8_t unit;      /* enum ir_unit */
    const char *words; /* one sentence for documentation */
};
extern const struct ir_op_info ir_op_info[IR_OP_COUNT];

static inline uint64_t ir_type_bit(enum ir_type t)
{
    return (uint64_t)1 << t;
}
_Static_assert(IR_TYPE_COUNT <= 64, "type sets are 64-bit masks");

/* Special registers: sregs.def lists them; a component is part of the id (SREG_TID_X). */
enum ir_sreg {
    IR_SREG_NONE,
#define SREG(id, name, bits, ptx, sm, words) IR_SREG_##id,
#include "ir/sregs.def"
#undef SREG
    IR_SREG_COUNT
};
struct ir_sreg_info {
    const char *name; /* with the percent sign and component: "%tid.x" */
    uint8_t bits;     /* 16, 32, 64 or 1 for predicates */
    uint16_t ptx;     /* first language version times ten */
    uint16_t sm;      /* first target */
};
extern const struct ir_sreg_info ir_sreg_info[IR_SREG_COUNT];

enum ir_space {
    IR_SPACE_GENERIC,
    IR_SPACE_GLOBAL,
    IR_SPACE_SHARED,
    IR_SPACE_LOCAL,
    IR_SPACE_CONST,
    IR_SPACE_PARAM,
    IR_SPACE_CLUSTER,
    IR_SPACE_COUNT
};
enum ir_round {
    IR_RN,
    IR_RZ,
    IR_RM,
    IR_RP,
    IR_RNA,
    IR_RS,
    IR_RNI,
    IR_RZI,
    IR_RMI,
    IR_RPI
}; /* ..I: to an integral value */
enum ir_cmp {
    IR_CMP_EQ,
    IR_CMP_NE,
    IR_CMP_LT,
    IR_CMP_LE,
    IR_CMP_GT,
    IR_CMP_GE,
    IR_CMP_LO,
    IR_CMP_LS,
    IR_CMP_HI,
    IR_CMP_HS,
    IR_CMP_EQU,
    IR_CMP_NEU,
    IR_CMP_LTU,
    IR_CMP_LEU,
    IR_CMP_GTU,
    IR_CMP_GEU,
    IR_CMP_NUM,
    IR_CMP_NAN
};
enum ir_testp {
    IR_TESTP_FINITE,
    IR_TESTP_INFINITE,
    IR_TESTP_NUMBER,
    IR_TESTP_NOTANUMBER,
    IR_TESTP_NORMAL,
    IR_TESTP_SUBNORMAL
};
enum ir_atom {
    IR_ATOM_ADD,
    IR_ATOM_MIN,
    IR_ATOM_MAX,
    IR_ATOM_AND,
    IR_ATOM_OR,
    IR_ATOM_XOR,
    IR_ATOM_INC,
    IR_ATOM_DEC,
    IR_ATOM_EXCH
}; /* compare-and-swap is an operation of its own */
enum ir_shfl { IR_SHFL_UP, IR_SHFL_DOWN, IR_SHFL_BFLY, IR_SHFL_IDX };
enum ir_sem {
    IR_SEM_WEAK,
    IR_SEM_RELAXED,
    IR_SEM_ACQUIRE,
    IR_SEM_RELEASE,
    IR_SEM_ACQ_REL,
    IR_SEM_SC,
    IR_SEM_VOLATILE,
    IR_SEM_MMIO
};
enum ir_scope { IR_SCOPE_CTA, IR_SCOPE_CLUSTER, IR_SCOPE_GPU, IR_SCOPE_SYS };

/* Everything a form says besides operation and types.  Zero means "not said" for each field. */
struct ir_mods {
    uint32_t round : 4; /* enum ir_round */
    uint32_t ftz : 1;
    uint32_t sat : 1;
    uint32_t relu : 1;
    uint32_t satfinite : 1;
    uint32_t nan : 1;     /* .NaN: a NaN operand gives NaN */
    uint32_t xorsign : 1; /* .xorsign.abs */
    uint32_t abs : 1;     /* .abs of the three-operand min and max */
    uint32_t cmp : 5;     /* enum ir_cmp, or enum ir_testp for TESTP */
    uint32_t vec : 4;     /* values moved by LD, ST, ATOM, RED, PACK, UNPACK: 1, 2, 4, 8 */
    uint32_t space : 3;   /* enum ir_space */
    uint32_t atom : 4;    /* enum ir_atom: ATOM, RED, REDUX */
    uint32_t shfl : 2;    /* enum ir_shfl */
    uint32_t sync : 1;    /* the .sync form, which names its lanes */
    uint32_t uni : 1;     /* .uni: the writer promises convergence */
    uint32_t sem : 3;     /* enum ir_sem */
    uint32_t scope : 2;   /* enum ir_scope */
    uint32_t aligned : 1; /* bar.*, barrier.*.aligned: all lanes of a warp execute it together */
    uint32_t noftz : 1;
    uint32_t nc : 1;   /* .nc: read-only for the kernel's lifetime */
    uint32_t asel : 4; /* dp4a/dp2a: a is signed (1); video: selector of a */
    uint32_t bsel : 4;
    uint32_t csel : 4;
    uint32_t dsel : 4;
    uint32_t video : 6;   /* enum ir_video */
    uint32_t video2 : 3;  /* secondary operation of a video instruction */
    uint32_t lut : 8;     /* lop3 table */
    uint32_t negate : 3;  /* vmad: which of a, b, c are negated (bits 0, 1, 2) */
    uint32_t po : 1;      /* vmad .po */
    uint32_t scale : 2;   /* vmad .shr7 (1), .shr15 (2) */
    uint32_t wrap : 1;    /* vshl, vshr .wrap */
    uint32_t vtype_a : 1; /* video: a is signed */
    uint32_t vtype_b : 1;
    uint32_t vtype_c : 1;
    uint32_t index : 2; /* LD, ST after ir_fuse: the last source is a 32-bit index, zero- (1) or sign-extended (2) */
    uint32_t index_scale : 8; /* bytes per index */
    uint32_t trans : 1;       /* matrices: rows become columns */
    uint32_t matrix : 6;      /* matrix instructions: index into ir_matrix_info */
    uint32_t part : 2;        /* WMMA_LOAD, WMMA_STORE: enum ir_matrix_part */
    uint32_t acol : 1;        /* a, or the matrix in memory, is stored column by column */
    uint32_t bcol : 1;        /* b is */
    uint32_t btype : 6;       /* enum ir_type of the elements of b; type2 is that of a, type that of d */
    uint32_t ctype : 6;       /* of c */
    uint32_t conjunction : 1; /* elements b1: .and, else .xor */
    uint32_t geometry : 3;    /* textures and surfaces: enum ir_geometry */
    uint32_t component : 2;   /* TLD4: channel 0 to 3 */
    uint32_t bounds : 2;      /* surfaces: enum ir_bounds */
    uint32_t query : 4;       /* TXQ, SUQ: enum ir_query */
};
/* How a texture or surface is addressed: axes, layers (a), faces. */
enum ir_geometry {
    IR_GEOMETRY_1D,
    IR_GEOMETRY_2D,
    IR_GEOMETRY_3D,
    IR_GEOMETRY_A1D,
    IR_GEOMETRY_A2D,
    IR_GEOMETRY_CUBE,
    IR_GEOMETRY_ACUBE
};
enum { IR_GEOMETRY_COUNT = IR_GEOMETRY_ACUBE + 1 };
extern const char *const ir_geometry_name[IR_GEOMETRY_COUNT];
/* What becomes of surface accesses outside. */
enum ir_bounds { IR_BOUNDS_TRAP, IR_BOUNDS_CLAMP, IR_BOUNDS_ZERO };
extern const char *const ir_bounds_name[3];
/* What is asked about a texture, sampler or surface. */
enum ir_query {
    IR_QUERY_WIDTH,
    IR_QUERY_HEIGHT,
    IR_QUERY_DEPTH,
    IR_QUERY_DATA_TYPE,
    IR_QUERY_ORDER,
    IR_QUERY_NORMALIZED,
    IR_QUERY_LAYERS,
    IR_QUERY_LEVELS,
    IR_QUERY_SAMPLES,
    IR_QUERY_FILTER,
    IR_QUERY_ADDRESS_0,
    IR_QUERY_ADDRESS_1,
    IR_QUERY_ADDRESS_2,
    IR_QUERY_UNNORMALIZED,
    IR_QUERY_LAYOUT
};
enum { IR_QUERY_COUNT = IR_QUERY_LAYOUT + 1 };
extern const char *const ir_query_name[IR_QUERY_COUNT];
/* The matrices of d = a * b + c. */
enum ir_matrix_part { IR_PART_A, IR_PART_B, IR_PART_C, IR_PART_D };
enum ir_video {
    IR_VADD,
    IR_VSUB,
    IR_VABSDIFF,
    IR_VMIN,
    IR_VMAX,
    IR_VSHL,
    IR_VSHR,
    IR_VMAD,
    IR_VSET,
    IR_VADD2,
    IR_VSUB2,
    IR_VAVRG2,
    IR_VABSDIFF2,
    IR_VMIN2,
    IR_VMAX2,
    IR_VSET2,
    IR_VADD4,
    IR_VSUB4,
    IR_VAVRG4,
    IR_VABSDIFF4,
    IR_VMIN4,
    IR_VMAX4,
    IR_VSET4
};
enum { IR_VIDEO_COUNT = IR_VSET4 + 1 };
extern const char *const ir_video_name[IR_VIDEO_COUNT]; /* mnemonics */
enum ir_video2 { IR_V2_NONE, IR_V2_ADD, IR_V2_MIN, IR_V2_MAX, IR_V2_MERGE };

/*
 * Video.  VIDEO has the sources a, b, c (NONE where there is no c); asel, bsel, csel and dsel hold an enum ir_select.
 * VIDEO_SIMD has the sources a, b, c and two constants: for each part of the result, lowest first, four bits that
 * choose a part of the pair (b:a), once for a and once for b; dsel is the mask of the parts that are written, c gives
 * the others.
 */
enum ir_select { IR_SEL_ALL, IR_SEL_B0, IR_SEL_B1, IR_SEL_B2, IR_SEL_B3, IR_SEL_H0, IR_SEL_H1 };

/* --- references ------------------------------------------------------------------------------- */
typedef uint32_t ir_ref;
enum ir_ref_kind {
    IR_REF_NONE,   /* absent operand, or a result that is thrown away */
    IR_REF_REG,    /* index into ir_func.regs */
    IR_REF_CONST,  /* index into ir_func.consts: the low bits of a 64-bit value */
    IR_REF_SYMBOL, /* index into ir_module.symbols: its address in its own space (frame offset for local and param) */
    IR_REF_FUNC,   /* index into ir_module.funcs */
    IR_REF_SREG,   /* enum ir_sreg */
    IR_REF_BLOCK,  /* index into ir_func.blocks */
    IR_REF_TABLE,  /* index into ir_func.tables: labels of brx.idx, candidates of an indirect call */
};
enum { IR_REF_KIND_SHIFT = 28 };

static inline ir_ref ir_ref_make(enum ir_ref_kind kind, uint32_t index)
{
    return (ir_ref)kind << IR_REF_KIND_SHIFT | index;
}
static inline enum ir_ref_kind ir_ref_kind(ir_ref r)
{
    return (enum ir_ref_kind)(r >> IR_REF_KIND_SHIFT);
}
static inline uint32_t ir_ref_index(ir_ref r)
{
    return r & (((uint32_t)1 << IR_REF_KIND_SHIFT) - 1);
}

/* --- instructions, blocks, functions --------------------------------------------------------------------------------
 */
struct ir_inst {
    uint16_t op;   /* enum ir_op */
    uint8_t type;  /* enum ir_type: what is computed */
    uint8_t type2; /* source type where it differs (CVT, SLCT, PACK ...), else IR_TYPE_NONE */
    uint8_t n_dst; /* operands: destinations first, then sources */
    uint8_t n_src;
    uint8_t guard_not; /* execute where the guard is false */
    uint8_t pad;
    ir_ref guard;      /* a predicate register or IR_REF_NONE */
    uint32_t operands; /* index of the first in ir_func.operands */
    uint32_t n_wide;   /* CALL, BRX, REFUSED: number of sources when n_src does not hold it; else 0 */
    uint32_t line;     /* index into ir_module.lines: where it was written */
    uint16_t form;     /* FORM row it was written with (ir_form_info), for names and refusals */
    uint16_t align;    /* bytes: LD/ST natural alignment, ALLOCA */
    struct ir_mods mods;
};

/* Position in the PTX text and, where .loc gave one, in the user's source. */
struct ir_line {
    uint32_t line; /* of the PTX text */
    uint16_t column;
    uint16_t file; /* index into ir_module.files, 0 for none */
    uint32_t source_line;
    uint32_t source_column;
};

struct ir_block {
    uint32_t first; /* instructions [first, first + count) */
    uint32_t count;
    uint32_t label;   /* index into ir_module strings pool via names, 0 for none: see name */
    const char *name; /* label as written, or NULL */
};

struct ir_reg {
    uint8_t type;     /* as declared: enum ir_type */
    const char *name; /* as declared; NULL for ones made by lowering.  Ranges share the stem and have a number. */
    uint32_t number;  /* member of a range %r<n>, UINT32_MAX when a single name */
};

enum ir_linkage { IR_LINK_INTERNAL, IR_LINK_VISIBLE, IR_LINK_EXTERN, IR_LINK_WEAK, IR_LINK_COMMON };

/* An address stored in an initialiser: at `offset`, `width` bytes, (target + addend) shifted right by `shift` bits. */
struct ir_reloc {
    uint64_t offset;
    int64_t addend;
    ir_ref target; /* symbol or function */
    uint8_t width; /* 1, 2, 4 or 8 bytes */
    uint8_t shift; /* 0, 8, ... 56: from mask() */
    bool generic;  /* generic() address; else in the target's own space */
};

/* Frames of local memory start and end at multiples of this. */
enum { IR_FRAME_ALIGN = 16 };

static inline uint64_t ir_frame_end(uint64_t bytes)
{
    return (bytes + IR_FRAME_ALIGN - 1) / IR_FRAME_ALIGN * IR_FRAME_ALIGN;
}

struct ir_symbol {
    const char *name;
    uint8_t space; /* enum ir_space */
    uint8_t type;  /* element type */
    uint8_t vec;   /* 1, 2 or 4 */
    uint8_t linkage;
    uint32_t align;      /* bytes, a power of two */
    uint64_t size_bytes; /* 0 with `unsized` */
    bool unsized;        /* extern shared []: dynamic shared memory; .param []: what a call passes behind the rest */
    bool banked;         /* extern const[1..10] []: filled by who launches, never by a definition */
    bool managed;
    bool kernel_param;   /* space PARAM: in the launch's parameter buffer; else in the frame */
    int32_t func;        /* owner of local, param and function-scope symbols; -1 for module scope */
    uint64_t offset;     /* local, param, sized shared: set by ir_layout.  Global and const: set by whoever loads */
    const uint8_t *init; /* init_bytes bytes, the rest is zero; NULL for none */
    uint64_t init_bytes;
    struct ir_reloc *relocs;
    uint32_t n_relocs;
    uint32_t text; /* index into ir_module.texts: where it was written, as is `loc` */
    struct diag_loc loc;
};

/* Belongs to no module: who launches gives dynamic shared memory its size and constant banks their contents. */
static inline bool ir_is_filled_at_launch(const struct ir_symbol *s)
{
    return s->banked || (s->unsized && s->space == IR_SPACE_SHARED);
}

struct ir_param {
    const char *name;
    uint8_t type;      /* element type; for arrays b8 mostly */
    bool is_reg;       /* passed in a register (.reg parameter) */
    bool is_pointer;   /* .ptr */
    uint8_t ptr_space; /* enum ir_space of what .ptr points to */
    uint32_t ptr_align;
    uint32_t align;
    uint64_t size_bytes;
    uint64_t offset; /* entries: in the kernel's parameter buffer; functions: in the frame's param area */
    ir_ref ref;      /* REG or SYMBOL inside the function */
};

/* The targets of a brx.idx or the candidates of an indirect call. */
struct ir_table {
    ir_ref *refs; /* blocks or functions */
    uint32_t count;
};

struct ir_func {
    const char *name;
    struct ir_module *module;
    uint32_t index;
    bool is_entry;
    bool defined; /* has a body */
    bool noreturn;
    uint8_t linkage;
    uint32_t text; /* index into ir_module.texts: where it was written, its instructions included */
    struct diag_loc loc;
    /*
     * Declared only: the number, from 1, of the function of the host that whoever loaded the module has for it; 0:
     * none.  Such a function is not missing.
     */
    uint32_t host_function;
    struct ir_func *alias_of; /* .alias: the function that this name, which has no body, stands for; else NULL */
    struct ir_param *params;
    uint32_t n_params;
    struct ir_param *rets;
    uint32_t n_rets;

    VEC(struct ir_reg) regs;
    VEC(uint64_t) consts;
    VEC(ir_ref) operands;
    VEC(struct ir_inst) insts;
    VEC(struct ir_block) blocks;
    VEC(struct ir_table) tables;
    uint32_t building;     /* build.c: block that ir_append adds to */
    uint32_t *const_slots; /* build.c: hash of `consts`, index plus one; n_const_slots is a power of two or zero */
    uint32_t n_const_slots;

    uint64_t param_bytes;       /* entries: size of the parameter buffer */
    uint64_t frame_bytes;       /* local memory of one activation: .local and function-scope .param variables */
    uint64_t shared_bytes;      /* entries: static shared memory of the entry and of all it may call */
    uint64_t dynamic_shared_at; /* entries: where unsized shared symbols start, at or after shared_bytes */
    bool uses_dynamic_shared;
    bool recursive; /* may call itself, directly or not, or calls through a pointer */

    uint32_t maxntid[3], reqntid[3]; /* 0 when not given */
    uint32_t minnctapersm, maxnreg, maxnctapersm;
    uint32_t reqnctapercluster[3];
};

struct ir_file {
    const char *name;
};

struct ir_module {
    struct arena *arena;  /* owns names, symbols, initialisers, tables */
    const char *name;     /* file the text came from; of a linked module the first one */
    uint16_t ptx;         /* language version times ten: 90 for 9.0 */
    uint16_t sm;          /* target number: 80 for sm_80 */
    char sm_suffix;       /* 'a', 'f' or 0 */
    uint8_t address_bits; /* 32 or 64 */
    bool texmode_independent;

    VEC(struct ir_symbol) symbols;
    VEC(struct ir_func *) funcs;
    VEC(struct ir_line) lines;
    VEC(struct ir_file) files; /* [0] is unused */
    VEC(const char *) texts;   /* files of the PTX texts it was made from: one, or as many as were linked */
};

/* --- names -----------------------------------------------------------------------------------------------------------
 */
const char *ir_space_name(enum ir_space s); /* "global" */
bool ir_is_supplied(const char *function);  /* by CUDA: declared and called, never defined (builtins.def) */
unsigned ir_type_bytes(enum ir_type t);     /* size in memory: 1 for pred and 8-bit types */
enum ir_type ir_type_wide(enum ir_type t);  /* twice the width, same kind; IR_TYPE_NONE if there is none */

/* --- building (build.c) ----------------------------------------------------------------------------------------------
 */
/* All return false, NULL or IR_REF_NONE only when memory is exhausted or an index no longer fits. */
struct ir_module *ir_module_new(const char *name);
void ir_module_free(struct ir_module *m);
struct ir_func *ir_func_new(struct ir_module *m, const char *name);
void ir_func_release(struct ir_func *f); /* its body; the rest belongs to the module's arena */
ir_ref ir_reg_new(struct ir_func *f, enum ir_type type, const char *name, uint32_t number);
ir_ref ir_const(struct ir_func *f, uint64_t bits);          /* equal values share a reference */
uint32_t ir_block_new(struct ir_func *f, const char *name); /* blocks must be started in order: see ir_block_start */
void ir_block_start(struct ir_func *f, uint32_t block);     /* following instructions belong to it */

/*
 * Append an instruction to the block under construction.  `init` gives everything but operands, n_dst and n_src;
 * operands are copied.  NULL when memory is exhausted.  The pointer is valid until the next append.
 */
struct ir_inst *ir_append(struct ir_func *f, const struct ir_inst *init, const ir_ref *dsts, unsigned n_dst,
                          const ir_ref *srcs, unsigned n_src);

static inline const ir_ref *ir_dsts(const struct ir_func *f, const struct ir_inst *in)
{
    return f->operands.at + in->operands;
}
static inline const ir_ref *ir_srcs(const struct ir_func *f, const struct ir_inst *in)
{
    return f->operands.at + in->operands + in->n_dst;
}
static inline uint32_t ir_n_srcs(const struct ir_inst *in)
{
    return in->n_wide != 0 ? in->n_wide : in->n_src;
}

/* Is the last source an index (see ir_fuse), which no shape lists? */
static inline bool ir_is_indexed(const struct ir_inst *in)
{
    return in->mods.index != 0 && in->n_wide == 0 && in->n_src != 0;
}
static inline uint64_t ir_const_bits(const struct ir_func *f, ir_ref r)
{
    return f->consts.at[ir_ref_index(r)];
}

/*
 * Memory of .param variables.  A kernel's parameters are symbols of space PARAM with kernel_param; LD with
 * mods.space PARAM reads the launch's parameter buffer, at symbol.offset or at the address in a register.  Every other
 * .param variable (parameters and results of functions, arguments and results of calls) lies in its activation's frame:
 * its symbol also has space PARAM, but LD, ST and so on name IR_SPACE_LOCAL, and symbol.offset counts from the start of
 * the frame.  A symbol among the operands of CALL is always of this second kind and stands for its bytes, which are
 * copied.
 */

/* Assign offsets to shared, local and param symbols of each function; set frame_bytes, shared_bytes.  See layout.c. */
bool ir_layout(struct ir_module *m, struct diag *dg);

#endif
