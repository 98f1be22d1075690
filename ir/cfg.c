/*
 * The control-flow graph of one function: successors, predecessors, reverse post-order.
 *
 * Only the end of a block splits control.  A guarded RET or EXIT before the end merely takes lanes away; the rest go
 * on, so it makes no edge.  A branch before the end does make its edge, although lowering starts a new block after
 * each.  CALL ends no block.  TRAP and BRKPT leave when they are the unguarded end of a block; under a guard they
 * either do nothing or stop the kernel, so they are no edge.  A block without a terminator falls through; the last one
 * then leaves.
 *
 * Successors are distinct; branch targets come first, the block that is fallen into last, so that reverse post-order
 * keeps to the order of the text where it can.
 */
#include "ir/passes.h"

#include <assert.h>
#include <stdlib.h>

#include "ir/defuse.h"
#include "ir/dominance.h"

/* Tables shared by many indexed branches make edges multiply; beyond this many a function counts as too large. */
enum { MAX_EDGES = 1 << 26 };

/* Edges under construction. */
struct edges {
    VEC(uint32_t) to;
    uint32_t *last_from; /* per block: the latest block that got an edge to it, to keep successors distinct */
    uint32_t from;
};

static bool add_edge(struct edges *e, uint32_t to)
{
    if (e->last_from[to] == e->from) {
        return true;
    }
    e->last_from[to] = e->from;
    return e->to.count < MAX_EDGES && vec_push(&e->to, to);
}

static bool add_table(struct edges *e, const struct ir_table *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        if (!add_edge(e, ir_ref_index(table->refs[i]))) {
            return false;
        }
    }
    return true;
}

static bool add_branch_targets(struct edges *e, const struct ir_func *f, const struct ir_inst *in)
{
    for (uint32_t k = 0; k < ir_n_srcs(in); k++) {
        ir_ref src = ir_srcs(f, in)[k];

        if (ir_ref_kind(src) == IR_REF_BLOCK && !add_edge(e, ir_ref_index(src))) {
            return false;
        }
        if (ir_ref_kind(src) == IR_REF_TABLE && !add_table(e, &f->tables.at[ir_ref_index(src)])) {
            return false;
        }
    }
    return true;
}

static const struct ir_inst *last_inst(const struct ir_func *f, uint32_t block)
{
    const struct ir_block *b = &f->blocks.at[block];

    return b->count == 0 ? NULL : &f->insts.at[b->first + b->count - 1];
}

static bool falls_through(const struct ir_inst *last)
{
    if (last == NULL || ir_is_guarded(last)) {
        return true;
    }
    switch (last->op) {
    case IR_BRA:
    case IR_BRX:
    case IR_RET:
    case IR_EXIT:
    case IR_TRAP:
    case IR_BRKPT:
        return false;
    default:
        return true;
    }
}

static bool may_leave(const struct ir_inst *last, bool falls_off)
{
    if (last != NULL) {
        if (last->op == IR_RET || last->op == IR_EXIT) {
            return true;
        }
        if ((last->op == IR_TRAP || last->op == IR_BRKPT) && !ir_is_guarded(last)) {
            return true;
        }
    }
    return falls_off;
}

static bool add_block_edges(struct edges *e, const struct ir_func *f, uint32_t block, bool *leaves)
{
    const struct ir_block *b = &f->blocks.at[block];
    const struct ir_inst *last = last_inst(f, block);
    bool falls = falls_through(last);
    bool is_final = block + 1 == f->blocks.count;

    e->from = block;
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
        const struct ir_inst *in = &f->insts.at[i];

        if ((in->op == IR_BRA || in->op == IR_BRX) && !add_branch_targets(e, f, in)) {
            return false;
        }
    }
    *leaves = may_leave(last, falls && is_final);
    return !falls || is_final || add_edge(e, block + 1);
}

static bool find_successors(struct ir_cfg *cfg, const struct ir_func *f, bool *leaves)
{
    struct edges e = {0};
    bool ok = false;

    e.last_from = malloc((cfg->n_blocks + 1) * sizeof *e.last_from);
    if (e.last_from == NULL || !vec_reserve(&e.to, 1)) {
        goto out;
    }
    for (uint32_t b = 0; b < cfg->n_blocks; b++) {
        e.last_from[b] = IR_NO_BLOCK;
    }
    for (uint32_t b = 0; b < cfg->n_blocks; b++) {
        cfg->succ_at[b] = e.to.count;
        if (!add_block_edges(&e, f, b, &leaves[b])) {
            goto out;
        }
    }
    cfg->succ_at[cfg->n_blocks] = e.to.count;
    cfg->succ = e.to.at;
    e.to.at = NULL;
    ok = true;
out:
    vec_free(&e.to);
    free(e.last_from);
    return ok;
}

/* Counting sort of the edges by target; predecessors come out in ascending order. */
static bool find_predecessors(struct ir_cfg *cfg)
{
    uint32_t n = cfg->n_blocks;
    uint32_t n_edges = cfg->succ_at[n];
    uint32_t *at = cfg->pred_at;

    cfg->pred = malloc((n_edges + 1) * sizeof *cfg->pred);
    if (cfg->pred == NULL) {
        return false;
    }
    for (uint32_t e = 0; e < n_edges; e++) {
        at[cfg->succ[e] + 1]++;
    }
    for (uint32_t b = 0; b < n; b++) {
        at[b + 1] += at[b];
    }
    for (uint32_t b = n; b-- > 0;) {
        for (uint32_t e = cfg->succ_at[b]; e < cfg->succ_at[b + 1]; e++) {
            cfg->pred[--at[cfg->succ[e] + 1]] = b;
        }
    }
    /* Filling moved each list's end, kept one place late, down to its start. */
    for (uint32_t b = 0; b < n; b++) {
        at[b] = at[b + 1];
    }
    at[n] = n_edges;
    return true;
}

/* Depth-first search from the entry with an explicit stack; `next[b]` is the edge to try next. */
static bool find_order(struct ir_cfg *cfg)
{
    uint32_t n = cfg->n_blocks;
    uint32_t *next = malloc((n + 1) * sizeof *next);
    uint32_t *stack = malloc((n + 1) * sizeof *stack);
    uint32_t depth = 0, finished = 0;

    if (next == NULL || stack == NULL) {
        free(next);
        free(stack);
        return false;
    }
    for (uint32_t b = 0; b < n; b++) {
        cfg->rpo_index[b] = IR_NO_BLOCK;
        next[b] = IR_NO_BLOCK; /* not seen */
    }
    if (n > 0) {
        stack[depth++] = 0;
        next[0] = cfg->succ_at[0];
    }
    while (depth > 0) {
        uint32_t b = stack[depth - 1];

        if (next[b] == cfg->succ_at[b + 1]) {
            cfg->rpo[finished++] = b;
            depth--;
            continue;
        }
        uint32_t to = cfg->succ[next[b]++];
        if (next[to] == IR_NO_BLOCK) {
            next[to] = cfg->succ_at[to];
            stack[depth++] = to;
        }
    }
    cfg->n_rpo = finished;
    for (uint32_t i = 0; i < finished / 2; i++) {
        uint32_t swap = cfg->rpo[i];

        cfg->rpo[i] = cfg->rpo[finished - 1 - i];
        cfg->rpo[finished - 1 - i] = swap;
    }
    for (uint32_t i = 0; i < finished; i++) {
        cfg->rpo_index[cfg->rpo[i]] = i;
    }
    free(next);
    free(stack);
    return true;
}

static bool allocate(struct ir_cfg *cfg)
{
    size_t n = (size_t)cfg->n_blocks + 1;

    cfg->succ_at = calloc(n, sizeof(uint32_t));
    cfg->pred_at = calloc(n, sizeof(uint32_t));
    cfg->rpo = malloc(n * sizeof(uint32_t));
    cfg->rpo_index = malloc(n * sizeof(uint32_t));
    cfg->idom = malloc(n * sizeof(uint32_t));
    cfg->ipdom = malloc(n * sizeof(uint32_t));
    cfg->loop_head = malloc(n * sizeof(uint32_t));
    return cfg->succ_at != NULL && cfg->pred_at != NULL && cfg->rpo != NULL && cfg->rpo_index != NULL &&
           cfg->idom != NULL && cfg->ipdom != NULL && cfg->loop_head != NULL;
}

struct ir_cfg *ir_cfg_new(const struct ir_func *f)
{
    struct ir_cfg *cfg = calloc(1, sizeof *cfg);
    bool *leaves = calloc((size_t)f->blocks.count + 1, sizeof *leaves);
    bool ok = cfg != NULL && leaves != NULL;

    if (ok) {
        cfg->n_blocks = f->blocks.count;
        ok = allocate(cfg) && find_successors(cfg, f, leaves) && find_predecessors(cfg) && find_order(cfg) &&
             ir_cfg_find_dominators(cfg) && ir_cfg_find_postdominators(cfg, leaves) && ir_cfg_find_loops(cfg);
    }
    free(leaves);
    if (!ok) {
        ir_cfg_free(cfg);
        return NULL;
    }
    return cfg;
}

void ir_cfg_free(struct ir_cfg *cfg)
{
    if (cfg == NULL) {
        return;
    }
    free(cfg->succ_at);
    free(cfg->succ);
    free(cfg->pred_at);
    free(cfg->pred);
    free(cfg->rpo);
    free(cfg->rpo_index);
    free(cfg->idom);
    free(cfg->ipdom);
    free(cfg->loop_head);
    free(cfg);
}
