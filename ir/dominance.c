/*
 * Dominators, post-dominators and natural loops.
 *
 * Dominators are found by the algorithm of Lengauer and Tarjan ("A fast algorithm for finding dominators in a
 * flowgraph", TOPLAS 1979) in its simple form: O(edges * log blocks) whatever the graph, where the usual iteration
 * takes quadratic time on a long chain of early exits.  Post-dominators are the dominators of the reversed graph from a
 * virtual exit. Nothing recurses: graphs are as deep as the text is long.
 */
#include "ir/dominance.h"

#include <stdlib.h>

/* A graph to find dominators in; edges as in struct ir_cfg. */
struct flow {
    uint32_t n;
    uint32_t root;
    const uint32_t *succ_at, *succ;
    const uint32_t *pred_at, *pred;
};

/* All but `number` are indexed by depth-first number, in which smaller means visited earlier. */
struct lt {
    uint32_t *memory;
    uint32_t *number; /* per node; NONE for unreachable ones */
    uint32_t *node;
    uint32_t *parent;   /* in the depth-first tree */
    uint32_t *semi;     /* semidominator */
    uint32_t *ancestor; /* in the forest of finished nodes, compressed */
    uint32_t *label;    /* node of smallest semidominator on the compressed path */
    uint32_t *bucket;   /* nodes whose semidominator this is: first, then by `chain` */
    uint32_t *chain;
    uint32_t *dom;
    uint32_t *stack;
    uint32_t count; /* reachable nodes */
};

enum { NONE = IR_NO_BLOCK, LT_ARRAYS = 10 };

static bool lt_allocate(struct lt *t, uint32_t n)
{
    uint32_t **arrays[LT_ARRAYS] = {&t->number, &t->node,   &t->parent, &t->semi, &t->ancestor,
                                    &t->label,  &t->bucket, &t->chain,  &t->dom,  &t->stack};

    t->memory = malloc(((size_t)n + 1) * LT_ARRAYS * sizeof *t->memory);
    if (t->memory == NULL) {
        return false;
    }
    for (size_t i = 0; i < LT_ARRAYS; i++) {
        *arrays[i] = t->memory + i * n;
    }
    for (uint32_t i = 0; i < n; i++) {
        t->number[i] = NONE;
        t->ancestor[i] = NONE;
        t->bucket[i] = NONE;
    }
    return true;
}

static void lt_enter(struct lt *t, uint32_t node, uint32_t parent)
{
    uint32_t i = t->count++;

    t->number[node] = i;
    t->node[i] = node;
    t->parent[i] = parent;
    t->semi[i] = i;
    t->label[i] = i;
}

/* Number the nodes depth first.  `chain`, unused so far, holds the next edge of each node on the stack. */
static void lt_search(struct lt *t, const struct flow *g)
{
    uint32_t depth = 0;

    lt_enter(t, g->root, NONE);
    t->chain[0] = g->succ_at[g->root];
    t->stack[depth++] = 0;
    while (depth > 0) {
        uint32_t i = t->stack[depth - 1];

        if (t->chain[i] == g->succ_at[t->node[i] + 1]) {
            depth--;
            continue;
        }
        uint32_t to = g->succ[t->chain[i]++];
        if (t->number[to] == NONE) {
            t->chain[t->count] = g->succ_at[to];
            t->stack[depth++] = t->count;
            lt_enter(t, to, i);
        }
    }
}

/* The node of smallest semidominator between v and the root of its tree in the forest; compresses the path. */
static uint32_t lt_eval(struct lt *t, uint32_t v)
{
    uint32_t depth = 0;

    if (t->ancestor[v] == NONE) {
        return v;
    }
    for (uint32_t u = v; t->ancestor[t->ancestor[u]] != NONE; u = t->ancestor[u]) {
        t->stack[depth++] = u;
    }
    while (depth > 0) {
        uint32_t u = t->stack[--depth];
        uint32_t above = t->ancestor[u];

        if (t->semi[t->label[above]] < t->semi[t->label[u]]) {
            t->label[u] = t->label[above];
        }
        t->ancestor[u] = t->ancestor[above];
    }
    return t->label[v];
}

static void lt_find_semidominator(struct lt *t, const struct flow *g, uint32_t w)
{
    uint32_t node = t->node[w];

    for (uint32_t e = g->pred_at[node]; e < g->pred_at[node + 1]; e++) {
        uint32_t v = t->number[g->pred[e]];

        if (v == NONE) {
            continue;
        }
        uint32_t u = lt_eval(t, v);
        if (t->semi[u] < t->semi[w]) {
            t->semi[w] = t->semi[u];
        }
    }
}

static void lt_solve(struct lt *t, const struct flow *g)
{
    for (uint32_t w = t->count; w-- > 1;) {
        uint32_t parent = t->parent[w];

        lt_find_semidominator(t, g, w);
        t->chain[w] = t->bucket[t->semi[w]];
        t->bucket[t->semi[w]] = w;
        t->ancestor[w] = parent;
        for (uint32_t v = t->bucket[parent]; v != NONE; v = t->chain[v]) {
            uint32_t u = lt_eval(t, v);

            t->dom[v] = t->semi[u] < t->semi[v] ? u : parent;
        }
        t->bucket[parent] = NONE;
    }
    for (uint32_t w = 1; w < t->count; w++) {
        if (t->dom[w] != t->semi[w]) {
            t->dom[w] = t->dom[t->dom[w]];
        }
    }
}

/* idom[node] for all nodes but the root and unreachable ones, which get IR_NO_BLOCK. */
static bool find_dominators(const struct flow *g, uint32_t *idom)
{
    struct lt t = {0};

    if (!lt_allocate(&t, g->n)) {
        return false;
    }
    lt_search(&t, g);
    lt_solve(&t, g);
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t number = t.number[i];

        idom[i] = number == NONE || number == 0 ? IR_NO_BLOCK : t.node[t.dom[number]];
    }
    free(t.memory);
    return true;
}

bool ir_cfg_find_dominators(struct ir_cfg *cfg)
{
    const struct flow g = {.n = cfg->n_blocks,
                           .root = 0,
                           .succ_at = cfg->succ_at,
                           .succ = cfg->succ,
                           .pred_at = cfg->pred_at,
                           .pred = cfg->pred};

    return cfg->n_blocks == 0 || find_dominators(&g, cfg->idom);
}

/* --- post-dominators ------------------------------------------------------------------------------------------ */

/* Mark all blocks from which `block` can be reached. */
static void mark_backwards(const struct ir_cfg *cfg, uint32_t block, bool *marked, uint32_t *stack)
{
    uint32_t depth = 0;

    if (marked[block]) {
        return;
    }
    marked[block] = true;
    stack[depth++] = block;
    while (depth > 0) {
        uint32_t b = stack[--depth];

        for (uint32_t e = cfg->pred_at[b]; e < cfg->pred_at[b + 1]; e++) {
            if (!marked[cfg->pred[e]]) {
                marked[cfg->pred[e]] = true;
                stack[depth++] = cfg->pred[e];
            }
        }
    }
}

/*
 * Blocks with an edge to the virtual exit: those that leave, and one per endless loop.  A block that cannot leave comes
 * last in reverse post-order among its like only if all its successors lead back to it, so it closes an endless loop.
 */
static bool find_exits(const struct ir_cfg *cfg, const bool *leaves, bool *exits)
{
    uint32_t n = cfg->n_blocks;
    bool *marked = calloc(n, sizeof *marked);
    uint32_t *stack = malloc(n * sizeof *stack);
    bool ok = marked != NULL && stack != NULL;

    for (uint32_t b = 0; ok && b < n; b++) {
        exits[b] = leaves[b];
        if (leaves[b]) {
            mark_backwards(cfg, b, marked, stack);
        }
    }
    for (uint32_t i = cfg->n_rpo; ok && i-- > 0;) {
        if (!marked[cfg->rpo[i]]) {
            exits[cfg->rpo[i]] = true;
            mark_backwards(cfg, cfg->rpo[i], marked, stack);
        }
    }
    for (uint32_t b = n; ok && b-- > 0;) {
        if (!marked[b]) {
            exits[b] = true; /* unreachable and endless */
            mark_backwards(cfg, b, marked, stack);
        }
    }
    free(marked);
    free(stack);
    return ok;
}

/* The reversed graph's edges in fresh arrays: block b goes to its predecessors, node n (the exit) to all `exits`. */
static void reverse_edges(const struct ir_cfg *cfg, const bool *exits, uint32_t *succ_at, uint32_t *succ,
                          uint32_t *pred_at, uint32_t *pred)
{
    uint32_t n = cfg->n_blocks;
    uint32_t n_succ = 0, n_pred = 0;

    for (uint32_t b = 0; b < n; b++) {
        succ_at[b] = n_succ;
        for (uint32_t e = cfg->pred_at[b]; e < cfg->pred_at[b + 1]; e++) {
            succ[n_succ++] = cfg->pred[e];
        }
        pred_at[b] = n_pred;
        for (uint32_t e = cfg->succ_at[b]; e < cfg->succ_at[b + 1]; e++) {
            pred[n_pred++] = cfg->succ[e];
        }
        if (exits[b]) {
            pred[n_pred++] = n;
        }
    }
    succ_at[n] = n_succ;
    for (uint32_t b = 0; b < n; b++) {
        if (exits[b]) {
            succ[n_succ++] = b;
        }
    }
    succ_at[n + 1] = n_succ;
    pred_at[n] = n_pred;
    pred_at[n + 1] = n_pred;
}

static bool solve_reversed(struct ir_cfg *cfg, const bool *exits)
{
    uint32_t n = cfg->n_blocks;
    size_t lists = (size_t)n + 2, edges = (size_t)cfg->succ_at[n] + n;
    uint32_t *memory = malloc((2 * lists + 2 * edges + n + 1) * sizeof *memory);

    if (memory == NULL) {
        return false;
    }
    uint32_t *succ_at = memory, *pred_at = succ_at + lists;
    uint32_t *succ = pred_at + lists, *pred = succ + edges, *ipdom = pred + edges;
    reverse_edges(cfg, exits, succ_at, succ, pred_at, pred);

    const struct flow g = {.n = n + 1, .root = n, .succ_at = succ_at, .succ = succ, .pred_at = pred_at, .pred = pred};
    bool ok = find_dominators(&g, ipdom);

    for (uint32_t b = 0; ok && b < n; b++) {
        cfg->ipdom[b] = ipdom[b] == n ? IR_NO_BLOCK : ipdom[b];
    }
    free(memory);
    return ok;
}

bool ir_cfg_find_postdominators(struct ir_cfg *cfg, const bool *leaves)
{
    bool *exits = calloc((size_t)cfg->n_blocks + 1, sizeof *exits);
    bool ok = exits != NULL && (cfg->n_blocks == 0 || (find_exits(cfg, leaves, exits) && solve_reversed(cfg, exits)));

    free(exits);
    return ok;
}

/* --- loops ---------------------------------------------------------------------------------------------------- */

/* Dominator tree intervals, to ask "does a dominate b" in constant time, and the loops found so far. */
struct loops {
    struct ir_cfg *cfg;
    uint32_t *memory;
    uint32_t *first; /* dominator tree preorder number */
    uint32_t *size;  /* blocks in the subtree */
    uint32_t *next;  /* preorder number for the next child */
    uint32_t *outer; /* union-find: towards the header of the outermost loop found so far that holds the block */
    uint32_t *stack;
};

enum { LOOP_ARRAYS = 5 };

static bool loops_allocate(struct loops *l, uint32_t n)
{
    l->memory = calloc((size_t)n * LOOP_ARRAYS + 1, sizeof *l->memory);
    if (l->memory == NULL) {
        return false;
    }
    l->first = l->memory;
    l->size = l->first + n;
    l->next = l->size + n;
    l->outer = l->next + n;
    l->stack = l->outer + n;
    return true;
}

/* A dominator precedes what it dominates in reverse post-order, so two passes over that order number the tree. */
static void number_dominator_tree(struct loops *l)
{
    const struct ir_cfg *cfg = l->cfg;

    for (uint32_t i = cfg->n_rpo; i-- > 0;) {
        uint32_t b = cfg->rpo[i];

        l->size[b]++;
        if (cfg->idom[b] != IR_NO_BLOCK) {
            l->size[cfg->idom[b]] += l->size[b];
        }
    }
    for (uint32_t i = 0; i < cfg->n_rpo; i++) {
        uint32_t b = cfg->rpo[i];
        uint32_t up = cfg->idom[b];

        if (up != IR_NO_BLOCK) {
            l->first[b] = l->next[up];
            l->next[up] += l->size[b];
        }
        l->next[b] = l->first[b] + 1;
    }
}

static bool dominates(const struct loops *l, uint32_t a, uint32_t b)
{
    return l->first[b] - l->first[a] < l->size[a];
}

static uint32_t outermost(struct loops *l, uint32_t b)
{
    while (l->outer[b] != b) {
        l->outer[b] = l->outer[l->outer[b]];
        b = l->outer[b];
    }
    return b;
}

/* Push the loops (or lone blocks) that the predecessors of `block` belong to; of the header only along its back edges.
 */
static uint32_t push_predecessors(struct loops *l, uint32_t block, uint32_t header, uint32_t depth)
{
    const struct ir_cfg *cfg = l->cfg;

    for (uint32_t e = cfg->pred_at[block]; e < cfg->pred_at[block + 1]; e++) {
        uint32_t p = cfg->pred[e];

        if (cfg->rpo_index[p] == IR_NO_BLOCK || (block == header && !dominates(l, header, p))) {
            continue;
        }
        uint32_t inner = outermost(l, p);
        if (inner != header) {
            l->outer[inner] = header; /* joins the loop now, so nothing is pushed twice */
            l->stack[depth++] = inner;
        }
    }
    return depth;
}

static bool is_header(const struct loops *l, uint32_t b)
{
    const struct ir_cfg *cfg = l->cfg;

    for (uint32_t e = cfg->pred_at[b]; e < cfg->pred_at[b + 1]; e++) {
        if (cfg->rpo_index[cfg->pred[e]] != IR_NO_BLOCK && dominates(l, b, cfg->pred[e])) {
            return true;
        }
    }
    return false;
}

/* Walk backwards from the latches to the header; loops found earlier lie inside and are stepped over as one block. */
static void collect_loop(struct loops *l, uint32_t header)
{
    struct ir_cfg *cfg = l->cfg;
    uint32_t depth = push_predecessors(l, header, header, 0);

    cfg->loop_head[header] = header;
    while (depth > 0) {
        uint32_t b = l->stack[--depth];

        if (cfg->loop_head[b] == IR_NO_BLOCK) {
            cfg->loop_head[b] = header;
        }
        depth = push_predecessors(l, b, header, depth);
    }
}

bool ir_cfg_find_loops(struct ir_cfg *cfg)
{
    struct loops l = {.cfg = cfg};

    if (!loops_allocate(&l, cfg->n_blocks)) {
        return false;
    }
    for (uint32_t b = 0; b < cfg->n_blocks; b++) {
        cfg->loop_head[b] = IR_NO_BLOCK;
        l.outer[b] = b;
    }
    number_dominator_tree(&l);
    for (uint32_t i = cfg->n_rpo; i-- > 0;) { /* inner headers come after outer ones */
        if (is_header(&l, cfg->rpo[i])) {
            collect_loop(&l, cfg->rpo[i]);
        }
    }
    free(l.memory);
    return true;
}
