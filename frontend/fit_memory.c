/*
 * Addresses, and the operands of textures and tensors: base, state space, number of coordinates.
 */
#include <string.h>

#include "frontend/fit.h"

/* --- addresses ------------------------------------------------------------------------------ */
bool ptx_fit_space(enum ir_space said, enum ir_space have)
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

    if (!ptx_fit_is_integral(t->kind) || t->bits > 64 || t->bits < 16) {
        return ptx_fit_fault(f, PTX_FAULT_ADDRESS, op);
    }
    if (t->bits == 64 || (t->bits == 32 && !needs_whole) || (t->bits == 16 && said == IR_SPACE_LOCAL)) {
        return true;
    }
    return ptx_fit_type_fault(f, PTX_FAULT_ADDRESS, op, IR_B64);
}

/* `nth`: which address of the instruction this is; the state space written says something about the first. */
bool ptx_fit_address(const struct ptx_parse *p, const struct ptx_candidate *c, const struct ptx_operand_pattern *o,
                     const struct ptx_operand *op, unsigned nth, struct ptx_fault *f)
{
    enum ir_space said = (enum ir_space)c->match.mods.space;
    bool is_checked = c->n_spaces <= 1 && nth == 0;

    if (op->kind != PTX_OPND_ADDRESS) {
        return ptx_fit_fault(f, PTX_FAULT_KIND, op);
    }
    if (op->is_unified != o->unified) {
        return ptx_fit_fault(f, PTX_FAULT_ADDRESS, op);
    }
    if (op->name == NULL) {
        return said == IR_SPACE_LOCAL || ptx_fit_fault(f, PTX_FAULT_ADDRESS, op);
    }
    if (ir_ref_kind(op->ref) == IR_REF_REG) {
        return fit_base_register(p, op, said, is_checked, f);
    }
    if (ir_type_info[op->type].kind == IR_KIND_OPAQUE && op->space == IR_SPACE_GLOBAL) {
        return true;
    }
    return !is_checked || ptx_fit_space(said, (enum ir_space)op->space) || ptx_fit_fault(f, PTX_FAULT_SPACE, op);
}

bool ptx_fit_handle(const struct ptx_operand *op)
{
    if (op->kind == PTX_OPND_SYMBOL || (op->kind == PTX_OPND_ADDRESS && ir_ref_kind(op->ref) == IR_REF_SYMBOL)) {
        return ir_type_info[op->type].kind == IR_KIND_OPAQUE || ir_type_info[op->type].bits == 64 ||
               op->space == IR_SPACE_PARAM || op->space == IR_SPACE_GLOBAL || op->space == IR_SPACE_CONST;
    }
    return (op->kind == PTX_OPND_REG || (op->kind == PTX_OPND_ADDRESS && ir_ref_kind(op->ref) == IR_REF_REG)) &&
           ir_type_info[op->type].bits == 64 && ptx_fit_is_integral((enum ir_type_kind)ir_type_info[op->type].kind);
}

static bool fit_32bit(const struct ptx_operand *op, struct ptx_fault *f)
{
    if (op->kind == PTX_OPND_IMM) {
        return true;
    }
    return (op->kind == PTX_OPND_REG && ir_type_info[op->type].bits == 32 && !op->minus && !op->negated) ||
           ptx_fit_type_fault(f, PTX_FAULT_TYPE, op, IR_B32);
}

/* Coordinates of a geometry: a third one makes it four. */
uint32_t ptx_fit_coordinate_count(const struct ptx_candidate *c)
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
bool ptx_fit_needs_sampler(const struct ptx_candidate *c)
{
    return strcmp(c->pattern->form->mnemonic, "tex") == 0 && c->role_type['C' - 'A'] == IR_F32;
}

bool ptx_fit_tuple(const struct ptx_operand *op, bool has_sampler, bool has_geometry, uint32_t count,
                   struct ptx_fault *f)
{
    if (op->kind != PTX_OPND_TUPLE || op->count != (has_sampler ? 3 : 2)) {
        return ptx_fit_fault(f, PTX_FAULT_KIND, op);
    }
    if (!ptx_fit_handle(&op->elements[0]) || (has_sampler && !ptx_fit_handle(&op->elements[1]))) {
        return ptx_fit_type_fault(f, PTX_FAULT_ADDRESS, &op->elements[0], IR_B64);
    }
    const struct ptx_operand *coords = &op->elements[op->count - 1];

    if (coords->kind != PTX_OPND_VECTOR && count == 1) {
        return fit_32bit(coords, f);
    }
    /* Tensor coordinates are exact; for textures more than needed are taken, as 1, 2 or 4. */
    bool enough =
        coords->count == count || (has_geometry && coords->count > count && (coords->count == 2 || coords->count == 4));

    if (coords->kind != PTX_OPND_VECTOR || !enough) {
        return ptx_fit_count_fault(f, coords, count);
    }
    for (uint32_t i = 0; i < coords->count; i++) {
        if (!fit_32bit(&coords->elements[i], f)) {
            return false;
        }
    }
    return true;
}

bool ptx_fit_free_vector(const struct ptx_operand *op, struct ptx_fault *f)
{
    if (op->kind != PTX_OPND_VECTOR) {
        return ptx_fit_fault(f, PTX_FAULT_KIND, op);
    }
    for (uint32_t i = 0; i < op->count; i++) {
        if (!fit_32bit(&op->elements[i], f)) {
            return false;
        }
    }
    return true;
}
