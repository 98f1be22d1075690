/*
 * One instruction to uops: finding handlers, arranging operands, guards.
 *
 * An operation becomes one uop, after uops that spread scalars its handler does not take.  A result in a scalar comes from a
 * FORM_SCALAR handler or, where the operation has none, is computed in a temporary row and taken from the first lane.
 */
#include "emu/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "emu/sem_env.h"
#include "ir/forms.h"

struct uop *dec_emit(struct decoder *d, emu_handler full, emu_handler part)
{
    const struct uop fresh = {.full = full, .part = part, .d = NO_OPERAND, .a = NO_OPERAND, .b = NO_OPERAND, .c = NO_OPERAND,
                              .e = NO_OPERAND, .f = NO_OPERAND, .vec = 1, .inst = d->inst};

    d->ok = d->ok && vec_push(&d->uops, fresh);
    return d->ok ? &d->uops.at[d->uops.count - 1] : NULL;
}

struct uop *dec_named(struct decoder *d, enum handler_name name)
{
    const emu_handler *h = d->program->handlers->named[name];

    return dec_emit(d, h[0], h[1]);
}

void dec_refuse(struct decoder *d, const struct ir_inst *in, const char *format, ...)
{
    struct emu_program *p = d->program;
    char words[256];
    va_list list;

    if (p->refused != NULL) {
        return;
    }
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    p->refused_line = in != NULL && in->line < p->module->lines.count ? p->module->lines.at[in->line].line : 0;
    p->refused = arena_strdup(p->arena, words);
    d->ok = d->ok && p->refused != NULL;
}

/* The opcode for messages: mnemonic and the fixed words of its form. */
static void refuse_form(struct decoder *d, const struct ir_inst *in)
{
    char text[160];

    if (in->op == IR_REFUSED) {
        const struct ir_form *form = &ir_form_info[in->form];
        size_t n = strcspn(form->modifiers, "<{");

        snprintf(text, sizeof text, "%s%.*s", form->mnemonic, (int)(n > 100 ? 100 : n), form->modifiers);
        dec_refuse(d, in, "unsupported: %s", text);
        return;
    }
    ir_format_inst(d->f, in, text, sizeof text);
    dec_refuse(d, in, "unsupported: %s", text);
}

/* --- lookup ---------------------------------------------------------------------------------------------------------------- */
bool dec_lookup(const struct handler_set *set, unsigned op, unsigned type, unsigned type2, unsigned kinds, bool plain, struct handlers *out)
{
    *out = (struct handlers){0};
    for (size_t i = 0; i < set->n_rows; i++) {
        const struct handler_row *r = &set->rows[i];

        if (r->op != op || r->type != type || r->type2 != type2 || (r->plain && !plain)) {
            if (!(r->op == op && r->type == type && r->type2 == type2 && (r->form == FORM_ANY || r->form == FORM_SCALAR))) {
                continue;
            }
        }
        switch (r->form) {
        case FORM_ANY:
            out->any = r;
            break;
        case FORM_SCALAR:
            out->scalar = r;
            break;
        case FORM_FULL:
            out->full = r;
            break;
        default:
            if (r->kinds == kinds) {
                out->mixed = r;
            }
            break;
        }
    }
    return out->any != NULL;
}

/* The type under which an operation's handlers are listed: many care for the size only. */
static unsigned listed_type(const struct ir_inst *in)
{
    static const enum ir_type by_bytes[17] = {[1] = IR_B16, [2] = IR_B16, [4] = IR_B32, [8] = IR_B64, [16] = IR_B128};

    switch (in->op) {
    case IR_MOV:
    case IR_SELP:
    case IR_SLCT:
    case IR_PACK:
    case IR_UNPACK:
    case IR_MATCH_ANY:
    case IR_MATCH_ALL:
        return in->type == IR_PRED ? IR_PRED : by_bytes[ir_type_bytes((enum ir_type)in->type)];
    case IR_SHFL:
    case IR_REDUX:
    case IR_ELECT:
    case IR_VOTE_BALLOT:
    case IR_ACTIVEMASK:
    case IR_WARP_SYNC:
        return IR_B32;
    case IR_VOTE_ALL:
    case IR_VOTE_ANY:
    case IR_VOTE_UNI:
        return IR_PRED;
    case IR_VIDEO:
    case IR_VIDEO_SIMD:
        return IR_B32;
    default:
        return in->type;
    }
}

static unsigned listed_type2(const struct ir_inst *in)
{
    switch (in->op) {
    case IR_PACK:
    case IR_UNPACK:
        return in->type2;
    case IR_SLCT:
    case IR_CVT:
    case IR_CVT_PACK:
    case IR_CVT_PACK_SAT:
    case IR_FADD_MIX:
    case IR_FSUB_MIX:
    case IR_FMA_MIX:
        return in->type2;
    default:
        return 0;
    }
}

/* --- modifiers --------------------------------------------------------------------------------------------------------------- */
static uint8_t environment(const struct ir_mods *m)
{
    return (uint8_t)((m->ftz ? FP_FTZ : 0) | (m->sat ? FP_SAT : 0) | (m->nan ? FP_PASS_NAN : 0) | (m->xorsign ? FP_XORSIGN : 0) |
                     (m->relu ? FP_RELU : 0) | (m->abs ? FP_ABS : 0) | (m->satfinite ? FP_SATFINITE : 0));
}

static uint8_t rounding(const struct ir_mods *m)
{
    static const uint8_t as_sem[] = {[IR_RN] = SEM_RN,   [IR_RZ] = SEM_RZ,   [IR_RM] = SEM_RM,   [IR_RP] = SEM_RP,  [IR_RNA] = SEM_RNA,
                                     [IR_RS] = SEM_RN,   [IR_RNI] = SEM_RN, [IR_RZI] = SEM_RZ, [IR_RMI] = SEM_RM, [IR_RPI] = SEM_RP};

    return as_sem[m->round];
}

static bool to_integral(const struct ir_mods *m)
{
    return m->round >= IR_RNI;
}

static bool is_float(unsigned type)
{
    return ir_type_info[type].kind == IR_KIND_FLOAT;
}

/* What the handler reads from `mode`. */
static uint8_t mode_of(const struct ir_inst *in)
{
    switch (in->op) {
    case IR_SETP:
    case IR_SETP2:
    case IR_TESTP:
        return in->mods.cmp;
    case IR_LOP3:
        return in->mods.lut;
    case IR_DP4A:
    case IR_DP2A_LO:
    case IR_DP2A_HI:
        return (uint8_t)(in->mods.asel | in->mods.bsel << 1);
    case IR_SHFL:
        return in->mods.shfl;
    case IR_REDUX:
        return in->mods.atom;
    default:
        return rounding(&in->mods);
    }
}

/* Whether the fast handlers serve: no modifiers but .ftz, and the rounding they were made for. */
static bool is_plain(const struct ir_inst *in)
{
    const uint8_t env = environment(&in->mods);

    switch (in->op) {
    case IR_SETP:
        return env == 0;
    case IR_CVT:
        if (env != 0) {
            return false;
        }
        if (is_float(in->type2) && !is_float(in->type)) {
            return rounding(&in->mods) == SEM_RZ;
        }
        return rounding(&in->mods) == SEM_RN;
    default:
        return (env & ~(unsigned)FP_FTZ) == 0 && rounding(&in->mods) == SEM_RN;
    }
}

/* --- operands in order ------------------------------------------------------------------------------------------------------- */
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

/* Words that are not written count as zero.  The selectors of a SIMD video instruction are no operands of its handler. */
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
static void emit_extract(struct decoder *d, struct operand row, struct operand scalar)
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

static void carry_fields(const struct ir_inst *in, struct uop *u, const struct operand *srcs, unsigned n, struct operand second)
{
    const bool difference = in->op == IR_SUB_CC || in->op == IR_SUBC || in->op == IR_SUBC_CC;
    const bool flag_in = n > 0 && srcs[n - 1].is_mask;

    u->flag = (uint8_t)((flag_in ? 1 : 0) | (in->n_dst > 1 && second.offset != NO_OPERAND ? 2 : 0) | (difference ? 4 : 0));
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

/* --- the general case ------------------------------------------------------------------------------------------------------------ */
static void set_fields(struct decoder *d, const struct ir_inst *in, struct uop *u, struct operand dst, struct operand second,
                       const struct operand *srcs, unsigned n)
{
    u->d = dst.offset;
    u->f = second.offset;
    u->a = n > 0 ? srcs[0].offset : 0;
    u->b = n > 1 ? srcs[1].offset : 0;
    u->c = n > 2 ? srcs[2].offset : 0;
    u->e = n > 3 ? srcs[3].offset : 0;
    u->kinds = kinds_of(srcs, n);
    u->env = environment(&in->mods);
    u->mode = mode_of(in);
    if (in->op == IR_REDUX) {
        u->vec = in->type == IR_S32;
    }
    if (is_carry(in->op)) {
        carry_fields(in, u, srcs, n, second);
    }
    if (in->op == IR_VIDEO || in->op == IR_VIDEO_SIMD) {
        u->extra = dec_video_words(d, in);
    }
}

/* *.sync: the member mask is the last source of the shape and goes to operand e; absent in the legacy forms. */
static void sync_fields(const struct ir_inst *in, struct uop *u, const struct operand *srcs, unsigned n)
{
    const struct operand members = srcs[n - 1];

    u->e = members.offset;
    u->flag = members.offset != NO_OPERAND; /* CROSS_SYNC */
    u->kinds &= (uint8_t)~(KIND_A | KIND_B | KIND_C | KIND_4);
    u->kinds |= (uint8_t)(kinds_of(srcs, n - 1) & (KIND_A | KIND_B | KIND_C));
    u->kinds |= members.scalar ? KIND_4 : 0;
    (void)in;
}

static struct operand destination(struct decoder *d, const struct ir_inst *in, unsigned i)
{
    return i < in->n_dst ? dec_operand(d, ir_dsts(d->f, in)[i], IR_TYPE_NONE) : (struct operand){.offset = NO_OPERAND};
}

/* Handlers without a test for an absent result write to a temporary row. */
static struct operand real_destination(struct decoder *d, const struct ir_inst *in, struct operand dst)
{
    const char letter = ir_shape_info[ir_op_info[in->op].shape].dsts[0];
    const bool optional = in->op == IR_SHFL || in->op == IR_MATCH_ALL || in->op == IR_ELECT;

    if (dst.offset != NO_OPERAND || optional || in->n_dst == 0) {
        return dst;
    }
    const bool own_type = letter == 0 || letter == '*';
    const enum ir_type type = works_on_words(in->op) ? IR_U32 : own_type ? (enum ir_type)in->type : letter_type(in, letter);
    const bool is_mask = type == IR_PRED;
    const unsigned bytes = ir_type_bytes(type) < 2 ? 2 : ir_type_bytes(type);

    return dec_scratch(d, is_mask ? 4 : bytes, is_mask);
}

static void dec_general(struct decoder *d, const struct ir_inst *in, unsigned op)
{
    const bool sync = (ir_op_info[in->op].effects & IR_E_SYNC) != 0;
    struct operand srcs[MAX_SOURCES], dst = real_destination(d, in, destination(d, in, 0)), second = destination(d, in, 1);
    const unsigned n = take_sources(d, in, srcs);
    struct handlers h;

    if (n > 0) {
        narrow_source(d, in, &srcs[0]);
    }
    for (unsigned i = 0; i < n; i++) {
        if ((sync && !is_constant(d, srcs[i])) || wants_rows(in)) {
            srcs[i] = dec_row(d, srcs[i]);
        }
    }
    if (!dec_lookup(d->program->handlers, op, listed_type(in), op == EMU_CVT_RINT ? 0 : listed_type2(in), kinds_of(srcs, n), is_plain(in), &h)) {
        refuse_form(d, in);
        return;
    }
    if (dst.scalar && dst.offset != NO_OPERAND && h.scalar != NULL && second.offset == NO_OPERAND) {
        dec_guard(d, in);
        struct uop *u = dec_emit(d, h.scalar->fn, h.scalar->fn);

        if (u != NULL) {
            set_fields(d, in, u, dst, second, srcs, n);
        }
        return;
    }
    struct operand out = dst, out2 = second;
    uint32_t around = NO_OPERAND;
    const bool extracts = (dst.scalar && dst.offset != NO_OPERAND) || (second.scalar && second.offset != NO_OPERAND);

    if (sync || extracts) {
        around = dec_begin_guarded(d, in);
    } else {
        dec_guard(d, in);
    }
    if (out.scalar && out.offset != NO_OPERAND) {
        out = dec_scratch(d, dst.bytes, dst.is_mask);
    }
    if (out2.scalar && out2.offset != NO_OPERAND) {
        out2 = dec_scratch(d, second.bytes, second.is_mask);
    }
    const uint8_t kinds = kinds_of(srcs, n);
    const struct handler_row *full = kinds == 0 && h.full != NULL ? h.full : h.mixed != NULL ? h.mixed : h.any;
    struct uop *u = dec_emit(d, full->fn, h.any->fn);

    if (u != NULL) {
        set_fields(d, in, u, out, out2, srcs, n);
        if (sync && n > 0) {
            sync_fields(in, u, srcs, n);
        }
    }
    if (dst.scalar && dst.offset != NO_OPERAND) {
        emit_extract(d, out, dst);
    }
    if (second.scalar && second.offset != NO_OPERAND) {
        emit_extract(d, out2, second);
    }
    dec_end_guarded(d, around);
}

/* --- values in parts ---------------------------------------------------------------------------------------------------------------- */
static void dec_parts(struct decoder *d, const struct ir_inst *in)
{
    const bool packs = in->op == IR_PACK;
    const ir_ref *parts = packs ? ir_srcs(d->f, in) : ir_dsts(d->f, in);
    const unsigned n = packs ? in->n_src : in->n_dst, part_bytes = ir_type_bytes((enum ir_type)in->type2) < 2 ? 2 : ir_type_bytes((enum ir_type)in->type2);
    struct operand whole = packs ? real_destination(d, in, destination(d, in, 0)) : dec_operand(d, ir_srcs(d->f, in)[0], (enum ir_type)in->type);
    struct operand rows[8], real[8];
    struct handlers h;

    if (n > 8 || !dec_lookup(d->program->handlers, in->op, listed_type(in), in->type2, 0, true, &h)) {
        refuse_form(d, in);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        real[i] = dec_operand(d, parts[i], (enum ir_type)in->type2);
        rows[i] = packs ? dec_row(d, dec_resized(d, real[i], part_bytes)) : real[i];
        if (!packs && real[i].scalar && real[i].offset != NO_OPERAND) {
            rows[i] = dec_scratch(d, real[i].bytes, false);
        }
    }
    if (!packs && in->type == IR_B128) {
        whole = dec_row(d, whole);
    }
    const struct operand out = packs && whole.scalar ? dec_scratch(d, whole.bytes, false) : whole;
    const uint32_t list = d->extra.count, around = dec_begin_guarded(d, in);
    struct uop *u = dec_emit(d, h.any->fn, h.any->fn);

    for (unsigned i = 0; i < n; i++) {
        d->ok = d->ok && vec_push(&d->extra, rows[i].offset);
    }
    if (u != NULL) {
        u->extra = list;
        u->d = packs ? out.offset : NO_OPERAND;
        u->a = packs ? NO_OPERAND : whole.offset;
        u->kinds = !packs && whole.scalar ? KIND_A : 0;
    }
    if (packs && whole.scalar) {
        emit_extract(d, out, whole);
    }
    for (unsigned i = 0; !packs && i < n; i++) {
        if (real[i].scalar && real[i].offset != NO_OPERAND) {
            emit_extract(d, rows[i], real[i]);
        }
    }
    dec_end_guarded(d, around);
}

/* --- addresses and special registers ---------------------------------------------------------------------------------------------------- */
/* Give `value` to a destination: a move by size. */
void dec_move(struct decoder *d, const struct ir_inst *in, struct operand dst, struct operand value)
{
    static const enum ir_type by_bytes[9] = {[2] = IR_B16, [4] = IR_B32, [8] = IR_B64};
    struct handlers h;

    if (dst.offset == NO_OPERAND || !dec_lookup(d->program->handlers, IR_MOV, dst.is_mask ? IR_PRED : by_bytes[dst.bytes], 0, 0, true, &h)) {
        return;
    }
    dec_guard(d, in);
    const struct handler_row *row = dst.scalar ? h.scalar : h.any;
    struct uop *u = dec_emit(d, !dst.scalar && !value.scalar && h.full != NULL ? h.full->fn : row->fn, row->fn);

    if (u != NULL) {
        u->d = dst.offset;
        u->a = value.offset;
        u->kinds = value.scalar ? KIND_A : 0;
    }
}

/* a + b by handlers of ADD; used for address arithmetic that PTX writes as one instruction. */
static void emit_add(struct decoder *d, const struct ir_inst *in, struct operand dst, struct operand a, struct operand b)
{
    struct handlers h;
    const uint8_t kinds = (uint8_t)((a.scalar ? KIND_A : 0) | (b.scalar ? KIND_B : 0));

    if (dst.offset == NO_OPERAND || !dec_lookup(d->program->handlers, IR_ADD, dst.bytes == 8 ? IR_U64 : dst.bytes == 4 ? IR_U32 : IR_U16, 0, kinds, true, &h)) {
        return;
    }
    dec_guard(d, in);
    const emu_handler part = dst.scalar ? h.scalar->fn : h.any->fn;
    struct uop *u = dec_emit(d, dst.scalar ? part : h.mixed != NULL ? h.mixed->fn : kinds == 0 ? h.full->fn : part, part);

    if (u != NULL) {
        u->d = dst.offset;
        u->a = a.offset;
        u->b = b.offset;
        u->kinds = kinds;
    }
}

static void dec_lea(struct decoder *d, const struct ir_inst *in)
{
    const ir_ref *srcs = ir_srcs(d->f, in);
    const struct operand dst = destination(d, in, 0);
    const uint64_t offset = ir_const_bits(d->f, srcs[1]);
    uint64_t address = 0;

    if (ir_ref_kind(srcs[0]) == IR_REF_FUNC) {
        dec_move(d, in, dst, dec_const(d, (uint64_t)EMU_FUNC_STEP * (ir_ref_index(srcs[0]) + 1u) + offset, dst.bytes));
        return;
    }
    const struct ir_symbol *symbol = &d->f->module->symbols.at[ir_ref_index(srcs[0])];

    if (!dec_symbol_address(d, symbol, ir_ref_index(srcs[0]), &address)) {
        dec_refuse(d, in, "variable '%s' is not defined", symbol->name);
        return;
    }
    const bool in_frame = symbol->space == IR_SPACE_LOCAL || (symbol->space == IR_SPACE_PARAM && !symbol->kernel_param);

    if (in_frame && !d->f->is_entry) {
        struct uop *u;

        dec_guard(d, in);
        u = dec_named(d, H_FRAME_ADDRESS);
        if (u != NULL) {
            u->d = dst.offset;
            u->imm = address + offset;
            u->vec = (uint8_t)dst.bytes;
            u->kinds = dst.scalar ? KIND_D : 0;
        }
        return;
    }
    dec_move(d, in, dst, dec_const(d, address + offset, dst.bytes));
}

static uint64_t window_base(const struct emu_program *p, unsigned space)
{
    switch (space) {
    case IR_SPACE_SHARED:
    case IR_SPACE_CLUSTER:
        return p->shared_window;
    case IR_SPACE_LOCAL:
        return p->local_window;
    case IR_SPACE_PARAM:
        return p->param_window;
    default:
        return 0;
    }
}

static void dec_cvta(struct decoder *d, const struct ir_inst *in)
{
    const struct operand dst = destination(d, in, 0);
    struct operand a = dec_operand(d, ir_srcs(d->f, in)[0], (enum ir_type)in->type);
    const uint64_t base = window_base(d->program, in->mods.space);

    if (base == 0) {
        dec_move(d, in, dst, a);
    } else {
        emit_add(d, in, dst, a, dec_const(d, in->op == IR_CVTA ? base : 0 - base, dst.bytes));
    }
}

static void dec_isspacep(struct decoder *d, const struct ir_inst *in)
{
    static const uint64_t sizes[IR_SPACE_COUNT] = {[IR_SPACE_SHARED] = MEM_SHARED_WINDOW, [IR_SPACE_CLUSTER] = MEM_SHARED_WINDOW,
                                                   [IR_SPACE_LOCAL] = MEM_LOCAL_WINDOW, [IR_SPACE_PARAM] = MEM_PARAM_WINDOW};
    const struct operand dst = destination(d, in, 0);
    const struct operand a = dec_row(d, dec_operand(d, ir_srcs(d->f, in)[0], (enum ir_type)in->type));
    const struct operand out = dst.scalar ? dec_scratch(d, 4, true) : dst;
    const uint32_t around = dec_begin_guarded(d, in);
    struct uop *u = dec_named(d, H_ISSPACEP);

    if (u != NULL) {
        u->d = out.offset;
        u->a = a.offset;
        u->imm = window_base(d->program, in->mods.space);
        u->extra = (uint32_t)(sizes[in->mods.space] - 1);
        u->flag = in->mods.space == IR_SPACE_CONST ? 2 : in->mods.space == IR_SPACE_GLOBAL ? 1 : 0;
        u->vec = (uint8_t)a.bytes;
    }
    if (dst.scalar && dst.offset != NO_OPERAND) {
        emit_extract(d, out, dst);
    }
    dec_end_guarded(d, around);
}

/* Registers that are the same in a whole launch or CTA live among the constants. */
static bool is_patched_sreg(unsigned sreg)
{
    return (sreg >= IR_SREG_NTID_X && sreg <= IR_SREG_NTID_Z) || (sreg >= IR_SREG_CTAID_X && sreg <= IR_SREG_CTAID_Z) ||
           (sreg >= IR_SREG_NCTAID_X && sreg <= IR_SREG_NCTAID_Z);
}

static void dec_sreg(struct decoder *d, const struct ir_inst *in)
{
    const struct operand dst = destination(d, in, 0);
    const unsigned sreg = ir_ref_index(ir_srcs(d->f, in)[0]);

    if (dst.offset == NO_OPERAND) {
        return;
    }
    if (d->f->is_entry && is_patched_sreg(sreg) && !dst.is_mask) {
        dec_move(d, in, dst, dec_patched(d, (struct emu_patch){.sreg = (uint16_t)sreg}, dst.bytes));
        return;
    }
    dec_guard(d, in);
    const bool tid = sreg >= IR_SREG_TID_X && sreg <= IR_SREG_TID_Z && dst.bytes == 4 && !dst.scalar;
    struct uop *u = dec_named(d, tid ? H_MOV_TID : H_MOV_SREG);

    if (u == NULL) {
        return;
    }
    u->d = dst.offset;
    u->mode = (uint8_t)(tid ? sreg - IR_SREG_TID_X : sreg);
    u->flag = (uint8_t)(tid ? 0 : sreg >> 8);
    u->vec = (uint8_t)(dst.is_mask ? 1 : dst.bytes * 8);
    u->kinds = dst.scalar ? KIND_D : 0;
}

/* --- dispatch ------------------------------------------------------------------------------------------------------------------------------ */
void dec_inst(struct decoder *d, const struct ir_inst *in)
{
    const uint32_t effects = ir_op_info[in->op].effects;

    d->scratch_used = 0;
    d->pending++;
    switch (in->op) {
    case IR_REFUSED:
        refuse_form(d, in);
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
        /* Every CTA is alone in its cluster: the address stays. */
        dec_move(d, in, destination(d, in, 0), dec_operand(d, ir_srcs(d->f, in)[0], (enum ir_type)in->type));
        return;
    case IR_POLICY:
        dec_move(d, in, destination(d, in, 0), dec_const(d, 0, 8));
        return;
    case IR_MOV_SREG:
        dec_sreg(d, in);
        return;
    case IR_CVT:
        dec_general(d, in, is_float(in->type) && in->type == in->type2 && to_integral(&in->mods) ? (unsigned)EMU_CVT_RINT : (unsigned)in->op);
        return;
    case IR_LD:
    case IR_ST:
        dec_memory(d, in);
        return;
    case IR_ATOM:
    case IR_ATOM_CAS:
    case IR_RED:
        dec_atomic(d, in);
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
