/*
 * Moves, addresses, packing and conversions.
 *
 * Widths of conversions: the operation reads the low bits of an integer source register that is wider than its type,
 * but a result is never wider than its type (8-bit ones live in 16 bits).  Where PTX lets a wider register receive it,
 * an integer conversion by the sign of the type follows; floating-point sources are narrowed the same way first.
 */
#include "frontend/lower_inst.h"

#include "ir/forms.h"

#include <string.h>

/* --- mov -------------------------------------------------------------------------------------- */
/* A register plus a constant, in the register's width; the sum is then cut or extended with zeros, as ptxas does it. */
static void move_sum(struct ptx_lower *l, ir_ref d, const struct ptx_operand *a, enum ir_type type)
{
    const enum ir_type own = lower_type_of(IR_KIND_UINT, lower_reg_bits(l, a->ref));
    const enum ir_type wanted = lower_type_of(IR_KIND_UINT, ir_type_info[type].bits);
    const ir_ref more = lower_const(l, (uint64_t)a->offset, own);
    struct ir_inst add = lower_guarded(l, IR_ADD, own), resize = lower_guarded(l, IR_CVT, wanted);

    if (own == wanted) {
        lower_emit3(l, &add, d, a->ref, more, IR_REF_NONE);
        return;
    }
    add = lower_plain(l, IR_ADD, own);
    resize.type2 = (uint8_t)own;
    lower_emit3(l, &resize, d, lower_compute(l, &add, own, a->ref, more, IR_REF_NONE), IR_REF_NONE, IR_REF_NONE);
}

static void move_one(struct ptx_lower *l, ir_ref d, const struct ptx_operand *a, enum ir_type type)
{
    if (a->kind == PTX_OPND_REG && a->offset != 0) {
        move_sum(l, d, a, type);
        return;
    }
    bool is_sreg = a->kind == PTX_OPND_SREG;
    struct ir_inst in = lower_guarded(l, is_sreg ? IR_MOV_SREG : IR_MOV, type);

    if (d != IR_REF_NONE) {
        lower_emit3(l, &in, d, is_sreg ? a->ref : lower_value(l, a, type), IR_REF_NONE, IR_REF_NONE);
    }
}

static bool is_read_later(const struct ptx_operand *d, const struct ptx_operand *a, unsigned i)
{
    ir_ref written = lower_target(lower_element(d, i));

    for (unsigned k = i + 1; k < lower_elements(a); k++) {
        const struct ptx_operand *e = lower_element(a, k);

        if (e->kind == PTX_OPND_REG && e->ref == written) {
            return true;
        }
    }
    return false;
}

/* A vector move reads all its sources before it writes: sources that an earlier element overwrites are saved. */
static void move_vector(struct ptx_lower *l, const struct ptx_operand *d, const struct ptx_operand *a,
                        enum ir_type type)
{
    struct ptx_operand sources[8];
    unsigned n = lower_elements(d);
    bool overlap = false;

    for (unsigned i = 0; i < n && i < 8 && lower_element(a, i) != NULL; i++) {
        sources[i] = *lower_element(a, i);
        overlap |= is_read_later(d, a, i);
    }
    for (unsigned i = 0; overlap && i < n && i < 8; i++) {
        struct ir_inst mov = lower_plain(l, IR_MOV, type);

        if (sources[i].kind == PTX_OPND_REG) {
            sources[i].ref = lower_compute(l, &mov, type, sources[i].ref, IR_REF_NONE, IR_REF_NONE);
        }
    }
    for (unsigned i = 0; i < n && i < 8 && lower_element(a, i) != NULL; i++) {
        move_one(l, lower_target(lower_element(d, i)), &sources[i], type);
    }
}

void lower_mov(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    enum ir_type type = (enum ir_type)l->match->types[0];

    if (o[0].kind == PTX_OPND_VECTOR) {
        move_vector(l, &o[0], &o[1], type);
    } else {
        move_one(l, lower_target(&o[0]), &o[1], type);
    }
}

/* mov takes an address in the variable's own space, cvta the generic one. */
void lower_lea(struct ptx_lower *l)
{
    const struct ptx_operand *a = &l->inst->operands[1];
    enum ir_type type = (enum ir_type)l->match->types[0];
    ir_ref d = lower_target(&l->inst->operands[0]);

    if (strcmp(ir_form_info[l->match->form].mnemonic, "cvta") == 0) {
        struct ir_inst cvta = lower_guarded(l, IR_CVTA, type);

        cvta.mods.space = l->match->mods.space;
        lower_emit3(l, &cvta, d, lower_value(l, a, type), IR_REF_NONE, IR_REF_NONE);
        return;
    }
    struct ir_inst lea = lower_guarded(l, IR_LEA, type);

    lower_emit3(l, &lea, d, a->ref, lower_const(l, (uint64_t)a->offset, IR_B64), IR_REF_NONE);
}

/* --- packing ---------------------------------------------------------------------------------- */
static struct ir_inst packing(struct ptx_lower *l, enum ir_op op, unsigned parts)
{
    struct ir_inst in = lower_guarded(l, op, (enum ir_type)l->match->types[0]);

    in.mods.vec = parts & 15;
    in.type2 = (uint8_t)lower_type_of(IR_KIND_BITS, ir_type_info[in.type].bits / parts);
    return in;
}

void lower_pack(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    unsigned n = lower_elements(&o[1]);
    struct ir_inst in = packing(l, IR_PACK, n);
    struct lower_refs dsts = {.at = {lower_target(&o[0])}, .count = 1}, srcs = {0};

    for (unsigned i = 0; i < n; i++) {
        lower_push(&srcs, lower_value(l, lower_element(&o[1], i), (enum ir_type)in.type2));
    }
    lower_emit(l, &in, &dsts, &srcs);
}

void lower_unpack(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    unsigned n = lower_elements(&o[0]);
    struct ir_inst in = packing(l, IR_UNPACK, n);
    struct lower_refs dsts = {0}, srcs = {0};

    for (unsigned i = 0; i < n; i++) {
        lower_push(&dsts, lower_target(lower_element(&o[0], i)));
    }
    lower_push(&srcs, lower_value(l, &o[1], (enum ir_type)in.type));
    lower_emit(l, &in, &dsts, &srcs);
}

/* --- cvt --------------------------------------------------------------------------------------------------- */
/* Bits of the register that a value of type t lives in. */
static unsigned natural_bits(enum ir_type t)
{
    return ir_type_info[t].bits <= 8 ? 16 : ir_type_info[t].bits;
}

static bool is_integer(enum ir_type t)
{
    return ir_type_info[t].kind == IR_KIND_UINT || ir_type_info[t].kind == IR_KIND_SINT;
}

/* The integer type that carries the bits of t, signed if t is. */
static enum ir_type carrier(enum ir_type t, unsigned bits)
{
    return lower_type_of(ir_type_info[t].kind == IR_KIND_SINT ? IR_KIND_SINT : IR_KIND_UINT, bits);
}

static ir_ref conversion_source(struct ptx_lower *l, const struct ptx_operand *a, enum ir_type type)
{
    ir_ref r = lower_value(l, a, type);
    unsigned bits = ir_type_info[type].bits;

    if (is_integer(type) || lower_reg_bits(l, r) <= natural_bits(type)) {
        return r;
    }
    struct ir_inst narrow = lower_plain(l, IR_CVT, carrier(type, bits));

    narrow.type2 = (uint8_t)carrier(type, lower_reg_bits(l, r));
    return lower_compute(l, &narrow, lower_type_of(IR_KIND_BITS, bits), r, IR_REF_NONE, IR_REF_NONE);
}

static void convert_and_widen(struct ptx_lower *l, const struct ir_inst *convert, ir_ref d, ir_ref a)
{
    enum ir_type type = (enum ir_type)convert->type;
    struct ir_inst plain = *convert;
    struct ir_inst widen = lower_guarded(l, IR_CVT, carrier(type, lower_reg_bits(l, d)));

    plain.guard = IR_REF_NONE;
    plain.guard_not = 0;
    ir_ref t = lower_compute(l, &plain, lower_type_of(IR_KIND_BITS, natural_bits(type)), a, IR_REF_NONE, IR_REF_NONE);

    widen.type2 = (uint8_t)(is_integer(type) ? type : carrier(type, ir_type_info[type].bits));
    lower_emit3(l, &widen, d, t, IR_REF_NONE, IR_REF_NONE);
}

void lower_cvt(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    struct ir_inst in = lower_written(l);
    ir_ref d = lower_target(&o[0]);

    in.type2 = l->match->types[l->match->n_types > 1 ? 1 : 0];
    ir_ref a = conversion_source(l, &o[1], (enum ir_type)in.type2);

    if (lower_reg_bits(l, d) > natural_bits((enum ir_type)in.type)) {
        convert_and_widen(l, &in, d, a);
    } else {
        lower_emit3(l, &in, d, a, IR_REF_NONE, IR_REF_NONE);
    }
}

/* cvt.pack.sat.TYPE.s32.b32 d, a, b, c: without c nothing is above. */
void lower_cvt_pack_sat(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    const struct ptx_operand *c = lower_operand(l, 3);
    struct ir_inst in = lower_written(l);
    struct lower_refs dsts = {.at = {lower_target(&o[0])}, .count = 1}, srcs = {0};

    in.type2 = l->match->types[1];
    lower_push(&srcs, lower_value(l, &o[1], IR_S32));
    lower_push(&srcs, lower_value(l, &o[2], IR_S32));
    lower_push(&srcs, c == NULL ? IR_REF_NONE : lower_value(l, c, IR_B32));
    lower_emit(l, &in, &dsts, &srcs);
}

/* dp4a.A.B, dp2a: the result is signed if either factor is. */
void lower_dot(struct ptx_lower *l)
{
    const struct ptx_match *m = l->match;
    struct ir_inst in = lower_written(l);

    in.mods.asel = m->types[0] == IR_S32;
    in.mods.bsel = m->types[1] == IR_S32;
    in.type = m->types[0] == IR_S32 || m->types[1] == IR_S32 ? IR_S32 : IR_U32;
    lower_by_shape(l, &in);
}
