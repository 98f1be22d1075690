/*
 * Private to lowering: the state of one function under construction and the pieces every lowering is made of.
 *
 * Invariant: what computes a temporary is pure and carries no guard, what the statement does carries the statement's
 * guard. So a temporary is defined on every path that uses it, and a false guard leaves registers and memory alone.
 */
#ifndef FRONTEND_LOWER_INST_H
#define FRONTEND_LOWER_INST_H

#include "frontend/ast.h"

struct ptx_lower {
    struct ir_func *f;
    VEC(uint32_t) label_blocks; /* by label number: its block, UINT32_MAX until it is placed */
    ir_ref carry;               /* the function's .cc flag, IR_REF_NONE until it is mentioned */
    bool open;                  /* a block is under construction */
    bool ok;                    /* memory sufficed so far */

    /* The statement being lowered. */
    const struct ptx_inst *inst;
    const struct ptx_match *match;
    uint32_t line; /* index into the module's lines */
};

/* Operands being collected for one instruction; lists of any length (calls, refused forms) use a lower_list. */
enum { LOWER_MAX_REFS = 2 * PTX_MAX_OPERANDS + 16 };
struct lower_refs {
    ir_ref at[LOWER_MAX_REFS];
    unsigned count;
};
typedef VEC(ir_ref) lower_list;
void lower_push(struct lower_refs *refs, ir_ref r);

/* --- instructions (lower.c) ----------------------------------------------------------------------------------------
 */
/* An instruction with position, form and nothing else; with the statement's guard; with guard, types and modifiers. */
struct ir_inst lower_plain(const struct ptx_lower *l, enum ir_op op, enum ir_type type);
struct ir_inst lower_guarded(const struct ptx_lower *l, enum ir_op op, enum ir_type type);
struct ir_inst lower_written(const struct ptx_lower *l);
void lower_emit(struct ptx_lower *l, const struct ir_inst *init, const struct lower_refs *dsts,
                const struct lower_refs *srcs);
void lower_append(struct ptx_lower *l, const struct ir_inst *init, const ir_ref *dsts, unsigned n_dst,
                  const ir_ref *srcs, unsigned n_src);
/* One destination (NONE: thrown away) and up to three sources; absent ones are IR_REF_NONE and come last. */
void lower_emit3(struct ptx_lower *l, const struct ir_inst *init, ir_ref dst, ir_ref a, ir_ref b, ir_ref c);
/* The same into a new temporary of type `type`. */
ir_ref lower_compute(struct ptx_lower *l, const struct ir_inst *init, enum ir_type type, ir_ref a, ir_ref b, ir_ref c);
ir_ref lower_temp(struct ptx_lower *l, enum ir_type type);
ir_ref lower_carry(struct ptx_lower *l);

/* --- operands (lower_operand.c) --------------------------------------------------------------- */
unsigned lower_reg_bits(const struct ptx_lower *l, ir_ref reg);
/* The type of `bits` bits of a kind: BITS, UINT or SINT. */
enum ir_type lower_type_of(enum ir_type_kind kind, unsigned bits);
/* A source as register or constant: negation, special registers and addresses are computed into temporaries. */
ir_ref lower_value(struct ptx_lower *l, const struct ptx_operand *o, enum ir_type type);
ir_ref lower_const(struct ptx_lower *l, uint64_t bits, enum ir_type type);
/* Where a result goes; IR_REF_NONE for the sink. */
ir_ref lower_target(const struct ptx_operand *o);
/* Element i of a vector, pair or list; the operand itself where it is a single one and i is 0; else NULL. */
const struct ptx_operand *lower_element(const struct ptx_operand *o, unsigned i);
unsigned lower_elements(const struct ptx_operand *o);
void lower_push_address(struct ptx_lower *l, struct lower_refs *refs, const struct ptx_operand *o);
/* Operand i of the statement, NULL when it was not written. */
const struct ptx_operand *lower_operand(const struct ptx_lower *l, unsigned i);

/* The state space that the statement's address is in. */
enum ir_space lower_access_space(const struct ptx_lower *l);
/* Of the .param variable that an address names: the launch's parameters, or the frame. */
enum ir_space lower_param_space(const struct ptx_lower *l, const struct ptx_operand *address);

/* --- statements ------------------------------------------------------------------------------- */
/* Operands in the order of the operation's shape (lower_shape.c). */
void lower_by_shape(struct ptx_lower *l, const struct ir_inst *init);

/* What needs more: one function per operation or family. */
typedef void lower_fn(struct ptx_lower *l);
lower_fn lower_setp, lower_lop3;                                      /* lower_compare.c */
lower_fn lower_mov, lower_lea, lower_pack, lower_unpack, lower_cvt;   /* lower_move.c */
lower_fn lower_cvt_pack_sat, lower_dot;                               /* lower_move.c */
lower_fn lower_memory, lower_fence, lower_isspacep;                   /* lower_memory.c */
lower_fn lower_matrix_move;                                           /* lower_memory.c */
lower_fn lower_cp_async, lower_cp_arrive, lower_mbarrier;             /* lower_async.c */
lower_fn lower_bulk_load, lower_bulk_store, lower_store_async;        /* lower_async.c */
lower_fn lower_alloca, lower_stacksave, lower_stackrestore;           /* lower_memory.c */
lower_fn lower_barrier, lower_barrier_red, lower_call, lower_refused; /* lower_control.c */
lower_fn lower_video, lower_video_simd;                               /* lower_video.c */
lower_fn lower_tex, lower_tex_query, lower_istypep;                   /* lower_texture.c */
lower_fn lower_suld, lower_sust;                                      /* lower_texture.c */
lower_fn lower_mma, lower_wmma_load, lower_wmma_store;                /* lower_matrix.c */

#endif
