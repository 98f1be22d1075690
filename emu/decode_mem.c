/*
 * Loads, stores and atomics: where the address comes from, which way its handler goes, and the launch's parameters.
 */
#include "emu/decode.h"

struct address dec_address(struct decoder *d, const struct ir_inst *in, unsigned first)
{
    const ir_ref *srcs = ir_srcs(d->f, in) + first;
    struct address a = {.offset = ir_const_bits(d->f, srcs[1]), .index = {.offset = NO_OPERAND}};

    switch (ir_ref_kind(srcs[0])) {
    case IR_REF_REG:
        a.base = dec_operand(d, srcs[0], IR_TYPE_NONE);
        if (a.base.bytes == 2) {
            a.base = dec_resized(d, a.base, 4);
        }
        break;
    case IR_REF_SYMBOL: {
        const struct ir_symbol *symbol = &d->f->module->symbols.at[ir_ref_index(srcs[0])];
        uint64_t address;

        if (!dec_symbol_address(d, symbol, ir_ref_index(srcs[0]), &address)) {
            dec_refuse(d, in, "variable '%s' is not defined", symbol->name);
        }
        a.in_frame = in->mods.space == IR_SPACE_LOCAL;
        a.offset += address;
        a.base = dec_const(d, 0, 8);
        break;
    }
    default:
        a.base = ir_ref_kind(srcs[0]) == IR_REF_CONST ? dec_operand(d, srcs[0], IR_U64) : dec_const(d, 0, 8);
        break;
    }
    if (in->mods.index != 0) {
        a.index = dec_row(d, dec_operand(d, ir_srcs(d->f, in)[in->n_src - 1], IR_U32));
    }
    return a;
}

/* Accesses that other host threads may synchronise on; shared memory belongs to one of them alone. */
static bool is_strong(const struct ir_inst *in)
{
    return in->mods.sem != IR_SEM_WEAK && emu_is_far(in->mods.space);
}

void dec_set_address(struct uop *u, const struct address *a, const struct ir_inst *in)
{
    u->a = a->base.offset;
    u->imm = a->offset;
    u->kinds |= a->base.scalar ? KIND_A : 0;
    u->flag |= (uint8_t)((a->base.bytes == 4 ? MEM_ADDRESS_32 : 0) | (a->in_frame ? MEM_IN_FRAME : 0) |
                         (is_strong(in) ? MEM_STRONG : 0));
    u->space = in->mods.space;
    if (a->index.offset != NO_OPERAND) {
        u->e = a->index.offset;
        const unsigned scale = in->mods.index_scale;

        u->env = (uint8_t)scale;
        u->mode = (scale & (scale - 1)) == 0 ? (uint8_t)__builtin_ctz(scale) : MEM_ODD_SCALE;
        u->flag |= (uint8_t)(MEM_INDEXED | (in->mods.index == 2 ? MEM_INDEX_SIGNED : 0));
    }
}

/* The way of addressing that has a handler of its own, 0 for none. */
static enum mem_way way_of(const struct ir_inst *in, const struct address *a)
{
    const bool shared = in->mods.space == IR_SPACE_SHARED || in->mods.space == IR_SPACE_CLUSTER;
    const bool vector = in->mods.vec > 1, load = in->op == IR_LD;

    if (is_strong(in)) {
        return (enum mem_way)0;
    }
    if (a->index.offset != NO_OPERAND) {
        return a->base.scalar ? MEM_FAR_INDEX : (enum mem_way)0;
    }
    if (emu_is_far(in->mods.space)) {
        if (a->base.bytes != 8) {
            return (enum mem_way)0;
        }
        return a->base.scalar ? (load ? MEM_FAR_S : (enum mem_way)0) : vector ? MEM_FAR_V : MEM_FAR;
    }
    if (shared) {
        if (a->base.scalar) {
            return load ? MEM_SHARED_S : (enum mem_way)0;
        }
        return a->base.bytes == 4 ? (vector ? MEM_SHARED_32_V : MEM_SHARED_32)
               : vector           ? MEM_SHARED_64_V
                                  : MEM_SHARED_64;
    }
    if (vector) {
        return (enum mem_way)0;
    }
    return in->mods.space == IR_SPACE_LOCAL && a->base.scalar ? MEM_LOCAL_S : (enum mem_way)0;
}

/* Memory type and register type under which handlers are listed. */
static unsigned listed_memory(const struct ir_inst *in, bool signs)
{
    static const enum ir_type unsigned_by_bytes[17] = {
        [1] = IR_U8, [2] = IR_U16, [4] = IR_U32, [8] = IR_U64, [16] = IR_B128};
    static const enum ir_type signed_by_bytes[17] = {
        [1] = IR_S8, [2] = IR_S16, [4] = IR_S32, [8] = IR_U64, [16] = IR_B128};
    const bool is_signed = signs && ir_type_info[in->type].kind == IR_KIND_SINT;

    return (is_signed ? signed_by_bytes : unsigned_by_bytes)[ir_type_bytes((enum ir_type)in->type)];
}

static unsigned listed_register(unsigned bytes)
{
    static const enum ir_type by_bytes[17] = {[2] = IR_B16, [4] = IR_B32, [8] = IR_B64, [16] = IR_B128};

    return by_bytes[bytes];
}

static bool same_width_signed(unsigned memory, unsigned bytes)
{
    return (memory == IR_S16 && bytes == 2) || (memory == IR_S32 && bytes == 4);
}

/* --- parameters ------------------------------------------------------------------------------- */
/* A parameter at a constant place is a constant of the launch. */
static void load_params(struct decoder *d, const struct ir_inst *in, const struct address *a)
{
    const unsigned bytes = ir_type_bytes((enum ir_type)in->type);
    const bool is_signed = ir_type_info[in->type].kind == IR_KIND_SINT;

    if (bytes > 8) {
        dec_refuse(d, in, "unsupported: ld.param of %u bytes", bytes);
        return;
    }
    for (unsigned j = 0; j < in->n_dst; j++) {
        const struct operand dst = dec_operand(d, ir_dsts(d->f, in)[j], IR_TYPE_NONE);
        const uint64_t at = a->offset + (uint64_t)j * bytes;

        if (dst.offset == NO_OPERAND) {
            continue;
        }
        if (at > d->f->param_bytes || bytes > d->f->param_bytes - at) {
            dec_refuse(d, in, "parameter bytes %llu to %llu are outside the kernel's parameters",
                       (unsigned long long)at, (unsigned long long)at + bytes - 1);
            return;
        }
        dec_move(d, in, dst,
                 dec_patched(d, (struct emu_patch){.bytes = (uint8_t)bytes, .sign = is_signed, .param = (uint32_t)at},
                             dst.bytes));
    }
}

/* --- loads and stores ------------------------------------------------------------------------- */
/* A list of registers behind the index of the window. */
static uint32_t push_registers(struct decoder *d, uint32_t window, const struct operand *regs, unsigned n)
{
    const uint32_t at = d->extra.count;

    d->ok = d->ok && vec_push(&d->extra, window);
    for (unsigned j = 0; j < n; j++) {
        d->ok = d->ok && vec_push(&d->extra, regs[j].offset);
    }
    return at;
}

static bool is_scalar(struct operand o)
{
    return o.scalar && o.offset != NO_OPERAND;
}

/* One address for all lanes: all results are scalars. */
static void load_scalars(struct decoder *d, const struct ir_inst *in, const struct address *a,
                         const struct operand *dsts, unsigned n)
{
    const uint32_t list = push_registers(d, d->program->n_windows++, dsts, n);

    dec_guard(d, in);
    struct uop *u = dec_named(d, H_LD_SCALAR);

    if (u != NULL) {
        dec_set_address(u, a, in);
        u->flag |= MEM_EXTRA;
        u->vec = in->mods.vec;
        u->mode = (uint8_t)ir_type_bytes((enum ir_type)in->type);
        u->env = ir_type_info[in->type].kind == IR_KIND_SINT;
        u->extra = list;
    }
}

static void fence_around(struct decoder *d, const struct ir_inst *in)
{
    if (in->mods.sem == IR_SEM_ACQUIRE || in->mods.sem == IR_SEM_RELEASE || in->mods.sem == IR_SEM_ACQ_REL ||
        in->mods.sem == IR_SEM_SC) {
        struct uop *u = dec_named(d, H_FENCE);

        if (u != NULL) {
            u->mode = in->mods.sem;
        }
    }
}

static bool all_one_width(const struct operand *regs, unsigned n, unsigned *bytes)
{
    *bytes = 0;
    for (unsigned j = 0; j < n; j++) {
        if (regs[j].offset == NO_OPERAND) {
            continue;
        }
        if (*bytes != 0 && regs[j].bytes != *bytes) {
            return false;
        }
        *bytes = regs[j].bytes;
    }
    return true;
}

/* Does a part of the vector go to the row that says where the other parts are?  Handlers fill row after row. */
static bool overwrites_address(const struct operand *dsts, unsigned n, const struct address *a)
{
    bool found = false;

    for (unsigned j = 0; n > 1 && j < n; j++) {
        const struct operand row = dsts[j];

        found = found || (!row.scalar && row.offset != NO_OPERAND &&
                          ((!a->base.scalar && row.offset == a->base.offset) || row.offset == a->index.offset));
    }
    return found;
}

static void dec_load(struct decoder *d, const struct ir_inst *in, const struct address *a)
{
    struct operand real[8], dsts[8];
    unsigned bytes, n_scalars = 0, n_rows = 0, memory = listed_memory(in, true);
    const unsigned n = in->n_dst,
                   natural = ir_type_bytes((enum ir_type)in->type) < 2 ? 2 : ir_type_bytes((enum ir_type)in->type);
    struct handlers h;

    for (unsigned j = 0; j < n; j++) {
        real[j] = dsts[j] = dec_operand(d, ir_dsts(d->f, in)[j], IR_TYPE_NONE);
        n_scalars += is_scalar(real[j]);
        n_rows += !real[j].scalar && real[j].offset != NO_OPERAND;
    }
    if (n_scalars != 0 && n_rows == 0) {
        load_scalars(d, in, a, real, n);
        return;
    }
    if (!all_one_width(dsts, n, &bytes)) {
        dec_refuse(d, in, "unsupported: a vector load into registers of different widths");
        return;
    }
    const uint32_t around = n_scalars != 0 ? dec_begin_guarded(d, in) : NO_OPERAND;

    for (unsigned j = 0; j < n; j++) {
        dsts[j] = is_scalar(real[j]) ? dec_scratch(d, bytes, false) : real[j];
    }
    if (bytes == 0) {
        bytes = natural;
        dsts[0] = n == 1 ? dec_scratch(d, bytes, false) : dsts[0];
    }
    memory = same_width_signed(memory, bytes) ? listed_memory(in, false) : memory;
    const enum mem_way way = overwrites_address(dsts, n, a) ? (enum mem_way)0 : way_of(in, a);

    if (!dec_lookup(d->program, IR_LD, memory, listed_register(bytes), way, true, &h)) {
        dec_refuse(d, in, "unsupported: ld of %s into %u bytes", ir_type_info[in->type].name, bytes);
        return;
    }
    const uint32_t window = d->program->n_windows++;
    const uint32_t list = in->mods.vec > 1 ? push_registers(d, window, dsts, n) : window;

    if (n_scalars == 0) {
        dec_guard(d, in);
    }
    const emu_handler any = h.any->fn, best = h.mixed != NULL ? h.mixed->fn : any,
                      part = h.part != NULL ? h.part->fn : any;
    /* Local rows are blended, so their handler serves any lanes. */
    struct uop *u = dec_emit(d, best, way == MEM_LOCAL_S ? best : part);

    if (u != NULL) {
        dec_set_address(u, a, in);
        u->vec = in->mods.vec;
        u->d = dsts[0].offset;
        u->extra = list;
    }
    for (unsigned j = 0; j < n; j++) {
        if (is_scalar(real[j])) {
            dec_extract(d, dsts[j], real[j]);
        }
    }
    dec_end_guarded(d, around);
}

static void dec_store(struct decoder *d, const struct ir_inst *in, const struct address *a)
{
    struct operand values[8];
    unsigned bytes;
    const unsigned n = in->n_src - 2u - (in->mods.index != 0);
    struct handlers h;

    for (unsigned j = 0; j < n; j++) {
        values[j] = dec_row(d, dec_operand(d, ir_srcs(d->f, in)[2 + j], (enum ir_type)in->type));
    }
    if (!all_one_width(values, n, &bytes)) {
        for (unsigned j = 0; j < n; j++) {
            values[j] = dec_resized(d, values[j], 8);
        }
        bytes = 8;
    }
    const enum mem_way way = way_of(in, a);

    if (!dec_lookup(d->program, IR_ST, listed_memory(in, false), listed_register(bytes), way, true, &h)) {
        dec_refuse(d, in, "unsupported: st of %s from %u bytes", ir_type_info[in->type].name, bytes);
        return;
    }
    const uint32_t window = d->program->n_windows++;
    const uint32_t list = in->mods.vec > 1 ? push_registers(d, window, values, n) : window;

    dec_guard(d, in);
    const emu_handler any = h.any->fn, best = h.mixed != NULL ? h.mixed->fn : any,
                      part = h.part != NULL ? h.part->fn : any;
    struct uop *u = dec_emit(d, best, way == MEM_LOCAL_S ? best : part);

    if (u != NULL) {
        dec_set_address(u, a, in);
        u->vec = in->mods.vec;
        u->b = values[0].offset;
        u->extra = list;
    }
}

void dec_memory(struct decoder *d, const struct ir_inst *in)
{
    const struct address a = dec_address(d, in, 0);

    if (in->op == IR_LD && in->mods.space == IR_SPACE_PARAM && ir_ref_kind(ir_srcs(d->f, in)[0]) != IR_REF_REG &&
        d->f->is_entry) {
        load_params(d, in, &a);
        return;
    }
    if (in->op == IR_ST && in->mods.sem != IR_SEM_WEAK) {
        fence_around(d, in);
    }
    if (in->op == IR_LD) {
        dec_load(d, in, &a);
        if (in->mods.sem != IR_SEM_WEAK) {
            fence_around(d, in);
        }
    } else {
        dec_store(d, in, &a);
    }
}

/* --- atomics ---------------------------------------------------------------------------------- */
static bool is_shared_sum(const struct ir_inst *in, const struct address *a)
{
    const bool word = in->type == IR_U32 || in->type == IR_S32 || in->type == IR_B32;

    return in->op != IR_ATOM_CAS && in->mods.space == IR_SPACE_SHARED && in->mods.atom == IR_ATOM_ADD && word &&
           in->mods.vec <= 1 && !a->base.scalar && a->base.bytes == 4;
}

void dec_atomic(struct decoder *d, const struct ir_inst *in)
{
    static const enum ir_type by_bytes[17] = {[2] = IR_B16, [4] = IR_B32, [8] = IR_B64, [16] = IR_B128};
    const struct address a = dec_address(d, in, 0);
    const unsigned count = in->mods.vec < 1 ? 1 : in->mods.vec;
    const ir_ref *srcs = ir_srcs(d->f, in);
    struct operand olds[8], bs[8], cs[8];
    struct handlers h;

    if (count > 8 ||
        !dec_lookup(d->program, IR_ATOM, by_bytes[ir_type_bytes((enum ir_type)in->type)], 0, 0, true, &h)) {
        dec_refuse(d, in, "unsupported: %s on .%s", ir_op_info[in->op].name, ir_type_info[in->type].name);
        return;
    }
    for (unsigned j = 0; j < count; j++) {
        olds[j] =
            j < in->n_dst ? dec_operand(d, ir_dsts(d->f, in)[j], IR_TYPE_NONE) : (struct operand){.offset = NO_OPERAND};
        bs[j] = dec_row(d, dec_operand(d, srcs[2 + j], (enum ir_type)in->type));
        cs[j] = in->op == IR_ATOM_CAS ? dec_row(d, dec_operand(d, srcs[3], (enum ir_type)in->type))
                                      : (struct operand){.offset = NO_OPERAND};
    }
    fence_around(d, in);
    const uint32_t list = d->extra.count;

    d->ok = d->ok && vec_push(&d->extra, d->program->n_windows++) && vec_push(&d->extra, in->type);
    for (unsigned j = 0; j < count; j++) {
        d->ok = d->ok && vec_push(&d->extra, olds[j].offset) && vec_push(&d->extra, bs[j].offset) &&
                vec_push(&d->extra, cs[j].offset);
    }
    dec_guard(d, in);
    struct uop *u = is_shared_sum(in, &a) ? dec_named(d, H_ATOM_SHARED_ADD) : dec_emit(d, h.any->fn, h.any->fn);

    if (u != NULL) {
        dec_set_address(u, &a, in);
        u->flag |= MEM_EXTRA;
        u->vec = (uint8_t)count;
        u->mode = (uint8_t)(in->op == IR_ATOM_CAS ? (unsigned)EMU_ATOM_CAS : in->mods.atom);
        u->extra = list;
    }
    fence_around(d, in);
}
