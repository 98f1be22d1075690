/*
 * Initialisers, value by value as they are read: bytes of the variable's image and the addresses to be filled in later.
 * Braces must match the dimensions; a vector has braces of its own.
 *
 * Invariant: `bytes` holds the image up to the last value that was not zero; what follows is zero and takes no memory.
 */
#include <stdlib.h>
#include <string.h>

#include "frontend/parse.h"

static const uint64_t MAX_IMAGE_BYTES = (uint64_t)256 << 20;

static void init_error(struct ptx_parse *p, struct diag_loc loc, const char *text)
{
    if (!p->init.bad && !p->decl.bad) {
        ptx_error(p, loc, "%s", text);
    }
    p->init.bad = true;
}

/* Counts and strides of the levels: one per dimension, a vector counts as one more. */
static void plan_levels(struct ptx_init *in, const struct ptx_decl *d)
{
    uint64_t stride = ir_type_bytes(d->type);

    const bool opaque = ir_type_info[d->type].kind == IR_KIND_OPAQUE;

    in->levels = d->n_dims + (d->vec > 1 || (opaque && d->n_dims == 0));
    for (uint32_t level = in->levels; level >= 1; level--) {
        uint64_t count = level <= d->n_dims ? d->dims[level - 1] : d->vec;

        in->count[level] = count;
        in->stride[level] = stride;
        if (__builtin_mul_overflow(stride, count, &stride) || stride > MAX_IMAGE_BYTES << 20) {
            in->bad = true; /* the declaration will be refused as too large */
            stride = 0;
        }
    }
}

void ptx_init_begin(struct ptx_parse *p, struct diag_loc loc)
{
    struct ptx_init *in = &p->init;
    const struct ptx_decl *d = &p->decl;

    in->size = 0;
    in->depth = 0;
    in->extent = 0;
    in->bad = d->bad;
    in->relocs.count = 0;
    memset(in->at, 0, sizeof in->at);
    plan_levels(in, d);
    p->decl.has_init = true;
    if (p->fn.in_head) {
        init_error(p, loc, "a parameter has no initialiser");
    } else if (d->space != PTX_GLOBAL && d->space != PTX_CONST) {
        init_error(p, loc, "only '.global' and '.const' variables have initialisers");
    } else if (d->linkage == IR_LINK_EXTERN) {
        init_error(p, loc, "an external variable has no initialiser");
    } else if (d->type == IR_F16 || d->type == IR_F16X2 || d->type == IR_PRED) {
        init_error(p, loc, "variables of this type have no initialisers; declare '.b16' or '.b32'");
    }
}

void ptx_init_open(struct ptx_parse *p, struct diag_loc loc)
{
    struct ptx_init *in = &p->init;

    if (in->depth >= in->levels) {
        init_error(p, loc,
                   in->levels == 0 ? "a scalar is initialised without braces"
                                   : "more braces than the variable has dimensions");
    }
    in->depth++;
    if (in->depth <= in->levels) {
        in->at[in->depth] = 0;
    }
}

/* One element of the innermost open level is complete. */
static void next_element(struct ptx_parse *p, struct diag_loc loc)
{
    struct ptx_init *in = &p->init;

    if (in->depth == 0 || in->depth > in->levels) {
        return;
    }
    if (in->count[in->depth] != 0 && in->at[in->depth] >= in->count[in->depth]) {
        init_error(p, loc, "more values than the variable has elements");
    }
    in->at[in->depth]++;
    if (in->depth == 1 && in->at[1] > in->extent) {
        in->extent = in->at[1];
    }
}

void ptx_init_close(struct ptx_parse *p, struct diag_loc loc)
{
    p->init.depth--;
    next_element(p, loc);
}

/* Where the value being read goes. */
static uint64_t offset_now(const struct ptx_init *in)
{
    uint64_t offset = 0;

    for (uint32_t level = 1; level <= in->levels; level++) {
        offset += in->at[level] * in->stride[level];
    }
    return offset;
}

static bool grow_image(struct ptx_parse *p, uint64_t size, struct diag_loc loc)
{
    struct ptx_init *in = &p->init;

    if (size > MAX_IMAGE_BYTES) {
        init_error(p, loc, "initialised data is too large");
        return false;
    }
    if (size > in->room) {
        uint64_t room = in->room < 64 ? 64 : in->room;

        while (room < size) {
            room *= 2;
        }
        uint8_t *bytes = realloc(in->bytes, room);

        if (bytes == NULL) {
            ptx_out_of_memory(p);
            return false;
        }
        in->bytes = bytes;
        in->room = room;
    }
    memset(in->bytes + in->size, 0, size - in->size);
    in->size = size;
    return true;
}

static void put_constant(struct ptx_parse *p, struct ptx_operand *op)
{
    struct ptx_init *in = &p->init;
    enum ir_type type = p->decl.type;
    unsigned width = ir_type_bytes(type);
    uint64_t offset = offset_now(in);

    if (op->generic) {
        init_error(p, op->loc, "'generic' needs the name of a variable");
        return;
    }
    if (!ptx_literal_fits(op, type)) {
        init_error(p, op->loc,
                   ir_type_info[type].kind == IR_KIND_FLOAT ? "a floating-point constant is needed here, such as 1.0"
                                                            : "an integer is needed here");
        return;
    }
    ptx_literal_convert(op, type);
    if (op->bits == 0 || width > 8 || (offset + width > in->size && !grow_image(p, offset + width, op->loc))) {
        return;
    }
    for (unsigned i = 0; i < width; i++) {
        in->bytes[offset + i] = (uint8_t)(op->bits >> 8 * i);
    }
}

static void put_address(struct ptx_parse *p, struct ptx_operand *op)
{
    struct ptx_init *in = &p->init;
    const struct ir_type_info *type = &ir_type_info[p->decl.type];
    bool integral = type->kind == IR_KIND_BITS || type->kind == IR_KIND_UINT || type->kind == IR_KIND_SINT;
    int64_t addend = op->offset;
    bool generic = op->generic || p->module->ptx < 31;

    if (op->minus || op->negated || op->selector.kind != 0) {
        init_error(p, op->loc, "an address in an initialiser is a name, with '+' and a constant");
        return;
    }
    if (!ptx_resolve(p, op)) {
        in->bad = true;
        return;
    }
    if (op->kind == PTX_OPND_SYMBOL ? op->space != IR_SPACE_GLOBAL && op->space != IR_SPACE_CONST
                                    : op->kind != PTX_OPND_FUNC) {
        init_error(p, op->loc, "only addresses of '.global' and '.const' variables and of functions are constant");
        return;
    }
    if (!integral || (op->mask == 0 && type->bits < 32)) {
        init_error(p, op->loc, "the variable cannot hold an address");
        return;
    }
    if (op->kind == PTX_OPND_FUNC) {
        ptx_function_addressed(p, op);
    }
    struct ir_reloc reloc = {
        .offset = offset_now(in),
        .addend = addend,
        .target = op->ref,
        .width = (uint8_t)(op->mask != 0 ? 1 : ir_type_bytes(p->decl.type)),
        .shift = (uint8_t)(op->mask != 0 ? (op->mask - 1) * 8 : 0),
        .generic = generic,
    };

    if (!vec_push(&in->relocs, reloc)) {
        ptx_out_of_memory(p);
    }
}

void ptx_init_value(struct ptx_parse *p, struct ptx_operand *op)
{
    struct ptx_init *in = &p->init;

    if (op != NULL && op->mask != 0 && !in->bad && !ptx_needs(p, op->loc, "mask", 71, 10)) {
        in->bad = true;
    }
    if (op == NULL || in->bad) {
        ptx_scratch_reset(&p->scratch);
        return;
    }
    if (in->depth < in->levels) {
        init_error(p, op->loc, "braces are missing around the values");
    } else if (in->depth == in->levels && in->depth != 0 && in->count[in->depth] != 0 &&
               in->at[in->depth] >= in->count[in->depth]) {
        init_error(p, op->loc, "more values than the variable has elements");
    } else if (op->kind == PTX_OPND_IMM) {
        put_constant(p, op);
    } else if (op->kind == PTX_OPND_NAME) {
        put_address(p, op);
    } else {
        init_error(p, op->loc, "this is not a constant");
    }
    next_element(p, op->loc);
    ptx_scratch_reset(&p->scratch);
}

/* name = value: how a sampler samples. */
void ptx_init_field(struct ptx_parse *p, struct ptx_text name, struct diag_loc loc)
{
    if (ir_type_info[p->decl.type].kind != IR_KIND_OPAQUE) {
        init_error(p, loc, "only textures, samplers and surfaces have named fields");
    }
    (void)name;
}

void ptx_init_store(struct ptx_parse *p, struct ir_symbol *sym)
{
    struct ptx_init *in = &p->init;

    if (sym->unsized) {
        sym->unsized = false;
        sym->size_bytes = in->extent * (in->levels != 0 ? in->stride[1] : 0);
    }
    if (in->size != 0) {
        uint8_t *bytes = ARENA_ARRAY(p->module->arena, uint8_t, in->size);

        if (bytes == NULL) {
            ptx_out_of_memory(p);
            return;
        }
        memcpy(bytes, in->bytes, in->size);
        sym->init = bytes;
        sym->init_bytes = in->size;
    }
    if (in->relocs.count != 0) {
        sym->relocs = ARENA_ARRAY(p->module->arena, struct ir_reloc, in->relocs.count);
        if (sym->relocs == NULL) {
            ptx_out_of_memory(p);
            return;
        }
        memcpy(sym->relocs, in->relocs.at, in->relocs.count * sizeof *sym->relocs);
        sym->n_relocs = in->relocs.count;
    }
}
