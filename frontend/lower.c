/*
 * Functions, blocks and labels; which lowering serves which operation.  Invariant: blocks are created in the order of
 * the text and only when something is put into them, so no block is empty; every label number maps to one block.
 */
#include "frontend/lower.h"

#include "frontend/lower_inst.h"

#include <stdlib.h>
#include <string.h>

/* --- instructions ----------------------------------------------------------------------------- */
void lower_push(struct lower_refs *refs, ir_ref r)
{
    if (refs->count < LOWER_MAX_REFS) {
        refs->at[refs->count++] = r;
    }
}

struct ir_inst lower_plain(const struct ptx_lower *l, enum ir_op op, enum ir_type type)
{
    return (struct ir_inst){
        .op = (uint16_t)op, .type = (uint8_t)type, .line = l->line, .form = l->match->form, .mods = {.vec = 1}};
}

struct ir_inst lower_guarded(const struct ptx_lower *l, enum ir_op op, enum ir_type type)
{
    struct ir_inst in = lower_plain(l, op, type);

    in.guard = l->inst->guard;
    in.guard_not = l->inst->guard_not;
    return in;
}

/*
 * The operation's own type.  Most statements name it first.  Where they name none (elect), or one that only tells the
 * width (activemask.b32, nanosleep.u32), the table's set decides.
 */
static enum ir_type own_type(const struct ptx_match *m)
{
    uint64_t types = ir_op_info[m->op].types;
    unsigned bits = m->n_types > 0 ? ir_type_info[m->types[0]].bits : 0;

    if (m->n_types > 0 && types & ir_type_bit((enum ir_type)m->types[0])) {
        return (enum ir_type)m->types[0];
    }
    for (unsigned t = IR_TYPE_NONE; t < IR_TYPE_COUNT; t++) {
        if (types & ir_type_bit((enum ir_type)t) && (bits == 0 || ir_type_info[t].bits == bits)) {
            return (enum ir_type)t;
        }
    }
    return IR_TYPE_NONE;
}

struct ir_inst lower_written(const struct ptx_lower *l)
{
    const struct ptx_match *m = l->match;
    struct ir_inst in = lower_guarded(l, (enum ir_op)m->op, own_type(m));

    in.mods = m->mods;
    if (m->n_types > 1 && strchr(ir_shape_info[ir_op_info[m->op].shape].srcs, 'S') != NULL) {
        in.type2 = m->types[1];
    }
    return in;
}

static void start_block(struct ptx_lower *l)
{
    uint32_t block = l->open ? 0 : ir_block_new(l->f, NULL);

    if (block == UINT32_MAX) {
        l->ok = false;
    } else if (!l->open) {
        ir_block_start(l->f, block);
        l->open = true;
    }
}

void lower_append(struct ptx_lower *l, const struct ir_inst *init, const ir_ref *dsts, unsigned n_dst,
                  const ir_ref *srcs, unsigned n_src)
{
    start_block(l);
    l->ok = l->ok && ir_append(l->f, init, dsts, n_dst, srcs, n_src) != NULL;
    if (ir_op_info[init->op].effects & IR_E_BRANCH) {
        l->open = false;
    }
}

void lower_emit(struct ptx_lower *l, const struct ir_inst *init, const struct lower_refs *dsts,
                const struct lower_refs *srcs)
{
    lower_append(l, init, dsts->at, dsts->count, srcs->at, srcs->count);
}

void lower_emit3(struct ptx_lower *l, const struct ir_inst *init, ir_ref dst, ir_ref a, ir_ref b, ir_ref c)
{
    struct lower_refs dsts = {.at = {dst}, .count = 1};
    struct lower_refs srcs = {.at = {a, b, c}, .count = 3};

    while (srcs.count > 0 && srcs.at[srcs.count - 1] == IR_REF_NONE) {
        srcs.count--;
    }
    lower_emit(l, init, &dsts, &srcs);
}

ir_ref lower_temp(struct ptx_lower *l, enum ir_type type)
{
    ir_ref r = ir_reg_new(l->f, type, NULL, UINT32_MAX);

    l->ok = l->ok && r != IR_REF_NONE;
    return r;
}

ir_ref lower_compute(struct ptx_lower *l, const struct ir_inst *init, enum ir_type type, ir_ref a, ir_ref b, ir_ref c)
{
    ir_ref d = lower_temp(l, type);

    lower_emit3(l, init, d, a, b, c);
    return d;
}

ir_ref lower_carry(struct ptx_lower *l)
{
    if (l->carry == IR_REF_NONE) {
        l->carry = ir_reg_new(l->f, IR_PRED, "%cc", UINT32_MAX);
        l->ok = l->ok && l->carry != IR_REF_NONE;
    }
    return l->carry;
}

/* --- statements ------------------------------------------------------------------------------- */
/* Operations that need more than their operands in order. */
static lower_fn *const special[IR_OP_COUNT] = {
    [IR_SETP] = lower_setp,
    [IR_SETP2] = lower_setp,
    [IR_LOP3] = lower_lop3,
    [IR_MOV] = lower_mov,
    [IR_MOV_SREG] = lower_mov,
    [IR_LEA] = lower_lea,
    [IR_PACK] = lower_pack,
    [IR_UNPACK] = lower_unpack,
    [IR_CVT] = lower_cvt,
    [IR_CVT_PACK_SAT] = lower_cvt_pack_sat,
    [IR_DP4A] = lower_dot,
    [IR_DP2A_LO] = lower_dot,
    [IR_DP2A_HI] = lower_dot,
    [IR_LD] = lower_memory,
    [IR_ST] = lower_memory,
    [IR_ATOM] = lower_memory,
    [IR_ATOM_CAS] = lower_memory,
    [IR_RED] = lower_memory,
    [IR_PREFETCH] = lower_memory,
    [IR_LDMATRIX] = lower_matrix_move,
    [IR_STMATRIX] = lower_matrix_move,
    [IR_MOVMATRIX] = lower_matrix_move,
    [IR_CP_ASYNC] = lower_cp_async,
    [IR_CP_ARRIVE] = lower_cp_arrive,
    [IR_BULK_LOAD] = lower_bulk_load,
    [IR_BULK_MULTICAST] = lower_bulk_load,
    [IR_BULK_SEND] = lower_bulk_load,
    [IR_BULK_SEND_RED] = lower_bulk_load,
    [IR_BULK_STORE] = lower_bulk_store,
    [IR_BULK_STORE_RED] = lower_bulk_store,
    [IR_ST_ASYNC] = lower_store_async,
    [IR_RED_ASYNC] = lower_store_async,
    [IR_MBAR_INIT] = lower_mbarrier,
    [IR_MBAR_INVAL] = lower_mbarrier,
    [IR_MBAR_EXPECT_TX] = lower_mbarrier,
    [IR_MBAR_COMPLETE_TX] = lower_mbarrier,
    [IR_MBAR_ARRIVE] = lower_mbarrier,
    [IR_MBAR_ARRIVE_TX] = lower_mbarrier,
    [IR_MBAR_ARRIVE_HOLD] = lower_mbarrier,
    [IR_MBAR_DROP] = lower_mbarrier,
    [IR_MBAR_DROP_TX] = lower_mbarrier,
    [IR_MBAR_DROP_HOLD] = lower_mbarrier,
    [IR_MBAR_WAIT] = lower_mbarrier,
    [IR_MBAR_WAIT_PARITY] = lower_mbarrier,
    [IR_FENCE] = lower_fence,
    [IR_ISSPACEP] = lower_isspacep,
    [IR_ALLOCA] = lower_alloca,
    [IR_STACKSAVE] = lower_stacksave,
    [IR_STACKRESTORE] = lower_stackrestore,
    [IR_BAR_SYNC] = lower_barrier,
    [IR_BAR_ARRIVE] = lower_barrier,
    [IR_BAR_RED_AND] = lower_barrier_red,
    [IR_BAR_RED_OR] = lower_barrier_red,
    [IR_BAR_RED_POPC] = lower_barrier_red,
    [IR_CALL] = lower_call,
    [IR_VIDEO] = lower_video,
    [IR_VIDEO_SIMD] = lower_video_simd,
    [IR_MMA] = lower_mma,
    [IR_MMA_SP] = lower_mma,
    [IR_WMMA_LOAD] = lower_wmma_load,
    [IR_WMMA_STORE] = lower_wmma_store,
    [IR_TEX] = lower_tex,
    [IR_TEX_OFFSET] = lower_tex,
    [IR_TEX_LEVEL] = lower_tex,
    [IR_TEX_GRAD] = lower_tex,
    [IR_TLD4] = lower_tex,
    [IR_TXQ] = lower_tex_query,
    [IR_TXQ_LEVEL] = lower_tex_query,
    [IR_SUQ] = lower_tex_query,
    [IR_SULD] = lower_suld,
    [IR_SUST] = lower_sust,
    [IR_SUST_P] = lower_sust,
    [IR_SURED] = lower_sust,
    [IR_SURED_P] = lower_sust,
    [IR_ISTYPEP] = lower_istypep,
    [IR_REFUSED] = lower_refused,
};

static bool on_instruction(void *context, const struct ptx_inst *inst, const struct ptx_match *match)
{
    struct ptx_lower *l = context;
    struct ir_module *m = l->f->module;

    l->inst = inst;
    l->match = match;
    l->ok = l->ok && vec_push(&m->lines, inst->line);
    l->line = m->lines.count - 1;
    if (special[match->op] != NULL) {
        special[match->op](l);
    } else {
        struct ir_inst in = lower_written(l);

        lower_by_shape(l, &in);
    }
    return l->ok;
}

/* --- labels and functions --------------------------------------------------------------------- */
static bool on_label(void *context, uint32_t number, const char *name)
{
    struct ptx_lower *l = context;

    /* Labels that stand together share a block. */
    if (l->open && l->f->blocks.at[l->f->building].count > 0) {
        l->open = false;
    }
    start_block(l);
    while (l->ok && l->label_blocks.count <= number) {
        l->ok = vec_push(&l->label_blocks, UINT32_MAX);
    }
    if (l->ok) {
        struct ir_block *block = &l->f->blocks.at[l->f->building];

        l->label_blocks.at[number] = l->f->building;
        block->name = block->name == NULL ? name : block->name;
    }
    return l->ok;
}

static bool on_function_begin(void *context, struct ir_func *f)
{
    struct ptx_lower *l = context;

    l->f = f;
    l->label_blocks.count = 0;
    l->carry = IR_REF_NONE;
    l->open = false;
    l->ok = true;
    for (uint32_t i = 0; f->is_entry && i < f->n_params; i++) {
        f->module->symbols.at[ir_ref_index(f->params[i].ref)].kernel_param = true;
    }
    return true;
}

/* A body may end without a jump: then it returns. */
static void close_body(struct ptx_lower *l)
{
    const struct ir_func *f = l->f;
    const struct ir_inst *last = f->insts.count == 0 ? NULL : &f->insts.at[f->insts.count - 1];
    const struct lower_refs none = {0};

    if (!l->open && last != NULL && last->guard == IR_REF_NONE) {
        return;
    }
    struct ir_inst ret = {.op = IR_RET, .line = last == NULL ? 0 : last->line, .mods = {.vec = 1}};

    lower_emit(l, &ret, &none, &none);
}

/* Label numbers become blocks. */
static void patch(const struct ptx_lower *l, ir_ref *refs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = ir_ref_index(refs[i]);

        if (ir_ref_kind(refs[i]) == IR_REF_BLOCK && number < l->label_blocks.count &&
            l->label_blocks.at[number] != UINT32_MAX) {
            refs[i] = ir_ref_make(IR_REF_BLOCK, l->label_blocks.at[number]);
        }
    }
}

static bool on_function_end(void *context, struct ir_func *f, uint32_t n_labels)
{
    struct ptx_lower *l = context;

    (void)n_labels;
    close_body(l);
    patch(l, f->operands.at, f->operands.count);
    for (uint32_t t = 0; t < f->tables.count; t++) {
        patch(l, f->tables.at[t].refs, f->tables.at[t].count);
    }
    f->defined = true;
    return l->ok;
}

struct ptx_lower *ptx_lower_new(void)
{
    return calloc(1, sizeof(struct ptx_lower));
}

void ptx_lower_free(struct ptx_lower *l)
{
    if (l != NULL) {
        vec_free(&l->label_blocks);
        free(l);
    }
}

struct ptx_sink ptx_lower_sink(struct ptx_lower *l)
{
    return (struct ptx_sink){.context = l,
                             .function_begin = on_function_begin,
                             .function_end = on_function_end,
                             .label = on_label,
                             .instruction = on_instruction};
}
