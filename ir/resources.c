/*
 * An estimate of the registers per thread that ptxas would give: the largest number of 32-bit values alive at once,
 * plus what its code needs besides.  ptxas reorders and rewrites, so this is an estimate.  Against 35 small kernels
 * compiled for sm_90 it is off by 4 registers on average and by 14 at most (tile loops, where ptxas spends registers to
 * keep loads in flight); 27 get the same allocation in units of 8, which is what occupancy depends on.
 */
#include "ir/passes.h"

#include <stdlib.h>
#include <string.h>

#include "ir/defuse.h"

enum {
    FREE_PREDICATES = 7, /* P0 .. P6 hold predicates without taking registers */
    RESERVE = 3,         /* what addressing and scheduling add: the best fit, see the top */
    CALL_RESERVE = 16,   /* what the ABI keeps for a call: return address, frame pointer, argument registers */
    GRANULE = 2,         /* ptxas likes even counts for 64-bit pairs */
    MIN_REGISTERS = 8,
    MAX_REGISTERS = 255,
};

/* Values alive at one place while a block is walked backwards. */
struct pressure {
    const struct ir_func *f;
    uint8_t *alive;      /* per register */
    uint32_t words;      /* 32-bit registers taken */
    uint32_t predicates; /* alive predicates */
    uint32_t peak;       /* largest demand seen */
};

static uint32_t words_of(const struct ir_func *f, uint32_t reg)
{
    return (ir_type_info[f->regs.at[reg].type].bits + 31U) / 32;
}

static void set_alive(struct pressure *p, uint32_t reg, uint8_t alive)
{
    if (p->alive[reg] == alive) {
        return;
    }
    p->alive[reg] = alive;
    uint32_t *count = ir_type_info[p->f->regs.at[reg].type].kind == IR_KIND_PRED ? &p->predicates : &p->words;
    uint32_t amount = count == &p->predicates ? 1 : words_of(p->f, reg);

    *count = alive ? *count + amount : *count - amount;
}

static void note_peak(struct pressure *p)
{
    uint32_t spilled = p->predicates > FREE_PREDICATES ? p->predicates - FREE_PREDICATES : 0;
    uint32_t demand = p->words + (spilled + 31) / 32;

    p->peak = demand > p->peak ? demand : p->peak;
}

static void step_back(struct pressure *p, const struct ir_inst *in)
{
    uint32_t n = ir_n_uses(p->f, in);

    for (uint32_t k = 0; k < in->n_dst; k++) {
        if (ir_is_reg(ir_dsts(p->f, in)[k])) {
            set_alive(p, ir_ref_index(ir_dsts(p->f, in)[k]), 1);
        }
    }
    note_peak(p);
    for (uint32_t k = 0; ir_defines_all_lanes(in) && k < in->n_dst; k++) {
        if (ir_is_reg(ir_dsts(p->f, in)[k])) {
            set_alive(p, ir_ref_index(ir_dsts(p->f, in)[k]), 0);
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        if (ir_is_reg(ir_use(p->f, in, k))) {
            set_alive(p, ir_ref_index(ir_use(p->f, in, k)), 1);
        }
    }
    note_peak(p);
}

static void walk_block(struct pressure *p, const struct ir_live *live, uint32_t block)
{
    const struct ir_block *b = &p->f->blocks.at[block];

    for (uint32_t i = live->out_at[block]; i < live->out_at[block + 1]; i++) {
        set_alive(p, live->out[i], 1);
    }
    note_peak(p);
    for (uint32_t i = b->count; i-- > 0;) {
        step_back(p, &p->f->insts.at[b->first + i]);
    }
    /* Nothing else can be alive now, except what a branch inside the block kept so. */
    for (uint32_t i = live->in_at[block]; i < live->in_at[block + 1]; i++) {
        set_alive(p, live->in[i], 0);
    }
}

static void reset(struct pressure *p)
{
    memset(p->alive, 0, p->f->regs.count);
    p->words = p->predicates = 0;
}

/* False when memory is exhausted. */
static bool peak_of(const struct ir_func *f, uint32_t *peak)
{
    struct ir_cfg *cfg = ir_cfg_new(f);
    struct ir_live *live = cfg == NULL ? NULL : ir_live_new(f, cfg);
    struct pressure p = {.f = f, .alive = malloc((size_t)f->regs.count + 1)};
    bool ok = live != NULL && p.alive != NULL;

    if (ok) {
        reset(&p);
        for (uint32_t b = 0; b < cfg->n_blocks; b++) {
            walk_block(&p, live, b);
        }
        *peak = p.peak;
    }
    free(p.alive);
    ir_live_free(live);
    ir_cfg_free(cfg);
    return ok;
}

/* --- over calls ----------------------------------------------------------------------------------------------- */

/* Functions reachable by calls: a work list over the module's functions. */
struct reach {
    const struct ir_module *m;
    bool *seen;
    uint32_t *list;
    uint32_t count;
};

static void reach_function(struct reach *r, uint32_t func)
{
    if (!r->seen[func] && r->m->funcs.at[func]->defined) {
        r->seen[func] = true;
        r->list[r->count++] = func;
    }
}

/* Every function that an instruction names may be called, directly or later through the pointer. */
static void reach_operand(struct reach *r, const struct ir_func *f, ir_ref src)
{
    if (ir_ref_kind(src) == IR_REF_FUNC) {
        reach_function(r, ir_ref_index(src));
    }
    if (ir_ref_kind(src) == IR_REF_TABLE) {
        const struct ir_table *table = &f->tables.at[ir_ref_index(src)];

        for (uint32_t i = 0; i < table->count; i++) {
            if (ir_ref_kind(table->refs[i]) == IR_REF_FUNC) {
                reach_function(r, ir_ref_index(table->refs[i]));
            }
        }
    }
}

/* True when `f` calls. */
static bool reach_callees(struct reach *r, const struct ir_func *f)
{
    bool calls = false;

    for (uint32_t i = 0; i < f->insts.count; i++) {
        const struct ir_inst *in = &f->insts.at[i];
        uint32_t n = ir_n_srcs(in);

        calls |= (ir_op_info[in->op].effects & IR_E_CALL) != 0;
        for (uint32_t k = 0; k < n; k++) {
            reach_operand(r, f, ir_srcs(f, in)[k]);
        }
    }
    return calls;
}

static unsigned round_and_clamp(const struct ir_func *f, uint32_t registers)
{
    uint32_t limit = f->maxnreg != 0 && f->maxnreg < MAX_REGISTERS ? f->maxnreg : MAX_REGISTERS;

    registers = (registers + GRANULE - 1) / GRANULE * GRANULE;
    registers = registers > limit ? limit : registers;
    return registers < MIN_REGISTERS ? MIN_REGISTERS : registers;
}

/* The worst function of all that are reachable; false when memory is exhausted. */
static bool demand_of(const struct ir_func *f, struct reach *r, uint32_t *demand)
{
    *demand = 0;
    reach_function(r, f->index);
    for (uint32_t i = 0; i < r->count; i++) {
        const struct ir_func *callee = r->m->funcs.at[r->list[i]];
        uint32_t peak;

        if (!peak_of(callee, &peak)) {
            return false;
        }
        peak += RESERVE + (reach_callees(r, callee) ? CALL_RESERVE : 0);
        *demand = peak > *demand ? peak : *demand;
    }
    return true;
}

unsigned ir_estimate_registers(const struct ir_func *f)
{
    uint32_t n = f->module->funcs.count;
    struct reach r = {
        .m = f->module, .seen = calloc((size_t)n + 1, sizeof *r.seen), .list = malloc(((size_t)n + 1) * 4)};
    uint32_t demand = 0;

    if (r.seen == NULL || r.list == NULL || !demand_of(f, &r, &demand)) {
        demand = MAX_REGISTERS; /* the careful answer when memory is exhausted */
    }
    free(r.seen);
    free(r.list);
    return round_and_clamp(f, demand);
}
