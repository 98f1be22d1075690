/*
 * Which registers are alive at the borders of blocks.
 *
 * Per register instead of per block: from each block that reads the register before writing it, walk backwards until
 * blocks that write it.  The work is proportional to the result, without a fixpoint; registers used only inside one
 * block, most of them, cost nothing.  Registers are taken in ascending order, so the lists come out sorted.
 *
 * A definition under a guard leaves the old value to some lanes and does not end the walk.  Neither does one after a
 * branch in the middle of a block, which the branch's target does not see.
 */
#include "ir/passes.h"

#include <stdlib.h>

#include "ir/defuse.h"

enum { NEVER = UINT32_MAX };

/* One (register, block) fact, chained per register. */
struct fact {
    uint32_t block;
    uint32_t next;
};

struct walk {
    const struct ir_func *f;
    const struct ir_cfg *cfg;
    uint32_t *reads;  /* per register: first fact of the blocks that read it before writing it */
    uint32_t *writes; /* per register: first fact of the blocks that surely write it */
    VEC(struct fact) facts;
    uint32_t *read_in;    /* per register: the latest block with a `reads` fact */
    uint32_t *written_in; /* per register: the latest block with a `writes` fact */
    uint32_t *in_reg;     /* per block: the latest register found alive at its start */
    uint32_t *out_reg;
    uint32_t *kill_reg; /* per block: the latest register whose walk ends there */
    uint32_t *stack;
};

static uint32_t *filled(size_t count, uint32_t value)
{
    uint32_t *a = malloc((count + 1) * sizeof *a);

    for (size_t i = 0; a != NULL && i < count; i++) {
        a[i] = value;
    }
    return a;
}

static bool walk_init(struct walk *w, const struct ir_func *f, const struct ir_cfg *cfg)
{
    uint32_t regs = f->regs.count, blocks = cfg->n_blocks;

    w->f = f;
    w->cfg = cfg;
    w->reads = filled(regs, NEVER);
    w->writes = filled(regs, NEVER);
    w->read_in = filled(regs, NEVER);
    w->written_in = filled(regs, NEVER);
    w->in_reg = filled(blocks, NEVER);
    w->out_reg = filled(blocks, NEVER);
    w->kill_reg = filled(blocks, NEVER);
    w->stack = filled(blocks, NEVER);
    return w->reads != NULL && w->writes != NULL && w->read_in != NULL && w->written_in != NULL && w->in_reg != NULL &&
           w->out_reg != NULL && w->kill_reg != NULL && w->stack != NULL;
}

static void walk_release(struct walk *w)
{
    free(w->reads);
    free(w->writes);
    free(w->read_in);
    free(w->written_in);
    free(w->in_reg);
    free(w->out_reg);
    free(w->kill_reg);
    free(w->stack);
    vec_free(&w->facts);
}

static bool add_fact(struct walk *w, uint32_t *first, uint32_t block)
{
    struct fact fact = {.block = block, .next = *first};

    if (!vec_push(&w->facts, fact)) {
        return false;
    }
    *first = w->facts.count - 1;
    return true;
}

static bool note_reads(struct walk *w, const struct ir_inst *in, uint32_t block)
{
    uint32_t n = ir_n_uses(w->f, in);

    for (uint32_t k = 0; k < n; k++) {
        ir_ref r = ir_use(w->f, in, k);
        uint32_t reg = ir_ref_index(r);

        if (!ir_is_reg(r) || w->written_in[reg] == block || w->read_in[reg] == block) {
            continue;
        }
        w->read_in[reg] = block;
        if (!add_fact(w, &w->reads[reg], block)) {
            return false;
        }
    }
    return true;
}

static bool note_writes(struct walk *w, const struct ir_inst *in, uint32_t block)
{
    for (uint32_t k = 0; k < in->n_dst; k++) {
        ir_ref r = ir_dsts(w->f, in)[k];
        uint32_t reg = ir_ref_index(r);

        if (!ir_is_reg(r) || w->written_in[reg] == block) {
            continue;
        }
        w->written_in[reg] = block;
        if (!add_fact(w, &w->writes[reg], block)) {
            return false;
        }
    }
    return true;
}

static bool scan_block(struct walk *w, uint32_t block)
{
    const struct ir_block *b = &w->f->blocks.at[block];
    bool branched = false;

    for (uint32_t i = b->first; i < b->first + b->count; i++) {
        const struct ir_inst *in = &w->f->insts.at[i];

        if (!note_reads(w, in, block)) {
            return false;
        }
        if (ir_defines_all_lanes(in) && !branched && !note_writes(w, in, block)) {
            return false;
        }
        branched |= in->op == IR_BRA || in->op == IR_BRX;
    }
    return true;
}

/* Where found facts go: nowhere while they are counted, then into the lists. */
struct sink {
    uint32_t *in_at, *out_at; /* counted or filled up to here, per block */
    uint32_t *in, *out;       /* NULL while counting */
    uint64_t entries;
};

static void emit(uint32_t *at, uint32_t *list, uint32_t block, uint32_t reg)
{
    if (list != NULL) {
        list[at[block]] = reg;
    }
    at[block]++;
}

static uint32_t enter_block(struct walk *w, struct sink *s, uint32_t block, uint32_t reg, uint32_t depth)
{
    if (w->in_reg[block] == reg) {
        return depth;
    }
    w->in_reg[block] = reg;
    emit(s->in_at, s->in, block, reg);
    s->entries++;
    w->stack[depth] = block;
    return depth + 1;
}

static void walk_register(struct walk *w, struct sink *s, uint32_t reg)
{
    const struct ir_cfg *cfg = w->cfg;
    uint32_t depth = 0;

    for (uint32_t i = w->writes[reg]; i != NEVER; i = w->facts.at[i].next) {
        w->kill_reg[w->facts.at[i].block] = reg;
    }
    for (uint32_t i = w->reads[reg]; i != NEVER; i = w->facts.at[i].next) {
        depth = enter_block(w, s, w->facts.at[i].block, reg, depth);
    }
    while (depth > 0) {
        uint32_t block = w->stack[--depth];

        for (uint32_t e = cfg->pred_at[block]; e < cfg->pred_at[block + 1]; e++) {
            uint32_t from = cfg->pred[e];

            if (w->out_reg[from] == reg) {
                continue;
            }
            w->out_reg[from] = reg;
            emit(s->out_at, s->out, from, reg);
            s->entries++;
            if (w->kill_reg[from] != reg) {
                depth = enter_block(w, s, from, reg, depth);
            }
        }
    }
}

/* False when the sets grow beyond the limit. */
static bool walk_all(struct walk *w, struct sink *s)
{
    for (uint32_t b = 0; b < w->cfg->n_blocks; b++) {
        w->in_reg[b] = w->out_reg[b] = w->kill_reg[b] = NEVER;
    }
    s->entries = 0;
    for (uint32_t reg = 0; reg < w->f->regs.count; reg++) {
        if (w->reads[reg] != NEVER) {
            walk_register(w, s, reg);
        }
        if (s->entries > IR_LIVE_MAX_ENTRIES) {
            return false;
        }
    }
    return true;
}

/* Turn counts per block, which lie one place late, into where each list starts. */
static uint32_t sum_counts(uint32_t *at, uint32_t n)
{
    for (uint32_t b = 0; b < n; b++) {
        at[b + 1] += at[b];
    }
    return at[n];
}

/*
 * Counting uses at + 1, so that sums turn counts into starts in place; filling moves starts to ends, which is undone by
 * shifting the array one place.
 */
static bool fill_lists(struct walk *w, struct ir_live *live, uint32_t n)
{
    struct sink s = {.in_at = live->in_at + 1, .out_at = live->out_at + 1};

    if (!walk_all(w, &s)) {
        return false;
    }
    live->in = malloc(((size_t)sum_counts(live->in_at, n) + 1) * sizeof *live->in);
    live->out = malloc(((size_t)sum_counts(live->out_at, n) + 1) * sizeof *live->out);
    if (live->in == NULL || live->out == NULL) {
        return false;
    }
    s = (struct sink){.in_at = live->in_at, .out_at = live->out_at, .in = live->in, .out = live->out};
    walk_all(w, &s);
    for (uint32_t b = n; b > 0; b--) {
        live->in_at[b] = live->in_at[b - 1];
        live->out_at[b] = live->out_at[b - 1];
    }
    live->in_at[0] = live->out_at[0] = 0;
    return true;
}

struct ir_live *ir_live_new(const struct ir_func *f, const struct ir_cfg *cfg)
{
    struct ir_live *live = calloc(1, sizeof *live);
    struct walk w = {0};
    bool ok = live != NULL && walk_init(&w, f, cfg);

    for (uint32_t b = 0; ok && b < cfg->n_blocks; b++) {
        ok = scan_block(&w, b);
    }
    if (ok) {
        live->in_at = calloc((size_t)cfg->n_blocks + 1, sizeof *live->in_at);
        live->out_at = calloc((size_t)cfg->n_blocks + 1, sizeof *live->out_at);
        ok = live->in_at != NULL && live->out_at != NULL && fill_lists(&w, live, cfg->n_blocks);
    }
    walk_release(&w);
    if (!ok) {
        ir_live_free(live);
        return NULL;
    }
    return live;
}

void ir_live_free(struct ir_live *live)
{
    if (live == NULL) {
        return;
    }
    free(live->in_at);
    free(live->in);
    free(live->out_at);
    free(live->out);
    free(live);
}

static bool holds(const uint32_t *at, const uint32_t *list, uint32_t block, uint32_t reg)
{
    uint32_t low = at[block], high = at[block + 1];

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (list[middle] < reg) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < at[block + 1] && list[low] == reg;
}

bool ir_live_in(const struct ir_live *live, uint32_t block, uint32_t reg)
{
    return holds(live->in_at, live->in, block, reg);
}

bool ir_live_out(const struct ir_live *live, uint32_t block, uint32_t reg)
{
    return holds(live->out_at, live->out, block, reg);
}
