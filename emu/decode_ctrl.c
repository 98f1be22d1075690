/*
 * Control flow: branches, calls, barriers, ends.  Distances to blocks are filled in when all blocks have their place.
 */
#include "emu/decode.h"

#include "emu/builtin.h"
#include "emu/machine.h"

static void fix(struct decoder *d, uint32_t uop, uint32_t block, uint32_t to_uop, unsigned what)
{
    const struct fixup f = {.uop = uop, .block = block, .to_uop = to_uop, .from = uop, .what = what};

    d->ok = d->ok && vec_push(&d->fixups, f);
}

/* Accounts for the instructions since the last accounting uop. */
static void account(struct decoder *d, struct uop *u)
{
    u->n_insts = (uint16_t)d->pending;
    d->pending = 0;
}

/* --- guards around more than one uop ---------------------------------------------------------- */
uint32_t dec_begin_guarded(struct decoder *d, const struct ir_inst *in)
{
    if (in->guard == IR_REF_NONE) {
        return NO_OPERAND;
    }
    const struct operand p = dec_operand(d, in->guard, IR_PRED);
    struct uop *u = dec_named(d, p.scalar ? H_BRA_IF_S : H_BRA_IF);

    if (u != NULL) {
        u->a = p.offset;
        u->flag = !in->guard_not; /* the branch is taken by those who do not execute */
        account(d, u);
    }
    return d->uops.count - 1;
}

void dec_end_guarded(struct decoder *d, uint32_t branch)
{
    if (branch == NO_OPERAND) {
        return;
    }
    fix(d, branch, IR_NO_BLOCK, d->uops.count, FIX_TARGET);
    fix(d, branch, IR_NO_BLOCK, d->uops.count, FIX_RECONV);
    dec_named(d, H_RECONV);
}

/* --- branches --------------------------------------------------------------------------------- */
/* The block that is being decoded: its last instruction is the current one. */
static uint32_t current_block(const struct decoder *d)
{
    uint32_t low = 0, high = d->f->blocks.count - 1;

    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;

        if (d->f->blocks.at[middle].first <= d->inst) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static void fix_reconv(struct decoder *d, uint32_t uop)
{
    const uint32_t meet = d->cfg->ipdom[current_block(d)];

    if (meet != IR_NO_BLOCK) {
        fix(d, uop, meet, 0, FIX_RECONV);
    }
}

static void dec_branch(struct decoder *d, const struct ir_inst *in)
{
    const uint32_t target = ir_ref_index(ir_srcs(d->f, in)[0]);

    if (in->guard == IR_REF_NONE) {
        struct uop *u = dec_named(d, H_BRA);

        if (u != NULL) {
            account(d, u);
            fix(d, d->uops.count - 1, target, 0, FIX_TARGET);
        }
        return;
    }
    const struct operand p = dec_operand(d, in->guard, IR_PRED);
    struct uop *u = dec_named(d, p.scalar ? H_BRA_IF_S : H_BRA_IF);

    if (u == NULL) {
        return;
    }
    u->a = p.offset;
    u->flag = in->guard_not;
    account(d, u);
    fix(d, d->uops.count - 1, target, 0, FIX_TARGET);
    if (!p.scalar) {
        fix_reconv(d, d->uops.count - 1);
    }
}

static void dec_table_branch(struct decoder *d, const struct ir_inst *in)
{
    const ir_ref *srcs = ir_srcs(d->f, in);
    const struct operand index = dec_operand(d, srcs[0], IR_U32);
    const struct ir_table *table = NULL;

    for (unsigned i = 1; i < ir_n_srcs(in); i++) {
        if (ir_ref_kind(srcs[i]) == IR_REF_TABLE) {
            table = &d->f->tables.at[ir_ref_index(srcs[i])];
        }
    }
    if (table == NULL) {
        dec_refuse(d, in, "unsupported: brx.idx without a table");
        return;
    }
    const uint32_t around = dec_begin_guarded(d, in);
    const uint32_t list = d->extra.count, self = d->uops.count;
    struct uop *u = dec_named(d, H_BRX);

    if (u == NULL) {
        return;
    }
    u->a = index.offset;
    u->kinds = index.scalar ? KIND_A : 0;
    u->extra = list;
    account(d, u);
    d->ok = d->ok && vec_push(&d->extra, table->count);
    for (uint32_t i = 0; i < table->count; i++) {
        const struct fixup f = {
            .uop = d->extra.count, .block = ir_ref_index(table->refs[i]), .from = self, .what = FIX_EXTRA};

        d->ok = d->ok && vec_push(&d->fixups, f) && vec_push(&d->extra, 0);
    }
    fix_reconv(d, self);
    dec_end_guarded(d, around);
}

/* --- ends ------------------------------------------------------------------------------------- */
static void dec_exit(struct decoder *d, const struct ir_inst *in)
{
    struct uop *u = dec_named(d, H_EXIT);

    if (u == NULL) {
        return;
    }
    account(d, u);
    if (in->guard != IR_REF_NONE) {
        const struct operand p = dec_operand(d, in->guard, IR_PRED);

        u = &d->uops.at[d->uops.count - 1];
        u->a = p.offset;
        u->kinds = (uint8_t)(KIND_4 | (p.scalar ? KIND_A : 0));
        u->flag = in->guard_not;
    }
}

static void dec_return(struct decoder *d, const struct ir_inst *in)
{
    if (d->f->is_entry) {
        dec_exit(d, in);
        return;
    }
    /* Lanes that return and lanes that stay part for good: they meet behind the call. */
    const struct operand p = dec_operand(d, in->guard, IR_PRED);
    const uint32_t branch = d->uops.count;
    struct uop *u;

    if (in->guard != IR_REF_NONE) {
        u = dec_named(d, p.scalar ? H_BRA_IF_S : H_BRA_IF);
        if (u != NULL) {
            u->a = p.offset;
            u->flag = !in->guard_not;
            account(d, u);
            if (!p.scalar) {
                fix_reconv(d, branch);
            }
        }
    }
    u = dec_named(d, H_RET);
    if (u != NULL) {
        account(d, u);
    }
    if (in->guard != IR_REF_NONE) {
        fix(d, branch, IR_NO_BLOCK, d->uops.count, FIX_TARGET);
    }
}

/* --- calls ------------------------------------------------------------------------------------ */
static struct emu_value value_of(struct decoder *d, ir_ref r, enum ir_type type)
{
    if (ir_ref_kind(r) == IR_REF_SYMBOL) {
        const struct ir_symbol *symbol = &d->f->module->symbols.at[ir_ref_index(r)];

        return (struct emu_value){VALUE_FRAME, (uint32_t)symbol->offset,
                                  symbol->unsized ? UINT32_MAX : (uint32_t)symbol->size_bytes};
    }
    const struct operand o = dec_operand(d, r, type);

    if (o.offset == NO_OPERAND) {
        return (struct emu_value){VALUE_NONE, 0, 0};
    }
    if (o.is_mask) {
        return (struct emu_value){o.scalar ? VALUE_SCALAR_MASK : VALUE_MASK, o.offset, 4};
    }
    return (struct emu_value){o.scalar ? VALUE_SCALAR : VALUE_ROW, o.offset, o.bytes};
}

const struct emu_value *dec_param_values(struct decoder *d, const struct ir_param *params, uint32_t n)
{
    struct emu_value *values = ARENA_ARRAY(d->program->arena, struct emu_value, n);

    d->ok = d->ok && values != NULL;
    for (uint32_t i = 0; d->ok && i < n; i++) {
        values[i] = value_of(d, params[i].ref, (enum ir_type)params[i].type);
    }
    return values;
}

static bool add_site(struct decoder *d, const struct ir_inst *in)
{
    const uint32_t n_args = ir_n_srcs(in) - 1, n_rets = in->n_dst;
    struct emu_value *values = ARENA_ARRAY(d->program->arena, struct emu_value, n_args + n_rets);
    const struct emu_site site = {n_args, n_rets, values};

    if (values == NULL || !vec_push(&d->sites, site)) {
        d->ok = false;
        return false;
    }
    for (uint32_t i = 0; i < n_args; i++) {
        const ir_ref r = ir_srcs(d->f, in)[1 + i];
        const bool is_const = ir_ref_kind(r) == IR_REF_CONST;

        values[i] = value_of(d, r, is_const ? IR_B64 : IR_TYPE_NONE);
    }
    for (uint32_t i = 0; i < n_rets; i++) {
        values[n_args + i] = value_of(d, ir_dsts(d->f, in)[i], IR_TYPE_NONE);
    }
    return d->ok;
}

/* Where a call goes; false, and refused, when there is nothing to call. */
struct call_target {
    enum call_mode mode;
    uint32_t number; /* of the function, of the builtin, of the host's function */
    struct operand address;
};

static bool find_target(struct decoder *d, const struct ir_inst *in, struct call_target *to)
{
    const ir_ref target = ir_srcs(d->f, in)[0];

    *to = (struct call_target){.mode = CALL_INDIRECT, .number = NO_OPERAND, .address = {.offset = NO_OPERAND}};
    if (ir_ref_kind(target) != IR_REF_FUNC) {
        to->address = dec_operand(d, target, IR_U64);
        return true;
    }
    const struct ir_func *callee = d->f->module->funcs.at[ir_ref_index(target)];
    const int builtin = callee->defined ? -1 : emu_builtin_find(callee->name);

    if (callee->defined) {
        to->mode = CALL_DIRECT;
        to->number = callee->index;
    } else if (callee->host_function != 0) {
        to->mode = CALL_HOST;
        to->number = callee->host_function;
    } else if (builtin >= 0) {
        to->mode = CALL_BUILTIN;
        to->number = (uint32_t)builtin;
        d->program->uses_heap = d->program->uses_heap || emu_builtin_uses_heap(builtin);
        d->program->uses_children = d->program->uses_children || emu_builtin_uses_children(builtin);
    } else {
        dec_refuse(d, in,
                   ir_is_supplied(callee->name)
                       ? "function '%s' of CUDA's device run-time (dynamic parallelism) is called"
                       : "function '%s' is called but not defined",
                   callee->name);
        return false;
    }
    return true;
}

static bool check_host_call(struct decoder *d, const struct ir_inst *in, const struct call_target *to)
{
    if (to->mode == CALL_HOST && !emu_host_fits(&d->sites.at[d->sites.count - 1])) {
        dec_refuse(d, in, "a function of the host is called with more than %d bytes", EMU_HOST_BYTES);
        return false;
    }
    return true;
}

static void dec_call(struct decoder *d, const struct ir_inst *in)
{
    struct call_target to;

    if (!find_target(d, in, &to) || !add_site(d, in) || !check_host_call(d, in, &to)) {
        return;
    }
    const uint32_t around = dec_begin_guarded(d, in);
    struct uop *u = dec_named(d, H_CALL);

    if (u == NULL) {
        return;
    }
    account(d, u);
    u->vec = 0;
    u->extra = d->sites.count - 1;
    u->mode = (uint8_t)to.mode;
    u->a = to.address.offset;
    u->kinds = to.address.scalar ? KIND_A : 0;
    u->b = to.number;
    u->reconv = 1;
    dec_named(d, H_RECONV);
    dec_end_guarded(d, around);
}

/* --- barriers and the rest -------------------------------------------------------------------- */
static void dec_barrier(struct decoder *d, const struct ir_inst *in)
{
    static const uint8_t modes[] = {[IR_BAR_SYNC - IR_BAR_SYNC] = BAR_MODE_SYNC,
                                    [IR_BAR_ARRIVE - IR_BAR_SYNC] = BAR_MODE_ARRIVE,
                                    [IR_BAR_RED_AND - IR_BAR_SYNC] = BAR_MODE_AND,
                                    [IR_BAR_RED_OR - IR_BAR_SYNC] = BAR_MODE_OR,
                                    [IR_BAR_RED_POPC - IR_BAR_SYNC] = BAR_MODE_POPC};
    const ir_ref *srcs = ir_srcs(d->f, in);

    if (in->op == IR_CLUSTER_ARRIVE || in->op == IR_CLUSTER_WAIT) {
        const uint32_t around = dec_begin_guarded(d, in);
        struct uop *u = dec_named(d, H_BAR);

        if (u != NULL) {
            account(d, u);
            u->mode = in->op == IR_CLUSTER_WAIT ? BAR_MODE_CLUSTER_WAIT : BAR_MODE_CLUSTER_ARRIVE;
        }
        dec_end_guarded(d, around);
        return;
    }
    const struct operand id = dec_operand(d, srcs[0], IR_U32), count = dec_operand(d, srcs[1], IR_U32);
    const bool reduces = in->op >= IR_BAR_RED_AND;
    const struct operand p = reduces ? dec_operand(d, srcs[2], IR_PRED) : (struct operand){.offset = NO_OPERAND};
    struct operand dst =
        reduces ? dec_operand(d, ir_dsts(d->f, in)[0], IR_TYPE_NONE) : (struct operand){.offset = NO_OPERAND};

    if (reduces && dst.offset == NO_OPERAND) {
        dst = dec_scratch(d, 4, in->op != IR_BAR_RED_POPC);
    }
    const uint32_t around = dec_begin_guarded(d, in);
    struct uop *u = dec_named(d, H_BAR);

    if (u != NULL) {
        account(d, u);
        u->a = id.offset;
        u->b = count.offset;
        u->c = p.offset;
        u->d = dst.offset;
        u->kinds = (uint8_t)((id.scalar ? KIND_A : 0) | (count.scalar && count.offset != NO_OPERAND ? KIND_B : 0) |
                             (p.scalar && reduces ? KIND_C : 0));
        u->mode = modes[in->op - IR_BAR_SYNC];
    }
    dec_end_guarded(d, around);
}

static void dec_stack(struct decoder *d, const struct ir_inst *in)
{
    const struct operand size =
        in->n_src > 0 ? dec_operand(d, ir_srcs(d->f, in)[0], IR_U32) : (struct operand){.offset = NO_OPERAND};
    const struct operand dst =
        in->n_dst > 0 ? dec_operand(d, ir_dsts(d->f, in)[0], IR_TYPE_NONE) : (struct operand){.offset = NO_OPERAND};
    const uint32_t around = dec_begin_guarded(d, in);
    struct uop *u = dec_named(d, H_ALLOCA);

    if (u != NULL) {
        u->mode = in->op == IR_ALLOCA ? STACK_ALLOCA : in->op == IR_STACKSAVE ? STACK_SAVE : STACK_RESTORE;
        u->d = dst.offset;
        u->a = size.offset;
        u->kinds = size.scalar ? KIND_A : 0;
        u->imm = in->align;
        u->vec = (uint8_t)dst.bytes;
        u->flag = size.bytes == 8 ? 64 : 32;
    }
    dec_end_guarded(d, around);
}

static void dec_trap(struct decoder *d, const struct ir_inst *in)
{
    dec_guard(d, in);
    struct uop *u = dec_named(d, H_TRAP);

    if (u != NULL) {
        account(d, u);
        u->mode = in->op == IR_BRKPT;
    }
}

static void dec_yield(struct decoder *d, const struct ir_inst *in)
{
    const uint32_t around = dec_begin_guarded(d, in);
    struct uop *u = dec_named(d, H_YIELD);

    if (u != NULL) {
        account(d, u);
    }
    dec_end_guarded(d, around);
}

void dec_control(struct decoder *d, const struct ir_inst *in)
{
    struct uop *u;

    switch (in->op) {
    case IR_BRA:
        dec_branch(d, in);
        break;
    case IR_BRX:
        dec_table_branch(d, in);
        break;
    case IR_CALL:
        dec_call(d, in);
        break;
    case IR_RET:
        dec_return(d, in);
        break;
    case IR_EXIT:
        dec_exit(d, in);
        break;
    case IR_TRAP:
    case IR_BRKPT:
        dec_trap(d, in);
        break;
    case IR_NANOSLEEP:
        dec_yield(d, in);
        break;
    case IR_FENCE:
        u = dec_named(d, H_FENCE);
        if (u != NULL) {
            u->mode = in->mods.sem;
        }
        break;
    case IR_ALLOCA:
    case IR_STACKSAVE:
    case IR_STACKRESTORE:
        dec_stack(d, in);
        break;
    default:
        dec_barrier(d, in);
        break;
    }
}
