/*
 * Matrix instructions to uops.  Their many operands stand in code->extra as a list (code.h); behind the list comes the
 * description that the handlers read, made once, here, from the row of ir/matrix.def.
 *
 * All operands are rows: lanes may have to wait for each other, and scalars belong to a split.
 */
#include "emu/decode.h"

#include <string.h>

#include "emu/sem_mma.h"
#include "emu/wmma.h"
#include "ir/matrix.h"

enum { MOST_OPERANDS = 8 };

/* --- lists -------------------------------------------------------------------------------------------------------- */
struct list {
    struct operand at[4 * MOST_OPERANDS];
    unsigned count;
};

static void add(struct list *list, struct operand o)
{
    if (list->count < sizeof list->at / sizeof list->at[0]) {
        list->at[list->count++] = o;
    }
}

static void add_results(struct decoder *d, const struct ir_inst *in, struct list *list)
{
    for (unsigned i = 0; i < in->n_dst; i++) {
        add(list, dec_destination(d, in, i));
    }
}

static void add_sources(struct decoder *d, const struct ir_inst *in, struct list *list, unsigned first, unsigned n,
                        enum ir_type type)
{
    for (unsigned i = first; i < first + n && i < in->n_src; i++) {
        add(list, dec_row(d, dec_operand(d, ir_srcs(d->f, in)[i], type)));
    }
}

static void push(struct decoder *d, uint32_t word)
{
    d->ok = d->ok && vec_push(&d->extra, word);
}

static void push_operands(struct decoder *d, const struct list *list)
{
    for (unsigned i = 0; i < list->count; i++) {
        push(d, list->at[i].offset);
        push(d, list->at[i].bytes);
    }
}

/* The list and the description; its place in code->extra. */
static uint32_t push_list(struct decoder *d, uint32_t window, const struct list *results, const struct list *sources,
                          const void *description, size_t bytes)
{
    const uint32_t at = d->extra.count;
    uint32_t words[8] = {0};

    push(d, window);
    push(d, results->count);
    push(d, sources->count);
    push_operands(d, results);
    push_operands(d, sources);
    memcpy(words, description, bytes);
    for (size_t i = 0; i < (bytes + 3) / 4; i++) {
        push(d, words[i]);
    }
    return at;
}

/* --- products ----------------------------------------------------------------------------------------------------- */
static uint8_t format_of(enum ir_type type)
{
    switch (type) {
    case IR_F16:
        return MMA_F16;
    case IR_BF16:
        return MMA_BF16;
    case IR_TF32:
        return MMA_TF32;
    case IR_E4M3:
        return MMA_E4M3;
    case IR_E5M2:
        return MMA_E5M2;
    case IR_F32:
        return MMA_F32;
    case IR_F64:
        return MMA_F64;
    case IR_S8:
        return MMA_S8;
    case IR_U8:
        return MMA_U8;
    case IR_S4:
        return MMA_S4;
    case IR_U4:
        return MMA_U4;
    case IR_B1:
        return MMA_B1;
    default:
        return MMA_S32;
    }
}

static uint8_t kind_of(const struct ir_matrix *x)
{
    switch (x->elements) {
    case IR_MATRIX_INT8:
    case IR_MATRIX_INT4:
        return MMA_KIND_INT;
    case IR_MATRIX_BITS:
        return MMA_KIND_BITS;
    case IR_MATRIX_F64:
        return MMA_KIND_DOUBLE;
    default:
        return x->m == 8 && x->n == 8 ? MMA_KIND_QUADS : MMA_KIND_FLOAT;
    }
}

static uint8_t steps_of(const struct ir_matrix *x)
{
    if (x->elements == IR_MATRIX_FP8) {
        return x->family == IR_MATRIX_SP ? MMA_STEP_QUADS : MMA_STEP_PAIRS;
    }
    return x->family == IR_MATRIX_WMMA && x->elements == IR_MATRIX_TF32 ? MMA_STEP_REGISTER : MMA_ONE_STEP;
}

static uint8_t meta_of(const struct ir_matrix *x)
{
    const bool bytes = x->elements == IR_MATRIX_INT8 || x->elements == IR_MATRIX_INT4 || x->elements == IR_MATRIX_FP8;
    const bool wide = x->a_regs == 4;

    if (x->family != IR_MATRIX_SP) {
        return MMA_DENSE;
    }
    return bytes ? (wide ? MMA_META_BYTES_WIDE : MMA_META_BYTES) : wide ? MMA_META_HALVES_WIDE : MMA_META_HALVES;
}

/*
 * Tiles of 16 (or 8) rows and 8 columns.  m8n32 is the transposed product: its b has the layout of an a with 32 rows.
 * Registers of wmma fragments behind the ones that a tile needs hold copies.
 */
static void set_tiles(struct sem_mma *m, const struct ir_matrix *x)
{
    const unsigned bits = mma_bits(m->a), deep = x->elements == IR_MATRIX_F64 ? 4 : 128 / (bits > 32 ? 32 : bits);
    const unsigned pairs = x->k / deep; /* registers of b for one column of tiles */
    const bool transposed = x->m < x->n && x->n == 32;
    const unsigned m_size = transposed ? x->n : x->m, n_size = transposed ? x->m : x->n;

    m->rows = m_size >= 16 ? 16 : 8;
    m->b_regs = (uint8_t)(x->family == IR_MATRIX_SP ? x->b_regs : pairs);
    m->a_regs = (uint8_t)(x->family == IR_MATRIX_SP ? x->a_regs : pairs * m->rows / 8);
    m->tiles = (uint8_t)(m_size / m->rows * (n_size / 8));
    m->a_step = m_size > m->rows ? m->a_regs : 0;
    m->b_step = n_size > 8 ? m->b_regs : 0;
    if (transposed) {
        const uint8_t a = m->a;

        m->a = m->b;
        m->b = a;
    }
}

static struct sem_mma describe(const struct decoder *d, const struct ir_inst *in)
{
    const struct ir_matrix *x = &ir_matrix_info[in->mods.matrix];
    struct sem_mma m = {.kind = kind_of(x), .steps = steps_of(x), .meta = meta_of(x), .round = dec_rounding(&in->mods)};

    m.a = format_of(ir_matrix_type(in, IR_PART_A));
    m.b = format_of(ir_matrix_type(in, IR_PART_B));
    m.c = format_of(ir_matrix_type(in, IR_PART_C));
    m.d = format_of(ir_matrix_type(in, IR_PART_D));
    m.saturate = in->mods.satfinite;
    m.conjunction = in->mods.conjunction;
    m.a_column = in->mods.acol;
    m.b_column = in->mods.bcol;
    if (m.kind != MMA_KIND_QUADS) {
        set_tiles(&m, x);
    }
    if (in->op == IR_MMA_SP) {
        const ir_ref selector = ir_srcs(d->f, in)[in->n_src - 1];

        m.selector = ir_ref_kind(selector) == IR_REF_CONST ? ir_const_bits(d->f, selector) & 3 : 0;
    }
    return m;
}

static void dec_mma(struct decoder *d, const struct ir_inst *in)
{
    const struct sem_mma m = describe(d, in);
    const unsigned a = ir_matrix_regs(&in->mods, IR_PART_A, IR_TYPE_NONE);
    const unsigned b = ir_matrix_regs(&in->mods, IR_PART_B, IR_TYPE_NONE);
    const unsigned c = ir_matrix_regs(&in->mods, IR_PART_C, ir_matrix_type(in, IR_PART_C));
    const enum ir_type reg = ir_matrix_reg_bits(&in->mods) == 64 ? IR_F64 : IR_B32;
    const bool transposed = ir_matrix_info[in->mods.matrix].n == 32;
    struct list results = {.count = 0}, sources = {.count = 0};

    add_results(d, in, &results);
    add_sources(d, in, &sources, transposed ? a : 0, transposed ? b : a, reg);
    add_sources(d, in, &sources, transposed ? 0 : a, transposed ? a : b, reg);
    add_sources(d, in, &sources, a + b, c, reg);
    if (in->op == IR_MMA_SP) {
        add_sources(d, in, &sources, a + b + c, 1, IR_B32);
    }
    struct uop *u = dec_named(d, H_MMA);

    if (u != NULL) {
        u->flag = UOP_LISTED;
        u->vec = (uint8_t)(transposed ? b : a);
        u->mode = (uint8_t)(transposed ? a : b);
        u->env = (uint8_t)c;
        u->extra = push_list(d, 0, &results, &sources, &m, sizeof m);
    }
}

/* --- loads and stores --------------------------------------------------------------------------------------------- */
static struct wmma_transfer transfer_of(const struct ir_inst *in)
{
    const struct ir_matrix *x = &ir_matrix_info[in->mods.matrix];
    const bool is_b = in->mods.part == IR_PART_B, transposed = x->n == 32;
    const bool accumulator = in->mods.part >= IR_PART_C;
    struct wmma_transfer t = {.bits = ir_type_info[in->type].bits, .k = (uint8_t)(x->k > 128 ? 128 : x->k)};

    t.registers = (uint8_t)ir_matrix_regs(&in->mods, (enum ir_matrix_part)in->mods.part, (enum ir_type)in->type);
    t.accumulator = accumulator;
    /* Along memory run: columns of a row-major matrix.  A fragment of a or b holds neighbours along k. */
    t.neighbours = accumulator ? transposed == (in->mods.acol != 0) : is_b == (in->mods.acol != 0);
    t.tall = accumulator ? (transposed ? x->n : x->m) >= 16 : is_b == transposed && (is_b ? x->n : x->m) >= 16;
    t.outers = (uint8_t)(is_b ? x->n : x->m);
    t.wide = accumulator && !transposed && x->n == 16;
    return t;
}

static void dec_transfer(struct decoder *d, const struct ir_inst *in)
{
    const bool store = in->op == IR_WMMA_STORE;
    const struct wmma_transfer t = transfer_of(in);
    const enum ir_type reg = ir_matrix_reg_bits(&in->mods) == 64 ? IR_F64 : IR_B32;
    struct address a = dec_address(d, in, 0);
    struct list results = {.count = 0}, sources = {.count = 0};

    a.base = dec_row(d, a.base);
    add_results(d, in, &results);
    add_sources(d, in, &sources, 2, store ? t.registers : 0, reg);
    add_sources(d, in, &sources, in->n_src - 1u, 1, IR_U32);
    add(&sources, a.base);
    struct uop *u = dec_named(d, store ? H_WMMA_STORE : H_WMMA_LOAD);

    if (u != NULL) {
        dec_set_address(u, &a, in);
        u->flag |= UOP_LISTED | MEM_EXTRA;
        u->vec = 2; /* the window's index stands in the list */
        u->extra = push_list(d, d->program->n_windows++, &results, &sources, &t, sizeof t);
    }
}

void dec_matrix(struct decoder *d, const struct ir_inst *in)
{
    /* Lanes may stop at the branch around a guarded instruction, so temporary rows are filled behind it. */
    const uint32_t around = dec_begin_guarded(d, in);

    if (in->op == IR_MMA || in->op == IR_MMA_SP) {
        dec_mma(d, in);
    } else {
        dec_transfer(d, in);
    }
    dec_end_guarded(d, around);
}
