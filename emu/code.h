/*
 * Decoded code: what the interpreter runs.  A uop is one instruction with its handlers chosen and its operands turned
 * into byte offsets; it fills one cache line.  Decoding happens once per kernel and is immutable afterwards.
 *
 * Kinds of operand: V, a row of 32 lanes (or a lane mask for predicates) in the warp's rows; S, a scalar of the split.
 */
#ifndef EMU_CODE_H
#define EMU_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/values.h"
#include "emu/warp.h"
#include "ir/ir.h"

struct uop;
struct lanes;

/*
 * A handler executes one uop for the active lanes and returns the next one, or NULL with lanes.stop set.  `full`
 * handlers may assume that all 32 lanes are active and go on to the next uop themselves.
 */
typedef const struct uop *(*emu_handler)(struct lanes *x, const struct uop *u, uint8_t *rows, uint8_t *scalars);

struct uop {
    emu_handler full;    /* all lanes active */
    emu_handler part;    /* any set of lanes */
    uint32_t d, a, b, c; /* byte offsets of operands in rows or scalars */
    uint32_t e, f;       /* fourth source, second result */
    union {
        uint64_t imm; /* address offset, immediate */
        struct {
            int32_t target; /* branches: distance in uops to the target */
            int32_t reconv; /* distance to the RECONV uop, 0 for none */
        };
    };
    uint16_t n_insts; /* instructions to account for when control passes here */
    uint8_t kinds;    /* KIND_*: which operands are scalars */
    uint8_t env;      /* enum sem_env */
    uint8_t mode;     /* rounding, comparison, atomic operation, count of values: see the op's handler */
    uint8_t space;    /* enum ir_space */
    uint8_t vec;
    uint8_t flag;   /* guard_not, sync ... */
    uint32_t inst;  /* index of the IR instruction in its function */
    uint32_t extra; /* index into code->extra: further operands; memory instructions: index of their window */
};
_Static_assert(sizeof(struct uop) == 64, "a uop is one cache line");

enum { KIND_A = 1, KIND_B = 2, KIND_C = 4, KIND_D = 8, KIND_4 = 16 };

/* A handler in the tables of one instruction set.  `form` says which operands it takes: see FORM_*. */
enum handler_form {
    FORM_ANY,    /* any mask, any kinds of sources; d is a row */
    FORM_FULL,   /* all lanes, all sources rows */
    FORM_FULL_S, /* all lanes, kinds as in `kinds` */
    FORM_PART_S, /* any lanes, kinds as in `kinds` */
    FORM_SCALAR, /* all operands scalars */
};
/* uop.flag of memory instructions. */
enum mem_flag {
    MEM_ADDRESS_32 = 1, /* the address register has 32 bits */
    MEM_SECOND_32 = 4,  /* so has that of the second address */
    MEM_IN_FRAME = 2,   /* a local address relative to the frame */
    MEM_INDEXED = 16,   /* the address is base + offset + index * scale: index row e, scale env */
    MEM_INDEX_SIGNED = 32,
    MEM_STRONG = 64, /* volatile, relaxed, acquire, release: each lane's access is atomic on the host too */
    MEM_EXTRA = 8,   /* the window's index is the first word at `extra` even though vec is 1 */
};
/* uop.flag of instructions that read other lanes; MEM_EXTRA may stand beside them. */
enum cross_flag {
    CROSS_SYNC = 1,    /* the members are in operand e */
    CROSS_LITERAL = 2, /* as a literal */
};
/* uop.mode of what groups asynchronous copies and waits for them. */
enum copy_mode { COPY_COMMIT, COPY_WAIT, COPY_WAIT_ALL };
/* uop.mode of operations on mbarriers: arrivals and what else. */
enum mbar_mode {
    MBAR_DO_INIT,
    MBAR_DO_INVAL,
    MBAR_DO_TX,
    MBAR_DO_ARRIVE,
    MBAR_DO_WAIT,
    MBAR_DO_COPY, /* arrive when the thread's asynchronous copies are done */
};
/* uop.env of them. */
enum mbar_flag {
    MBAR_MORE_TX = 1,  /* b counts transactions to come */
    MBAR_DROPS = 2,    /* later phases expect fewer arrivals */
    MBAR_HOLDS = 4,    /* must not complete the phase */
    MBAR_BALANCED = 8, /* the arrival is made on top of those expected */
    MBAR_PARITY = 16,  /* b is a parity, not a state */
};
/* uop.mode of matrix moves. */
enum matrix_move { MOVE_TRANS = 1, MOVE_GENERIC = 2 };
/* uop.mode of an indexed access: logarithm of the scale, or this. */
enum { MEM_ODD_SCALE = 255 };
/* uop.mode of a compare-and-swap, beside enum ir_atom. */
enum { EMU_ATOM_CAS = 15 };

/*
 * uop.flag of instructions whose operands are listed in code->extra, for splits whose operands must be copied, and the
 * list: behind these words, for each result, then for each source, the offset of its row and the bytes of a lane in it.
 */
enum { UOP_LISTED = 128 };
enum operand_list { LIST_WINDOW, LIST_RESULTS, LIST_SOURCES, LIST_OPERANDS };

/* Ways a load or store gets its address: `kinds` of a FORM_FULL_S row of LD and ST. */
enum mem_way {
    MEM_FAR = 1,
    MEM_FAR_S,
    MEM_FAR_V,
    MEM_FAR_INDEX,
    MEM_SHARED_32,
    MEM_SHARED_64,
    MEM_SHARED_32_V,
    MEM_SHARED_64_V,
    MEM_SHARED_S,
    MEM_LOCAL_S
};

/* Operations that only decoding knows: variants of an IR operation with handlers of their own. */
enum emu_op { EMU_CVT_RINT = IR_OP_COUNT, EMU_OP_COUNT };
#define IR_EMU_CVT_RINT EMU_CVT_RINT

struct handler_row {
    uint16_t op;
    uint8_t type, type2;
    uint8_t form;
    uint8_t kinds;
    bool plain; /* only without ftz, sat or other rounding */
    emu_handler fn;
};

/* Handlers that decode places by name rather than by op and type. */
enum handler_name {
#define NAMED(id) H_##id,
#include "emu/named.def"
#undef NAMED
    H_COUNT
};

struct handler_set {
    const char *isa;
    const struct handler_row *rows;
    size_t n_rows;
    const emu_handler (*named)[2]; /* [H_COUNT][full, part] */
    /* Run from pc until a handler stops. */
    void (*run)(struct lanes *x, const struct uop *pc);
};

extern const struct handler_set emu_handlers_base;
#ifdef EMU_HAVE_V3
extern const struct handler_set emu_handlers_v3;
#endif
#ifdef EMU_HAVE_V4
extern const struct handler_set emu_handlers_v4;
#endif

/* The best set for this host; `force` (an ISA name, may be NULL) overrides. */
const struct handler_set *emu_handlers_pick(const char *force);

/* Spaces whose memory is found by windows. */
static inline bool emu_is_far(unsigned space)
{
    return space == IR_SPACE_GENERIC || space == IR_SPACE_GLOBAL || space == IR_SPACE_CONST;
}

struct emu_program;

/* Code of one function. */
struct emu_code {
    const struct ir_func *func;
    struct emu_program *program;
    const struct uop *uops;
    uint32_t n_uops;
    const uint32_t *extra;  /* further operands, see uop.extra */
    uint32_t frame_rows;    /* bytes of rows and masks of one activation, multiple of 64 */
    uint32_t rows_at;       /* the function's place in a warp's rows: see call.c */
    uint32_t frame_scalars; /* bytes of constants and scalars, multiple of 16 */
    uint64_t frame_local;   /* bytes of local memory per lane, multiple of 16; a frame may be too large to be entered */
    const uint64_t *consts; /* initial contents of the scalar frame */
    uint32_t n_consts;      /* 8-byte words */
    const struct emu_site *sites;          /* call instructions, see uop.extra */
    const struct emu_value *params, *rets; /* where the function has its parameters and results */
    uint32_t n_params, n_rets;
    const uint32_t *zero_rows; /* pairs (offset, bytes) of rows that read as zero before they are written */
    uint32_t n_zero_rows;
};

/* Launch-time patches of the entry's scalar frame. */
struct emu_patch {
    uint32_t offset; /* bytes in the scalar frame */
    uint16_t sreg;   /* enum ir_sreg; IR_SREG_NONE: kernel parameter bytes */
    uint8_t bytes;
    bool sign;      /* sign-extend the parameter */
    uint32_t param; /* byte offset in the parameter buffer */
};

/* A kernel ready to run: its own code and that of every function it may call. */
struct emu_program {
    struct arena *arena;
    const struct ir_module *module;
    const struct ir_func *entry;
    const struct handler_set *handlers;
    const uint16_t *row_first; /* per operation: first of its rows in handlers->rows, plus one; 0 for none */
    const uint16_t *row_next;  /* per row plus one: the next of the same operation */
    struct emu_code **codes;   /* by function index; NULL when not reachable */
    uint32_t n_windows;        /* memory instructions */
    uint32_t static_rows;      /* bytes of rows of the kernel and all functions that are not recursive */
    uint32_t recursive_rows;   /* bytes of rows of all recursive functions: one level of recursion */
    struct emu_patch *patches; /* of the entry */
    uint32_t n_patches;
    const uint64_t *symbol_address; /* by symbol index: global and const symbols, owned by the loaded module */
    uint64_t shared_window, local_window, param_window;
    char *refused; /* why it cannot run, or NULL */
    uint32_t refused_line;
    const char *refused_text;  /* file of the PTX text that has the line */
    bool uses_heap;            /* calls malloc or free */
    bool uses_children;        /* launches, or calls what belongs to that */
    bool has_barriers;         /* of the CTA, anywhere in its functions */
    bool uses_reserved_shared; /* asks where the shared memory is that is reserved for the system */
};

/*
 * Decode a kernel.  NULL only when memory is exhausted; a kernel that cannot run has `refused` set.
 * `addresses`: see struct emu_program.
 */
struct emu_program *emu_decode(const struct ir_func *entry, const struct handler_set *handlers,
                               const uint64_t *symbol_address, uint64_t shared_window, uint64_t local_window,
                               uint64_t param_window);
void emu_program_free(struct emu_program *p);

#endif
