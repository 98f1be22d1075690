/*
 * The invariants of the intermediate representation, all checked from the tables: no operation is known by name here.
 *
 * Function with a body
 *   1. Blocks partition the instructions in order, and there is at least one.
 *   2. An instruction with E_BRANCH ends its block.  The last block ends with an unguarded one, so control never runs
 * off.
 *   3. Parameters and results refer to registers or symbols; those of an entry are symbols marked as kernel parameters.
 * Instruction
 *   4. The operation exists, and has the type.  Type and source type are rows of types.def, the line is one of the
 * module's.
 *   5. A guard is a predicate register.
 *   6. Operands match the shape letter by letter, none missing, none too many; mods.vec is at least 1 where V occurs,
 * mods.matrix names a row of matrix.def where a fragment occurs.
 * Operand
 *   7. Its index is in range.
 *   8. A destination is a register, or NONE when the result is thrown away (CALL also takes symbols).  A source T, S,
 * W, U, V, H or P is a register or a constant; O, Q and H may be NONE, and so may U in operations that read other
 * lanes: the forms without .sync name no lanes.
 *   9. A predicate is a PRED register wherever P and Q stand, or T where the type is PRED; nowhere else.
 *  10. A register is as wide as the letter says.  8-bit values live in registers of 8 or 16 bits.  Three exceptions:
 *      - V of loads: a wider register receives the value sign-extended for .s types, zero-extended for all others;
 *      - V of stores: the low bits of a wider register are stored;
 *      - S (conversions): the low bits of a wider register are the source, whatever is above them.
 *      Destinations of conversions are never wider than that: lowering adds an integer conversion.
 *  11. The base of an address is a register of 16 to 64 bits, a symbol, a function or NONE; the offset is a constant.
 *      With an index (mods.index, made by ir_fuse) one source follows those of the shape: a 32-bit register, scaled by
 *      1 to 255 bytes.  Only loads and stores of generic, global and const memory have one, and then the base is a
 *      64-bit register or a constant.  A, B, C, D and X are registers or constants of the width that matrix.def gives.
 * Symbol
 *  12. The alignment is a power of two, the owner exists, initial bytes and relocations lie inside.
 */
#include "ir/passes.h"

#include "ir/matrix.h"

#include <stdio.h>
#include <string.h>

struct verifier {
    const struct ir_module *m;
    const struct ir_func *f;
    const struct ir_inst *in; /* NULL outside instructions */
    struct diag *dg;
};

__attribute__((format(printf, 2, 3))) static void fail(struct verifier *v, const char *format, ...)
{
    char what[200];
    struct diag_loc loc = {0};
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (v->in != NULL && v->in->line < v->m->lines.count) {
        const struct ir_line *line = &v->m->lines.at[v->in->line];

        loc = (struct diag_loc){.line = line->line, .column = line->column};
    }
    diag_error(v->dg, loc, "invalid IR in '%s'%s%s: %s", v->f == NULL ? v->m->name : v->f->name,
               v->in == NULL ? "" : ", ", v->in == NULL || v->in->op >= IR_OP_COUNT ? "" : ir_op_info[v->in->op].name,
               what);
}

static uint32_t index_limit(const struct verifier *v, enum ir_ref_kind kind)
{
    switch (kind) {
    case IR_REF_REG:
        return v->f->regs.count;
    case IR_REF_CONST:
        return v->f->consts.count;
    case IR_REF_SYMBOL:
        return v->m->symbols.count;
    case IR_REF_FUNC:
        return v->m->funcs.count;
    case IR_REF_SREG:
        return IR_SREG_COUNT;
    case IR_REF_BLOCK:
        return v->f->blocks.count;
    case IR_REF_TABLE:
        return v->f->tables.count;
    case IR_REF_NONE:
        return 1;
    }
    return 0;
}

static bool in_range(const struct verifier *v, ir_ref r)
{
    return ir_ref_index(r) < index_limit(v, ir_ref_kind(r));
}

static enum ir_type reg_type(const struct verifier *v, ir_ref r)
{
    return (enum ir_type)v->f->regs.at[ir_ref_index(r)].type;
}

/* --- letters ---------------------------------------------------------------------------------- */
enum { IS_DST = 1 << 0, MAY_BE_NONE = 1 << 1, MAY_BE_WIDER = 1 << 2 };

static void check_value(struct verifier *v, ir_ref r, unsigned bits, bool is_pred, unsigned flags)
{
    enum ir_ref_kind kind = ir_ref_kind(r);

    if (kind == IR_REF_NONE && flags & (IS_DST | MAY_BE_NONE)) {
        return;
    }
    if (kind == IR_REF_CONST && !(flags & IS_DST)) {
        return;
    }
    if (kind != IR_REF_REG) {
        fail(v, "%s of reference kind %d where a register belongs", flags & IS_DST ? "destination" : "source", kind);
        return;
    }
    enum ir_type type = reg_type(v, r);
    unsigned have = ir_type_info[type].bits;

    if ((type == IR_PRED) != is_pred) {
        fail(v, "register of type .%s %s a predicate", ir_type_info[type].name, is_pred ? "is not" : "is");
    } else if (!is_pred && have != bits && !(bits <= 8 && have == 16) && !(flags & MAY_BE_WIDER && have > bits)) {
        fail(v, "register of %u bits for a value of %u", have, bits);
    }
}

static void check_typed(struct verifier *v, ir_ref r, unsigned type, unsigned scale, unsigned flags)
{
    check_value(v, r, ir_type_info[type].bits * scale, type == IR_PRED, flags);
}

static void check_kind(struct verifier *v, ir_ref r, enum ir_ref_kind wanted)
{
    if (ir_ref_kind(r) != wanted) {
        fail(v, "reference kind %d where kind %d belongs", ir_ref_kind(r), wanted);
    }
}

static void check_address(struct verifier *v, ir_ref base, ir_ref offset)
{
    enum ir_ref_kind kind = ir_ref_kind(base);

    check_kind(v, offset, IR_REF_CONST);
    if (kind == IR_REF_REG) {
        unsigned bits = ir_type_info[reg_type(v, base)].bits;

        if (bits < 16 || bits > 64) {
            fail(v, "address register of %u bits", bits);
        }
    } else if (kind != IR_REF_SYMBOL && kind != IR_REF_FUNC && kind != IR_REF_NONE) {
        fail(v, "reference kind %d as base of an address", kind);
    }
}

/* The address register + offset + index * scale of an access that ir_fuse rewrote. */
static void check_indexed(struct verifier *v, ir_ref base, ir_ref offset, ir_ref index)
{
    const struct ir_mods *mods = &v->in->mods;

    check_kind(v, offset, IR_REF_CONST);
    check_value(v, base, 64, false, 0);
    check_kind(v, index, IR_REF_REG);
    if (ir_ref_kind(index) == IR_REF_REG) {
        check_value(v, index, 32, false, 0);
    }
    if (mods->index > 2 || mods->index_scale == 0) {
        fail(v, "index of kind %u with scale %u", mods->index, mods->index_scale);
    }
    if (mods->space != IR_SPACE_GENERIC && mods->space != IR_SPACE_GLOBAL && mods->space != IR_SPACE_CONST) {
        fail(v, "an index into memory that has none");
    }
}

static void check_target(struct verifier *v, ir_ref r)
{
    if (ir_ref_kind(r) == IR_REF_FUNC) {
        return;
    }
    check_kind(v, r, IR_REF_REG);
    if (ir_ref_kind(r) == IR_REF_REG && ir_type_info[reg_type(v, r)].bits < 32) {
        fail(v, "call through a register of %u bits", ir_type_info[reg_type(v, r)].bits);
    }
}

static void check_letter(struct verifier *v, char letter, const ir_ref *at, unsigned flags)
{
    uint32_t effects = ir_op_info[v->in->op].effects;

    switch (letter) {
    case 'T':
        check_typed(v, *at, v->in->type, 1, flags);
        break;
    case 'O':
        check_typed(v, *at, effects & IR_E_BARRIER ? IR_U32 : v->in->type, 1, flags | MAY_BE_NONE);
        break;
    case 'S':
        check_typed(v, *at, v->in->type2, 1, flags | MAY_BE_WIDER);
        break;
    case 'W':
        check_typed(v, *at, v->in->type, 2, flags);
        break;
    case 'U':
        check_typed(v, *at, IR_U32, 1, flags | (effects & IR_E_CROSS ? MAY_BE_NONE : 0));
        break;
    case 'V':
        check_typed(v, *at, v->in->type, 1, flags | (effects & (IR_E_LOAD | IR_E_STORE) ? MAY_BE_WIDER : 0));
        break;
    case 'A':
    case 'B':
    case 'C':
    case 'D':
    case 'X':
        check_value(v, *at, ir_matrix_reg_bits(&v->in->mods), false, flags);
        break;
    case 'P':
        check_typed(v, *at, IR_PRED, 1, flags);
        break;
    case 'Q':
        check_typed(v, *at, IR_PRED, 1, flags | MAY_BE_NONE);
        break;
    case 'M':
        if (ir_is_indexed(v->in)) {
            check_indexed(v, at[0], at[1], ir_srcs(v->f, v->in)[v->in->n_src - 1]);
        } else {
            check_address(v, at[0], at[1]);
        }
        break;
    case 'H':
        check_typed(v, *at, IR_U64, 1, flags | MAY_BE_NONE);
        break;
    case 'L':
        check_kind(v, *at, IR_REF_BLOCK);
        break;
    case 'G':
        check_kind(v, *at, IR_REF_SREG);
        break;
    case 'F':
        check_target(v, *at);
        break;
    default:
        break;
    }
}

/* Operands a letter takes; V is a whole vector, a fragment all its registers. */
static unsigned letter_operands(const struct verifier *v, char letter)
{
    if (ir_matrix_is_letter(letter)) {
        return ir_matrix_letter_regs(v->in, letter);
    }
    return letter == 'M' ? 2 : letter == 'V' ? v->in->mods.vec : 1;
}

static void check_letters(struct verifier *v, const char *letters, const ir_ref *at, uint32_t count, unsigned flags)
{
    uint32_t used = 0;

    for (; *letters != '\0' && *letters != '*'; letters++) {
        unsigned n = letter_operands(v, *letters);

        if (n == 0 || n > count - used) {
            fail(v, "%s for '%s' are missing", flags & IS_DST ? "destinations" : "sources", letters);
            return;
        }
        for (unsigned i = 0; i < n; i += *letters == 'M' ? 2 : 1) {
            check_letter(v, *letters, at + used + i, flags);
        }
        used += n;
    }
    if (*letters == '\0' && used != count) {
        fail(v, "%u %s too many", count - used, flags & IS_DST ? "destinations" : "sources");
    }
}

/* --- instructions ----------------------------------------------------------------------------- */
static bool check_ranges(struct verifier *v)
{
    const struct ir_inst *in = v->in;
    uint64_t end = (uint64_t)in->operands + in->n_dst + ir_n_srcs(in);

    if (in->op >= IR_OP_COUNT || in->type >= IR_TYPE_COUNT || in->type2 >= IR_TYPE_COUNT ||
        in->line >= v->m->lines.count || end > v->f->operands.count) {
        fail(v, "operation, type, line or operands out of range");
        return false;
    }
    for (uint64_t i = in->operands; i < end; i++) {
        if (!in_range(v, v->f->operands.at[i])) {
            fail(v, "operand %u out of range", (unsigned)(i - in->operands));
            return false;
        }
    }
    return true;
}

static void check_guard(struct verifier *v)
{
    ir_ref g = v->in->guard;

    if (g == IR_REF_NONE) {
        return;
    }
    if (ir_ref_kind(g) != IR_REF_REG || !in_range(v, g) || reg_type(v, g) != IR_PRED) {
        fail(v, "the guard is not a predicate register");
    }
}

static void check_inst(struct verifier *v)
{
    const struct ir_inst *in = v->in;

    if (!check_ranges(v)) {
        return;
    }
    const struct ir_op_info *op = &ir_op_info[in->op];
    const struct ir_shape_info *shape = &ir_shape_info[op->shape];

    if ((op->types & ir_type_bit((enum ir_type)in->type)) == 0) {
        fail(v, "has no .%s form", ir_type_info[in->type].name);
    }
    check_guard(v);
    check_letters(v, shape->dsts, ir_dsts(v->f, in), in->n_dst, IS_DST);
    if (ir_is_indexed(in) && (op->effects & (IR_E_LOAD | IR_E_STORE)) == 0) {
        fail(v, "has an index");
    }
    check_letters(v, shape->srcs, ir_srcs(v->f, in), ir_n_srcs(in) - (ir_is_indexed(in) ? 1 : 0), 0);
}

/* --- functions -------------------------------------------------------------------------------- */
static bool is_branch(const struct ir_inst *in)
{
    return in->op < IR_OP_COUNT && (ir_op_info[in->op].effects & IR_E_BRANCH) != 0;
}

static void check_block(struct verifier *v, uint32_t b)
{
    const struct ir_block *block = &v->f->blocks.at[b];
    const struct ir_inst *last = NULL;

    for (uint32_t i = 0; i < block->count; i++) {
        v->in = &v->f->insts.at[block->first + i];
        check_inst(v);
        if (last != NULL && is_branch(last)) {
            fail(v, "follows a branch inside block %u", b);
        }
        last = v->in;
    }
    v->in = NULL;
    if (b + 1 == v->f->blocks.count && (last == NULL || !is_branch(last) || last->guard != IR_REF_NONE)) {
        fail(v, "control runs off the end");
    }
}

static void check_blocks(struct verifier *v)
{
    uint32_t next = 0;

    for (uint32_t b = 0; b < v->f->blocks.count; b++) {
        const struct ir_block *block = &v->f->blocks.at[b];

        if (block->first != next || block->count > v->f->insts.count - next) {
            fail(v, "block %u does not start where the one before ends", b);
            return;
        }
        next += block->count;
    }
    if (next != v->f->insts.count || v->f->blocks.count == 0) {
        fail(v, "blocks do not cover the instructions");
        return;
    }
    for (uint32_t b = 0; b < v->f->blocks.count; b++) {
        check_block(v, b);
    }
}

static void check_params(struct verifier *v, const struct ir_param *params, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        enum ir_ref_kind kind = ir_ref_kind(params[i].ref);

        if ((kind != IR_REF_REG && kind != IR_REF_SYMBOL) || !in_range(v, params[i].ref)) {
            fail(v, "parameter %u refers to nothing", i);
        } else if (kind == IR_REF_SYMBOL &&
                   v->m->symbols.at[ir_ref_index(params[i].ref)].kernel_param != v->f->is_entry) {
            fail(v, "parameter %u lies in the wrong memory", i);
        }
    }
}

static void check_tables(struct verifier *v)
{
    for (uint32_t t = 0; t < v->f->tables.count; t++) {
        const struct ir_table *table = &v->f->tables.at[t];

        for (uint32_t i = 0; i < table->count; i++) {
            if (!in_range(v, table->refs[i])) {
                fail(v, "entry %u of table %u out of range", i, t);
            }
        }
    }
}

static void check_func(struct verifier *v)
{
    for (uint32_t i = 0; i < v->f->regs.count; i++) {
        if (v->f->regs.at[i].type >= IR_TYPE_COUNT) {
            fail(v, "register %u has no type", i);
            return;
        }
    }
    if (v->f->defined) {
        check_params(v, v->f->params, v->f->n_params);
        check_params(v, v->f->rets, v->f->n_rets);
        check_tables(v);
        check_blocks(v);
    }
}

bool ir_verify_func(const struct ir_func *f, struct diag *dg)
{
    struct verifier v = {.m = f->module, .f = f, .dg = dg};
    const size_t errors = dg->errors;

    check_func(&v);
    return dg->errors == errors;
}

/* --- symbols ----------------------------------------------------------------------------------------------- */
static bool reloc_fits(const struct ir_module *m, const struct ir_symbol *s, const struct ir_reloc *r)
{
    enum ir_ref_kind kind = ir_ref_kind(r->target);
    uint32_t limit = kind == IR_REF_SYMBOL ? m->symbols.count : kind == IR_REF_FUNC ? m->funcs.count : 0;

    return r->width <= 8 && r->offset <= s->size_bytes && r->width <= s->size_bytes - r->offset && r->shift < 64 &&
           ir_ref_index(r->target) < limit;
}

static void check_symbol(struct verifier *v, const struct ir_symbol *s)
{
    if (s->align == 0 || (s->align & (s->align - 1)) != 0) {
        fail(v, "'%s' is aligned to %u", s->name, s->align);
    }
    if (s->func >= 0 && (uint32_t)s->func >= v->m->funcs.count) {
        fail(v, "'%s' has no owner", s->name);
    }
    if (s->space >= IR_SPACE_COUNT || s->type >= IR_TYPE_COUNT || (s->init != NULL && s->init_bytes > s->size_bytes)) {
        fail(v, "'%s' has a bad space, type or initialiser", s->name);
    }
    for (uint32_t i = 0; i < s->n_relocs; i++) {
        if (!reloc_fits(v->m, s, &s->relocs[i])) {
            fail(v, "relocation %u of '%s' out of range", i, s->name);
        }
    }
}

bool ir_verify(const struct ir_module *m, struct diag *dg)
{
    struct verifier v = {.m = m, .dg = dg};
    size_t errors = dg->errors;

    for (uint32_t i = 0; i < m->symbols.count; i++) {
        check_symbol(&v, &m->symbols.at[i]);
    }
    for (uint32_t i = 0; i < m->funcs.count; i++) {
        v.f = m->funcs.at[i];
        check_func(&v);
    }
    return dg->errors == errors;
}
