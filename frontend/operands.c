/*
 * Do the written operands fit a form?  Nothing is changed and nothing is reported: several forms may be tried, and the
 * fault of the one that came furthest is what the user hears of.
 */
#include <string.h>

#include "frontend/opcode.h"

/* --- types
 * ------------------------------------------------------------------------------------------------------------------ */
enum ir_type ptx_type_of(const struct ptx_candidate *c, struct ptx_type_ref ref)
{
    enum ir_type type = ref.role != 0 ? (enum ir_type)c->role_type[ref.role - 'A'] : (enum ir_type)ref.type;

    return ref.wide ? ir_type_wide(type) : type;
}

static bool is_integral(enum ir_type_kind kind)
{
    return kind == IR_KIND_UINT || kind == IR_KIND_SINT || kind == IR_KIND_BITS;
}

/*
 * May a register declared `have` stand where `want` is meant?  Sizes are equal and bits match any kind; floats never
 * mix with integers.  Packed and alternative formats live in registers of bits.  `wider`: loads, stores and conversions
 * also take integer registers that are wider.
 */
static bool register_fits(enum ir_type have, enum ir_type want, bool wider)
{
    const struct ir_type_info *h = &ir_type_info[have], *w = &ir_type_info[want];

    if (have == want) {
        return true;
    }
    if (h->kind == IR_KIND_PRED || w->kind == IR_KIND_PRED) {
        return false;
    }
    if (wider && is_integral(h->kind) && is_integral(w->kind) && h->bits >= w->bits) {
        return true;
    }
    if (h->bits != w->bits && !(w->bits < 8 && h->bits == 8)) {
        /* 8-bit formats are kept in 16-bit registers; .b128 has no other. */
        return false;
    }
    if (h->kind == IR_KIND_BITS || w->kind == IR_KIND_BITS) {
        return true;
    }
    if (want == IR_U16X2 || want == IR_S16X2) {
        return is_integral(h->kind);
    }
    return is_integral(h->kind) && is_integral(w->kind);
}

/* --- faults
 * ------------------------------------------------------------------------------------------------------------------ */
static bool fault_at(struct ptx_fault *f, enum ptx_fault_kind kind, const struct ptx_operand *op)
{
    f->kind = (uint8_t)kind;
    f->op = op;
    return false;
}

static bool type_fault(struct ptx_fault *f, enum ptx_fault_kind kind, const struct ptx_operand *op, enum ir_type want)
{
    f->want = (uint8_t)want;
    return fault_at(f, kind, op);
}

static bool count_fault(struct ptx_fault *f, const struct ptx_operand *op, uint32_t count)
{
    f->count = count;
    return fault_at(f, PTX_FAULT_ELEMENTS, op);
}

/* --- registers and immediates
 * --------------------------------------------------------------------------------------------------- */
/* Widths at which a special register can be read: index registers also as 16 bits, the grid's id at any width. */
static bool special_fits(ir_ref ref, enum ir_type type)
{
    unsigned id = ir_ref_index(ref);
    const struct ir_type_info *t = &ir_type_info[type];
    unsigned bits = ir_sreg_info[id].bits;

    if (bits == 1 || t->kind == IR_KIND_PRED) {
        return bits == 1 && t->kind == IR_KIND_PRED;
    }
    if (!is_integral(t->kind)) {
        return false;
    }
    if (id == IR_SREG_GRIDID) {
        return t->bits == 16 || t->bits == 32 || t->bits == 64;
    }
    return t->bits == bits || (t->bits == 16 && id >= IR_SREG_TID_X && id <= IR_SREG_NCTAID_W);
}

struct place {
    const struct ptx_operand_pattern *o;
    bool is_first; /* the first operand of the instruction: a destination if it is a register */
};

static bool fit_value(struct place at, const struct ptx_operand *op, enum ir_type want, struct ptx_fault *f)
{
    const struct ptx_operand_pattern *o = at.o;

    switch (op->kind) {
    case PTX_OPND_REG:
        if (op->selector.kind != 0) {
            return fault_at(f, PTX_FAULT_SELECTOR, op);
        }
        if (op->minus || (op->negated && (ir_type_info[want].kind != IR_KIND_PRED || at.is_first)) || op->offset != 0) {
            return fault_at(f, PTX_FAULT_NEGATION, op);
        }
        return register_fits((enum ir_type)op->type, want, o->wider) || type_fault(f, PTX_FAULT_TYPE, op, want);
    case PTX_OPND_IMM:
        if (!o->immediate) {
            return type_fault(f, PTX_FAULT_LITERAL, op, want);
        }
        return ptx_literal_fits(op, want) || type_fault(f, PTX_FAULT_LITERAL, op, want);
    case PTX_OPND_SREG:
        if (!o->special || at.is_first) {
            return fault_at(f, PTX_FAULT_SPECIAL, op);
        }
        return special_fits(op->ref, want) || type_fault(f, PTX_FAULT_TYPE, op, want);
    case PTX_OPND_SINK:
        return (o->sink && at.is_first) || fault_at(f, PTX_FAULT_SINK, op);
    default:
        return type_fault(f, PTX_FAULT_KIND, op, want);
    }
}

/* --- vectors
 * -----------------------------------------------------------------------------------------------------------------------
 */
static uint32_t element_count(const struct ptx_candidate *c, const struct ptx_operand_pattern *o)
{
    if (o->count_role == 0) {
        return o->scale;
    }
    uint32_t number = c->role_number[o->count_role - 'A'];

    return number == 0 ? 0 : o->scale * number - o->minus;
}

/*
 * The elements of a vector have one size.  The first one's kind is checked; a later one may be of another kind, which
 * the assembler takes (it moves bits).
 */
static bool fit_elements(struct place at, const struct ptx_operand *op, uint32_t count, enum ir_type want,
                         struct ptx_fault *f)
{
    const struct ptx_operand *first = NULL;
    uint32_t sinks = 0;

    if (op->kind != PTX_OPND_VECTOR || op->count != count) {
        return count_fault(f, op, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_operand *e = &op->elements[i];

        if (e->kind == PTX_OPND_SINK && at.is_first) {
            sinks++;
        } else if (e->kind == PTX_OPND_SINK || e->kind == PTX_OPND_VECTOR) {
            return type_fault(f, PTX_FAULT_KIND, e, want);
        } else if (first == NULL || e->kind != PTX_OPND_REG || ir_type_info[e->type].kind == IR_KIND_PRED ||
                   e->selector.kind != 0 || e->minus || e->negated) {
            if (!fit_value(at, e, want, f)) {
                return false;
            }
            first = e->kind == PTX_OPND_REG ? e : first;
        } else if (ir_type_info[e->type].bits != ir_type_info[first->type].bits) {
            return type_fault(f, PTX_FAULT_TYPE, e, (enum ir_type)first->type);
        }
    }
    return sinks < count || fault_at(f, PTX_FAULT_SINK, op);
}

static bool fit_vector(const struct ptx_candidate *c, struct place at, const struct ptx_operand *op,
                       struct ptx_fault *f)
{
    uint32_t count = element_count(c, at.o);
    enum ir_type want = ptx_type_of(c, at.o->type);

    /* The word that says the length was left out: one value without braces. */
    if (count == 0) {
        return fit_value(at, op, want, f);
    }
    return fit_elements(at, op, count, want, f);
}

static bool fit_pair(const struct ptx_candidate *c, struct place at, const struct ptx_operand *op, struct ptx_fault *f)
{
    if (op->kind != PTX_OPND_PAIR) {
        return type_fault(f, PTX_FAULT_KIND, op, IR_TYPE_NONE);
    }
    const struct ptx_operand *first = &op->elements[0], *second = &op->elements[1];
    bool good = first->kind == PTX_OPND_SINK ||
                (at.o->pair_of_vector ? fit_elements(at, first, element_count(c, at.o), ptx_type_of(c, at.o->type), f)
                                      : fit_value(at, first, ptx_type_of(c, at.o->type), f));

    return good && (second->kind == PTX_OPND_SINK || fit_value(at, second, ptx_type_of(c, at.o->second), f));
}

/* --- addresses
 * -----------------------------------------------------------------------------------------------------------------------
 */
static bool space_agrees(enum ir_space said, enum ir_space have)
{
    if (said == IR_SPACE_GENERIC) {
        return have != IR_SPACE_PARAM;
    }
    return said == have || (said == IR_SPACE_CLUSTER && have == IR_SPACE_SHARED);
}

static bool fit_base_register(const struct ptx_parse *p, const struct ptx_operand *op, enum ir_space said,
                              bool is_checked, struct ptx_fault *f)
{
    const struct ir_type_info *t = &ir_type_info[op->type];
    bool needs_whole =
        is_checked && (said == IR_SPACE_GENERIC || said == IR_SPACE_GLOBAL) && p->module->address_bits == 64;

    if (!is_integral(t->kind) || t->bits > 64 || t->bits < 16) {
        return fault_at(f, PTX_FAULT_ADDRESS, op);
    }
    if (t->bits == 64 || (t->bits == 32 && !needs_whole) || (t->bits == 16 && said == IR_SPACE_LOCAL)) {
        return true;
    }
    return type_fault(f, PTX_FAULT_ADDRESS, op, IR_B64);
}

/* `nth`: which address of the instruction this is; the state space written says something about the first. */
static bool fit_address(const struct ptx_parse *p, const struct ptx_candidate *c, const struct ptx_operand_pattern *o,
                        const struct ptx_operand *op, unsigned nth, struct ptx_fault *f)
{
    enum ir_space said = (enum ir_space)c->match.mods.space;
    bool is_checked = c->n_spaces <= 1 && nth == 0;

    if (op->kind != PTX_OPND_ADDRESS) {
        return fault_at(f, PTX_FAULT_KIND, op);
    }
    if (op->is_unified != o->unified) {
        return fault_at(f, PTX_FAULT_ADDRESS, op);
    }
    if (op->name == NULL) {
        return said == IR_SPACE_LOCAL || fault_at(f, PTX_FAULT_ADDRESS, op);
    }
    if (ir_ref_kind(op->ref) == IR_REF_REG) {
        return fit_base_register(p, op, said, is_checked, f);
    }
    if (ir_type_info[op->type].kind == IR_KIND_OPAQUE && op->space == IR_SPACE_GLOBAL) {
        return true;
    }
    return !is_checked || space_agrees(said, (enum ir_space)op->space) || fault_at(f, PTX_FAULT_SPACE, op);
}

static bool is_handle(const struct ptx_operand *op)
{
    if (op->kind == PTX_OPND_SYMBOL || (op->kind == PTX_OPND_ADDRESS && ir_ref_kind(op->ref) == IR_REF_SYMBOL)) {
        return ir_type_info[op->type].kind == IR_KIND_OPAQUE || ir_type_info[op->type].bits == 64 ||
               op->space == IR_SPACE_PARAM || op->space == IR_SPACE_GLOBAL || op->space == IR_SPACE_CONST;
    }
    return (op->kind == PTX_OPND_REG || (op->kind == PTX_OPND_ADDRESS && ir_ref_kind(op->ref) == IR_REF_REG)) &&
           ir_type_info[op->type].bits == 64 && is_integral((enum ir_type_kind)ir_type_info[op->type].kind);
}

static bool fit_32bit(const struct ptx_operand *op, struct ptx_fault *f)
{
    if (op->kind == PTX_OPND_IMM) {
        return true;
    }
    return (op->kind == PTX_OPND_REG && ir_type_info[op->type].bits == 32 && !op->minus && !op->negated) ||
           type_fault(f, PTX_FAULT_TYPE, op, IR_B32);
}

/* Coordinates of a geometry: a third one makes it four. */
static uint32_t coordinate_count(const struct ptx_candidate *c)
{
    static const struct {
        const char *word;
        uint8_t count;
    } rows[] = {{"1d", 1},   {"2d", 2},    {"3d", 4},   {"a1d", 2},  {"a2d", 4},
                {"cube", 4}, {"acube", 4}, {"2dms", 4}, {"a2dms", 4}};

    for (unsigned k = 0; k < c->pattern->n_elements; k++) {
        const struct ptx_element *e = &c->pattern->elements[k];

        for (unsigned i = 0; c->chosen[k] != PTX_NO_CHOICE && i < sizeof rows / sizeof *rows; i++) {
            if (ptx_text_is(e->alternatives[c->chosen[k]].text, rows[i].word)) {
                return rows[i].count;
            }
        }
    }
    return 0;
}

/* In independent mode textures are sampled through a sampler; surfaces and fetches by integer have none. */
static bool needs_sampler(const struct ptx_candidate *c)
{
    return strcmp(c->pattern->form->mnemonic, "tex") == 0 && c->role_type['C' - 'A'] == IR_F32;
}

static bool fit_tuple(const struct ptx_operand *op, bool has_sampler, bool has_geometry, uint32_t count,
                      struct ptx_fault *f)
{
    if (op->kind != PTX_OPND_TUPLE || op->count != (has_sampler ? 3 : 2)) {
        return fault_at(f, PTX_FAULT_KIND, op);
    }
    if (!is_handle(&op->elements[0]) || (has_sampler && !is_handle(&op->elements[1]))) {
        return type_fault(f, PTX_FAULT_ADDRESS, &op->elements[0], IR_B64);
    }
    const struct ptx_operand *coords = &op->elements[op->count - 1];

    if (coords->kind != PTX_OPND_VECTOR && count == 1) {
        return fit_32bit(coords, f);
    }
    /* Tensor coordinates are exact; for textures more than needed are taken, as 1, 2 or 4. */
    bool enough =
        coords->count == count || (has_geometry && coords->count > count && (coords->count == 2 || coords->count == 4));

    if (coords->kind != PTX_OPND_VECTOR || !enough) {
        return count_fault(f, coords, count);
    }
    for (uint32_t i = 0; i < coords->count; i++) {
        if (!fit_32bit(&coords->elements[i], f)) {
            return false;
        }
    }
    return true;
}

static bool fit_free_vector(const struct ptx_operand *op, struct ptx_fault *f)
{
    if (op->kind != PTX_OPND_VECTOR) {
        return fault_at(f, PTX_FAULT_KIND, op);
    }
    for (uint32_t i = 0; i < op->count; i++) {
        if (!fit_32bit(&op->elements[i], f)) {
            return false;
        }
    }
    return true;
}

/* --- constants
 * ------------------------------------------------------------------------------------------------------------------------
 */
static bool in_range(const struct ptx_operand_pattern *o, int64_t value)
{
    if (o->power_of_two) {
        return value > 0 && (value & (value - 1)) == 0;
    }
    if (o->ranged) {
        return value >= o->low && value <= o->high && (value - o->low) % o->step == 0;
    }
    for (unsigned i = 0; i < o->n_list; i++) {
        if (o->list[i] == value) {
            return true;
        }
    }
    return !o->listed;
}

static bool fit_constant(const struct ptx_operand_pattern *o, const struct ptx_operand *op, struct ptx_fault *f)
{
    if (o->reg_ok && op->kind == PTX_OPND_REG) {
        return (register_fits((enum ir_type)op->type, IR_U32, false) && !op->minus && !op->negated) ||
               type_fault(f, PTX_FAULT_TYPE, op, IR_U32);
    }
    if (op->kind != PTX_OPND_IMM) {
        return fault_at(f, PTX_FAULT_KIND, op);
    }
    if (op->literal != PTX_LIT_INT && op->literal != PTX_LIT_UINT) {
        return type_fault(f, PTX_FAULT_LITERAL, op, IR_B32);
    }
    return in_range(o, (int64_t)op->bits) || fault_at(f, PTX_FAULT_RANGE, op);
}

static bool fit_fraction(const struct ptx_operand *op, struct ptx_fault *f)
{
    struct ptx_operand copy = *op;
    double value;

    if (op->kind != PTX_OPND_IMM || !ptx_literal_fits(op, IR_F64) || op->literal == PTX_LIT_INT) {
        return op->kind == PTX_OPND_IMM ? type_fault(f, PTX_FAULT_LITERAL, op, IR_F32)
                                        : fault_at(f, PTX_FAULT_KIND, op);
    }
    ptx_literal_convert(&copy, IR_F64);
    memcpy(&value, &copy.bits, sizeof value);
    return (value > 0 && value <= 1) || fault_at(f, PTX_FAULT_RANGE, op);
}

/* --- video operands
 * ----------------------------------------------------------------------------------------------------------------------
 */
/* Parts a mnemonic works on: 1 for the scalar ones, 2 or 4. */
static unsigned video_parts(const struct ptx_candidate *c)
{
    const char *name = c->pattern->form->mnemonic;
    char last = name[strlen(name) - 1];

    return last == '2' || last == '4' ? (unsigned)(last - '0') : 1;
}

static bool selector_agrees(struct ptx_selector s, unsigned parts, bool is_mask)
{
    unsigned limit = s.kind == 'h' ? 2 : 4;

    if (parts == 1) {
        return s.count == 1 && s.digit[0] < limit;
    }
    if (s.kind != (parts == 2 ? 'h' : 'b')) {
        return false;
    }
    if (!is_mask) {
        limit *= 2; /* parts of a and b */
    }
    for (unsigned i = 0; i < s.count; i++) {
        if (s.digit[i] >= limit) {
            return false;
        }
    }
    return is_mask ? s.count <= parts : s.count == parts;
}

static bool fit_video(const struct ptx_candidate *c, const struct ptx_operand_pattern *o, const struct ptx_operand *op,
                      struct ptx_fault *f)
{
    enum ptx_video_kind kind = (enum ptx_video_kind)o->sub;
    bool may_negate = kind == PTX_VIDEO_SRC_NEG || kind == PTX_VIDEO_ADDEND;

    if (op->kind == PTX_OPND_IMM) {
        return (o->immediate && ptx_literal_fits(op, IR_U32)) || type_fault(f, PTX_FAULT_LITERAL, op, IR_U32);
    }
    if (op->kind != PTX_OPND_REG) {
        return type_fault(f, PTX_FAULT_KIND, op, IR_U32);
    }
    if (!register_fits((enum ir_type)op->type, IR_U32, false)) {
        return type_fault(f, PTX_FAULT_TYPE, op, IR_U32);
    }
    if (op->negated || (op->minus && !may_negate)) {
        return fault_at(f, PTX_FAULT_NEGATION, op);
    }
    if (op->selector.kind == 0) {
        return kind != PTX_VIDEO_DST || fault_at(f, PTX_FAULT_SELECTOR, op);
    }
    return (kind != PTX_VIDEO_ADDEND && selector_agrees(op->selector, video_parts(c), kind == PTX_VIDEO_MASK)) ||
           fault_at(f, PTX_FAULT_SELECTOR, op);
}

/* --- one operand, all operands
 * --------------------------------------------------------------------------------------------------------------- */
static bool fit_special_vector(const struct ptx_operand *op, struct ptx_fault *f)
{
    bool all = op->kind == PTX_OPND_VECTOR;

    for (uint32_t i = 0; all && i < op->count; i++) {
        all = op->elements[i].kind == PTX_OPND_SREG;
    }
    return all || op->kind == PTX_OPND_SREG || fault_at(f, PTX_FAULT_KIND, op);
}

static bool fit_operand(const struct ptx_parse *p, const struct ptx_candidate *c, unsigned index, unsigned nth_address,
                        const struct ptx_operand *op, struct ptx_fault *f)
{
    const struct ptx_operand_pattern *o = &c->pattern->operands[index];
    const struct place at = {o, index == 0};
    enum ir_type type;
    uint32_t count;

    switch ((enum ptx_operand_pattern_kind)o->kind) {
    case PTX_PAT_REG:
        return fit_value(at, op, ptx_type_of(c, o->type), f);
    case PTX_PAT_PAIR:
        return fit_pair(c, at, op, f);
    case PTX_PAT_VECTOR:
        return fit_vector(c, at, op, f);
    case PTX_PAT_FRAGMENT:
        count = ptx_fragment(c, o, &type);
        return fit_elements(at, op, count, type, f);
    case PTX_PAT_ADDRESS:
        return fit_address(p, c, o, op, nth_address, f);
    case PTX_PAT_TMEM:
        return (op->kind == PTX_OPND_ADDRESS && ir_ref_kind(op->ref) == IR_REF_REG &&
                ir_type_info[op->type].bits == 32) ||
               fault_at(f, op->kind == PTX_OPND_ADDRESS ? PTX_FAULT_ADDRESS : PTX_FAULT_KIND, op);
    case PTX_PAT_MAP:
        return fit_tuple(op, false, false, element_count(c, o), f);
    case PTX_PAT_TEXTURE:
        if (!o->has_sampler && p->module->texmode_independent && needs_sampler(c)) {
            return fault_at(f, PTX_FAULT_KIND, op);
        }
        return fit_tuple(op, o->has_sampler, true, coordinate_count(c), f);
    case PTX_PAT_HANDLE:
        return (op->kind == PTX_OPND_ADDRESS && is_handle(op)) || fault_at(f, PTX_FAULT_KIND, op);
    case PTX_PAT_COORDS:
        return fit_free_vector(op, f);
    case PTX_PAT_CONST:
        return fit_constant(o, op, f);
    case PTX_PAT_FRACTION:
        return fit_fraction(op, f);
    case PTX_PAT_VIDEO:
        return fit_video(c, o, op, f);
    case PTX_PAT_LABEL:
        return op->kind == PTX_OPND_LABEL || fault_at(f, PTX_FAULT_KIND, op);
    case PTX_PAT_LABELS:
        return op->kind == PTX_OPND_TABLE || fault_at(f, PTX_FAULT_KIND, op);
    case PTX_PAT_CALL:
        return true; /* calls.c */
    case PTX_PAT_ADDRESS_OF:
        return op->kind == PTX_OPND_SYMBOL || fault_at(f, PTX_FAULT_KIND, op);
    case PTX_PAT_FUNCTION:
    case PTX_PAT_KERNEL:
        return (op->kind == PTX_OPND_FUNC &&
                p->module->funcs.at[ir_ref_index(op->ref)]->is_entry == (o->kind == PTX_PAT_KERNEL)) ||
               fault_at(f, PTX_FAULT_KIND, op);
    case PTX_PAT_REG_OFFSET:
        return (op->kind == PTX_OPND_REG && op->offset != 0 && !op->minus && !op->negated && op->selector.kind == 0) ||
               fault_at(f, PTX_FAULT_KIND, op);
    case PTX_PAT_VARIABLE:
        if (op->kind != PTX_OPND_SYMBOL) {
            return fault_at(f, PTX_FAULT_KIND, op);
        }
        return space_agrees((enum ir_space)c->match.mods.space, (enum ir_space)op->space) ||
               fault_at(f, PTX_FAULT_SPACE, op);
    case PTX_PAT_SREG:
        if (op->kind != PTX_OPND_SREG) {
            return fault_at(f, PTX_FAULT_KIND, op);
        }
        return special_fits(op->ref, ptx_type_of(c, c->pattern->operands[0].type)) ||
               type_fault(f, PTX_FAULT_TYPE, op, ptx_type_of(c, c->pattern->operands[0].type));
    case PTX_PAT_SREG4:
        return fit_special_vector(op, f);
    case PTX_PAT_SINK:
        return op->kind == PTX_OPND_SINK || fault_at(f, PTX_FAULT_KIND, op);
    }
    return false;
}

/* Does leaving out operand `o`, or writing it, agree with the words of the opcode? */
static bool presence_agrees(const struct ptx_candidate *c, const struct ptx_operand_pattern *o, bool present)
{
    if (ptx_text_is(o->role, "pol")) {
        return ptx_match_has(&c->match, PTX_MOD_L2_CACHE_HINT) == present;
    }
    if (ptx_text_is(o->role, "mask")) {
        return ptx_match_has(&c->match, PTX_MOD_MULTICAST_CLUSTER) == present;
    }
    return true;
}

static bool fit_with(const struct ptx_parse *p, const struct ptx_candidate *c, const struct ptx_inst *inst,
                     uint32_t skipped, struct ptx_fault *f)
{
    unsigned next = 0, nth_address = 0;

    for (unsigned i = 0; i < c->pattern->n_operands; i++) {
        const struct ptx_operand_pattern *o = &c->pattern->operands[i];
        bool present = (skipped >> i & 1) == 0;

        f->operand = (uint8_t)i;
        if (o->optional && !presence_agrees(c, o, present)) {
            return fault_at(f, PTX_FAULT_COUNT, NULL);
        }
        if (!present) {
            continue;
        }
        if (!fit_operand(p, c, i, nth_address, &inst->operands[next++], f)) {
            return false;
        }
        nth_address += o->kind == PTX_PAT_ADDRESS;
    }
    f->kind = PTX_FAULT_NONE;
    return true;
}

bool ptx_operands_fit(const struct ptx_parse *p, const struct ptx_candidate *c, const struct ptx_inst *inst,
                      uint32_t *skipped, struct ptx_fault *fault)
{
    const struct ptx_pattern *pat = c->pattern;
    unsigned missing = pat->n_operands - inst->n_operands;
    uint32_t optional = 0;

    *fault = (struct ptx_fault){.kind = PTX_FAULT_COUNT};
    if (pat->n_operands == 1 && pat->operands[0].kind == PTX_PAT_CALL) {
        fault->kind = PTX_FAULT_NONE;
        return true;
    }
    if (inst->n_operands > pat->n_operands || inst->n_operands < pat->n_required) {
        return false;
    }
    for (unsigned i = 0; i < pat->n_operands; i++) {
        optional |= (uint32_t)pat->operands[i].optional << i;
    }
    /* Every way to leave out as many optional operands as are missing; there are at most two optional ones. */
    for (uint32_t skip = optional;; skip = (skip - 1) & optional) {
        struct ptx_fault f = {0};

        if ((unsigned)__builtin_popcount(skip) == missing) {
            if (fit_with(p, c, inst, skip, &f)) {
                *skipped = skip;
                *fault = f;
                return true;
            }
            if (f.kind != PTX_FAULT_COUNT && (fault->kind == PTX_FAULT_COUNT || f.operand > fault->operand)) {
                *fault = f;
            }
        }
        if (skip == 0) {
            return false;
        }
    }
}

/* --- conversion
 * -------------------------------------------------------------------------------------------------------------------------------
 */
static void convert_value(struct ptx_operand *op, enum ir_type type)
{
    if (op->kind == PTX_OPND_IMM && type != IR_TYPE_NONE) {
        ptx_literal_convert(op, type);
    }
    for (uint32_t i = 0; op->kind == PTX_OPND_VECTOR && i < op->count; i++) {
        convert_value(&op->elements[i], type);
    }
}

static void convert_operand(const struct ptx_candidate *c, unsigned index, struct ptx_operand *op)
{
    const struct ptx_operand_pattern *o = &c->pattern->operands[index];

    switch ((enum ptx_operand_pattern_kind)o->kind) {
    case PTX_PAT_REG:
    case PTX_PAT_VECTOR:
        convert_value(op, ptx_type_of(c, o->type));
        break;
    case PTX_PAT_VIDEO:
        convert_value(op, IR_U32);
        break;
    case PTX_PAT_CONST:
        convert_value(op, o->reg_ok ? IR_U32 : IR_S64);
        break;
    default:
        break;
    }
}

void ptx_operands_convert(const struct ptx_candidate *c, struct ptx_inst *inst, uint32_t skipped)
{
    const struct ptx_pattern *pat = c->pattern;

    if (pat->n_operands == 1 && pat->operands[0].kind == PTX_PAT_CALL) {
        return;
    }
    for (unsigned i = 0; i < pat->n_operands; i++) {
        if ((skipped >> i & 1) != 0) {
            memmove(&inst->operands[i + 1], &inst->operands[i], (inst->n_operands - i) * sizeof *inst->operands);
            inst->operands[i] = (struct ptx_operand){.kind = PTX_OPND_NONE};
            inst->n_operands++;
        } else {
            convert_operand(c, i, &inst->operands[i]);
        }
    }
}
