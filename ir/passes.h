/*
 * Analyses over one function.  Each is computed by one file, owns its result, and changes nothing.  Bit sets are arrays
 * of 64-bit words.  All `*_new` return NULL only when memory is exhausted; all `*_free` take NULL.
 */
#ifndef IR_PASSES_H
#define IR_PASSES_H

#include "ir/ir.h"

/* --- control flow (cfg.c, dominance.c) -------------------------------------------------------- */
enum { IR_NO_BLOCK = UINT32_MAX };

struct ir_cfg {
    uint32_t n_blocks;
    /* Successors and predecessors as index lists: those of block b are succ[succ_at[b]] .. succ[succ_at[b + 1] - 1]. */
    uint32_t *succ_at, *succ;
    uint32_t *pred_at, *pred;
    uint32_t *rpo; /* reachable blocks in reverse post-order; n_rpo of them */
    uint32_t n_rpo;
    uint32_t *rpo_index; /* position in rpo, IR_NO_BLOCK for unreachable blocks */
    uint32_t *idom;      /* immediate dominator; IR_NO_BLOCK for the entry and unreachable blocks */
    /*
     * Immediate post-dominator: where lanes that part at the end of a block meet again.  Leaving the function (ret,
     * exit, trap) goes to a virtual exit, and IR_NO_BLOCK means that only this exit post-dominates.  Blocks that cannot
     * reach an exit (endless loops) are given one edge to it per loop so that every block has an answer.
     */
    uint32_t *ipdom;
    uint32_t *loop_head; /* innermost natural loop's header, IR_NO_BLOCK outside loops */
};
struct ir_cfg *ir_cfg_new(const struct ir_func *f);
void ir_cfg_free(struct ir_cfg *cfg);

/* --- liveness (liveness.c) ------------------------------------------------------------------------------------------
 */
/*
 * Sparse sets, since most registers never leave their block: in[in_at[b]] .. in[in_at[b + 1] - 1] are the registers
 * alive at the start of block b in ascending order, out likewise at its end.  NULL also when the sets hold more than
 * IR_LIVE_MAX_ENTRIES registers together.
 */
enum { IR_LIVE_MAX_ENTRIES = 1 << 27 };
struct ir_live {
    uint32_t *in_at, *in;
    uint32_t *out_at, *out;
};
struct ir_live *ir_live_new(const struct ir_func *f, const struct ir_cfg *cfg);
void ir_live_free(struct ir_live *live);
bool ir_live_in(const struct ir_live *live, uint32_t block, uint32_t reg);
bool ir_live_out(const struct ir_live *live, uint32_t block, uint32_t reg);

/* --- uniformity (uniform.c) ------------------------------------------------------------------------------------------
 */
/*
 * A register is uniform when, at every use, all lanes executing together hold one value, whatever the schedule: it is
 * computed only from constants, kernel parameters (LD from IR_SPACE_PARAM of an entry at a constant address), special
 * registers that are the same for a whole warp (ctaid, nctaid, ntid, nsmid, gridid, ..., not tid, laneid, clock) and
 * uniform registers by E_PURE operations and LEA of symbols; no two of its definitions meet where lanes that parted
 * meet; and it is not used outside a loop whose exits diverge if defined inside (temporal divergence).  Parameters and
 * results of functions other than entries, and everything read from memory other than parameters and IR_SPACE_CONST at
 * uniform addresses, vary. An operation with one uniform and one varying operand varies.  A definition under a varying
 * guard varies.
 */
struct ir_uniform {
    uint64_t *regs;      /* bit r: register r is uniform */
    uint64_t *divergent; /* bit b: the branch that ends block b may part lanes (varying guard or index, ret/exit under a
                            guard) */
};
struct ir_uniform *ir_uniform_new(const struct ir_func *f, const struct ir_cfg *cfg, const struct ir_live *live);
void ir_uniform_free(struct ir_uniform *u);

/* --- slots (slots.c) -------------------------------------------------------------------------- */
/*
 * Storage for virtual registers.  Registers whose live ranges do not overlap share storage.  Varying registers live in
 * a row of 32 lanes (bytes = 32 * size of one value: 64, 128, 256 or 512, aligned to 64); a varying predicate is one
 * 32-bit mask; uniform registers of any type live in one 8-byte scalar (16 for b128).
 *
 * Interference is per lane for rows.  A warp's diverged lanes run the two sides of a branch one after another on the
 * same rows but each lane only touches its own column, so ordinary liveness is right for rows and for mask bits.
 * Scalars are copied when a warp's lanes part, so ordinary liveness is right for them too. Registers that are used but
 * never defined on some path read as zero at first use and keep their slot from the entry on.
 */
enum ir_slot_kind { IR_SLOT_NONE, IR_SLOT_ROW, IR_SLOT_MASK, IR_SLOT_SCALAR };
struct ir_slots {
    uint8_t *kind;      /* enum ir_slot_kind per register; NONE for registers never mentioned */
    uint32_t *offset;   /* bytes from the start of the row area, mask area or scalar area */
    uint32_t row_bytes; /* sizes of the three areas; row area a multiple of 64 */
    uint32_t mask_bytes;
    uint32_t scalar_bytes;
};
struct ir_slots *ir_slots_new(const struct ir_func *f, const struct ir_cfg *cfg, const struct ir_live *live,
                              const struct ir_uniform *u);
void ir_slots_free(struct ir_slots *s);

/* --- fusion (fuse.c) -------------------------------------------------------------------------- */
/*
 * Fold address arithmetic into loads and stores: [ubase + offset + index * scale] where `ubase` is uniform and `index`
 * a 32-bit register, in place of a wide multiplication (or conversion and shift) and a 64-bit addition before it in the
 * same block. Rewrites instructions of `f`, which must be the caller's own copy; additions and multiplications that
 * nothing needs any more become NOP. Liveness and slots must be computed afterwards.  False only when memory is
 * exhausted.
 */
bool ir_fuse(struct ir_func *f, const struct ir_uniform *u);

/* --- resources (resources.c) ------------------------------------------------------------------ */
/* Estimate of the registers per thread that ptxas would give: the largest number of 32-bit values alive at once, over
 * all functions reachable by calls, plus what the ABI reserves; at least 8, at most 255, respecting .maxnreg. */
unsigned ir_estimate_registers(const struct ir_func *f);

/* --- verification and printing (verify.c, print.c) -------------------------------------------- */
/* Check every invariant listed at the top of verify.c; each violation is reported.  True when there is none. */
bool ir_verify(const struct ir_module *m, struct diag *dg);
/* Likewise for one function, which may be a copy that its module does not own. */
bool ir_verify_func(const struct ir_func *f, struct diag *dg);

#include <stdio.h>
/* Stable text for humans and golden tests. */
void ir_print_module(const struct ir_module *m, FILE *out);
void ir_print_func(const struct ir_func *f, FILE *out);
/* One instruction as text without newline, for messages: at most `size` bytes with terminator. */
void ir_format_inst(const struct ir_func *f, const struct ir_inst *in, char *buffer, size_t size);

#endif
