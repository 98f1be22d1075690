/*
 * Decoding in pieces: what decode*.c share.  Private to emu/.
 */
#ifndef EMU_DECODE_H
#define EMU_DECODE_H

#include "emu/code.h"
#include "emu/control.h"
#include "ir/base/vec.h"
#include "ir/passes.h"
#include "memsys/memory.h"

/* An operand as uops take it. */
struct operand {
    bool scalar;
    bool is_mask;    /* a predicate */
    uint32_t offset; /* in the activation's rows or scalars; NO_OPERAND: absent */
    unsigned bytes;  /* of one value: 2, 4, 8, 16 */
};

/* A distance to be filled in when the target's place is known. */
struct fixup {
    uint32_t uop;   /* index of the uop, or of the word in `extra` with `in_extra` */
    uint32_t block; /* target block; IR_NO_BLOCK with `to_uop` */
    uint32_t to_uop;
    uint32_t from; /* uop the distance counts from */
    enum { FIX_TARGET, FIX_RECONV, FIX_EXTRA } what;
};

/* A function being decoded. */
struct decoder {
    struct emu_program *program;
    const struct ir_func *f; /* the copy below: fused */
    struct ir_func copy;
    struct emu_code *code;
    bool ok; /* memory sufficed */

    struct ir_cfg *cfg;
    struct ir_live *live;
    struct ir_uniform *uniform;
    struct ir_slots *slots;
    uint32_t *definitions; /* per register: how many instructions write it */
    uint32_t *alias;       /* per register: offset of the constant that it always equals, or NO_OPERAND */

    VEC(struct uop) uops;
    VEC(uint32_t) extra;
    VEC(uint64_t) consts;
    VEC(struct fixup) fixups;
    VEC(struct emu_patch) patches;
    VEC(struct emu_site) sites;
    uint32_t *block_at;    /* uop where each block starts for those who jump there */
    uint8_t *meets;        /* per block: lanes that parted meet at its start */
    uint32_t *const_slots; /* hash of consts: index plus one, 0 for empty */
    uint32_t n_const_slots, n_hashed;
    uint32_t const_base; /* scalars: registers first, then constants */
    uint32_t mask_base;  /* rows: rows, then masks, then scratch */
    uint32_t scratch_base;
    uint32_t scratch_used, scratch_most; /* bytes, in the current instruction and at most */
    uint32_t scratch_kept;               /* bytes that belong to instructions before: see dec_inst */
    uint32_t pending;                    /* instructions not accounted for yet */
    uint8_t *holds;                      /* per instruction: a HOLD goes before it */
    uint32_t inst;                       /* index of the instruction being decoded */
};

/* decode_hold.c: a barrier of the CTA?  Which instructions to hold before (a byte each, NULL: no memory). */
bool dec_is_barrier(unsigned op);
uint8_t *dec_find_holds(struct decoder *d);

/* decode_operand.c */
struct operand dec_operand(struct decoder *d, ir_ref r, enum ir_type type);
struct operand dec_const(struct decoder *d, uint64_t bits, unsigned bytes);
struct operand dec_const128(struct decoder *d, uint64_t low, uint64_t high);
/* A constant that is patched at the launch. */
struct operand dec_patched(struct decoder *d, struct emu_patch patch, unsigned bytes);
/* A scalar that the program text gives, rather than the launch. */
bool dec_is_literal(const struct decoder *d, struct operand o);
/* Temporary row of the current instruction. */
struct operand dec_scratch(struct decoder *d, unsigned bytes, bool is_mask);
/* The operand as a row or mask: scalars are spread over a temporary. */
struct operand dec_row(struct decoder *d, struct operand o);
/* The operand as a row of `bytes`-wide values: wider or narrower registers are converted (zero-extended). */
struct operand dec_resized(struct decoder *d, struct operand o, unsigned bytes);
/* Put the operand into the instruction's list: see operands.h. */
void dec_list(struct decoder *d, struct operand o);

/* decode_inst.c */
struct uop *dec_emit(struct decoder *d, emu_handler full, emu_handler part);
struct uop *dec_named(struct decoder *d, enum handler_name name);
void dec_inst(struct decoder *d, const struct ir_inst *in);
/* Find the handlers of an operation; false when there are none. */
struct handlers {
    const struct handler_row *any, *scalar, *full, *mixed, *part;
};
bool dec_lookup(const struct emu_program *p, unsigned op, unsigned type, unsigned type2, unsigned kinds, bool plain,
                struct handlers *out);
/* Mark the program as one that cannot run, for the first reason found. */
__attribute__((format(printf, 3, 4))) void dec_refuse(struct decoder *d, const struct ir_inst *in, const char *format,
                                                      ...);
/* An address that is known when the module is loaded; false if `symbol` has none. */
bool dec_symbol_address(const struct decoder *d, const struct ir_symbol *symbol, uint32_t index, uint64_t *address);

/* The guard of the single uop that follows, if the instruction has one. */
void dec_guard(struct decoder *d, const struct ir_inst *in);
/* Give `value` to a destination of the same size. */
void dec_move(struct decoder *d, const struct ir_inst *in, struct operand dst, struct operand value);

/* decode_video.c */
/* Index in code->extra of the description that the handlers of a video instruction read. */
uint32_t dec_video_words(struct decoder *d, const struct ir_inst *in);

/* decode_matrix.c */
void dec_matrix(struct decoder *d, const struct ir_inst *in);

/* decode_lookup.c */
bool dec_index_handlers(struct emu_program *p);
void dec_refuse_form(struct decoder *d, const struct ir_inst *in);
/* Types under which an operation's handlers are listed. */
unsigned dec_listed_type(const struct ir_inst *in);
unsigned dec_listed_type2(const struct ir_inst *in);
uint8_t dec_environment(const struct ir_mods *m); /* enum sem_env */
uint8_t dec_rounding(const struct ir_mods *m);    /* enum sem_round */
bool dec_to_integral(const struct ir_mods *m);
uint8_t dec_mode(const struct ir_inst *in);  /* what the handler reads from uop.mode */
bool dec_is_plain(const struct ir_inst *in); /* the handlers for the usual modifiers serve */
bool dec_is_float(unsigned type);

/* decode_value.c */
void dec_parts(struct decoder *d, const struct ir_inst *in);
void dec_lea(struct decoder *d, const struct ir_inst *in);
void dec_cvta(struct decoder *d, const struct ir_inst *in);
void dec_cluster_address(struct decoder *d, const struct ir_inst *in);
void dec_isspacep(struct decoder *d, const struct ir_inst *in);
void dec_sreg(struct decoder *d, const struct ir_inst *in);
/* Special registers that are the same in a whole launch or CTA: they live among the constants. */
bool dec_is_launch_sreg(unsigned sreg);

/* decode_inst.c */
struct operand dec_destination(struct decoder *d, const struct ir_inst *in, unsigned i);
/* The same, or a temporary where the result is thrown away but the handler writes one. */
struct operand dec_real_destination(struct decoder *d, const struct ir_inst *in, struct operand dst);
/* Move a result from a temporary row to its scalar. */
void dec_extract(struct decoder *d, struct operand row, struct operand scalar);

/* decode_mem.c */
/* Base and offset of an access. */
struct address {
    struct operand base;
    struct operand index; /* a 32-bit row; absent without one */
    uint64_t offset;
    bool in_frame;
};
/* The address in the sources of `in` from the one numbered `first`. */
struct address dec_address(struct decoder *d, const struct ir_inst *in, unsigned first);
void dec_set_address(struct uop *u, const struct address *a, const struct ir_inst *in);
void dec_memory(struct decoder *d, const struct ir_inst *in);
void dec_atomic(struct decoder *d, const struct ir_inst *in);

/* decode_matrix_move.c */
void dec_matrix_move(struct decoder *d, const struct ir_inst *in);

/* decode_async.c */
void dec_copy(struct decoder *d, const struct ir_inst *in);
void dec_copy_group(struct decoder *d, const struct ir_inst *in);
void dec_mbarrier(struct decoder *d, const struct ir_inst *in);

/* decode_bulk.c */
void dec_bulk(struct decoder *d, const struct ir_inst *in);
void dec_bulk_group(struct decoder *d, const struct ir_inst *in);

/* decode_texture.c */
void dec_texture(struct decoder *d, const struct ir_inst *in);

/* decode_ctrl.c */
const struct emu_value *dec_param_values(struct decoder *d, const struct ir_param *params, uint32_t n);
void dec_control(struct decoder *d, const struct ir_inst *in);
/* Emit a jump around what follows for lanes whose guard fails; close it with dec_end_guarded. */
uint32_t dec_begin_guarded(struct decoder *d, const struct ir_inst *in);
void dec_end_guarded(struct decoder *d, uint32_t branch);

#endif
