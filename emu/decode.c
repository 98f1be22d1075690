/*
 * Decoding a kernel: every function it may call becomes a line of uops, ready for one instruction set's handlers.
 *
 * An activation's scalars are its uniform registers, then constants.  Registers that hold one launch-time constant all
 * the time (parameters, %ntid, addresses of variables) are not written at all: reads go to the constant (alias).
 *
 *   start of a block:   [COUNT: instructions of the block before, for those who fall through]
 *                       [RECONV: where lanes that parted at some branch meet]      <- jumps arrive here
 *                       first instruction
 */
#include "emu/decode.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- constants in registers ------------------------------------------------------------------- */
static bool count_definitions(struct decoder *d)
{
    const struct ir_func *f = d->f;

    d->definitions = calloc(f->regs.count + 1u, sizeof *d->definitions);
    d->alias = malloc((f->regs.count + 1u) * sizeof *d->alias);
    if (d->definitions == NULL || d->alias == NULL) {
        return false;
    }
    memset(d->alias, 0xff, (f->regs.count + 1u) * sizeof *d->alias);
    for (uint32_t i = 0; i < f->insts.count; i++) {
        const struct ir_inst *in = &f->insts.at[i];

        for (unsigned k = 0; k < in->n_dst; k++) {
            const ir_ref r = ir_dsts(f, in)[k];

            if (ir_ref_kind(r) == IR_REF_REG) {
                d->definitions[ir_ref_index(r)]++;
            }
        }
    }
    return true;
}

/* The one register an instruction defines, if it is uniform, defined nowhere else and the instruction always executes.
 */
static bool defines_constant(const struct decoder *d, const struct ir_inst *in, uint32_t *reg)
{
    if (in->n_dst != 1 || in->guard != IR_REF_NONE || ir_ref_kind(ir_dsts(d->f, in)[0]) != IR_REF_REG) {
        return false;
    }
    *reg = ir_ref_index(ir_dsts(d->f, in)[0]);
    return d->slots->kind[*reg] == IR_SLOT_SCALAR && d->definitions[*reg] == 1 && d->f->regs.at[*reg].type != IR_PRED &&
           ir_type_info[d->f->regs.at[*reg].type].bits <= 64;
}

/* Live into the function: reads may come before the definition, which then is not the only value. */
static bool read_before(const struct decoder *d, uint32_t reg)
{
    return ir_live_in(d->live, 0, reg);
}

/* The constant an instruction puts into its register, or an absent operand. */
static struct operand constant_of(struct decoder *d, const struct ir_inst *in, unsigned bytes)
{
    const struct operand none = {.offset = NO_OPERAND};
    const ir_ref *srcs = ir_srcs(d->f, in);
    const struct ir_symbol *symbol =
        ir_ref_kind(srcs[0]) == IR_REF_SYMBOL ? &d->f->module->symbols.at[ir_ref_index(srcs[0])] : NULL;
    uint64_t address;

    switch (in->op) {
    case IR_LD: {
        const unsigned size = ir_type_bytes((enum ir_type)in->type);
        const uint64_t at = symbol != NULL ? symbol->offset + ir_const_bits(d->f, srcs[1]) : 0;

        if (in->mods.space != IR_SPACE_PARAM || symbol == NULL || !symbol->kernel_param || in->mods.vec > 1 ||
            size > 8 || at > d->f->param_bytes || size > d->f->param_bytes - at) {
            return none;
        }
        return dec_patched(d,
                           (struct emu_patch){.bytes = (uint8_t)size,
                                              .sign = ir_type_info[in->type].kind == IR_KIND_SINT,
                                              .param = (uint32_t)at},
                           bytes);
    }
    case IR_MOV_SREG:
        return dec_is_launch_sreg(ir_ref_index(srcs[0]))
                   ? dec_patched(d, (struct emu_patch){.sreg = (uint16_t)ir_ref_index(srcs[0])}, bytes)
                   : none;
    case IR_CVTA:
    case IR_CVTA_TO:
        if (in->mods.space != IR_SPACE_GLOBAL && in->mods.space != IR_SPACE_CONST) {
            return none;
        }
        /* fall through */
    case IR_MOV:
        if (ir_ref_kind(srcs[0]) == IR_REF_CONST) {
            return dec_const(d, ir_const_bits(d->f, srcs[0]), bytes);
        }
        if (ir_ref_kind(srcs[0]) == IR_REF_REG && d->alias[ir_ref_index(srcs[0])] != NO_OPERAND) {
            return (struct operand){.scalar = true, .offset = d->alias[ir_ref_index(srcs[0])], .bytes = bytes};
        }
        return none;
    case IR_LEA:
        if (symbol == NULL || symbol->space == IR_SPACE_PARAM || symbol->space == IR_SPACE_LOCAL ||
            !dec_symbol_address(d, symbol, ir_ref_index(srcs[0]), &address)) {
            return none;
        }
        return dec_const(d, address + ir_const_bits(d->f, srcs[1]), bytes);
    default:
        return none;
    }
}

/* Try to make an instruction disappear into a constant. */
static bool becomes_constant(struct decoder *d, const struct ir_inst *in)
{
    uint32_t reg;

    if (!d->f->is_entry || in->n_src == 0 || !defines_constant(d, in, &reg) || read_before(d, reg)) {
        return false;
    }
    const unsigned bits = ir_type_info[d->f->regs.at[reg].type].bits;
    const struct operand value = constant_of(d, in, bits < 16 ? 2 : bits / 8);

    if (value.offset == NO_OPERAND) {
        return false;
    }
    d->alias[reg] = value.offset;
    return true;
}

/* --- blocks ----------------------------------------------------------------------------------- */
static void emit_count(struct decoder *d)
{
    while (d->pending != 0) {
        const uint32_t n = d->pending > UINT16_MAX ? UINT16_MAX : d->pending;
        struct uop *u = dec_named(d, H_COUNT_INSTS);

        if (u == NULL) {
            return;
        }
        u->n_insts = (uint16_t)n;
        d->pending -= n;
    }
}

static bool find_meeting_places(struct decoder *d)
{
    d->block_at = calloc(d->f->blocks.count + 1u, sizeof *d->block_at);
    d->meets = calloc(d->f->blocks.count + 1u, sizeof *d->meets);
    if (d->block_at == NULL || d->meets == NULL) {
        return false;
    }
    for (uint32_t b = 0; b < d->f->blocks.count; b++) {
        const bool parts = d->uniform->divergent[b / 64] >> (b % 64) & 1;

        if (parts && d->cfg->ipdom[b] != IR_NO_BLOCK) {
            d->meets[d->cfg->ipdom[b]] = 1;
        }
    }
    return true;
}

/* Aliases must be known before a use in an earlier block of the text is decoded: a first pass over all definitions. */
static void find_constants(struct decoder *d, uint8_t *gone)
{
    for (uint32_t i = 0; i < d->f->insts.count; i++) {
        d->inst = i;
        gone[i] = becomes_constant(d, &d->f->insts.at[i]);
    }
}

static void decode_blocks(struct decoder *d, const uint8_t *gone)
{
    for (uint32_t b = 0; b < d->f->blocks.count; b++) {
        const struct ir_block *block = &d->f->blocks.at[b];

        emit_count(d);
        d->block_at[b] = d->uops.count;
        if (d->meets[b]) {
            dec_named(d, H_RECONV);
        }
        for (uint32_t i = block->first; i < block->first + block->count && d->ok; i++) {
            d->inst = i;
            if (gone[i]) {
                d->pending++;
            } else {
                dec_inst(d, &d->f->insts.at[i]);
            }
            if (d->pending > UINT16_MAX / 2) {
                emit_count(d);
            }
        }
    }
    d->block_at[d->f->blocks.count] = d->uops.count;
}

static void resolve_fixups(struct decoder *d)
{
    for (uint32_t i = 0; i < d->fixups.count; i++) {
        const struct fixup *f = &d->fixups.at[i];
        const uint32_t to = f->block == IR_NO_BLOCK ? f->to_uop : d->block_at[f->block];
        const int32_t distance = (int32_t)(to - f->from);

        switch (f->what) {
        case FIX_TARGET:
            d->uops.at[f->uop].target = distance;
            break;
        case FIX_RECONV:
            d->uops.at[f->uop].reconv = distance;
            break;
        default:
            d->extra.at[f->uop] = (uint32_t)distance;
            break;
        }
    }
}

/* --- the finished code ------------------------------------------------------------------------ */
static void *keep(struct decoder *d, const void *from, size_t count, size_t size, size_t align)
{
    void *to = arena_alloc_array(d->program->arena, count, size, align);

    if (to != NULL && count != 0) {
        memcpy(to, from, count * size);
    }
    d->ok = d->ok && to != NULL;
    return to;
}
#define KEEP(d, v, align) keep((d), (v).at, (v).count, sizeof *(v).at, (align))

static void keep_zero_rows(struct decoder *d)
{
    VEC(uint32_t) zero = {0};

    for (uint32_t r = 0; r < d->f->regs.count && d->ok; r++) {
        if (d->slots->kind[r] == IR_SLOT_NONE || d->slots->kind[r] == IR_SLOT_SCALAR || !read_before(d, r)) {
            continue;
        }
        const struct operand o = dec_operand(d, ir_ref_make(IR_REF_REG, r), IR_TYPE_NONE);

        d->ok = vec_push(&zero, o.offset) &&
                vec_push(&zero, o.is_mask ? (uint32_t)sizeof(lane_mask) : o.bytes * WARP_LANES);
    }
    d->code->zero_rows = KEEP(d, zero, 4);
    d->code->n_zero_rows = zero.count / 2;
    vec_free(&zero);
}

static void finish(struct decoder *d)
{
    struct emu_code *code = d->code;
    uint64_t *frame;

    resolve_fixups(d);
    code->n_uops = d->uops.count;
    code->uops = KEEP(d, d->uops, 64);
    code->extra = KEEP(d, d->extra, 4);
    code->sites = KEEP(d, d->sites, 8);
    code->n_consts = d->const_base / 8 + d->consts.count;
    frame = arena_alloc_array(d->program->arena, code->n_consts, 8, 8);
    d->ok = d->ok && frame != NULL;
    if (d->ok && d->consts.count != 0) {
        memcpy(frame + d->const_base / 8, d->consts.at, d->consts.count * 8u);
    }
    code->consts = frame;
    code->frame_scalars = (code->n_consts * 8 + 15) / 16 * 16;
    code->frame_rows = (d->scratch_base + d->scratch_most + 63) / 64 * 64;
    code->frame_local = ir_frame_end(d->f->frame_bytes);
    keep_zero_rows(d);
    code->params = dec_param_values(d, d->f->params, d->f->is_entry ? 0 : d->f->n_params);
    code->rets = dec_param_values(d, d->f->rets, d->f->n_rets);
    code->n_params = d->f->is_entry ? 0 : d->f->n_params;
    code->n_rets = d->f->n_rets;
    if (d->f->is_entry) {
        d->program->patches = KEEP(d, d->patches, 8);
        d->program->n_patches = d->patches.count;
    }
}

static void release(struct decoder *d)
{
    ir_slots_free(d->slots);
    ir_uniform_free(d->uniform);
    ir_live_free(d->live);
    ir_cfg_free(d->cfg);
    free(d->copy.insts.at);
    free(d->copy.operands.at);
    free(d->definitions);
    free(d->alias);
    free(d->const_slots);
    free(d->block_at);
    free(d->holds);
    free(d->meets);
    vec_free(&d->uops);
    vec_free(&d->extra);
    vec_free(&d->consts);
    vec_free(&d->fixups);
    vec_free(&d->patches);
    vec_free(&d->sites);
}

/* A copy of the function with instructions of its own; everything else stays shared. */
static bool copy_function(struct decoder *d, const struct ir_func *f)
{
    d->copy = *f;
    d->f = &d->copy;
    d->copy.insts.at = malloc((f->insts.count + 1u) * sizeof *f->insts.at);
    d->copy.operands.at = malloc((f->operands.count + 1u) * sizeof *f->operands.at);
    if (d->copy.insts.at == NULL || d->copy.operands.at == NULL) {
        return false;
    }
    d->copy.insts.room = f->insts.count + 1u;
    d->copy.operands.room = f->operands.count + 1u;
    if (f->insts.count != 0) {
        memcpy(d->copy.insts.at, f->insts.at, f->insts.count * sizeof *f->insts.at);
    }
    if (f->operands.count != 0) {
        memcpy(d->copy.operands.at, f->operands.at, f->operands.count * sizeof *f->operands.at);
    }
    return true;
}

/* In debug builds: a pass that broke an invariant is a bug, and is found where it happened. */
#ifdef NDEBUG
static void expect_valid(const struct ir_func *f)
{
    (void)f;
}
#else
static void expect_valid(const struct ir_func *f)
{
    struct diag dg;

    diag_init(&dg, f->module->name, NULL, 0);
    const bool valid = ir_verify_func(f, &dg);

    for (size_t i = 0; i < dg.count; i++) {
        fprintf(stderr, "%s\n", dg.messages[i].text);
    }
    diag_release(&dg);
    assert(valid);
}
#endif

/* Fusion needs to know what is uniform, and changes what is live. */
static bool fuse(struct decoder *d)
{
    d->live = ir_live_new(d->f, d->cfg);
    d->uniform = d->live == NULL ? NULL : ir_uniform_new(d->f, d->cfg, d->live);
    if (d->uniform == NULL || !ir_fuse(&d->copy, d->uniform)) {
        return false;
    }
    expect_valid(d->f);
    ir_live_free(d->live);
    d->live = NULL;
    return true;
}

static bool analyse(struct decoder *d, const struct ir_func *f)
{
    if (!copy_function(d, f)) {
        return false;
    }
    expect_valid(d->f);
    d->cfg = ir_cfg_new(d->f);
    if (d->cfg == NULL || !fuse(d)) {
        return false;
    }
    d->live = ir_live_new(d->f, d->cfg);
    d->slots = d->live == NULL ? NULL : ir_slots_new(d->f, d->cfg, d->live, d->uniform);
    d->holds = d->slots == NULL ? NULL : dec_find_holds(d);
    if (d->holds == NULL || !count_definitions(d) || !find_meeting_places(d)) {
        return false;
    }
    d->const_base = (d->slots->scalar_bytes + 15) / 16 * 16;
    d->mask_base = d->slots->row_bytes;
    d->scratch_base = (d->mask_base + d->slots->mask_bytes + 63) / 64 * 64;
    return true;
}

/* Decode one function; false when memory is exhausted. */
static bool decode_function(struct emu_program *p, const struct ir_func *f)
{
    struct decoder d = {.program = p, .ok = true};
    uint8_t *gone = calloc(f->insts.count + 1u, 1);

    d.code = ARENA_NEW(p->arena, struct emu_code);
    d.ok = gone != NULL && d.code != NULL && analyse(&d, f);
    if (d.ok) {
        d.code->func = f;
        d.code->program = p;
        p->codes[f->index] = d.code;
        find_constants(&d, gone);
        decode_blocks(&d, gone);
        finish(&d);
    }
    release(&d);
    free(gone);
    return d.ok;
}

/* --- which functions -------------------------------------------------------------------------- */
static bool want(uint8_t *wanted, uint32_t *list, uint32_t *n, const struct ir_func *f)
{
    if (f->defined && (!f->is_entry || *n == 0) && !wanted[f->index]) { /* kernels only launch each other */
        wanted[f->index] = 1;
        list[(*n)++] = f->index;
    }
    return true;
}

/* Everything reachable: direct targets and, once a function's address is taken or a call goes through a register, those
 * too. */
static void want_callees(const struct ir_func *f, uint8_t *wanted, uint32_t *list, uint32_t *n)
{
    for (uint32_t i = 0; i < f->operands.count; i++) {
        if (ir_ref_kind(f->operands.at[i]) == IR_REF_FUNC) {
            want(wanted, list, n, f->module->funcs.at[ir_ref_index(f->operands.at[i])]);
        }
    }
    for (uint32_t i = 0; i < f->insts.count; i++) {
        const struct ir_inst *in = &f->insts.at[i];

        if (in->op == IR_CALL && ir_ref_kind(ir_srcs(f, in)[0]) != IR_REF_FUNC) {
            /* Function pointers may also come from initialised variables: any function. */
            for (uint32_t k = 0; k < f->module->funcs.count; k++) {
                if (!f->module->funcs.at[k]->is_entry) {
                    want(wanted, list, n, f->module->funcs.at[k]);
                }
            }
            return;
        }
    }
}

/* Places of all activations in a warp's rows: see call.c. */
static void place_functions(struct emu_program *p)
{
    p->static_rows = p->codes[p->entry->index]->frame_rows;
    for (uint32_t i = 0; i < p->module->funcs.count; i++) {
        struct emu_code *code = p->codes[i];
        uint32_t *end = code != NULL && code->func->recursive ? &p->recursive_rows : &p->static_rows;

        if (code != NULL && !code->func->is_entry) {
            code->rows_at = *end;
            *end += code->frame_rows;
        }
    }
}

static bool has_barrier(const struct ir_func *f)
{
    for (uint32_t i = 0; i < f->insts.count; i++) {
        if (dec_is_barrier(f->insts.at[i].op)) {
            return true;
        }
    }
    return false;
}

static bool decode_all(struct emu_program *p)
{
    const uint32_t count = p->module->funcs.count;
    uint8_t *wanted = calloc(count + 1u, 1);
    uint32_t *list = calloc(count + 1u, sizeof *list), n = 0;
    bool ok = wanted != NULL && list != NULL;

    if (ok) {
        want(wanted, list, &n, p->entry);
    }
    for (uint32_t i = 0; ok && i < n; i++) {
        const struct ir_func *f = p->module->funcs.at[list[i]];

        want_callees(f, wanted, list, &n);
        p->has_barriers = p->has_barriers || has_barrier(f);
    }
    for (uint32_t i = 0; ok && i < n; i++) {
        ok = decode_function(p, p->module->funcs.at[list[i]]);
    }
    if (ok) {
        place_functions(p);
    }
    free(wanted);
    free(list);
    return ok;
}

struct emu_program *emu_decode(const struct ir_func *entry, const struct handler_set *handlers,
                               const uint64_t *symbol_address, uint64_t shared_window, uint64_t local_window,
                               uint64_t param_window)
{
    struct arena *arena = arena_new(0);
    struct emu_program *p = arena == NULL ? NULL : ARENA_NEW(arena, struct emu_program);

    if (p == NULL) {
        arena_free(arena);
        return NULL;
    }
    *p = (struct emu_program){.arena = arena,
                              .module = entry->module,
                              .entry = entry,
                              .handlers = handlers,
                              .symbol_address = symbol_address,
                              .shared_window = shared_window,
                              .local_window = local_window,
                              .param_window = param_window};
    p->codes = ARENA_ARRAY(arena, struct emu_code *, entry->module->funcs.count + 1u);
    if (p->codes == NULL || !dec_index_handlers(p) || !decode_all(p)) {
        arena_free(arena);
        return NULL;
    }
    return p;
}

void emu_program_free(struct emu_program *p)
{
    if (p != NULL) {
        arena_free(p->arena);
    }
}
