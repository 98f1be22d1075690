/*
 * Storage for virtual registers: linear scan over the text, one interval per register from its first to its last
 * position, without holes.  PTX from a compiler uses most registers in one short stretch, so this packs well and costs
 * linear time. A freed slot is taken again before older ones, which keeps what a warp touches small and warm in the
 * host's cache. Rows of different width, masks and scalars have pools of their own: two registers share all of a slot
 * or nothing.
 *
 * What handlers may rely on.  One register may be source and destination of an instruction, as the program wrote it.
 * Two different registers of one instruction never overlap, with one exception: a destination may take exactly the slot
 * of a source that is not needed afterwards, if the instruction has no guard, is pure (E_PURE), has a single
 * destination, and all its sources in rows are as wide as a destination in a row.  Then it is elementwise: lane i of
 * the result needs only lane i of the sources.  Scalars count as equally wide.  In all other instructions - loads,
 * shuffles, calls, carry chains, wide products, conversions between widths, anything under a guard - destinations
 * overlap neither sources, nor the guard, nor each other.
 *
 * Positions: instruction i reads at 2i and writes at 2i + 1.  Where sharing is not allowed a destination starts at 2i.
 */
#include "ir/passes.h"

#include <stdlib.h>

#include "ir/defuse.h"

enum { NONE = UINT32_MAX, MASK_BYTES = 4, SCALAR_BYTES = 8 };

enum pool_id {
    POOL_ROW_64,
    POOL_ROW_128,
    POOL_ROW_256,
    POOL_ROW_512,
    POOL_MASK,
    POOL_SCALAR,
    POOL_SCALAR_16,
    POOL_COUNT
};

static const struct {
    enum ir_slot_kind kind;
    uint32_t bytes;
} pool_info[POOL_COUNT] = {
    [POOL_ROW_64] = {IR_SLOT_ROW, 64},
    [POOL_ROW_128] = {IR_SLOT_ROW, 128},
    [POOL_ROW_256] = {IR_SLOT_ROW, 256},
    [POOL_ROW_512] = {IR_SLOT_ROW, 512},
    [POOL_MASK] = {IR_SLOT_MASK, MASK_BYTES},
    [POOL_SCALAR] = {IR_SLOT_SCALAR, SCALAR_BYTES},
    [POOL_SCALAR_16] = {IR_SLOT_SCALAR, 2 * SCALAR_BYTES},
};

struct scan {
    const struct ir_func *f;
    const struct ir_cfg *cfg;
    const struct ir_live *live;
    const struct ir_uniform *u;
    struct ir_slots *slots;
    uint32_t *start, *end;   /* per register; start NONE when it is never mentioned */
    uint32_t *starts, *ends; /* per position: first register that starts or ends there, then by `next_*` */
    uint32_t *next_start, *next_end;
    uint32_t *slot;      /* per register: index in its pool */
    uint32_t *next_free; /* slots given back, per pool, the latest first; indexed by the last register that held it */
    uint32_t free_head[POOL_COUNT];
    uint32_t used[POOL_COUNT]; /* slots made so far */
    uint32_t n_positions;
};

static enum pool_id pool_of(const struct ir_func *f, const struct ir_uniform *u, uint32_t reg)
{
    uint8_t type = f->regs.at[reg].type;
    bool uniform = u->regs[reg / 64] >> (reg % 64) & 1;

    if (uniform) {
        return ir_type_info[type].bits > 64 ? POOL_SCALAR_16 : POOL_SCALAR;
    }
    if (ir_type_info[type].kind == IR_KIND_PRED) {
        return POOL_MASK;
    }
    switch (ir_type_bytes(type)) {
    case 4:
        return POOL_ROW_128;
    case 8:
        return POOL_ROW_256;
    case 16:
        return POOL_ROW_512;
    default:
        return POOL_ROW_64;
    }
}

/* --- intervals ------------------------------------------------------------------------------------------------ */

static void cover(struct scan *s, uint32_t reg, uint32_t from, uint32_t to)
{
    if (s->start[reg] == NONE) {
        s->start[reg] = from;
        s->end[reg] = to;
        return;
    }
    s->start[reg] = from < s->start[reg] ? from : s->start[reg];
    s->end[reg] = to > s->end[reg] ? to : s->end[reg];
}

/* May the destination take the place of a source that ends here?  See the rule at the top. */
static bool may_share(const struct scan *s, const struct ir_inst *in)
{
    uint32_t n = ir_n_srcs(in);

    if (ir_is_guarded(in) || in->n_dst != 1 || (ir_op_info[in->op].effects & IR_E_PURE) == 0) {
        return false;
    }
    ir_ref dst = ir_dsts(s->f, in)[0];
    if (!ir_is_reg(dst)) {
        return false;
    }
    enum pool_id to = pool_of(s->f, s->u, ir_ref_index(dst));
    for (uint32_t k = 0; k < n; k++) {
        ir_ref src = ir_srcs(s->f, in)[k];

        if (!ir_is_reg(src)) {
            continue;
        }
        enum pool_id from = pool_of(s->f, s->u, ir_ref_index(src));
        if (from != to && pool_info[from].kind == pool_info[to].kind) {
            return false;
        }
    }
    return true;
}

static void cover_instruction(struct scan *s, uint32_t index)
{
    const struct ir_inst *in = &s->f->insts.at[index];
    uint32_t read = 2 * index, write = read + 1;
    uint32_t n = ir_n_uses(s->f, in);
    uint32_t first = may_share(s, in) ? write : read;

    for (uint32_t k = 0; k < n; k++) {
        if (ir_is_reg(ir_use(s->f, in, k))) {
            cover(s, ir_ref_index(ir_use(s->f, in, k)), read, read);
        }
    }
    for (uint32_t k = 0; k < in->n_dst; k++) {
        if (ir_is_reg(ir_dsts(s->f, in)[k])) {
            cover(s, ir_ref_index(ir_dsts(s->f, in)[k]), first, write);
        }
    }
}

static void cover_block(struct scan *s, uint32_t block)
{
    const struct ir_block *b = &s->f->blocks.at[block];
    const struct ir_live *live = s->live;
    uint32_t from = 2 * b->first, to = 2 * (b->first + b->count);

    for (uint32_t i = live->in_at[block]; i < live->in_at[block + 1]; i++) {
        cover(s, live->in[i], from, from);
    }
    for (uint32_t i = live->out_at[block]; i < live->out_at[block + 1]; i++) {
        cover(s, live->out[i], to, to);
    }
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
        cover_instruction(s, i);
    }
}

/* Arguments are there before the first instruction, read or not; so are registers that read as zero. */
static void cover_entry(struct scan *s)
{
    for (uint32_t p = 0; p < s->f->n_params; p++) {
        if (ir_is_reg(s->f->params[p].ref)) {
            cover(s, ir_ref_index(s->f->params[p].ref), 0, 0);
        }
    }
    for (uint32_t i = s->live->in_at[0]; s->cfg->n_blocks > 0 && i < s->live->in_at[1]; i++) {
        cover(s, s->live->in[i], 0, 0);
    }
}

/* The caller takes the results of a function after its last instruction; of one without RET too. */
static void cover_results(struct scan *s)
{
    for (uint32_t r = 0; r < s->f->n_rets; r++) {
        if (ir_is_reg(s->f->rets[r].ref)) {
            uint32_t reg = ir_ref_index(s->f->rets[r].ref);

            if (s->start[reg] == NONE) {
                cover(s, reg, 0, s->n_positions - 1);
            }
        }
    }
}

/* --- the scan ------------------------------------------------------------------------------------------------- */

/* Descending, so that each position's list comes out ascending and the result does not depend on anything but the text.
 */
static void sort_intervals(struct scan *s)
{
    for (uint32_t p = 0; p < s->n_positions; p++) {
        s->starts[p] = s->ends[p] = NONE;
    }
    for (uint32_t r = s->f->regs.count; r-- > 0;) {
        if (s->start[r] == NONE) {
            continue;
        }
        s->next_start[r] = s->starts[s->start[r]];
        s->starts[s->start[r]] = r;
        s->next_end[r] = s->ends[s->end[r]];
        s->ends[s->end[r]] = r;
    }
}

static void take_slot(struct scan *s, uint32_t reg)
{
    enum pool_id pool = pool_of(s->f, s->u, reg);
    uint32_t holder = s->free_head[pool];

    s->slots->kind[reg] = (uint8_t)pool_info[pool].kind;
    if (holder == NONE) {
        s->slot[reg] = s->used[pool]++;
        return;
    }
    s->free_head[pool] = s->next_free[holder];
    s->slot[reg] = s->slot[holder];
}

static void give_slot(struct scan *s, uint32_t reg)
{
    enum pool_id pool = pool_of(s->f, s->u, reg);

    s->next_free[reg] = s->free_head[pool];
    s->free_head[pool] = reg;
}

static void assign_slots(struct scan *s)
{
    for (uint32_t p = 0; p < s->n_positions; p++) {
        for (uint32_t r = s->starts[p]; r != NONE; r = s->next_start[r]) {
            take_slot(s, r);
        }
        for (uint32_t r = s->ends[p]; r != NONE; r = s->next_end[r]) {
            give_slot(s, r);
        }
    }
}

/* Wide rows first, so that each lies at a multiple of its size and within as few pages as can be. */
static bool place_pools(struct scan *s)
{
    static const enum pool_id order[POOL_COUNT] = {POOL_ROW_512, POOL_ROW_256,   POOL_ROW_128, POOL_ROW_64,
                                                   POOL_MASK,    POOL_SCALAR_16, POOL_SCALAR};
    uint64_t bytes[IR_SLOT_SCALAR + 1] = {0}; /* used so far of each kind's area */
    uint32_t base[POOL_COUNT];

    for (size_t i = 0; i < POOL_COUNT; i++) {
        enum pool_id pool = order[i];
        enum ir_slot_kind kind = pool_info[pool].kind;

        base[pool] = (uint32_t)bytes[kind];
        bytes[kind] += (uint64_t)s->used[pool] * pool_info[pool].bytes;
        if (bytes[kind] > INT32_MAX) {
            return false;
        }
    }
    for (uint32_t r = 0; r < s->f->regs.count; r++) {
        if (s->slots->kind[r] != IR_SLOT_NONE) {
            enum pool_id pool = pool_of(s->f, s->u, r);

            s->slots->offset[r] = base[pool] + s->slot[r] * pool_info[pool].bytes;
        }
    }
    s->slots->row_bytes = (uint32_t)bytes[IR_SLOT_ROW];
    s->slots->mask_bytes = (uint32_t)bytes[IR_SLOT_MASK];
    s->slots->scalar_bytes = (uint32_t)bytes[IR_SLOT_SCALAR];
    return true;
}

static bool scan_init(struct scan *s)
{
    size_t regs = (size_t)s->f->regs.count + 1;

    if (s->f->insts.count > INT32_MAX - 1) {
        return false;
    }
    s->n_positions = 2 * s->f->insts.count + 1;
    s->start = malloc(regs * sizeof *s->start);
    s->end = malloc(regs * sizeof *s->end);
    s->next_start = malloc(regs * sizeof *s->next_start);
    s->next_end = malloc(regs * sizeof *s->next_end);
    s->slot = malloc(regs * sizeof *s->slot);
    s->next_free = malloc(regs * sizeof *s->next_free);
    s->starts = malloc((size_t)s->n_positions * sizeof *s->starts);
    s->ends = malloc((size_t)s->n_positions * sizeof *s->ends);
    if (s->start == NULL || s->end == NULL || s->next_start == NULL || s->next_end == NULL || s->slot == NULL ||
        s->next_free == NULL || s->starts == NULL || s->ends == NULL) {
        return false;
    }
    for (uint32_t r = 0; r < s->f->regs.count; r++) {
        s->start[r] = NONE;
    }
    for (size_t p = 0; p < POOL_COUNT; p++) {
        s->free_head[p] = NONE;
    }
    return true;
}

static void scan_release(struct scan *s)
{
    free(s->start);
    free(s->end);
    free(s->next_start);
    free(s->next_end);
    free(s->slot);
    free(s->next_free);
    free(s->starts);
    free(s->ends);
}

static struct ir_slots *allocate(const struct ir_func *f)
{
    struct ir_slots *slots = calloc(1, sizeof *slots);

    if (slots == NULL) {
        return NULL;
    }
    slots->kind = calloc((size_t)f->regs.count + 1, sizeof *slots->kind);
    slots->offset = calloc((size_t)f->regs.count + 1, sizeof *slots->offset);
    if (slots->kind == NULL || slots->offset == NULL) {
        ir_slots_free(slots);
        return NULL;
    }
    return slots;
}

static bool scan_function(struct scan *s)
{
    if (s->slots == NULL || !scan_init(s)) {
        return false;
    }
    cover_entry(s);
    for (uint32_t b = 0; b < s->cfg->n_blocks; b++) {
        cover_block(s, b);
    }
    cover_results(s);
    sort_intervals(s);
    assign_slots(s);
    return place_pools(s);
}

struct ir_slots *ir_slots_new(const struct ir_func *f, const struct ir_cfg *cfg, const struct ir_live *live,
                              const struct ir_uniform *u)
{
    struct scan s = {.f = f, .cfg = cfg, .live = live, .u = u, .slots = allocate(f)};
    bool ok = scan_function(&s);

    scan_release(&s);
    if (!ok) {
        ir_slots_free(s.slots);
        return NULL;
    }
    return s.slots;
}

void ir_slots_free(struct ir_slots *s)
{
    if (s == NULL) {
        return;
    }
    free(s->kind);
    free(s->offset);
    free(s);
}
