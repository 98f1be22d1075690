/*
 * One instruction to uops: finding handlers, arranging operands, guards.
 *
 * An operation becomes one uop, after uops that spread scalars its handler does not take.  A result in a scalar comes
 * from a FORM_SCALAR handler or, where the operation has none, is computed in a temporary row and taken from the first
 * lane.
 */
#include "emu/decode.h"

struct uop *dec_emit(struct decoder *d, emu_handler full, emu_handler part)
{
    const struct uop fresh = {.full = full,
                              .part = part,
                              .d = NO_OPERAND,
                              .a = NO_OPERAND,
                              .b = NO_OPERAND,
                              .c = NO_OPERAND,
                              .e = NO_OPERAND,
                              .f = NO_OPERAND,
                              .vec = 1,
                              .inst = d->inst};

    d->ok = d->ok && vec_push(&d->uops, fresh);
    return d->ok ? &d->uops.at[d->uops.count - 1] : NULL;
}

struct uop *dec_named(struct decoder *d, enum handler_name name)
{
    const emu_handler *h = d->program->handlers->named[name];

    return dec_emit(d, h[0], h[1]);
}

/* --- operands in order ------------------------------------------------------------------------ */
/* The type a source letter of a shape stands for. */
static enum ir_type letter_type(const struct ir_inst *in, char letter)
{
    switch (letter) {
    case 'S':
        return (enum ir_type)in->type2;
    case 'W':
        return ir_type_wide((enum ir_type)in->type);
    case 'U':
        return IR_U32;
    case 'P':
    case 'Q':
        return IR_PRED;
    default:
        return (enum ir_type)in->type;
    }
}

enum { MAX_SOURCES = 5 };

/* Operations with free operands that come here work on words (packing and unpacking do not come here). */
static bool works_on_words(unsigned op)
{
    return op == IR_CVT_PACK_SAT || op == IR_VIDEO || op == IR_VIDEO_SIMD;
}

/* Words that are not written count as zero.  The selectors of a SIMD video instruction are no operands of its handler.
 */
static unsigned take_words(struct decoder *d, const struct ir_inst *in, struct operand srcs[MAX_SOURCES])
{
    const ir_ref *refs = ir_srcs(d->f, in);

    for (unsigned n = 0; n < 3; n++) {
        const bool written = n < in->n_src && ir_ref_kind(refs[n]) != IR_REF_NONE;

        srcs[n] = written ? dec_operand(d, refs[n], IR_U32) : dec_const(d, 0, 4);
    }
    return 3;
}

/* Sources of a fixed shape. */
static unsigned take_sources(struct decoder *d, const struct ir_inst *in, struct operand srcs[MAX_SOURCES])
{
    const char *letters = ir_shape_info[ir_op_info[in->op].shape].srcs;
    const ir_ref *refs = ir_srcs(d->f, in);
    unsigned n = 0;

    if (works_on_words(in->op)) {
        return take_words(d, in, srcs);
    }
    for (; n < in->n_src && n < MAX_SOURCES; n++) {
        const char letter = letters[n] == 0 || letters[n] == '*' ? 'T' : letters[n];

        srcs[n] = dec_operand(d, refs[n], letter_type(in, letter));
    }
    return n;
}

/* Conversions read the low bits of registers wider than their type. */
static void narrow_source(struct decoder *d, const struct ir_inst *in, struct operand *a)
{
    const unsigned bytes = ir_type_bytes((enum ir_type)in->type2);

    if (in->op == IR_CVT && !a->is_mask) {
        *a = dec_resized(d, *a, bytes < 2 ? 2 : bytes);
    }
}

static uint8_t kinds_of(const struct operand *srcs, unsigned n)
{
    static const uint8_t bits[] = {KIND_A, KIND_B, KIND_C, KIND_4};
    uint8_t kinds = 0;

    for (unsigned i = 0; i < n && i < 4; i++) {
        kinds |= srcs[i].scalar && srcs[i].offset != NO_OPERAND ? bits[i] : 0;
    }
    return kinds;
}

/* Emit the guard of a single uop that follows. */
void dec_guard(struct decoder *d, const struct ir_inst *in)
{
    if (in->guard == IR_REF_NONE) {
        return;
    }
    const struct operand p = dec_operand(d, in->guard, IR_PRED);
    struct uop *u = dec_named(d, p.scalar ? H_GUARD_S : H_GUARD);

    if (u != NULL) {
        u->a = p.offset;
        u->flag = in->guard_not;
    }
}

/* Move a result from a temporary row to its scalar. */
void dec_extract(struct decoder *d, struct operand row, struct operand scalar)
{
    struct uop *u = dec_named(d, H_EXTRACT);

    if (u != NULL) {
        u->a = row.offset;
        u->d = scalar.offset;
        u->mode = (uint8_t)(row.is_mask ? 0 : row.bytes);
    }
}

/* Sources must be rows where handlers take no scalars: carries, lists of parts. */
static bool wants_rows(const struct ir_inst *in)
{
    switch (in->op) {
    case IR_ADDC:
    case IR_ADDC_CC:
    case IR_SUBC:
    case IR_SUBC_CC:
    case IR_MADC_LO:
    case IR_MADC_HI:
    case IR_MADC_LO_CC:
    case IR_MADC_HI_CC:
        return true;
    case IR_MOV:
        return in->type == IR_B128;
    default:
        return false;
    }
}

/* Constants are the same in every split; other scalars of an instruction that lanes wait at may not be. */
static bool is_constant(const struct decoder *d, struct operand o)
{
    return o.offset >= d->const_base;
}

static void carry_fields(const struct ir_inst *in, struct uop *u, const struct operand *srcs, unsigned n,
                         struct operand second)
{
    const bool difference = in->op == IR_SUB_CC || in->op == IR_SUBC || in->op == IR_SUBC_CC;
    const bool flag_in = n > 0 && srcs[n - 1].is_mask;

    u->flag =
        (uint8_t)((flag_in ? 1 : 0) | (in->n_dst > 1 && second.offset != NO_OPERAND ? 2 : 0) | (difference ? 4 : 0));
    u->e = flag_in ? srcs[n - 1].offset : NO_OPERAND;
    if (flag_in && n == 3) {
        u->c = 0;
        u->kinds &= (uint8_t)~KIND_C;
    }
    if (n < 3) {
        u->c = 0;
    }
}

static bool is_carry(unsigned op)
{
    return op >= IR_ADD_CC && op <= IR_MADC_HI_CC;
}

/* --- the general case ------------------------------------------------------------------------- */
static void set_fields(struct decoder *d, const struct ir_inst *in, struct uop *u, struct operand dst,
                       struct operand second, const struct operand *srcs, unsigned n)
{
    u->d = dst.offset;
    u->f = second.offset;
    u->a = n > 0 ? srcs[0].offset : 0;
    u->b = n > 1 ? srcs[1].offset : 0;
    u->c = n > 2 ? srcs[2].offset : 0;
    u->e = n > 3 ? srcs[3].offset : 0;
    u->kinds = kinds_of(srcs, n);
    u->env = dec_environment(&in->mods);
    u->mode = dec_mode(in);
    if (in->op == IR_REDUX) {
        u->vec = in->type == IR_F32 ? dec_environment(&in->mods) : in->type == IR_S32;
    }
    if (is_carry(in->op)) {
        carry_fields(in, u, srcs, n, second);
    }
    if (in->op == IR_VIDEO || in->op == IR_VIDEO_SIMD) {
        u->extra = dec_video_words(d, in);
    }
}

/* *.sync: the member mask is the last source of the shape and goes to operand e; absent in the legacy forms. */
static void sync_fields(const struct decoder *d, struct uop *u, const struct operand *srcs, unsigned n,
                        bool mask_result)
{
    const struct operand members = srcs[n - 1];

    u->e = members.offset;
    u->flag =
        (uint8_t)((members.offset != NO_OPERAND ? CROSS_SYNC : 0) | (dec_is_literal(d, members) ? CROSS_LITERAL : 0));
    u->kinds &= (uint8_t) ~(KIND_A | KIND_B | KIND_C | KIND_4);
    u->kinds |= (uint8_t)(kinds_of(srcs, n - 1) & (KIND_A | KIND_B | KIND_C));
    u->kinds |= members.scalar ? KIND_4 : 0;
    /* Widths for splits whose operands must be copied: bytes per lane, 0 for a lane mask. */
    u->space = (uint8_t)(srcs[0].is_mask ? 0 : srcs[0].bytes);
    u->env = mask_result ? 0 : 4;
}

struct operand dec_destination(struct decoder *d, const struct ir_inst *in, unsigned i)
{
    return i < in->n_dst ? dec_operand(d, ir_dsts(d->f, in)[i], IR_TYPE_NONE) : (struct operand){.offset = NO_OPERAND};
}

/* Handlers without a test for an absent result write to a temporary row. */
struct operand dec_real_destination(struct decoder *d, const struct ir_inst *in, struct operand dst)
{
    const char letter = ir_shape_info[ir_op_info[in->op].shape].dsts[0];
    const bool optional = in->op == IR_SHFL || in->op == IR_MATCH_ALL || in->op == IR_ELECT;

    if (dst.offset != NO_OPERAND || optional || in->n_dst == 0) {
        return dst;
    }
    const bool own_type = letter == 0 || letter == '*';
    const enum ir_type type = works_on_words(in->op) ? IR_U32
                              : own_type             ? (enum ir_type)in->type
                                                     : letter_type(in, letter);
    const bool is_mask = type == IR_PRED;
    const unsigned bytes = ir_type_bytes(type) < 2 ? 2 : ir_type_bytes(type);

    return dec_scratch(d, is_mask ? 4 : bytes, is_mask);
}

static bool is_scalar(struct operand o)
{
    return o.scalar && o.offset != NO_OPERAND;
}

/* The second result.  The handler of packed comparisons always writes both. */
static struct operand second_destination(struct decoder *d, const struct ir_inst *in)
{
    const struct operand second = dec_destination(d, in, 1);

    return in->op == IR_SETP2 && second.offset == NO_OPERAND ? dec_scratch(d, 4, true) : second;
}

static bool find_handlers(const struct decoder *d, const struct ir_inst *in, unsigned op, uint8_t kinds,
                          struct handlers *h)
{
    return dec_lookup(d->program, op, dec_listed_type(in), op == EMU_CVT_RINT ? 0 : dec_listed_type2(in), kinds,
                      dec_is_plain(in), h);
}

/* The operands as the handlers of the operation take them. */
static unsigned arrange_sources(struct decoder *d, const struct ir_inst *in, bool sync,
                                struct operand srcs[MAX_SOURCES])
{
    const unsigned n = take_sources(d, in, srcs);

    if (n > 0) {
        narrow_source(d, in, &srcs[0]);
    }
    for (unsigned i = 0; i < n; i++) {
        if ((sync && !is_constant(d, srcs[i])) || wants_rows(in)) {
            srcs[i] = dec_row(d, srcs[i]);
        }
    }
    return n;
}

/* All operands are scalars: computed once for all lanes. */
static void dec_scalar(struct decoder *d, const struct ir_inst *in, struct operand dst, const struct handlers *h)
{
    struct operand srcs[MAX_SOURCES];
    const unsigned n = arrange_sources(d, in, false, srcs);

    dec_guard(d, in);
    struct uop *u = dec_emit(d, h->scalar->fn, h->scalar->fn);

    if (u != NULL) {
        set_fields(d, in, u, dst, (struct operand){.offset = NO_OPERAND}, srcs, n);
    }
}

static void dec_general(struct decoder *d, const struct ir_inst *in, unsigned op)
{
    const bool sync = (ir_op_info[in->op].effects & IR_E_SYNC) != 0;
    const struct operand dst = dec_real_destination(d, in, dec_destination(d, in, 0)),
                         second = second_destination(d, in);
    struct operand srcs[MAX_SOURCES];
    struct handlers h;

    if (!find_handlers(d, in, op, 0, &h)) {
        dec_refuse_form(d, in);
        return;
    }
    if (is_scalar(dst) && h.scalar != NULL && second.offset == NO_OPERAND) {
        dec_scalar(d, in, dst, &h);
        return;
    }
    /* Several uops: lanes may stop at the branch around them, so temporary rows are filled behind it. */
    const bool several = sync || is_scalar(dst) || is_scalar(second);
    const uint32_t around = several ? dec_begin_guarded(d, in) : NO_OPERAND;
    const unsigned n = arrange_sources(d, in, sync, srcs);
    const struct operand out = is_scalar(dst) ? dec_scratch(d, dst.bytes, dst.is_mask) : dst;
    const struct operand out2 = is_scalar(second) ? dec_scratch(d, second.bytes, second.is_mask) : second;
    const uint8_t kinds = kinds_of(srcs, n);

    if (!several) {
        dec_guard(d, in);
    }
    find_handlers(d, in, op, kinds, &h);
    const struct handler_row *full = kinds == 0 && h.full != NULL ? h.full : h.mixed != NULL ? h.mixed : h.any;
    struct uop *u = dec_emit(d, full->fn, h.any->fn);

    if (u != NULL) {
        set_fields(d, in, u, out, out2, srcs, n);
        if (sync && n > 0) {
            sync_fields(d, u, srcs, n, out.is_mask);
        }
    }
    if (sync && n > 0 && srcs[n - 1].offset != NO_OPERAND && !srcs[n - 1].scalar) {
        /* Lanes may name different members: they part here and meet behind. */
        if (u != NULL) {
            u->reconv = 1;
        }
        dec_named(d, H_RECONV);
    }
    if (is_scalar(dst)) {
        dec_extract(d, out, dst);
    }
    if (is_scalar(second)) {
        dec_extract(d, out2, second);
    }
    dec_end_guarded(d, around);
}

/* --- dispatch --------------------------------------------------------------------------------- */
static void dispatch(struct decoder *d, const struct ir_inst *in, uint32_t effects)
{
    switch (in->op) {
    case IR_REFUSED:
        dec_refuse_form(d, in);
        return;
    case IR_PACK:
    case IR_UNPACK:
        dec_parts(d, in);
        return;
    case IR_LEA:
        dec_lea(d, in);
        return;
    case IR_CVTA:
    case IR_CVTA_TO:
        dec_cvta(d, in);
        return;
    case IR_ISSPACEP:
        dec_isspacep(d, in);
        return;
    case IR_MAPA:
    case IR_CTA_RANK:
        dec_cluster_address(d, in);
        return;
    case IR_POLICY:
        dec_move(d, in, dec_destination(d, in, 0), dec_const(d, 0, 8));
        return;
    case IR_MOV_SREG:
        dec_sreg(d, in);
        return;
    case IR_CVT:
        dec_general(d, in,
                    dec_is_float(in->type) && in->type == in->type2 && dec_to_integral(&in->mods)
                        ? (unsigned)EMU_CVT_RINT
                        : (unsigned)in->op);
        return;
    case IR_LD:
    case IR_ST:
        dec_memory(d, in);
        return;
    case IR_LDMATRIX:
    case IR_STMATRIX:
    case IR_MOVMATRIX:
        dec_matrix_move(d, in);
        return;
    case IR_CP_ASYNC:
        dec_copy(d, in);
        return;
    case IR_BULK_LOAD:
    case IR_BULK_MULTICAST:
    case IR_BULK_SEND:
    case IR_BULK_SEND_RED:
    case IR_BULK_STORE:
    case IR_BULK_STORE_RED:
    case IR_ST_ASYNC:
    case IR_RED_ASYNC:
        dec_bulk(d, in);
        return;
    case IR_BULK_COMMIT:
    case IR_BULK_WAIT:
        dec_bulk_group(d, in);
        return;
    case IR_CP_ARRIVE:
    case IR_CP_ARRIVE_NOINC:
    case IR_MBAR_INIT:
    case IR_MBAR_INVAL:
    case IR_MBAR_EXPECT_TX:
    case IR_MBAR_COMPLETE_TX:
    case IR_MBAR_ARRIVE:
    case IR_MBAR_ARRIVE_TX:
    case IR_MBAR_ARRIVE_HOLD:
    case IR_MBAR_DROP:
    case IR_MBAR_DROP_TX:
    case IR_MBAR_DROP_HOLD:
    case IR_MBAR_WAIT:
    case IR_MBAR_WAIT_PARITY:
        dec_mbarrier(d, in);
        return;
    case IR_CP_COMMIT:
    case IR_CP_WAIT:
    case IR_CP_WAIT_ALL:
        dec_copy_group(d, in);
        return;
    case IR_ATOM:
    case IR_ATOM_CAS:
    case IR_RED:
        dec_atomic(d, in);
        return;
    case IR_MMA:
    case IR_MMA_SP:
    case IR_WMMA_LOAD:
    case IR_WMMA_STORE:
        dec_matrix(d, in);
        return;
    case IR_TEX:
    case IR_TEX_OFFSET:
    case IR_TEX_LEVEL:
    case IR_TEX_GRAD:
    case IR_TLD4:
    case IR_TXQ:
    case IR_TXQ_LEVEL:
    case IR_SULD:
    case IR_SUST:
    case IR_SUST_P:
    case IR_SURED:
    case IR_SURED_P:
    case IR_SUQ:
    case IR_ISTYPEP:
        dec_texture(d, in);
        return;
    default:
        break;
    }
    if (effects & IR_E_HINT) {
        return;
    }
    if (effects & (IR_E_BRANCH | IR_E_CALL | IR_E_BARRIER | IR_E_FAULT | IR_E_YIELD | IR_E_STACK | IR_E_FENCE)) {
        dec_control(d, in);
        return;
    }
    dec_general(d, in, in->op);
}

void dec_inst(struct decoder *d, const struct ir_inst *in)
{
    const uint32_t effects = ir_op_info[in->op].effects;
    /*
     * Temporary rows live within one instruction, so all share one place.  But while lanes wait at a *.sync instruction
     * or at an mbarrier others run any instruction, and rows of another width put their lanes elsewhere: its
     * temporaries are its own.
     */
    const bool waits = (effects & (IR_E_SYNC | IR_E_ASYNC)) != 0;
    const uint32_t start = waits ? d->scratch_most : d->scratch_kept;

    d->scratch_used = start;
    d->pending++;
    if (d->holds[d->inst]) {
        dec_named(d, H_HOLD);
    }
    dispatch(d, in, effects);
    if (waits && d->scratch_used > start) {
        d->scratch_kept = d->scratch_used;
    }
}
