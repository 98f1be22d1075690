/*
 * Textures and surfaces.  Invariants: a handle is a 64-bit value, which for a .texref, .samplerref or .surfref variable
 * is its address; coordinates stand in the order x, y, z, the layer behind them, absent ones as zero.
 */
#include "frontend/lower_inst.h"

/* --- handles ------------------------------------------------------------------------------------------------------ */
static bool is_opaque(const struct ir_symbol *s)
{
    return ir_type_info[s->type].kind == IR_KIND_OPAQUE;
}

/* The value of a variable that holds a handle: nearly always a kernel's parameter. */
static ir_ref load_handle(struct ptx_lower *l, const struct ptx_operand *o, const struct ir_symbol *s)
{
    struct ir_inst load = lower_plain(l, IR_LD, IR_U64);
    struct lower_refs dst = {.at = {lower_temp(l, IR_U64)}, .count = 1}, place = {0};

    load.mods.space = s->space == IR_SPACE_PARAM ? lower_param_space(l, o) : s->space;
    load.align = 8;
    lower_push_address(l, &place, o);
    lower_emit(l, &load, &dst, &place);
    return dst.at[0];
}

static ir_ref handle_of(struct ptx_lower *l, const struct ptx_operand *o)
{
    struct ptx_operand address = *o;

    if (ir_ref_kind(o->ref) != IR_REF_SYMBOL) {
        return lower_value(l, o, IR_U64);
    }
    const struct ir_symbol *s = &l->f->module->symbols.at[ir_ref_index(o->ref)];

    if (!is_opaque(s) || s->space == IR_SPACE_PARAM) {
        return load_handle(l, o, s);
    }
    address.kind = PTX_OPND_SYMBOL;
    return lower_value(l, &address, IR_U64);
}

/* --- coordinates -------------------------------------------------------------------------------------------------- */
enum { AXES = 3 };

static bool has_layer(unsigned geometry)
{
    return geometry == IR_GEOMETRY_A1D || geometry == IR_GEOMETRY_A2D || geometry == IR_GEOMETRY_ACUBE;
}

static unsigned axes_of(unsigned geometry)
{
    static const uint8_t axes[IR_GEOMETRY_COUNT] = {
        [IR_GEOMETRY_1D] = 1,  [IR_GEOMETRY_2D] = 2,   [IR_GEOMETRY_3D] = 3,   [IR_GEOMETRY_A1D] = 1,
        [IR_GEOMETRY_A2D] = 2, [IR_GEOMETRY_CUBE] = 3, [IR_GEOMETRY_ACUBE] = 3};

    return axes[geometry];
}

static ir_ref element(struct ptx_lower *l, const struct ptx_operand *vector, unsigned i, enum ir_type type)
{
    const struct ptx_operand *e = vector == NULL ? NULL : lower_element(vector, i);

    return e == NULL ? lower_const(l, 0, IR_U32) : lower_value(l, e, type);
}

/* x, y, z of a vector whose first `skipped` elements are something else. */
static void push_axes(struct ptx_lower *l, struct lower_refs *srcs, const struct ptx_operand *vector, unsigned skipped,
                      unsigned axes, enum ir_type type)
{
    for (unsigned k = 0; k < AXES; k++) {
        lower_push(srcs, k < axes ? element(l, vector, skipped + k, type) : lower_const(l, 0, IR_U32));
    }
}

static const struct ptx_operand *coordinates_of(const struct ptx_operand *tuple)
{
    return &tuple->elements[tuple->count - 1];
}

static void push_coordinates(struct ptx_lower *l, struct lower_refs *srcs, const struct ir_inst *in,
                             const struct ptx_operand *tuple)
{
    const unsigned geometry = in->mods.geometry;
    const struct ptx_operand *coords = coordinates_of(tuple);

    push_axes(l, srcs, coords, has_layer(geometry), axes_of(geometry), (enum ir_type)in->type2);
    lower_push(srcs, has_layer(geometry) ? element(l, coords, 0, IR_U32) : lower_const(l, 0, IR_U32));
}

/* --- textures ----------------------------------------------------------------------------------------------------- */
enum { TEX_RESULT, TEX_PLACE, TEX_MORE, TEX_MOST };

/* Four values (two of pairs), and whether the texels are resident. */
static void push_results(struct lower_refs *dsts, struct ir_inst *in, const struct ptx_operand *o)
{
    const bool pair = o->kind == PTX_OPND_PAIR;
    const struct ptx_operand *values = pair ? &o->elements[0] : o;

    in->mods.vec = lower_elements(values) & 15;
    for (unsigned i = 0; i < in->mods.vec; i++) {
        lower_push(dsts, lower_target(lower_element(values, i)));
    }
    lower_push(dsts, pair ? lower_target(&o->elements[1]) : (ir_ref)IR_REF_NONE);
}

void lower_tex(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands, *place = &o[TEX_PLACE];
    struct ir_inst in = lower_written(l);
    struct lower_refs dsts = {0}, srcs = {0};
    const unsigned axes = axes_of(in.mods.geometry);

    push_results(&dsts, &in, &o[TEX_RESULT]);
    lower_push(&srcs, handle_of(l, &place->elements[0]));
    lower_push(&srcs, place->count > 2 ? handle_of(l, &place->elements[1]) : (ir_ref)IR_REF_NONE);
    push_coordinates(l, &srcs, &in, place);
    switch (in.op) {
    case IR_TEX_LEVEL:
        lower_push(&srcs, lower_value(l, &o[TEX_MORE], (enum ir_type)in.type2));
        break;
    case IR_TEX_GRAD:
        push_axes(l, &srcs, &o[TEX_MORE], 0, axes, IR_F32);
        push_axes(l, &srcs, &o[TEX_MOST], 0, axes, IR_F32);
        break;
    case IR_TEX_OFFSET:
        push_axes(l, &srcs, &o[TEX_MORE], 0, axes, IR_U32);
        break;
    default:
        break;
    }
    lower_emit(l, &in, &dsts, &srcs);
}

void lower_tex_query(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands, *level = lower_operand(l, TEX_MORE);
    struct ir_inst in = lower_written(l);
    struct lower_refs dsts = {.at = {lower_target(&o[TEX_RESULT])}, .count = 1}, srcs = {0};

    lower_push(&srcs, handle_of(l, &o[TEX_PLACE]));
    if (in.op == IR_TXQ_LEVEL) {
        lower_push(&srcs, lower_value(l, level, IR_U32));
    }
    lower_emit(l, &in, &dsts, &srcs);
}

void lower_istypep(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    const struct ir_inst in = lower_written(l);
    struct lower_refs dsts = {.at = {lower_target(&o[TEX_RESULT])}, .count = 1}, srcs = {0};

    lower_push(&srcs, handle_of(l, &o[TEX_PLACE]));
    lower_emit(l, &in, &dsts, &srcs);
}

/* --- surfaces: the layer is the coordinate behind those of a plane ------------------------------------------------ */
static void push_surface(struct ptx_lower *l, struct lower_refs *srcs, const struct ir_inst *in,
                         const struct ptx_operand *tuple)
{
    const struct ptx_operand *coords = coordinates_of(tuple);
    const unsigned axes = axes_of(in->mods.geometry), layered = has_layer(in->mods.geometry);

    lower_push(srcs, handle_of(l, &tuple->elements[0]));
    for (unsigned k = 0; k < AXES; k++) {
        const bool is_layer = layered && k == AXES - 1;

        lower_push(srcs, is_layer   ? element(l, coords, 0, IR_U32)
                         : k < axes ? element(l, coords, layered + k, IR_S32)
                                    : lower_const(l, 0, IR_U32));
    }
}

void lower_suld(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    struct ir_inst in = lower_written(l);
    struct lower_refs dsts = {0}, srcs = {0};

    in.mods.vec = lower_elements(&o[0]) & 15;
    for (unsigned i = 0; i < in.mods.vec; i++) {
        lower_push(&dsts, lower_target(lower_element(&o[0], i)));
    }
    push_surface(l, &srcs, &in, &o[1]);
    lower_emit(l, &in, &dsts, &srcs);
}

void lower_sust(struct ptx_lower *l)
{
    const struct ptx_operand *o = l->inst->operands;
    struct ir_inst in = lower_written(l);
    const struct lower_refs none = {0};
    struct lower_refs srcs = {0};

    push_surface(l, &srcs, &in, &o[0]);
    in.mods.vec = lower_elements(&o[1]) & 15;
    for (unsigned i = 0; i < in.mods.vec; i++) {
        lower_push(&srcs, lower_value(l, lower_element(&o[1], i), (enum ir_type)in.type));
    }
    lower_emit(l, &in, &none, &srcs);
}
