/*
 * Comparisons and what PTX hangs onto them: a Boolean operator with a third predicate, a second destination, results in
 * registers.  The machine only compares into predicates; the rest are operations on predicates.
 *
 *   setp.CMP.BOOL p|q, a, b, c    t = a CMP b;  p = t BOOL c;  q = !t BOOL c
 *   set.CMP.BOOL d, a, b, c       t = a CMP b;  d = t BOOL c ? true : 0
 *
 * Packed comparisons give one t per half: p comes from the low one, q from the high one.
 */
#include "frontend/lower_inst.h"

static const enum ir_op boolean_op[] = {
    [PTX_BOOL_NONE] = IR_MOV, [PTX_BOOL_AND] = IR_AND, [PTX_BOOL_OR] = IR_OR, [PTX_BOOL_XOR] = IR_XOR};

/* The type that is compared: the only one of setp, the second one of set. */
static enum ir_type compared_type(const struct ptx_match *m)
{
    return (enum ir_type)m->types[m->n_types > 1 ? 1 : 0];
}

static bool is_packed(enum ir_type t)
{
    return ir_type_info[t].kind == IR_KIND_PACKED;
}

/* The comparison without operands; the type of a packed one decides that it has two results. */
static struct ir_inst comparison(struct ptx_lower *l, const struct ir_inst *init)
{
    struct ir_inst in = *init;

    in.type = (uint8_t)compared_type(l->match);
    in.op = is_packed((enum ir_type)in.type) ? IR_SETP2 : IR_SETP;
    in.mods = l->match->mods;
    return in;
}

/* Compare operands 1 and 2 into `t`, or `t` and `u`. */
static void compare(struct ptx_lower *l, const struct ir_inst *init, ir_ref t, ir_ref u)
{
    struct ir_inst in = comparison(l, init);
    struct lower_refs dsts = {.at = {t, u}, .count = in.op == IR_SETP2 ? 2 : 1}, srcs = {0};

    for (unsigned i = 1; i <= 2; i++) {
        lower_push(&srcs, lower_value(l, &l->inst->operands[i], (enum ir_type)in.type));
    }
    lower_emit(l, &in, &dsts, &srcs);
}

static ir_ref inverse(struct ptx_lower *l, ir_ref p)
{
    struct ir_inst in = lower_plain(l, IR_NOT, IR_PRED);

    return lower_compute(l, &in, IR_PRED, p, IR_REF_NONE, IR_REF_NONE);
}

/* d = t BOOL c; without an operator d = t. */
static void combine(struct ptx_lower *l, const struct ir_inst *guard, ir_ref d, ir_ref t, ir_ref c)
{
    struct ir_inst in = *guard;

    if (d == IR_REF_NONE) {
        return;
    }
    in.op = (uint16_t)boolean_op[l->match->boolop];
    in.type = IR_PRED;
    lower_emit3(l, &in, d, t, in.op == IR_MOV ? IR_REF_NONE : c, IR_REF_NONE);
}

static ir_ref third_predicate(struct ptx_lower *l)
{
    const struct ptx_operand *c = lower_operand(l, 3);

    return c == NULL ? IR_REF_NONE : lower_value(l, c, IR_PRED);
}

/* t BOOL c; without an operator t itself. */
static ir_ref combined(struct ptx_lower *l, ir_ref t, ir_ref c)
{
    struct ir_inst plain = lower_plain(l, IR_AND, IR_PRED);
    ir_ref p = l->match->boolop == PTX_BOOL_NONE ? t : lower_temp(l, IR_PRED);

    if (p != t) {
        combine(l, &plain, p, t, c);
    }
    return p;
}

static void write_predicate(struct ptx_lower *l, ir_ref d, ir_ref value)
{
    struct ir_inst mov = lower_guarded(l, IR_MOV, IR_PRED);

    if (d != IR_REF_NONE) {
        lower_emit3(l, &mov, d, value, IR_REF_NONE, IR_REF_NONE);
    }
}

/* q = !p, after p has been written under the same guard. */
static void write_inverse(struct ptx_lower *l, ir_ref q, ir_ref p)
{
    struct ir_inst in = lower_guarded(l, IR_NOT, IR_PRED);

    lower_emit3(l, &in, q, p, IR_REF_NONE, IR_REF_NONE);
}

/* Without an operator, results need no temporaries, unless writing the first would change the guard of the second. */
static bool setp_directly(struct ptx_lower *l, const struct ptx_operand *d)
{
    struct ir_inst guarded = lower_guarded(l, IR_SETP, IR_PRED);
    bool packed = is_packed(compared_type(l->match));
    ir_ref p = lower_target(lower_element(d, 0));
    ir_ref q = lower_elements(d) == 2 ? lower_target(lower_element(d, 1)) : IR_REF_NONE;
    bool inverse_too = q != IR_REF_NONE && !packed;

    if (l->match->boolop != PTX_BOOL_NONE || (inverse_too && (p == IR_REF_NONE || p == l->inst->guard))) {
        return false;
    }
    compare(l, &guarded, p, q);
    if (inverse_too) {
        write_inverse(l, q, p);
    }
    return true;
}

/*
 * setp with two results or an operator.  Both results are computed before either is written, since c may be one of
 * them, and a result that is also the guard is written last.
 */
static void setp_combined(struct ptx_lower *l, const struct ptx_operand *d)
{
    struct ir_inst plain = lower_plain(l, IR_SETP, IR_PRED);
    struct ir_inst guarded = lower_guarded(l, IR_SETP, IR_PRED);
    bool packed = is_packed(compared_type(l->match));
    ir_ref p = lower_target(lower_element(d, 0));
    ir_ref q = lower_elements(d) == 2 ? lower_target(lower_element(d, 1)) : IR_REF_NONE;
    ir_ref t = lower_temp(l, IR_PRED);
    ir_ref u = packed ? lower_temp(l, IR_PRED) : IR_REF_NONE;
    ir_ref c = third_predicate(l);

    compare(l, &plain, t, u);
    if (q == IR_REF_NONE) {
        combine(l, &guarded, p, t, c);
        return;
    }
    ir_ref new_q = combined(l, packed ? u : inverse(l, t), c);
    ir_ref new_p = combined(l, t, c);

    if (q != l->inst->guard) {
        write_predicate(l, q, new_q);
        write_predicate(l, p, new_p);
    } else {
        write_predicate(l, p, new_p);
        write_predicate(l, q, new_q);
    }
}

/* --- set -------------------------------------------------------------------------------------- */
/* "True" in one value of type t: 1.0 in floating point, else all ones. */
static uint64_t true_value(enum ir_type t)
{
    switch (t) {
    case IR_F16:
    case IR_F16X2:
        return 0x3C00;
    case IR_BF16:
    case IR_BF16X2:
        return 0x3F80;
    case IR_F32:
        return 0x3F800000;
    default:
        return ~(uint64_t)0;
    }
}

/* p ? true : 0 in `bits` bits, as the low part of what type t means. */
static ir_ref select_true(struct ptx_lower *l, ir_ref p, enum ir_type t, unsigned bits)
{
    enum ir_type type = lower_type_of(IR_KIND_BITS, bits);
    struct ir_inst in = lower_plain(l, IR_SELP, type);

    return lower_compute(l, &in, type, lower_const(l, true_value(t), type), lower_const(l, 0, type), p);
}

static void set_packed(struct ptx_lower *l, enum ir_type dtype, ir_ref d)
{
    struct ir_inst plain = lower_plain(l, IR_SETP2, IR_PRED);
    struct ir_inst pack = lower_guarded(l, IR_PACK, IR_B32);
    ir_ref low = lower_temp(l, IR_PRED), high = lower_temp(l, IR_PRED);
    ir_ref c = third_predicate(l);

    compare(l, &plain, low, high);
    pack.type2 = IR_B16;
    pack.mods.vec = 2;
    low = select_true(l, combined(l, low, c), dtype, 16);
    high = select_true(l, combined(l, high, c), dtype, 16);
    lower_emit3(l, &pack, d, low, high, IR_REF_NONE);
}

static void set(struct ptx_lower *l)
{
    enum ir_type dtype = (enum ir_type)l->match->types[0];
    ir_ref d = lower_target(&l->inst->operands[0]);

    if (is_packed(compared_type(l->match))) {
        set_packed(l, dtype, d);
        return;
    }
    struct ir_inst plain = lower_plain(l, IR_SETP, IR_PRED);
    enum ir_type type = lower_type_of(IR_KIND_BITS, ir_type_info[dtype].bits);
    struct ir_inst selp = lower_guarded(l, IR_SELP, type);
    ir_ref t = lower_temp(l, IR_PRED);

    compare(l, &plain, t, IR_REF_NONE);
    t = combined(l, t, third_predicate(l));
    lower_emit3(l, &selp, d, lower_const(l, true_value(dtype), type), lower_const(l, 0, type), t);
}

void lower_setp(struct ptx_lower *l)
{
    const struct ptx_operand *d = &l->inst->operands[0];

    /* set names a result type and a compared type, setp only the latter. */
    if (l->match->n_types > 1) {
        set(l);
    } else if (!setp_directly(l, d)) {
        setp_combined(l, d);
    }
}

/* --- lop3 ------------------------------------------------------------------------------------- */
/* lop3.BOOL d|p, a, b, c, table, q: d as usual, p = (d != 0) BOOL q. */
static void test_lop3(struct ptx_lower *l, ir_ref d, ir_ref p)
{
    struct ir_inst setp = lower_plain(l, IR_SETP, IR_B32);
    struct ir_inst guarded = lower_guarded(l, IR_AND, IR_PRED);
    const struct ptx_operand *q = lower_operand(l, 5);

    setp.mods.cmp = IR_CMP_NE;
    ir_ref t = lower_compute(l, &setp, IR_PRED, d, lower_const(l, 0, IR_B32), IR_REF_NONE);

    combine(l, &guarded, p, t, q == NULL ? IR_REF_NONE : lower_value(l, q, IR_PRED));
}

void lower_lop3(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    struct ir_inst in = lower_written(l);
    ir_ref source[3];

    for (unsigned i = 0; i < 3; i++) {
        source[i] = lower_value(l, &o[i + 1], IR_B32);
    }
    in.mods.lut = o[4].bits & 0xFF;
    if (lower_elements(&o[0]) == 1) {
        lower_emit3(l, &in, lower_target(&o[0]), source[0], source[1], source[2]);
        return;
    }
    /* Under a false guard the test sees an old d, but then p is not written either; p, which may be the guard, comes
     * last. */
    ir_ref d = lower_target(lower_element(&o[0], 0));

    if (d == IR_REF_NONE) {
        d = lower_temp(l, IR_B32);
        in.guard = IR_REF_NONE;
        in.guard_not = 0;
    }
    lower_emit3(l, &in, d, source[0], source[1], source[2]);
    test_lop3(l, d, lower_target(lower_element(&o[0], 1)));
}
